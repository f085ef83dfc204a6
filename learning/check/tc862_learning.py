"""A learning file that cannot be trained: an unknown reward, skill or start.

Wrong:

    learning: reach_it
    about: Reach for a thing in the pantry.
    skill: pick
    environment: treec/StretchPantry-v0
    reward: reech
    starts: {easy: 1, hard: 1}
    algorithm: {ppo: {}}

Right:

    learning: reach_it
    about: Reach for a thing in the pantry.
    skill: pick
    environment: treec/StretchPantry-v0
    reward: reach
    starts: {easy: 1, realistic: 1}
    algorithm: {ppo: {}}
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.learning.files import LearningFile
from treec.learning.names import STARTS
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.text import Span

CODE = "TC862"


def check(view: View) -> Iterator[Diagnostic]:
    """Report references to what does not exist, and shares that draw nothing."""
    unread = unreadable_kinds(view.library)
    for entry in entries(view, "learning"):
        model: LearningFile = entry.model
        for kind in ("reward", "skill"):
            name = getattr(model, kind)
            known = view.all(kind)
            if kind not in unread and name not in known and (known or kind == "reward"):
                help = suggestion(name, known, f"{kind}s")
                message = f"there is no {kind} '{name}'"
                yield Diagnostic(CODE, "error", entry.span(kind), message, help)
        drawn: list[tuple[tuple[str | int, ...], dict[str, float]]] = [(("starts",), model.starts)]
        drawn += [(("curriculum", n, "starts"), it.starts) for n, it in enumerate(model.curriculum)]
        if model.algorithm.cloning is not None:
            shares = model.algorithm.cloning.starts
            drawn.append((("algorithm", "cloning", "starts"), shares))
        for place, shares in drawn:
            yield from _shares(shares, entry.span(*place), place[-1])
        for index, (one, after) in enumerate(pairwise(model.curriculum)):
            if after.until <= one.until:
                span = entry.span("curriculum", index + 1, "until")
                message = f"this stage ends before the one before it ({one.until:g})"
                yield Diagnostic(CODE, "error", span, message, None)


def _shares(shares: dict[str, float], span: Span, key: str | int) -> Iterator[Diagnostic]:
    for name, share in shares.items():
        if name not in STARTS:
            help = suggestion(name, STARTS, "starts")
            yield Diagnostic(CODE, "error", span, f"there is no start '{name}'", help)
        elif share < 0:
            yield Diagnostic(CODE, "error", span, f"the share of '{name}' is below 0", None)
    if not any(share > 0 for share in shares.values()):
        yield Diagnostic(CODE, "error", span, f"'{key}' draws no start", None)
