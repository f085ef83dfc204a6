from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.run.run import Run
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.journal import Journal


def talking(folder: Path, lines: str) -> Bench:
    scenario = f"scenario: s\nsystem: test\nuser:\n{lines}expect: {{within: 60s}}\n"
    return Bench(folder, {**tree("read: Talk"), "pack/s.scenario.yaml": scenario}, scenario="s")


def heard(b: Bench) -> list[tuple[float, object]]:
    return [(e.t, e.data["text"]) for e in b.told("said")]


def test_lines_come_in_their_order_each_when_it_is_true(tmp_path: Path) -> None:
    b = talking(
        tmp_path, "  - {says: one, after: 2s}\n  - {when: level == 1, says: two}\n  - says: three\n"
    )
    b.pass_time(5)
    assert heard(b) == [(2.0, "one")]
    b.set(level=1)
    b.pass_time(5)
    assert heard(b) == [(2.0, "one"), (6.0, "two"), (7.0, "three")]


def test_a_standing_answer_is_given_to_each_new_value_that_still_holds(tmp_path: Path) -> None:
    b = talking(tmp_path, "  - {whenever: level, says: go on}\n")
    b.pass_time(3)
    b.set(level=1)
    b.pass_time(5)
    b.set(level=2)
    b.settle()
    b.set(level=0)
    b.pass_time(5)
    assert heard(b) == [(4.0, "go on")]


def test_what_cannot_be_evaluated_yet_is_not_yet_so(tmp_path: Path) -> None:
    b = talking(tmp_path, "  - {when: done('get pepper'), says: well done}\n")
    b.pass_time(2)
    b.add("get pepper", item="pepper")
    b.emit("subtask.done", subtask="get pepper")
    b.pass_time(2)
    assert heard(b) == [(3.0, "well done")]


def test_words_are_cleaned_and_empty_ones_are_none(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    b.say("  two \n words ")
    b.say("   ")
    b.tick()
    assert heard(b) == [(0.0, "two words")]


LINES = """\
  - {when: level == 1, says: one, after: 4s}
  - {whenever: level, says: go on, after: 2s}
"""


@pytest.mark.few(3)
@pytest.mark.parametrize("cut", range(8))
def test_a_resumed_user_says_what_was_still_to_be_said_and_when(tmp_path: Path, cut: int) -> None:
    b = talking(tmp_path, LINES)
    b.pass_time(1)
    b.set(level=1)
    b.pass_time(9)
    b.set(level=2)
    b.pass_time(5)
    whole = heard(b)
    assert [text for _, text in whole] == ["one", "go on"]
    records = b.journal.records[: len(b.journal.records) - cut]
    resumed = Run(
        b.run.view,
        VirtualClock(records[-1].t),
        Journal.in_memory(),
        b.run.spec,
        records=records,
    )
    resumed.go()
    said = [r for r in (*records, *resumed.journal.records) if isinstance(r.event, Said)]
    assert [(r.t, r.data["text"]) for r in said] == whole[: len(said)]
    level = resumed.world.state["level"]
    assert len(said) == level  # each level is answered once, by a line that is not lost
