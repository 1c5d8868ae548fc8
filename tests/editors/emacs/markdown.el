;;; markdown.el --- Hovers where markdown-mode is there to draw them  -*- lexical-binding: t; -*-

;;; Code:

(require 'eglot)

(setq eglot-sync-connect ptx-test-patience)

(ert-deftest the-decoded-descriptor-shows-no-marks ()
  (ptx-test-need 'markdown-mode)
  (with-current-buffer
      (ptx-test-file "kernel.ptx"
                     (with-temp-buffer
                       (insert-file-contents (expand-file-name "tensor_tile.ptx" ptx-test-examples))
                       (buffer-string)))
    (eglot-ensure)
    (run-hooks 'post-command-hook)
    (ptx-test-at "%rd8, %rd9, 0, 1")
    (save-window-excursion
      (ptx-decode-descriptor)
      (ptx-test-wait "the decoded descriptor" (lambda () (get-buffer "*ptx descriptor*")))
      (with-current-buffer "*ptx descriptor*"
        (should (string-match-p "stride dimension" (buffer-string)))
        (should-not (string-match-p "```\\|\\*\\*" (buffer-string)))))
    (eglot-shutdown (eglot-current-server))))

(provide 'markdown-tests)
;;; markdown.el ends here
