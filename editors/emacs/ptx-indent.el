;;; ptx-indent.el --- Indentation of PTX  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Lines begin in the columns where the formatter of ptx-lsp puts them:
;; statements one level inside of their braces, labels below the brace,
;; further lines of a list of operands one level inside of the statement.

;;; Code:

(defcustom ptx-indent-offset nil
  "Columns of one level of indentation in PTX; nil: `tab-width'.
In `ptx-mode' `tab-width' is this number, or 4, unless something else sets it."
  :type '(choice (const :tag "As wide as a tab" nil) natnum)
  :safe (lambda (value) (or (null value) (natnump value)))
  :group 'ptx)

(defconst ptx--label-line
  (concat "[[:alpha:]_$%][[:alnum:]_$]*[ \t]*:"
          "\\(?:$\\|[^:.\n]\\|[ \t]*\\.\\(?:pragma\\|loc\\|reg\\)\\_>\\)")
  "What a line looks like that a label begins.
A list of targets or a prototype has a name too, but stands as statements do.")

(defconst ptx--listed-line
  "[[:alpha:]_$%][[:alnum:]_$]*[ \t]*:[ \t]*\\.\\(?:branchtargets\\|calltargets\\|callprototype\\)\\_>"
  "What a line looks like that names a list of targets or a prototype.")

(defun ptx--at-label ()
  "Whether a label stands at point."
  (and (looking-at ptx--label-line) (not (looking-at ptx--listed-line))))

(defun ptx--before-label ()
  "Whether point is at comments that stand right before a label."
  (and (looking-at "/[/*]")
       (save-excursion
         (while (and (looking-at "[ \t]*/[/*]") (forward-comment 1)))
         (skip-chars-forward " \t")
         (ptx--at-label))))

(defun ptx--is-continued (open)
  "Whether the line at point is the second or a later one of its statement.
OPEN is the place of the innermost open bracket, or nil."
  (save-excursion
    (beginning-of-line)
    (forward-comment (- (point)))
    (and (eq (char-before) ?,)
         (or (null open) (> (point) (1+ open))))))

(defun ptx--column-of-line (place)
  "The column where the line of PLACE begins its text."
  (save-excursion (goto-char place) (current-indentation)))

(defun ptx--indentation ()
  "The column where the line at point should begin.
Nil inside of a comment or string."
  (save-excursion
    (back-to-indentation)
    (let* ((state (save-excursion (syntax-ppss (line-beginning-position))))
           (open (nth 1 state))
           (step (or ptx-indent-offset tab-width))
           (outside (if open (ptx--column-of-line open) 0))
           (inside (if open (+ outside step) 0)))
      (cond
       ((nth 8 state) nil)
       ((looking-at "[])}]") outside)
       ((or (ptx--at-label) (ptx--before-label)) outside)
       ((and (or (null open) (and (eq (char-after open) ?{) (ptx--is-block open)))
             (ptx--is-continued open))
        (+ inside step))
       (t inside)))))

(defun ptx--is-block (open)
  "Whether the brace at OPEN begins a block, not a vector or an initializer."
  (save-excursion
    (goto-char open)
    (or (= (current-column) (current-indentation))
        (progn (forward-comment (- (point)))
               (memq (char-before) '(nil ?\; ?: ?{ ?} ?\)))))))

(defun ptx-indent-line ()
  "Indent the line at point as PTX."
  (let ((column (ptx--indentation)))
    (if (null column)
        'noindent
      (if (<= (current-column) (current-indentation))
          (indent-line-to column)
        (save-excursion (indent-line-to column))))))

(provide 'ptx-indent)
;;; ptx-indent.el ends here
