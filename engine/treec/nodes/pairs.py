"""Pairs of a memory: what was asked, and what answered it. A package beside the core keeps them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from treec.companions import missing_help
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.frozen import frozen

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

PAIRS = "pairs"
"""Under this name an extension opens memories of pairs."""


class MemoryFault(ValueError):
    """A memory that cannot be used as it is; the message says what is wrong and where."""


@frozen
class MemoryPair:
    """What was asked (`key`) and what answered it; ``number`` is its number in the memory."""

    key: str
    answer: str
    about: str = ""
    number: int = 0


@frozen
class Neighbour:
    """A pair and the distance of its key: 0 is the same, 1 has nothing in common."""

    pair: MemoryPair
    distance: float


@frozen
class Added:
    """The number of a pair that was added, and the key of the one that it replaced."""

    number: int
    replaced: str | None = None


class Embedder(Protocol):
    """Makes vectors of texts. Vectors of two embedders are never compared."""

    @property
    def name(self) -> str:
        """What a memory notes beside each vector: the embedder and its version."""

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        """A float32 vector of length 1 for each text (of zeros for one without a word)."""


class Memories(Protocol):
    """The memories of a run, by the names that files give them. All raise MemoryFault."""

    def nearest(self, entry: AnyEntry, name: str, key: str, k: int) -> list[Neighbour]:
        """The nearest pairs of a memory that a file names; none if it does not exist yet."""

    def add(self, name: str, pair: MemoryPair) -> Added:
        """Add a pair, in place of one with nearly the same key."""

    def close(self) -> None:
        """Close all files, so that each is one file again and can be copied."""


def open_memories(runtime: Runtime) -> Memories:
    """The memories of a run. Raises MemoryFault."""
    if runtime.memories is None:
        target = registry().memories.get(PAIRS)
        if target is None:
            help = missing_help("memories", PAIRS) or "no installed package keeps memories"
            raise MemoryFault(f"memories cannot be used: {help}")
        function = cast("Callable[[Runtime], Memories]", registry().load(target))
        runtime.memories = function(runtime)
    return runtime.memories
