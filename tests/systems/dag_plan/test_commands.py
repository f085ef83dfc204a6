"""`treec run dag_plan` and `treec report` through the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Result, Treec
from tests.systems.dag_plan.conftest import SOUP, by_hand
from treec_fake_model.thread import FakeModelThread

Run = Callable[..., Result]
SCENARIOS = ("arm_drops_out", "arm_comes_back", "slipped", "closed_again", "pot_and_arms")


@pytest.fixture
def run(treec: Treec, tmp_path: Path) -> Run:
    def go(*args: object) -> Result:
        return treec("run", "dag_plan", *args, "--fast", "--runs", tmp_path / "runs")

    return go


def folder(tmp_path: Path) -> Path:
    """The newest run."""
    return sorted((tmp_path / "runs").iterdir())[-1]


def told(tmp_path: Path, kind: str) -> list[dict[str, Any]]:
    found = []
    for line in (folder(tmp_path) / "journal.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        commit = record["kind"] == "commit"
        found += [
            e for e in (record["data"]["events"] if commit else [record]) if e["kind"] == kind
        ]
    return [one["data"] for one in found]


def test_a_task_is_done_without_a_model_and_the_program_says_so(run: Run, tmp_path: Path) -> None:
    result = run("--task", SOUP, "--scene", "kitchen_2")
    assert result.status == 0, result.out + result.err
    assert "plan of 10 sub-tasks (offline): no model is there to make one" in result.out
    assert "✓ the task is done" in result.out
    assert "finished after 0:59" in result.out
    begun = told(tmp_path, "run.begin")[0]
    assert (begun["task"], begun["scene"]) == (SOUP, "kitchen_2")


def test_a_task_may_be_named_and_brings_its_scene(run: Run, tmp_path: Path) -> None:
    result = run("--task", "task_8")
    assert result.status == 0, result.out + result.err
    begun = told(tmp_path, "run.begin")[0]
    assert begun["scene"] == "kitchen_3"
    assert begun["task"].startswith("cut")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.few(2)
def test_every_scenario_ends_at_its_goal(run: Run, scenario: str) -> None:
    result = run("--scenario", scenario)
    assert result.status == 0, result.out + result.err
    assert "as expected" in result.out


def test_an_arm_that_drops_out_is_told_and_its_work_goes_to_the_other(
    run: Run, tmp_path: Path
) -> None:
    result = run("--scenario", "arm_drops_out")
    assert re.search(r"right +■ told to stop", result.out)
    late = result.out.partition("■ told to stop")[2]
    assert re.search(r'left +✓ close "refrigerator_cooler_door" done', late)
    assert not re.search(r"right +✓", late)


def test_a_grasp_that_slips_twice_is_given_to_the_other_arm(run: Run) -> None:
    result = run("--scenario", "slipped")
    assert len(re.findall(r'right +✗ grasp "bowl" failed', result.out)) == 2
    assert re.search(r'left +✓ grasp "bowl" done', result.out)


def test_words_that_nobody_can_plan_end_with_status_1_and_the_reason(run: Run) -> None:
    tea = run("--task", "make tea", "--scene", "kitchen_2")
    assert tea.status == 1
    assert "✗ no plan: cannot be done: there is no tea; there are bowl, cola bottle, " in tea.out
    result = run("--task", "put the cup away", "--scene", "kitchen_2")
    assert result.status == 1
    told = "no plan: no model is there to make one, and no file describes the task "
    told += "'put the cup away'; "
    assert told + f"known: task_4 (wash the cup and the bowl), task_5 ({SOUP})" in result.out
    near = run("--task", "task_55", "--scene", "kitchen_2")
    assert near.status == 1
    assert "no file describes the task 'task_55'; did you mean 'task_5'?" in near.out


def test_a_task_of_another_kitchen_is_named_with_its_own(run: Run) -> None:
    result = run("--task", "task_5", "--scene", "kitchen_1")
    assert (result.status, result.out) == (2, "")
    told = "the task 'task_5' is one of the scene 'kitchen_2', and not of 'kitchen_1'"
    assert f"{told}: leave --scene out, or name 'kitchen_2'" in result.err


def test_without_a_task_the_tasks_are_named(run: Run) -> None:
    result = run()
    assert result.status == 2
    assert f"task_5 ({SOUP})" in result.err


def test_an_unknown_scene_is_named_with_the_nearest(run: Run) -> None:
    result = run("--task", SOUP, "--scene", "kitchen2")
    assert result.status == 2
    assert "unknown scene 'kitchen2'" in result.err
    assert "did you mean 'kitchen_2'?" in result.err


@pytest.mark.needs_system("mosaic")
def test_a_system_whose_domain_has_no_task_takes_none(treec: Treec) -> None:
    result = treec("run", "mosaic", "--task", SOUP)
    assert result.status == 2
    assert "the system 'mosaic' takes no task" in result.err


def test_an_empty_task_is_none(run: Run) -> None:
    assert run("--task", " ").status == 2


@pytest.mark.thorough
def test_a_model_makes_the_graph_after_its_mistakes_were_quoted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    right = by_hand("task_5")
    wrong = {**right, "plan": right["plan"].replace('grasp "bowl"', 'grasp "bowle"')}
    cases = [
        {"node": "Task_Graph", "times": 1, "answer": wrong},
        {"node": "Task_Graph", "answer": right},
    ]
    with FakeModelThread({"model": "m-7", "cases": cases}) as server:
        result = run("--task", SOUP, "--model", "openai/gpt-4o", "--api-base", server.url)
        asked = [one.text for one in server.model.asked]
    assert result.status == 0, result.out + result.err
    assert len(asked) == 2
    assert 'unknown object "bowle" in this task (did you mean "bowl"?)' in asked[1]
    assert "plan of 10 sub-tasks (openai/gpt-4o@m-7)" in result.out


def test_the_tree_is_drawn_with_a_worker_for_each_arm(treec: Treec) -> None:
    result = treec("render", "dag_plan_main")
    assert result.status == 0
    assert "Task_Graph" in result.out
    assert "for agent in robots" in result.out
    assert "take from $agent" in result.out


def test_a_run_that_broke_off_is_taken_up(run: Run, treec: Treec, tmp_path: Path) -> None:
    run("--task", SOUP, "--scene", "kitchen_2")
    journal = folder(tmp_path) / "journal.jsonl"
    lines = journal.read_text("utf-8").splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if '"skill.started"' in line and "put_into" in line)
    journal.write_text("".join(lines[: at + 1]), "utf-8")
    result = treec("run", "--resume", folder(tmp_path), "--fast")
    assert "the task is done" in result.out
    assert result.status == 0
    assert told(tmp_path, "skill.ended")


class Pictures(HTMLParser):
    """Counts what a page is made of, and notes what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [str(v) for k, v in attrs if k in ("src", "href") and v]


def report(treec: Treec, tmp_path: Path, name: str = "report.html") -> str:
    output = tmp_path / name
    result = treec("report", folder(tmp_path), "-o", output)
    assert result.status == 0, result.err
    return output.read_text("utf-8")


def test_a_report_is_one_page_with_chart_graph_and_work(
    run: Run, treec: Treec, tmp_path: Path
) -> None:
    run("--task", SOUP, "--scene", "kitchen_2")
    page = report(treec, tmp_path)
    seen = Pictures()
    seen.feed(page)
    assert seen.tags.count("svg") == 2
    assert seen.loads == []
    assert "script" not in seen.tags
    assert f"Task: {SOUP}." in page
    assert page.count('class="bar done"') == 10 + 1  # and the legend's
    assert page.count('class="bar scheduled"') == 10 + 1
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


def test_a_report_is_the_same_each_time(run: Run, treec: Treec, tmp_path: Path) -> None:
    run("--scenario", "slipped")
    assert report(treec, tmp_path) == report(treec, tmp_path, "again.html")


def test_a_report_shows_what_failed_and_who_was_out(run: Run, treec: Treec, tmp_path: Path) -> None:
    run("--scenario", "arm_comes_back")
    page = report(treec, tmp_path)
    assert 'class="bar stopped"' in page
    assert 'class="bar out"' in page
    run("--scenario", "slipped")
    page = report(treec, tmp_path)
    assert 'class="bar failed"' in page
    assert "it slipped" in page
    assert "left, 29 to 38 s, 3 tries" in page


def test_the_chart_alone_is_an_svg(run: Run, treec: Treec, tmp_path: Path) -> None:
    run("--task", SOUP)
    root = ElementTree.fromstring(report(treec, tmp_path, "chart.svg"))
    rows = [
        e.text for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("class") == "row"
    ]
    assert rows == ["left", "right"]


@pytest.mark.needs_system("mosaic")
def test_a_run_of_another_system_has_a_report_too(treec: Treec, tmp_path: Path) -> None:
    treec("run", "mosaic", "-s", "caesar_salad", "--fast", "--runs", tmp_path / "runs")
    page = report(treec, tmp_path)
    assert page.count("<svg") == 1
    assert "stir the bowl" in page


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("nowhere",), "unknown run 'nowhere'"),
        ((".", "-o", "x.png"), ".svg (the chart) or .webp or .gif (the film), not '.png'"),
    ],
)
def test_what_cannot_be_reported(treec: Treec, args: tuple[str, ...], says: str) -> None:
    result = treec("report", *args)
    assert result.status == 2
    assert says in result.err
