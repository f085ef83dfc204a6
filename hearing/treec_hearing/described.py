"""Things that words describe and do not name: 'the blue can', 'something to stir with'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from treec.extensions import registry
from treec.files.places import ObjectSpec
from treec.files.view import View, per_view
from treec.team.knowledge import Knowledge
from treec_hearing.question_words import determiners_before

LOOKS = "described_things"
"""The tool that says what things may be called for their looks, if a package brings it."""


KINDS = "things_of_kinds"
"""The tool that says what things may be called by their kind alone."""


@per_view
def things_of_kinds(view: View) -> Mapping[str, list[str]]:
    """The things of the scene by words for their kinds, which most of them share: 'can'."""
    target = registry().tools.get(KINDS)
    found: Any = None if target is None else registry().load(target)
    return {} if found is None else found(view)


@per_view
def described_things(view: View) -> Mapping[str, list[str]]:
    """The things of the scene by what describes them; what fits several has several.

    By their looks, and by the work that they are for: what the steps of a task name as a thing is
    'something to stir with'.
    """
    found: dict[str, list[str]] = {}
    target = registry().tools.get(LOOKS)
    if target is not None:
        by_looks: Any = registry().load(target)
        found.update(by_looks(view))
    things = view.objects
    somewhere = [it for it, spec in things.items() if not _facts_of(spec).isdisjoint(things)]
    for name, entry in view.all("task").items():
        steps = str(entry.model.steps or "")
        tools = [it for it in somewhere if re.search(rf"[(,]\s*{re.escape(it)}\s*[,)]", steps)]
        if tools:
            found[f"something to {name.replace('_', ' ')} with"] = tools
    known = {name.lower() for it, spec in view.objects.items() for name in (it, *spec.also)}
    return {phrase: things for phrase, things in found.items() if phrase not in known}


def _facts_of(spec: ObjectSpec) -> set[str]:
    """The names that are values of a thing's facts: where it is, and what holds it."""
    return {value for value in spec.facts.values() if isinstance(value, str)}


def things_described(knowledge: Knowledge, phrase: str) -> list[str]:
    """The things that a phrase describes, with or without an article; none if it names nothing."""
    plain = determiners_before(knowledge.view).sub("", phrase.strip().lower())
    return [*described_things(knowledge.view).get(plain, ())]
