"""``Workspace.run``: a run in memory or in a folder, and what can be read off it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treec
from tests.api.conftest import WAREHOUSE
from tests.support.library import copy_warehouse
from treec.world.journal import Record
from treec_fake_model.thread import FakeModelThread


@pytest.fixture(scope="module")
def shift(lib: treec.Workspace) -> treec.RunResult:
    return lib.run("warehouse", scenario="morning_shift")


def test_a_scenario_that_came_off_is_ok(shift: treec.RunResult) -> None:
    assert shift.ok
    assert (shift.reason, shift.folder) == ("done", None)
    assert str(shift).startswith("done after ")
    assert str(shift).endswith("as expected; 5 of 5 subtasks done")


def test_what_it_shows_of_itself_is_short(shift: treec.RunResult) -> None:
    assert repr(shift) == f"<RunResult {shift}>"
    shown = (shift, shift.summary, shift.state, shift.timeline, shift.outcome, shift.journal)
    assert all(len(repr(one)) < 200 for one in (*shown, shift.events))
    page = shift._repr_html_()
    assert "<th>Scout</th><td>inspect crate 12, inspect crate 31, inspect crate 40</td>" in page
    assert len(page) < 2000


def test_its_journal_is_read_in_every_way(shift: treec.RunResult, tmp_path: Path) -> None:
    assert shift.journal[0].kind == "run.begin"
    assert shift.journal[0].data["seed"] == 3  # the scenario's
    assert len(shift.events) > len(shift.journal)
    assert shift.summary.interrupted == {"Hauler": 1}
    assert [s.subtask for s in shift.timeline.spans if s.agent == "Scout"] == [
        "inspect crate 12",
        "inspect crate 31",
        "inspect crate 40",
    ]
    assert "fetch crate 31" in shift.report(tmp_path / "r.html").read_text("utf-8")


def test_its_events_are_a_table(shift: treec.RunResult) -> None:
    pytest.importorskip("pandas")
    table = shift.to_pandas()
    assert len(table) == len(shift.events)
    assert table[table.kind == "subtask.done"].subtask.tolist()[-1] == "fetch crate 31"


def test_the_same_seed_gives_the_same_journal(lib: treec.Workspace, shift: treec.RunResult) -> None:
    again = lib.run("warehouse", scenario="morning_shift")
    assert [r.line() for r in again.journal] == [r.line() for r in shift.journal]


def test_a_folder_keeps_it_and_a_callback_sees_each_record(
    lib: treec.Workspace, tmp_path: Path
) -> None:
    seen: list[Record] = []
    result = lib.run("warehouse", scenario="direct_orders", folder=tmp_path, on_record=seen.append)
    assert result.folder is not None
    lines = (result.folder / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert [r.line() for r in result.journal] == lines
    unseen = {r.kind for r in result.journal if r.n >= seen[0].n and r not in seen}
    assert unseen == {"tree", "ticked"}
    assert seen[-1].kind == "run.end"


def test_it_runs_beside_an_event_loop(lib: treec.Workspace) -> None:
    async def two() -> list[bool]:
        runs = [lib.run_async("warehouse", scenario=s) for s in ("direct_orders", "morning_shift")]
        return [result.ok for result in await asyncio.gather(*runs)]

    assert asyncio.run(two()) == [True, True]


@pytest.mark.thorough
def test_two_threads_may_be_the_first_to_check(tmp_path: Path) -> None:
    """A rule that one of them was importing was no rule for the other."""
    program = f"""
import asyncio, treec
lib = treec.open({str(WAREHOUSE)!r})
async def two():
    await asyncio.gather(*[lib.run_async("warehouse", scenario="direct_orders") for _ in "ab"])
asyncio.run(two())
"""
    environment = {**os.environ, "TREEC_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, env=environment)


def test_a_transport_of_ones_own_is_asked(lib: treec.Workspace) -> None:
    transport = treec.ScriptedTransport({}, default="no JSON at all")
    result = lib.run("warehouse", scenario="direct_orders", model=transport)
    assert result.ok  # after the last refusal the rules answer
    assert {request.node for request in transport.requests} >= {"Dispatch", "Operator_Talk"}


def test_a_model_is_asked_by_its_name_and_address(lib: treec.Workspace) -> None:
    with FakeModelThread({"cases": [{"answer": "no JSON at all"}]}) as server:
        model = {"model": "hosted_vllm/x", "api_base": server.url}
        result = lib.run("warehouse", scenario="direct_orders", **model)
        assert {request.node for request in server.model.asked} >= {"Dispatch", "Operator_Talk"}
    assert result.ok  # after the last refusal the rules answer


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"scenario": "morning_shit"}, "did you mean 'morning_shift'"),
        ({"scene": "attic"}, "unknown scene 'attic' of the system 'warehouse'; "),
        (
            {"task": "dance"},
            "^the system 'warehouse' takes no task: its domain has no state 'task'$",
        ),
        ({"scenrio": 3}, "^unknown field of RunSpec 'scenrio'; did you mean 'scenario'"),
        ({"seed": "x"}, "'seed' must be a whole number"),
    ],
)
def test_what_cannot_run_says_why(lib: treec.Workspace, options: dict[str, str], told: str) -> None:
    with pytest.raises(treec.TreecError, match=told):
        lib.run("warehouse", **options)  # type: ignore[arg-type]


def test_a_display_that_raises_does_not_end_the_run(lib: treec.Workspace) -> None:
    seen: list[Record] = []

    def broken(record: Record) -> None:
        seen.append(record)
        raise RuntimeError("no screen")

    with pytest.warns(RuntimeWarning, match="on_record raised RuntimeError: no screen at record"):
        result = lib.run("warehouse", scenario="direct_orders", on_record=broken)
    assert result.ok
    assert len(seen) == 1


def test_a_scenario_of_another_system_runs_where_nothing_in_it_is_wrong(tmp_path: Path) -> None:
    copy = copy_warehouse(tmp_path / "library")
    system = (copy / "trees/warehouse.system.yaml").read_text("utf-8")
    system = system.replace("system: warehouse", "system: other")
    (copy / "trees/other.system.yaml").write_text(system, "utf-8")
    result = treec.open(copy).run("other", scenario="direct_orders")
    assert result.ok
    assert result.journal[0].data["system"] == "other"


def test_a_scenario_that_does_not_fit_another_system_is_refused_at_its_line(tmp_path: Path) -> None:
    copy = copy_warehouse(tmp_path / "library")
    for name, rule in (("warehouse", ""), ("other", "agents: [Hauler, operator]\n")):
        system = (copy / "trees/warehouse.system.yaml").read_text("utf-8")
        system = system.replace("system: warehouse", f"system: {name}")
        (copy / f"trees/{name}.system.yaml").write_text(system + rule, "utf-8")
    path = copy / "trees/scenarios/direct_orders.scenario.yaml"
    path.write_text(path.read_text("utf-8") + "faults:\n  - 3s: out Scout\n", "utf-8")
    library = treec.open(copy)
    told = "belongs to the system 'warehouse', and does not fit 'other'"
    with pytest.raises(treec.CheckFailed, match=told) as failed:
        library.run("other", scenario="direct_orders")
    assert "direct_orders.scenario.yaml:14:13: error TC603: unknown agent 'Scout'" in str(
        failed.value
    )
    assert library.run("warehouse", scenario="direct_orders").reason == "idle"


TRIP = """\
tree: trip
ports: {agent: in Robot, place: in Place}
root:
  - skill: drive
    with: {agent: $agent, place: $place}
"""


def test_a_tree_runs_to_its_status(tmp_path: Path) -> None:
    copy_warehouse(tmp_path / "w")
    (tmp_path / "w/trees/trip.tree.yaml").write_text(TRIP, "utf-8")
    lib = treec.open(tmp_path / "w")
    result = lib.run(tree="trip", ports={"agent": "Scout", "place": "dock"}, folder=tmp_path)
    assert (result.ok, result.status, result.reason) == (True, "SUCCESS", "finished")
    assert result.state.facts["near", ("Scout",)].value == "dock"
    assert result.folder is not None
    assert result.folder.name.endswith("-trip")


def test_a_tree_of_a_file_runs_alone(tmp_path: Path, lib: treec.Workspace) -> None:
    file = tmp_path / "no.tree.yaml"
    file.write_text("tree: 'no'\nroot:\n  - check: 1 == 2\n", "utf-8")
    result = lib.run(tree=str(file))
    assert (result.ok, result.status) == (False, "FAILURE")


def test_a_system_is_no_tree(lib: treec.Workspace) -> None:
    with pytest.raises(treec.NotFound, match="unknown tree 'warehouse'"):
        lib.run(tree="warehouse")
    with pytest.raises(
        treec.NotFound, match=r"^no file \w+\.tree\.yaml with a tree \(NAME\.tree\.yaml\)$"
    ):
        lib.run(tree=Path("gone.tree.yaml"))
    with pytest.raises(treec.TreecError, match="specify a system or a tree to run"):
        lib.run()
    with pytest.raises(treec.TreecError, match="needs its port 'agent'"):
        lib.run(tree="robot_worker")
