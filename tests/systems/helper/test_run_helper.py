"""`treec run helper`: from a dialogue to a program, its execution, feedback and the new memory."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from treec.ask.transport import ScriptedAnswer, ScriptedTransport
from treec.files.library import load_library
from treec.files.view import View
from treec.nodes.events import Asked, Programmed, Remembered, StepLost
from treec.nodes.pairs import MemoryPair
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.team.events import Said, SubtaskFailed
from treec.world.events import Event, flat
from treec.world.journal import Journal, read_journal
from treec.world.spec import RunSpec
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory
from treec_program.events import Recalled, StepCorrected

SCENARIOS = sorted(
    p.name.split(".")[0] for p in (ROOT / "trees/helper/scenarios").glob("*.scenario.yaml")
)
BREAKFAST = "Make me breakfast: a mug of coffee, and two slices of toast on a clean plate."
MARY = (
    "Make me breakfast. The name of this breakfast is called the Mary breakfast. The breakfast "
    "has a mug of coffee, and two slices of toast on a clean plate."
)
TOAST = "Make a slice of toast and put it on a clean plate."


@pytest.fixture(autouse=True)
def _nothing_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


def events_of(runs: Path) -> list[Event]:
    """The events of the last run in a folder."""
    journal = sorted(runs.iterdir())[-1] / "journal.jsonl"
    return [event for record in read_journal(journal) for event in flat(record.event)]


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.few(3)
def test_every_scenario_ends_as_it_expects(treec: Treec, tmp_path: Path, name: str) -> None:
    result = treec("run", "helper", "-s", name, "--fast", "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    kinds = {event.kind for event in events_of(tmp_path)}
    assert kinds.isdisjoint({"contract.broken", "node.raised"})


def test_what_is_not_to_be_done_is_answered(treec: Treec, tmp_path: Path) -> None:
    words = "Please don't prepare coffee in a clean mug"
    result = treec("run", "helper", "--fast", "--dialogue", words, "--runs", tmp_path, "-L", ROOT)
    assert result.status == 0, result.out + result.err
    said = [event.text for event in events_of(tmp_path) if isinstance(event, Said)]
    assert said == [words, "All right, I do nothing about that."]


def test_a_dialogue_becomes_a_program_and_what_worked_is_remembered(
    treec: Treec,
    tmp_path: Path,
) -> None:
    runs, memories = tmp_path / "runs", tmp_path / "memories"
    where = ("--fast", "--runs", runs, "--memories", memories, "-L", ROOT)
    dialogue = f"<Driver> What is my task? <Commander> {BREAKFAST}"
    lines = ("--dialogue", dialogue, "--dialogue", "Yes, perfect.")
    result = treec("run", "helper", "--scene", "small_kitchen", *lines, *where)
    assert result.status == 0, result.out + result.err
    assert "Is the task completed to your satisfaction?" in result.out
    happened = events_of(runs)
    recalled = next(e for e in happened if isinstance(e, Recalled))
    assert "mug of coffee" in recalled.pairs[0]["key"]
    listed = treec("memory", "list", "--memory", memories / "memory.db", "--output-format", "json")
    (pair,) = json.loads(listed.out)
    assert pair["key"] == dialogue
    assert pair["answer"].count(".toast()") == 2


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("said", "remembered"),
    [
        ("Great!", True),
        ("Thanks a lot.", True),
        ("That is", False),
        ("Great, what is that?", False),
    ],
)
def test_praise_is_approval(treec: Treec, tmp_path: Path, said: str, remembered: bool) -> None:
    where = ("--fast", "--runs", tmp_path / "runs", "--memories", tmp_path, "-L", ROOT)
    treec("run", "helper", "--dialogue", "Water the plant.", "--dialogue", said, *where)
    assert (tmp_path / "memory.db").exists() is remembered
    left = [path.name for path in tmp_path.glob("memory.db-*")]
    assert not left, "the memory is one file again"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Throw the knife at the cat", "there is no cat here; I need a model"),
        ("Make toast and pour juice", "I need a model"),
        ("Clean the mug", 'know is "Prepare coffee in a clean mug"'),
    ],
)
@pytest.mark.few(1)
def test_without_a_model_nothing_is_guessed_at(
    treec: Treec, tmp_path: Path, words: str, told: str
) -> None:
    where = ("--fast", "--runs", tmp_path / "runs", "--memories", tmp_path, "-L", ROOT)
    result = treec("run", "helper", "--dialogue", words, *where)
    assert "I could not finish that: " in result.out
    assert told in result.out
    assert not {e.kind for e in events_of(tmp_path / "runs")} & {"subtask.done", "skill.started"}


def test_what_is_not_approved_of_is_not_remembered(treec: Treec, tmp_path: Path) -> None:
    where = ("--fast", "--runs", tmp_path / "runs", "--memories", tmp_path, "-L", ROOT)
    treec("run", "helper", "--dialogue", "Water the plant.", *where)
    assert not (tmp_path / "memory.db").exists()
    assert any(isinstance(e, Programmed) for e in events_of(tmp_path / "runs"))


def test_a_damaged_memory_is_told_and_left_as_it_is(treec: Treec, tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", LexicalEmbedder())
    memory.add_all(MemoryPair(f"request {n}", "x" * 500) for n in range(60))
    memory.close()
    whole = (tmp_path / "memory.db").read_bytes()
    (tmp_path / "memory.db").write_bytes(half := whole[: len(whole) // 2])
    where = ("--fast", "--runs", tmp_path / "runs", "--memories", tmp_path, "-L", ROOT)
    result = treec("run", "helper", "--dialogue", "Water the plant.", *where)
    assert "damaged" in result.out
    assert (tmp_path / "memory.db").read_bytes() == half


def test_dialogue_and_scenario_exclude_each_other(treec: Treec) -> None:
    result = treec("run", "helper", "-s", "given_up", "--dialogue", "Hello", "-L", ROOT)
    assert result.status == 2
    assert "exclude each other" in result.err


# With a model

SHIPPED = load_library(ROOT)
FETCH = 'fork = InteractionObject("Fork")\nplate = InteractionObject("Plate")\n'
PUT = "fork.pickup_and_place(plate)\n"
Answers = Mapping[str, Sequence[ScriptedAnswer]]


def run_with_model(
    answers: Answers, memories: Path, *, scenario: str = "slipped_twice"
) -> tuple[list[Event], ScriptedTransport]:
    """A scenario of the helper with a model that answers as given, and what happened."""
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    found = next(e for e in SHIPPED.of_kind("scenario") if e.name == scenario)
    transport = ScriptedTransport(
        {"Household_Talk": [{"acts": [{"kind": "task", "quote": "Make a slice of toast"}]}]}
        | dict(answers)
    )
    clock, journal = SteppingClock(), Journal.in_memory()
    run = Run(
        view, clock, journal, RunSpec(scenario=found.name, memories=memories), transport=transport
    )
    run.go()
    return [e for record in journal.records for e in flat(record.event)], transport


def test_a_model_gets_the_nearest_pairs_and_its_program_is_carried_out(tmp_path: Path) -> None:
    happened, transport = run_with_model(
        {"Dialogue_To_Program": [{"program": FETCH + PUT}]}, tmp_path
    )
    prompt = next(r for r in transport.requests if r.node == "Dialogue_To_Program").messages
    assert "Make a slice of toast" in prompt[0].content
    assert "BreadSliced" in prompt[0].content
    assert "Make a slice of toast" in prompt[-1].content
    program = next(e for e in happened if isinstance(e, Programmed))
    assert (program.program, program.by) == (FETCH + PUT, "scripted")


def test_a_program_that_ends_without_what_was_asked_for_has_not_done_it(tmp_path: Path) -> None:
    happened, _ = run_with_model({"Dialogue_To_Program": [{"program": FETCH + PUT}]}, tmp_path)
    said = [e.text for e in happened if isinstance(e, Said)]
    assert any("there is no slice of bread here" in text for text in said)
    assert not any("satisfaction" in text for text in said)
    assert any(isinstance(e, SubtaskFailed) for e in happened)
    assert not any(e.kind == "subtask.done" for e in happened)


def test_a_refused_program_is_sent_back_with_its_line(tmp_path: Path) -> None:
    wrong = 'fork = InteractionObject("Frok")\nfork.pickup()\n'
    answers = {"Dialogue_To_Program": [{"program": wrong}, {"program": FETCH + PUT}]}
    happened, transport = run_with_model(answers, tmp_path)
    asked = [r for r in transport.requests if r.node == "Dialogue_To_Program"]
    assert "line 1" in asked[1].messages[-1].content
    assert next(e.program for e in happened if isinstance(e, Programmed)) == FETCH + PUT


SLIPS = 'plate = InteractionObject("Plate")\nplate.pickup()\nplate.put_down()\n'


def test_a_failed_step_is_corrected_by_the_model_and_the_correction_is_remembered(
    tmp_path: Path,
) -> None:
    fix = "agent = AgentCorrective()\nagent.move_closer()\n"
    answers = {
        "Dialogue_To_Program": [{"program": SLIPS}],
        "Rectifier": [{"reasoning": "It slipped.", "program": fix}] * 2,
    }
    happened, transport = run_with_model(answers, tmp_path)
    asked = [r for r in transport.requests if r.node == "Rectifier"]
    assert "failed step: plate.pickup()" in asked[0].messages[-1].content
    assert "slipped" in asked[0].messages[-1].content
    assert "plate.put_down()" in asked[0].messages[-1].content
    corrected = [e for e in happened if isinstance(e, StepCorrected)]
    assert [(e.line, e.skill, e.attempt) for e in corrected] == [(2, "pickup", 1), (2, "pickup", 2)]
    assert not any(isinstance(e, StepLost) for e in happened)
    kept = next(e for e in happened if isinstance(e, Remembered))
    assert (kept.memory, kept.answer) == ("failures.db", fix)
    assert "slipped" in kept.key
    assert (tmp_path / "failures.db").exists()


def test_a_step_is_given_up_after_two_corrections(tmp_path: Path) -> None:
    answers = {
        "Dialogue_To_Program": [{"program": SLIPS}],
        "Rectifier": [{"program": "do_nothing()"}] * 3,
    }
    happened, _ = run_with_model(answers, tmp_path, scenario="given_up")
    assert sum(isinstance(e, StepCorrected) for e in happened) == 2
    assert sum(isinstance(e, Asked) and e.name == "Rectifier" for e in happened) == 2
    said = [e.text for e in happened if isinstance(e, Said)]
    assert any("something is in the way" in text for text in said)
    assert not any(isinstance(e, Remembered) for e in happened)


def test_the_report_shows_the_program_and_what_was_recalled(treec: Treec, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    treec("run", "helper", "-s", "slipped_twice", "--fast", "--runs", runs, "-L", ROOT)
    page = tmp_path / "report.html"
    assert treec("report", next(runs.iterdir()), "-o", page, "-L", ROOT).status == 0
    text = page.read_text("utf-8")
    assert "Dialogue_To_Program for robot" in text
    assert "• toast1.toast()" in text
    assert "failed, and is corrected: pickup(Plate_2): slipped" in text
    assert "Make a slice of toast" in text
