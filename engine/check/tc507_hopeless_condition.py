"""A precondition that no skill brings about.

A condition of `before` without a repair holds when a skill's effect, the scene or an agent's start
makes it hold. When nothing ever sets its fact, the skill can never begin.

Wrong, where no skill's `after` and no object has `sharp`:

    skill: cut
    about: Cut something.
    args: {agent: Robot, tool: Item}
    before:
      - sharp(tool)

Right:

    skill: cut
    about: Cut something.
    args: {agent: Robot, tool: Item}
    before:
      - sharp(tool): sharpen(agent, tool)
"""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from treec.check.broken import broken_kinds
from treec.check.effect_texts import conditions, effects
from treec.files.view import View
from treec.program.effects import EffectSpec
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression

CODE = "TC507"


def check(view: View) -> Iterator[Diagnostic]:
    """Facts that a condition without a repair asks for and nothing ever sets."""
    broken = broken_kinds(view.library)
    if not view.scenes or broken & {"skill", "scene", "agent", "domain"}:
        return
    given = _given(view)
    for condition, repair in conditions(view):
        if repair is not None:
            continue
        try:
            tree = Expression.parse(condition.text).ast[0]
        except SourceError:
            continue
        for name in _wanted(tree, view, given):
            if name.name in given:
                continue
            yield Diagnostic(
                CODE,
                "error",
                condition.span(name.lineno, len(name.name)),
                f"nothing ever sets '{name.name}': no skill, no object, no agent's start",
                "write behind it the skill that brings it about, or give it in the scene",
            )


def _given(view: View) -> set[str]:
    """The facts that something sets to more than false or none."""
    given: set[str] = set()
    for written in effects(view):
        effect = written.effect()
        if isinstance(effect, EffectSpec) and not effect.negated and effect.value != "none":
            given.add(effect.fact)
    for scene in view.library.of_kind("scene"):  # a skill may be for another scene of this domain
        if scene.model.domain not in view.all("domain"):
            continue
        for spec in scene.model.objects.values():
            given.update(name for name, value in spec.facts.items() if value not in (None, False))
    for agent in view.agents.values():
        given.update(name for name, value in agent.starts.items() if value not in (None, False))
    return given


def _wanted(tree: nodes.Node, view: View, given: set[str]) -> Iterator[nodes.Name]:
    """The names of facts without which a condition cannot hold: parts joined by `and`."""
    if isinstance(tree, nodes.And):
        yield from _wanted(tree.left, view, given)
        yield from _wanted(tree.right, view, given)
        return
    if isinstance(tree, nodes.Compare):
        if len(tree.ops) != 1 or tree.ops[0].op != "eq":
            return
        left, right = tree.expr, tree.ops[0].expr
        for one, other in ((left, right), (right, left)):
            fact = _fact(one, view, valued=True)
            # Two facts that nobody knows are both none, and so are equal.
            if fact is not None and _has_value(other, view, given):
                yield fact
        return
    fact = _fact(tree, view, valued=None)
    if fact is not None:
        yield fact


def _fact(node: nodes.Node, view: View, *, valued: bool | None) -> nodes.Name | None:
    if not isinstance(node, nodes.Call) or not isinstance(node.node, nodes.Name):
        return None
    spec = view.facts.get(node.node.name)
    if spec is None or valued not in (None, spec.value is not None):
        return None
    return node.node


def _has_value(node: nodes.Node, view: View, given: set[str]) -> bool:
    """Whether something is certainly not none: a text, a thing's name, a fact that is set."""
    if isinstance(node, nodes.Const):
        return node.value is not None
    if isinstance(node, nodes.Name):
        return True
    fact = _fact(node, view, valued=True)
    return fact is not None and fact.name in given
