"""Checks a library for ``treec check``, and prints what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.basics import OutputFormat, Stop, open_library, wants_colour
from treec.companions import COMPANIONS
from treec.frozen import frozen

if TYPE_CHECKING:
    from treec.check.suppress import RuleSelection
    from treec.files.library import Library
    from treec.source.diagnostics import Diagnostic


class CheckFormat(StrEnum):
    """Output formats of the check."""

    text = "text"
    json = "json"
    github = "github"
    sarif = "sarif"
    junit = "junit"


def check(
    which: list[str] | None = None,
    library: Path | None = None,
    select: list[str] | None = None,
    ignore: list[str] | None = None,
    deep: list[str] | None = None,
    fix: bool = False,
    diff: bool = False,
    output_format: CheckFormat = CheckFormat.text,
) -> int:
    """Check a library as the options of `treec check` say; return the exit status. Raises Stop."""
    if deep:
        return _try_code(library, deep, _of_trials(output_format))

    from treec.check import check_library
    from treec.check.extension_targets import concerns, missing_targets
    from treec.extensions import registry

    found = open_library(library)
    chosen = rule_selection(found, select, ignore)
    problems = check_library(found, selection=chosen)
    places = [place for one in which or () for place in _places(found, one)]

    def is_chosen(path: str) -> bool:
        return not which or any(place.has_file(path) for place in places)

    if fix or diff:
        from treec.cli.check_fix import fix as correct
        from treec.files.library import load_library

        _require_text(output_format, "--diff" if diff else "--fix")
        problems = correct(found, problems, chosen, is_chosen, only_show=diff)
        if not diff:
            found = load_library(found.root)
    shown = [p for p in problems if not which or any(place.has(p) for place in places)]
    if diff:
        return 1 if any(problem.severity == "error" for problem in shown) else 0
    for error in missing_targets():
        registry().problem(error)
    print_problems(found, shown, output_format, which or ())
    if output_format is CheckFormat.text and len(shown) < len(problems):
        from treec.source.diagnostics import format_summary

        others = format_summary(problem for problem in problems if problem not in shown)
        print(f"elsewhere: {others} ('treec check' shows them)")
    problems = shown
    wrong = any(problem.severity == "error" for problem in problems)
    return 1 if wrong or any(concerns(it, found) for it in registry().problems) else 0


def print_problems(
    library: Library,
    problems: list[Diagnostic],
    output_format: CheckFormat = CheckFormat.text,
    which: Sequence[str] = (),
) -> None:
    """Print what a check of a library has found, or of some of its files and definitions."""
    from treec.cli import check_formats as formats
    from treec.extensions import registry
    from treec.source.diagnostics import format_summary, format_text, to_json

    shown = formats.shown_from_here(library.root)
    files = len(library.sources)
    match output_format:
        case CheckFormat.json:
            import json

            print(json.dumps([to_json(one) for one in problems], indent=2, ensure_ascii=False))
        case CheckFormat.github if problems:
            print(formats.github(problems, shown))
        case CheckFormat.sarif:
            print(formats.sarif(problems, shown))
        case CheckFormat.junit:
            print(formats.junit(problems, [] if problems else [f"{files} files"], shown))
        case CheckFormat.text if problems:
            print(format_text(problems, library.sources, colour=wants_colour()))
            print()
            print(format_summary(problems))
        case CheckFormat.text if which:
            print(f"{', '.join(which)}: nothing is wrong")
        case CheckFormat.text:
            what = "nothing is wrong"
            if registry().problems:
                what += " in them; an extension has a problem"
            print(f"{len(library.entries)} definitions in {files} files: {what}")
    if output_format is CheckFormat.text:
        for one in (it for it in COMPANIONS if it.distribution in library.not_installed):
            number = len(library.not_installed[one.distribution])
            print(
                f"not checked: {number} file{'s' if number > 1 else ''} of {one.distribution}, "
                "which is not installed: "
                f"{one.install}"
            )


def _require_text(output_format: CheckFormat, option: str) -> None:
    if output_format is not CheckFormat.text:
        raise Stop(f"{option} prints text: leave out --output-format {output_format.value}")


def _of_trials(output_format: CheckFormat) -> OutputFormat:
    """The format of a report of trials. Raises Stop for one that it does not have."""
    if output_format not in (CheckFormat.text, CheckFormat.json):
        raise Stop(f"--deep prints text or json, not {output_format.value}")
    return OutputFormat(output_format.value)


def _try_code(library: Path | None, names: list[str], output_format: OutputFormat) -> int:
    """Make the trials of the code that names stand for. Raises Stop."""
    from treec.api.errors import TreecError
    from treec.cli.trials import find_trials
    from treec.source.diagnostics import to_json

    try:
        report = find_trials().make(names, library)
    except TreecError as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        import json

        print(json.dumps([to_json(one) for one in report.problems], indent=2, ensure_ascii=False))
    else:
        print(report.text(colour=wants_colour()))
    return 1 if report.problems else 0


def rule_selection(
    library: Library, select: list[str] | None, ignore: list[str] | None
) -> RuleSelection | None:
    """The rules that the options select; what is not given is as in treec.toml. Raises Stop."""
    from treec.check import load_rules
    from treec.check.suppress import RuleSelection, is_known, selection_of
    from treec.source.rules import all_rules

    if select is None and ignore is None:
        return None
    load_rules()
    codes = [rule.code for rule in all_rules()]
    given: list[tuple[str, ...] | None] = []
    for option in (select, ignore):
        listed = [one.strip().upper() for text in option or () for one in text.split(",")]
        for code in listed:
            if not is_known(code, codes):
                raise Stop(f"no rule's code begins with '{code}': treec explain lists the rules")
        given.append(None if option is None else tuple(listed))
    own = selection_of(library)
    selected, ignored = given
    return RuleSelection(
        own.select if selected is None else selected, own.ignore if ignored is None else ignored
    )


@frozen(slots=False)
class _Place:
    """A file or folder, or the lines of a definition in a file."""

    path: str
    first: int = 0
    last: int = sys.maxsize

    def has_file(self, path: str) -> bool:
        return self.path == "." or path == self.path or path.startswith(self.path + "/")

    def has(self, problem: Diagnostic) -> bool:
        return self.has_file(problem.span.path) and self.first <= problem.span.line <= self.last


def _places(library: Library, which: str) -> list[_Place]:
    """What a path or a name means; of a file that cannot be read, all. Raises Stop."""
    from treec.check.unreadable import unreadable_names, unreadable_paths
    from treec.source.errors import suggest

    path = Path(which)
    if path.exists():
        try:
            return [_Place(path.resolve().relative_to(library.root.resolve()).as_posix())]
        except ValueError:
            raise Stop(f"{which} lies outside the library {library.root}") from None
    spans = [entry.node.span for entry in library.entries if entry.name == which]
    places = [_Place(span.path, span.line, span.end_line) for span in spans]
    kinds = [kind for kind, name in unreadable_names(library) if name == which]
    places += [_Place(path) for kind in kinds for path in unreadable_paths(library, kind, which)]
    if not places:
        near = suggest(which, {entry.name for entry in library.entries})
        raise Stop(f"unknown file or definition '{which}'" + (f"; {near}" if near else ""))
    return places
