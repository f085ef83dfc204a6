"""What plans, their layouts and their events are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tests.support import golden
from tests.systems.dag_plan.arms.conftest import graph
from treec.source.expression import Expression, MappingScope
from treec.team.state import SubtaskState
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.plan import ArmPlan, Slot
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.problem import problem_of
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.schedule.verify import verify
from treec_dag_plan.events import PlanChanged, StepsChanged

CUT = graph(8)
BOTH = graph(9)
PLACES = dict.fromkeys(
    ("cabinet_left_door", "knife", "carrot", "red_bell_pepper", "cutting_board"), (0.0, 0.0)
)
RECORD: Any = None


def held(slots: Mapping[str, tuple[str, float]], of: Any = CUT) -> object:
    """Whether a plan with these arms and starts (s) holds; each node takes a second."""
    at = [
        Slot(node, tuple(arms.split()), start, start + 1) for node, (arms, start) in slots.items()
    ]
    return verify(of, ArmPlan((), slots=tuple(at)))


def after(event: Any, **state: object) -> object:
    """What an event makes of a state."""
    return event.change({"plans": {}, "subtasks": {}, **state}, RECORD)


RIGHT = {
    "node_1": ("left", 0.0),
    "node_3": ("right", 0.0),
    "node_2": ("left", 1.0),
    "node_4": ("right", 1.0),
    "node_5": ("left", 2.0),
    "node_6": ("right", 2.0),
    "node_7": ("right", 3.0),
    "node_8": ("left", 4.0),
    "node_9": ("left", 5.0),
}
SLOTS = [Slot(node, (arm,), start, start + 1) for node, (arm, start) in RIGHT.items()]
RUNNING = SubtaskState("get", status="running")

TOLD: dict[str, Callable[[], object]] = {
    "ScheduleError: node_2: the plan leaves it out": lambda: held({"node_1": ("left", 0.0)}),
    "ScheduleError: node_6: left is busy when it begins": lambda: held(
        {**RIGHT, "node_6": ("left", 1.0)}
    ),
    "ScheduleError: node_5: it needs 1 arms, and has 0": lambda: held(
        {**RIGHT, "node_5": ("", 2.0)}
    ),
    "ScheduleError: node_5: the plan begins it before node_4 is done": lambda: held(
        {**RIGHT, "node_4": ("left", 5.0)}
    ),
    "ScheduleError: node_1: the plan does it twice": lambda: verify(
        CUT, ArmPlan((), slots=(Slot("node_1", ("left",), 0.0, 1.0), *SLOTS))
    ),
    "ScheduleError: node_1: the layout does not place 'cabinet_left_door'": lambda: geometry_of(
        problem_of(CUT), ArmLayout({}, {})
    ),
    "ScheduleError: node_1: the layout has no hand 'right'": lambda: geometry_of(
        problem_of(CUT), ArmLayout(PLACES, {"left": (0.0, 0.0)})
    ),
    ("EvaluationError: 'stages' is for task graphs: a task graph is a mapping of nodes"): lambda: (
        Expression.parse("'nodes: 3' | stages").evaluate(MappingScope({}))
    ),
    "EventRefused: 'main/plan' has no plan": lambda: after(PlanChanged("main/plan", {})),
    "EventRefused: unknown subtask 'get'": lambda: after(StepsChanged("get", "x")),
    "ScheduleError: node_4: right held carrot": lambda: held(
        {**RIGHT, "node_4": ("left", 1.0), "node_2": ("left", 2.0), "node_5": ("left", 3.0)}
    ),
    "ScheduleError: node_1: its arm holds carrot": lambda: held(
        {
            **RIGHT,
            "node_1": ("right", 1.0),
            "node_2": ("left", 2.0),
            "node_4": ("right", 3.0),
            "node_5": ("left", 4.0),
            "node_6": ("right", 4.0),
            "node_7": ("right", 5.0),
            "node_8": ("left", 6.0),
            "node_9": ("left", 7.0),
        }
    ),
    "EventRefused: 'get' is running: its steps stay": lambda: after(
        StepsChanged("get", "x"), subtasks={"get": RUNNING}
    ),
    "EventRefused: 'get' has no steps of its own": lambda: after(
        StepsChanged("get", "x"), subtasks={"get": replace(RUNNING, status="waiting")}
    ),
    (
        "ValueError: the paper's rule counts stages: --objective makespan is for the others"
    ): lambda: schedule(CUT, method="paper", objective="makespan"),
    "ScheduleError: node_1: the paper's rule is for two arms": lambda: schedule(
        CUT, method="paper", team=ArmTeam(("left",))
    ),
    'ScheduleError: node_2: grasp "pot" needs 2 arms, and there are 1': lambda: schedule(
        BOTH, team=ArmTeam(("left",))
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
