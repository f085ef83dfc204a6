"""``treec check --fix``: corrects what is certain, or shows the corrections."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treec.atomic import write_atomic
from treec.cli.common import Stop
from treec.companions import moved_module

if TYPE_CHECKING:
    from treec.check.fixes import Fixed
    from treec.check.suppress import RuleSelection
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
    from treec.check.fixes import fixed
    from treec.files.library import load_library

    converted = _convert_former_kinds(library, is_chosen, only_show=only_show)
    converted |= _convert_former_faults(library, is_chosen, only_show=only_show)
    converted |= _rename_imports(library, is_chosen, only_show=only_show)
    if converted and not only_show:
        library = load_library(library.root)
        problems = check_library(library, selection=selection)
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
        if not (converted or done.texts):
            print("no certain fixes")
        return list(problems)
    for path, text in done.texts.items():
        _write(library.root / path, text)
    for problem, one in done.fixes:
        print(f"{problem.span}: {problem.code}: {one.title}")
    return list(done.left)


def _convert_former_kinds(
    library: Library, is_chosen: Callable[[str], bool], *, only_show: bool
) -> bool:
    """Rename files of kinds that are other kinds now; return whether there were any.

    With ``only_show`` print the differences, and change nothing. Raises Stop.
    """
    from treec.files.former_kinds import former_file
    from treec.files.library import library_files

    any_found = False
    for file in list(library_files(library.root)):
        former = former_file(file.relative_to(library.root).as_posix())
        if former is None or not is_chosen(former.path):
            continue
        any_found = True
        text, new = file.read_bytes().decode("utf-8"), former.new_path
        changed = former.converted(text)
        if only_show:
            _print_difference(former.path, text, new, changed)
            continue
        if (library.root / new).exists():
            raise Stop(f"{former.path} cannot be renamed: {new} already exists")
        _write(library.root / new, changed)
        file.unlink()
        form = f", with 'answers: {former.now.form}'" if former.now.form else ""
        print(f"{former.path}: renamed to {new}{form}")
        if former.was == "exchange":
            _move_answers(library.root, changed)
    return any_found


def _move_answers(root: Path, text: str) -> None:
    """Move the recorded answers in an exchange to the recordings of all cases."""
    from treec.files.former_kinds import DECISIONS, EXCHANGES

    found = re.search(r"(?m)^case:\s*(.+?)\s*$", text)
    name = found[1].strip("'\"") if found else ""
    old, new = root / EXCHANGES / "answers" / name, root / DECISIONS / "recordings" / name
    if name and Path(name).name == name and old.is_dir() and not new.exists():
        new.parent.mkdir(parents=True, exist_ok=True)
        old.rename(new)
        print(f"{EXCHANGES}/answers/{name}: moved to {DECISIONS}/recordings/{name}")
    for folder in (old.parent, root / EXCHANGES):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _rename_imports(library: Library, is_chosen: Callable[[str], bool], *, only_show: bool) -> bool:
    """Correct imports of modules that have moved, in the library's own Python.

    Return whether there were any. With ``only_show`` print the differences. Raises Stop.
    """
    import_line = re.compile(r"(?m)^(\s*(?:from|import)\s+)(treec(?:\.\w+)+)")
    any_found = False
    for file in sorted(library.root.rglob("*.py")):
        path = file.relative_to(library.root)
        excluded = any(path.is_relative_to(it) for it in library.settings.library.exclude)
        if excluded or any(part.startswith(".") for part in path.parts):
            continue
        if not is_chosen(path.as_posix()) and not is_chosen(path.parent.as_posix()):
            continue
        text = file.read_bytes().decode("utf-8", "surrogateescape")
        changed = import_line.sub(lambda it: it[1] + (moved_module(it[2]) or it[2]), text)
        if changed == text:
            continue
        any_found = True
        if only_show:
            _print_difference(path.as_posix(), text, path.as_posix(), changed)
            continue
        file.write_bytes(changed.encode("utf-8", "surrogateescape"))
        print(f"{path.as_posix()}: imports of modules that have moved are corrected")
    return any_found


def _convert_former_faults(
    library: Library, is_chosen: Callable[[str], bool], *, only_show: bool
) -> bool:
    """Write a line for each fault and event of scenarios; return whether there were any.

    With ``only_show`` print the differences, and change nothing. Raises Stop.
    """
    from treec.cli.fix_faults import with_fault_lines

    paths = {path for path in library.sources if path.endswith(".scenario.yaml")}
    any_found = False
    for path, text in _texts(library, {path for path in paths if is_chosen(path)}).items():
        changed = with_fault_lines(path, text)
        if changed == text:
            continue
        any_found = True
        if only_show:
            _print_difference(path, text, path, changed)
            continue
        _write(library.root / path, changed)
        print(f"{path}: its faults and events are lines now")
    return any_found


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
        _print_difference(path, texts[path], path, text)


def _print_difference(path: str, old: str, new_path: str, new: str) -> None:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    for line in difflib.unified_diff(before, after, f"a/{path}", f"b/{new_path}"):
        whole = line.endswith("\n")
        print(line, end="" if whole else "\n\\ No newline at end of file\n")


def _write(path: Path, text: str) -> None:
    """Write a file whole, or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, text, sync=True)
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error}") from None
