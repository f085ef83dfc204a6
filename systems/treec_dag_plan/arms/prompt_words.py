"""The variables of a `plan` prompt: a task, its objects and the commands, as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.problem_words import object_descriptions, object_names
from treec_dag_plan.arms.world import SkillModel

_ARGUMENT = re.compile(r"\{(\w+)\}")


def prompt_words(problem: AllocationProblem) -> dict[str, object]:
    """Return the prompt's variables."""
    return {
        "task": problem.model.task,
        "constraints": list(problem.model.constraints),
        "objects": list(object_names(problem)),
        "description": format_objects(object_descriptions(problem)),
        "commands": command_lines(problem.world.skills),
    }


def command_lines(skills: Sequence[SkillModel]) -> list[str]:
    """Return a line for each command: syntax, node type, number of arms, description."""
    by_syntax: dict[str, list[SkillModel]] = {}
    for skill in skills:
        by_syntax.setdefault(skill.syntax, []).append(skill)
    lines = []
    for syntax, found in by_syntax.items():
        arms = " or ".join(str(n) for n in sorted({len(skill.arms) for skill in found}))
        kinds = " or ".join(dict.fromkeys(skill.type for skill in found))
        about = " ".join(dict.fromkeys(skill.about for skill in found))
        words = _ARGUMENT.sub(lambda found: found[1].upper(), syntax)
        lines.append(f"{words} (type: {kinds}; arm_num: {arms}): {about}")
    return lines


def format_objects(objects: Mapping[str, Mapping[str, object]]) -> str:
    """Render descriptions of objects as YAML, with names in quotes."""
    return "\n".join(_lines(objects, 0))


def _lines(data: Mapping[str, object], depth: int, names: bool = True) -> list[str]:
    """Render YAML lines; names of objects (top-level keys and those of `parts`) are quoted."""
    indent = "    " * depth
    lines = []
    for key, value in data.items():
        name = json.dumps(key, ensure_ascii=False) if names else key
        if isinstance(value, Mapping):
            lines.append(f"{indent}{name}:")
            lines += _lines(value, depth + 1, key == "parts")
        else:
            lines.append(f"{indent}{name}: {_value(value)}")
    return lines


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(json.dumps(str(item), ensure_ascii=False) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)
