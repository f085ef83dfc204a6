"""Opens the memories that files name, and finds the pairs that are nearest to a text.

A memory is a SQLite file below the folder of memories (the library's root, or what the run names),
to which is added; or a YAML file of pairs beside the file that names it, which is only read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from treec.files.entry import AnyEntry
from treec.files.library import is_below
from treec.files.prompts import RecallSpec
from treec.memory.embedders import Embedder, LexicalEmbedder
from treec.memory.models import EmbedderFault
from treec.memory.pair_list import PairList
from treec.memory.store import Memory, MemoryFault, MemoryPair, Neighbour
from treec.nodes.runtime import NodeError, Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope

IN_MEMORY = ":memory:"
"""SQLite's name of a database in no file."""
YAML = (".yaml", ".yml")


def recall(
    runtime: Runtime, entry: AnyEntry, spec: RecallSpec, scope: Scope, k: int | None = None
) -> list[Neighbour]:
    """The nearest pairs of all memories that a file names; none of one that does not exist yet.

    ``k``: how many, if not as many as the file says. Raises NodeError for a file that is no memory.
    """
    key = str(Expression.parse(spec.key).evaluate(scope))
    k = spec.k if k is None else k
    found: list[Neighbour] = []
    try:
        for name in spec.sources:
            source = _source(runtime, entry, name)
            found += [] if source is None else source.nearest(key, k)
    except (MemoryFault, EmbedderFault, OSError, sqlite3.Error) as error:
        raise NodeError(f"the memory cannot be read: {error}") from None
    return sorted(found, key=lambda one: one.distance)[:k]


def remember(runtime: Runtime, name: str, pair: MemoryPair) -> tuple[int, str | None]:
    """Add a pair to a memory; its number, and the key of the one that it replaced.

    Raises NodeError.
    """
    try:
        memory = _memory(runtime, memory_path(runtime, name))
        added = memory.add(pair)
    except (MemoryFault, EmbedderFault, OSError, sqlite3.Error) as error:
        raise NodeError(f"this cannot be remembered: {error}") from None
    return added.number, added.replaced


def quote(neighbours: list[Neighbour]) -> list[str]:
    """Pairs as they stand in a prompt: the request, then its answer."""
    return [f"{one.pair.key.strip()}\n{one.pair.answer.strip()}" for one in neighbours]


def pair_data(neighbours: list[Neighbour]) -> list[Mapping[str, object]]:
    """Pairs as expressions read them."""
    return [
        {
            "key": one.pair.key,
            "answer": one.pair.answer,
            "about": one.pair.about,
            "distance": one.distance,
        }
        for one in neighbours
    ]


def memory_path(runtime: Runtime, name: str) -> Path:
    """Where a memory is: below the folder of memories. Raises NodeError if it leads out of that."""
    library = runtime.view.library
    folder = runtime.spec.memories or library.work or library.root
    if not is_below(os.path.realpath(folder / name), os.path.realpath(folder)):
        raise NodeError(f"the memory '{name}' leads out of the folder of memories")
    return folder / name


def is_pair_list(name: str) -> bool:
    """Whether a memory is a YAML file of pairs, which is only read."""
    return name.endswith(YAML)


def close_memories(runtime: Runtime) -> None:
    """Close the files of all memories, so that each is one file again and can be copied."""
    while runtime.memories:
        _, memory = runtime.memories.popitem()
        memory.close()


def _source(runtime: Runtime, entry: AnyEntry, name: str) -> Memory | PairList | None:
    if not is_pair_list(name):
        path = memory_path(runtime, name)
        is_there = runtime.keeps_memories and path.is_file()
        return _memory(runtime, path) if path in runtime.memories or is_there else None
    path = runtime.view.library.file_beside(entry, name)
    found = runtime.pair_lists.get(path)
    if found is None:
        found = runtime.pair_lists[path] = PairList.read(path, _embedder(runtime))
    return found


def _memory(runtime: Runtime, path: Path) -> Memory:
    memory = runtime.memories.get(path)
    if memory is None:
        file = path if runtime.keeps_memories else Path(IN_MEMORY)
        memory = runtime.memories[path] = Memory(file, _embedder(runtime))
    return memory


def _embedder(runtime: Runtime) -> Embedder:
    if runtime.embedder is None:
        runtime.embedder = LexicalEmbedder()
    return runtime.embedder
