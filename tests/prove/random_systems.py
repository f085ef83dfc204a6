"""Random systems small enough that all they can do is tried: two robots, timers, guards, skills."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Node = dict[str, Any]

_FILES: dict[str, dict[str, Any]] = {
    "toy.system": {
        "system": "toy",
        "about": "Two robots and what they may do.",
        "uses": ["parts"],
        "root": "toy_main",
        "domain": "toy",
        "scene": "toy",
        "runs_on": {"default": "symbolic"},
    },
    "toy.domain": {
        "domain": "toy",
        "about": "What is so of a robot.",
        "facts": {
            "warm": {"args": ["Robot"], "about": "It is warm."},
            "at": {"args": ["Robot"], "value": "number", "about": "Where it is."},
        },
        "state": {"seen": {"type": "number", "default": 0}},
    },
    "toy.scene": {"scene": "toy", "about": "Nothing.", "domain": "toy", "objects": {}},
    "warm_up.skill": {
        "skill": "warm_up",
        "about": "Get warm.",
        "args": {"agent": "Robot"},
        "after": ["warm(agent)"],
        "takes": "3s",
        "timeout": "7s",
        "runs": {"symbolic": "treec.envs.symbolic:Effects"},
    },
    "swing.skill": {
        "skill": "swing",
        "about": "Go to the other side.",
        "args": {"agent": "Robot"},
        "after": ["at(agent) == 1 - at(agent)"],
        "takes": "2s",
        "timeout": "5s",
        "runs": {"symbolic": "treec.envs.symbolic:Effects"},
    },
    "go.skill": {
        "skill": "go",
        "about": "Go one farther; a robot that goes gets cold.",
        "args": {"agent": "Robot"},
        "before": ["at(agent) < 2"],
        "at_start": ["warm(agent) == false"],
        "after": ["at(agent) == at(agent) + 1"],
        "takes": "2s",
        "timeout": "5s",
        "runs": {"symbolic": "treec.envs.symbolic:Effects"},
    },
}
CONDITIONS = (
    "warm('A')",
    "not warm('B')",
    "at('A') > at('B')",
    "at('B') >= 1",
    "seen < 2",
    "seen == 1 or warm('A')",
)
COMPOSITES = ("sequence", "selector", "reactive_sequence", "sequence_with_memory")
MODIFIERS: tuple[dict[str, Any], ...] = (
    {"timeout": "4s"},
    {"timeout": "5s"},
    {"retry": 2},
    {"retry": {"times": 2, "every": "3s"}},
    {"cooldown": "4s"},
    {"delay": "2s"},
    {"once": True},
)


def random_system(seed: int, to: Path) -> Path:
    """Write a random system's files to a folder."""
    rng = random.Random(seed)
    starts = {name: rng.randint(0, 1) for name in "AB"}
    return write_system(to, {name: _tree(rng, name) for name in "AB"}, starts)


def write_system(to: Path, work: Mapping[str, Node], starts: Mapping[str, int]) -> Path:
    """Write the files of a system in which each robot does its work again and again."""
    (to / "parts").mkdir(parents=True)
    files = dict(_FILES)
    for name, root in work.items():
        files[f"{name}.agent"] = {
            "agent": name,
            "is": "Robot",
            "about": "A robot.",
            "skills": {"warm_up": {}, "go": {}, "swing": {}},
            "starts": {"warm": False, "at": starts.get(name, 0)},
        }
        tree = {"tree": f"work_{name}", "about": "Its work.", "root": root, "then": "repeat"}
        files[f"work_{name}.tree"] = tree
    both = {"until": "never", "children": [{"tree": f"work_{name}"} for name in work]}
    root = {"tree": "toy_main", "about": "All that they do.", "root": {"parallel": both}}
    files["toy_main.tree"] = root
    for name, data in files.items():
        (to / "parts" / f"{name}.yaml").write_text(json.dumps(data), encoding="utf-8")
    (to / "treec.toml").write_text("[library]\n", encoding="utf-8")
    return to


def _tree(rng: random.Random, robot: str) -> dict[str, Any]:
    children = [_node(rng, robot, 2) for _ in range(rng.randint(2, 3))]
    children.append({"skill": rng.choice(["warm_up", "go"]), "with": {"agent": robot}})
    return {"sequence": children}


def _node(rng: random.Random, robot: str, depth: int) -> dict[str, Any]:
    kind = rng.random()
    if kind < 0.35 or depth == 0:
        node: dict[str, Any] = {
            "skill": rng.choice(["warm_up", "go"]),
            "with": {"agent": robot},
        }
    elif kind < 0.45:
        node = {"wait": rng.choice(["2s", "3s", "7s"])}
    elif kind < 0.55:
        node = {"wait": {"until": rng.choice(CONDITIONS), "for": rng.choice(["3s", "5s"])}}
    elif kind < 0.65:
        node = {"set": {"seen": rng.choice(["= 1 - seen", "= 2", "= 0"])}}
    elif kind < 0.75:
        node = {"check": rng.choice(CONDITIONS)}
    else:
        children = [_node(rng, robot, depth - 1) for _ in range(rng.randint(2, 3))]
        node = {rng.choice(COMPOSITES): children}
    if rng.random() < 0.4:
        node |= rng.choice(MODIFIERS)
    if rng.random() < 0.15:
        node["while"] = rng.choice(CONDITIONS)
    return node
