"""How far the instruction pages agree with ptxas. Run ``python -m benchmarks.certification --help``.

Four questions, put to hundreds of thousands of statements:

* *gates*: a page's own spellings, at the first and last version of each target and on both sides of every version at
  which the page says that something begins or ends;
* *neighbours*: statements one small change away from a right one;
* *completions*: whether each offer leads to a statement that ptxas takes, and none is missing;
* *meaningless*: whether the machine code is the same without the words that the checker offers to delete.

Only ptxas is needed besides the package.
"""
