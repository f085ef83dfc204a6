"""HELPER with a model that is scripted: what it may not do, ask, decline, and when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from experiments.helper.talk_user import TalkUser
from tests.systems.helper.test_run_helper import SHIPPED, run_with_model
from treec.ask.transport import ScriptedTransport
from treec.files.view import View, in_scene, on_environment
from treec.nodes.events import Programmed
from treec.nodes.pairs import MemoryPair
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.team.events import Said, SubtaskDone, SubtaskFailed
from treec.world.events import Event, flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory

pytestmark = pytest.mark.needs_system("helper")


def run(folder: Path, *programs: str, scenario: str = "slipped_twice") -> list[Event]:
    answers = {"Dialogue_To_Program": [{"program": one} for one in programs]}
    answers["Rectifier"] = [{"program": "do_nothing()"}] * 4
    return run_with_model(answers, folder, scenario=scenario)[0]


def outcome(happened: list[Event]) -> tuple[bool, str]:
    """Whether it was called done, and the last thing that the robot said."""
    said = [e.text for e in happened if isinstance(e, Said)]
    return any(isinstance(e, SubtaskDone) for e in happened), said[-1]


def made(*names: str) -> str:
    return "".join(f'{n} = InteractionObject("{n}")\n' for n in names)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (made("Fork", "Microwave") + "Fork.place(Microwave)\n", "Fork_1 is of metal"),
        (made("Microwave") + "Microwave.toggle_on()\n", "Microwave_1 is empty"),
        (made("Plate", "StoveBurner") + "Plate.place(StoveBurner)\n", "must not stand on a burner"),
        (
            made("Bread", "SinkBasin", "Plate")
            + "Plate.place(SinkBasin)\nBread.place(Plate)\nPlate.place(SinkBasin)\n",
            "there is no slice of bread here",
        ),
    ],
)
def test_what_does_harm_is_refused_with_its_reason_whoever_writes_it(
    tmp_path: Path, program: str, why: str
) -> None:
    done, said = outcome(run(tmp_path, program))
    assert not done
    assert why in said


@pytest.mark.parametrize(
    ("cups", "said"),
    [
        ((1, 2), "I could not finish that: I have not found Cup_3."),
        ((1, 2, 3), "Is the task completed to your satisfaction? Did I miss anything?"),
    ],
)
def test_all_are_done_when_the_last_one_has_been_looked_for(
    tmp_path: Path, cups: tuple[int, ...], said: str
) -> None:
    program = "".join(
        f'c{n} = InteractionObject("Cup", object_instance="Cup_{n}")\nc{n}.clean()\n'
        f"c{n}.put_down()\n"
        for n in cups
    )
    happened = in_flat(tmp_path, "Wash all the cups", program)
    assert outcome(happened) == (len(cups) > 2, said)


def in_flat(folder: Path, says: str, program: str) -> list[Event]:
    """What happens if a model answers a request with a program, in the flat."""
    system = in_scene(
        next(e for e in SHIPPED.of_kind("system") if e.name == "helper"), "household_flat"
    )
    view = View(SHIPPED, on_environment(system, "household_partial"))
    transport = ScriptedTransport({"Dialogue_To_Program": [{"program": program}]})
    spec = RunSpec(chat=True, memories=folder, env="household_partial")
    journal = Journal.in_memory()
    talk = Run(view, SteppingClock(), journal, spec, transport=transport)
    TalkUser(talk, [says]).begin()
    talk.go()
    return [event for record in journal.records for event in flat(record.event)]


@pytest.mark.parametrize(("mugs", "is_done"), [((1, 2), True), ((1,), False)])
def test_a_machine_for_one_mug_makes_two_coffees(
    tmp_path: Path, mugs: tuple[int, ...], is_done: bool
) -> None:
    """The first mug has to leave the machine, so that its place is no promise."""
    program = made("SinkBasin", "CoffeeMachine") + "".join(
        f'mug = InteractionObject("Mug", object_instance="Mug_{n}")\nmug.clean()\n'
        "mug.pour(SinkBasin)\nmug.place(CoffeeMachine)\n"
        "CoffeeMachine.toggle_on()\nCoffeeMachine.toggle_off()\n"
        for n in mugs
    )
    assert outcome(in_flat(tmp_path, "Two coffees please", program))[0] is is_done


TOASTED = """\
plate = InteractionObject("Plate")
plate.clean()
bread = InteractionObject("Bread")
bread.slice()
toast1 = InteractionObject("BreadSliced", parent_object = bread, attributes = ["toasted"])
toast1.toast()
toast1.pickup_and_place(plate)
"""


def test_what_heats_and_taps_are_off_when_it_is_done(tmp_path: Path) -> None:
    happened = run(tmp_path, TOASTED)
    assert outcome(happened)[0]
    last = {(e.fact, e.args): e.value for e in happened if e.kind == "fact.set"}  # type: ignore[attr-defined]
    for machine in ("Faucet_1", "Toaster_1"):
        assert last["running", (machine,)] is False


def test_a_program_that_does_nothing_has_not_done_it(tmp_path: Path) -> None:
    done, said = outcome(run(tmp_path, "do_nothing()\n"))
    assert not done
    assert "there is no slice of bread here" in said


def test_a_model_declines_in_its_own_words(tmp_path: Path) -> None:
    happened = run(tmp_path, 'decline("the toaster is for bread")\n')
    done, said = outcome(happened)
    assert not done
    assert said == "I will not do that: the toaster is for bread."
    assert next(e for e in happened if isinstance(e, SubtaskFailed)).reason.startswith(
        "the toaster"
    )


def test_a_model_asks_and_is_given_the_answer_with_the_request(tmp_path: Path) -> None:
    happened = run(tmp_path, 'ask_user("On which plate?")\n')
    done, said = outcome(happened)
    assert (done, said) == (False, "On which plate?")
    asked = [e for e in happened if e.kind == "state.set" and e.name == "open_question"]  # type: ignore[attr-defined]
    assert asked[-1].value.endswith("\n<Driver> On which plate?")  # type: ignore[attr-defined]


@pytest.mark.parametrize("step", ['ask_user("")', 'decline("  ")'])
def test_who_says_nothing_has_not_done_it(tmp_path: Path, step: str) -> None:
    assert outcome(run(tmp_path, step)) == (
        False,
        "I could not finish that: there are no words to be said.",
    )


def conversation(
    folder: Path, said: Sequence[tuple[str, str]], programs: Sequence[str]
) -> list[Event]:
    """What happens when a person says lines, each an act, to a model that writes programs."""
    acts = [{"acts": [{"kind": kind, "quote": line}]} for kind, line in said]
    answers = {"Household_Talk": acts, "Dialogue_To_Program": [{"program": p} for p in programs]}
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    journal = Journal.in_memory()
    spec = RunSpec(chat=True, memories=folder)
    talk = Run(view, SteppingClock(), journal, spec, transport=ScriptedTransport(answers))
    TalkUser(talk, [line for _, line in said]).begin()
    talk.go()
    return [event for record in journal.records for event in flat(record.event)]


APPLE = made("Apple", "Bowl") + "Apple.pickup_and_place(Bowl)\n"
PUT_APPLE = ("task", "Put the apple in the bowl")


def test_an_open_question_is_closed_by_never_mind_and_its_lines_are_one(tmp_path: Path) -> None:
    said = [("task", "Put it there."), ("refrain", "never mind"), PUT_APPLE]
    happened = conversation(tmp_path, said, ['ask_user("What?\\nWhere?")', APPLE])
    assert "What? Where?" in [e.text for e in happened if isinstance(e, Said)]
    assert outcome(happened)[0]
    last = next(e for e in reversed(happened) if isinstance(e, SubtaskDone))
    assert last.subtask == "Put the apple in the bowl"


def test_a_question_about_a_correction_goes_on_with_that_correction(tmp_path: Path) -> None:
    said = [PUT_APPLE, ("correct", "That is not all"), ("task", "Wash it"), ("satisfied", "Good")]
    washed = made("Apple") + "Apple.clean()\n"
    conversation(tmp_path, said, [APPLE, 'ask_user("What is missing?")', washed])
    memory = Memory(tmp_path / "memory.db", LexicalEmbedder())
    (kept,) = memory.pairs()
    assert (kept.key, kept.answer) == (f"<Commander> {PUT_APPLE[1]}", APPLE + washed)


def test_a_correction_that_is_declined_is_no_part_of_what_is_remembered(tmp_path: Path) -> None:
    said = [PUT_APPLE, ("correct", "Now throw it at the cat"), ("satisfied", "Right, perfect")]
    happened = conversation(tmp_path, said, [APPLE, 'decline("that would hurt the cat")'])
    assert outcome(happened)[1] == "Good, I will remember that."
    memory = Memory(tmp_path / "memory.db", LexicalEmbedder())
    assert [pair.answer for pair in memory.pairs()] == [APPLE]


def test_a_routine_called_by_its_name_is_judged_by_the_words_that_taught_it(tmp_path: Path) -> None:
    key = "<Commander> Make coffee. This is called the Zed coffee: a mug of coffee."
    memory = Memory(tmp_path / "memory.db", LexicalEmbedder())
    memory.add_all([MemoryPair(key, made("Mug") + "Mug.clean()\n")])
    memory.close()
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    journal = Journal.in_memory()
    talk = Run(view, SteppingClock(), journal, RunSpec(chat=True, memories=tmp_path))
    TalkUser(talk, ["Zed coffee again, please"]).begin()
    talk.go()
    happened = [event for record in journal.records for event in flat(record.event)]
    assert outcome(happened) == (
        False,
        "I could not finish that: there is water in Mug_1, not coffee.",
    )


def test_what_a_thing_was_described_by_can_be_read(tmp_path: Path) -> None:
    program = (
        'mug = InteractionObject("Mug", attributes = ["clean"])\n'
        'plate = InteractionObject("Plate")\n'
        'if mug.object_class == "Mug" and mug.landmark == none and "clean" in mug.attributes:\n'
        '    if "clean" not in plate.attributes:\n        mug.pickup()\n'
    )
    happened = run(tmp_path, program)
    assert next(e.program for e in happened if isinstance(e, Programmed)) == program
    assert any(e.kind == "skill.started" and e.skill == "pickup" for e in happened)  # type: ignore[attr-defined]


def test_a_missing_thing_is_not_made_up_for_and_is_named_in_words(tmp_path: Path) -> None:
    program = 'piece = InteractionObject("BreadSliced", parent_object = Bread)\npiece.toast()\n'
    done, said = outcome(run(tmp_path, made("Bread") + program))
    assert not done
    assert said == "I could not finish that: there is no BreadSliced of Bread."


def test_a_corrected_program_is_remembered_under_the_first_words(tmp_path: Path) -> None:
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    fork = made("Fork", "DiningTable") + "Fork.pickup_and_place(DiningTable)\n"
    transport = ScriptedTransport(
        {"Dialogue_To_Program": [{"program": p} for p in (TOASTED, fork)]}
    )
    spec = RunSpec(chat=True, memories=tmp_path)
    talk = Run(view, SteppingClock(), Journal.in_memory(), spec, transport=transport)
    says = "Make a slice of toast on a clean plate"
    TalkUser(talk, [says, "You forgot to put the fork on the table", "Yes, perfect."]).begin()
    talk.go()
    memory = Memory(tmp_path / "memory.db", LexicalEmbedder())
    (pair,) = memory.pairs()
    memory.close()
    assert pair.key == f"<Commander> {says}"
    assert pair.answer == TOASTED + fork


ZED = "<Commander> Make toast. It is called the Zed toast: a slice of toast on a clean plate."


def zed_memory(folder: Path) -> Memory:
    memory = Memory(folder / "memory.db", LexicalEmbedder())
    memory.add_all([MemoryPair(ZED, TOASTED), MemoryPair("<Commander> Make the toast", TOASTED)])
    return memory


def test_a_correction_of_a_routine_that_is_called_by_its_name_stands_in_what_taught_it(
    tmp_path: Path,
) -> None:
    memory = zed_memory(tmp_path)
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    fork = made("Fork", "DiningTable") + "Fork.pickup_and_place(DiningTable)\n"
    transport = ScriptedTransport(
        {"Dialogue_To_Program": [{"program": p} for p in (TOASTED, fork)]}
    )
    spec = RunSpec(chat=True, memories=tmp_path)
    talk = Run(view, SteppingClock(), Journal.in_memory(), spec, transport=transport)
    says = ["Zed's toast again, please", "You forgot to put the fork on the table", "Yes, perfect."]
    TalkUser(talk, says).begin()
    talk.go()
    assert [(p.key, p.answer) for p in memory.pairs()] == [
        (ZED, TOASTED + fork),
        ("<Commander> Make the toast", TOASTED),
    ]


@pytest.mark.parametrize(
    ("says", "left", "answer"),
    [
        ("Forget Zed's toast, please", 1, "That is forgotten."),
        ("Please forget the toast", 2, "I remember nothing under that name."),
    ],
)
def test_a_routine_is_forgotten_by_its_name(
    tmp_path: Path, says: str, left: int, answer: str
) -> None:
    memory = zed_memory(tmp_path)
    view = View(SHIPPED, next(e for e in SHIPPED.of_kind("system") if e.name == "helper"))
    journal = Journal.in_memory()
    talk = Run(view, SteppingClock(), journal, RunSpec(chat=True, memories=tmp_path))
    TalkUser(talk, [says]).begin()
    talk.go()
    said = [e.text for r in journal.records for e in flat(r.event) if isinstance(e, Said)]
    assert said[-1].endswith(answer)
    assert len(memory) == left
