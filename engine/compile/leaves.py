"""The leaves of a tree file as behaviours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour

from treec.compile.expressions import expression
from treec.compile.place import CompileError, Place
from treec.files.nodes import (
    CheckNode,
    LogNode,
    NodeBase,
    OnChangeNode,
    PlanNode,
    ProbeNode,
    ProgramNode,
    PythonNode,
    ReadNode,
    RecipeNode,
    ReportNode,
    SetNode,
    SkillNode,
    TakeNode,
    WaitBody,
    WaitNode,
)
from treec.nodes.check import Check
from treec.nodes.log import Log
from treec.nodes.on_change import OnChange
from treec.nodes.probe import Probe
from treec.nodes.program import Program
from treec.nodes.python import find_node_class, wire
from treec.nodes.read import Reading
from treec.nodes.recipe import RunRecipe
from treec.nodes.report import Report
from treec.nodes.set_ import Set
from treec.nodes.skill import Skill
from treec.nodes.take import Take
from treec.nodes.wait import Wait
from treec.source.template import Template
from treec.systems.dag_plan.nodes.plan import Options, Plan

if TYPE_CHECKING:
    from treec.compile.build import Compiler


def build_leaf(compiler: Compiler, node: NodeBase, place: Place, path: str) -> Behaviour:
    """A leaf. Raises CompileError."""
    leaf = _leaf(compiler, node, place, path)
    if not isinstance(leaf, Probe):
        leaf.name = path.rpartition("/")[2]
    return leaf


def _leaf(compiler: Compiler, node: NodeBase, place: Place, path: str) -> Behaviour:
    runtime, frame = compiler.runtime, place.frame
    match node:
        case ProbeNode(probe=probe):
            return Probe(probe.name, probe.script)
        case CheckNode(check=text):
            return Check(path, runtime, frame, expression(text, place.below("check")))
        case SetNode(set=values):
            return Set(path, runtime, frame, values)
        case WaitNode(wait=body):
            if not isinstance(body, WaitBody):
                return Wait(path, runtime, frame, seconds=body)
            below = place.below("wait", "until")
            until = expression(body.until, below) if body.until is not None else None
            return Wait(path, runtime, frame, until=until, seconds=body.for_)
        case TakeNode(take=take):
            return Take(path, runtime, frame, take.queue, take.into)
        case ReportNode(report=report):
            return Report(path, runtime, frame, report.subtask, failed=report.failed)
        case OnChangeNode(on_change=text):
            return OnChange(path, runtime, frame, expression(text, place.below("on_change")))
        case LogNode(log=text):
            return Log(path, runtime, frame, Template.parse(text))
        case RecipeNode(recipe=recipe):
            return RunRecipe(path, runtime, frame, recipe)
        case ReadNode(read=name):
            entry = compiler.find("reading", name, place)
            return Reading(path, runtime, frame, entry)
        case ProgramNode(program=name):
            entry = compiler.find("program", name, place)
            return Program(path, runtime, frame, entry, node.with_)
        case PlanNode(plan=name):
            entry = compiler.find("plan", name, place)
            agents = expression(node.agents, place.below("agents"))
            options = Options(node.layouts, node.tries, node.again)
            return Plan(path, runtime, frame, entry, node.with_, agents, options)
        case SkillNode(skill=name):
            compiler.find("skill", name, place)
            return Skill(path, runtime, frame, name, node.with_)
        case PythonNode():
            key, values = next(iter((node.model_extra or {}).items()), ("", {}))
            try:
                found = find_node_class(key, runtime.view.library.settings.nodes)
                if found is not None:
                    made = found(path, wire(frame, values or {}))
                    setattr(made, "span", place.span)  # noqa: B010 (where it raises, if it does)
                    return made
            except Exception as error:  # a node class is anybody's code
                told = f"{path}: the node '{key}': {error}"
                raise CompileError(told, place.span) from error
            raise CompileError(f"{path}: there is no node '{key}'")
    raise CompileError(f"{path}: no leaf is made of {type(node).__name__}")
