"""A plan is done in its world until something is violated: stage, arm, reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treec_dag_plan.arms.layout import ArmLayout, read_layout
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.validate import PlanValidation, PlanViolation, validate
from treec_dag_plan.arms.validate_read import PlanReading, read_plan

from .conftest import PLANS, ROOT, graph

Task = Callable[[int], AllocationProblem]

LAYOUT = """\
layout: kitchen_2
hands: {left: [-0.3, 0.0, 0.9], right: [0.3, 0.0, 0.9]}
objects:
  table: [0.0, 0.4, 0.75]
  microwave: [0.45, 0.45, 0.9]
  microwave_door: [0.4, 0.25, 0.9]
  refrigerator_cooler_body: [1.0, 0.5, 0.9]
  refrigerator_cooler_door: [0.85, 0.15, 0.95]
  tin: [0.92, 0.45, 0.95]
  bowl: [1.08, 0.45, 0.95]
  cola_bottle: [0.95, 0.55, 1.0]
"""


@pytest.fixture
def layout() -> ArmLayout:
    found, problems = read_layout(LAYOUT)
    assert found is not None, problems
    return found


def judge(
    problem: AllocationProblem, source: Path | str, layout: ArmLayout | None = None
) -> PlanValidation:
    reading = read_plan(source, graph(int(problem.entry.name[-1])), problem.world.arms)
    assert reading.problems == ()
    return validate(reading.steps, problem.world, layout)


def stages(*names: str) -> str:
    return "stages:\n" + "".join(f"  stage_{n}: {{name: '{s}'}}\n" for n, s in enumerate(names, 1))


@pytest.mark.parametrize(
    "name", ["task_5_tp_s", "task_5_dag_plan", "task_8_dag_plan", "task_9_both"]
)
def test_the_papers_good_plans_are_right(task: Task, name: str) -> None:
    assert judge(task(int(name[5])), PLANS / f"{name}.yaml").violation is None


@pytest.mark.parametrize(("number", "kitchen"), [(5, 2), (8, 3)])
def test_the_papers_executions_fit_our_scenes(task: Task, number: int, kitchen: int) -> None:
    """Appendix D.1 and D.2: no arm crossed another."""
    found, problems = read_layout(ROOT / f"trees/dag_plan/layouts/kitchen_{kitchen}.yaml")
    assert problems == []
    assert judge(task(number), PLANS / f"task_{number}_dag_plan.yaml", found).violation is None


def violated(result: PlanValidation) -> tuple[int, tuple[str, ...], str, str]:
    found = result.violation
    assert isinstance(found, PlanViolation)
    return found.stage, found.arms, found.name, found.reason


@pytest.mark.parametrize(
    ("name", "stage", "arm", "sub_task", "reason"),
    [
        ("task_5_tp_d", 4, "left", 'switch_on "microwave"', "opened(microwave_door) is so"),
        ("task_5_full_hand", 3, "left", 'close "refrigerator_cooler_door"', "holding(left) is tin"),
        ("task_8_tp_d", 5, "left", 'cut "red_bell_pepper" with "knife"', "holding(left) is none"),
    ],
)
def test_the_papers_bad_plans_are_stopped_where_they_go_wrong(
    task: Task, name: str, stage: int, arm: str, sub_task: str, reason: str
) -> None:
    found = violated(judge(task(int(name[5])), PLANS / f"{name}.yaml"))
    assert found[:3] == (stage, (arm,), sub_task)
    assert reason in found[3]


def test_a_stage_that_does_not_say_which_arm_is_told_at_its_line(task: Task) -> None:
    """TP-S's failure in task 8 (C.2)."""
    reading = read_plan(PLANS / "task_8_tp_s.yaml", None)
    assert [(p.code, p.span.line, p.span.column) for p in reading.problems] == [
        ("TC732", 8, 20),
        ("TC732", 11, 20),
    ]


def test_arms_that_would_cross_are_stopped(task: Task, layout: ArmLayout) -> None:
    """D.3: right in the world, and the arms cross on their way."""
    good = judge(task(5), PLANS / "task_5_dag_plan.yaml", layout)
    assert good.violation is None
    stage, arms, name, reason = violated(judge(task(5), PLANS / "task_5_tp_d.yaml", layout))
    assert (stage, arms) == (1, ("left", "right"))
    assert name == 'open "refrigerator_cooler_door"'
    assert "cross" in reason
    assert '0.45 m further right than that of open "microwave_door"' in reason


def test_arms_cross_over_where_a_thing_was_put_not_where_it_was(
    task: Task, layout: ArmLayout
) -> None:
    """Section 4.2, task 6: the bottle goes back to the right of the microwave's door."""
    plan = stages(
        'open "microwave_door" (left) and open "refrigerator_cooler_door" (right)',
        'grasp "cola_bottle" (left) and grasp "bowl" (right)',
        'pour "cola_bottle" into "cup" (left)',
        'put "bowl" into "microwave" (right)',
        'put "cola_bottle" into "refrigerator_cooler_body" (left)'
        ' and close "microwave_door" (right)',
    )
    text = LAYOUT + "  cup: [-0.1, 0.25, 0.8]\n"
    found, _ = read_layout(text)
    stage, arms, _, reason = violated(judge(task(6), plan, found))
    assert (stage, arms) == (5, ("left", "right"))
    assert "cross" in reason


def test_targets_too_far_apart_are_stopped(task: Task) -> None:
    found, _ = read_layout(LAYOUT.replace("hands:", "distance: 0.4\nhands:"))
    stage, arms, _, reason = violated(judge(task(5), PLANS / "task_5_dag_plan.yaml", found))
    assert (stage, arms) == (1, ("left", "right"))
    assert "0.46 m apart, farther than 0.4 m" in reason


def test_a_thing_that_the_layout_lacks_is_told(task: Task) -> None:
    inside, _ = read_layout(LAYOUT.replace("  tin:", "  tinn:"))  # it is where the cooler is
    assert judge(task(5), PLANS / "task_5_dag_plan.yaml", inside).good
    found, _ = read_layout(LAYOUT.replace("  tin:", "  tinn:").replace("cooler_body:", "body:"))
    stage, arms, _, reason = violated(judge(task(5), PLANS / "task_5_dag_plan.yaml", found))
    assert (stage, arms, reason) == (2, ("left",), 'the layout does not say where "tin" is')


def test_our_own_form_names_nodes(task: Task) -> None:
    plan = (
        '{"stages": [{"left": "node_1", "right": "node_3"}, {"left": "node_2", "right": "node_4"}]}'
    )
    assert judge(task(1), plan).good
    early = '{"stages": [{"left": "node_1", "right": null}, {"left": "node_2", "right": null}]}'
    assert violated(judge(task(1), early))[0] == 0


def test_a_node_on_both_sides_is_one_sub_task_for_both_arms(task: Task) -> None:
    plan = '{"stages": [{"left": "node_1", "right": null}, {"left": "node_2", "right": "node_2"}]}'
    result = judge(task(9), plan)
    assert "the goal is missed" in violated(result)[3]


def test_what_helps_within_its_own_stage_comes_too_late(task: Task) -> None:
    """One arm cannot take what the other is just making accessible."""
    plan = stages('open "cabinet_left_door" (left) and grasp "knife" (right)')
    stage, arms, name, reason = violated(judge(task(8), plan))
    assert (stage, arms, name) == (1, ("right",), 'grasp "knife"')
    assert "opened(cabinet_left_door)" in reason


def test_what_one_arm_does_must_not_spoil_what_the_other_does(task: Task) -> None:
    plan = stages(
        'open "refrigerator_cooler_door" (left)',
        'grasp "tin" (left) and close "refrigerator_cooler_door" (right)',
    )
    stage, arms, name, reason = violated(judge(task(5), plan))
    assert (stage, arms, name) == (2, ("left",), 'grasp "tin"')
    assert reason.startswith('not at the same time as close "refrigerator_cooler_door"')


def test_an_arm_does_one_thing_in_a_stage(task: Task) -> None:
    plan = stages('grasp "apple" (left) and grasp "bread" (left)')
    assert violated(judge(task(1), plan))[:2] == (1, ("left",))


def test_a_plan_that_ends_early_misses_the_goal(task: Task) -> None:
    stage, _, _, reason = violated(judge(task(1), stages('grasp "apple" (left)')))
    assert stage == 0
    assert "at(apple) is left, not plate" in reason


@pytest.mark.parametrize(
    "words",
    [
        'grasp "apple" (left) and grasp "bread" (right)',
        'grasp "bread" (right hand), grasp "apple" (left arm)',
        "grasp “apple” (LEFT) and grasp 'bread' (right)".replace("'", "''"),
    ],
)
def test_the_baselines_form_is_read_however_it_is_written(words: str) -> None:
    (step,) = read_plan(stages(words)).steps
    found = {part.arms: part.name for part in step.parts}
    assert set(found) == {("left",), ("right",)}
    assert "apple" in found[("left",)]


def test_nothing_and_both_are_read() -> None:
    steps = read_plan(stages('None (left) and grasp "a and b" (right)', 'grasp "pot" (both)')).steps
    assert [[(p.arms, p.name) for p in step.parts] for step in steps] == [
        [(("right",), 'grasp "a and b"')],
        [(("left", "right"), 'grasp "pot"')],
    ]


def problems(reading: PlanReading) -> list[tuple[str, str]]:
    return [(p.code, p.message) for p in reading.problems]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this file is empty"),
        ("stages: soon", "a plan has 'stages'"),
        (stages('grasp "a" (middle)'), "stage 1: unknown arm 'middle'"),
        ('{"stages": [{"left": "node_9"}]}', "stage 1: unknown node 'node_9'"),
        ('{"stages": [{"lft": "node_1"}]}', "unknown arm 'lft'"),
        ("stages: [1]", "stage 1 has neither arms nor a name"),
    ],
)
def test_what_is_no_plan_is_a_finding(text: str, message: str) -> None:
    assert problems(read_plan(text, graph(1))) == [("TC732", message)]


def test_ids_without_a_graph_ask_for_it() -> None:
    reading = read_plan('{"stages": [{"left": "node_1"}]}')
    assert reading.problems[0].help == "specify the graph with --graph"


def test_the_baselines_stages_are_read_without_the_word_above_them() -> None:
    stage = "stage_1: {name: 'open \"refrigerator_cooler_door\" (left) and None (right)'}\n"
    bare = read_plan(stage, arms=("left", "right"))
    under = read_plan("stages:\n  " + stage, arms=("left", "right"))
    assert bare.problems == under.problems == ()
    assert len(bare.steps) == len(under.steps) == 1


def test_what_takes_one_arm_is_not_told_in_words_of_a_graph(task: Task) -> None:
    both = stages('open "refrigerator_cooler_door" (both)')
    found = judge(task(5), both).violation
    assert found is not None
    assert found.help == "write (left) or (right)"
    node = '{"stages": [{"left": "node_1", "right": "node_1"}]}'
    found = judge(task(5), node).violation
    assert found is not None
    assert found.help == "let it stand with one arm alone"
    assert (
        found.text
        == 'stage 1, left and right: open "refrigerator_cooler_door" takes one arm, not 2'
    )
    again = '{"stages": [{"left": 1}, {"left": "node_01"}]}'
    found = judge(task(5), again).violation
    assert found is not None
    assert found.help == "stage 1 has done node_1 already: leave it out here"
    found = judge(task(5), stages('grasp "tin" and put "tin" onto "table" (left)')).violation
    assert found is not None
    assert found.reason == "'grasp and put onto' is more than one command"
    found = judge(task(9), stages('grasp "pot" (left)')).violation
    assert found is not None
    assert found.help == "write (both)"


def test_a_violation_is_a_finding_at_its_place(task: Task) -> None:
    reading = read_plan(PLANS / "task_5_tp_d.yaml", None)
    assert reading.source is not None
    violation = validate(reading.steps, task(5).world).violation
    assert violation is not None
    found = violation.finding(reading.steps, reading.source)
    assert (found.code, found.span.line, found.span.column) == ("TC733", 6, 65)
    short = read_plan(stages('open "refrigerator_cooler_door" (left)'), None)
    assert short.source is not None
    violation = validate(short.steps, task(5).world).violation
    assert violation is not None
    found = violation.finding(short.steps, short.source)
    assert (found.code, found.span.line) == ("TC734", 2)
    assert found.message.startswith("the goal is missed: ")
