"""The leaves of a tree file as behaviours."""

from __future__ import annotations

from py_trees.behaviour import Behaviour

from treec.compile.node import NodePlace
from treec.compile.place import CompileError
from treec.files.nodes import (
    AskNode,
    CheckNode,
    DoNode,
    LogNode,
    OnChangeNode,
    ProbeNode,
    ProgramNode,
    PythonNode,
    ReadNode,
    RecipeNode,
    RememberNode,
    ReportNode,
    SetNode,
    SkillNode,
    TakeNode,
    WaitBody,
    WaitNode,
)
from treec.nodes.check import Check
from treec.nodes.foreign import GuardedNode, failure_of_exception
from treec.nodes.log import Log
from treec.nodes.on_change import OnChange
from treec.nodes.probe import Probe
from treec.nodes.program import Program
from treec.nodes.python import find_node_class, wire
from treec.nodes.read import Reading
from treec.nodes.recipe import RunRecipe
from treec.nodes.remember import Remember
from treec.nodes.report import Report
from treec.nodes.set_ import Set
from treec.nodes.skill import Skill
from treec.nodes.take import Take
from treec.nodes.wait import Wait
from treec.source.template import TextTemplate


def build_ask(at: NodePlace, node: AskNode) -> Behaviour:
    """`ask`: a decision with its options."""
    return at.compiler.behaviour(at.find("decision", node.ask), at.place, at.path, {})


def build_do(at: NodePlace, node: DoNode) -> Behaviour:
    """`do`: an action."""
    return at.compiler.behaviour(at.find("action", node.do), at.place, at.path, node.with_)


def build_read(at: NodePlace, node: ReadNode) -> Behaviour:
    """`read`: a reading."""
    return Reading(at.path, at.runtime, at.frame, at.find("reading", node.read))


def build_program(at: NodePlace, node: ProgramNode) -> Behaviour:
    """`program`."""
    entry = at.find("program", node.program)
    found = Program(at.path, at.runtime, at.frame, entry, node.with_)
    found.into = node.into
    spec = entry.model.correction
    if spec is not None:
        other = at.find("program", spec.program)
        if other.model.correction is not None:
            raise CompileError(
                f"{at.path}: '{other.name}' corrects, and has a correction", at.place.span
            )
        found.corrector = Program(f"{at.path}/correction", at.runtime, at.frame, other, {})
        found.corrector.parent = found
        found.children = [found.corrector]
    return found


def build_skill(at: NodePlace, node: SkillNode) -> Behaviour:
    """`skill`."""
    at.find("skill", node.skill)
    return Skill(at.path, at.runtime, at.frame, node.skill, node.with_)


def build_recipe(at: NodePlace, node: RecipeNode) -> Behaviour:
    """`recipe`."""
    return RunRecipe(at.path, at.runtime, at.frame, node.recipe)


def build_check(at: NodePlace, node: CheckNode) -> Behaviour:
    """`check`."""
    return Check(at.path, at.runtime, at.frame, at.expression(node.check, "check"))


def build_set(at: NodePlace, node: SetNode) -> Behaviour:
    """`set`."""
    return Set(at.path, at.runtime, at.frame, node.set)


def build_wait(at: NodePlace, node: WaitNode) -> Behaviour:
    """`wait`."""
    body = node.wait
    if not isinstance(body, WaitBody):
        return Wait(at.path, at.runtime, at.frame, seconds=body)
    until = at.expression(body.until, "wait", "until") if body.until is not None else None
    return Wait(at.path, at.runtime, at.frame, until=until, seconds=body.for_)


def build_take(at: NodePlace, node: TakeNode) -> Behaviour:
    """`take`."""
    return Take(at.path, at.runtime, at.frame, node.take.queue, node.take.into)


def build_report(at: NodePlace, node: ReportNode) -> Behaviour:
    """`report`."""
    report = node.report
    return Report(at.path, at.runtime, at.frame, report.subtask, failed=report.failed)


def build_remember(at: NodePlace, node: RememberNode) -> Behaviour:
    """`remember`."""
    return Remember(at.path, at.runtime, at.frame, node.remember)


def build_on_change(at: NodePlace, node: OnChangeNode) -> Behaviour:
    """`on_change`."""
    return OnChange(at.path, at.runtime, at.frame, at.expression(node.on_change, "on_change"))


def build_log(at: NodePlace, node: LogNode) -> Behaviour:
    """`log`."""
    return Log(at.path, at.runtime, at.frame, TextTemplate.parse(node.log))


def build_probe(at: NodePlace, node: ProbeNode) -> Behaviour:
    """`probe`."""
    return Probe(node.probe.name, node.probe.script)


def build_python(at: NodePlace, node: PythonNode) -> Behaviour:
    """A behaviour class that an extension declares by its ports. Raises CompileError."""
    key, values = next(iter((node.model_extra or {}).items()), ("", {}))
    own = at.runtime.view.library.settings.nodes
    try:
        found = find_node_class(key, own)
        if found is not None:
            guard = GuardedNode(at.runtime, at.path)
            ports = wire(at.frame, values or {}, at.runtime, guard.note)
            children = at.children(node.children, "children")
            made = found(at.path, ports, children) if children else found(at.path, ports)
            if not isinstance(made, Behaviour):
                raise CompileError(f"{at.path}: '{key}' is no py_trees behaviour", at.place.span)
            guard.take(made)
            setattr(made, "span", at.place.span)  # noqa: B010 (where it raises, if it does)
            return made
    except CompileError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a node class is anybody's code
        why = failure_of_exception(error, own.get(key, key).partition(":")[0])
        raise CompileError(f"{at.path}: the node '{key}': {why}", at.place.span) from error
    raise CompileError(f"{at.path}: there is no node '{key}'")
