"""Arms that differ in skills, durations and reach: one model for check, schedule, run and PDDL."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from treec.files.library import load_library
from treec_dag_plan.arms.abilities import team_of
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.commands import interpret_all
from treec_dag_plan.arms.deorder import deorder
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.pddl import to_pddl
from treec_dag_plan.arms.planner import PACKAGE, find_sequence
from treec_dag_plan.arms.problem import AllocationProblem, ProblemError, problem_in
from treec_dag_plan.arms.read import read_graph, read_parts
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import steps_of

GRAPHS = ROOT / "trees/dag_plan/graphs"
NO_DOORS = "[grasp, put_into, put_onto, switch_on, switch_off, cut, pour]"
Kitchen = Callable[..., Path]


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    """A library with the arms' kitchen, in which some arms differ."""

    def make(right: str = "", left: str = "", *, far: bool = False, reach: str = "left") -> Path:
        root = tmp_path / "library"
        for folder in ("envs/dual_kitchen", "trees/dag_plan", "prompts/dag_plan"):
            shutil.copytree(
                ROOT / folder, root / folder, ignore=shutil.ignore_patterns("*.py", "physical")
            )
        (root / "treec.toml").write_text("[library]\n", "utf-8")
        for task in (root / "trees/dag_plan/problems").glob("*"):
            if "task_5" not in task.name:
                task.unlink()
        place = root / "envs/dual_kitchen"
        for arm, more in (("left", left), ("right", right)):
            file = place / f"{arm}.agent.yaml"
            starts = "\nstarts: {long: true}" if far and arm == reach else ""
            file.write_text(f"{file.read_text('utf-8').rstrip()}\n{more}{starts}\n", "utf-8")
        if far:
            domain = place / "dual_kitchen.domain.yaml"
            facts = "facts:\n  long: {args: [Arm]}\n  far: {args: [Thing]}\n"
            domain.write_text(domain.read_text("utf-8").replace("facts:\n", facts, 1), "utf-8")
            skill = place / "skills/grasp.skill.yaml"
            condition = "before:\n  - not far(at(item)) or long(agent)\n"
            skill.write_text(skill.read_text("utf-8").replace("before:\n", condition, 1), "utf-8")
            task = root / "trees/dag_plan/problems/task_5.problem.yaml"
            task.write_text(
                task.read_text("utf-8") + "starts: {refrigerator_cooler_body: {far: true}}\n",
                "utf-8",
            )
        return root

    return make


@pytest.fixture
def suction(kitchen: Kitchen) -> Path:
    """The arms' kitchen with fingers on the left and a suction cup on the right.

    The cup grasps by a skill of its own, for which the command is the same.
    """
    root = kitchen()
    place = root / "envs/dual_kitchen"
    for arm, kind in (("left", "Fingers"), ("right", "Cup")):
        edit(place / f"{arm}.agent.yaml", "is: Arm", f"is: {kind}")
    hands = "  Arm: {is: Robot}\n  Fingers: {is: Arm}\n  Cup: {is: Arm}\n"
    edit(place / "dual_kitchen.domain.yaml", "  Arm: {is: Robot}\n", hands)
    grasp = place / "skills/grasp.skill.yaml"
    cup = place / "skills/suck.skill.yaml"
    cup.write_text(grasp.read_text("utf-8").replace("item", "thing"), "utf-8")
    edit(cup, "agent: Arm, thing: Item", "agent: Cup, thing: Item")
    edit(cup, "skill: grasp", "skill: suck")
    edit(cup, "takes: 9s", "takes: 4s")
    edit(grasp, "agent: Arm", "agent: Fingers")
    slipped = root / "trees/dag_plan/scenarios/slipped.scenario.yaml"
    edit(slipped, "fail grasp(agent=right, item=bowl)", "fail suck(agent=right, thing=bowl)")
    return root


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def skills_begun(runs: Path) -> set[tuple[str, str]]:
    """The pairs (agent, skill) that a run began."""
    (journal,) = runs.rglob("journal.jsonl")
    found = set()
    for line in journal.read_text("utf-8").splitlines():
        record = json.loads(line)
        inner = record["data"]["events"] if record["kind"] == "commit" else [record]
        found |= {
            (one["data"]["agent"], one["data"]["skill"])
            for one in inner
            if one["kind"] == "skill.started"
        }
    return found


def problem(root: Path, name: str = "task_5") -> AllocationProblem:
    return problem_in(load_library(root), name)


def graph(number: int) -> TaskGraph:
    found, _ = read_graph(GRAPHS / f"task_{number}.yaml")
    assert found is not None
    return found


def arms_of(found: AllocationProblem, number: int = 5) -> dict[str, set[str]]:
    """Sub-task → the arms that do it in a schedule, which is valid in the world."""
    task = graph(number)
    team = team_of(task, found.world, interpret_all(found.world, task))
    plan = schedule(task, team=team)
    assert validate(steps_of(plan, task), found.world).violation is None
    done: dict[str, set[str]] = {}
    for stage in plan.stages:
        for arm, id in stage.arms.items():
            if id is not None:
                done.setdefault(task.by_id[id].name, set()).add(arm)
    return done


def test_alike_arms_need_no_team() -> None:
    assert problem(ROOT).world.alike


def test_a_schedule_gives_doors_to_the_arm_that_has_the_skill(kitchen: Kitchen) -> None:
    found = problem(kitchen(f"skills: {{{NO_DOORS[1:-1].replace(',', ': {},')}: {{}}}}"))
    assert not found.world.alike
    checked = check_graph(read_parts(GRAPHS / "task_5.yaml"), found.world)
    assert not checked.problems
    who = arms_of(found)
    assert all(arms == {"left"} for name, arms in who.items() if "door" in name)
    assert {"right"} in who.values()


def test_a_schedule_gives_far_things_to_the_arm_that_reaches_them(kitchen: Kitchen) -> None:
    found = problem(kitchen(far=True))
    assert check_graph(read_parts(GRAPHS / "task_5.yaml"), found.world).good
    who = arms_of(found)
    assert (who['grasp "bowl"'], who['grasp "tin"']) == ({"left"}, {"left"})


def test_what_no_arm_reaches_is_found_before_running(kitchen: Kitchen) -> None:
    found = problem(kitchen(far=True, reach="nobody"))
    checked = check_graph(read_parts(GRAPHS / "task_5.yaml"), found.world)
    assert {one.code for one in checked.errors} == {"TC735"}
    told = [one.message for one in checked.errors]
    assert any('grasp "bowl"' in text and "long(left) is needed" in text for text in told)


def test_the_skill_that_an_arm_could_have_for_a_command_is_named(suction: Path) -> None:
    """Not the other arm's skill, which says the same words."""
    place = suction / "envs/dual_kitchen"
    edit(place / "left.agent.yaml", "is: Fingers", "is: Fingers\nskills: {open: {}}")
    edit(place / "right.agent.yaml", "is: Cup", "is: Cup\nskills: {open: {}}")
    checked = check_graph(read_parts(GRAPHS / "task_5.yaml"), problem(suction).world)
    (told,) = (one.message for one in checked.errors if 'grasp "bowl"' in one.message)
    assert "unknown skill 'grasp' of left; unknown skill 'suck' of right" in told


def test_a_skill_that_a_thing_rules_out_is_named_for_its_arm(suction: Path) -> None:
    place = suction / "envs/dual_kitchen"
    edit(place / "left.agent.yaml", "is: Fingers", "is: Fingers\nskills: {open: {}}")
    edit(place / "dual_kitchen.domain.yaml", "facts:\n", "facts:\n  smooth: {args: [Thing]}\n")
    edit(place / "skills/suck.skill.yaml", "before:\n", "before:\n  - smooth(thing)\n")
    checked = check_graph(read_parts(GRAPHS / "task_5.yaml"), problem(suction).world)
    assert any("smooth(bowl) does not hold" in one.message for one in checked.errors)


def test_a_hold_that_no_arm_can_do_whole_is_found(kitchen: Kitchen) -> None:
    right = "skills: {grasp: {}, grasp_both: {}, open: {}, close: {}, switch_on: {}}"
    found = problem(kitchen(f"{right}", "skills: {put_into: {}, put_onto: {}, switch_off: {}}"))
    checked = check_graph(read_parts(GRAPHS / "task_5.yaml"), found.world)
    assert {one.code for one in checked.errors} == {"TC735"}
    assert any('no arm can hold "bowl" all the way' in one.message for one in checked.errors)


def test_a_plan_for_an_arm_without_the_skill_is_not_valid(kitchen: Kitchen) -> None:
    found = problem(kitchen("skills: {grasp: {}}"))
    task = graph(5)
    violation = validate(steps_of(schedule(task), task), found.world).violation
    assert violation is not None
    assert "of right" in violation.reason


def test_pddl_says_who_has_a_skill_and_how_long_it_takes(kitchen: Kitchen) -> None:
    pddl = to_pddl(problem(kitchen("skills: {grasp: {takes: 20s}, put_onto: {}}")))
    assert "(able_open ?agent)" in pddl.domain
    assert "(able_open left)" in pddl.problem
    assert "(able_open right)" not in pddl.problem
    assert "(increase (total-cost) (takes_grasp ?agent))" in pddl.domain
    assert "(= (takes_grasp right) 20000)" in pddl.problem
    assert "able_" not in to_pddl(problem(ROOT)).domain


@pytest.mark.thorough
@pytest.mark.skipif(find_spec(PACKAGE) is None, reason="Fast Downward is not installed")
def test_a_planner_plans_for_the_arms_that_there_are(kitchen: Kitchen) -> None:
    found = problem(kitchen("skills: {grasp: {}, put_into: {}, put_onto: {}}", far=True))
    sequence = find_sequence(found, 2)
    for action in sequence:
        assert found.world.lack(action.skill, action.arms) is None
    takes = [action for action in sequence if action.skill.name == "grasp"]
    assert {action.arms for action in takes} == {("left",)}
    assert deorder(found.world, sequence).good


def test_a_run_gives_each_arm_what_it_can_do(kitchen: Kitchen, treec: Treec) -> None:
    root = kitchen("skills: {grasp: {takes: 3s}, put_into: {}, put_onto: {takes: 3s}}", far=True)
    runs = root / "runs"
    result = treec("run", "dag_plan", "--task", "task_5", "-L", root, "--fast", "--runs", runs)
    assert result.status == 0, result.out + result.err
    assert "the task is done" in result.out
    (journal,) = runs.rglob("journal.jsonl")
    failed = [line for line in journal.read_text("utf-8").splitlines() if "subtask.failed" in line]
    assert not failed


def test_the_command_schedules_with_the_tasks_arms(kitchen: Kitchen, treec: Treec) -> None:
    root = kitchen("skills: {grasp: {}, put_into: {}, put_onto: {}}")
    file = GRAPHS / "task_5.yaml"
    args = ("--task", "task_5", "-L", root, "--output-format", "json")
    result = treec("plan", "schedule", file, *args)
    assert result.status == 0, result.err
    stages = json.loads(result.out)["stages"]
    doors = {node.id for node in graph(5).work() if "door" in node.name}
    assert not doors & {stage["right"] for stage in stages}
    timed = treec("plan", "schedule", file, *args, "--objective", "makespan")
    assert json.loads(timed.out)["makespan"] > 30


def test_one_command_is_the_skill_that_an_arm_has_for_it(suction: Path) -> None:
    found = problem(suction)
    assert check_graph(read_parts(GRAPHS / "task_5.yaml"), found.world).good
    who = arms_of(found)
    assert {arm for name, arms in who.items() if name.startswith("grasp") for arm in arms} == {
        "left",
        "right",
    }
    task = graph(5)
    meanings = interpret_all(found.world, task)
    grasp = next(id for id, meaning in meanings.items() if meaning.skill.name == "grasp")
    times = team_of(task, found.world, meanings).times[grasp]
    assert times == {"left": 9.0, "right": 4.0}


def test_a_run_begins_the_skill_that_the_arm_has(suction: Path, treec: Treec) -> None:
    runs = suction / "runs"
    result = treec("run", "dag_plan", "--task", "task_5", "-L", suction, "--fast", "--runs", runs)
    assert result.status == 0, result.out + result.err
    takes = {pair for pair in skills_begun(runs) if pair[1] in ("grasp", "suck")}
    assert takes == {("left", "grasp"), ("right", "suck")}


def test_an_arm_that_takes_over_has_another_skill_for_it(suction: Path, treec: Treec) -> None:
    """The cup fails twice to take the bowl; the fingers do it by their own skill."""
    runs = suction / "runs"
    args = ("--scenario", "slipped", "-L", suction, "--fast", "--runs", runs)
    result = treec("run", "dag_plan", *args)
    assert result.status == 0, result.out + result.err
    late = result.out.partition("suck(bowl): it slipped")[2]
    assert re.search(r"left +grasp\(bowl\)", late), result.out


@pytest.mark.thorough
@pytest.mark.skipif(find_spec(PACKAGE) is None, reason="Fast Downward is not installed")
def test_a_sequence_with_both_skills_becomes_a_graph(suction: Path) -> None:
    found = problem(suction)
    sequence = find_sequence(found, 2)
    assert deorder(found.world, sequence).good


@pytest.mark.parametrize(
    ("skill", "effect"),
    [
        ("grasp", "holding(agent) == item"),
        ("put_onto", "holding(agent) == none"),
        ("grasp_both", "holding(other) == item"),
        ("put_into_both", "holding(other) == none"),
    ],
)
def test_a_forgotten_hand_is_reported_at_the_skills_effects(
    kitchen: Kitchen, treec: Treec, skill: str, effect: str
) -> None:
    """Not at the graph, whose `grasp` would then be of type operate."""
    root = kitchen()
    file = root / f"envs/dual_kitchen/skills/{skill}.skill.yaml"
    before, after = file.read_text("utf-8").split("after:\n")
    left = after.replace(f"  - {effect}\n", "", 1)
    assert left != after
    file.write_text(f"{before}after:\n{left}", "utf-8")
    line = before.count("\n") + 2
    where = f"envs/dual_kitchen/skills/{skill}.skill.yaml:{line}:3"
    why = f"write {effect} among the effects of '{skill}'"
    with pytest.raises(ProblemError, match=re.escape(f"{where}: {why}")):
        problem_in(load_library(root), "task_5")
    if skill == "grasp":
        checked = treec("check", "-L", root)
        assert f"{where}: error TC608: {why}\n" in checked.out
        assert "1 error in 1 file" in checked.out
        planned = treec("plan", "check", GRAPHS / "task_5.yaml", "--task", "task_5", "-L", root)
        assert (planned.status, planned.err) == (2, f"treec: {where}: {why}\n")
