"""Functions, filters, tests, actions, a sensor and a parser."""

from __future__ import annotations

from collections.abc import Iterable

from treec import ScriptedTransport
from treec.team.events import Said
from treec.team.team import Team
from treec.world.events import Event
from treec_asking.open_model import ModelChoice


def crates(team: Team) -> tuple[str, ...]:
    """The crates of the scene."""
    view = team.knowledge.view
    return tuple(name for name in view.objects if view.thing_type(name) == "Crate")


def loud(text: object) -> str:
    """Capitals."""
    return str(text).upper()


def even(value: int) -> bool:
    """Whether a number is even."""
    return value % 2 == 0


def beep_at(team: Team, message: str) -> Iterable[Event]:
    """Beep, and say why."""
    return [Said("assistant", f"beep: {message}")]


def scale(world: object, crate: str) -> bool:
    """Whether a crate stands on the scale."""
    return bool(crate)


def orders(text: str, context: object) -> list[dict[str, object]]:
    """Words that are an order."""
    return [{"kind": "order", "quote": text}] if text.startswith("bring") else []


def open_echo(choice: ModelChoice, others: Iterable[str]) -> ScriptedTransport:
    """A model that always answers with its own name."""
    return ScriptedTransport({}, {"reasoning": choice.name, "choose": "No_op"})
