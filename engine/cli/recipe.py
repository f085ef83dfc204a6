"""``treec recipe``: show, check and draw a recipe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library, wants_colour

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.library import Library
    from treec.files.view import View
    from treec.source.diagnostics import Diagnostic

NameArgument = Annotated[str, typer.Argument(help="Name or file of a recipe.")]
COLUMNS = ("subtask", "words", "task", "who can", "after")
GAP = "  "


def show(name: NameArgument, library: LibraryOption = None) -> int:
    """Show a recipe as a table.

    For each subtask: its task, who can do it and what must come before it.
    """
    import shutil

    found = open_library(library)
    view, entry = _find(found, name)
    width = shutil.get_terminal_size((100, 24)).columns
    print(_title(entry))
    for line in _table(list(_rows(view, entry)), width):
        print(line)
    return 0


def check(name: NameArgument, library: LibraryOption = None) -> int:
    """Check one recipe.

    Exit status 0 without errors, 1 with errors, 2 if the check could not run.
    """
    from treec.check import check_library
    from treec.source.diagnostics import format_summary, format_text

    found = open_library(library)
    problems = check_library(found)
    own = _own_problems(found, name, problems)
    if own:
        print(format_text(own, found.sources, colour=wants_colour()))
        print()
        print(format_summary(own))
    else:
        print(f"{name}: nothing is wrong")
    if len(problems) > len(own):
        other = format_summary(set(problems) - set(own))
        print(f"other files: {other} ('treec check' shows them)")
    return 1 if any(problem.severity == "error" for problem in own) else 0


def graph(
    name: NameArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Output file: .txt, .svg or .dot (default: print text)."
        ),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Draw the graph of a recipe.

    The suffix of the output file selects the format: text, SVG or DOT (Graphviz).
    """
    from treec.cli.render import ending_of, put
    from treec.render.from_files import recipe_graph

    ending = ending_of(output)
    _, entry = _find(open_library(library), name)
    return put(recipe_graph(entry), output, ending)


def _find(library: Library, name: str) -> tuple[View, AnyEntry]:
    """A recipe by its name or its file, with the system that it belongs to. Raises Stop."""
    from treec.check.unreadable import unreadable_names
    from treec.files.view import View, views_of
    from treec.source.diagnostics import did_you_mean

    shown = _library_path(library, name)
    for view in views_of(library) or [View(library)]:
        entry = view.find("recipe", name)
        if entry is None and shown is not None:
            entry = next((e for e in view.all("recipe").values() if e.path == shown), None)
        if entry is not None:
            return view, entry
    if ("recipe", name) in unreadable_names(library):
        raise Stop(f"the file of '{name}' cannot be read: 'treec recipe check' says why")
    known = [entry.name for entry in library.of_kind("recipe")]
    near = did_you_mean(name, known)
    there = ", ".join(known) or "none yet"
    hint = f"did you mean '{near}'?" if near else f"there are: {there}"
    raise Stop(f"there is no recipe '{name}': {hint}")


def _library_path(library: Library, name: str) -> str | None:
    """A file's path as the library shows it."""
    path = Path(name)
    if not name.endswith(".yaml") or not path.is_file():
        return None
    try:
        return path.resolve().relative_to(library.root.resolve()).as_posix()
    except ValueError:
        raise Stop(f"{name} lies outside the library {library.root}") from None


def _own_problems(library: Library, name: str, problems: list[Diagnostic]) -> list[Diagnostic]:
    """The problems of one recipe: of its document, or of its file when that cannot be read."""
    from treec.check.unreadable import unreadable_paths

    shown = _library_path(library, name)
    if shown is not None and any(problem.span.path == shown for problem in problems):
        return [problem for problem in problems if problem.span.path == shown]
    broken = unreadable_paths(library, "recipe", name)
    if library.find("recipe", name) is None and broken:
        return [problem for problem in problems if problem.span.path in broken]
    _, entry = _find(library, name)
    span = entry.node.span
    return [
        p
        for p in problems
        if p.span.path == entry.path and span.line <= p.span.line <= span.end_line
    ]


def _title(entry: AnyEntry) -> str:
    model = entry.model
    serves = f", for {model.serves}" if model.serves is not None else ""
    about = f": {model.about}" if model.about else ""
    return f"{entry.name}{serves}{about}\n{entry.path}\n"


def _rows(view: View, entry: AnyEntry) -> Iterator[tuple[str, ...]]:
    from treec.team.knowledge import Knowledge

    knowledge = Knowledge(view)
    for id, spec in entry.model.subtasks.items():
        words = spec.do or id
        bound = knowledge.words.match(words)
        task = f"{bound.task}({', '.join(bound.args.values())})" if bound else "no task"
        able = [a for a in knowledge.agents if knowledge.able(a, bound.task if bound else None)]
        after = ", ".join(spec.after)
        if spec.after_any:
            after = "; ".join(filter(None, (after, f"any of {', '.join(spec.after_any)}")))
        shown = words if words != id else ""
        yield id, shown, task, ", ".join(able) or "nobody", after


def _table(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Rows as aligned lines; the last column is wrapped to ``width``."""
    from treec.render.measure import cells, wrap

    if not any(row[1] for row in rows):
        rows = [(row[0], *row[2:]) for row in rows]
        names: tuple[str, ...] = (COLUMNS[0], *COLUMNS[2:])
    else:
        names = COLUMNS
    sizes = [max(cells(row[n]) for row in (names, *rows)) for n in range(len(names) - 1)]
    left = sum(sizes) + len(GAP) * len(sizes)
    for row in (names, *rows):
        padded = (c + " " * (size - cells(c)) for c, size in zip(row[:-1], sizes, strict=True))
        head = "".join(cell + GAP for cell in padded)
        first, *more = wrap(row[-1], max(width - left, 20), cells) or [""]
        yield (head + first).rstrip()
        for line in more:
            yield " " * left + line
