"""A term of a reward that says nothing, or a reward that never says that it was reached.

A term names a primitive with its arguments: names of the reward's `args`, `hand`, `other_hand`, or
numbers where a share is due. Each hand's terms have a condition of success among them, whose value
the primitive can reach.

Wrong:

    reward: open_it
    about: Open a door.
    args: {door: Thing}
    right:
      - {primitive: joint_qpos, of: [door]}
      - {primitive: ee_pos, of: [drawer]}

Right:

    reward: open_it
    about: Open a door.
    args: {door: Thing}
    right:
      - {primitive: joint_qpos, of: [door, 1], success: 0.9}
      - {primitive: ee_pos, of: [door]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.learning.files import RewardFile, TermSpec
from treec.learning.names import ARGUMENTS, HANDS, MOST, NUMBERS
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC861"

SIDES = ("right", "left")


def check(view: View) -> Iterator[Diagnostic]:
    """Report terms that cannot be computed, change nothing, or are never reached."""
    for entry in entries(view, "reward"):
        model: RewardFile = entry.model
        for side in SIDES:
            terms = getattr(model, side)
            for index, term in enumerate(terms):
                yield from _term(entry, side, index, term)
            if terms and all(term.success is None for term in terms):
                message = f"no term of the {side} hand has 'success': it is never reached"
                help = "say which value is enough: success: 1"
                yield Diagnostic(CODE, "error", entry.span(side, key=True), message, help)
        used = {one for side in SIDES for term in getattr(model, side) for one in term.of}
        for name in model.args:
            if name not in used:
                span = entry.span("args", name, key=True)
                yield Diagnostic(CODE, "warning", span, f"no term is about '{name}'", None)


def _term(entry: AnyEntry, side: str, index: int, term: TermSpec) -> Iterator[Diagnostic]:
    args = ARGUMENTS.get(term.primitive)
    if args is None:
        message = f"there is no primitive '{term.primitive}'"
        help = suggestion(term.primitive, ARGUMENTS, "primitives")
        yield Diagnostic(CODE, "error", entry.span(side, index, "primitive"), message, help)
        return
    if len(term.of) != len(args):
        message = f"'{term.primitive}' takes {_count(args)}, not {len(term.of)}"
        yield Diagnostic(CODE, "error", entry.span(side, index), message, None)
        return
    known = (*entry.model.args, *HANDS)
    for place, (given, wanted) in enumerate(zip(term.of, args, strict=True)):
        span = entry.span(side, index, "of", place)
        if wanted in NUMBERS:
            if isinstance(given, str) or not 0 <= given <= 1:
                message = f"the {wanted} of '{term.primitive}' is a number from 0 to 1"
                yield Diagnostic(CODE, "error", span, message, None)
        elif not isinstance(given, str) or given not in known:
            message = f"'{given}' is neither an argument of the reward nor a hand"
            yield Diagnostic(CODE, "error", span, message, suggestion(str(given), known, "names"))
    names = [one for one in term.of if isinstance(one, str)]
    if len(set(names)) < len(names):
        message = f"'{term.primitive}' of a thing and itself is always the same"
        yield Diagnostic(CODE, "error", entry.span(side, index, "of"), message, None)
    most = MOST.get(term.primitive, 1.0)
    if term.success is not None and term.success > most:
        span = entry.span(side, index, "success")
        message = f"'{term.primitive}' is never above {most:g}"
        yield Diagnostic(CODE, "error", span, message, None)
    if term.weight == 0 and term.success is None:
        span = entry.span(side, index, "weight")
        message = "a term without weight and without 'success' changes nothing"
        yield Diagnostic(CODE, "error", span, message, None)


def _count(args: tuple[str, ...]) -> str:
    return f"{len(args)} ({', '.join(args)})" if args else "no arguments"
