;;; indentation.el --- Lines stand where the formatter puts them  -*- lexical-binding: t; -*-

;;; Code:

(defun formatted (text)
  "TEXT as the program ptx-lsp lays it out."
  (with-temp-buffer
    (insert text)
    (let ((errors (make-temp-file "errors")))
      (should (eq 0 (call-process-region (point-min) (point-max) "ptx-lsp" t (list t errors) nil "format" "-"))))
    (buffer-string)))

(defun indented (text)
  "TEXT with every line indented anew by `ptx-mode'."
  (ptx-test-with-text text
    (setq indent-tabs-mode nil)
    (indent-region (point-min) (point-max))
    (buffer-string)))

(defun flat (text)
  "TEXT without what its lines begin with, but for the insides of long comments."
  (replace-regexp-in-string "^[ \t]+\\([^ \t*\n]\\)" "\\1" text))

(defconst every-kind "\
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) vprintf(
    .param .b64 a,
    .param .b64 b
);
.global .align 4 .b8 x[8] = {1, 2, 3,
    4, 5};
.visible .entry k(
    .param .u64 a,
    .param .u64 b
)
.maxntid 128, 1, 1
.minnctapersm 2
{
    .reg .b32 %r<4>;
// before a label
lab:
    mov.u32 %r1,
        %r2;
lab2:
    {
        .reg .b32 t;
    inner:
        add.u32 t, %r1,
            %r2;
    }
    // within
    call (x), vprintf, (a, b);
    tab: .branchtargets lab, lab2;
    @%p1 bra lab;
    {
        .param .b32 q;
        ret;
    }
}
")

(ert-deftest every-kind-of-line ()
  (ptx-test-same (formatted every-kind) every-kind)
  (ptx-test-same (indented (flat every-kind)) every-kind))

(ert-deftest real-files-as-the-formatter-lays-them-out ()
  (dolist (path (directory-files ptx-test-examples t "\\.ptx\\'"))
    (let ((text (formatted (with-temp-buffer (insert-file-contents path) (buffer-string)))))
      (ert-info (path)
        (ptx-test-same (indented (flat text)) text)))))

(ert-deftest the-step-is-a-setting ()
  (let ((ptx-indent-offset 2))
    (ptx-test-same (indented "{\nret;\n}\n") "{\n  ret;\n}\n")))

(ert-deftest the-inside-of-a-comment-stays ()
  (let ((text "{\n    /* one\n two\n      three */\n}\n"))
    (ptx-test-same (indented text) text)))

(ert-deftest a-vector-over-two-lines ()
  (let ((text "{\n    mma.x {%f1, %f2,\n        %f3}, %r1;\n    ret;\n}\n"))
    (ptx-test-same (indented text) text)))

(ert-deftest typed-braces-and-labels-move-to-their-place ()
  (ptx-test-with-text "{\n    ret;\n    |"
    (setq indent-tabs-mode nil)
    (electric-indent-mode 1)
    (dolist (key '(?e ?n ?d ?: ?\n ?r ?e ?t ?\; ?\n ?}))
      (let ((last-command-event key))
        (if (eq key ?\n) (newline nil t) (self-insert-command 1))))
    (ptx-test-same (buffer-string) "{\n    ret;\nend:\n    ret;\n}")))

(provide 'indentation)
;;; indentation.el ends here
