;;; editing.el --- Comments, symbols, outline, movement  -*- lexical-binding: t; -*-

;;; Code:

(require 'imenu)
(require 'newcomment)

(defconst module "\
.version 8.0
.target sm_90
.address_size 64

// .entry not_this()
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 4 .b8 table[8];
.visible .func (.param .b32 out) twice(
    .param .b32 in
)
{
    ret;
}

.visible .entry kernel(.param .u64 p)
{
    .reg .b32 %r<9>;
    /* not_a_label: */
$L__BB0_1:
    bra $L__BB0_1;
done:
    ld.shared::cta.u32 %r1, [%r2];
    ret;
}
")

(ert-deftest a-file-of-ptx-is-in-ptx-mode ()
  (with-current-buffer (ptx-test-file "kernel.ptx" module)
    (should (eq major-mode 'ptx-mode))
    (should (derived-mode-p 'prog-mode))))

(ert-deftest words-with-dots-and-signs-are-symbols ()
  (dolist (case '(("mov.u32 %r|12, 1;" . "%r12")
                  ("bra $L|__BB0_2;" . "$L__BB0_2")
                  (".glob|al .b32 x;" . ".global")
                  ("cp.async|.bulk [%rd1]" . "cp.async.bulk")
                  ("mov.u32 %r1, %ti|d.x;" . "%tid.x")
                  ("st.u32 [%rd|4+8], 1;" . "%rd4")
                  ("ld.u32 %r1, [%rd4+0x1|F];" . "0x1F")
                  ("add.f32 %f1, 0f3F|800000, %f2;" . "0f3F800000")))
    (ptx-test-with-text (car case)
      (should (equal (thing-at-point 'symbol t) (cdr case))))))

(ert-deftest comments-of-both-kinds-are-comments ()
  (ptx-test-with-text "add.u32 a, b, c; // o|ne\n/* two\n   three */ ret; \"four\"\n"
    (should (nth 4 (syntax-ppss)))
    (forward-line)
    (should-not (nth 4 (syntax-ppss)))
    (ptx-test-at "three")
    (should (nth 4 (syntax-ppss)))
    (ptx-test-at "ret")
    (should-not (nth 4 (syntax-ppss)))
    (ptx-test-at "four")
    (should (nth 3 (syntax-ppss)))))

(ert-deftest a-region-is-commented-out-and-in ()
  (let ((text "    ret;\n    exit;\n"))
    (ptx-test-with-text text
      (comment-region (point-min) (point-max))
      (should (equal (buffer-string) "    // ret;\n    // exit;\n"))
      (uncomment-region (point-min) (point-max))
      (should (equal (buffer-string) text)))))

(ert-deftest the-outline-has-kernels-functions-variables-and-labels ()
  (ptx-test-with-text module
    (let ((index (imenu--make-index-alist t)))
      (cl-flet ((names (group) (mapcar #'car (cdr (assoc group index)))))
        (should (equal (names "Kernels") '("kernel")))
        (should (equal (names "Functions") '("vprintf" "twice")))
        (should (equal (names "Variables") '("table")))
        (should (equal (names "Labels") '("$L__BB0_1" "done")))))))

(ert-deftest movement-goes-by-kernels-and-functions ()
  (ptx-test-with-text module
    (goto-char (point-max))
    (beginning-of-defun)
    (should (looking-at "\\.visible \\.entry kernel"))
    (end-of-defun)
    (should (eobp))
    (goto-char (point-max))
    (beginning-of-defun 2)
    (should (looking-at "\\.visible \\.func .* twice"))
    (end-of-defun)
    (should (equal (char-before (1- (point))) ?}))
    (goto-char (point-min))
    (beginning-of-defun -1)
    (should (looking-at "\\.extern \\.func .* vprintf"))))

(ert-deftest the-function-around-point-is-known ()
  (ptx-test-with-text module
    (ptx-test-at "%r1, [%r2]")
    (should (equal (add-log-current-defun) "kernel"))
    (ptx-test-at "    ret;")
    (should (equal (add-log-current-defun) "twice"))
    (ptx-test-at ".global")
    (should-not (add-log-current-defun))))

(ert-deftest blocks-fold ()
  (require 'hideshow)
  (ptx-test-with-text module
    (hs-minor-mode 1)
    (ptx-test-at ".reg")
    (hs-hide-block)
    (should (invisible-p (save-excursion (ptx-test-at "done:") (point))))))

;; What `M-x compile' does with the lines that "ptx-lsp check" prints.
(ert-deftest errors-of-the-program-are-jumped-to ()
  (require 'compile)
  (let ((path (buffer-file-name (ptx-test-file "kernel.ptx" ".version 8.0\n.target sm_90\naddd.u32 1;\n"))))
    (with-temp-buffer
      (insert "ptx-lsp check " path "\n")
      (call-process "ptx-lsp" nil t nil "check" path)
      (compilation-mode)
      (compilation--ensure-parse (point-max))
      (goto-char (point-min))
      (compilation-next-error 1 nil (point-min))
      (let ((place (compilation--message->loc (get-text-property (point) 'compilation-message))))
        (should (equal (caar (compilation--loc->file-struct place)) path))
        (should (= (compilation--loc->line place) 3))))))

(provide 'editing)
;;; editing.el ends here
