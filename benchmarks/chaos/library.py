"""Writes a library of its own for a draw: robots, skills, a tree, an environment, a talk."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
WORKERS = ("Timed", "Threaded", "Blocking", "Stepped")
SHORT, LONG = 0.2, 120.0
"""Seconds of an order, and of one during which something is to happen."""


@dataclass(frozen=True)
class Rig:
    """What a library has: a worker class for each robot, how many jobs each has, and the rest."""

    workers: tuple[str, ...]
    environments: tuple[str, ...]
    jobs: int
    has_long: bool
    module: str = "workers"
    has_node: bool = False
    guard: str = "none"

    @property
    def robots(self) -> tuple[str, ...]:
        """R1, R2, …"""
        return tuple(f"R{number}" for number in range(1, len(self.workers) + 1))


def draw_rig(
    chance: Random,
    *,
    has_long: bool = False,
    has_node: bool = False,
    first: str | None = None,
    module: str = "workers",
) -> Rig:
    """A library; ``first`` is the worker class of R1, in ``module``."""
    workers = [chance.choice(WORKERS) for _ in range(chance.randint(2, 3))]
    workers[0] = first or workers[0]
    return Rig(
        tuple(workers),
        tuple("rig" if worker == "Stepped" else "symbolic" for worker in workers),
        chance.randint(1, 4),
        has_long,
        module,
        has_node=chance.random() < 0.5 or has_node,
        guard=chance.choice(("none", "while", "timeout")),
    )


def write_rig(rig: Rig, folder: Path) -> None:
    """Write its files."""
    per_robot = rig.jobs + rig.has_long
    items = [f"item {n}" for n in range(1, per_robot * len(rig.robots) + 1)]
    files: dict[str, str] = {
        "treec.toml": '[library]\nexclude = ["runs", "site"]\npackage = "rig"\n'
        '[nodes]\nwatch = "rig.nodes:Watch"\n',
        "rig.system.yaml": "system: rig\nabout: Robots that make items.\nuses: [./]\n"
        "root: rig_main\ndomain: rig\nscene: shop\nat_end: stop\ntick_period: 0.5s\n"
        "runs_on:\n  default: symbolic\n"
        + "".join(f"  {r}: {e}\n" for r, e in zip(rig.robots, rig.environments, strict=True)),
        "rig.domain.yaml": "domain: rig\nabout: Items.\ntypes:\n  Item: {}\nfacts:\n"
        "  made:\n    args: [Item]\n    about: It is made.\n" + _sensed(rig),
        "shop.scene.yaml": "scene: shop\nabout: Items.\ndomain: rig\nobjects:\n"
        + "".join(f"  {item}: {{type: Item}}\n" for item in items),
        "all_made.scenario.yaml": "scenario: all_made\nabout: Everything is made.\nsystem: rig\n"
        f"expect:\n  finally: {' and '.join(f'made({item!r})' for item in items)}\n"
        "  within: 1h\n",
    }
    children = []
    for number, (robot, worker) in enumerate(zip(rig.robots, rig.workers, strict=True)):
        module = rig.module if number == 0 else "workers"
        mine = items[number * per_robot : (number + 1) * per_robot]
        skills = [f"short_{robot}".lower()] * rig.jobs + [f"long_{robot}".lower()] * rig.has_long
        for skill, takes in dict(zip(skills, (SHORT,) * rig.jobs + (LONG,), strict=False)).items():
            files[f"{skill}.skill.yaml"] = (
                f"skill: {skill}\nabout: Make an item.\nargs: {{agent: Robot, item: Item}}\n"
                f"after: [made(item)]\ntakes: {takes}s\ntimeout: 20m\n"
                f"runs: {{{rig.environments[number]}: 'rig.{module}:{worker}'}}\n"
            )
        known = ", ".join(f"{skill}: {{}}" for skill in dict.fromkeys(skills))
        files[f"{robot}.agent.yaml"] = (
            f"agent: {robot}\nis: Robot\nabout: A robot.\ncan: []\nskills: {{{known}}}\n"
        )
        steps = "".join(
            f"          - {{skill: {skill}, with: {{agent: {robot}, item: {item}}}}}\n"
            for skill, item in zip(skills, mine, strict=True)
        )
        guard = {
            "none": "",
            "while": "        while: status('R1') != 'Interrupted'\n",
            "timeout": "        timeout: 30m\n",
        }[rig.guard]
        children.append(f"      - sequence:\n{steps}{guard}        force_success: true\n")
    if rig.has_node:
        children.insert(0, "      - {watch: {}}\n")
    files["rig_main.tree.yaml"] = (
        "tree: rig_main\nabout: Every robot makes its items.\nroot:\n  parallel:\n"
        f"    success: {len(rig.robots)}\n    failure: {len(children)}\n    children:\n"
        + "".join(children)
    )
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _sensed(rig: Rig) -> str:
    own = sorted(set(rig.environments) - {"symbolic"})
    lines = "".join(f"      {name}: rig.environment:made\n" for name in own)
    return f"    sensed:\n{lines}" if own else ""


def write_site(folder: Path) -> Path:
    """Install the rig's package where ``PYTHONPATH`` leads; returns the folder."""
    site = folder / "site"
    shutil.copytree(HERE / "rig", site / "rig", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(HERE / "observer.py", site / "sitecustomize.py")
    info = site / "rig-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rig\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[treec.extensions]\nrig = rig.extension:EXTENSION\n")
    return site


def environment(site: Path, plan: dict[str, object]) -> dict[str, str]:
    """The variables of a run that the rig takes part in."""
    return {
        **os.environ,
        "PYTHONPATH": str(site),
        "CHAOS": json.dumps(plan),
        "TREEC_CACHE": str(site.parent / "cache"),
        "PYTHONUNBUFFERED": "1",
        "OPENAI_API_KEY": "none",
        "OMP_NUM_THREADS": "1",
    }


TREEC = (sys.executable, "-m", "treec")
