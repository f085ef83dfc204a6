"""``treec check``: all problems of a library at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, open_library, wants_colour

if TYPE_CHECKING:
    from treec.check.suppress import RuleSelection
    from treec.files.library import Library


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Show only the problems of these files or folders (default: all)."),
    ] = None,
    library: LibraryOption = None,
    select: Annotated[
        list[str] | None,
        typer.Option(help="Report only these rules: TC517, or TC5 for all that begin so."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Do not report these rules; may be repeated.")
    ] = None,
    deep: Annotated[
        list[str] | None,
        typer.Option(
            help="Instead, try code: a skill, reading, node, environment, module:Name.",
            metavar="NAME",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Check all files of a library.

    With --deep the library's Python code is run: workers, parsers, node classes and
    environments are tried with good and bad input.

    Exit status 0 without errors, 1 with errors, 2 if the check could not run.
    """
    if deep:
        return _try_code(open_library(library, or_none=True), deep, output_format)

    import json

    from treec.check import check_library
    from treec.check.extension_targets import missing_targets
    from treec.extensions import registry
    from treec.source.diagnostics import format_summary, format_text, to_json

    found = open_library(library)
    problems = check_library(found, selection=_selection(found, select, ignore))
    if paths:
        selected = [_relative_path(path, found.root) for path in paths]
        problems = [p for p in problems if any(_below(p.span.path, w) for w in selected)]
    if output_format is OutputFormat.json:
        print(json.dumps([to_json(problem) for problem in problems], indent=2, ensure_ascii=False))
    elif problems:
        print(format_text(problems, found.sources, colour=wants_colour()))
        print()
        print(format_summary(problems))
    else:
        print(f"{len(found.entries)} definitions in {len(found.sources)} files: nothing is wrong")
    for error in missing_targets():
        registry().problem(error)
    wrong = any(problem.severity == "error" for problem in problems)
    return 1 if wrong or registry().problems else 0


def _try_code(library: Library, names: list[str], output_format: OutputFormat) -> int:
    """Make the trials of the code that names stand for. Raises Stop."""
    import json

    from treec.cli.common import Stop
    from treec.conformance.report import try_subjects
    from treec.conformance.subjects import find_subjects
    from treec.run.skill_trial import CannotTry

    try:
        report = try_subjects(s for name in names for s in find_subjects(library, name))
    except CannotTry as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        found = [subject.to_json() for subject in report.subjects]
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        print(report.text(colour=wants_colour()))
    return 0 if report.ok else 1


def _selection(
    library: Library, select: list[str] | None, ignore: list[str] | None
) -> RuleSelection | None:
    """The rules that the options select; what is not given is as in treec.toml. Raises Stop."""
    from treec.check import load_rules
    from treec.check.suppress import RuleSelection, is_known, selection_of
    from treec.cli.common import Stop
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


def _relative_path(path: Path, root: Path) -> str:
    from treec.cli.common import Stop

    if not path.exists():
        raise Stop(f"there is no {path}")
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise Stop(f"{path} lies outside the library {root}") from None


def _below(path: str, prefix: str) -> bool:
    return prefix == "." or path == prefix or path.startswith(prefix + "/")
