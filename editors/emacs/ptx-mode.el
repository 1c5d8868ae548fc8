;;; ptx-mode.el --- Major mode for NVIDIA PTX assembly  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; Author: The authors of ptx-lsp
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Colours, indentation, outline and navigation for files of PTX, the
;; assembly language of NVIDIA's GPUs, without any program besides.
;; With ptx-lsp there are diagnostics, hovers, completion, fixes, rename
;; and formatting as well, in `eglot' or `lsp-mode':
;;
;;     (add-hook 'ptx-mode-hook #'eglot-ensure)
;;
;; `ptx-show-page' (C-c C-d) shows the page of the instruction at point,
;; `ptx-decode-descriptor' (C-c C-e) the fields of the descriptor at
;; point.

;;; Code:

(require 'ptx-words)
(require 'ptx-font-lock)
(require 'ptx-indent)

(defgroup ptx nil
  "PTX, the assembly language of NVIDIA's GPUs."
  :group 'languages
  :prefix "ptx-")

(defcustom ptx-server-command '("ptx-lsp" "--stdio")
  "The command of the language server: the program and its arguments.
Pages and descriptors are asked of the same program."
  :type '(repeat string)
  :risky t)

(defcustom ptx-initialization-options nil
  "Initial settings of the language server, as a property list.
For example (:target \"sm_90a\" :inlayHints (:masks :json-false)).
A file ptx-lsp.toml in the project says the same to every editor."
  :type '(plist :key-type symbol)
  :safe #'listp)

(defvar ptx-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (dolist (character '(?_ ?$ ?% ?.))
      (modify-syntax-entry character "_" table))
    (dolist (character '(?& ?| ?+ ?- ?= ?< ?> ?! ?~ ?^ ?: ?, ?\; ?@ ?? ?# ?' ?`))
      (modify-syntax-entry character "." table))
    table)
  "Syntax table of `ptx-mode': `%r1', `$L1' and `.global' are symbols.")

(defvar ptx-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-d") #'ptx-show-page)
    (define-key map (kbd "C-c C-e") #'ptx-decode-descriptor)
    map)
  "Keys of `ptx-mode'.")

(autoload 'ptx-show-page "ptx-pages" nil t)
(autoload 'ptx-decode-descriptor "ptx-pages" nil t)
(autoload 'ptx-show-barriers "ptx-pages" nil t)
(autoload 'ptx-show-flow "ptx-pages" nil t)
(autoload 'ptx-show-origin "ptx-pages" nil t)
(autoload 'ptx-show-uses "ptx-pages" nil t)

(easy-menu-define nil ptx-mode-map "Menu of `ptx-mode'."
  '("PTX"
    ["Page of the Instruction at Point" ptx-show-page]
    ["Decode Descriptor..." ptx-decode-descriptor]
    ["Barriers of the Function" ptx-show-barriers]
    ["Blocks and Loops of the Function" ptx-show-flow]
    ["Origin of the Register at Point" ptx-show-origin]
    ["Uses of the Register at Point" ptx-show-uses]))

;;; Places

(defconst ptx--name "[[:alpha:]_$%][[:alnum:]_$]*"
  "What names of functions, variables and labels look like.")

(defconst ptx--defun-start
  (concat "^[ \t]*\\(?:\\.\\(?:visible\\|extern\\|weak\\|common\\)[ \t\n]+\\)*"
          "\\.\\(?:entry\\|func\\)\\_>")
  "The beginning of a kernel or function.")

(defconst ptx--func
  (concat "\\.func\\(?:[ \t\n]+\\.noreturn\\)?[ \t\n]*\\(?:([^)]*)\\)?[ \t\n]*\\(" ptx--name "\\)")
  "The beginning of a function up to its name, which is the first group.")

(defvar ptx-imenu-generic-expression
  `(("Kernels" ,(concat "\\.entry[ \t\n]+\\(" ptx--name "\\)") 1)
    ("Functions" ,ptx--func 1)
    ("Variables" ,(concat "^\\(?:\\.\\(?:visible\\|extern\\|weak\\|common\\)[ \t]+\\)?"
                          "\\.\\(?:global\\|const\\|shared\\|tex\\)[ \t]+"
                          "\\(?:\\.[[:alnum:]_]+[ \t]+\\(?:[0-9]+[ \t]+\\)?\\)*\\(" ptx--name "\\)")
     1)
    ("Labels" ,(concat "^[ \t]*\\(" ptx--name "\\)[ \t]*:\\(?:[^:]\\|$\\)") 1))
  "What `imenu' lists where no language server does.")

(defun ptx--skip-inert (move)
  "Call MOVE, a search, until it ends outside of comments and strings.
Return what the last call did."
  (let (found)
    (while (and (setq found (funcall move))
                (save-excursion (nth 8 (syntax-ppss)))))
    found))

(defun ptx-beginning-of-defun (&optional count)
  "Move back to the beginning of a kernel or function, COUNT times.
Return whether there was one."
  (let ((count (or count 1)) (found t))
    (while (and found (> count 0))
      (setq count (1- count)
            found (ptx--skip-inert (lambda () (re-search-backward ptx--defun-start nil 'move)))))
    (while (and found (< count 0))
      (end-of-line)
      (setq count (1+ count)
            found (ptx--skip-inert (lambda () (re-search-forward ptx--defun-start nil 'move))))
      (when found (goto-char (match-beginning 0))))
    (when found (beginning-of-line) t)))

(defun ptx-end-of-defun ()
  "Move from the beginning of a kernel or function to its end.
That is after its last brace, or after the semicolon of a declaration."
  (when (ptx--skip-inert (lambda () (re-search-forward "[{;]" nil 'move)))
    (when (eq (char-before) ?{)
      (condition-case nil
          (up-list)
        (scan-error (goto-char (point-max)))))))

(defun ptx-current-defun-name ()
  "The name of the kernel or function around point, or nil."
  (save-excursion
    (let ((place (point)))
      (end-of-line)
      (when (ptx-beginning-of-defun)
        (let ((start (point)))
          (ptx-end-of-defun)
          (when (< place (point))
            (goto-char start)
            (when (re-search-forward (concat "\\.entry[ \t\n]+\\(" ptx--name "\\)\\|" ptx--func) nil t)
              (or (match-string-no-properties 1) (match-string-no-properties 2)))))))))

;;; The mode

;;;###autoload
(define-derived-mode ptx-mode prog-mode "PTX"
  "Major mode for PTX, the assembly language of NVIDIA's GPUs.

\\{ptx-mode-map}"
  :group 'ptx
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*")
  (setq-local font-lock-defaults '(ptx-font-lock-keywords))
  (setq-local tab-width (or ptx-indent-offset 4))
  (setq-local indent-line-function #'ptx-indent-line)
  (setq-local electric-indent-chars (append '(?{ ?} ?\) ?:) electric-indent-chars))
  (setq-local imenu-generic-expression ptx-imenu-generic-expression)
  (setq-local imenu-case-fold-search nil)
  (setq-local beginning-of-defun-function #'ptx-beginning-of-defun)
  (setq-local end-of-defun-function #'ptx-end-of-defun)
  (setq-local add-log-current-defun-function #'ptx-current-defun-name))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ptx\\'" . ptx-mode))

(defvar hs-special-modes-alist)
(with-eval-after-load 'hideshow
  (add-to-list 'hs-special-modes-alist '(ptx-mode "{" "}" "/[*/]" nil nil)))

(require 'ptx-server)

(provide 'ptx-mode)
;;; ptx-mode.el ends here
