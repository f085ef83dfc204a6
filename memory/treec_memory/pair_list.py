"""Pairs of a YAML file, searched like a memory; they are read and never written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treec.nodes.pairs import Embedder, MemoryPair, Neighbour
from treec_memory.exchange import read_pairs
from treec_memory.vectors import VectorTable


class PairList:
    """The pairs of an exported memory, such as those that a system ships with."""

    def __init__(self, pairs: Sequence[MemoryPair], embedder: Embedder) -> None:
        self._pairs = list(pairs)
        self._embedder = embedder
        self._table: VectorTable | None = None

    @classmethod
    def read(cls, path: Path, embedder: Embedder) -> PairList:
        """The pairs of a file. Raises MemoryFault and OSError."""
        return cls(read_pairs(path), embedder)

    def nearest(self, key: str, k: int = 3) -> list[Neighbour]:
        """The pairs with the nearest keys, the nearest first; of equally near ones the first."""
        if self._table is None:
            vectors = self._embedder.embed([pair.key for pair in self._pairs])
            self._table = VectorTable.of_rows((n, v.tobytes()) for n, v in enumerate(vectors))
        (vector,) = self._embedder.embed([key])
        found = self._table.nearest(vector, k)
        return [Neighbour(self._pairs[number], distance) for number, distance in found]
