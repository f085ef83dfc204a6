"""Nothing is poured into itself: such work never comes into being, whoever asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.team.words import find_repeated_thing
from treec.world.events import EventRefused
from treec_asking.bind import bind

POUR = """\
task: pour
about: Pour one thing into another.
args: {item: Item, into: Item}
says: [pour <item> into <into>]
steps: |
  pick(item)
"""


@pytest.fixture
def b(tmp_path: Path) -> Bench:
    return Bench(tmp_path, {**tree("check: true"), "pack/pour.task.yaml": POUR})


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("assign", {"agent": "user", "subtasks": ["pour the pepper into pepper"]}),
        ("propose", {"agent": "user", "subtask": "pour pepper into pepper"}),
        ("mark_complete", {"subtasks": ["pour pepper into pepper"]}),
    ],
)
def test_it_is_refused_in_words_for_the_user(b: Bench, action: str, given: object) -> None:
    call = bind(b.team, action, given)
    with pytest.raises(EventRefused, match="needs two things, and pepper is only one"):
        list(call.action.run(b.team, **call.args))


def test_two_things_are_two(b: Bench) -> None:
    assert b.team.knowledge.repeated_thing("pour", {"item": "pepper", "into": "salt"}) is None
    assert b.team.knowledge.repeated_thing("pour", {"item": "salt", "into": "salt"}) == "salt"
    assert b.team.knowledge.repeated_thing("dance", {"item": "salt", "into": "salt"}) is None
    assert b.team.knowledge.repeated_thing(None, {"item": "salt", "into": "salt"}) is None


def test_plain_words_and_numbers_may_be_alike() -> None:
    types = {"item": "Item", "how": "text", "often": "integer", "much": "number"}
    assert find_repeated_thing(types, {"item": "salt", "how": "salt"}) is None
    assert find_repeated_thing(types, {"item": "salt", "often": 2, "much": 2}) is None
