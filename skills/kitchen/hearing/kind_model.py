"""Probability of each kind of act, by the words of an utterance.

One logistic regression per kind over words, their bigrams and trigrams (with things, agents and
dishes replaced by their kind), the state, and the relations of the names to that state. `python -m
tests.talk.train --write` fits the weights to the open half of the corpus (never the half that
measures the parser) and writes them to kind_model.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import cast

from treec import TalkContext
from treec.skills.kitchen.hearing.chunks import Chunk, names_of

WEIGHTS = Path(__file__).with_name("kind_model.json")
_NAMED = frozenset({"O", "A", "R", "ORD"})
_STEM = 4
"""Length of the prefix of a longer word that is a feature by itself."""
_LONGEST = 60
"""Maximum number of words."""


def state(context: TalkContext) -> str:
    """The state of the moment as one word: it determines which acts are plausible."""
    if not (context.recipe_name or context.proposals or context.subtasks):
        return "offered" if context.offered else "menu"
    others = [s for s in context.subtasks if s.agent != context.user]
    running = any(s.status == "running" for s in others)
    is_stopped = any(s.status == "interrupted" for s in context.subtasks)
    mine = any(
        s.status in ("running", "queued") and s.agent == context.user for s in context.subtasks
    )
    state = "open" if context.proposals else "none"
    return state + "R" * running + "S" * is_stopped + "M" * mine


def ongoing_tasks(context: TalkContext) -> set[str]:
    """The parts of the state: an unseen state consists of parts that were seen."""
    state = "open" if context.proposals else "none"
    at_work = {s.status for s in context.subtasks if s.agent not in ("", context.user)}
    return {f"P:{state}", *(f"P:{one}" for one in at_work & {"running", "interrupted"})}


def features(chunks: Sequence[Chunk], context: TalkContext) -> set[str]:
    """The features of an utterance."""
    words: list[str] = []
    for chunk in chunks:
        words += [chunk.kind] if chunk.kind in _NAMED else chunk.key.split()
    words = ["<", *words[:_LONGEST], ">"]
    now = state(context)
    found = {f"S:{now}", *words, *ongoing_tasks(context)}
    found.update(f"{now}|{word}" for word in words)
    found.update(f"^{word[:_STEM]}" for word in words if len(word) > _STEM)
    found.update("_".join(pair) for pair in pairwise(words))
    for first, middle, last in zip(words, words[1:], words[2:], strict=False):
        found.update((f"{first}_{middle}_{last}", f"{first}_*_{last}"))
    return found | relations(chunks, context)


def relations(chunks: Sequence[Chunk], context: TalkContext) -> set[str]:
    """The relations of the named things to what is proposed, running and done."""
    things = names_of(chunks)
    agents = {name for chunk in chunks for name in chunk.agents}
    found: set[str] = set()
    for proposal in context.proposals:
        if about(proposal.words, things):
            found.add("R:thing proposed")
        if proposal.agent in agents:
            found.add("R:agent proposed")
    for subtask in context.subtasks:
        if about(subtask.words, things):
            found.add(f"R:thing {subtask.status}")
        if subtask.status == "running" and subtask.agent in agents:
            found.add("R:agent runs")
        if subtask.status == "running" and about(subtask.words, things):
            found.add(f"R:thing with {'me' if subtask.agent == context.user else 'robot'}")
    if things and not any(about(s.words, things) for s in context.subtasks):
        found.add("R:thing elsewhere")
    if any(chunk.recipe for chunk in chunks):
        found.add("R:recipe")
    return found


def about(words: str, things: Iterable[str]) -> set[str]:
    """The things that a subtask's words name."""
    return {name for name in things if f" {name} " in f" {words} "}


@cache
def _model() -> tuple[tuple[str, ...], tuple[float, ...], Mapping[str, Sequence[float]]]:
    raw = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    scale = float(raw["scale"])
    weights = cast("Mapping[str, Sequence[int]]", raw["weights"])
    return (
        tuple(raw["kinds"]),
        tuple(float(bias) for bias in raw["bias"]),
        {name: [value / scale for value in row] for name, row in weights.items()},
    )


def is_known_word(word: str) -> bool:
    """Whether the model was fitted to phrases with this word."""
    return word in _model()[2]


def likelihoods(chunks: Sequence[Chunk], context: TalkContext) -> dict[str, float]:
    """Kind → probability that an act of it is meant; kinds do not exclude each other."""
    kinds, bias, weights = _model()
    rows = [weights[name] for name in features(chunks, context) if name in weights]
    share = 1 / math.sqrt(max(1, len(rows)))
    sums = [b + share * sum(row[i] for row in rows) for i, b in enumerate(bias)]
    return {kind: 1 / (1 + math.exp(-s)) for kind, s in zip(kinds, sums, strict=True)}
