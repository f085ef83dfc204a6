"""``treec rename``: a declared name is changed wherever it is used."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from treec.atomic import write_atomic
from treec.check.edits import apply_edits
from treec.cli.common import LibraryOption, Stop, open_library
from treec.files.library import Library
from treec.source.diagnostics import unknown
from treec_editor.declarations import Declaration, declarations
from treec_editor.rename import CannotRename, renaming
from treec_editor.session import EditorSession


def command(
    old: Annotated[str, typer.Argument(help="Name as it is declared, or FILE:NAME.")],
    new: Annotated[str, typer.Argument(help="Name that it is to have.")],
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="What it is, if several things have the name: fact, skill."),
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print the differences and change nothing.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Rename what a library declares.

    A definition, fact, thing, port, option or argument is renamed in all files.
    Comments and words for people stay. Nothing is changed if anything would be wrong afterwards
    that was not before.
    """
    found = open_library(library)
    one = _declared(found, old, kind)
    session = EditorSession(found.root)
    before = {str(problem) for problem in session.check()}
    try:
        edits = renaming(session.library, one, new, session.check_with)
    except CannotRename as error:
        raise Stop(str(error)) from None
    texts = {path: (found.root / path).read_bytes().decode("utf-8") for path in edits}
    changed = {path: apply_edits(texts[path], of_file) for path, of_file in edits.items()}
    for path, text in changed.items():
        session.edit(path, text)
    moved = (problem for problem in session.check() if str(problem) not in before)
    if (wrong := next((it for it in moved if old not in it.message), None)) is not None:
        raise Stop(f"'{old}' cannot become '{new}': {wrong.span}: {wrong.message}")
    for path, text in sorted(changed.items()):
        if diff:
            before_it, after_it = (it.splitlines(keepends=True) for it in (texts[path], text))
            difference = difflib.unified_diff(before_it, after_it, f"a/{path}", f"b/{path}")
            print("".join(difference), end="")
            continue
        try:
            write_atomic(found.root / path, text, sync=True)
        except OSError as error:
            raise Stop(f"{path} cannot be written: {error}") from None
    if not diff:
        places = sum(map(len, edits.values()))
        print(f"{one.what} '{old}' is now '{new}': {places} places in {len(edits)} files")
    return 0


def _declared(library: Library, name: str, kind: str | None) -> Declaration:
    """Return the one declaration of a name, or FILE:NAME, in a library. Raises Stop."""
    file, _, name = name.rpartition(":")
    own = [
        one
        for entry in library.entries
        if library.pack_of(entry.path) is None and file in ("", entry.path)
        for one in declarations(entry)
    ]
    named = [one for one in own if one.name == name and kind in (None, one.what)]
    if file and not own:
        files = [it.path for it in library.entries if library.pack_of(it.path) is None]
        raise Stop(unknown("file", file, files))
    if not named:
        raise Stop(unknown(kind or "name", name, sorted({one.name for one in own})))
    if len(named) > 1:
        places = ", ".join(f"{one.what} at {one.span}" for one in named)
        is_mixed = len({one.what for one in named}) == len(named)
        how = "--kind" if is_mixed else f"--kind, or by its file: {named[-1].span.path}:{name}"
        raise Stop(f"'{name}' is declared in several places: {places}; choose by {how}")
    return named[0]
