;;; pages.el --- Pages of instructions, descriptors decoded, without a language server  -*- lexical-binding: t; -*-

;;; Code:

(defun page ()
  "What the page shows."
  (with-current-buffer "*ptx page*"
    (buffer-substring-no-properties (point-min) (point-max))))

(defmacro without-windows (&rest body)
  "Run BODY and restore the windows."
  (declare (indent 0) (debug t))
  `(save-window-excursion ,@body))

(ert-deftest the-instruction-at-point-has-a-page ()
  (without-windows
    (ptx-test-with-text "    cp.asy|nc.bulk.commit_group;"
      (call-interactively #'ptx-show-page)
      (should (string-prefix-p "cp.async.bulk.commit_group: " (page))))))

(ert-deftest pages-show-no-marks-of-markdown ()
  (without-windows
    (dolist (topic '("mma" "bra" "E502" ".f16x2" "%laneid"))
      (ptx-show-page topic)
      (ert-info (topic)
        (should-not (string-match-p "```\\|\\*\\*\\|^#\\|](\\|`" (page)))))))

(ert-deftest code-on-pages-is-coloured ()
  (without-windows
    (ptx-show-page "bra")
    (with-current-buffer "*ptx page*"
      (ptx-test-at "add.s32")
      (should (eq (get-text-property (point) 'face) 'ptx-opcode))
      (ptx-test-at "bra: ")
      (should (memq 'bold (ensure-list (get-text-property (point) 'face)))))))

(ert-deftest the-manual-is-a-link ()
  (without-windows
    (ptx-show-page "bra")
    (with-current-buffer "*ptx page*"
      (goto-char (point-max))
      (backward-button 1)
      (let (visited)
        (cl-letf (((symbol-function 'browse-url) (lambda (address &rest _) (setq visited address))))
          (push-button))
        (should (string-prefix-p "https://docs.nvidia.com/cuda/parallel-thread-execution/" visited))))))

(ert-deftest a-word-of-a-page-leads-to-its-page-and-back ()
  (without-windows
    (ptx-show-page "bra")
    (with-current-buffer "*ptx page*"
      (ptx-test-at "setp.lt")
      (call-interactively #'ptx-show-page)
      (should (string-prefix-p "setp: " (page)))
      (ptx-page-back)
      (should (string-prefix-p "bra: " (page)))
      (should-error (ptx-page-back) :type 'user-error))))

(ert-deftest what-has-no-page-is-said ()
  (let ((said (should-error (ptx-show-page "mmaa") :type 'user-error)))
    (should (string-match-p "no page for 'mmaa'; did you mean 'mma'" (cadr said)))))

(ert-deftest a-number-is-decoded-for-the-target-of-the-module ()
  (without-windows
    (ptx-test-with-text ".target sm_90a\n    mov.b64 %rd1, 0x40000080|00000001;"
      (should (equal (ptx--number-at-point) "0x4000008000000001"))
      (ptx-decode-value "smem-desc" (ptx--number-at-point) (ptx--target))
      (with-current-buffer "*ptx descriptor*"
        (should (string-match-p "128B" (buffer-string)))))))

(ert-deftest the-kind-of-the-opcode-is-asked-where-the-layout-depends-on-it ()
  (without-windows
    (ptx-test-with-text ".target sm_100a\n    tcgen05.mma.cta_group::1.kind::f16 [d], a, b, 0x82|00490, p;"
      (should-not (ptx--depends-on-kind "prmt-selector"))
      (let (asked)
        (cl-letf (((symbol-function 'completing-read)
                   (lambda (prompt choices &rest more)
                     (push prompt asked)
                     (if (string-prefix-p "Kind" prompt)
                         (progn (should (member "f16" choices)) (nth 4 more))
                       "idesc")))
                  ((symbol-function 'read-string) (lambda (_prompt _initial _history default) default)))
          (call-interactively #'ptx-decode-descriptor))
        (should (equal asked '("Kind (default f16): " "Layout: "))))
      (with-current-buffer "*ptx descriptor*"
        (should (string-match-p "bf16 . bf16 . f32, M128 N128" (buffer-string)))))))

(ert-deftest the-layouts-are-the-programs ()
  (should (member "idesc" (ptx--layouts))))

(ert-deftest a-value-that-is-no-number-is-refused-in-words ()
  (let ((said (should-error (ptx-decode-value "prmt-selector" "zero") :type 'user-error)))
    (should (string-match-p "zero" (cadr said)))))

(ert-deftest a-missing-program-is-said ()
  (let ((ptx-server-command '("no-such-ptx-lsp" "--stdio")))
    (dolist (ask (list (lambda () (ptx-show-page "mma"))
                       (lambda () (ptx-decode-value "idesc" "1"))))
      (should (string-match-p "\\`Cannot find the program .no-such-ptx-lsp.: install ptx-lsp or set"
                              (cadr (should-error (funcall ask) :type 'user-error)))))))

(provide 'pages)
;;; pages.el ends here
