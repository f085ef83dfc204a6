"""The kinds of files, each with its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from treec.files.cases import CaseFile
from treec.files.fields import Model
from treec.files.places import AgentFile, DomainFile, SceneFile
from treec.files.problems import ProblemFile
from treec.files.prompts import (
    ActionFile,
    DecisionFile,
    PlanFile,
    ProgramFile,
    ReadingFile,
)
from treec.files.systems import ContractFile, ScenarioFile, SystemFile
from treec.files.tasks import RecipeFile, SkillFile, TaskFile
from treec.files.tree import TreeFile

Kind = Literal[
    "system",
    "tree",
    "decision",
    "action",
    "reading",
    "program",
    "plan",
    "recipe",
    "task",
    "skill",
    "domain",
    "scene",
    "agent",
    "problem",
    "contract",
    "scenario",
    "case",
]

MODELS: Mapping[str, type[Model]] = {
    "system": SystemFile,
    "tree": TreeFile,
    "decision": DecisionFile,
    "action": ActionFile,
    "reading": ReadingFile,
    "program": ProgramFile,
    "plan": PlanFile,
    "recipe": RecipeFile,
    "task": TaskFile,
    "skill": SkillFile,
    "domain": DomainFile,
    "scene": SceneFile,
    "agent": AgentFile,
    "problem": ProblemFile,
    "contract": ContractFile,
    "scenario": ScenarioFile,
    "case": CaseFile,
}
"""Every kind, in the order in which pages and schemas list them."""

BEHAVIOURS = ("decision", "action", "tree", "program", "plan", "reading")
"""Kinds a decision's option may name; they share one space of names."""
