"""Questions and greetings are answered from the state alone; the warehouse is the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.dialogues import play
from tests.support.library import WAREHOUSE
from treec.files.library import load_library
from treec.files.view import View


@pytest.fixture(scope="module")
def view() -> View:
    library = load_library(Path(WAREHOUSE))
    return View(library, library.find("system", "warehouse"))


def told(view: View, *said: str) -> str:
    """What is said to the last of these words, five seconds after those before."""
    lines = [line for words in said[:-1] for line in (f"> {words}", ". 5")]
    return play([*lines, f"> {said[-1]}"], view).rpartition(f"> {said[-1]}\n")[2].strip()


ORDER = "Hauler, fetch crate 17"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["Where is crate 12?"], "Crate 12 is at aisle 1."),
        (["Where's the forklift?"], "Hauler is at the dock."),
        (["Where is the ladder?"], "There is no ladder here."),
        (["What is on aisle 2?"], "At aisle 2: crate 31 and crate 40."),
        (["Is there a ladder?"], "There is no ladder here."),
        (["How many crates are there?"], "4: crate 12, crate 17, crate 31 and crate 40."),
        (["What is Scout's battery?"], "Scout's battery: 90."),
        (["Who can inspect?"], "Scout can do that."),
        (["Can Hauler inspect?"], "No, Hauler cannot do that, but Scout can."),
        (["Scout, fetch crate 12", "Who can?"], "Hauler can do that."),
        (["How far are we?"], "Nothing is planned yet."),
        ([ORDER, "What are you doing?"], "Hauler is fetching crate 17. Scout has nothing to do."),
        ([ORDER, "Why is Hauler doing that?"], "Hauler is fetching crate 17, as we agreed."),
        ([ORDER, "When will it be done?"], "I cannot say how long that takes."),
        ([ORDER, "Who is at crate 17?"], "Hauler is fetching crate 17."),
        (
            [ORDER, "Stop!", "What happened?"],
            "Hauler was stopped, and still has to fetch crate 17.",
        ),
        (["How are you?"], "Very well, thank you."),
        (["Hi, where is crate 40?"], "Crate 40 is at aisle 2."),
        (["Good evening. Thanks, Scout!"], "Hello! You are welcome."),
        (["Yes"], "I have not asked anything."),
        (["Tom will fetch crate 12"], "Nobody here is called Tom."),
        (["Hauler, get crate 99"], "There is no crate 99 here."),
        (["Inspect all crates"], "Which crates? Say what they are called."),
        (["Why is the sky blue?"], "I do not know that."),
    ],
)
def test_an_answer(view: View, said: list[str], answer: str) -> None:
    assert told(view, *said).startswith(answer)
