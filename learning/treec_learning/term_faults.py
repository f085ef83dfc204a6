"""What is wrong with the terms of a reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from treec.frozen import frozen
from treec.source.diagnostics import suggestion
from treec_learning.files import RewardFile, TermSpec
from treec_learning.names import ARGUMENTS, HAND, HANDS, HIGHEST, IMPLIED, NUMBERS

SIDES = ("right", "left")


@frozen(slots=False)
class TermFault:
    """A fault of a reward: where it is in the document, what it is, what would be right."""

    place: tuple[str | int, ...]
    message: str
    help: str | None = None
    severity: Literal["error", "warning"] = "error"
    key: bool = False
    """Whether the key at that place is meant, not its value."""


def term_faults(reward: RewardFile) -> Iterator[TermFault]:
    """Find terms that cannot be computed, change nothing, or are never reached."""
    for side in SIDES:
        terms: list[TermSpec] = getattr(reward, side)
        for index, term in enumerate(terms):
            yield from _of_term(reward, (side, index), term)
        if terms and all(term.success is None for term in terms):
            message = f"no term of the {side} hand has 'success': it is never reached"
            yield TermFault((side,), message, "say which value is enough: success: 1", key=True)
    used = {one for side in SIDES for term in getattr(reward, side) for one in term.of}
    for name in reward.args:
        if name in HANDS:
            yield TermFault(("args", name), f"'{name}' is the name of a hand", key=True)
        elif name not in used:
            message = f"no term is about '{name}'"
            yield TermFault(("args", name), message, severity="warning", key=True)


def _of_term(
    reward: RewardFile, place: tuple[str | int, ...], term: TermSpec
) -> Iterator[TermFault]:
    args = ARGUMENTS.get(term.primitive)
    if args is None:
        message = f"unknown primitive '{term.primitive}'"
        help = suggestion(term.primitive, ARGUMENTS, "primitives")
        yield TermFault((*place, "primitive"), message, help)
        return
    if len(term.of) != len(args):
        message = f"'{term.primitive}' takes {_count(args)}, not {len(term.of)}"
        yield TermFault(place, message)
        return
    known = tuple(dict.fromkeys((*reward.args, *HANDS)))
    for number, (given, wanted) in enumerate(zip(term.of, args, strict=True)):
        where = (*place, "of", number)
        if wanted in NUMBERS:
            if isinstance(given, str) or not 0 <= given <= 1:
                message = f"the {wanted} of '{term.primitive}' is a number from 0 to 1"
                yield TermFault(where, message)
        elif not isinstance(given, str) or given not in known:
            message = f"'{given}' is neither an argument of the reward nor a hand"
            yield TermFault(where, message, suggestion(str(given), known, "names"))
    names = [one for one in term.of if isinstance(one, str)]
    itself = HAND in names and HAND in IMPLIED.get(term.primitive, ())
    if itself or len(set(names)) < len(names):
        message = f"'{term.primitive}' of a thing and itself is always the same"
        yield TermFault((*place, "of"), message)
    highest = HIGHEST.get(term.primitive, 1.0)
    if term.success is not None and term.success > highest:
        yield TermFault((*place, "success"), f"'{term.primitive}' is never above {highest:g}")
    if term.success is not None and highest == 1.0 and term.success <= 0:
        message = f"'{term.primitive}' is never below 0: this condition always holds"
        yield TermFault((*place, "success"), message)
    if term.weight == 0 and term.success is None:
        message = "a term without weight and without 'success' has no effect"
        yield TermFault((*place, "weight"), message)


def _count(args: tuple[str, ...]) -> str:
    return f"{len(args)} ({', '.join(args)})" if args else "no arguments"
