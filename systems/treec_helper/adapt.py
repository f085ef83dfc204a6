"""Changes a remembered program as a request says: counts, left out, added, put elsewhere.

Rules that stand in for a model. A request for a routine by its name ("the Mary breakfast, but with
no coffee") changes what it speaks of. One that describes what it wants changes the program into
that: what it does not name is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from treec_helper.mentions import (
    COFFEE,
    WATER,
    ThingMention,
    is_taught,
    mentions,
    names_in,
)
from treec_helper.program_lines import ProgramLines, count_to

MOST = 20
"""The most things of a class that a program is changed to."""


def adapt(
    dialogue: str,
    key: str | None,
    program: str,
    kinds: Collection[str],
    movable: Collection[str] | None = None,
) -> str:
    """The program of a remembered request (`key`), changed as a dialogue says.

    ``key`` is None for a program that was just carried out, which words like "you forgot the fork"
    change. ``kinds`` are the household's classes, ``movable`` those that can be picked up (default:
    all); only these are added. A program that is more than plain lines stays as it is; so does one
    for a conversation that calls for no routine by its name.
    """
    movable = kinds if movable is None else movable
    lines = ProgramLines.of(program)
    if any(line != line.lstrip() for line in lines.lines):
        return program
    if key is not None and dialogue.count("<Commander>") > 1 and not names_in(dialogue):
        return program  # a conversation: what it names is mostly where things are
    asked = _without_ignored(mentions(dialogue, kinds))
    by_name = key is None or (bool(names_in(dialogue) & names_in(key)) and not is_taught(dialogue))
    described = [one.kind for one in asked if one.how in ("keep", "only")]
    known = any(kind in lines.items() for kind in described)
    instead = _is_one_thing_put(lines) and any(kind in movable for kind in described)
    describes = not by_name and bool(described) and (known or instead or is_taught(dialogue))
    for one in asked:
        if one.how == "target":
            lines.put_elsewhere(one.kind)
    for one in asked:
        if one.how != "target":
            _apply(lines, one, adds=(by_name or describes) and _can_add(one.kind, movable))
    if describes:
        for kind, names in lines.items().items():
            if kind not in described:
                for name in names:
                    lines.leave_out(name)
    return str(lines) or program


def _without_ignored(found: Sequence[ThingMention]) -> list[ThingMention]:
    """The mentions without those after "instead of"; another thing there is left out."""
    kept = [one for one in found if one.how != "ignore"]
    named = {one.kind for one in kept}
    replaced = [o for o in found if o.how == "ignore" and o.kind not in named]
    return [*(replace(one, how="leave_out") for one in replaced), *kept]


def _is_one_thing_put(lines: ProgramLines) -> bool:
    """Whether a program does no more than put things of one class somewhere."""
    steps = [line for line in lines.lines if " = " not in line]
    return len(lines.items()) == 1 and all(".pickup_and_place(" in line for line in steps)


def _can_add(kind: str, movable: Collection[str]) -> bool:
    return kind in movable or kind in (COFFEE, WATER)


def _apply(lines: ProgramLines, one: ThingMention, *, adds: bool) -> None:
    items = lines.items()
    kind = _kind(one.kind, items)
    names = items.get(kind, [])
    if one.how == "leave_out":
        for name in names:
            lines.leave_out(name)
    elif names:
        count = min(one.count or len(names), MOST)
        if one.how == "extra":
            count = len(names) + (one.count or 1)
        elif one.how == "only" and count == len(names):
            for other, others in items.items():
                for name in others if other != kind else ():
                    lines.leave_out(name)
        count_to(lines, names, count)
    elif adds and not _is_there(lines, one.kind):
        for _ in range(min(one.count or 1, MOST)):
            lines.add(one.kind, cooked=one.cooked)


def _kind(kind: str, items: Collection[str]) -> str:
    """The class that a word means here: of a food that is cut, its slices."""
    sliced = "EggCracked" if kind == "Egg" else f"{kind}Sliced"
    return sliced if kind not in items and sliced in items else kind


def _is_there(lines: ProgramLines, kind: str) -> bool:
    """Whether a class is what things are put on, cut from, or done with."""
    return kind in lines.kinds.values()
