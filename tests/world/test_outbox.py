from itertools import islice

import pytest

from treec.world import Journal, Outbox, Record, Refused, VirtualClock, World
from treec.world.outbox import fresh_ids, reducers


def make() -> tuple[World, list[Record]]:
    world = World(VirtualClock(), Journal.in_memory(), reducers("said", "goal"))
    left: list[Record] = []
    Outbox(world).connect("said", left.append)
    return world, left


def test_what_is_said_leaves_once_with_its_id_also_from_a_commit() -> None:
    world, left = make()
    world.emit("said", {"id": "said-1", "text": "Hello."}, "a")
    two, three = islice(fresh_ids(world.state, "said"), 2)
    world.commit(
        "a",
        {},
        [("said", {"id": two, "text": "B"}), ("note", {}), ("said", {"id": three, "text": "C"})],
    )
    world.emit("goal", {"id": "goal-1"}, "a")
    assert [(r.data["id"], r.data["text"]) for r in left] == [
        ("said-1", "Hello."),
        ("said-2", "B"),
        ("said-3", "C"),
    ]


@pytest.mark.parametrize("given", ["said-2", "said-0", None])
def test_an_id_is_never_skipped_or_given_twice(given: str | None) -> None:
    world, left = make()
    with pytest.raises(Refused, match="the next id is 'said-1'"):
        world.emit("said", {"id": given, "text": ""}, "a")
    assert left == []


def test_a_resumed_run_repeats_nothing_and_goes_on_counting() -> None:
    world, _ = make()
    world.emit("said", {"id": "said-1", "text": "Hello."}, "a")
    resumed, left = make()
    resumed.restore(world.journal.records)
    assert left == []
    assert next(fresh_ids(resumed.state, "said")) == "said-2"
