"""Functions of expressions: programs from memories, where no model writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from treec.files.types import TypeTree
from treec.source.errors import EvaluationProblem
from treec.team.team import Team
from treec_helper.adapt import adapt
from treec_helper.mentions import is_taught, names_in, words
from treec_helper.program_lines import ProgramLines
from treec_helper.put_right import put_right
from treec_helper.wanted import missing_things, speaks_of, unasked_things, unmet_wants

ABSTRACT = ("Thing", "Item", "Fixture")
"""Types of the household that are no classes of things."""
UNLIKE = 0.75
"""Distance from which a memory is too unlike the request to be used."""
SAME = 0.02
"""Distance up to which a request was made in the same words (as for near-duplicates)."""
NOTHING_LIKE_IT = "no similar request is remembered, and there is no model to write it"
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
    if near is not None and not speaks_of(str(dialogue), str(near["key"]), kinds):
        near = None
    if near is None:
        missing = missing_things(str(dialogue), "", kinds)
        unknown = f"; nothing here is called {' or '.join(missing)}" if missing else ""
        raise EvaluationProblem(NOTHING_LIKE_IT + unknown)
    missing = missing_things(str(dialogue), str(near["key"]), kinds)
    if missing:
        raise EvaluationProblem(f"there is no {' and no '.join(missing)} here")
    found = adapt(str(dialogue), str(near["key"]), str(near["answer"]), kinds, movable)
    distance = near.get("distance")
    is_same = isinstance(distance, int | float) and distance <= SAME
    if not is_same and unasked_things(str(dialogue), str(near["key"]), _items(found), kinds):
        raise EvaluationProblem(NOTHING_LIKE_IT)
    return found


def _items(program: str) -> list[str]:
    """The classes that a program is about; not vessels that are poured from."""
    items = ProgramLines.of(program).items()
    return [
        kind
        for kind, names in items.items()
        if not all(f"{name}.pour(" in program for name in names)
    ]


def unmet(team: Team, dialogue: object) -> str:
    """What a request says that things are to be like and is not so, as words; "" if all is."""
    objects = team.knowledge.view.objects
    kinds = {name: str(spec.type) for name, spec in objects.items()}

    def holds(fact: str, thing: str) -> bool | None:
        found = team.world.facts.get(fact, (thing,))
        if found is None:
            return False  # a scene says what is so, not what is not
        return None if found.source == "unknown" else bool(found.value)

    return "; ".join(unmet_wants(str(dialogue), kinds, holds))


def is_praise(team: Team, remarks: object) -> bool:
    """Whether remarks, acts with a quote, are nothing but thanks and praise, and there is one."""
    acts = remarks if isinstance(remarks, Sequence) else ()
    said = " ".join(re.findall(r"[a-z]+", " ".join(_quote(act) for act in acts).lower()))
    praise, others = (_any_of(words()[name]) for name in ("praise", "praise_with"))
    return bool(re.search(rf"\b{praise}\b", said)) and bool(
        re.fullmatch(rf"(?:{praise}|{others}|\s)+", said)
    )


def _any_of(phrases: Sequence[str]) -> str:
    return f"(?:{'|'.join(sorted(map(re.escape, phrases), key=len, reverse=True))})"


def _quote(act: object) -> str:
    return str(act.get("quote") if isinstance(act, Mapping) else getattr(act, "quote", ""))


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
    """The pair in whose request the same name is used: "the Mary breakfast".

    What was said in the same words comes first, then what the name was given to, then the nearest:
    "the Mary breakfast" means what it was called, not how it was last asked for.
    """
    names = names_in(dialogue)
    pairs = recalled if isinstance(recalled, Sequence) else ()
    same = [pair for pair in pairs if names & names_in(str(pair["key"]))]

    def rank(pair: Mapping[str, object]) -> tuple[bool, bool]:
        distance = pair.get("distance")
        exact = isinstance(distance, int | float) and distance <= SAME
        return not exact, not is_taught(str(pair["key"]))

    return min(same, key=rank, default=None)


def _nearest(recalled: object, unlike: float) -> Mapping[str, object] | None:
    if not isinstance(recalled, Sequence) or not recalled:
        return None
    first = recalled[0]
    distance = first.get("distance") if isinstance(first, Mapping) else None
    near = isinstance(distance, int | float) and distance < unlike
    return first if near else None
