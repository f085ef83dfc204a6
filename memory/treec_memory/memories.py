"""Opens the memories that files name.

A memory is a SQLite file below the folder of memories (the library's root, or what the run names),
to which is added; or a YAML file of pairs beside the file that names it, which is only read.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from treec.files.entry import AnyEntry
from treec.files.library import is_below
from treec.nodes.pairs import Added, Embedder, MemoryFault, MemoryPair, Neighbour
from treec.nodes.runtime import Runtime
from treec_asking.recall import is_pair_list
from treec_memory.embedders import open_embedder
from treec_memory.names import names_routine
from treec_memory.pair_list import PairList
from treec_memory.store import Memory

IN_MEMORY = ":memory:"
"""SQLite's name of a database in no file."""


@contextmanager
def _faults() -> Iterator[None]:
    """Raise MemoryFault of files that cannot be used."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise MemoryFault(str(error)) from None


class OpenMemories:
    """The memories of one run; each is opened when it is first needed."""

    def __init__(self, runtime: Runtime, embedder: Embedder) -> None:
        self._runtime = runtime
        self._embedder = embedder
        self._memories: dict[Path, Memory] = {}
        self._lists: dict[Path, PairList] = {}

    def nearest(self, entry: AnyEntry, name: str, key: str, k: int) -> list[Neighbour]:
        """The nearest pairs of a memory that a file names; none if it does not exist yet."""
        with _faults():
            source = self._source(entry, name)
            return [] if source is None else source.nearest(key, k)

    def add(self, name: str, pair: MemoryPair) -> Added:
        """Add a pair, in place of one with nearly the same key."""
        with _faults():
            return self._memory(self._path(name)).add(pair)

    def of_routine(self, name: str, words: str) -> list[MemoryPair]:
        """The pairs of the routines that words name, the oldest first."""
        with _faults():
            source = None if is_pair_list(name) else self._existing(self._path(name))
            pairs = [] if source is None else source.pairs()
        return [pair for pair in pairs if names_routine(words, pair.key)]

    def forget(self, name: str, words: str) -> list[MemoryPair]:
        """Remove and return the pairs of the routines that words name."""
        named = self.of_routine(name, words)
        with _faults():
            return [p for p in named if self._memory(self._path(name)).remove(p.number)]

    def close(self) -> None:
        """Close all files, so that each is one file again and can be copied."""
        while self._memories:
            _, memory = self._memories.popitem()
            memory.close()

    def _path(self, name: str) -> Path:
        """Where a memory is: below the folder of memories. Raises MemoryFault if it leads out."""
        library = self._runtime.view.library
        folder = self._runtime.spec.memories or library.work or library.root
        if not is_below(os.path.realpath(folder / name), os.path.realpath(folder)):
            raise MemoryFault(f"the memory '{name}' leads out of the folder of memories")
        return folder / name

    def _source(self, entry: AnyEntry, name: str) -> Memory | PairList | None:
        if not is_pair_list(name):
            return self._existing(self._path(name))
        path = self._runtime.view.library.file_beside(entry, name)
        found = self._lists.get(path)
        if found is None:
            found = self._lists[path] = PairList.read(path, self._embedder)
        return found

    def _existing(self, path: Path) -> Memory | None:
        is_there = self._runtime.keeps_memories and path.is_file()
        return self._memory(path) if path in self._memories or is_there else None

    def _memory(self, path: Path) -> Memory:
        memory = self._memories.get(path)
        if memory is None:
            file = path if self._runtime.keeps_memories else Path(IN_MEMORY)
            memory = self._memories[path] = Memory(file, self._embedder)
        return memory


def open_memories(runtime: Runtime) -> OpenMemories:
    """The memories of a run. Raises MemoryFault for an unknown embedder."""
    given = runtime.embedder
    return OpenMemories(runtime, open_embedder(runtime.spec.embedder) if given is None else given)
