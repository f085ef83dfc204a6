"""Functions of expressions: programs from memories, where no model writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treec.files.types import TypeTree
from treec.source.errors import EvaluationProblem
from treec.systems.helper.adapt import adapt
from treec.systems.helper.mentions import names_in
from treec.systems.helper.put_right import put_right
from treec.team.team import Team

ABSTRACT = ("Thing", "Item", "Fixture")
"""Types of the household that are no classes of things."""
UNLIKE = 0.75
"""Distance from which a memory is too unlike the request to be used."""
UNLIKE_FAILURE = 0.85
"""The same for a failure."""


def adapted_program(team: Team, dialogue: object, recalled: object) -> str:
    """The nearest memory's program, changed as the dialogue says. Raises EvaluationProblem."""
    types = team.knowledge.view.types
    kinds = thing_classes(types)
    movable = [kind for kind in kinds if types.is_a(kind, "Item")]
    state = team.world.state
    if state["corrected"] and state["program_before"]:
        said = str(dialogue).rpartition("<Commander>")[2]
        before = str(state["program_before"])
        return put_right(said, kinds) or adapt(said, None, before, kinds, movable)
    near = _called_the_same(str(dialogue), recalled) or _nearest(recalled, UNLIKE)
    if near is None:
        raise EvaluationProblem("nothing like it is remembered, and no model is there to write it")
    return adapt(str(dialogue), str(near["key"]), str(near["answer"]), kinds, movable)


def joined_program(team: Team, before: object, after: object) -> str:
    """What was carried out and its correction as one program.

    A correction that repeats the program, with what was missing, stands for both.
    """
    rest = iter(str(after).splitlines())
    repeats = all(line in rest for line in str(before).splitlines())
    return str(after) if repeats else f"{before}{after}"


def corrective_program(team: Team, recalled: object) -> str:
    """The program that corrected the nearest failure."""
    near = _nearest(recalled, UNLIKE_FAILURE)
    return "do_nothing()\n" if near is None else str(near["answer"])


def thing_classes(types: TypeTree) -> list[str]:
    """The classes of things of a household."""
    return [name for name in types.names if types.is_a(name, "Thing") and name not in ABSTRACT]


def _called_the_same(dialogue: str, recalled: object) -> Mapping[str, object] | None:
    """The nearest pair in whose request the same name is used: "the Mary breakfast"."""
    names = names_in(dialogue)
    pairs = recalled if isinstance(recalled, Sequence) else ()
    return next((pair for pair in pairs if names & names_in(str(pair["key"]))), None)


def _nearest(recalled: object, unlike: float) -> Mapping[str, object] | None:
    if not isinstance(recalled, Sequence) or not recalled:
        return None
    first = recalled[0]
    distance = first.get("distance") if isinstance(first, Mapping) else None
    near = isinstance(distance, int | float) and distance < unlike
    return first if near else None
