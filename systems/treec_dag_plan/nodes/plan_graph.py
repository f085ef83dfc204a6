"""A task graph in an answer: found in its text, and held against its task."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treec.source.text import SourceFile
from treec_asking.extract import fenced_parts
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.finding_kinds import HELD_BEFORE
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.world_logic import State
from treec_kitchen.draft import DraftRefused, draft_text

NODES = re.compile(r"^nodes:", re.MULTILINE)
"""How a task graph begins."""
STAGES = re.compile(r"^stages:", re.MULTILINE)
"""How a plan of stages begins, which is asked for to compare with."""
START: Mapping[str, re.Pattern[str]] = {"graph": NODES, "stages": STAGES}
"""The form in a plan's file → how such a plan begins."""


def find_plan(text: str, begins: re.Pattern[str] = NODES) -> Mapping[str, str] | None:
    """The data of an answer that holds a plan and no JSON; None if no plan begins in it."""
    return {"plan": text} if begins.search(text) else None


def plan_text(data: Mapping[str, Any], begins: re.Pattern[str] = NODES) -> str:
    """The plan of an answer: in a fence, or from where it begins. Raises DraftRefused."""
    text = draft_text(data, "graph")
    fenced = [part for part in fenced_parts(text) if begins.search(part)]
    text = fenced[-1] if fenced else text
    found = begins.search(text)
    return (text[found.start() :] if found else text).rstrip() + "\n"


def judge(
    text: str, problem: AllocationProblem, start: State, held: Mapping[str, str]
) -> tuple[str, TaskGraph]:
    """A graph's text, checked against the task. Raises DraftRefused."""
    file = SourceFile("plan.yaml", text)
    reading = read_parts(file)
    checked = check_graph(reading, replace(problem.world, start=start))
    if reading.graph is None or not checked.good:
        raise DraftRefused(checked.errors, file)
    lost = [
        f'{arm} holds "{thing}"'
        for arm, thing in held.items()
        if not _is_held(reading.graph, thing)
    ]
    if lost:
        raise DraftRefused([HELD_BEFORE.at(held=lost)])
    return text, reading.graph


def _is_held(graph: TaskGraph, thing: str) -> bool:
    kinds = {node.type for node in graph.nodes if thing in node.objects}
    return {"occupy", "release"} <= kinds
