"""The command: compares generated statements, or confirms the errors in the sources of folders."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from itertools import product

from benchmarks import assembler
from benchmarks.certification.releases import release_of
from benchmarks.embedded import generated, sources
from benchmarks.embedded.drafts import LANGUAGES

_TARGETS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")


def main() -> int:
    """TextRun one of the two; 1 if some verdict differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedded", description=__doc__)
    parser.add_argument("folders", nargs="*", help="confirm the errors in these sources; default: generated statements")
    found = assembler.find()
    parser.add_argument("--ptxas", nargs="+", default=[found] if found else [], help="the releases to ask, by path")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"), help="asked about constraints and clobbers")
    parser.add_argument("--hosts", nargs="+", default=list(LANGUAGES), choices=LANGUAGES, help="languages")
    parser.add_argument("--per-form", type=int, default=3, help="samples of each form")
    parser.add_argument("--targets", nargs="+", default=list(_TARGETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=10, help="disagreements to print")
    options = parser.parse_args()
    if not options.ptxas:
        parser.error("no ptxas: install the extra 'test', or name one with --ptxas")
    return _sources(options) if options.folders else _generated(options)


def _generated(options: argparse.Namespace) -> int:
    wrong = 0
    print("| ptxas | language | target | statements | taken | agree |\n|---|---|---|---:|---:|---:|")
    seed = options.seed
    for path in options.ptxas:
        release = release_of(path)
        for host, target in product(options.hosts, options.targets):
            some = list(generated.statements(release, host, options.per_form, seed))
            seed += 1
            result = generated.compare(some, target, release, options.jobs)
            wrong += len(result.differences)
            agree = 100 * (1 - len(result.differences) / max(result.asked, 1))
            counts = f"{result.asked:,} | {result.taken:,} | {agree:.2f} %"
            print(f"| {release.name} | `{host}` | {target} | {counts} |", flush=True)
            kinds = Counter((one.is_taken, one.statement.page) for one in result.differences)
            for (is_taken, page), count in kinds.most_common(options.show):
                print(f"  {'ptxas takes' if is_taken else 'we take'} {page}: {count}", file=sys.stderr)
            for one in result.differences[: options.show]:
                print(f"{'ptxas' if one.is_taken else 'we'} take: {one.said}\n{one.statement.source}", file=sys.stderr)
    return int(bool(wrong))


def _sources(options: argparse.Namespace) -> int:
    releases = [release_of(path) for path in options.ptxas]
    wrong = 0
    for folder in options.folders:
        verdicts: Counter[str] = Counter()
        for one in sources.confirmed(folder, releases, options.nvcc):
            if isinstance(one, sources.Counts):
                said = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()) or "no errors"
                print(
                    f"{folder}: {one.sites} statements in {one.files} files of {one.lines:,} lines; {said}", flush=True
                )
                continue
            verdicts[one.verdict] += 1
            wrong += one.verdict.startswith("taken")
            print(f"{one.path}:{one.line}: {one.error.code} {one.error.message} [{one.verdict}]", flush=True)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
