;;; ptx-pages.el --- Pages of PTX instructions, and descriptors decoded  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The program ptx-lsp has a page for every instruction, directive,
;; special register, type and diagnostic.  They are Markdown; here they
;; are shown without its marks, the code in the colours of `ptx-mode'.

;;; Code:

(require 'button)
(require 'ptx-words)
(require 'ptx-server)
(require 'thingatpt)

(declare-function ptx-mode "ptx-mode")
(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentPositionParams "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-request "lsp-mode")
(declare-function lsp--buffer-uri "lsp-mode")
(declare-function lsp--cur-position "lsp-mode")

(defface ptx-page-code '((t :inherit (fixed-pitch font-lock-constant-face)))
  "Words of PTX in the text of a page."
  :group 'ptx)

(defvar-local ptx-page-topic nil
  "The topic of the page.")

(defvar-local ptx-page-history nil
  "The topics of the pages that were shown before, the last one first.")

(defvar ptx-page-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map (kbd "RET") #'ptx-show-page)
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    (define-key map (kbd "l") #'ptx-page-back)
    map)
  "Keys of pages.")

(define-derived-mode ptx-page-mode special-mode "PTX page"
  "Major mode for pages of the language PTX.
\\<ptx-page-mode-map>\\[ptx-show-page] shows the page of the word at point, \\[ptx-page-back] the page before.

\\{ptx-page-mode-map}"
  :group 'ptx
  (setq-local revert-buffer-function (lambda (&rest _) (ptx--fill-page ptx-page-topic))))

(defun ptx--ask (&rest arguments)
  "What the program ptx-lsp prints when it is given ARGUMENTS.
Signal its own words as a `user-error' if it refuses them.  A value with
findings is no refusal."
  (let ((program (ptx-program))
        (coding-system-for-read 'utf-8)
        (coding-system-for-write 'utf-8)
        (process-environment (append '("PYTHONUTF8=1" "NO_COLOR=1") process-environment))
        (errors (make-temp-file "ptx-lsp")))
    (unwind-protect
        (with-temp-buffer
          (let ((status (apply #'process-file (car program) nil (list t errors) nil
                               (append (cdr program) arguments))))
            (unless (memq status '(0 1))
              (erase-buffer)
              (insert-file-contents errors)
              (user-error "%s" (if (zerop (buffer-size))
                                   (format "`%s' exited with %s and no message" (car program) status)
                                 (string-trim (buffer-string))))))
          (buffer-string))
      (delete-file errors))))

;;; Pages

(defun ptx-topic-at-point ()
  "The word at point that a page could be about, or nil."
  (let ((word (thing-at-point 'symbol t)))
    (and word (string-match-p "[[:alpha:]]" word) word)))

(defun ptx--read-topic ()
  "Ask for the topic of a page; the word at point is offered."
  (let ((word (ptx-topic-at-point)))
    (completing-read (if word (format "Page of (default %s): " word) "Page of: ")
                     (append ptx-words-opcodes ptx-words-directives ptx-words-types
                             ptx-words-special-registers)
                     nil nil nil nil word)))

;;;###autoload
(defun ptx-show-page (topic)
  "Show the page of TOPIC: an instruction, directive, type, register or code.
Interactively that is the word at point; with a prefix argument, or
where there is none, ask for it."
  (interactive (list (or (and (not current-prefix-arg) (ptx-topic-at-point))
                         (ptx--read-topic))))
  (let ((page (ptx--ask "explain" topic))
        (former (and (derived-mode-p 'ptx-page-mode) (cons ptx-page-topic ptx-page-history))))
    (with-current-buffer (get-buffer-create "*ptx page*")
      (unless (derived-mode-p 'ptx-page-mode)
        (ptx-page-mode))
      (setq ptx-page-history former)
      (ptx--fill-page topic page)
      (display-buffer (current-buffer)))))

(defun ptx-page-back ()
  "Show the page that was shown before this one."
  (interactive nil ptx-page-mode)
  (let ((topic (pop ptx-page-history)))
    (unless topic
      (user-error "This is the first page"))
    (ptx--fill-page topic)))

(defun ptx--fill-page (topic &optional page)
  "Fill this buffer with PAGE, the page of TOPIC."
  (let ((inhibit-read-only t))
    (setq ptx-page-topic topic)
    (erase-buffer)
    (insert (or page (ptx--ask "explain" topic)))
    (ptx--draw-markdown)
    (goto-char (point-min))
    (set-buffer-modified-p nil)
    (dolist (window (get-buffer-window-list nil nil t))
      (set-window-point window (point-min)))))

(defun ptx--draw-markdown ()
  "Turn the Markdown of this buffer into text with faces and buttons."
  (goto-char (point-min))
  (while (not (eobp))
    (cond
     ((looking-at "```\\(.*\\)\n\\(\\(?:.*\n\\)*?\\)```[ \t]*\n?")
      (let ((code (match-string-no-properties 2))
            (is-ptx (member (match-string 1) '("ptx" "isa"))))
        (replace-match "" t t)
        (insert (if is-ptx (ptx--coloured code) code))))
     ((looking-at "#+ +\\(.*\\)$")
      (ptx--replace-marked 'bold)
      (beginning-of-line)
      (ptx--draw-line)
      (forward-line))
     ((looking-at "---+[ \t]*\n")
      (replace-match "" t t))
     (t (ptx--draw-line)
        (forward-line)))))

(defun ptx--draw-line ()
  "Draw what is marked in the line at point with faces and buttons."
  (let ((end (copy-marker (line-end-position))))
    (while (re-search-forward
            "`\\([^`\n]+\\)`\\|\\*\\*\\([^*\n]+\\)\\*\\*\\|\\[\\([^]\n]+\\)\\](\\([^)\n]+\\))" end t)
      (cond
       ((match-beginning 1) (ptx--replace-marked 'ptx-page-code))
       ((match-beginning 2)
        (let ((start (match-beginning 0)))
          (ptx--replace-marked 'bold 2)
          (goto-char start)))
       (t (let ((target (match-string-no-properties 4)) (start (match-beginning 0)))
            (replace-match (match-string-no-properties 3) t t)
            (make-text-button start (point) 'action (lambda (_) (ptx--follow target))
                              'follow-link t 'help-echo target)))))
    (goto-char end)
    (set-marker end nil)))

(defun ptx--replace-marked (face &optional group)
  "Replace what was matched by its GROUP, or the first one, in FACE too."
  (let* ((start (match-beginning 0))
         (text (match-string (or group 1))))
    (replace-match text t t)
    (add-face-text-property start (point) face t)))

(defun ptx--coloured (code)
  "The text CODE in the colours of `ptx-mode'."
  (with-temp-buffer
    (insert code)
    (delay-mode-hooks (ptx-mode))
    (font-lock-ensure)
    (buffer-string)))

(defun ptx--follow (target)
  "Go where a link of a page leads.
TARGET is the address of another page, of a line of a file, or on the web."
  (cond
   ((string-match "\\`\\(?:ptx-lsp:.*/\\)?\\([^/:]+\\)\\.md\\'" target)
    (ptx-show-page (url-unhex-string (match-string 1 target))))
   ((string-match "\\`file://\\([^#]+\\)#L\\([0-9]+\\)\\'" target)
    (let ((line (string-to-number (match-string 2 target))))
      (find-file-other-window
       (decode-coding-string (url-unhex-string (match-string 1 target)) 'utf-8))
      (push-mark nil t)
      (goto-char (point-min))
      (forward-line (1- line))))
   (t (browse-url target))))

(declare-function url-unhex-string "url-util")
(autoload 'url-unhex-string "url-util")

;;; Descriptors

(defvar ptx--layouts nil
  "The layouts of packed values that ptx-lsp knows, once it was asked.")

(defun ptx--layouts ()
  "The names of the layouts that ptx-lsp knows."
  (or ptx--layouts
      (setq ptx--layouts
            (mapcar (lambda (line) (car (split-string line)))
                    (split-string (ptx--ask "decode" "list") "\n" t)))))

(defun ptx--number-at-point ()
  "The number at point as it is written, or nil."
  (let ((word (thing-at-point 'symbol t)))
    (and word
         (string-match-p "\\`\\(?:0[xX][[:xdigit:]]+\\|0[bB][01]+\\|[0-9]+\\)U?\\'" word)
         (string-remove-suffix "U" word))))

(defun ptx--target ()
  "The target of the module in this buffer, or nil."
  (save-excursion
    (goto-char (point-min))
    (and (re-search-forward "^[ \t]*\\.target[ \t]+\\(sm_[0-9]+[af]?\\)" nil t)
         (match-string-no-properties 1))))

(defun ptx--depends-on-kind (layout)
  "Whether LAYOUT has variants with longer names, one of which the .kind chooses."
  (seq-some (lambda (other) (string-prefix-p (concat layout "-") other)) (ptx--layouts)))

(defun ptx--read-kind ()
  "Ask for the .kind of an opcode; that of the line at point is offered."
  (let ((kinds (mapcar (lambda (word) (string-remove-prefix ".kind::" word))
                       (seq-filter (lambda (word) (string-prefix-p ".kind::" word)) ptx-words-qualifiers)))
        (here (save-excursion
                (beginning-of-line)
                (and (re-search-forward "\\.kind::\\([[:alnum:]]+\\)" (line-end-position) t)
                     (match-string-no-properties 1)))))
    (completing-read (if here (format "Kind (default %s): " here) "Kind: ") kinds nil nil nil nil here)))

(defun ptx--show-descriptor (text)
  "Show TEXT, which is Markdown or plain, in a buffer of its own."
  (with-current-buffer (get-buffer-create "*ptx descriptor*")
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (ptx--draw-markdown)
      (goto-char (point-min)))
    (special-mode)
    (display-buffer (current-buffer))))

(defun ptx--page-here (command)
  "Return the page for point that COMMAND of the language server has, as Markdown.
The result is nil if there is nothing to show, or `no-server'."
  (cond
   ((and (fboundp 'eglot-current-server) (eglot-current-server))
    (let ((place (eglot--TextDocumentPositionParams)))
      (plist-get (jsonrpc-request (eglot-current-server) :workspace/executeCommand
                                  (list :command command
                                        :arguments (vector (plist-get (plist-get place :textDocument) :uri)
                                                           (plist-get place :position))))
                 :markdown)))
   ((bound-and-true-p lsp-mode)
    (let ((found (lsp-request "workspace/executeCommand"
                              (list :command command
                                    :arguments (vector (lsp--buffer-uri) (lsp--cur-position))))))
      (if (hash-table-p found) (gethash "markdown" found) (plist-get found :markdown))))
   (t 'no-server)))

(defun ptx--decode-at-point ()
  "The page of the descriptor at point, from the language server.
The result is Markdown, nil if there is no descriptor, or `no-server'."
  (ptx--page-here "ptx-lsp.decodeAt"))

;;; Pages of functions and values

(defun ptx--show-page-here (command nothing)
  "Show the page for point that COMMAND of the server has, or say NOTHING."
  (let ((text (ptx--page-here command)))
    (cond
     ((eq text 'no-server) (user-error "No language server serves this buffer"))
     ((not (stringp text)) (user-error "%s" nothing)))
    (with-current-buffer (get-buffer-create "*ptx function*")
      (unless (derived-mode-p 'ptx-function-page-mode)
        (ptx-function-page-mode))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text)
        (ptx--draw-markdown)
        (goto-char (point-min)))
      (display-buffer (current-buffer)))))

(defvar ptx-function-page-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map special-mode-map)
    (define-key map (kbd "RET") #'ptx-follow-line)
    (define-key map (kbd "TAB") #'forward-button)
    (define-key map (kbd "<backtab>") #'backward-button)
    map)
  "Keys of pages of functions.")

(define-derived-mode ptx-function-page-mode special-mode "PTX function"
  "Major mode for pages of a function: its barriers, its control flow, its values.
\\<ptx-function-page-mode-map>\\[ptx-follow-line] goes to the source line of a row.

\\{ptx-function-page-mode-map}"
  :group 'ptx
  (setq-local truncate-lines t))

(defun ptx-follow-line ()
  "Follow the first link of this line, such as that to the source line of a row."
  (interactive nil ptx-function-page-mode)
  (let ((button (or (button-at (point))
                    (save-excursion
                      (beginning-of-line)
                      (let ((found (or (button-at (point)) (next-button (point)))))
                        (and found (<= (button-start found) (line-end-position)) found))))))
    (unless button
      (user-error "No link in this line"))
    (push-button (button-start button))))

;;;###autoload
(defun ptx-show-barriers ()
  "Show the barriers and asynchronous work of the function around point."
  (interactive)
  (ptx--show-page-here "ptx-lsp.barriersAt" "Point is not in a function with a body"))

;;;###autoload
(defun ptx-show-flow ()
  "Show the blocks and loops of the function around point."
  (interactive)
  (ptx--show-page-here "ptx-lsp.flowAt" "Point is not in a function with a body"))

;;;###autoload
(defun ptx-show-origin ()
  "Show what the register at point is computed from."
  (interactive)
  (ptx--show-page-here "ptx-lsp.originAt" "No register at point"))

;;;###autoload
(defun ptx-show-uses ()
  "Show what depends on the register at point."
  (interactive)
  (ptx--show-page-here "ptx-lsp.usesAt" "No register at point"))

;;;###autoload
(defun ptx-decode-value (layout value &optional target kind)
  "Show the fields of VALUE with LAYOUT, such as \"idesc\", for TARGET.
VALUE is written as in PTX; interactively the number at point is offered.
KIND is the .kind of the opcode, such as \"f16\", where the layout depends
on it."
  (interactive
   (let* ((number (ptx--number-at-point))
          (layout (completing-read "Layout: " (ptx--layouts) nil nil))
          (value (read-string (if number (format "Value (default %s): " number) "Value: ") nil nil number)))
     (list layout value (ptx--target) (and (ptx--depends-on-kind layout) (ptx--read-kind)))))
  (ptx--show-descriptor (apply #'ptx--ask "decode" layout value
                         (append (and target (list "--arch" target))
                                 (and kind (list "--kind" kind))))))

;;;###autoload
(defun ptx-decode-descriptor (&optional ask)
  "Decode the descriptor in the operand at point.
The language server finds out, however far above it was built.  Where
there is no server, at a number, or with the prefix argument ASK, ask for
the layout and the value."
  (interactive "P")
  (let ((found (if (or ask (ptx--number-at-point)) 'no-server (ptx--decode-at-point))))
    (cond
     ((eq found 'no-server) (call-interactively #'ptx-decode-value))
     (found (ptx--show-descriptor found))
     (t (user-error "No descriptor at point")))))

(provide 'ptx-pages)
;;; ptx-pages.el ends here
