"""Folders, files and tests that ``./test --fast`` leaves out because they take long.

They start real editors or a server process for each test, ask ptxas a thousand times, make random edits, go through
all broken files or all words of all pages, or count steps. Of the rest only the golden files and the examples of
pages take more than two seconds a function, all parameters together; ``./test PATH --durations=20`` shows how long.
"""

from __future__ import annotations

from pathlib import Path

_FILES = """
    certification
    corpus
    editors
    faults
    model
    server
    checks/test_conditions.py
    checks/test_fixes_of_mutants.py
    checks/test_growth.py
    checks/test_many_findings.py
    checks/test_shared_work.py
    checks/test_incremental.py
    checks/test_ptxas_says.py
    checks/test_shards.py
    cli/test_endings.py
    cli/test_whole.py
    embedded/test_hostile_sources.py
    embedded/test_rule_pages.py
    features/test_after_edits.py
    features/test_completion_agrees.py
    isa/test_own_words.py
    isa/test_words.py
    layouts/test_fragments_on_gpu.py
    load
    test_contributing.py
    test_steps.py
"""
_TESTS = """
    analysis/test_conditions.py::test_conditions_hold_when_the_predicates_do
    checks/test_fixes.py::test_each_fix_mends_its_finding_and_makes_no_error
    checks/test_fixes.py::test_fixes_of_broken_programs
    features/formatting/test_properties.py::test_broken_files
    features/formatting/test_properties.py::test_findings_stay
    features/formatting/test_properties.py::test_ranges_agree_with_the_whole
    features/test_call_hierarchy.py::test_no_text_is_too_broken
    features/test_code_actions.py::test_nothing_raises_on_broken_text
    features/test_code_lenses.py::test_broken_files
    features/test_completion_anywhere.py::test_in_broken_files
    features/test_completion_anywhere.py::test_in_pieces
    features/test_completion_directives.py::test_the_types_that_are_offered_are_those_that_the_checks_let_pass
    features/test_completion_snippets.py::test_it_is_offered_wherever_it_is_right_from_its_version_on
    features/test_completion_snippets.py::test_no_error_where_it_is_offered
    features/test_completion_words.py::test_every_item_reads_well_as_it_is
    features/test_hover.py::test_no_broken_file_makes_a_hover_fail
    features/test_hover_fragments.py::test_hovers_fit_for_all_shapes
    features/test_hover_pages.py::test_every_part_of_a_spelling
    features/test_hover_pages.py::test_what_no_module_of_this_target_has
    features/test_hover_selectors.py::test_nothing_raises_in_broken_files
    features/test_inlay_hints.py::test_broken_files
    features/test_named_values.py::test_nothing_raises_on_broken_text
    features/test_operand_completion.py::test_no_text_is_too_broken
    features/test_operands_of_files.py::test_what_is_offered_is_legal_and_what_was_written_is_offered
    features/test_packed_fields.py::test_no_text_is_too_broken
    features/test_references.py::test_no_text_is_too_broken
    features/test_rename.py::test_no_text_is_too_broken
    features/test_semantic_tokens.py::test_tokens_of_broken_files_stand_in_order_in_their_lines
    features/test_signature.py::test_no_text_is_too_broken
    features/test_structure.py::test_broken_files_have_folds_and_selections
    isa/test_newer.py::test_with_what_is_lacking_an_instruction_exists
    isa/test_offers.py::test_nothing_that_nvcc_writes_is_missing
    isa/test_pages.py::test_a_page_says_nothing_impossible
    isa/test_pages.py::test_samples_fit_the_form_they_are_made_from
    layouts/test_fragments.py::test_every_element_has_one_owner
    layouts/test_layouts.py::test_every_flipped_bit_is_legal_in_its_own_right_or_reported
    layouts/test_layouts.py::test_there_and_back
    layouts/test_selectors.py::test_every_selector
    layouts/test_selectors.py::test_no_two_different_picks_are_called_the_same
    syntax/test_document.py::test_edits_equal_a_fresh_document
    syntax/test_hostile.py::test_repetitions_are_linear
    syntax/test_shapes.py::test_statements_of_a_shape_have_equal_tokens
"""

FILES = frozenset(Path(__file__).parent / name for name in _FILES.split())
"""The paths of files and folders."""
TESTS = frozenset(f"tests/{name}" for name in _TESTS.split())
"""The ids of test functions."""
