;;; support.el --- What the tests of ptx-mode share  -*- lexical-binding: t; -*-

;;; Code:

(require 'cl-lib)
(require 'ert)
(require 'package)
(package-initialize)

(defconst ptx-test-library (getenv "PTX_MODE") "The folder of ptx-mode.")
(defconst ptx-test-examples (getenv "PTX_EXAMPLES") "The folder of real files of PTX.")
(defconst ptx-test-patience 60 "Seconds after which a test that waits fails.")

(defun ptx-test-wait (what condition)
  "Wait until CONDITION, a function, returns non-nil, and return that; WHAT is what is waited for."
  (let ((end (+ (float-time) ptx-test-patience)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end)
        (ert-fail (format "waited in vain for %s" what)))
      (accept-process-output nil 0.05))
    value))

(defmacro ptx-test-with-text (text &rest body)
  "Run BODY in a buffer of `ptx-mode' with TEXT; a bar in it is where point stands, and is left out."
  (declare (indent 1) (debug t))
  `(with-temp-buffer
     (insert ,text)
     (ptx-mode)
     (goto-char (point-min))
     (when (search-forward "|" nil t)
       (delete-char -1))
     ,@body))

(defun ptx-test-need (library)
  "Load LIBRARY, or skip the test and say what is missing."
  (unless (require library nil t)
    (let ((said (format "%s is needed (Debian: apt install elpa-%s)" library library)))
      (message "%s" said)
      (ert-skip said))))

(defun ptx-test-file (name text)
  "Visit a new file NAME with TEXT in a folder of its own, in the selected window."
  (let* ((folder (make-temp-file "project" t))
         (path (expand-file-name name folder)))
    (with-temp-file path (insert text))
    (find-file path)
    (current-buffer)))

(defun ptx-test-at (text)
  "Move to the beginning of the first place of TEXT in this buffer."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun ptx-test-line ()
  "The line at point."
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun ptx-test-same (found wanted)
  "Fail with the first line that differs between the texts FOUND and WANTED."
  (unless (equal found wanted)
    (cl-loop for one in (split-string found "\n")
             for other in (split-string wanted "\n")
             for number from 1
             unless (equal one other)
             do (ert-fail (format "line %d: %S instead of %S" number one other)))
    (ert-fail (format "%d characters instead of %d" (length found) (length wanted)))))

(defmacro ptx-test-messages (&rest body)
  "What is told to the user while BODY runs."
  (declare (indent 0) (debug t))
  `(let (told)
     (cl-letf (((symbol-function 'message)
                (lambda (format &rest arguments)
                  (when format (push (apply #'format-message format arguments) told)))))
       ,@body)
     (mapconcat #'identity (nreverse told) "\n")))

(defmacro ptx-test-choosing (pattern &rest body)
  "Run BODY; whoever is asked to choose takes what matches PATTERN, and says yes."
  (declare (indent 1) (debug t))
  `(cl-letf (((symbol-function 'completing-read)
              (lambda (_prompt choices &rest _)
                (or (cl-find-if (lambda (one) (string-match-p ,pattern one)) (all-completions "" choices))
                    (ert-fail (format "none of %S" (all-completions "" choices))))))
             ((symbol-function 'y-or-n-p) #'always)
             ((symbol-function 'yes-or-no-p) #'always))
     (let ((last-nonmenu-event ?x)) ,@body)))

(unless (getenv "PTX_PACKAGE")
  (add-to-list 'load-path ptx-test-library)
  (require 'ptx-mode))

(provide 'support)
;;; support.el ends here
