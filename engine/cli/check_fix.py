"""``treec check --fix``: corrects what is certain, or shows the corrections."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treec.atomic import write_atomic
from treec.cli.common import Stop

if TYPE_CHECKING:
    from treec.check.suppress import RuleSelection
    from treec.editor.fixes import Fixed
    from treec.files.library import Library
    from treec.source.diagnostics import Diagnostic


def fix(
    library: Library,
    problems: Sequence[Diagnostic],
    selection: RuleSelection | None,
    is_chosen: Callable[[str], bool],
    *,
    only_show: bool,
) -> list[Diagnostic]:
    """Correct the library's own files that are chosen, or with ``only_show`` print the differences.

    ``problems`` are those of all files. Returns the problems that are left. Raises Stop for a file
    that cannot be written.
    """
    from treec.check import Verdicts, check_library
    from treec.editor.fixes import fixed
    from treec.files.library import load_library

    texts = _texts(library, {p.span.path for p in problems if is_chosen(p.span.path)})
    verdicts: Verdicts = {}

    def check(edited: Mapping[str, str]) -> list[Diagnostic]:
        changed = {path: text for path, text in edited.items() if text != texts[path]}
        now = load_library(library.root, changed)
        return check_library(now, selection=selection, verdicts=verdicts)

    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            print(f"\rcorrection {count} is tried …", end="", file=sys.stderr, flush=True)

    done = fixed(texts, problems, check, tell)
    if count and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if only_show:
        _print_differences(texts, done)
        return list(problems)
    for path, text in done.texts.items():
        _write(library.root / path, text)
    for problem, one in done.fixes:
        print(f"{problem.span}: {problem.code}: {one.title}")
    return list(done.left)


def _texts(library: Library, paths: set[str]) -> dict[str, str]:
    """The texts of the library's own files, as they are on disk."""
    found = {}
    for path in sorted(paths & library.sources.keys()):
        file = library.root / path
        if library.pack_of(path) is None and path.endswith(".yaml") and file.is_file():
            found[path] = file.read_bytes().decode("utf-8")
    return found


def _print_differences(texts: Mapping[str, str], done: Fixed) -> None:
    for path, text in done.texts.items():
        old, new = (one.splitlines(keepends=True) for one in (texts[path], text))
        for line in difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"):
            whole = line.endswith("\n")
            print(line, end="" if whole else "\n\\ No newline at end of file\n")
    if not done.texts:
        print("nothing can be corrected with certainty")


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    try:
        write_atomic(path, text, sync=True)
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error}") from None
