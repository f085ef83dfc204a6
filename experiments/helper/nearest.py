"""How often the memories nearest to a dialogue are of its own task type, each dialogue left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.helper.episodes import Episode, EpisodeError
from treec.nodes.pairs import Embedder, MemoryPair
from treec_memory.pair_list import PairList
from treec_memory.vectors import VectorTable

_INSTANCE = re.compile(r",?\s*object_instance\s*=\s*(?:\"[^\"]*\"|'[^']*')")


@dataclass(frozen=True)
class Retrieval:
    """Counts of dialogues: of their own task type is the nearest other one, or one of the k."""

    embedder: str
    dialogues: int
    possible: int
    """Dialogues whose task type another one has, too."""
    hits: dict[int, int]
    """k → dialogues with one of their own task type among the k nearest."""
    by_chance: dict[int, float]
    """k → the same, expected of k others drawn at random."""
    confused: Counter[tuple[str, str]]
    """(task type, task type of the nearest): where the nearest is of another one."""


def leave_one_out(
    episodes: Sequence[Episode], embedder: Embedder, ks: Sequence[int] = (1, 3)
) -> Retrieval:
    """Look for each dialogue among all others; exactly equal distances in the file's order."""
    vectors = embedder.embed([episode.dialogue for episode in episodes])
    kinds = [episode.task_type for episode in episodes]
    count = Counter(kinds)
    hits, chance = dict.fromkeys(ks, 0), dict.fromkeys(ks, 0.0)
    confused: Counter[tuple[str, str]] = Counter()
    for own, vector in enumerate(vectors):
        table = VectorTable()
        for other, its in enumerate(vectors):
            if other != own:
                table.append(other, its)
        near = [kinds[number] for number, _ in table.nearest(vector, max(ks))]
        for k in ks:
            hits[k] += kinds[own] in near[:k]
            chance[k] += _one_of(len(kinds) - 1, count[kinds[own]] - 1, k)
        if near and near[0] != kinds[own]:
            confused[kinds[own], near[0]] += 1
    possible = sum(count[kind] > 1 for kind in kinds)
    return Retrieval(embedder.name, len(kinds), possible, hits, chance, confused)


def other_program(
    episodes: Sequence[Episode],
    own: Episode,
    how: str,
    embedder: Embedder,
) -> str:
    """A program for an episode from the other ones (see `TrialSettings.programs`).

    It names no single things of the other scene. Raises EpisodeError if there is no other one.
    """
    others = [episode for episode in episodes if episode is not own]
    if not others:
        raise EpisodeError(f"episode {own.id}: no other episode to take a program from")
    near = others[0]
    if how != "fixed":
        pairs = [MemoryPair(episode.dialogue, str(n)) for n, episode in enumerate(others)]
        near = others[int(PairList(pairs, embedder).nearest(own.dialogue, 1)[0].pair.answer)]
    return without_instances(near.program)


def without_instances(program: str) -> str:
    """A program that names no single things, so that it is one for other scenes, too."""
    return _INSTANCE.sub("", program)


def _one_of(others: int, right: int, k: int) -> float:
    """The chance that one of k drawn from others is one of the right ones."""
    none = 1.0
    for drawn in range(min(k, others)):
        none *= max(0, others - right - drawn) / (others - drawn)
    return 1 - none
