"""``treec recipe show``: a recipe as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.library import Library
    from treec.files.tasks import RecipePart
    from treec.files.view import View

NameArgument = Annotated[str, typer.Argument(help="Name or file of a recipe.")]
COLUMNS = ("subtask", "words", "task", "who can", "after")
GAP = "  "


def show(name: NameArgument, library: LibraryOption = None) -> int:
    """Show a recipe as a table.

    For each subtask: its task, who can do it and what must come before it.
    """
    import shutil

    found = open_library(library)
    view, entry = find_recipe(found, name)
    width = shutil.get_terminal_size((100, 24)).columns
    print(_title(entry))
    for line in _table(list(_rows(view, entry)), width):
        print(line)
    return 0


def find_recipe(library: Library, name: str) -> tuple[View, AnyEntry]:
    """A recipe by its name or its file, with the system that it belongs to. Raises Stop."""
    from treec.cli.correct import require_correct_entries, require_readable
    from treec.files.view import View, views_of
    from treec.source.diagnostics import unknown

    shown = _library_path(library, name)
    for view in views_of(library) or [View(library)]:
        entry = view.find("recipe", name)
        if entry is None and shown is not None:
            entry = next((e for e in view.all("recipe").values() if e.path == shown), None)
        if entry is not None:
            require_correct_entries(view, [entry])
            return view, entry
    require_readable(library, ("recipe",), name)
    known = [entry.name for entry in library.of_kind("recipe")]
    raise Stop(unknown("recipe", name, known))


def _library_path(library: Library, name: str) -> str | None:
    """A file's path as the library shows it."""
    path = Path(name)
    if not name.endswith(".yaml") or not path.is_file():
        return None
    try:
        return path.resolve().relative_to(library.root.resolve()).as_posix()
    except ValueError:
        raise Stop(f"{name} lies outside the library {library.root}") from None


def _title(entry: AnyEntry) -> str:
    model = entry.model
    serves = f", for {model.serves}" if model.serves is not None else ""
    about = f": {model.about}" if model.about else ""
    lines = [f"{entry.name}{serves}{about}", entry.path, ""]
    for group, listed in groupby(model.parts, key=lambda one: one.group or ""):
        lines += [f"{group or 'Ingredients'}:", *map(_ingredient, listed), ""]
    return "\n".join(lines)


def _ingredient(one: RecipePart) -> str:
    amount = f"{one.amount:g}" if isinstance(one.amount, float) else one.amount
    words = " ".join(filter(None, (amount, one.name)))
    notes = ", ".join(filter(None, (one.note, "optional" if one.optional else "")))
    return f"  {words}, {notes}" if notes else f"  {words}"


def _rows(view: View, entry: AnyEntry) -> Iterator[tuple[str, ...]]:
    from treec.team.knowledge import Knowledge
    from treec_mosaic.portions import spoken_words

    knowledge = Knowledge(view)
    words_of = knowledge.recipe_words(entry.model.subtasks)
    for id, spec in entry.model.subtasks.items():
        words = spoken_words(view, entry.model, id)
        bound = knowledge.words.match(words_of[id])
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
