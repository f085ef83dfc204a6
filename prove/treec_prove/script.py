"""What a model answers in a scenario that lists it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treec.ask.transport import Scripted, ScriptedTransport, TransportError
from treec.source.durations import parse_duration
from treec.world.clock import Clock


def script(answers: Iterable[Mapping[str, Any]], clock: Clock) -> ScriptedTransport:
    """The answers of a scenario, each with its node and after how long it comes."""
    found: dict[str, list[Scripted]] = {}
    for one in answers:
        given = one.get("answer") or TransportError("the scenario has no answer here")
        after = parse_duration(one.get("after", 0))
        found.setdefault(str(one.get("node")), []).append(Scripted(given, after))
    return ScriptedTransport(found, clock=clock)
