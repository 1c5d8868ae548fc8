;;; ptx-server.el --- The language server of PTX in eglot and lsp-mode  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Registers ptx-lsp with `eglot' and with `lsp-mode', whichever is loaded.

;;; Code:

(require 'seq)
(require 'subr-x)

(defvar ptx-server-command)
(defvar ptx-initialization-options)
(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)
(defvar company-minimum-prefix-length)
(declare-function eglot-completion-at-point "eglot")
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function lsp-activate-on "lsp-mode")

(defun ptx-program ()
  "The program ptx-lsp with the arguments that it always gets, as a list.
Signal a `user-error' that says what to do if it is not there."
  (let ((program (car ptx-server-command)))
    (unless (and (stringp program) (executable-find program t))
      (user-error "Cannot find the program `%s': install ptx-lsp or set `ptx-server-command'" program))
    (remove "--stdio" ptx-server-command)))

;;; Eglot

(defun ptx--eglot-contact (&optional _interactive)
  "The command of the language server, and its options, for `eglot'."
  (ptx-program)
  (append ptx-server-command
          (when ptx-initialization-options
            (list :initializationOptions ptx-initialization-options))))

(defun ptx-eglot-completion-at-point ()
  "Complete what the language server completes: the part of an opcode at point.
A symbol of `ptx-mode' is a whole opcode.  In `ld.glo' the server
completes `.glo', and in `mov.u32 %tid.' the `.'."
  (let ((whole (bounds-of-thing-at-point 'symbol))
        (place (point)))
    (if (null whole)
        (eglot-completion-at-point)
      (save-restriction
        (narrow-to-region (save-excursion
                            (if (search-backward "." (car whole) t) (point) (car whole)))
                          (save-excursion
                            (if (search-forward "." (cdr whole) t) (1- (point)) (cdr whole))))
        (goto-char place)
        (eglot-completion-at-point)))))

(defun ptx--eglot-managed ()
  "Complete parts of opcodes as long as `eglot' manages the buffer."
  (when (derived-mode-p 'ptx-mode)
    (if (memq #'eglot-completion-at-point completion-at-point-functions)
        (add-hook 'completion-at-point-functions #'ptx-eglot-completion-at-point nil t)
      (remove-hook 'completion-at-point-functions #'ptx-eglot-completion-at-point t))))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(ptx-mode . ptx--eglot-contact))
  (add-hook 'eglot-managed-mode-hook #'ptx--eglot-managed))

;;; Lsp-mode

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(ptx-mode . "ptx"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () ptx-server-command))
                    :activation-fn (lsp-activate-on "ptx")
                    :initialization-options (lambda () ptx-initialization-options)
                    :server-id 'ptx-lsp)))

(provide 'ptx-server)
;;; ptx-server.el ends here
