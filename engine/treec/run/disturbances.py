"""Disturbances of any run: facts that somebody else brings about at a time.

    30s: at(parcel) == none                     taken away
    30s: at(parcel) == none, fallen(parcel)     knocked to the floor, where there is such a fact
    1m: not opened(door)                        shut

They are events of a scenario (`happens`) that any run can have, scripted or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from treec.files.systems import ScenarioEvent
from treec.files.view import View
from treec.program.effects import parse_effect
from treec.source.diagnostics import did_you_mean
from treec.source.durations import parse_duration
from treec.source.errors import LocatedError

SOURCE = "disturbance"

_BETWEEN_FACTS = re.compile(r",\s*(?![^()]*\))")
_NAME = re.compile(r"[^\W\d]\w*")
_CONSTANTS = ("none", "true", "false")


class InvalidDisturbance(Exception):
    """A disturbance that cannot be; the message says what would be right."""


def read_disturbances(texts: Sequence[str], view: View) -> tuple[ScenarioEvent, ...]:
    """The events of disturbances, in order of time, each after the one before.

    Raises InvalidDisturbance.
    """
    timed = sorted((_read(text, view) for text in texts), key=lambda pair: pair[0])
    starts = (0.0, *(time for time, _ in timed))
    return tuple(
        ScenarioEvent.model_validate({"after": round(time - before, 9), "facts": facts})
        for before, (time, facts) in zip(starts, timed, strict=False)
    )


def _read(text: str, view: View) -> tuple[float, list[str]]:
    time, colon, said = text.partition(":")
    if not colon or not said.strip():
        wanted = "write TIME: FACT, such as 30s: at(parcel) == none"
        raise InvalidDisturbance(f"the disturbance '{text}': {wanted}")
    facts = split_facts(said)
    try:
        seconds = parse_duration(time)
        for fact in facts:
            check_fact(fact, view)
    except (LocatedError, ValueError) as error:
        raise InvalidDisturbance(f"the disturbance '{text}': {error}") from None
    return seconds, facts


def split_facts(text: str) -> list[str]:
    """The facts of a list, whose own commas stand in brackets."""
    return [fact.strip() for fact in _BETWEEN_FACTS.split(text)]


def check_fact(text: str, view: View) -> None:
    """Raise ValueError or LocatedError if this sets no fact of known things."""
    effect = parse_effect(text)
    spec = view.facts.get(effect.fact)
    if spec is None:
        raise ValueError(unknown("fact", effect.fact, view.facts))
    if len(effect.args) != len(spec.args):
        form = f"{effect.fact}({', '.join(spec.args)})"
        raise ValueError(f"write {form}, with {len(spec.args)} and not {len(effect.args)} things")
    value = effect.value or "none"
    for name in (*effect.args, *([value] if _NAME.fullmatch(value) else [])):
        name = name.strip("'\"")
        if name not in view.things and name not in _CONSTANTS:
            raise ValueError(unknown("thing", name, view.things))


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What is said of a name that is not known."""
    near = did_you_mean(name, known)
    return f"there is no {kind} '{name}'" + (f"; did you mean '{near}'?" if near else "")
