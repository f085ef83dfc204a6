"""`ahead`: what is below is asked at the same time, and nothing else is decided."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.bench import library
from tests.support.files import tree
from tests.support.tiers import many
from treec.ask.transport import Answer, Request, TransportError, clock_sleep
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.events import StateSet
from treec.world.journal import Journal, Record, events
from treec.world.spec import RunSpec
from treec_asking.driver import ThreadedAsker
from treec_fake_model.thread import FakeModelThread
from treec_models.openai_chat import OpenAIChat

TOP = """\
decision: Top
about: First.
sees: [level]
options: {Left: One way., Right: Another., Do: At once.}
ahead: AHEAD
offline: [{when: true, choose: Right}]
model: {retries: 1, timeout: 60s}
"""
BELOW = """\
decision: NAME
about: Then.
sees: [level, mood]
options: {NAMEDo: Do., NAMESay: Say.}
fallback: NAMESay
model: {retries: 1, timeout: 60s}
"""
ACTION = """\
action: NAME
about: At last.
sees: [level, mood]
may: [say, no_op]
instructions: Say what to do.
offline: [{do: [{say: Offline.}]}]
model: {retries: 1, timeout: 60s}
"""
LEAVES = ("Do", "LeftDo", "LeftSay", "RightDo", "RightSay")
NODES = ("Top", "Left", "Right", *LEAVES)
LIKELY = ("Top", "Right", "RightDo", "RightSay")
"""The rules of Top choose Right; those below it have none, so that all there is asked."""


def files(ahead: bool | str) -> dict[str, str]:
    return {
        **tree("ask: Top"),
        "pack/Top.decision.yaml": TOP.replace("AHEAD", str(ahead).lower()),
        **{f"pack/{n}.decision.yaml": BELOW.replace("NAME", n) for n in ("Left", "Right")},
        **{f"pack/{n}.action.yaml": ACTION.replace("NAME", n) for n in LEAVES},
    }


class ByContent:
    """Answers by what is asked and not by when: the same question, the same answer, after a while.

    ``answers`` are for each node, by attempt; the last one stays.
    """

    def __init__(self, clock: VirtualClock, answers: Mapping[str, Sequence[object]]) -> None:
        self.clock = clock
        self.answers = answers
        self.begun: list[tuple[float, str]] = []
        self.ended: list[str] = []

    async def ask(self, request: Request) -> Answer:
        self.begun.append((self.clock.now(), request.node))
        await clock_sleep(self.clock, 1.0)
        self.ended.append(request.node)
        given = self.answers.get(request.node, ())
        answer = given[min(request.attempt, len(given)) - 1] if given else default(request)
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer if isinstance(answer, str) else json.dumps(answer), "model@1")


def default(request: Request) -> object:
    if request.kind == "action":
        return {"reasoning": "", "actions": [{"say": {"claims": [{"is": "what_next"}]}}]}
    properties = request.schema["properties"]
    assert isinstance(properties, dict)
    return {"reasoning": "", "choose": properties["choose"]["enum"][0]}


class Bench:
    """A run on the virtual clock, to its end, with changes of the world at given times."""

    def __init__(
        self,
        folder: Path,
        ahead: bool | str,
        answers: Mapping[str, Sequence[object]] | None = None,
        changes: Sequence[tuple[float, str, object]] = (),
    ) -> None:
        found = library(folder, files(ahead))
        self.clock = VirtualClock()
        self.journal = Journal.in_memory()
        self.transport = ByContent(self.clock, answers or {})
        view = View(found, found.find("system", "test"))
        self.run = Run(view, self.clock, self.journal, transport=self.transport)
        for at, name, value in changes:
            self.clock.call_at(at, partial(self._change, name, value))
        self.run.loop.run(deadline=60.0)
        self.run.loop.shutdown()

    def _change(self, name: str, value: object) -> None:
        self.run.world.emit(StateSet(name, value), "test")

    def told(self, *kinds: str) -> list[Record]:
        return [e for r in self.journal.records for e in events(r) if e.kind in kinds]

    def decided(self) -> list[tuple[str, ...]]:
        """What was decided, refused and said, in order, without the time."""
        found: list[tuple[str, ...]] = []
        for event in self.told("decided", "said", "refused", "node.failed"):
            data = event.data
            shown = data.get("choose") or data.get("text") or data.get("reason")
            found.append((event.kind, str(data.get("node", "")), str(shown), str(data.get("by"))))
        return found


def test_three_levels_take_one_answers_time_where_the_model_chooses_as_the_rules(
    tmp_path: Path,
) -> None:
    as_ruled = {"Top": [{"choose": "Right"}]}
    with_, without = Bench(tmp_path / "a", True, as_ruled), Bench(tmp_path / "b", False, as_ruled)
    assert with_.told("said")[0].t == 1.0
    assert without.told("said")[0].t == 3.0
    assert with_.decided() == without.decided()
    assert [(at, node) for at, node in with_.transport.begun] == [(0.0, node) for node in LIKELY]


def test_what_the_rules_would_not_choose_is_asked_when_it_is_chosen(tmp_path: Path) -> None:
    bench = Bench(tmp_path, True)  # the model chooses Left
    asked = bench.transport.begun
    assert [node for at, node in asked if at == 0.0] == list(LIKELY)
    assert [node for at, node in asked if at == 1.0] == ["Left"]


def test_a_rule_that_cannot_be_evaluated_only_loses_its_say_in_the_order(tmp_path: Path) -> None:
    text = TOP.replace("when: true", "when: 1 / level > 0").replace("AHEAD", "true")
    found = library(tmp_path, {**files(True), "pack/Top.decision.yaml": text})
    clock = VirtualClock()
    transport = ByContent(clock, {})
    journal = Journal.in_memory()
    view = View(found, found.find("system", "test"))
    run = Run(view, clock, journal, transport=transport)
    run.world.emit(StateSet("level", 0), "test")
    run.loop.run(deadline=60.0)
    run.loop.shutdown()
    assert [node for _, node in transport.begun][:3] == ["Top", "Left", "Right"]
    assert [e.data["choose"] for r in journal.records for e in events(r) if e.kind == "decided"]


def test_what_the_choice_leads_away_from_is_cancelled(tmp_path: Path) -> None:
    slow = {"Top": [{"choose": "Left"}]}
    bench = Bench(tmp_path, True, slow)
    assert "Top" in bench.transport.ended
    # All are due at the same instant: those that came first may have ended, none is heard.
    assert [e.data["name"] for e in bench.told("answered")] == ["Top", "Left", "LeftDo"]
    assert not bench.run.inbox.ready()


def test_off_the_path_a_request_ends_when_the_decision_does(tmp_path: Path) -> None:
    """The requests below take longer than the decision: those off the path never come to an end."""

    class Slower(ByContent):
        async def ask(self, request: Request) -> Answer:
            if request.node != "Top":
                await clock_sleep(self.clock, 5.0)
            return await super().ask(request)

    found = library(tmp_path, files(True))
    clock = VirtualClock()
    transport = Slower(clock, {})
    view = View(found, found.find("system", "test"))
    run = Run(view, clock, Journal.in_memory(), transport=transport)
    run.loop.run(deadline=60.0)
    off_the_path = {"Right", "RightDo", "RightSay", "Do"}
    assert {"Top", "Left", "LeftDo"} <= set(transport.ended)
    assert not off_the_path & set(transport.ended)


def test_stopped_it_closes_everything_it_asked(tmp_path: Path) -> None:
    found = library(tmp_path, files(True))
    clock = VirtualClock()
    transport = ByContent(clock, {})
    view = View(found, found.find("system", "test"))
    run = Run(view, clock, Journal.in_memory(), transport=transport)
    run.loop.step()
    assert len(transport.begun) == len(LIKELY)
    run.loop.shutdown()
    assert clock.next_due() is None  # no request waits any more
    assert transport.ended == []


def test_a_change_on_the_way_asks_anew_what_it_concerns(tmp_path: Path) -> None:
    changes = [(0.5, "mood", "sad")]  # what is below sees it, the top one does not
    with_ = Bench(tmp_path / "a", True, changes=changes)
    without = Bench(tmp_path / "b", False, changes=changes)
    assert with_.decided() == without.decided()
    asked = [node for at, node in with_.transport.begun if at == 1.0]
    assert asked == ["Left"]


WRONG = ("no json", {"choose": "Nothing"}, {"actions": "none"}, OSError("down"))
CHOICES = ("Left", "Right", "Do", "LeftDo", "LeftSay", "RightDo", "RightSay")
ANSWER = st.sampled_from([*WRONG, *({"choose": name} for name in CHOICES)])
CHANGE = st.tuples(
    st.sampled_from([0.5, 1.5, 2.5, 4.0, 7.5]),
    st.sampled_from(["level", "mood"]),
    st.sampled_from([1, 2]),
)


@settings(max_examples=many(60, 7), deadline=None, suppress_health_check=list(HealthCheck))
@given(answers=st.dictionaries(st.sampled_from(NODES), st.lists(ANSWER, min_size=1, max_size=2)))
def test_whatever_is_answered_the_decisions_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, answers: dict[str, list[object]]
) -> None:
    folder = tmp_path_factory.mktemp("ahead")
    with_ = Bench(folder / "a", True, answers)
    without = Bench(folder / "b", False, answers)
    assert with_.decided() == without.decided()


@settings(max_examples=many(60, 7), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    answers=st.dictionaries(st.sampled_from(NODES), st.lists(ANSWER, min_size=1, max_size=2)),
    changes=st.lists(CHANGE, max_size=3),
)
def test_whatever_changes_meanwhile_it_ends_and_leaves_nothing_open(
    tmp_path_factory: pytest.TempPathFactory,
    answers: dict[str, list[object]],
    changes: list[tuple[float, str, object]],
) -> None:
    bench = Bench(tmp_path_factory.mktemp("ahead"), True, answers, changes)
    assert not bench.told("node.raised")
    assert bench.clock.next_due() is None


@pytest.mark.thorough
def test_over_http_the_connections_off_the_path_are_closed(tmp_path: Path) -> None:
    found = library(tmp_path, files(True))
    # It thinks until the others have arrived: what is cancelled before is no connection to close.
    top = {"node": "Top", "answer": {"choose": "Left"}, "delay": "1s"}
    with FakeModelThread({"cases": [top, {"hold": True}]}) as server:
        view = View(found, found.find("system", "test"))
        model = OpenAIChat("openai/fake", server.url)
        journal = Journal.in_memory()
        run = Run(view, VirtualClock(), journal, RunSpec(model="openai/fake"), transport=model)
        made: list[str] = []
        run.world.subscribe(lambda record: made.append(record.kind))
        run.loop.run(lambda: "decided" in made)
        assert server.wait_for(lambda one: len(one.dropped) == 3)
        assert {one.node for one in server.model.dropped} == {*LIKELY} - {"Top"}
        server.let_go()
        run.loop.run(lambda: "answered" in made[made.index("decided") :])
        run.loop.shutdown()
        assert isinstance(run.asker, ThreadedAsker)
        run.asker.close()
        asked = [one.node for one in server.model.asked]
        assert {*asked[: len(LIKELY)]} == {*LIKELY}
        # What comes after Left is asked as the loop ends: the server may have heard of it, or not.
        assert asked[len(LIKELY) :] in (["Left"], ["Left", "LeftDo"])


@pytest.mark.parametrize(("level", "begun_at_once"), [(1, 1), (5, len(LIKELY))])
def test_what_is_below_is_asked_only_while_the_condition_holds(
    tmp_path: Path, level: int, begun_at_once: int
) -> None:
    b = Bench(tmp_path, "level > 3", changes=[(5.0, "level", level)])
    assert len([node for at, node in b.transport.begun if at == 5.0]) == begun_at_once


def test_what_cannot_be_right_or_can_only_do_nothing_is_not_asked_ahead(tmp_path: Path) -> None:
    top = TOP.replace("AHEAD", "true") + "ask: always\nonly_when: {Left: 'false'}\n"
    nothing = ACTION.replace("may: [say, no_op]", "may: [no_op]") + "ask: always\n"
    nothing = nothing.replace("{say: Offline.}", "no_op").replace("NAME", "Do")
    changed = {"pack/Top.decision.yaml": top, "pack/Do.action.yaml": nothing}
    found = library(tmp_path, {**files(True), **changed})
    clock = VirtualClock()
    transport = ByContent(clock, {})
    view = View(found, found.find("system", "test"))
    run = Run(view, clock, Journal.in_memory(), transport=transport)
    run.loop.run(deadline=0.5)
    run.loop.shutdown()
    assert [node for _, node in transport.begun] == ["Top", "Right", "RightDo", "RightSay"]


def test_nothing_is_asked_ahead_while_no_model_answers(tmp_path: Path) -> None:
    down = {node: [TransportError("down")] for node in NODES}
    b = Bench(tmp_path, True, down, [(5.0, "level", 3)])
    assert len([node for at, node in b.transport.begun if at < 5.0]) == len(LIKELY)
    assert [node for at, node in b.transport.begun if at == 5.0] == ["Top"]
