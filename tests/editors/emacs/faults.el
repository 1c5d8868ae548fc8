;;; faults.el --- No server, one that dies at once, one that dies later  -*- lexical-binding: t; -*-

;;; Code:

(require 'eglot)
(require 'flymake)

(setq eglot-sync-connect ptx-test-patience
      eglot-connect-timeout ptx-test-patience)

(defconst module ".version 8.0\n.target sm_90\n.visible .entry kernel()\n{\n    addd.u32 %r1, %r2, 1;\n}\n")

(defun connect ()
  "What `eglot-ensure' does once Emacs is idle."
  (eglot-ensure)
  (run-hooks 'post-command-hook))

(defun script (name text)
  "A new program NAME whose text is TEXT."
  (let ((path (expand-file-name name (make-temp-file "program" t))))
    (with-temp-file path (insert text))
    (set-file-modes path #o755)
    path))

(defun still-works ()
  "Whether the buffer can be edited, indented and coloured."
  (goto-char (point-max))
  (insert ".reg .b32 %x;")
  (indent-according-to-mode)
  (font-lock-ensure)
  (should (eq (get-text-property (line-beginning-position) 'face) 'ptx-space))
  (set-buffer-modified-p nil))

(ert-deftest a-missing-server-is-said-in-one-sentence ()
  (let ((ptx-server-command '("no-such-ptx-lsp" "--stdio")))
    (with-current-buffer (ptx-test-file "kernel.ptx" module)
      (let ((said (cadr (should-error (connect) :type 'user-error))))
        (should (string-match-p "\\`Cannot find the program .no-such-ptx-lsp.: install ptx-lsp or set .ptx-server-command.\\'"
                                said)))
      (still-works))))

(ert-deftest a-server-that-dies-at-start-leaves-the-buffer-alone ()
  (let ((ptx-server-command (list (script "broken" "#!/bin/sh\necho 'no module named pygls' >&2\nexit 3\n"))))
    (with-current-buffer (ptx-test-file "kernel.ptx" module)
      (should-error (connect))
      (should-not (eglot-managed-p))
      (let ((errors (cl-find-if (lambda (one) (string-match-p "EGLOT.*stderr" (buffer-name one))) (buffer-list))))
        (should errors)
        (ptx-test-wait "what the program said last"
                       (lambda ()
                         (with-current-buffer errors (string-match-p "no module named pygls" (buffer-string))))))
      (still-works))))

(ert-deftest a-server-that-is-killed-comes-back ()
  (let ((eglot-autoreconnect t))
    (with-current-buffer (ptx-test-file "kernel.ptx" module)
      (connect)
      (let ((first (eglot-current-server)))
        (flymake-start)
        (ptx-test-wait "diagnostics" #'flymake-diagnostics)
        (signal-process (jsonrpc--process first) 'KILL)
        (ptx-test-wait "another server"
                       (lambda () (let ((now (eglot-current-server))) (and now (not (eq now first))))))
        (should (eglot-managed-p))
        (goto-char (point-min))
        (search-forward "addd")
        (replace-match "subb")
        (eglot--signal-textDocument/didChange)
        (flymake-start)
        (ptx-test-wait "a finding of the new server"
                       (lambda ()
                         (cl-find-if (lambda (one) (string-match-p "subb" (flymake-diagnostic-text one)))
                                     (flymake-diagnostics))))
        (still-works)
        (eglot-shutdown (eglot-current-server) nil ptx-test-patience)))))

(ert-deftest a-setting-of-the-wrong-type-is-said ()
  (let ((ptx-initialization-options '(:maxDiagnostics "many")))
    (with-current-buffer (ptx-test-file "kernel.ptx" module)
      (let ((told (ptx-test-messages
                    (connect)
                    (flymake-start)
                    (ptx-test-wait "diagnostics" #'flymake-diagnostics))))
        (should (string-match-p "max-?[dD]iagnostics" told)))
      (set-buffer-modified-p nil)
      (eglot-shutdown (eglot-current-server) nil ptx-test-patience))))

(provide 'faults)
;;; faults.el ends here
