;;; lsp.el --- The language server in lsp-mode  -*- lexical-binding: t; -*-

;;; Code:

(setq lsp-session-file (make-temp-file "session")
      lsp-auto-guess-root t
      lsp-keep-workspace-alive nil
      lsp-enable-suggest-server-download nil
      lsp-restart 'ignore
      lsp-semantic-tokens-enable t
      lsp-diagnostics-provider :flymake)

(defconst module "\
.version 8.0
.target sm_90
.visible .entry kernel()
{
    .reg .b32 %r<4>;
    addd.u32 %r1, %r2, 1;
    mov.u32 %r3, %laneid;
}
")

(ert-deftest lsp-mode-starts-the-server ()
  (ptx-test-need 'lsp-mode)
  (require 'lsp-completion)
  (with-current-buffer (ptx-test-file "kernel.ptx" module)
    (lsp-workspace-folders-add default-directory)
    (lsp)
    (ptx-test-wait "the server" (lambda () (and (lsp-workspaces) (eq 'initialized (lsp--workspace-status (car (lsp-workspaces)))))))
    (ptx-test-wait "diagnostics" (lambda () (gethash (buffer-file-name) (lsp-diagnostics))))
    (should (cl-find-if (lambda (one) (string-match-p "addd" (lsp:diagnostic-message one)))
                        (gethash (buffer-file-name) (lsp-diagnostics))))
    (ptx-test-at "mov.u32")
    (should (string-match-p "mov" (lsp:markup-content-value
                                   (lsp:hover-contents
                                    (lsp-request "textDocument/hover" (lsp--text-document-position-params))))))
    (ptx-test-at "    mov.u32")
    (insert "    mov.u3\n")
    (backward-char)
    (let* ((capf (run-hook-with-args-until-success 'completion-at-point-functions))
           (all (all-completions (buffer-substring-no-properties (nth 0 capf) (point)) (nth 2 capf))))
      (should (member ".u32" (mapcar #'substring-no-properties all))))
    (ptx-test-at "addd")
    (should-error (ptx-decode-descriptor) :type 'user-error)
    (set-buffer-modified-p nil)
    (let ((workspace (car (lsp-workspaces))))
      (lsp-workspace-shutdown workspace)
      (ptx-test-wait "the end of the server" (lambda () (not (process-live-p (lsp--workspace-cmd-proc workspace))))))))

(provide 'lsp-tests)
;;; lsp.el ends here
