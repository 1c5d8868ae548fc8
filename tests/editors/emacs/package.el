;;; package.el --- The folder installs as a package, without a warning  -*- lexical-binding: t; -*-

;;; Code:

(require 'checkdoc)
(require 'bytecomp)

(defun libraries ()
  "The files of ptx-mode."
  (directory-files ptx-test-library t "\\`[^.].*\\.el\\'"))

(ert-deftest the-files-compile-without-a-warning ()
  (let* ((folder (make-temp-file "compiled" t))
         (load-path (cons folder load-path))
         (byte-compile-error-on-warn t))
    (dolist (file (libraries))
      (copy-file file (file-name-as-directory folder)))
    (should (> (length (libraries)) 3))
    (dolist (file (libraries))
      (let ((said (ptx-test-messages
                    (should (eq (byte-compile-file (expand-file-name (file-name-nondirectory file) folder)) t)))))
        (should-not (string-match-p "Warning\\|Error" said))))))

(ert-deftest the-words-for-the-user-are-as-checkdoc-wants-them ()
  (let ((checkdoc-diagnostic-buffer "*checked*")
        (checkdoc-autofix-flag 'never))
    (dolist (file (libraries))
      (with-current-buffer (find-file-noselect file)
        (checkdoc-current-buffer t)))
    (with-current-buffer "*checked*"
      (should-not (string-match-p "^[^ \n]+\\.el:[0-9]+: .*" (buffer-string))))))

(ert-deftest package-lint-has-nothing-against-it ()
  (ptx-test-need 'package-lint)
  (dolist (file (libraries))
    (with-current-buffer (find-file-noselect file)
      (emacs-lisp-mode)
      (setq-local package-lint-main-file "ptx-mode.el")
      (dolist (one (package-lint-buffer))
        (ert-info ((format "%s %S" file one))
          ;; The project has no address yet; eglot, lsp-mode and hideshow take entries of modes only once
          ;; they are loaded; and the list of released versions that it knows is older than Emacs.
          (should (string-match-p "Homepage\\|with-eval-after-load\\|uninstallable" (nth 3 one))))))))

(ert-deftest the-folder-installs-and-opens-files ()
  (let ((package-user-dir (make-temp-file "packages" t)))
    (package-install-file (directory-file-name ptx-test-library))
    (should-not (featurep 'ptx-mode))
    (should (assq 'ptx-mode package-alist))
    (with-current-buffer (ptx-test-file "kernel.ptx" "    ret;\n")
      (should (eq major-mode 'ptx-mode))
      (should (string-match-p "\\.elc\\'" (symbol-file 'ptx-mode)))
      (should (commandp 'ptx-show-page)))))

(provide 'package-tests)
;;; package.el ends here
