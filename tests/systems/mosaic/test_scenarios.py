"""The shipped scenarios and prompts of MOSAIC, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from tests.cli.test_run import events, journal
from tests.decisions.test_moments import assert_asked_again, recorded

SCENARIOS = sorted(p.name.split(".")[0] for p in (ROOT / "trees/scenarios").glob("*.scenario.yaml"))


def test_a_caesar_salad_is_shared_out_refused_stopped_and_finished(
    treec: Treec, tmp_path: Path
) -> None:
    result = treec(
        "run", "mosaic", "--scenario", "caesar_salad", "--fast", "--runs", tmp_path, "-L", ROOT
    )
    assert result.status == 0, result.out + result.err
    happened = events(journal(tmp_path))
    did = {e["data"]["subtask"] for e in happened if e["kind"] == "subtask.done"}
    assert {"get pepper", "prepare lettuce", "stir bowl"} <= did
    given = {e["data"]["agent"] for e in happened if e["kind"] == "assigned"}
    assert given == {"R1", "R2", "user"}
    said = " ".join(
        e["data"]["text"] for e in happened if e["kind"] == "said" and e["data"]["who"] == "user"
    )
    assert "ranch sauce first" in said
    assert "Stop!" in said
    kinds = [a["kind"] for e in happened if e["kind"] == "acts.read" for a in e["data"]["acts"]]
    assert {"decline", "request", "stop", "resume", "done", "accept"} <= set(kinds)
    assert [e["data"]["agent"] for e in happened if e["kind"] == "agent.interrupted"] == ["R2"]
    assert "as expected" in result.out
    assert str(next(tmp_path.iterdir()).name) in result.out


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.few(3, thorough=7)
def test_every_scenario_ends_as_it_expects(treec: Treec, tmp_path: Path, name: str) -> None:
    result = treec("run", "mosaic", "-s", name, "--fast", "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    happened = events(journal(tmp_path))
    assert not [e for e in happened if e["kind"] in ("contract.broken", "node.raised")]


def test_the_projects_own_prompts_are_cases(library: Path, treec: Treec) -> None:
    listed = json.loads(treec("case", "list", "-L", library, "--output-format", "json").out)
    nodes = {row["case"].rpartition("/")[0] for row in listed}
    assert {"Decision", "Execution", "Kitchen_Talk", "Subtask_To_Skills", "One_Prompt"} <= nodes


@pytest.mark.thorough
def test_every_question_of_a_run_is_asked_again_to_the_letter() -> None:
    assert_asked_again(recorded(ROOT, "mosaic", "caesar_salad"))
