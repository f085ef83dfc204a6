"""What a run came to is read off its records alone."""

from __future__ import annotations

from pathlib import Path

from tests.support.events import happening
from tests.support.library import WAREHOUSE
from treec.cli.live_models import model_lines
from treec.cli.live_summary import summary_lines
from treec.cli.terminal_text import paint
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run, RunOutcome
from treec.run.summary import NOBODY, summarize
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, Record, read_journal
from treec.world.spec import RunSpec


def records(*told: tuple[float, str, dict[str, object]]) -> list[Record]:
    journal = Journal.in_memory()
    return [journal.append(happening(kind, **data), "test", t) for t, kind, data in told]


def test_who_did_what_and_for_how_long() -> None:
    totals = summarize(
        records(
            (0, "run.begin", {"system": "s", "seed": 1, "format": 1}),
            (0, "agent.joined", {"agent": "R1", "person": False}),
            (0, "agent.joined", {"agent": "Ann", "person": True}),
            (1, "recipe.set", {"name": "Soup"}),
            *((1.0, "subtask.added", {"id": id, "words": id, "recipe": "Soup"}) for id in "abcd"),
            (2, "assigned", {"agent": "R1", "subtasks": ["a", "b"]}),
            (2, "assigned", {"agent": "Ann", "subtasks": ["c"]}),
            (2, "subtask.started", {"agent": "R1", "subtask": "a"}),
            (5, "agent.interrupted", {"agent": "R1"}),
            (9, "agent.resumed", {"agent": "R1"}),
            (9, "subtask.started", {"agent": "R1", "subtask": "a"}),
            (11, "subtask.done", {"subtask": "a"}),
            (12, "subtask.started", {"agent": "R1", "subtask": "b"}),
            (13, "subtask.failed", {"subtask": "b", "reason": "slipped"}),
            (14, "subtask.done", {"subtask": "c"}),
            (14, "subtask.done", {"subtask": "b"}),
            (15, "subtask.dropped", {"subtasks": ["d"]}),
            (15, "run.end", {"reason": "done", "ok": True}),
        )
    )
    assert totals.people == {"Ann"}
    assert totals.did("R1") == ["a"]
    assert totals.did("Ann") == ["c"]
    assert totals.did(NOBODY) == ["b"]
    assert totals.busy == {"R1": 3 + 2 + 1}
    assert totals.dropped == ["d"]
    assert totals.unfinished() == []
    assert totals.interrupted == {"R1": 1}
    (failure,) = totals.failed
    assert (failure.what, failure.why, failure.agent) == ("b", "slipped", "R1")
    assert (totals.seconds, totals.end, totals.ok) == (15.0, "done", True)


def test_words_decisions_and_trouble_are_counted() -> None:
    totals = summarize(
        records(
            (1, "said", {"id": "u1", "who": "Ann", "text": "hi"}),
            (1, "decided", {"node": "D", "choose": "a", "by": "always"}),
            (1, "decided", {"node": "D", "choose": "a", "by": "offline"}),
            (1, "asked", {"node": "D"}),
            (
                2,
                "commit",
                {
                    "for": "action",
                    "by": "offline",
                    "events": [
                        {"kind": "said", "data": {"id": "u2", "who": "assistant", "text": "x"}}
                    ],
                },
            ),
            (3, "refused", {"node": "A", "by": "offline", "reason": "nobody agreed"}),
            (3, "skill.started", {"id": "s1", "skill": "pick", "agent": "R1", "args": {},
                                  "takes": 1, "touches": []}),
            (4, "skill.ended", {"skill": "pick", "agent": "R1", "args": {"item": "pot"},
                                "ok": False, "reason": "slipped", "module": "symbolic"}),
            (4, "skill.ended", {"skill": "pick", "agent": "R1", "args": {}, "ok": False,
                                "cancelled": True}),
            (5, "contract.broken", {"contract": "answer", "item": "u1", "within": 30}),
        )
    )  # fmt: skip
    assert totals.said == {"Ann": 1, "assistant": 1}
    assert totals.decisions == {"always": 1, "offline": 1}
    assert totals.answers == {"offline": 1}
    assert (totals.requests.asked, totals.skills) == (1, 1)
    assert [f.why for f in totals.refused] == ["nobody agreed"]
    (failure,) = totals.skill_failures
    assert (failure.what, failure.module) == ("pick(pot)", "symbolic")
    assert [f.what for f in totals.broken] == ["answer"]


def run_in(folder: Path, name: str) -> tuple[Run, RunOutcome]:
    library = load_library(WAREHOUSE)
    view = View(library, library.find("system", "warehouse"))
    journal = Journal.create(folder / "journal.jsonl")
    run = Run(view, VirtualClock(), journal, RunSpec(scenario=name))
    return run, run.go()


def test_a_journal_file_is_enough(tmp_path: Path) -> None:
    run, outcome = run_in(tmp_path, "morning_shift")
    totals = summarize(read_journal(tmp_path / "journal.jsonl"))
    lines = [paint(line, False) for line in summary_lines(totals, run, outcome, tmp_path)]
    text = "\n".join(lines)
    assert lines[1] == f"finished after 2:{outcome.seconds - 120:02.0f}, as expected"
    assert "  recipe      Morning Orders, 5 of 5 subtasks done" in lines
    assert [line for line in lines if line.startswith("  failed")] == [
        "  failed      pick(crate 31): the crate slipped off the forks [symbolic]",
        "  failed      charge(8): the plug lost contact [warehouse.charging]",
    ]
    assert "  contracts   none broken" in lines
    assert "no model was asked" in text
    assert lines[-1].endswith(tmp_path.name)


def test_what_was_expected_is_named_when_it_is_not_so(tmp_path: Path) -> None:
    run, outcome = run_in(tmp_path, "morning_shift")
    totals = summarize(read_journal(tmp_path / "journal.jsonl"))
    missed = RunOutcome("deadline", False, outcome.seconds)
    lines = [paint(line, False) for line in summary_lines(totals, run, missed, tmp_path, 60)]
    assert lines[1].startswith("time limit reached after")
    assert lines[1].endswith("NOT as expected")
    assert any("all_done and at('crate 12')" in line for line in lines)
    assert all(len(line) <= 60 for line in lines[:-1] if "run  " not in line)


def test_a_request_that_is_closed_counts_with_the_tokens_of_its_prompt() -> None:
    used = {"node": "a", "name": "N", "by": "m", "text": "{}"}
    totals = summarize(
        records(
            (0, "asked", {"node": "a", "name": "N", "tokens": 100}),
            (1, "answered", used),
            (2, "asked", {"node": "a", "name": "N", "tokens": 30}),
            (3, "asked", {"node": "a", "name": "N", "tokens": 40}),
            (4, "asked", {"node": "b", "name": "N", "tokens": 5}),
            (5, "answered", used),
        )
    )
    assert totals.requests.dropped == 2
    assert totals.requests.closed_tokens == 35
    told = [text for _, text, _ in model_lines(totals)]
    assert "2 requests closed before an answer: about 35 more tokens in" in told
