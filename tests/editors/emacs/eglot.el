;;; eglot.el --- The language server in eglot, as a user's init file starts it  -*- lexical-binding: t; -*-

;;; Code:

(require 'eglot)
(require 'flymake)
(require 'xref)

;; With markdown-mode eglot asks for Markdown, see markdown.el.
(fmakunbound 'gfm-view-mode)
(setq-default indent-tabs-mode nil)
(setq eglot-sync-connect ptx-test-patience
      eglot-connect-timeout ptx-test-patience
      eglot-confirm-server-initiated-edits nil)
(add-hook 'ptx-mode-hook #'eglot-ensure)

(defconst module "\
.version 8.0
.target sm_90
.address_size 64

.visible .func (.param .b32 out) twice(.param .b32 in)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [in];
    add.s32 %r2, %r1, %r1;
    st.param.b32 [out], %r2;
    ret;
}

.visible .entry kernel(.param .u64 input)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [input];
    mulwide.s32 %rd2, %r1, 4;
    add.f32x2 %rd1, %rd1, %rd1;
$L__end:
    bra $L__end;
}
")

(defmacro with-server (text &rest body)
  "Run BODY in a file with TEXT that the language server has read."
  (declare (indent 1) (debug t))
  `(with-current-buffer (ptx-test-file "kernel.ptx" ,text)
     (unwind-protect
         (progn
           (run-hooks 'post-command-hook)
           (should (eglot-managed-p))
           ,@body)
       (set-buffer-modified-p nil)
       ;; By itself eglot gives a server 1.5 seconds to end, which a busy machine may need for less.
       (when (eglot-current-server)
         (eglot-shutdown (eglot-current-server) nil ptx-test-patience))
       (kill-buffer))))

(defconst barriers "\
.version 8.0
.target sm_90
.address_size 64
.shared .b64 full;
.visible .entry k()
{
    .reg .pred %p<2>;
    mbarrier.init.shared.b64 [full], 1;
    mbarrier.try_wait.shared.b64 %p1, [full], 0;
    ret;
}
")

(defun findings ()
  "The diagnostics of this buffer, once there are any."
  (flymake-start)
  (ptx-test-wait "diagnostics" #'flymake-diagnostics))

(defun hover-at (text)
  "What the user is told at TEXT."
  (ptx-test-at text)
  (let (said)
    (should (eglot-hover-eldoc-function (lambda (info &rest _) (setq said (or info 'nothing)))))
    (ptx-test-wait "a hover" (lambda () said))))

(defun complete (typed)
  "The line at point once TYPED was typed there and completed, and the candidates."
  (insert typed)
  (let* ((capf (run-hook-with-args-until-success 'completion-at-point-functions))
         (candidates (all-completions (buffer-substring-no-properties (nth 0 capf) (point)) (nth 2 capf))))
    (completion-at-point)
    (cons (ptx-test-line) (mapcar #'substring-no-properties candidates))))

(ert-deftest diagnostics-are-flymakes ()
  (with-server module
    (let* ((all (findings))
           (first (cl-find-if (lambda (one) (string-match-p "mulwide" (flymake-diagnostic-text one))) all)))
      (should first)
      (should (eq (flymake-diagnostic-type first) 'eglot-error))
      (should (equal (buffer-substring-no-properties (flymake-diagnostic-beg first) (flymake-diagnostic-end first))
                     "mulwide"))
      (ptx-test-at "mulwide.s32")
      (delete-region (point) (+ (point) 7))
      (insert "mul.wide")
      (eglot--signal-textDocument/didChange)
      (ptx-test-wait "the finding to go"
                     (lambda ()
                       (cl-notany (lambda (one) (string-match-p "mulwide" (flymake-diagnostic-text one)))
                                  (flymake-diagnostics)))))))

(ert-deftest hovers-are-plain-text ()
  (with-server module
    (let ((said (hover-at "add.s32")))
      (should (string-match-p "add" said))
      (should-not (string-match-p "```\\|\\*\\*\\|`" said)))))

(ert-deftest registers-have-hovers ()
  (with-server module
    (should (string-match-p "\\.b32" (hover-at "%r1, [in]")))))

(ert-deftest qualifiers-are-completed ()
  (with-server module
    (ptx-test-at "    ret;")
    (let ((found (complete "    ld.glo")))
      (should (member ".global" (cdr found)))
      (should (equal (car found) "    ld.global    ret;")))))

(ert-deftest the-rest-of-an-opcode-stays ()
  (with-server module
    (ptx-test-at "    ret;")
    (save-excursion (insert ".f32 %f1, [%rd1];\n"))
    (should (equal (car (complete "    ld.glo")) "    ld.global.f32 %f1, [%rd1];"))))

(ert-deftest opcodes-and-registers-are-completed ()
  (with-server module
    (ptx-test-at "    ret;")
    (save-excursion (insert "\n"))
    (should (equal (car (complete "    activem")) "    activemask"))
    (delete-region (line-beginning-position) (point))
    (should (member "%r2" (cdr (complete "    mov.u32 %r1, %r"))))))

(ert-deftest directives-are-completed ()
  (with-server module
    (goto-char (point-max))
    (should (equal (car (complete ".visib")) ".visible"))))

(ert-deftest registers-are-renamed-scope-by-scope ()
  (with-server module
    (ptx-test-at "$L__end:")
    (eglot-rename "again")
    (should (string-match-p "^again:\n    bra again;" (buffer-string)))))

(ert-deftest the-file-is-formatted ()
  (with-server (replace-regexp-in-string "^    " "  " module)
    (eglot-format-buffer)
    (ptx-test-at "ld.param.b32")
    (should (equal (ptx-test-line) "    ld.param.b32 %r1, [in];"))))

(ert-deftest a-quick-fix-is-applied ()
  (with-server module
    (findings)
    (ptx-test-at "mulwide")
    (ptx-test-choosing "mul\\.wide"
      (call-interactively #'eglot-code-actions))
    (should (string-match-p "mul\\.wide\\.s32 %rd2" (buffer-string)))))

(ert-deftest a-name-leads-to-its-declaration ()
  (with-server module
    (ptx-test-at "[input]")
    (forward-char)
    (let* ((name (xref-backend-identifier-at-point 'eglot))
           (found (xref-backend-definitions 'eglot name)))
      (should (= (length found) 1))
      (xref-pop-to-location (car found))
      (should (looking-at-p "input)")))))

(ert-deftest references-are-found ()
  (with-server module
    (ptx-test-at "$L__end:")
    (should (= (length (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot))) 2))))

(ert-deftest the-outline-is-the-servers ()
  (with-server module
    (should (string-match-p "twice.*kernel" (format "%S" (funcall imenu-create-index-function))))))

(ert-deftest settings-arrive ()
  (let ((ptx-initialization-options '(:ignore ["E5"])))
    (with-server module
      (findings)
      (should-not (cl-find-if (lambda (one) (string-match-p "f32x2" (flymake-diagnostic-text one)))
                              (flymake-diagnostics))))))

(ert-deftest the-descriptor-of-an-operand-is-decoded ()
  (with-server (with-temp-buffer
                 (insert-file-contents (expand-file-name "tensor_tile.ptx" ptx-test-examples))
                 (buffer-string))
    (ptx-test-at "%rd8, %rd9, 0, 1")
    (save-window-excursion
      (ptx-decode-descriptor)
      (ptx-test-wait "the decoded descriptor" (lambda () (get-buffer "*ptx descriptor*")))
      (with-current-buffer "*ptx descriptor*"
        (should (string-match-p "stride dimension" (buffer-string)))
        (should-not (string-match-p "```\\|\\*\\*" (buffer-string)))))
    (ptx-test-at "ret;")
    (should-error (ptx-decode-descriptor) :type 'user-error)))

(provide 'eglot-tests)
;;; eglot.el ends here

(ert-deftest a-row-of-the-barriers-leads-to-its-line ()
  (with-server barriers
    (let ((file (current-buffer)))
      (ptx-test-at "try_wait")
      (save-window-excursion
        (ptx-show-barriers)
        (with-current-buffer "*ptx function*"
          (should-not (string-match-p "](" (buffer-string)))
          (ptx-test-at "mbarrier.init")
          (ptx-follow-line))
        (should (eq (current-buffer) file))
        (should (looking-at " *mbarrier\\.init"))))))

(ert-deftest what-is-no-register-has-no-origin ()
  (with-server barriers
    (ptx-test-at "ret;")
    (should-error (ptx-show-origin) :type 'user-error)))
