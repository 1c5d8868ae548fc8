;;; ptx-font-lock.el --- Colours of PTX  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The words stand in ptx-words.el, which is made of the grammar of
;; ptx-lsp.  Unknown words get no colour.

;;; Code:

(require 'ptx-words)

(defgroup ptx-faces nil
  "Colours of PTX."
  :group 'ptx
  :prefix "ptx-")

(defface ptx-opcode '((t :inherit font-lock-keyword-face))
  "Names of instructions.")
(defface ptx-qualifier '((t :inherit font-lock-builtin-face))
  "Qualifiers of instructions that are neither types nor state spaces.")
(defface ptx-type '((t :inherit font-lock-type-face))
  "Types.")
(defface ptx-space '((t :inherit font-lock-builtin-face))
  "State spaces.")
(defface ptx-directive '((t :inherit font-lock-preprocessor-face))
  "Directives and their words.")
(defface ptx-register '((t :inherit font-lock-variable-name-face))
  "Registers.")
(defface ptx-special-register '((t :inherit font-lock-constant-face))
  "Special registers.")
(defface ptx-variable '((t :inherit font-lock-variable-name-face))
  "Variables and parameters where they are declared.")
(defface ptx-function '((t :inherit font-lock-function-name-face))
  "Kernels and functions where they are declared or called.")
(defface ptx-label '((t :inherit font-lock-constant-face))
  "Labels where they stand and where a branch names them.")
(defface ptx-constant '((t :inherit font-lock-constant-face))
  "Words out of a list: targets, WARP_SZ, fields of textures.")
(defface ptx-number `((t ,@(when (facep 'font-lock-number-face) '(:inherit font-lock-number-face))))
  "Numbers.")

(defconst ptx--dotted
  (let ((table (make-hash-table :test #'equal)))
    ;; What stands later wins: `.global' is a state space also where it begins a declaration.
    (dolist (group `((ptx-opcode . ,ptx-words-name-parts)
                     (ptx-qualifier . ,ptx-words-qualifiers)
                     (ptx-qualifier . ,ptx-words-components)
                     (ptx-directive . ,ptx-words-directives)
                     (ptx-type . ,ptx-words-types)
                     (ptx-space . ,ptx-words-spaces)))
      (dolist (word (cdr group))
        (puthash word (car group) table)))
    table)
  "The face of each word that begins with a dot; `#' stands for numbers.")

(defconst ptx--opcodes
  (let ((table (make-hash-table :test #'equal)))
    (dolist (name ptx-words-opcodes table)
      (puthash name t table)))
  "The names of all instructions, `cp.async.bulk' among them.")

(defconst ptx--special-registers
  (let ((table (make-hash-table :test #'equal)))
    (dolist (name ptx-words-special-registers table)
      (puthash name t table)))
  "The special registers without their components.")

(defun ptx--dotted-face (word)
  "The face of WORD, which begins with a dot; nil if it is unknown."
  (or (gethash word ptx--dotted)
      (gethash (replace-regexp-in-string "[0-9]+" "#" word t t) ptx--dotted)))

(defun ptx--register-face (word)
  "The face of WORD, which begins with a percent sign."
  (if (gethash word ptx--special-registers) 'ptx-special-register 'ptx-register))

(defconst ptx--statement-start
  (concat "\\(?:^\\|[;{}:]\\|\\*/\\)[ \t]*"
          "\\(?:@!?[ \t]*[[:alnum:]_$%]+[ \t]+\\)?"
          "\\([a-z][a-z0-9_]*\\)\\(\\(?:\\(?:\\.\\|::\\)[[:alnum:]_]+\\)*\\)\\_>")
  "The beginning of a statement up to its opcode.
The groups are its first word and the dotted words after it.")

(defun ptx--match-opcode (limit)
  "Find the next name of an instruction before LIMIT, all its parts together."
  (let (found)
    (while (and (not found) (re-search-forward ptx--statement-start limit t))
      (let ((start (match-beginning 1)) (end (match-end 2)) (first (match-end 1)))
        (while (and (> end first)
                    (not (gethash (buffer-substring-no-properties start end) ptx--opcodes)))
          (setq end (save-excursion (goto-char end) (search-backward ".") (point))))
        (goto-char first)
        (when (gethash (buffer-substring-no-properties start end) ptx--opcodes)
          (set-match-data (list start end))
          (setq found t))))
    found))

(defconst ptx-font-lock-keywords
  (let ((name "[[:alpha:]_$%][[:alnum:]_$]*"))
    `((,(concat "\\(?:^\\|[{};]\\)[ \t]*\\(" name "\\)[ \t]*:\\(?:[^:]\\|$\\)") 1 'ptx-label)
      (ptx--match-opcode 0 'ptx-opcode)
      (,(concat "\\_<bra\\(?:\\.[a-z]+\\)?[ \t]+\\(" name "\\)") 1 'ptx-label)
      (,(concat "\\_<call\\(?:\\.[a-z]+\\)?[ \t]+\\(?:([^)\n]*),[ \t]*\\)?\\([[:alpha:]_$][[:alnum:]_$]*\\)")
       1 'ptx-function)
      (,(concat "\\.entry[ \t\n]+\\(" name "\\)") 1 'ptx-function)
      (,(concat "\\.func\\(?:[ \t]+\\.noreturn\\)?[ \t\n]*\\(?:([^)]*)\\)?[ \t\n]*\\(" name "\\)")
       1 'ptx-function)
      (,(concat "\\_<\\.\\(?:reg\\|param\\|local\\|shared\\|global\\|const\\|tex\\)[ \t]+"
                "\\(?:\\.[[:alnum:]_]+[ \t]+\\(?:[0-9]+[ \t]+\\)?\\)+\\([[:alpha:]_$][[:alnum:]_$]*\\)")
       1 'ptx-variable)
      ("%[[:alpha:]_$][[:alnum:]_$]*" 0 (ptx--register-face (match-string-no-properties 0)))
      (,(concat "\\_<\\(?:0[fF][[:xdigit:]]\\{8\\}\\|0[dD][[:xdigit:]]\\{16\\}\\|0[xX][[:xdigit:]]+U?"
                "\\|0[bB][01]+U?\\|[0-9]+\\(?:\\.[0-9]*\\)?\\(?:[eE][-+]?[0-9]+\\)?U?\\)\\_>")
       0 'ptx-number)
      ("\\.[[:alnum:]_]+\\(?:::[[:alnum:]_]+\\)*"
       0 (ptx--dotted-face (match-string-no-properties 0)))
      (,(regexp-opt ptx-words-plain 'symbols) 0 'ptx-constant)))
  "What is coloured in `ptx-mode' beside comments and strings.")

(provide 'ptx-font-lock)
;;; ptx-font-lock.el ends here
