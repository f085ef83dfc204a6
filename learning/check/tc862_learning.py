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
from treec.learning.files import HAND_AT_TARGET, LearningFile
from treec.learning.names import HAND_STARTS, REWARDS, STARTS
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC862"


def check(view: View) -> Iterator[Diagnostic]:
    """Report references to what does not exist, and shares that draw nothing."""
    unread = unreadable_kinds(view.library)
    for entry in entries(view, "learning"):
        model: LearningFile = entry.model
        skills = view.all("skill")
        for kind, known in (("reward", {*view.all("reward"), *REWARDS}), ("skill", {*skills})):
            name = getattr(model, kind)
            if kind not in unread and known and name not in known:
                help = suggestion(name, sorted(known), f"{kind}s")
                message = f"there is no {kind} '{name}'"
                yield Diagnostic(CODE, "error", entry.span(kind), message, help)
        for index, name in enumerate(model.serves):
            if "skill" not in unread and skills and name not in skills:
                help = suggestion(name, sorted(skills), "skills")
                span = entry.span("serves", index)
                yield Diagnostic(CODE, "error", span, f"there is no skill '{name}'", help)
        starts = HAND_STARTS if model.environment == HAND_AT_TARGET else STARTS
        for place, shares in _drawn(model):
            for name in shares:
                if name not in starts:
                    help = suggestion(name, starts, "starts")
                    span = entry.span(*place, name, key=True)
                    yield Diagnostic(CODE, "error", span, f"there is no start '{name}'", help)
        for index, (one, after) in enumerate(pairwise(model.curriculum)):
            if after.until <= one.until:
                span = entry.span("curriculum", index + 1, "until")
                message = f"this stage ends before the one before it ({one.until:g})"
                yield Diagnostic(CODE, "error", span, message, None)


def _drawn(model: LearningFile) -> Iterator[tuple[tuple[str | int, ...], dict[str, float]]]:
    yield ("starts",), model.starts
    for number, stage in enumerate(model.curriculum):
        yield ("curriculum", number, "starts"), stage.starts
    ppo, cloning = model.algorithm.ppo, model.algorithm.cloning
    if cloning is not None:
        yield ("algorithm", "cloning", "starts"), cloning.starts
    if ppo is not None and ppo.begin_with is not None:
        yield ("algorithm", "ppo", "begin_with", "starts"), ppo.begin_with.starts
