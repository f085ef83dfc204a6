"""``Workspace.start``: a run that goes on, in real or virtual time, seen from other threads."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import py_trees
import pytest

import treec
from tests.api.conftest import WAREHOUSE
from tests.run.test_environments import GET, kitchen
from tests.support import small_world
from tests.support.bench import library
from tests.support.library import copy_warehouse
from tests.support.small_world import SmallWorld, install
from treec.world.journal import Record, events

BOUND = 20.0
"""Seconds in which what a test waits for has happened."""

ORDER = "Scout, inspect crate 40."


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> treec.Workspace:
    """A kitchen whose robots act in the small world."""
    here = SmallWorld.__module__
    install(tmp_path, monkeypatch, f"small = {here}:open_small")
    library(tmp_path / "kitchen", kitchen(GET))
    for unused in ("Steps.program", "Talk.reading"):
        (tmp_path / "kitchen/pack" / f"{unused}.yaml").unlink()
    return treec.open(tmp_path / "kitchen")


def first(events: Iterator[Record], kind: str) -> Record:
    """The first event of a kind."""
    return next(event for event in events if event.kind == kind)


def test_in_real_time_it_is_spoken_to_stopped_and_let_go_on(lib: treec.Workspace) -> None:
    with lib.start("warehouse", clock="real", speed=50) as run:
        run.say(ORDER)
        first(run.events(), "skill.started")
        assert run.state.agents["Scout"].subtask == "inspect crate 40"
        run.stop()
        ended = first(run.events(), "skill.ended")
        assert (ended.data["agent"], ended.data["cancelled"]) == ("Scout", True)
        run.resume()
        assert first(run.events(), "subtask.done").data["subtask"] == "inspect crate 40"
    result = run.wait(BOUND)
    assert (result.reason, result.ok) == ("stopped", True)
    assert result.journal[-1].kind == "run.end"


def test_a_pause_holds_its_clock_and_its_tree(lib: treec.Workspace) -> None:
    with lib.start("warehouse", clock="virtual") as run:
        run.pause()
        next(event for event in run.events() if event.data.get("did") == "paused")
        run.say(ORDER)
        with pytest.raises(treec.StillRunning, match=r"goes on after 0\.05 s"):
            run.wait(0.05)
        assert not run.state.talk
        run.resume()
        assert first(run.events(), "skill.ended").t == 5.0  # as if nobody had held it


def test_virtual_time_stands_still_until_somebody_speaks(lib: treec.Workspace) -> None:
    with lib.start("warehouse", clock="virtual") as run:
        with pytest.raises(treec.StillRunning):
            run.wait(0.05)
        run.say(ORDER)
        assert first(run.events(), "said").t == 0.0
        assert first(run.events(), "subtask.done").t == 11.0


def test_a_scenario_is_the_same_run_as_ever(lib: treec.Workspace) -> None:
    started = lib.start("warehouse", scenario="direct_orders", clock="virtual").wait(BOUND)
    assert started.ok
    ran = lib.run("warehouse", scenario="direct_orders")
    assert [r.line() for r in started.journal] == [r.line() for r in ran.journal]


def test_a_state_stays_as_it_was(lib: treec.Workspace) -> None:
    with lib.start("warehouse", clock="virtual") as run:
        before = run.state
        run.say(ORDER)
        first(run.events(), "subtask.done")
        assert run.state.subtasks
        assert not before.subtasks


def test_its_journal_is_in_a_folder(lib: treec.Workspace, tmp_path: Path) -> None:
    with lib.start("warehouse", clock="virtual", folder=tmp_path) as run:
        run.say(ORDER)
        first(run.events(), "skill.started")
    result = run.close()
    assert result.folder is not None
    lines = (result.folder / "journal.jsonl").read_text("utf-8").splitlines(keepends=True)
    assert [r.line() for r in result.journal] == lines


def test_once_it_has_ended_nobody_hears(lib: treec.Workspace) -> None:
    run = lib.start("warehouse", clock="virtual")
    run.close()
    for order in (lambda: run.say("stop"), run.stop, run.pause, run.resume):
        with pytest.raises(treec.TreecError, match="the run has ended"):
            order()


def test_it_has_a_twin_for_event_loops(lib: treec.Workspace) -> None:
    async def talk() -> treec.RunResult:
        async with await lib.start_async("warehouse", speed=50) as run:
            run.say(ORDER)
            async for event in run.events():
                if event.kind == "skill.started":
                    run.stop()
                elif event.kind == "skill.ended":
                    assert event.data["cancelled"]
                    break
        return await run.wait()

    result = asyncio.run(asyncio.wait_for(talk(), BOUND))
    assert result.reason == "stopped"


@pytest.mark.parametrize("clock", ["real", "virtual"])
def test_a_run_that_is_cancelled_halts_its_robots(lib: treec.Workspace, clock: str) -> None:
    seen: list[Record] = []
    is_cancelled = threading.Event()

    async def cancel() -> None:
        loop, begun = asyncio.get_running_loop(), asyncio.Event()

        def look(record: Record) -> None:
            seen.append(record)
            if record.kind == "skill.started":
                loop.call_soon_threadsafe(begun.set)
                is_cancelled.wait(BOUND)

        running = asyncio.create_task(
            lib.run_async(
                "warehouse", scenario="morning_shift", clock=clock, speed=50, on_record=look
            )
        )
        await asyncio.wait_for(begun.wait(), BOUND)
        running.cancel()
        loop.call_soon(loop.call_soon, is_cancelled.set)  # once the task has taken it
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancel())
    ended = [event for record in seen for event in events(record) if event.kind == "skill.ended"]
    assert [event.data["reason"] for event in ended] == ["cancelled"]
    assert (seen[-1].kind, seen[-1].data["reason"]) == ("run.end", "stopped")


@pytest.mark.thorough
@pytest.mark.parametrize("status", [0, -signal.SIGINT])
def test_a_program_that_ends_halts_its_run_first(tmp_path: Path, status: int) -> None:
    """By itself, or by SIGTERM, which is as Ctrl-C."""
    program = f"""
import treec
run = treec.open({str(WAREHOUSE)!r}).start("warehouse", folder={str(tmp_path)!r})
run.say({ORDER!r})
next(event for event in run.events() if event.kind == "skill.started")
if {status}:
    import signal, time
    signal.raise_signal(signal.SIGTERM)
    time.sleep({BOUND})
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=60)
    assert done.returncode == status
    (journal,) = tmp_path.glob("*/journal.jsonl")
    assert '"reason":"cancelled"' in journal.read_text("utf-8")
    assert '"kind":"run.end"' in journal.read_text("utf-8")


def test_what_an_environment_raises_as_it_opens_is_raised_by_start(
    small: treec.Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_world, "open_small", small_world.open_broken)
    with pytest.raises(treec.TreecError, match="'small' cannot be opened: no such device"):
        small.start("test", env="small")
    with pytest.raises(treec.TreecError, match="'small' cannot be opened: no such device"):
        small.compile(env="small").setup()


@pytest.mark.thorough
@pytest.mark.parametrize("clock", ["real", "virtual"])
def test_an_environment_of_its_own_steps_with_either_clock(
    small: treec.Workspace, clock: Literal["real", "virtual"]
) -> None:
    with small.start("test", env="small", clock=clock) as run:
        assert first(run.events(), "skill.ended").data["ok"]
        sensed = (event for event in run.events() if event.data.get("value") == "R1")
        assert next(sensed).data["args"] == ("pepper",)


@pytest.mark.thorough
def test_an_environment_of_its_own_steps_in_a_tree_of_somebody(small: treec.Workspace) -> None:
    tree = small.compile(env="small")
    stock = py_trees.trees.BehaviourTree(tree)
    stock.setup()
    until = time.monotonic() + BOUND
    while tree.value("holding('R1')") != "pepper":
        stock.tick()
        assert time.monotonic() < until
    stock.shutdown()


@pytest.mark.parametrize("name", ["smal", "wrd"])
def test_an_unknown_environment_is_told_before_anything_moves(
    small: treec.Workspace, name: str
) -> None:
    hint = "did you mean 'small'" if name == "smal" else "environments: symbolic"
    for begin in (small.run, small.start, lambda _, env: small.compile(env=env)):
        with pytest.raises(treec.TreecError, match=f"unknown environment '{name}'; {hint}"):
            begin("test", env=name)


def test_an_unknown_clock_is_told(lib: treec.Workspace) -> None:
    with pytest.raises(treec.NotFound, match="unknown clock 'reel'; did you mean 'real'"):
        lib.start("warehouse", clock="reel")  # type: ignore[arg-type]


def test_a_workspace_reads_its_files_again(tmp_path: Path) -> None:
    copy = copy_warehouse(tmp_path / "library")
    lib = treec.open(copy)
    assert lib.check().ok
    system = copy / "trees/warehouse.system.yaml"
    system.write_text(system.read_text("utf-8").replace("root: ", "root: no_"), "utf-8")
    assert lib.check().ok
    lib.reload()
    assert not lib.check().ok


def test_a_compiled_tree_has_its_ports(lib: treec.Workspace) -> None:
    tree = lib.compile("charge_when_low", ports={"agent": "Scout"}, seconds_per_tick=1.0)
    assert tree.name == "charge_when_low"
    with pytest.raises(treec.NotFound, match="unknown port 'agnt' of 'charge_when_low'"):
        lib.compile("charge_when_low", ports={"agent": "Scout", "agnt": "Scout"})
    with pytest.raises(treec.TreecError, match="needs its port 'agent'"):
        lib.compile("charge_when_low")


@pytest.mark.thorough
def test_a_run_with_a_folder_keeps_no_records(lib: treec.Workspace, tmp_path: Path) -> None:
    def kept() -> int:
        gc.collect()
        return sum(type(one) is Record for one in gc.get_objects())

    before = kept()
    run = lib.start("warehouse", scenario="morning_shift", clock="virtual", folder=tmp_path)
    last = max(event.n for event in run.events())
    assert last > 100
    assert kept() - before <= 20  # for what an alarm would tell
    assert first(run.events(), "run.begin").n == 1
    assert run.state.records == last
    assert [one.n for one in run.events()] == [one.n for one in run.wait().events]
