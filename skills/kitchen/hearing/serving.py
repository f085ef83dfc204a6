"""The dish as an object that is served: "serve the pasta", "dinner's served", "I'll dish up"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.words import name_words, word_set

_MEAL = word_set("dinner lunch supper food meal tea breakfast grub brunch")


def _serves(chunk: Chunk, refs: Refs) -> bool:
    return bool(chunk.verb) and "serve" in refs.kitchen.tasks_of(chunk)


def requests_as_wishes(acts: list[HeardAct], text: str, context: TalkContext) -> list[HeardAct]:
    """Turn "a rice would be nice" into a wish for a dish: before a dish is chosen, a word that
    names dishes is not a request to fetch a thing.
    """
    if context.recipe_name or context.subtasks:
        return acts
    for act in acts:
        is_fetch = act.kind == "request" and act.fields.get("task") == "get"
        if is_fetch and act.fields.get("agent") is None and _one_of_a_dish(act, text, context):
            act.kind, act.fields = "choose", {"recipe": None}
    return acts


def _one_of_a_dish(act: HeardAct, text: str, context: TalkContext) -> bool:
    """Whether one portion of a dish, by its name, is to be fetched."""
    item = dict(cast("Mapping[str, str]", act.fields.get("args") or {})).get("item")
    if item is None or all(name.lower().split()[-1] != item for name in context.recipes):
        return False
    return re.search(rf"\ban? {re.escape(item)}\b", text, re.IGNORECASE) is not None


def resolve_dish_pronoun(clause: Clause, refs: Refs) -> Clause:
    """The clause with "it" replaced by the dish that is served."""
    if not refs.context.recipe_name or not any(_serves(c, refs) for c in clause.core):
        return clause
    spoken = {v for m in refs.meanings.values() if m is not None for _, v in m.args}
    dish_words = set(name_words(refs.context.recipe_name)) | {"soup", "salad", "sandwich"} | _MEAL
    chunks: list[Chunk] = []
    for chunk in clause.chunks:
        words = set(" ".join(chunk.spoken or (chunk.key,)).split())
        names_dish = chunk.kind in ("O", "R", "W") and bool(words) and words <= dish_words
        if names_dish and not spoken & chunk.names:
            while chunks and chunks[-1].kind == "DET":
                chunks.pop()
            chunk = Chunk("IT", "it", chunk.start, chunk.end)
        chunks.append(chunk)
    return clause.but(chunks)
