"""Memories of requests and programs: 10,000 and 100,000 imported, the three nearest, adding one.

The vectors are made of random words by the lexical embedder, as a text's is; a search embeds the
request, too.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.table import Cell, Table
from treec.nodes.pairs import MemoryPair
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory

SIZES = {10_000: 2.0, 100_000: 50.0}
"""Pairs, and the goal in ms."""
VERBS = ("make", "clean", "serve", "cook", "water", "boil", "put", "slice", "bring", "fill")
THINGS = ("coffee", "toast", "salad", "plate", "mug", "knife", "tomato", "bread", "lettuce", "cup")
PLACES = ("sink", "fridge", "table", "chair", "pot", "pan", "bowl", "counter", "shelf", "drawer")
WORDS = (*VERBS, *THINGS, *PLACES)


def run(small: bool) -> list[Table]:
    """The import, the first search, the median of a search, and adding a pair."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sizes, repeats = ({500: 2.0}, 5) if small else (SIZES, 50)
    rows = [_row(size, goal, repeats) for size, goal in sizes.items()]
    return [
        Table(
            "memories",
            ("pairs", "import, s", "first search, ms", "three nearest, ms", "goal", "add, ms"),
            rows,
            (f"CPU time, median of {repeats}. A first search opens the file and reads all of it.",),
        )
    ]


def _row(size: int, goal: float, repeats: int) -> tuple[Cell, ...]:
    drawn = random.Random(size)

    def words(number: int) -> str:
        return f"{' '.join(drawn.choices(WORDS, k=12))} {number}"

    with tempfile.TemporaryDirectory() as folder:
        path, embedder = Path(folder) / "memory.db", LexicalEmbedder()
        memory = Memory(path, embedder)
        pairs = [MemoryPair(words(number), "x.pickup()") for number in range(size)]
        imported = _ms(lambda: memory.add_all(pairs)) / 1000
        memory.close()
        before = time.process_time()
        memory = Memory(path, embedder)
        memory.nearest(words(-1))
        first = (time.process_time() - before) * 1000
        nearest = median(_ms(lambda: memory.nearest(words(-1))) for _ in range(repeats))
        added = median(
            _ms(lambda n=n: memory.add(MemoryPair(words(-n), "x.pickup()")))  # type: ignore[misc]
            for n in range(2, 12)
        )
        memory.close()
    return (
        size,
        f"{imported:.1f}",
        f"{first:.0f}",
        f"{nearest:.2f}",
        f"below {goal:.0f} ms",
        f"{added:.1f}",
    )


def _ms(what: Callable[[], object]) -> float:
    before = time.process_time()
    what()
    return (time.process_time() - before) * 1000
