"""A learning file that cannot be trained or judged: an unknown reward, environment, start or thing.

`judged` names scenes, things of theirs and arguments of the skill; `binds` says which of these each
argument of the reward is.

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

from collections.abc import Collection, Iterator
from itertools import pairwise

from treec.check.base import Loc, entries
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.modules import find_missing, find_module, missing_module_help
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import suggest
from treec.source.text import Span
from treec_learning.files import HAND_AT_TARGET, JudgedSpec, LearningFile
from treec_learning.names import HAND_STARTS, REWARDS, STARTS

CODE = "TC862"


def check(view: View) -> Iterator[Diagnostic]:
    """Report references to what does not exist, and shares that draw nothing."""
    unread = unreadable_kinds(view.library)
    for entry in entries(view, "learning"):
        model: LearningFile = entry.model
        skills = view.all("skill")
        for kind, known in (("reward", {*view.all("reward"), *REWARDS}), ("skill", {*skills})):
            name = getattr(model, kind)
            if name is not None and kind not in unread and known and name not in known:
                help = suggestion(name, sorted(known), f"{kind}s")
                message = f"unknown {kind} '{name}'"
                yield Diagnostic(CODE, "error", entry.span(kind), message, help)
        for index, name in enumerate(model.serves):
            if "skill" not in unread and skills and name not in skills:
                help = suggestion(name, sorted(skills), "skills")
                span = entry.span("serves", index)
                yield Diagnostic(CODE, "error", span, f"unknown skill '{name}'", help)
        if not model.is_ours:
            yield from _environment(view, entry)
            continue
        starts = HAND_STARTS if model.environment == HAND_AT_TARGET else STARTS
        for place, shares in _drawn(model):
            for name in shares:
                if name not in starts:
                    help = suggestion(name, starts, "starts")
                    span = entry.span(*place, name, key=True)
                    yield Diagnostic(CODE, "error", span, f"unknown start '{name}'", help)
        yield from _bound(view, entry)
        for index, judged in enumerate(model.judged):
            yield from _judged(view, entry, index, judged)
        for index, (one, after) in enumerate(pairwise(model.curriculum)):
            if after.until <= one.until:
                span = entry.span("curriculum", index + 1, "until")
                message = f"this stage ends before the one before it ({one.until:g})"
                yield Diagnostic(CODE, "error", span, message, None)


def _environment(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Check that the module of an environment exists, and the class in it; nothing is imported."""
    model: LearningFile = entry.model
    module, colon, name = model.environment.partition(":")
    if not colon:
        return
    own, names = view.library.package, frozenset[str]()
    if model.environment_class is not None:
        found = find_missing(module, name, own)
        message, part = (found.message, found.module) if found is not None else ("", None)
        names = found.names if found is not None else names
    else:
        part = find_module(module, own)[1]
        message = f"unknown module '{part}'" if part is not None else ""
    if message:
        help = suggest(name, names) if part is None else missing_module_help(part, own)
        yield Diagnostic(CODE, "error", entry.span("environment"), message, help)


def _drawn(model: LearningFile) -> Iterator[tuple[tuple[str | int, ...], dict[str, float]]]:
    yield ("starts",), model.starts
    for number, stage in enumerate(model.curriculum):
        yield ("curriculum", number, "starts"), stage.starts
    ppo, cloning = model.algorithm.ppo, model.algorithm.cloning
    if cloning is not None:
        yield ("algorithm", "cloning", "starts"), cloning.starts
    if ppo is not None and ppo.begin_with is not None:
        yield ("algorithm", "ppo", "begin_with", "starts"), ppo.begin_with.starts


def _bound(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Check that `binds` is of arguments of the reward and of the skill."""
    model: LearningFile = entry.model
    reward = view.find("reward", model.reward or "")
    for name, of in model.binds.items():
        here = ("binds", name)
        if reward is not None:
            span = entry.span(*here, key=True)
            of_reward = f" of '{model.reward}'"
            yield from _known(name, reward.model.args, "argument", span, of_reward)
        yield from _argument(view, model.skill, of, entry.span(*here))


def _judged(view: View, entry: AnyEntry, index: int, judged: JudgedSpec) -> Iterator[Diagnostic]:
    """Check the scene of a sub-task, and the things and arguments in it."""
    model: LearningFile = entry.model
    scenes = {one.name: one for one in view.library.of_kind("scene")}
    loc: Loc = ("judged", index)
    if "scene" in unreadable_kinds(view.library) or not scenes:
        return
    yield from _known(judged.scene, scenes, "scene", entry.span(*loc, "scene"))
    if judged.scene not in scenes:
        return
    things = scenes[judged.scene].model.objects
    place = f" of the scene '{judged.scene}'"
    for name in judged.opened:
        span = entry.span(*loc, "opened", name, key=True)
        yield from _known(name, things, "object", span, place)
    steps: list[tuple[Loc, str, dict[str, str]]] = [((*loc, "args"), model.skill, judged.args)]
    for number, step in enumerate(judged.before):
        here = (*loc, "before", number)
        skills = view.all("skill")
        yield from _known(step.skill, skills, "skill", entry.span(*here, "skill"))
        steps.append(((*here, "args"), step.skill, step.args))
    for here, skill, args in steps:
        for name, thing in args.items():
            yield from _argument(view, skill, name, entry.span(*here, name, key=True))
            yield from _known(thing, things, "object", entry.span(*here, name), place)


def _argument(view: View, skill: str, name: str, span: Span) -> Iterator[Diagnostic]:
    entry = view.find("skill", skill)
    if entry is not None:
        yield from _known(name, entry.model.args, "argument", span, f" of '{skill}'")


def _known(
    name: str, known: Collection[str], what: str, span: Span, of: str = ""
) -> Iterator[Diagnostic]:
    if name not in known:
        help = suggestion(name, sorted(known), f"{what}s")
        yield Diagnostic(CODE, "error", span, f"unknown {what} '{name}'{of}", help)
