"""What of a run's past can still make a difference; the rest is left out where states are compared.

Old work: the last work of nodes is only compared with the moments at which answers were given
(``OverridePolicy``). Moments that no policy will look at are left out; of work counts how many of
the others came before it, and no work that came before all of them.

Old talk, where no model is asked and nobody waits for a person's choice: nothing looks at words
that were read and answered but

- expressions by ``said`` and ``heard`` (lines that have in them what is asked for) and by
  ``chat[-3:]`` (so many lines; for ``'some words' in (chat[-3:] | join(' '))`` those that have one
  of these words in them); if a file looks in another way, all words count;
- rules: the recipes that were offered (questions since the last line that was read), and, if people
  may ask something, what was said last (the assistant's last turn), and the tasks that the last
  lines named.

Prompts are not written then. Ids of utterances and of their acts are only made, compared and looked
up, so that they count by their order.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from treec.extensions import registry
from treec_asking.override_policy import OverridePolicy
from treec_hearing.question_words import QuestionLanguage
from treec_hearing.spoken_names import find_tasks

if TYPE_CHECKING:
    from treec.run.run import Run
    from treec.team.entities import Utterance
    from treec.world.facts import FactKey, FactValue

ID = re.compile(r"u(\d+)(\.\d+)?")
"""An utterance's id, or that of an act in it."""

NAMED = 8
"""Lines of which the tasks that they name count; rules look at five (``treec_hearing.answers``)."""

_ONLY_IN_PROMPTS = {"about", "system", "observation", "instructions", "examples"}
_ONLY_IN_PROMPTS |= {"recalls", "knows"}
_PART = r"\s*(?:[\w.]+\s*~\s*)?(?:'([^'\\]+)'|\"([^\"\\]+)\")\s*(?:~\s*[\w.]+\s*)?[,)]"
_ASKED_FOR = re.compile(r"\b(?:said|heard)\s*\((?:" + _PART + ")?")
_IN_CODE = re.compile(r"\b(?:chat|said|heard|utterances?|talk|conversation|getattr)\b")
_WORD = re.compile(r"\w+")
_IN_LAST = re.compile(r"'([^'\\]+)' (?:not )?in \(chat\[-(\d+):\] \| join\(' '\)\)")
_LAST = re.compile(r"\bchat\b(?:\[-(\d+):\])?")
_OTHERWISE = re.compile(r"\butterance\.|\.utterance\b|\bUtterance\b|\.t\b")


class Past:
    """The form of what still counts of a run's talk and work."""

    is_fixed: ClassVar[bool] = True
    """It is no part of a run's state."""

    def __init__(
        self, run: Run, conditions: Iterable[str] = (), lines: Iterable[str] | None = None
    ) -> None:
        self._run = run
        self._may_ask = lines is None or any(may_ask(run, line) for line in lines)
        """Whether people may say something to which the talk before it has the answer."""
        self.slots: object = run.world._base._slots
        """The slots of the team's state."""
        self.facts: dict[FactKey, FactValue] = run.world._base._values
        found = (getattr(node, "override", None) for node in run.root.iterate())
        self._policies = [one for one in found if isinstance(one, OverridePolicy)]
        self._parts: set[str] = set()
        self._last = 0
        self._words: dict[str, int] = {}
        """Words that are looked for in the last lines, and in how many."""
        self._may_be_short = run.asker is None and self._find_looks(conditions)
        self.is_short = self._may_be_short
        """Whether words that were dealt with are left out of the present state."""
        self._tasks: dict[str, tuple[str, ...]] = {}

    def _find_looks(self, conditions: Iterable[str]) -> bool:
        """Find how expressions look at old words; False if it may be in any way."""
        view = self._run.view
        texts = list(conditions)
        for entry in view.entries:
            if entry.kind in ("scenario", "hearing"):  # neither is evaluated in a run by itself
                continue
            if entry.kind in ("action", "decision", "reading"):
                data = entry.model.model_dump(by_alias=True, exclude=_ONLY_IN_PROMPTS)
                texts += texts_in(data)
            else:
                texts += texts_in(entry.model.model_dump(by_alias=True, exclude={"about"}))
        if any(map(_may_look, self._find_foreign(texts))):
            return False
        if any(map(ID.fullmatch, (*view.objects, *self._run.team.now.agents))):
            return False
        for whole in texts:
            for test in _IN_LAST.finditer(whole):
                for word in test[1].split():
                    self._words[word] = max(self._words.get(word, 0), int(test[2]))
            text = _IN_LAST.sub("", whole)
            asked, last = list(_ASKED_FOR.finditer(text)), list(_LAST.finditer(text))
            if _OTHERWISE.search(text) or not all(m[1] or m[2] for m in asked):
                return False
            if not all(m[1] for m in last):
                return False
            self._parts.update((m[1] or m[2]).lower() for m in asked)
            self._last = max(self._last, *(int(m[1]) for m in last), 0)
        return True

    def _find_foreign(self, texts: Iterable[str]) -> set[str]:
        """The packages, but those whose looks are known, of nodes and of what expressions call."""
        code = {name: one.call for name, one in registry().functions.items()}
        code |= {name: one.get for name, one in registry().names.items()}
        named = {word for text in texts for word in _WORD.findall(text)}
        modules = [type(node).__module__ for node in self._run.root.iterate()]
        modules += [code[name] for name in named & code.keys()]
        found = {module.partition(".")[0] for module in modules}
        return found - {"treec", "treec_asking", "treec_hearing", "treec_program", "py_trees"}

    def looks_back(self, policy: OverridePolicy) -> bool:
        """Whether a policy may still ask what has happened since its last answer."""
        is_open = policy.by_model or policy._left or policy._rounds
        return bool(is_open) or policy._path in self._run.runtime.suppressed

    def look(self) -> None:
        """Look at the present state of the run."""
        self.is_short = self._may_be_short and not self._run.runtime.questions

    def heard(self) -> tuple[str, list[str]]:
        """What a node may be asked whether it has heard: the last utterance, and acts."""
        now = self._run.team.now
        left = [act.id for policy in self._policies for act in policy._left]
        return now.talk.last_heard, [act.id for act in now.acts] + left

    def work(self) -> object:
        """Of each node's last work, how many answers that are looked back at came before it."""
        versions = [int(p._since) for p in self._policies if self.looks_back(p)]
        log = self._run.runtime.work
        last = [*log._last.items(), ("", log._latest)]
        counts = [(by, sum(int(n) > version for version in versions)) for by, n in last]
        return tuple(sorted(one for one in counts if one[1]))

    def talk(self) -> Iterator[tuple[str, float | None, object]]:
        """What counts of the talk, from the last line: ids, times if they count, and words."""
        team = self._run.team
        people = team.knowledge.people
        waiting = {line.id for line in team.now.talk.waiting}
        in_turn, since_read, has_spoken = True, True, False
        between = False
        """Whether somebody else's line was left out since the one before."""
        for number, line in enumerate(team.now.talk.backwards()):
            words = line.who, line.text, line.read, line.answered
            is_persons = line.who in people
            if is_persons:
                in_turn = in_turn and not has_spoken
                since_read = since_read and not line.read
            else:
                has_spoken = True
            is_asked_for = any(part in line.text.lower() for part in self._parts)
            in_turn = in_turn and self._may_ask
            said = f"{line.who}: {line.text}"
            if any(number < last and word in said for word, last in self._words.items()):
                yield "", None, (number, words)
            if is_asked_for:
                id = line.id if line.id in waiting else ""
                yield id, line.t, (*words, number < self._last, in_turn, since_read)
            elif (
                number < self._last
                or line.id in waiting
                or (not is_persons and (in_turn or (since_read and "?" in line.text)))
            ):
                id = line.id if line.id in waiting else ""
                yield id, None, (*words, between)
                between = False
            else:
                between = between or is_persons
            if self._may_ask and number < NAMED and (named := self._named(line)):
                yield "", None, (number, named)

    def _named(self, line: Utterance) -> tuple[str, ...]:
        """The tasks that a line names."""
        if line.text not in self._tasks:
            found = find_tasks(self._run.team.knowledge, line.text)
            self._tasks[line.text] = tuple(task.name for task in found)
        return self._tasks[line.text]


def may_ask(run: Run, line: str) -> bool:
    """Whether words may be a question, a prohibition or a wish to hear something again."""
    language, text = QuestionLanguage(run.view), line.lower()
    words = text.split()
    rests = [" ".join(words[number:]) for number in range(len(words))]
    asks = language.words("question")
    return (
        "?" in line
        or any(map(asks.match, rests))
        or bool(language.words("again").search(text))
        or bool(language.words("prohibition").search(text))
    )


def _may_look(package: str) -> bool:
    """Whether the code of a package has a word by which it may look at what was said."""
    loaded = tuple(sys.modules.items())
    modules = [module for name, module in loaded if f"{name}.".startswith(f"{package}.")]
    try:
        return any(_IN_CODE.search(inspect.getsource(module)) for module in modules)
    except (OSError, TypeError):
        return True


def texts_in(data: object) -> list[str]:
    """All texts in a model's data; keys, too."""
    if isinstance(data, dict):
        return [text for pair in data.items() for one in pair for text in texts_in(one)]
    if isinstance(data, list | tuple | set | frozenset):
        return [text for one in data for text in texts_in(one)]
    return [data if isinstance(data, str) else json.dumps(data, default=str)]
