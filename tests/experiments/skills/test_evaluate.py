"""``python -m experiments.skills.evaluate`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, WAREHOUSE
from tests.experiments.conftest import Experiment
from tests.support.library import copy_warehouse

CALL = ("skills.evaluate", "-L", WAREHOUSE, "--system", "warehouse", "--scene", "warehouse")


def test_a_table_by_skill_agent_object_and_scene(experiment: Experiment) -> None:
    done = experiment(*CALL, "--n", 3, "-j", 1, "--skill", "pick", "--skill", "scan")
    assert done.status == 0, done.err
    assert done.out.startswith("6 trials in symbolic, 3 of each skill, seed 0:")
    for row in ("warehouse: pick ", "warehouse: pick crate 31", "warehouse: scan by Scout"):
        assert row in done.out
    assert "failed of" not in done.out
    assert "6 trials, 1 at a time; the trials took 0 s" in done.err


@pytest.mark.thorough
def test_the_number_of_processes_changes_nothing_but_the_wall_time(experiment: Experiment) -> None:
    call = (*CALL, "--n", 3, "--skill", "pick", "--output-format", "json", "-j")
    found = []
    for jobs in (1, 2):
        done = experiment(*call, jobs)
        assert done.status == 0, done.err
        trials = json.loads(done.out)["trials"]
        found.append(
            [
                {k: v for k, v in one.items() if k not in ("wall_seconds", "cpu_seconds")}
                for one in trials
            ]
        )
    assert found[0] == found[1]
    assert [trial["seconds"] for trial in found[0]] == [4.0] * 3


def test_the_page_is_written_between_its_markers(experiment: Experiment, tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    call = ("skills.evaluate", "-L", library, *CALL[3:], "--n", 1, "-j", 1, "--skill", "pick")
    missing = experiment(*call, "--write")
    assert (missing.status, "no such file" in missing.err) == (2, True)
    page = library / "docs" / "results" / "skills.md"
    page.parent.mkdir(parents=True)
    begin, end = (
        "<!-- measured: python -m experiments.skills.evaluate --write -->",
        "<!-- end of measured -->",
    )
    page.write_text(f"head\n{begin}\nold\n{end}\ntail\n", "utf-8")
    assert experiment(*call, "--write").status == 0
    text = page.read_text("utf-8")
    assert text.startswith("head\n")
    assert text.endswith("tail\n")
    assert "old" not in text
    assert (
        "python -m experiments.skills.evaluate --env symbolic --system warehouse --skill pick"
        in text
    )
    assert " cores, " in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--skill", "pik"), "unknown skill 'pik'; did you mean 'pick'?"),
        (("--env", "sapein"), "unknown environment 'sapein'"),
        (("--skill", "charge"), "nothing of this is possible in these scenes"),
    ],
)
def test_what_is_wrong_is_said(experiment: Experiment, words: tuple[str, ...], said: str) -> None:
    done = experiment(*CALL, *words)
    assert (done.status, said in done.err) == (2, True), done.err


@pytest.mark.needs_system("dag_plan")
@pytest.mark.slow
def test_with_physics_a_skill_is_tried_and_how_far_a_door_opened_is_measured(
    experiment: Experiment,
) -> None:
    pytest.importorskip("sapien")
    call = ("skills.evaluate", "-L", ROOT, "--env", "sapien", "--system", "dag_plan")
    one = ("--scene", "kitchen_2", "--skill", "open", "--objects", 1, "--n", 1, "-j", 1)
    done = experiment(*call, *one, "--output-format", "json")
    assert done.status == 0, done.err
    (trial,) = json.loads(done.out)["trials"]
    assert trial["begun"]
    assert trial["ok"], trial["reason"]
    assert trial["measures"]["open"] > 0.5
