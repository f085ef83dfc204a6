"""Questions and greetings are answered from the state alone; the warehouse is the place."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from pydantic import ValidationError

from tests.support.dialogues import play
from tests.support.library import WAREHOUSE, copy_warehouse
from treec.files.hearing import HearingFile, _groups
from treec.files.library import load_library
from treec.files.view import View
from treec.run.unbegun import run_of
from treec_hearing.answers import answer as answer_to
from treec_hearing.answers import not_understood


@pytest.fixture(scope="module")
def view() -> View:
    library = load_library(Path(WAREHOUSE))
    return View(library, library.find("system", "warehouse"))


def told(view: View, *said: str) -> str:
    """What is said to the last of these words, five seconds after those before."""
    lines = [line for words in said[:-1] for line in (f"> {words}", ". 5")]
    return play([*lines, f"> {said[-1]}"], view).rpartition(f"> {said[-1]}\n")[2].strip()


ORDER = "Hauler, fetch crate 17"


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["Where is crate 12?"], "Crate 12 is at aisle 1."),
        (["Where's the forklift?"], "Hauler is at the dock."),
        (["Where is the ladder?"], "There is no ladder here."),
        (["What is on aisle 2?"], "At aisle 2: crate 31 and crate 40."),
        (["Is there a ladder?"], "There is no ladder here."),
        (["How many crates are there?"], "4: crate 12, crate 17, crate 31 and crate 40."),
        (["What is Scout's battery?"], "Scout's battery is at 90 percent."),
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
        (["Yes, go ahead"], "I have not asked anything."),
        (["Which robot is the fullest?"], "I do not know that."),
        (["Which one is faster?"], "I do not know that."),
        (["Is crate 12 on aisle 2?"], "No. Crate 12 is at aisle 1."),
        (["Is crate 12 at aisle 1?"], "Yes. Crate 12 is at aisle 1."),
        (["R3, fetch crate 12"], "Nobody here is called R3."),
        (["Fetch crate 12, R3"], "Nobody here is called R3."),
        (["Max, bring crate 12"], "Nobody here is called Max."),
        (["Could you tell Max to fetch crate 12?"], "Nobody here is called Max."),
        (["bring crate 12, Max"], "Nobody here is called Max."),
        (["Carefully bring crate 12"], "Hauler will fetch crate 12."),
        (["Hauler, charge. Max, fetch crate 12."], "Nobody here is called Max."),
        (["Where is Shelf C?"], "There is no Shelf C here."),
        (["Hauler, fetch Box C"], "There is no Box C here."),
        (["Never enter aisle 2!"], "I cannot take this as a rule: Never enter aisle 2."),
        (["Scout must not go into aisle 1"], "I cannot take this as a rule: Scout"),
        (["Nobody may enter aisle 1"], "I cannot take this as a rule: Nobody may enter aisle 1."),
        (["Scout should go to aisle 1"], "Sorry, I did not get that."),
        (["Hauler, charge, but don't go into aisle 1"], "I cannot take this as a rule: don't go"),
        (["Nurse Kate, fetch crate 12"], "Nobody here is called Kate."),
        (["When you are done with the labels, charge"], "Sorry, I did not get that."),
        (["Hauler, fetch both crate 12 and crate 17"], "Hauler will fetch crate 12. Hauler will"),
        ([ORDER, "What did you say?"], "Hauler will fetch crate 17."),
        ([ORDER, "Say that again, please"], "Hauler will fetch crate 17."),
        ([ORDER, "Could you repeat the last thing?"], "Hauler will fetch crate 17."),
        (["No entering aisle 2"], "I cannot take this as a rule: No entering aisle 2."),
        (["Pardon?"], "I have not said anything yet."),
        (["Fetch 12"], "Hauler will fetch crate 12."),
        (["Hauler, charge. What a day. Fetch crate 12."], "I did not get: What a day."),
        (["How many robots are working?"], "2: Hauler and Scout."),
        (["All done?"], "Nothing is planned yet."),
        ([ORDER, "Is crate 17 on aisle 2?"], "No. Crate 17 is at aisle 1."),
        (["Fetch the aisles"], "Which aisles? Say what they are called."),
        ([ORDER, "Scout, stop"], "Scout has no work right now."),
        (
            ["Start the morning orders", "Hauler, fetch crate 12"],
            "Hauler will fetch crate 12, once this is done: inspect crate 12.",
        ),
        (["I will fetch crate 12 myself"], "You cannot fetch crate 12, but Hauler can."),
        (["Tom will fetch crate 12"], "Nobody here is called Tom."),
        (["Hauler, get crate 99"], "There is no crate 99 here."),
        (["Inspect all crates"], "Which crates? Say what they are called."),
        (["Why is the sky blue?"], "I do not know that."),
        (["Hauler should charge, count the pallets"], "Sorry, I did not get that."),
        (["Who is R2D2?"], "Nobody here is called R2D2."),
        (["What is Hauler good for?"], "Hauler can fetch and charge."),
        (["When does the truck leave?"], "I do not know that."),
        (["Is the light still on?"], "I do not know that."),
        (["Who brought crate 12 last time?"], "I do not know that."),
        ([ORDER, "Hauler, how long will it take"], "I cannot say how long that takes."),
        ([ORDER, "What else is on the list?"], "Hauler is fetching crate 17. None of 1 is done"),
    ],
)
def test_an_answer(view: View, said: list[str], answer: str) -> None:
    assert told(view, *said).startswith(answer)


GERMAN = """
hearing: Deutsch
about: Was man auf Deutsch sagt.
articles: [der, die, das, den]
joins: [und]
endings: [en, n]
plural: "n$"
questions:
  question: ["(?:wo|wer|was|wie|gibt es)"]
  where: ["wo (?:ist|sind)(?P<thing>.*)"]
  there: ["(?:gibt es|(?P<count>wie viele))(?: eine[n]?)?(?P<thing>.*)"]
  doing: [macht, tut]
  hearer: [ihr]
pleasantries: {hello: ["(?:guten tag|hallo)"]}
trailing: [bitte, denn]
"""


def test_another_language_is_another_file(tmp_path: Path) -> None:
    root = copy_warehouse(tmp_path / "library")
    (root / "prompts" / "deutsch.hearing.yaml").write_text(GERMAN, "utf-8")
    reading = root / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    reading.write_text(text.replace("hearing: Everyday_English", "hearing: Deutsch"), "utf-8")
    library = load_library(root)
    view = View(library, library.find("system", "warehouse"))
    team = run_of(view).team
    assert answer_to(team, "Wo ist crate 12 bitte?") == "Crate 12 is at aisle 1."
    assert answer_to(team, "Wo ist die Leiter denn") == "There is no Leiter here."
    assert answer_to(team, "Hallo, gibt es crate 40") == "Hello! Yes. Crate 40 is at aisle 2."
    assert answer_to(team, "Where is crate 12") == "", "that is no question here"
    assert team.knowledge.words.thing("das crate 40") == "crate 40"
    assert team.knowledge.words.thing("the crate 40") is None
    assert not_understood(team, "fetch den Leitern und") == "There are no Leitern here."


@pytest.mark.parametrize(
    ("questions", "error"),
    [
        ({"why": ["warum("]}, "'why': missing \\), unterminated subpattern"),
        ({"where": ["wo (.*)"]}, r"'where' needs a group \(\?P<thing>…\)"),
        ({"there": ["gibt es (?P<thing>.*)"]}, r"'there' needs a group \(\?P<count>…\)"),
    ],
)
def test_words_of_questions_are_checked(questions: dict[str, list[str]], error: str) -> None:
    with pytest.raises(ValidationError, match=error):
        HearingFile.model_validate({"hearing": "X", "about": "", "questions": questions})


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_pattern_that_is_not_compiled_is_a_regular_expression() -> None:
    opened = ["(?:", "(?!", "(?=", "(?<", "(?P<n>"]
    parts = [*"ab()?*+|^$[½", *opened, r"\b", r"\w", "\\", "[ab]", "[b-a]", "[-x]"]
    rng = Random(0)
    for _ in range(3000):
        pattern = "".join(rng.choices(parts, k=rng.randrange(7)))
        try:
            groups = {*re.compile(pattern).groupindex}
        except re.error as error:
            with pytest.raises(ValueError, match=re.escape(str(error))):
                _groups(pattern)
        else:
            assert {*_groups(pattern)} == groups, pattern


@pytest.mark.parametrize("pattern", ["(" * 3000 + "a" + ")" * 3000, "a{99999999999999999999}"])
def test_a_pattern_that_python_cannot_compile_is_an_error(pattern: str) -> None:
    with pytest.raises(ValueError, match="a regular expression"):
        _groups(pattern)
