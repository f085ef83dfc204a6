"""``treec render``: draw a tree, a system's decisions, a recipe or a task graph."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.correct import (
    require_correct_entries,
    require_correct_file,
    require_readable,
    stop_with,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from treec.files.library import Library
    from treec.files.view import View
    from treec.render.graph import DrawnGraph


ENDINGS = (".txt", ".svg", ".dot", ".mmd", ".html")
"""The suffixes of the formats."""


def command(
    name: Annotated[
        str,
        typer.Argument(help="Name of a tree, recipe, decision or system, or a file."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Output file: .txt, .svg, .dot, .mmd (Mermaid) or .html (default: print text).",
        ),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Draw a tree, a system's decisions, a recipe or a task graph.

    The suffix of the output file selects the format: text, SVG, DOT (Graphviz), Mermaid, or a page
    to search, fold and zoom.
    """
    return draw_named(name, library, output, ending_of(output))


def draw_named(name: str, library: Path | None, output: Path | None, ending: str) -> int:
    """Draw what has a name, in the format of a suffix. Raises Stop."""
    from treec.render.graph import CannotDraw
    from treec.source.diagnostics import format_text

    try:
        graph = _graph(name, library)
    except CannotDraw as error:
        print(format_text(sorted(error.problems), error.sources))
        raise Stop("", 1) from None
    return put(graph, output, ending)


def ending_of(output: Path | None) -> str:
    """The format of an output file, as its suffix. Raises Stop."""
    ending = output.suffix if output is not None else ".txt"
    if ending not in ENDINGS:
        *most, last = ENDINGS
        raise Stop(f"{output}: the suffix must be {', '.join(most)} or {last}")
    return ending


def put(graph: DrawnGraph, output: Path | None, ending: str) -> int:
    """Print a drawing, or write it to a file."""
    text = _draw(graph, ending)
    if output is None:
        import sys

        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return 0
    try:
        output.write_text(text if text.endswith("\n") else text + "\n", "utf-8")
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {len(graph.vertices)} nodes")
    return 0


def _draw(graph: DrawnGraph, ending: str) -> str:
    """A drawing in the format of a suffix. Raises Stop if the package that draws it is missing."""
    if ending == ".txt":
        from treec.render.text import render_text

        return render_text(graph, colour=False)
    from treec.companions import missing_help
    from treec.extensions import registry

    format = ending.removeprefix(".")
    target = registry().pictures.get(format)
    if target is None:
        help = missing_help("pictures", format) or "no installed package writes them"
        raise Stop(f"'{ending}' cannot be written: {help}")
    draw = cast("Callable[[DrawnGraph], str]", registry().load(target))
    return registry().call(target, partial(draw, graph))


def _graph(name: str, folder: Path | None) -> DrawnGraph:
    from treec.companions import missing_help
    from treec.files.packs import PackError
    from treec.files.view import View, views_of
    from treec.render.from_files import decision_graph, recipe_graph, tree_graph
    from treec.source.diagnostics import suggestion
    from treec.source.errors import suggest

    path = Path(name)
    if path.suffix == ".yaml" and not path.stem.endswith((".tree", ".recipe")):
        return _drawn_file(path)
    if path.suffix == ".yaml":
        library = load_one_file(path)
        drawn = next(e for kind in ("tree", "recipe") for e in library.of_kind(kind))
        require_correct_file(library, path)
        view = View(library)
        return tree_graph(view, drawn) if drawn.kind == "tree" else recipe_graph(drawn)
    library = open_library(folder, or_none=True)
    views = views_of(library) or [View(library)]
    for view in views:
        if view.system is not None and view.system.name == name:
            return _system_graph(view)
    for view in views:
        if entry := view.find("tree", name):
            require_correct_entries(view, [entry])
            return tree_graph(view, entry)
        if entry := view.find("recipe", name):
            require_correct_entries(view, [entry])
            return recipe_graph(entry)
        if entry := view.find("decision", name):
            require_correct_entries(view, [entry])
            return decision_graph(view, name, [name])
    require_readable(library, ("tree", "recipe", "decision", "system"), name)
    try:
        return _system_graph(View(library, library.resolve_system(name)))
    except PackError:
        pass
    known = [e.name for e in library.entries if e.kind in ("tree", "recipe", "decision", "system")]
    of_packs = [place.rpartition("/")[2] for place in library.systems_in_packs(None)]
    hint = suggest(name, known) or suggestion(name, of_packs if not known else [*known, *of_packs])
    if not known and not hint.startswith("did you"):
        hint += "; --library PACK draws what a pack holds"
    hint = missing_help("systems", name) or hint
    raise Stop(f"unknown tree, recipe, decision or system '{name}'; {hint}")


def _system_graph(view: View) -> DrawnGraph:
    """A system's decisions, or else its tree."""
    from treec.check.graph import graph_of
    from treec.render.from_files import decision_graph, tree_graph

    assert view.system is not None
    require_correct_entries(view, [view.system, *graph_of(view).behaviours])
    root = view.find("tree", view.system.model.root)
    if root is not None and not view.all("decision"):
        return tree_graph(view, root)
    return decision_graph(view, f"{view.system.name}: who may choose whom")


def _drawn_file(path: Path) -> DrawnGraph:
    """The drawing that an extension makes of a file."""
    from treec.extensions import registry
    from treec.files.library import kind_of
    from treec.render.graph import CannotDraw
    from treec.source.diagnostics import format_text

    if not path.is_file():
        raise Stop(f"no such file: {path}")
    drawings = registry().drawings.values() if kind_of(path.name) is None else ()
    for target in drawings:
        draw = cast("Callable[[Path], DrawnGraph]", registry().load(target))
        try:
            return registry().call(target, partial(draw, path), CannotDraw)
        except CannotDraw as error:
            if error.problems:
                print(format_text(sorted(error.problems), error.sources))
    raise Stop(f"{path} has no tree, recipe or task graph", 1)


def load_one_file(path: Path) -> Library:
    """A library of one file. Raises Stop."""
    from treec.files.library import Library, load_file

    if not path.is_file():
        raise Stop(f"no such file: {path}")
    library = Library(path.parent)
    load_file(library, path, path.as_posix())
    stop_with(library, library.diagnostics)
    return library
