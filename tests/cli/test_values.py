"""Variables and ports of trees in the journal: who set them, and when; and where they are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support.bench import Bench, library
from tests.support.files import tree
from treec.api.report_page import render_report
from treec.files.view import View
from treec.run.folder import JOURNAL
from treec.run.replay_data import changes_data, run_data
from treec.run.resume import open_run
from treec.run.run import Run
from treec.run.state import RunState, TreeValue, fold, value_words
from treec.run.summary import summarize
from treec.run.timeline import timeline_of
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, read_journal
from treec.world.spec import RunSpec
from treec_serve.runs import RunArchive

INNER = """\
tree: inner
ports: {size: in number, name: in text, last: out number}
root:
  - wait: 1s
  - set: {last: = size * 10}
"""
FILES = {
    "pack/inner.tree.yaml": INNER,
    **tree(
        """
sequence:
  - set: {n: = n + 1}
  - tree: inner
    with: {size: = n + level, name: big, last: $last}
  - set: {level: 4, n: = n + last}
  - wait: 1s
once: true
""",
        "vars: {n: number = 0, last: number, who: Robot}\n",
    ),
}


def bench(folder: Path) -> Bench:
    b = Bench(folder, FILES)
    b.pass_time(5)
    return b


def test_each_change_has_its_time_and_its_writer(tmp_path: Path) -> None:
    state = fold(bench(tmp_path).journal.records)
    assert state.values == {
        ("main", "n"): TreeValue(11, 1.0, "main/set#2", times=2),
        ("main", "last"): TreeValue(10, 1.0, "main/inner/set"),
        ("main/inner", "size"): TreeValue(15, 1.0, is_port=True, times=2),
        ("main/inner", "name"): TreeValue("big", 0.0, is_port=True),
        ("main/inner", "last"): TreeValue(10, 1.0, is_port=True),
    }


def test_what_has_changed_is_filtered_by_a_pattern(tmp_path: Path) -> None:
    records = bench(tmp_path).journal.records
    found = changes_data(records, "main.n")["values"]
    assert found == [
        {
            "t": 0.0,
            "tick": 1,
            "tree": "main",
            "name": "n",
            "value": 1,
            "by": "main/set",
            "was": None,
        },
        {
            "t": 1.0,
            "tick": 2,
            "tree": "main",
            "name": "n",
            "value": 11,
            "by": "main/set#2",
            "was": 1,
        },
    ]
    assert len(changes_data(records, "last")["values"]) == 2  # type: ignore[arg-type]
    assert changes_data(records, "nothing")["values"] == []
    ticks = [one["values"] for one in run_data(records, None, None)["happened"] if "values" in one]  # type: ignore[attr-defined]
    assert {one["name"] for one in ticks[0]} == {"n", "size", "name"}


def test_a_journal_without_writers_and_ports_is_read(tmp_path: Path) -> None:
    journal = bench(tmp_path).journal
    lines = []
    for record in journal.records:
        data = json.loads(record.line())
        for key in ("by", "ports"):
            data["data"].pop(key, None) if data["kind"] == "ticked" else None
        lines.append(json.dumps(data))
    path = tmp_path / JOURNAL
    path.write_text("\n".join(lines) + "\n", "utf-8")
    state = fold(read_journal(path))
    assert state.values["main", "n"] == TreeValue(11, 1.0, times=2)


def test_a_resumed_run_knows_the_values_and_their_writers(tmp_path: Path) -> None:
    found = library(tmp_path, FILES)
    view = View(found, found.find("system", "test"))
    path = tmp_path / JOURNAL
    run = Run(view, VirtualClock(), Journal.create(path))
    run.loop.run(deadline=1.5)
    run.journal.close()
    opened = open_run(path, print)
    again = Run(view, VirtualClock(1.5), opened.journal, records=opened.records)
    again.loop.run(deadline=1.6)
    again.journal.close()
    values = fold(read_journal(path)).values
    assert (values["main", "n"].value, values["main", "n"].by) == (11, "main/set#2")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        *((None, "none"), (True, "true"), (1.5, "1.5"), ("a'b", '"a\'b"'), ([1, "x"], "[1, 'x']")),
        *(({"a": 1}, "{a: 1}"), ({"entity": ["Agent", "R1"]}, "R1")),
    ],
)
def test_values_are_words_as_in_files(value: object, words: str) -> None:
    assert value_words(value) == words


def test_replay_page_and_report_show_them(tmp_path: Path, treec: Treec) -> None:
    found = library(tmp_path, FILES)
    view = View(found, found.find("system", "test"))
    folder = tmp_path / "runs/20260101-000000-test"
    folder.mkdir(parents=True)
    run = Run(view, VirtualClock(), Journal.create(folder / JOURNAL), RunSpec())
    run.loop.run(deadline=3.0)
    run.journal.close()
    out = treec("replay", folder).out
    assert "    1.0  tick 2  main.n = 11, was 1  by main/set#2\n" in out
    only = treec("replay", folder, "--values", "inner.*", "--until", "0.5").out
    assert "    0.0  tick 1  main/inner.size = 1" in only.splitlines()
    assert "tick 1  ▸" not in only
    at = treec("replay", folder, "--at", "end").out
    assert "  main.n = 11  since 1 s by main/set#2\n" in at
    assert "  main/inner.size = 15  since 1 s (a port)\n" in at
    data = json.loads(treec("replay", folder, "--at", "0.5", "--output-format", "json").out)
    assert {"tree": "main", "name": "n", "value": 1, "since": 0.0, "by": "main/set"} in data[
        "values"
    ]
    records = list(read_journal(folder / JOURNAL))
    totals = summarize(records)
    page = render_report(totals, timeline_of(totals.run))
    assert "<h2>Variables and ports</h2>" in page
    assert "main/set#2" in page
    shown = RunArchive(folder.parent).at(folder.name, "end")
    assert {"name": "n", "tree": "main", "value": 11, "since": 1.0, "by": "main/set#2"} in shown[
        "values"
    ]


def test_a_run_prints_those_that_are_asked_for(tmp_path: Path, treec: Treec) -> None:
    demo = Path(__file__).parents[2] / "trees/demos/counting.tree.yaml"
    result = treec("run", demo, "--fast", "--values", "round*", "--runs", tmp_path / "runs")
    told = [line.split(maxsplit=1)[1] for line in result.out.splitlines() if " = " in line]
    assert told == [f"counting.rounds = {n} by counting/set" for n in (1, 2, 3)]


def test_a_state_keeps_what_the_last_record_has_changed(tmp_path: Path) -> None:
    state = RunState()
    for record in bench(tmp_path).journal.records:
        state.take(record)
        assert bool(state.changed) == (
            record.kind == "ticked" and bool({"variables", "ports"} & record.data.keys())
        )
