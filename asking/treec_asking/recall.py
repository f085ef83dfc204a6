"""Finds the pairs of memories that are nearest to a text, and adds one."""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.entry import AnyEntry
from treec.files.prompts import RecallSpec
from treec.nodes.pairs import Added, MemoryFault, MemoryPair, Neighbour, open_memories
from treec.nodes.runtime import NodeError, Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope

YAML = (".yaml", ".yml")


def recall(
    runtime: Runtime, entry: AnyEntry, spec: RecallSpec, scope: Scope, k: int | None = None
) -> list[Neighbour]:
    """The nearest pairs of all memories that a file names; none of one that does not exist yet.

    ``k``: how many, if not as many as the file says. Raises NodeError for a file that is no memory.
    """
    key = str(Expression.parse(spec.key).evaluate(scope))
    k = spec.k if k is None else k
    try:
        memories = open_memories(runtime)
        found = [near for name in spec.sources for near in memories.nearest(entry, name, key, k)]
    except MemoryFault as error:
        raise NodeError(f"the memory cannot be read: {error}") from None
    return sorted(found, key=lambda one: one.distance)[:k]


def remember(runtime: Runtime, name: str, pair: MemoryPair) -> Added:
    """Add a pair to a memory. Raises NodeError."""
    try:
        return open_memories(runtime).add(name, pair)
    except MemoryFault as error:
        raise NodeError(f"this cannot be remembered: {error}") from None


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


def is_pair_list(name: str) -> bool:
    """Whether a memory is a YAML file of pairs, which is only read."""
    return name.endswith(YAML)
