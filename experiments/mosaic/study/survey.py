"""The survey in the terminal: what was said, then the questions, one line of input each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TextIO

from experiments.mosaic.study.files import StudyFile, StudyQuestion
from experiments.mosaic.study.folder import why_unfit
from treec.cli.terminal_text import clock, safe
from treec.run.state import RunState


class SurveyBrokenOff(Exception):
    """The input ended before the last question was answered."""


@dataclass
class Survey:
    """Asks the questions of a study. ``show`` prints a line; ``read`` has the answers' lines."""

    show: Callable[[str], None]
    read: TextIO

    def ask(self, study: StudyFile) -> tuple[dict[str, int], dict[str, str]]:
        """The answers, and what participants wrote about them. Raises SurveyBrokenOff."""
        answers: dict[str, int] = {}
        instances: dict[str, str] = {}
        for number, (name, question) in enumerate(study.questions.items(), 1):
            self.show("")
            self.show(f"Question {number} of {len(study.questions)}: {safe(question.ask)}")
            answers[name] = self._number(question)
            self.show("When, for example? (Enter to skip; please mention no names)")
            if words := safe(self._line()):
                instances[name] = words
        return answers, instances

    def _number(self, question: StudyQuestion) -> int:
        choices = _choices(question)
        while True:
            self.show(f"Answer with {choices}:")
            words = self._line()
            try:
                value = int(words)
            except ValueError:
                self.show(f"'{safe(words)}' is not a whole number.")
                continue
            if (why := why_unfit(question, value)) is None:
                return value
            self.show(f"{why[:1].upper()}{why[1:]}.")

    def _line(self) -> str:
        line = self.read.readline()
        if not line:
            raise SurveyBrokenOff
        return line.strip()


def _choices(question: StudyQuestion) -> str:
    scale = question.scale
    if scale is None:
        return "a number, 0 for never"
    low, high = (f" ({safe(text)})" if text else "" for text in (scale.low, scale.high))
    return f"a number from {scale.from_}{low} to {scale.to}{high}"


def conversation(state: RunState) -> Iterator[str]:
    """The lines of a conversation with their times."""
    for utterance in state.talk.values():
        who = "you" if utterance.who in state.people else safe(utterance.who)
        yield f"  {clock(utterance.t):>5}  {who}: {safe(utterance.text)}"
