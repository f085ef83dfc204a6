"""Invalid repair of a precondition, or of a need.

A repair is the skill, with its arguments, that makes a condition under `before` true, or that is
done when a need is not met (`if_unmet`, which does nothing in a skill without `needs`). Repairs
must not form a cycle: a skill that needs itself first, for the same things, would never begin.
`open` that needs `open(agent, behind(thing))` first is none: each time it is for another thing.
What turns out to be a cycle in a run is not repaired there.

Wrong, where `go_to` takes (agent, place):

    before:
      - near(agent) == at(item): goto(agent, at(item))
      - hand_empty(agent): go_to()

Right:

    before:
      - near(agent) == at(item): go_to(agent, at(item))
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from treec.check.base import entries
from treec.check.environments import world
from treec.check.finding import format_cycle
from treec.check.names import TypeEnvironment
from treec.check.skill_texts import SkillText, repairs
from treec.check.texts import reported_elsewhere
from treec.check.type_checker import infer
from treec.check.unreadable import unreadable_names
from treec.files.tasks import SkillFile
from treec.files.types import Named, Type, a, misfit, read_type, without_none
from treec.files.view import View
from treec.graph import back_edges, cyclic_components, shortest_path
from treec.program.binding import ArgumentMismatch, bind, signature
from treec.program.effects import CallSpec, EffectError, ExpressionPart
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import SourceError
from treec.source.expression import Expression

CODE = "TC513"

Edges = dict[str, list[tuple[str, SkillText, CallSpec]]]


def check(view: View) -> Iterator[Diagnostic]:
    """Report repairs that are not calls of skills, have wrong arguments, or form a cycle."""
    skills = view.all("skill")
    broken = {name for kind, name in unreadable_names(view.library) if kind == "skill"}
    needs: Edges = {}
    reported = reported_elsewhere(view)
    for written in repairs(view):
        if written.where in reported:
            continue
        call = written.repair()
        if isinstance(call, EffectError):
            span = written.span(call.offset, call.length)
            yield Diagnostic(CODE, "error", span, call.message, call.help)
        elif call is not None and call.name in skills:
            needs.setdefault(written.entry.name, []).append((call.name, written, call))
            yield from _arguments(view, written, call, skills[call.name].model)
        elif call is not None and call.name not in broken:
            span = written.span(call.offset, len(call.name))
            help = suggestion(call.name, skills, "skills")
            if call.name in view.facts:
                help = f"'{call.name}' is a fact: name a skill that sets it"
            yield Diagnostic(CODE, "error", span, f"unknown skill '{call.name}'", help)
    yield from _without_needs(view)
    yield from _cycles(_for_the_same_things(view, needs))


def _without_needs(view: View) -> Iterator[Diagnostic]:
    for entry in entries(view, "skill"):
        if entry.model.if_unmet is not None and not entry.model.needs:
            span = entry.span("if_unmet", key=True)
            message = "`if_unmet` is never done: the skill has no `needs`"
            help = "give it `needs`, or make the repair that of a condition under `before`"
            yield Diagnostic(CODE, "warning", span, message, help)


def _for_the_same_things(view: View, needs: Edges) -> Edges:
    """The repairs that may lead back to themselves, but for those that go on to another thing.

    A repair hands on a thing that it computes, `open(agent, behind(thing))`; if the next one is for
    that thing, it is another call than the one that led to it.
    """
    steps = [(name, *step) for name, found in needs.items() for step in found]
    follows = {
        at: [
            after
            for after, (name, _, _, then) in enumerate(steps)
            if name == target and not _goes_on(view, call, then)
        ]
        for at, (_, target, _, call) in enumerate(steps)
    }
    cyclic = {at for part in cyclic_components(follows) for at in part}
    found: Edges = {}
    for at, (name, target, written, call) in enumerate(steps):
        if at in cyclic:
            found.setdefault(name, []).append((target, written, call))
    return found


def _goes_on(view: View, call: CallSpec, then: CallSpec) -> bool:
    """Whether a skill's repair is for a thing that the skill's own call has computed."""
    skill: SkillFile = view.all("skill")[call.name].model
    bound = bind(call.name, list(skill.args), len(call.parts))
    if isinstance(bound, ArgumentMismatch):
        return False
    computed = {name for name, part in zip(bound, call.parts, strict=True) if "(" in part.text}
    used = {name for part in then.parts for name in re.findall(r"\w+", part.text)}
    return not computed.isdisjoint(used)


def _arguments(
    view: View, written: SkillText, call: CallSpec, skill: SkillFile
) -> Iterator[Diagnostic]:
    bound = bind(call.name, list(skill.args), len(call.parts))
    if isinstance(bound, ArgumentMismatch):
        at, length = call.offset, len(call.name)
        if bound.index is not None and bound.index < len(call.parts):
            part = call.parts[bound.index]
            at, length = part.offset, len(part.text)
        help = f"it takes {signature(call.name, list(skill.args))}"
        yield Diagnostic(CODE, "error", written.span(at, length), bound.message, help)
        return
    own: SkillFile = written.entry.model
    local: dict[str, Type] = {"agent": Named("Agent")}
    local.update({name: read_type(kind) for name, kind in own.args.items()})
    env = world(view).child(local)
    for name, part in zip(bound, call.parts, strict=True):
        wrong = _misfit(env, part, read_type(skill.args[name]), f"{call.name}'s '{name}'")
        if wrong is not None:
            span = written.span(part.offset, len(part.text))
            yield Diagnostic(CODE, "error", span, wrong)


def _misfit(env: TypeEnvironment, part: ExpressionPart, expected: Type, whose: str) -> str | None:
    try:
        tree = Expression.parse(part.text).ast[0]
    except SourceError:
        return None
    if isinstance(tree, nodes.Const):
        if tree.value is None:
            return f"{whose} cannot be none"
        found = misfit(expected, tree.value, env)
        return found.message if found is not None and env.things_whole else None
    given = infer(tree, env) if isinstance(tree, nodes.Expr) else None
    if given is None or env.types.could_be(given, expected):
        return None
    return f"'{part.text}' is {a(without_none(given))}, but {whose} is {a(expected)}"


def _cycles(needs: Edges) -> Iterator[Diagnostic]:
    """Report a set of repairs whose removal would leave no cycle."""
    edges = {name: [other for other, _, _ in steps] for name, steps in needs.items()}
    closing = back_edges(edges)
    for name, steps in needs.items():
        for other, written, call in steps:
            if (name, other) not in closing:
                continue
            way = shortest_path(edges, other, name) or []
            shown = format_cycle(way if name == other else [*way, other], "needs")
            yield Diagnostic(
                CODE,
                "error",
                written.span(call.offset, len(call.name)),
                f"these repairs form a cycle: {shown}",
                "each needs another one first: use a different repair here",
            )
