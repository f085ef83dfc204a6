from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.events import Note
from tests.support.replay import replay
from tests.support.tiers import many
from treec.world.clock import VirtualClock
from treec.world.events import (
    Commit,
    Event,
    EventRefused,
    FactForget,
    FactSet,
    FactUnknown,
    RunBegin,
    StateSet,
    decode,
    event,
)
from treec.world.facts import FactKind
from treec.world.journal import Journal, Record, read_journal
from treec.world.state import State
from treec.world.world import World, WorldError

FACTS = (FactKind("at", ("Item",), "Place"), FactKind("hot", ("Item",)))
STATE = {"recipe_name": "", "count": 0}


@event("pushed")
@dataclass(frozen=True, slots=True)
class Pushed(Event):
    item: object

    def change(self, state: State, record: Record) -> None:
        state["queue"] = (*state["queue"], self.item)


@event("popped")
@dataclass(frozen=True, slots=True)
class Popped(Event):
    def change(self, state: State, record: Record) -> None:
        if not state["queue"]:
            raise EventRefused("the queue is empty")
        state["queue"] = state["queue"][1:]


@event("dropped")
@dataclass(frozen=True, slots=True)
class Dropped(Event):
    def change(self, state: State, record: Record) -> None:
        del state["queue"]
        state["queue"] = ()


def make(journal: Journal | None = None, clock: VirtualClock | None = None) -> World:
    return World(
        clock or VirtualClock(),
        journal or Journal.in_memory(),
        facts=FACTS,
        state=STATE,
        slots={"queue": ()},
    )


def again(records: object) -> object:
    return replay(records, facts=FACTS, state=STATE, slots={"queue": ()})


def test_an_event_is_visible_at_once_and_counted() -> None:
    world = make()
    view = world.state
    record = world.emit(Pushed("get pepper"), "main/worker")
    assert view["queue"] == ("get pepper",)
    assert (record.n, world.version) == (1, 1)


def test_the_journal_has_the_event_before_the_state_has() -> None:
    seen = []

    class Spy(Journal):
        def write(self, record: Record) -> None:
            seen.append(world.state["queue"])
            super().write(record)
            seen.append(world.state["queue"])

    world = make(Spy.in_memory())
    world.emit(Pushed("a"), "x")
    assert seen == [(), ()]
    assert world.state["queue"] == ("a",)


def test_a_refused_event_writes_nothing_and_changes_nothing() -> None:
    world = make()
    with pytest.raises(EventRefused, match="empty"):
        world.emit(Popped(), "x")
    assert (world.version, world.journal.text(), world.state["queue"]) == (0, "", ())


def test_an_event_that_cannot_be_written_changes_nothing() -> None:
    class Full(Journal):
        def write(self, record: Record) -> None:
            raise OSError("disk full")

    world = make(Full.in_memory())
    with pytest.raises(OSError, match="full"):
        world.emit(Pushed("a"), "x")
    assert (world.version, world.state["queue"]) == (0, ())


def test_a_commit_is_one_record_and_its_events_see_one_another() -> None:
    world = make()
    done = Commit("action", (Pushed("a"), Popped(), Pushed("b")), reason="yes")
    record = world.emit(done, "main/modify")
    assert world.version == 1
    assert world.state["queue"] == ("b",)
    assert record.kind == "commit"
    assert record.data["reason"] == "yes"
    assert [event["kind"] for event in record.data["events"]] == ["pushed", "popped", "pushed"]


def test_a_commit_happens_whole_or_not_at_all() -> None:
    world = make()
    world.emit(Pushed("first"), "x")
    before = world.journal.text()
    hot = FactSet("hot", ("pan",), source="told")
    with pytest.raises(EventRefused):
        world.emit(Commit(events=(hot, StateSet("count", 3), Dropped(), Popped())), "x")
    assert world.journal.text() == before
    assert world.state["queue"] == ("first",)
    assert world.state["count"] == 0
    assert world.facts.get("hot", ["pan"]) is None
    assert world.version == 1


def test_an_empty_commit_is_a_record_too() -> None:
    assert make().emit(Commit(), "x").n == 1


def test_facts_carry_source_time_and_cause() -> None:
    clock = VirtualClock()
    world = make(clock=clock)
    clock.call_at(2.5, lambda: None)
    clock.advance()
    world.emit(FactSet("at", ("pepper",), "table", "expected"), "main/pick")
    found = world.facts.get("at", ["pepper"])
    assert found is not None
    assert (found.value, found.source, found.since, found.by) == (
        "table",
        "expected",
        2.5,
        "main/pick",
    )
    world.emit(FactUnknown("at", ("pepper",)), "resume")
    assert world.facts.source("at", ["pepper"]) == "unknown"
    world.emit(FactForget("at", ("pepper",)), "x")
    assert len(world.facts) == 0


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (FactSet("hat", (), source="told"), "unknown fact 'hat'"),
        (FactSet("hot", "pan", source="told"), "'args' must be a list, not 'pan'"),  # type: ignore[arg-type]
        (FactSet("hot", ("pan",)), "unknown source ''"),
        (FactUnknown("hat"), "unknown fact 'hat'"),
        (FactForget("hot"), r"hot takes \(Item\), not \(\)"),
        (StateSet("queue", []), "no state is called 'queue'"),
        (StateSet(3, 1), "'name' must be text, not 3"),  # type: ignore[arg-type]
    ],
)
def test_the_worlds_own_events_are_refused_in_plain_words(happened: Event, said: str) -> None:
    with pytest.raises(EventRefused, match=said):
        make().emit(happened, "x")


def test_an_event_nobody_knows_is_a_mistake() -> None:
    world = make()
    with pytest.raises(WorldError, match="unknown event 'psuhed'"):
        world.emit(decode("psuhed", {}), "x")
    assert world.version == 0


def test_only_the_claiming_thread_writes() -> None:
    world, caught = make(), []

    def write() -> None:
        try:
            world.emit(Note(), "thread")
        except WorldError as error:
            caught.append(str(error))
        world.claim()
        world.emit(Note(), "thread")

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert len(caught) == 1
    assert "only the loop's thread" in caught[0]
    with pytest.raises(WorldError, match="only the loop's thread"):
        world.emit(Note(), "main")


@event("meddled")
@dataclass(frozen=True, slots=True)
class Meddled(Event):
    def change(self, state: State, record: Record) -> None:
        state["world"].emit(Note(), "x")


def test_an_event_makes_no_events() -> None:
    slots: dict[str, object] = {"world": None}
    world = World(VirtualClock(), Journal.in_memory(), slots=slots)
    world._base._slots["world"] = world
    with pytest.raises(WorldError, match="an event cannot emit another one"):
        world.emit(Meddled(), "x")
    world.emit(Note(), "x")


def test_state_is_declared_or_kept_as_a_slot() -> None:
    values = {"queue": (), "count": 0}
    with pytest.raises(WorldError, match=r"^count, queue: declared as state and kept as slots$"):
        World(VirtualClock(), Journal.in_memory(), state=values, slots=values)


def test_readers_cannot_write() -> None:
    world = make()
    with pytest.raises(TypeError):
        world.state["queue"] = ()  # type: ignore[index]
    assert not hasattr(world.facts, "set")


@event("listed")
@dataclass(frozen=True, slots=True)
class Listed(Event):
    def change(self, state: State, record: Record) -> None:
        state["queue"] = ["a"]


def test_a_slot_refuses_what_could_be_changed_in_place() -> None:
    world = make()
    with pytest.raises(TypeError, match="slot 'queue' must hold a tuple"):
        world.emit(Listed(), "x")
    assert world.version == 0


def test_subscribers_hear_every_record_in_order_also_those_they_cause() -> None:
    world = make()
    heard: list[tuple[str, str]] = []

    def first(record: Record) -> None:
        heard.append(("first", record.kind))
        if record.kind == "pushed":
            world.emit(Note("full"), "first")

    world.subscribe(first)
    leave = world.subscribe(lambda record: heard.append(("second", record.kind)))
    world.emit(Pushed("a"), "x")
    assert heard == [
        ("first", "pushed"),
        ("second", "pushed"),
        ("first", "note"),
        ("second", "note"),
    ]
    leave()
    leave()
    world.emit(Note(), "x")
    assert heard[4:] == [("first", "note")]


def test_traces_reach_only_those_who_subscribe_to_them() -> None:
    world = make()
    plain: list[str] = []
    tracing: list[str] = []
    world.subscribe(lambda record: plain.append(record.kind))
    unsubscribe = world.subscribe(lambda record: tracing.append(record.kind), traces=True)
    world.emit(Pushed("a"), "x")
    world.trace(Note("seen"), "run")
    assert (plain, tracing, world.version) == (["pushed"], ["pushed", "note"], 1)
    unsubscribe()
    world.trace(Note("late"), "run")
    assert tracing == ["pushed", "note"]


def test_the_records_of_a_file_are_there_while_it_is_written(tmp_path: Path) -> None:
    world = make(Journal.create(tmp_path / "run.jsonl"))
    assert world.journal.records == ()
    written = [world.emit(RunBegin("mosaic", 7), "run"), world.emit(Pushed("a"), "x")]
    assert list(world.journal.records) == written
    world.journal.close()


def test_names_are_declared_once() -> None:
    with pytest.raises(WorldError, match="declared as state and kept"):
        World(VirtualClock(), Journal.in_memory(), state={"a": 1}, slots={"a": 1})
    with pytest.raises(ValueError, match=r"the event 'pushed' is .*:Pushed"):
        event("pushed")(Note)


def test_a_world_goes_on_where_its_journal_ends(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    world = make(Journal.create(path))
    world.emit(RunBegin("mosaic", 7), "run")
    world.emit(Pushed("a"), "x")
    world.journal.close()

    resumed = make(Journal.resume(path))
    told: list[Record] = []
    resumed.subscribe(told.append)
    resumed.restore(read_journal(path))
    assert told == []
    assert (resumed.version, resumed.state["queue"]) == (2, ("a",))
    resumed.emit(Popped(), "x")
    resumed.journal.close()
    assert [record.kind for record in read_journal(path)] == ["run.begin", "pushed", "popped"]
    assert again(path) == resumed.state


def test_a_journal_of_another_world_is_not_replayed() -> None:
    with pytest.raises(WorldError, match=r"record 1 \(popped\) cannot be replayed: the queue"):
        again([Record(1, 0.0, "popped", "x", {})])


names = st.sampled_from(["pepper", "bowl", "ranch sauce"])
json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
happened = st.one_of(
    st.builds(Pushed, json),
    st.sampled_from([Popped(), Dropped()]),
    st.builds(StateSet, st.sampled_from([*STATE, "nobody"]), json),
    st.builds(
        FactSet,
        st.sampled_from(["at", "hot", "hat"]),
        st.lists(names, max_size=2).map(tuple),
        st.booleans() | names | st.floats(0, 9),
        st.sampled_from(["sensed", "told", "guessed"]),
    ),
    st.builds(FactUnknown, st.just("at"), st.tuples(names)),
    st.builds(FactForget, st.just("at"), st.tuples(names)),
)
step = st.tuples(
    st.floats(0, 5),
    happened | st.lists(happened, max_size=4).map(lambda events: Commit(events=tuple(events))),
)


# No timing of Hypothesis's own: a slow machine is not a wrong program.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=many(60, 7))
@given(st.lists(step, max_size=25))
def test_replaying_a_journal_gives_the_live_state(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[float, Event]]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "run.jsonl"
    clock = VirtualClock()
    world = make(Journal.create(path), clock)
    world.emit(RunBegin(seed=1), "run")
    for pause, happening in steps:
        clock.call_at(clock.now() + pause, lambda: None)
        clock.advance()
        before, version = path.read_bytes(), world.version
        try:
            world.emit(happening, "x")
            assert world.version == version + 1
        except EventRefused:
            assert path.read_bytes() == before
            assert world.version == version
    world.journal.close()
    read = list(read_journal(path))
    assert len(read) == world.version
    assert "".join(record.line() for record in read).encode() == path.read_bytes()
    assert again(path) == world.state
    assert again(read[:-1]) is not None
