"""The PDDL says what the world says: an independent validator judges plans the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from treec_dag_plan.arms.commands import action_of
from treec_dag_plan.arms.pddl import Pddl, to_pddl
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import StageStep, read_plan
from treec_dag_plan.arms.world import GroundAction

from .conftest import NUMBERS, PLANS, graph

Task = Callable[[int], AllocationProblem]

pytest.importorskip("unified_planning")


def serial(number: int, problem: AllocationProblem) -> tuple[StageStep, ...]:
    """The reference graph's nodes in pairs where the world lets them be done at one time."""
    reading = read_plan(PLANS / f"task_{number}_both.yaml") if number == 9 else None
    if reading is not None:
        return reading.steps
    from treec_dag_plan.arms.validate_read import PlanPart

    steps: list[StageStep] = []
    waiting = list(graph(number).work())
    done: set[str] = set()
    held: dict[str, str] = {}
    while waiting:
        parts: list[PlanPart] = []
        for arm in problem.world.arms:
            for node in waiting:
                mine = held.get(arm)
                if not set(node.after) <= done or any(p.node == node.id for p in parts):
                    continue
                if (mine in node.objects) if node.type in ("release", "tool use") else not mine:
                    part = PlanPart((arm,), node.name, None, node.id)
                    tried = (*steps, StageStep("", (*parts, part)))
                    wrong = validate(tried, problem.world).violation
                    if wrong is None or wrong.stage == 0:
                        parts.append(part)
                        break
        assert parts
        for part in parts:
            node = next(n for n in waiting if n.id == part.node)
            if node.type == "occupy":
                held[part.arms[0]] = node.objects[0]
            elif node.type == "release":
                held.pop(part.arms[0])
            waiting.remove(node)
            done.add(node.id)
        steps.append(StageStep(f"stage {len(steps) + 1}", tuple(parts)))
    return tuple(steps)


class Validator:
    """unified-planning's validator on one task, read from the text that we write."""

    def __init__(self, problem: AllocationProblem) -> None:
        from unified_planning.engines import SequentialPlanValidator
        from unified_planning.io import PDDLReader

        self.world = problem.world
        self.pddl: Pddl = to_pddl(problem)
        self.problem: Any = PDDLReader().parse_problem_string(self.pddl.domain, self.pddl.problem)
        self._validator: Any = SequentialPlanValidator()

    def accepts(self, actions: list[GroundAction]) -> bool:
        from unified_planning.plans import ActionInstance, SequentialPlan

        steps = []
        make = self.problem.environment.expression_manager
        for action in actions:
            name, args = self.pddl.step(action)
            objects = tuple(make.ObjectExp(self.problem.object(arg)) for arg in args)
            steps.append(ActionInstance(self.problem.action(name), objects))
        result = self._validator.validate(self.problem, SequentialPlan(steps))
        return str(result.status).endswith(".VALID")

    def orders(self, steps: tuple[StageStep, ...]) -> Iterator[list[GroundAction]]:
        """Every stage from left to right, then every stage from right to left."""
        for turned in (False, True):
            found: list[GroundAction] = []
            for step in steps:
                for part in step.parts[::-1] if turned else step.parts:
                    action = action_of(self.world, part.name, part.arms)
                    assert isinstance(action, GroundAction)
                    found.append(action)
            yield found


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.few(0, thorough=1)
def test_an_independent_validator_agrees_on_good_plans(task: Task, number: int) -> None:
    problem = task(number)
    steps = serial(number, problem)
    assert validate(steps, problem.world).good
    validator = Validator(problem)
    left_first, right_first = validator.orders(steps)
    assert validator.accepts(left_first)
    if left_first != right_first:
        assert validator.accepts(right_first)


@pytest.mark.parametrize("name", ["task_5_full_hand", "task_5_tp_d", "task_8_tp_d"])
@pytest.mark.few(0, thorough=1)
def test_an_independent_validator_agrees_on_bad_plans(task: Task, name: str) -> None:
    problem = task(int(name[5]))
    steps = read_plan(PLANS / f"{name}.yaml").steps
    result = validate(steps, problem.world)
    assert not result.good
    assert result.violation is not None
    validator = Validator(problem)
    both = [validator.accepts(actions) for actions in validator.orders(steps)]
    assert both == [False, False]


@pytest.mark.thorough
def test_an_independent_validator_agrees_that_an_appliance_ran_too_early(task: Task) -> None:
    """The conditional effects: bread that is put in afterwards is not toasted."""
    problem = task(2)
    validator = Validator(problem)
    on_off = ['switch_on "toaster"', 'switch_off "toaster"']
    bread = ['grasp "bread"', 'put "bread" into "toaster"']
    rest = ['grasp "apple"', 'put "apple" onto "plate"']
    for names, good in (([*bread, *on_off, *rest], True), ([*on_off, *bread, *rest], False)):
        actions = [action_of(problem.world, name, ["left"]) for name in names]
        assert validator.accepts([a for a in actions if isinstance(a, GroundAction)]) is good


def test_every_name_is_a_plain_one_and_its_own(task: Task) -> None:
    found = to_pddl(task(9))
    assert len(set(found.names.values())) == len(found.names)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in found.names.values())


def test_brackets_are_balanced_and_a_value_is_a_last_argument(task: Task) -> None:
    found = to_pddl(task(5))
    for text in (found.domain, found.problem):
        assert text.count("(") == text.count(")")
    assert "(at bowl refrigerator_cooler_body)" in found.problem
    assert "(not (running microwave))" in found.problem
