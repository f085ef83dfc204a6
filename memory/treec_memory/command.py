"""``treec memory``: show, search, edit, export and import a memory of requests and programs."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, OutputFormat, Stop, reason
from treec.cli.model_options import EmbedderOption
from treec.source.text import shorten

if TYPE_CHECKING:
    from treec.nodes.pairs import MemoryPair
    from treec_memory.store import Memory

MemoryOption = Annotated[
    Path, typer.Option("--memory", help="The memory's file (default: memory.db).")
]
DEFAULT = Path("memory.db")
_WIDTH = 90
NumberArgument = Annotated[int, typer.Argument(help="The pair's number, as `list` shows it.")]


@contextmanager
def _open(path: Path, *, new: bool = False, embedder: str = "auto") -> Iterator[Memory]:
    """The memory of a file, which must exist unless ``new``. Raises Stop."""
    from treec.nodes.pairs import MemoryFault
    from treec_memory.embedders import open_embedder
    from treec_memory.models import EmbedderFault
    from treec_memory.store import Memory

    if not new and not path.is_file():
        raise Stop(f"no memory at {path}; specify another with --memory, or make one with `add`")
    try:
        memory = Memory(path, open_embedder(embedder))
        try:
            yield memory
        finally:
            memory.close()
    except (MemoryFault, EmbedderFault, OSError) as error:
        raise Stop(str(error)) from None
    except sqlite3.Error as error:
        raise Stop(f"{path}: {error}") from None


def _number(pairs: int) -> str:
    return "1 pair" if pairs == 1 else f"{pairs} pairs"


def _data(pair: MemoryPair) -> dict[str, object]:
    return {"number": pair.number, "key": pair.key, "answer": pair.answer, "about": pair.about}


def list_pairs(
    memory: MemoryOption = DEFAULT, output_format: FormatOption = OutputFormat.text
) -> int:
    """List the pairs of a memory: their numbers and what was asked."""
    import json

    with _open(memory) as opened:
        pairs = opened.pairs()
    if output_format is OutputFormat.json:
        print(json.dumps([_data(pair) for pair in pairs], indent=2, ensure_ascii=False))
        return 0
    if not pairs:
        print(f"{memory} is empty")
    for pair in pairs:
        print(f"{pair.number:5}  {shorten(pair.key, _WIDTH)}")
    return 0


def show(number: NumberArgument, memory: MemoryOption = DEFAULT) -> int:
    """Show a pair as YAML."""
    from treec_memory.exchange import to_yaml

    with _open(memory) as opened:
        pair = opened.get(number)
    if pair is None:
        raise Stop(f"unknown pair {number} of {memory}", 1)
    print(to_yaml([pair]), end="")
    return 0


def add(
    key: Annotated[str, typer.Argument(help="What was asked, in the user's words.")],
    answer: Annotated[Path, typer.Argument(help="File of the program; - reads standard input.")],
    about: Annotated[str, typer.Option("--about", help="A note for people.")] = "",
    memory: MemoryOption = DEFAULT,
    embedder: EmbedderOption = "auto",
) -> int:
    """Add a request and its program, in place of a near duplicate."""
    from treec.nodes.pairs import MemoryPair

    try:
        text = sys.stdin.read() if str(answer) == "-" else answer.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{answer} cannot be read: {reason(error)}") from None
    with _open(memory, new=True, embedder=embedder) as opened:
        added = opened.add(MemoryPair(key, text, about))
    instead = "" if added.replaced is None else f", in place of: {shorten(added.replaced, _WIDTH)}"
    print(f"{memory}: pair {added.number}{instead}")
    return 0


def remove(number: NumberArgument, memory: MemoryOption = DEFAULT) -> int:
    """Remove a pair. Exit status 1 if there is none of this number."""
    with _open(memory) as opened:
        if not opened.remove(number):
            raise Stop(f"unknown pair {number} of {memory}", 1)
    print(f"{memory}: pair {number} is removed")
    return 0


def export_pairs(
    to: Annotated[Path | None, typer.Argument(help="A YAML file (default: print it).")] = None,
    memory: MemoryOption = DEFAULT,
) -> int:
    """Write all pairs as YAML, to read, review and import."""
    from treec_memory.exchange import to_yaml

    with _open(memory) as opened:
        pairs = opened.pairs()
    if to is None:
        print(to_yaml(pairs), end="")
        return 0
    try:
        to.write_text(to_yaml(pairs), "utf-8")
    except OSError as error:
        raise Stop(f"{to} cannot be written: {reason(error)}") from None
    print(f"{to}: {_number(len(pairs))}")
    return 0


def import_pairs(
    file: Annotated[Path, typer.Argument(help="A YAML file as `export` writes it.")],
    memory: MemoryOption = DEFAULT,
    embedder: EmbedderOption = "auto",
) -> int:
    """Add the pairs of a YAML file, all or none."""
    from treec.nodes.pairs import MemoryFault
    from treec_memory.exchange import read_pairs

    try:
        pairs = read_pairs(file)
    except MemoryFault as error:
        raise Stop(str(error)) from None
    except OSError as error:
        raise Stop(f"{file} cannot be read: {reason(error)}") from None
    with _open(memory, new=True, embedder=embedder) as opened:
        added = opened.add_all(pairs)
    replaced = sum(one.replaced is not None for one in added)
    print(f"{memory}: {_number(len(added) - replaced)} added, {replaced} replaced")
    return 0


def search(
    key: Annotated[str, typer.Argument(help="Words to look for.")],
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many pairs.")] = 3,
    memory: MemoryOption = DEFAULT,
    embedder: EmbedderOption = "auto",
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Show the nearest pairs with their distances (0: the same)."""
    import json

    with _open(memory, embedder=embedder) as opened:
        found = opened.nearest(key, k)
        others = opened.of_others()
    if output_format is OutputFormat.json:
        data = [{"distance": one.distance, **_data(one.pair)} for one in found]
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        for one in found:
            print(f"{one.distance:.3f} {one.pair.number:5}  {shorten(one.pair.key, _WIDTH)}")
    if others:
        print(f"not searched: {_number(others)} of another embedder", file=sys.stderr)
    return 0
