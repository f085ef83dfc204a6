"""What was carried out for a request, in its parts: the program, and each correction's.

A correction's part begins with a comment that says what it is, so that a program can be repeated,
taken back and remembered without what was said for one time only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.frozen import frozen
from treec_helper.asked import (
    HouseholdWords,
    asked,
    is_all_taken_back,
    is_taken_back,
    turns,
    what_is_taken_back,
)
from treec_helper.constructors import with_class
from treec_helper.mentions import any_of, words

AGAIN = "# again\n"
"""Stands before each further time that a program is carried out."""
FEWER = "# fewer\n"
ANOTHER = "# another one\n"
TAKEN_BACK = "# taken back"
ALL_TAKEN_BACK = "# all taken back"
"""What cannot be taken back stands after it."""
_CORRECTED, _ONCE = "# corrected\n", "# only this time\n"
_MARK = re.compile(
    r"^# (?P<what>again|fewer|another one|(?:all )?taken back|corrected|only this time|"
    r"(?P<new>\w+) instead of (?P<old>\w+))(?:; (?P<note>.*))?\n",
    re.MULTILINE,
)


@frozen(slots=False)
class ProgramPart:
    """What was carried out at once: ``what`` is "" for the request's own program."""

    what: str
    text: str
    classes: tuple[str, str] | None = None
    """The old and the new class of a place."""


def moved_to(old: str, new: str) -> str:
    """The mark of a part that puts things into another place."""
    return f"# {new} instead of {old}\n"


def what_stays(program: str) -> str:
    """What could not be taken back, as the last part of a program says it."""
    found = list(_MARK.finditer(program))
    return found[-1]["note"] or "" if found else ""


def took_another(carried_out: str) -> bool:
    """Whether what was carried out last was the program with another thing."""
    *_, last = _parts(carried_out)
    return f"# {last.what}\n" == ANOTHER


def first_program(carried_out: str) -> str:
    """What was carried out, without what was only repeated, and with things in their last place."""
    program = ""
    for part in _standing(carried_out):
        if part.what in ("", "corrected"):
            program = _joined(program, part.text)
        elif part.classes is not None:
            program = with_class(program, *part.classes)
    return program


def lasting_program(carried_out: str) -> str:
    """What is remembered under the first words: without what was said for one time."""
    program = ""
    for part in _standing(carried_out):
        if part.what in ("", "corrected"):
            program = _joined(program, part.text)
    return program


def varied_program(carried_out: str) -> str:
    """What is remembered under all words: with another place, and what a model wrote for once."""
    program = ""
    for part in _standing(carried_out):
        if part.what in ("", "corrected", "only this time"):
            program = _joined(program, part.text)
        elif part.classes is not None:
            program = with_class(program, *part.classes)
    return program


def marked(program: str, dialogue: str, vocabulary: HouseholdWords) -> str:
    """The program of a request, marked if that is a correction whose program has no mark."""
    if not program.strip() or "\n<Driver>" not in dialogue or _MARK.match(program):
        return program
    said = turns(dialogue)[-1]
    is_part = bool(what_is_taken_back(said) and asked(dialogue, vocabulary).conditions)
    if is_taken_back(said) and not is_part:
        return f"{ALL_TAKEN_BACK if is_all_taken_back(said) else TAKEN_BACK}\n{program}"
    return f"{_ONCE if _is_for_once(dialogue, vocabulary) else _CORRECTED}{program}"


def _is_for_once(dialogue: str, vocabulary: HouseholdWords) -> bool:
    """Whether the last correction of a dialogue asks for something else than what was asked for.

    What was missing or wrong is to be right the next time, too; another place is not.
    """
    said = turns(dialogue)[-1].lower()
    before = asked(dialogue[: dialogue.rindex("\n<Driver>")], vocabulary)
    after = asked(dialogue, vocabulary)
    if not set(before.conditions) <= set(after.conditions):
        return True
    same = {name.partition(".")[0] for name in before.things}
    more = (name for name in after.things if name not in before.things)
    if any(name.partition(".")[0] in same for name in more if "." in name):
        return True
    changed = (
        before.things[str(c.value)] != after.things[str(c.value)]
        for c in before.conditions
        if c.fact == "at"
    )
    once, always = (rf"\b{any_of(words()[name])}\b" for name in ("for_once", "always"))
    return any(changed) or (re.search(once, said) is not None and re.search(always, said) is None)


def _standing(carried_out: str) -> list[ProgramPart]:
    """The parts that were not taken back."""
    standing: list[ProgramPart] = []
    for part in _parts(carried_out):
        if part.what == "all taken back":
            standing.clear()
        elif part.what != "taken back":
            standing.append(part)
        elif standing:
            standing.pop()
    return standing


def _parts(carried_out: str) -> Iterator[ProgramPart]:
    found = list(_MARK.finditer(carried_out))
    ends = [*(mark.start() for mark in found), len(carried_out)]
    yield ProgramPart("", carried_out[: ends[0]])
    for mark, end in zip(found, ends[1:], strict=True):
        classes = (mark["old"], mark["new"]) if mark["old"] else None
        yield ProgramPart(mark["what"], carried_out[mark.end() : end], classes)


def _joined(before: str, after: str) -> str:
    """A program and its correction as one; a correction that repeats it stands for both."""
    rest = iter(after.splitlines())
    repeats = all(line in rest for line in before.splitlines())
    return after if repeats else f"{before}{after}"
