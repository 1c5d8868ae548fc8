;;; markdown.el --- Hovers where markdown-mode is there to draw them  -*- lexical-binding: t; -*-

;;; Code:

(require 'eglot)

(setq eglot-sync-connect ptx-test-patience)

(defun visible (text)
  "What of TEXT is seen."
  (with-temp-buffer
    (insert text)
    (goto-char (point-min))
    (while (not (eobp))
      (let ((next (next-single-property-change (point) 'invisible nil (point-max))))
        (if (get-text-property (point) 'invisible)
            (delete-region (point) next)
          (goto-char next))))
    (buffer-string)))

(ert-deftest hovers-show-no-marks ()
  (ptx-test-need 'markdown-mode)
  (with-current-buffer
      (ptx-test-file "kernel.ptx"
                     (with-temp-buffer
                       (insert-file-contents (expand-file-name "tensor_tile.ptx" ptx-test-examples))
                       (buffer-string)))
    (eglot-ensure)
    (run-hooks 'post-command-hook)
    (ptx-test-at "%rd8, %rd9, 0, 1")
    (let (said)
      (eglot-hover-eldoc-function (lambda (info &rest _) (setq said info)))
      (ptx-test-wait "a hover" (lambda () said))
      (should (string-match-p "stride dimension" (visible said)))
      (should-not (string-match-p "```\\|\\*\\*" (visible said))))
    (eglot-shutdown (eglot-current-server) nil ptx-test-patience)))

(provide 'markdown-tests)
;;; markdown.el ends here
