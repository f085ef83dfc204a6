"""Plan a task with Fast Downward on its PDDL: a sequence of actions, without any model.

The planner is optional (`pip install 'treec[plans]'`) and runs as a process of its own. LAMA finds
a plan at once and shorter ones until the time is up or none is shorter.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from treec import child
from treec_dag_plan.arms.pddl import to_pddl
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.world import HOLDING, ArmWorld, GroundAction
from treec_dag_plan.arms.world_logic import Constant, Equal, LogicFact, LogicName

PACKAGE = "up_fast_downward"
ALIAS = "seq-sat-lama-2011"
SLACK = 30.0
"""Seconds for translation and process start, beyond the limit of the search."""
UNSOLVABLE = (10, 11)
"""Exit codes of a task that provably has no plan."""


class PlannerMissing(RuntimeError):
    """Fast Downward is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "planning needs Fast Downward (package up-fast-downward): pip install 'treec[plans]'"
        )


class NoPlanFound(Exception):
    """The planner has no plan; `proved`: there is none."""

    def __init__(self, message: str, proved: bool = False) -> None:
        super().__init__(message)
        self.proved = proved


def find_sequence(problem: AllocationProblem, seconds: float = 10.0) -> list[GroundAction]:
    """Return the shortest sequence of actions found. Raises PlannerMissing, NoPlanFound."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise PlannerMissing
    driver = Path(spec.origin).parent / "downward" / "fast-downward.py"
    pddl = to_pddl(_with_empty_hands(problem))
    with tempfile.TemporaryDirectory(prefix="treec-plan-") as temporary:
        folder = Path(temporary)
        (folder / "domain.pddl").write_text(pddl.domain, "utf-8")
        (folder / "problem.pddl").write_text(pddl.problem, "utf-8")
        command = [sys.executable, str(driver), "--alias", ALIAS]
        command += ["--search-time-limit", f"{max(1, round(seconds))}s", "domain.pddl"]
        try:
            ended = child.run([*command, "problem.pddl"], cwd=folder, timeout=seconds + SLACK)
            code, output = ended.returncode, ended.stdout + ended.stderr
        except subprocess.TimeoutExpired:
            code, output = -1, ""
        plans = [file.read_text("utf-8") for file in folder.glob("sas_plan*")]
    if plans:
        best = _steps(min(plans, key=_cost))
        return [_action(problem.world, pddl.names, step) for step in best]
    if code in UNSOLVABLE:
        raise NoPlanFound("no sequence of sub-tasks reaches the goal", proved=True)
    if code == -1 or "time limit" in output.lower():
        raise NoPlanFound(f"no plan was found in {seconds:g} s: --seconds gives it more")
    last = output.strip().splitlines()[-1:] or [f"exit code {code}"]
    raise NoPlanFound(f"the planner has failed: {last[0]}")


def _with_empty_hands(problem: AllocationProblem) -> AllocationProblem:
    """Require that nothing is held at the end, as of every task graph."""
    world = problem.world
    empty = [
        Equal(LogicFact(HOLDING, (LogicName(arm),)), Constant(None), False) for arm in world.arms
    ]
    return replace(problem, world=replace(world, goal=(*world.goal, *empty)))


def _cost(text: str) -> int:
    """A plan's cost: its steps, or the sum of their durations where arms differ."""
    found = re.search(r"^; cost = (\d+)", text, re.MULTILINE)
    return int(found[1]) if found is not None else len(_steps(text))


def _steps(text: str) -> list[list[str]]:
    """The steps of a plan's file: names of an action and its arguments."""
    lines = (line.strip() for line in text.splitlines())
    return [line.strip("()").split() for line in lines if line.startswith("(")]


def _action(world: ArmWorld, names: Mapping[str, str], step: Sequence[str]) -> GroundAction:
    meant = {short: name for name, short in names.items()}
    skill = next(skill for skill in world.skills if names[skill.name] == step[0])
    args = dict(zip(skill.types, (meant[arg] for arg in step[1:]), strict=True))
    return world.action(
        skill, [args[arm] for arm in skill.arms], [args[name] for name in skill.objects]
    )
