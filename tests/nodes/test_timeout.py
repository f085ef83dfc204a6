from __future__ import annotations

import json
from pathlib import Path

import pytest
from py_trees.common import Status

from tests.nodes.build import probes
from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes.modifiers.timeout import Timeout, duration_text
from treec.world.clock import VirtualClock


def timed(script: str, seconds: float):
    clock = VirtualClock()
    (a,) = probes(script)
    halts: list[str] = []
    a.on_halt = lambda probe: halts.append(probe.name)
    node = Timeout(name="m", seconds=seconds, clock=clock, child=a)
    return node, clock, halts


def test_the_clock_asks_for_the_tick_that_stops_the_node():
    node, clock, halts = timed("R", 180)
    woken: list[float] = []
    node.wake = lambda: woken.append(clock.now())
    node.tick_once()
    assert clock.advance()
    assert woken == [180.0]
    node.tick_once()
    assert node.status is Status.FAILURE
    assert node.feedback_message == "timed out after 3m"
    assert halts == ["a"]
    assert not clock.advance()


def test_a_tick_before_the_deadline_reaches_the_node():
    node, clock, halts = timed("RRS", 10)
    clock.call_at(9.5, lambda: None)
    node.tick_once()
    clock.advance()
    node.tick_once()
    assert node.status is Status.RUNNING
    node.tick_once()
    assert node.status is Status.SUCCESS
    assert halts == []
    assert not clock.advance(), "the timer is cancelled when the node has ended"


def test_every_round_has_a_deadline_of_its_own():
    node, clock, _ = timed("R", 10)
    node.tick_once()
    clock.advance()
    node.tick_once()
    node.tick_once()
    assert node.status is Status.RUNNING
    assert node.feedback_message == ""
    assert clock.advance()
    assert clock.now() == 20


def test_a_halt_drops_the_deadline():
    node, clock, halts = timed("R", 10)
    node.tick_once()
    node.stop(Status.INVALID)
    assert halts == ["a"]
    assert not clock.advance()


def test_a_timeout_takes_time():
    with pytest.raises(ValueError, match="more than 0 seconds"):
        timed("R", 0)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(180, "3m"), (20, "20s"), (0.5, "500ms"), (3600, "1h"), (90, "90s"), (1.5, "1.5s")],
)
def test_durations_are_written_as_people_write_them(seconds: float, text: str):
    assert duration_text(seconds) == text


GO: dict[str, object] = {"skill": "go_to", "with": {"agent": "R2", "place": "pantry"}}  # for 5 s


def run_node(folder: Path, node: dict[str, object]) -> Bench:
    """A bench that has run a node once, and then logged `ok` or `failed`."""
    root = {"selector": [[node, {"log": "ok"}], {"log": "failed"}], "once": True}
    b = Bench(folder, tree(json.dumps(root)))
    b.pass_time(20)
    return b


def logged(b: Bench) -> list[tuple[float, object]]:
    return [(e.t, e.data["text"]) for e in b.told("log")]


def test_what_has_ended_at_the_deadline_keeps_its_result(tmp_path: Path) -> None:
    b = run_node(tmp_path, {**GO, "timeout": "5s"})
    assert b.skills() == ["go_to R2 ok"]
    assert logged(b) == [(5.0, "ok")]


def test_what_has_not_ended_at_the_deadline_is_halted(tmp_path: Path) -> None:
    b = run_node(tmp_path, {**GO, "timeout": "4999ms"})
    assert logged(b) == [(4.999, "failed")]
    assert b.told("skill.ended")[0].data["ok"] is False


def test_no_skill_begins_at_the_deadline(tmp_path: Path) -> None:
    other = {"skill": "go_to", "with": {"agent": "R1", "place": "pantry"}}
    b = run_node(tmp_path, {"sequence": [GO, other], "timeout": "5s"})
    assert b.skills() == ["go_to R2 ok"]
    assert len(b.told("skill.started")) == 1
    assert logged(b) == [(5.0, "failed")]


def test_the_rest_of_a_sequence_is_done_at_the_deadline(tmp_path: Path) -> None:
    b = run_node(tmp_path, {"sequence": [{"wait": "5s"}, {"log": "over"}], "timeout": "5s"})
    assert logged(b) == [(5.0, "over"), (5.0, "ok")]
