"""A run that somebody elsewhere holds, steps and lets go on."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.run.run import Run
from treec.run.stop_button import SOURCE as STOP
from treec.world.clock import RealClock, VirtualClock
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Journal, Record
from treec_live.debugger import SOURCE, Debugger, InvalidOrder

TREE = """\
sequence:
  - {skill: go_to, with: {agent: R1, place: pantry}, once: true}
  - {log: half way}
  - {skill: go_to, with: {agent: R1, place: table}, once: true}
  - {wait: 100s}
"""


class Held:
    """A run, and the orders that are given one after another each time that it waits for one.

    When there are none left the run is stopped.
    """

    def __init__(self, folder: Path, root: str = TREE) -> None:
        self.bench = Bench(folder, tree(root))
        self.debugger = Debugger(self.bench.run)
        self.orders: list[tuple[str, str]] = []
        self.seen: list[dict[str, object]] = []
        self._inbox = self.bench.run.inbox
        self._take = self._inbox.take
        self._inbox.take = self.take  # type: ignore[method-assign]

    def take(self, sources: Collection[str], timeout: float) -> list[InboxMessage]:
        assert {*sources} == {STOP, SOURCE}
        self.seen.append(self.debugger.data())
        if not self.orders:
            self.bench.run.loop.stop()
            return []
        self.order(*self.orders.pop(0))
        return self._take(sources, 0)

    def order(self, did: str, about: str = "") -> None:
        if did == "STOP":
            self.bench.run.stop_button.press()
        else:
            self.debugger.post(self.debugger.read(did, about, "test"))

    def pass_time(self, seconds: float, *orders: tuple[str, str]) -> None:
        self.orders = list(orders)
        self.bench.pass_time(seconds)
        assert not self.orders

    def did(self) -> list[tuple[str, str]]:
        return [(str(e.data["did"]), str(e.data.get("about", ""))) for e in self.told()]

    def told(self) -> list[Record]:
        return self.bench.told("debugged")


@pytest.fixture
def held(tmp_path: Path) -> Held:
    return Held(tmp_path)


def test_it_pauses_after_the_next_tick_and_goes_on(held: Held) -> None:
    held.order("pause")
    held.pass_time(5, ("go on", ""))
    assert held.did() == [("pause", ""), ("paused", ""), ("go on", "")]
    assert [e.by for e in held.told()] == ["test", SOURCE, "test"]
    assert held.seen[0]["held"] is True
    assert held.debugger.data()["held"] is False
    assert held.bench.skills() == ["go_to R1 ok"]


def test_it_stops_after_each_tick_that_changes_a_node(held: Held) -> None:
    held.order("step")
    held.pass_time(3, ("step", ""))
    assert [one["stepping"] for one in held.seen] == [True]
    (change, *_) = held.seen[0]["changed"]  # type: ignore[misc]
    assert change["status"] in ("RUNNING", "SUCCESS")
    held.pass_time(2, ("go on", ""))
    held.pass_time(10)
    assert len(held.seen) == 2


def test_it_pauses_at_a_node(held: Held) -> None:
    held.order("pause at", "log")
    held.pass_time(6, ("go on", ""))
    (data,) = held.seen
    assert data["changed"][0]["reached"] is True  # type: ignore[index]
    assert ("paused", "main/log") in held.did()
    held.order("pause at", "")
    held.pass_time(6)


def test_a_stop_is_taken_while_it_is_held(held: Held) -> None:
    held.bench.pass_time(1)
    held.order("pause")
    held.pass_time(0.5, ("STOP", ""), ("go on", ""))
    kinds = [record.kind for record in held.bench.journal.records]
    cancelled = held.bench.told("skill.ended")
    assert [(e.data["agent"], e.data["cancelled"]) for e in cancelled] == [("R1", True)]
    assert kinds.index("skill.ended") < len(kinds) - 1 - kinds[::-1].index("debugged")


def test_the_clock_stands_still_while_it_is_held() -> None:
    now = [0.0]
    clock = RealClock(2.0, lambda: now[0])
    now[0] = 5.0
    clock.hold()
    now[0] = 25.0
    clock.hold()
    assert clock.now() == 10.0
    clock.release()
    now[0] = 26.0
    clock.release()
    assert clock.now() == 12.0
    assert clock.real_seconds(14.0) == 1.0


def test_skills_wait_for_a_yes(held: Held) -> None:
    held.order("approve", "skills")
    held.pass_time(20, ("yes", "7"), ("inject", "unknown at(pepper)"), ("yes", "1"), ("no", "2"))
    questions = [one["question"] for one in held.seen]
    assert questions[0] == {"number": 1, "words": "R1: go_to(pantry)"}
    assert questions[-1] == {"number": 2, "words": "R1: go_to(table)"}
    assert held.bench.skills() == ["go_to R1 ok"]
    assert held.did()[1:] == [("yes", "R1: go_to(pantry)"), ("no", "R1: go_to(table)")]
    assert held.bench.fact("at", "pepper") == "unknown"  # once the tick was over
    assert "not approved" in str(held.bench.told("node.failed")[-1].data)


def test_what_is_asked_about_is_listed_in_one_order(held: Held) -> None:
    held.order("approve", "skills actions")
    held.bench.tick()
    assert held.debugger.data()["approve"] == ["actions", "skills"]


def test_whoever_wants_to_be_asked_no_more_has_said_yes(held: Held) -> None:
    held.order("approve", "skills")
    held.pass_time(20, ("approve", "actions"))
    assert held.bench.skills() == ["go_to R1 ok", "go_to R1 ok"]


def test_a_run_that_ends_while_it_asks_refuses_nothing(held: Held) -> None:
    held.order("approve", "skills")
    held.bench.tick()
    assert held.bench.run.loop.is_stopping
    assert not held.bench.told("skill.started")
    assert not held.bench.told("node.failed")


def test_a_stop_is_taken_while_it_asks(held: Held) -> None:
    held.order("approve", "skills")
    held.pass_time(1, ("STOP", ""), ("yes", "1"))
    assert held.bench.told("agent.interrupted")
    assert not held.bench.told("skill.started")  # it is stopped now


def test_a_node_is_mocked_and_put_back(held: Held) -> None:
    held.bench.pass_time(1)
    held.order("inject", "mock */go_to=R")
    held.pass_time(20)
    assert held.debugger.data()["mocks"] == ["*/go_to=R"]
    assert held.bench.skills() == ["go_to R1 cancelled"]
    held.order("inject", "unmock */go_to")
    held.pass_time(20)
    assert held.bench.skills() == ["go_to R1 cancelled", "go_to R1 ok", "go_to R1 ok"]
    told = [e.data["fault"] for e in held.bench.told("injected")]
    assert told == ["mock */go_to=R", "unmock */go_to"]
    records = held.bench.journal.records
    begun = [n for n, record in enumerate(records) if record.kind == "tree"]
    assert len(begun) == 3
    for cut, mocked in ((begun[1], ["*/go_to"]), (len(records), [])):
        resumed = Run(
            held.bench.run.view, VirtualClock(60), Journal.in_memory(), records=records[:cut]
        )
        assert [mock.name for mock in resumed.mocks] == mocked


def test_what_is_injected_while_it_is_held_happens_at_once(held: Held) -> None:
    held.order("pause")
    held.pass_time(1, ("inject", "unknown at(pepper)"), ("inject", "mock log=F"), ("go on", ""))
    assert held.bench.fact("at", "pepper") == "unknown"
    assert [e.by for e in held.bench.told("injected")] == ["test", "test"]
    assert held.debugger.data()["mocks"] == ["log=F"]


@pytest.mark.parametrize(
    ("did", "about", "problem"),
    [
        ("jump", "", "unknown order 'jump'"),
        ("pause at", "lgo", "did you mean 'log'"),
        ("approve", "skill", "write skills actions, or nothing"),
        ("yes", "", "names the number of its question"),
        ("inject", "fail pik", "did you mean 'pick'?"),
        ("inject", "mock log", "write mock NODE=STATUSES"),
        ("inject", "mock lgo=S", "did you mean 'log'"),
        ("inject", "unmock log", "unknown mock 'log'"),
        (
            "inject",
            "2s: mock log=F",
            "'2s: mock log=F': leave the time out, a fault happens at once",
        ),
    ],
)
def test_orders_that_cannot_be_are_told(held: Held, did: str, about: str, problem: str) -> None:
    with pytest.raises(InvalidOrder) as caught:
        held.order(did, about)
    assert problem in str(caught.value)


def test_messages_of_other_sources_wait(held: Held) -> None:
    inbox = Inbox(held.bench.clock)
    inbox.post("a", 1)
    inbox.post("b", 2)
    inbox.post("a", 3)
    assert [one.payload for one in inbox.take(("a",), 0)] == [1, 3]
    assert inbox.take(("a",), 0) == []
    assert [one.payload for one in inbox.drain()] == [2]
