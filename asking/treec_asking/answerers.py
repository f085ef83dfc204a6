"""Who answers a question, in order: rules, models, decision models, distilled scorers, a person.

Each answers or passes on to the next: rules if none holds, a model that gives no valid answer or is
not sure enough, a person whose words name no option or who says nothing. Contracts judge the
answers of all alike. Without `answers` in its file a node asks the run's model; after the last one
the rules decide.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treec.ask.transport import (
    QUESTIONS,
    Answer,
    Message,
    decision_model_name,
    is_decision_model,
)
from treec.files.entry import AnyEntry
from treec.files.hearing import HearingFile
from treec.files.prompts import DECISION_MODEL, DISTILLED, MODEL, PERSON, RULES, AnswererSpec
from treec.nodes.runtime import Runtime
from treec.team.entities import Utterance
from treec.team.events import ActsSettled
from treec.team.language import language_of
from treec.team.spoken_words import plain_words
from treec.team.stop_words import STOP
from treec.world.clock import Timer
from treec_asking.prompt import Question

CHOOSE = "choose"
"""The typed question of a decision, and the key of its answer."""

_WORD = r"[\w'-]+"

SHORTEST = 3
"""Letters of an option's name that is heard among other words."""

WAIT = 60.0
"""Seconds that a person may take for an answer, unless the file says otherwise."""


@dataclass(frozen=True)
class Sureness:
    """How sure a model is of its answer, and of what else it could have answered."""

    confidence: float | None = None
    probabilities: Mapping[str, float] | None = None

    def rounded(self) -> dict[str, Any]:
        """As it is recorded, without what is unknown."""
        found: dict[str, Any] = {}
        if self.confidence is not None:
            found["confidence"] = round(self.confidence, 4)
        if self.probabilities is not None:
            found["probabilities"] = {n: round(p, 4) for n, p in self.probabilities.items()}
        return found


UNKNOWN = Sureness()
"""That of a model that says nothing of it."""


class NotSure(ValueError):
    """An answer is passed on: its confidence is below what its file asks for."""


@dataclass(frozen=True)
class Answerer:
    """One of those who answer; ``model`` is its name, or None for the run's."""

    kind: str
    model: str | None = None
    sure: float | None = None
    wait: float = WAIT
    typed: bool = False
    """Whether it is asked typed questions."""
    is_listed: bool = False
    """Whether the file names it: then it is recorded that it passes on."""
    unfit: str = ""
    """Why a distilled scorer cannot answer."""

    @classmethod
    def of_run(cls) -> Answerer:
        """The run's model."""
        return cls(MODEL)

    @property
    def name(self) -> str:
        """The name in records."""
        return self.model or self.kind

    @property
    def is_model(self) -> bool:
        """Whether a model is asked."""
        return self.kind in (MODEL, DECISION_MODEL)

    def other_model(self, runtime: Runtime) -> str:
        """The name of its model; '' for the run's."""
        return "" if self.model in (None, runtime.model) else self.model or ""

    def require(self, sureness: Sureness) -> None:
        """Raise NotSure if its answer is to be passed on."""
        if self.sure is None:
            return
        if sureness.confidence is None:
            raise NotSure(f"it says nothing of its confidence, which must be {self.sure:g}")
        if sureness.confidence < self.sure:
            raise NotSure(f"its confidence {sureness.confidence:.2f} is below {self.sure:g}")

    def request_parts(self, question: Question) -> tuple[tuple[Message, ...], Mapping[str, object]]:
        """The messages and the schema of a request: the prompt, or a state and questions."""
        if not self.typed:
            return tuple(question.messages), question.schema
        return (question.messages[-1],), {QUESTIONS: question.typed}


def answerers_of(entry: AnyEntry, runtime: Runtime) -> tuple[Answerer, ...]:
    """Those of a file, or the run's model alone."""
    settings = entry.model.model
    specs = entry.model.answerers
    if not specs:
        typed = is_decision_model(settings.name or runtime.model)
        return (Answerer(MODEL, settings.name, typed=typed),)
    return tuple(_answerer(spec, entry, runtime) for spec in specs)


def _answerer(spec: AnswererSpec, entry: AnyEntry, runtime: Runtime) -> Answerer:
    default = entry.model.model.name
    if spec.kind == DISTILLED:
        return _scorer(spec, entry, runtime)
    wait = spec.person or WAIT
    if spec.kind in (RULES, PERSON):
        return Answerer(spec.kind, wait=wait, is_listed=True)
    name = spec.model or default
    if spec.kind == DECISION_MODEL:
        configured = runtime.view.library.settings.model.decisions
        own = runtime.decisions or (configured.name if configured else None)
        name = spec.decision_model or own
        name = decision_model_name(name) if name else None
    typed = spec.kind == DECISION_MODEL or is_decision_model(name or runtime.model)
    return Answerer(spec.kind, name, spec.sure, typed=typed, is_listed=True)


def _scorer(spec: AnswererSpec, entry: AnyEntry, runtime: Runtime) -> Answerer:
    from treec_asking.distilled import Unfit, fitting_header, remedy

    name, sure, unfit = spec.distilled or entry.name, spec.sure, ""
    try:
        header = fitting_header(runtime.view.library.root, name, entry)
        sure = max(header.sure, sure or 0.0)
    except Unfit as error:
        unfit = f"{error}: {remedy(name, entry.name)}"
    model = f"{DISTILLED}/{name}"
    return Answerer(DISTILLED, model, sure, typed=True, is_listed=True, unfit=unfit)


Answers = Mapping[str, Mapping[str, Any]]
"""The answers to typed questions, by name."""


def read_typed(text: str) -> Answers:
    """The answers to typed questions, by name. Raises ValueError."""
    try:
        answers = json.loads(text)
    except (ValueError, RecursionError):
        answers = None
    if not isinstance(answers, dict) or not all(isinstance(a, dict) for a in answers.values()):
        raise ValueError("it does not answer the typed questions.")
    return answers


def scorer_answer(root: Path, model: str, question: Question) -> Answer:
    """What a distilled scorer answers to typed questions. Raises NotSure, ExtensionError."""
    from treec.companions import missing_help
    from treec.extensions import registry
    from treec_asking.distilled import FOLDER
    from treec_asking.marks import unmark_text

    tables = registry()
    target = tables.scorers.get(DISTILLED)
    if target is None:
        raise NotSure(missing_help("scorers", DISTILLED) or "no installed package has scorers")
    state = unmark_text(question.messages[-1].content)
    read: Any = tables.load(target)
    answers = read(root / FOLDER / f"{model.partition('/')[2]}.json").answer(state, question.typed)
    return Answer(json.dumps(answers, ensure_ascii=False), model)


def share(value: object, name: str) -> float:
    """A probability or a confidence, of the answer to the question of a name. Raises ValueError."""
    if isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= 1:
        return float(value)
    raise ValueError(f"it does not answer '{name}' by a number from 0 to 1.")


def read_choice(answers: Answers, question: Question, name: str) -> tuple[str, Sureness]:
    """What was chosen, and the probabilities of all options. Raises ValueError."""
    options, answer = question.typed[name]["criteria"], answers.get(name, {})
    choice, given = answer.get("choice"), answer.get("probabilities")
    if not isinstance(choice, str) or choice not in options:
        raise ValueError(f"it answers '{name}' by {choice!r}, which is no option.")
    chances = given.items() if isinstance(given, Mapping) else ()
    probabilities = {str(option): share(p, name) for option, p in chances if option in options}
    return choice, Sureness(share(answer.get("confidence"), name), probabilities)


def read_noul(answers: Answers, name: str) -> float:
    """The probability of a yes. Raises ValueError."""
    return share(answers.get(name, {}).get("noul"), name)


class PersonAsked:
    """A question to whoever talks with the team, with numbered options; their words answer it.

    It stands where an exchange with a model would. Words that name none of the options are no
    answer, and are read like all others. Of several questions that are open, words belong to the
    one that they name, or that was asked last; the others are asked again.
    """

    attempt = 1
    outdated = False
    is_kept = False

    def __init__(
        self, runtime: Runtime, entry: AnyEntry, path: str, question: Question, answerer: Answerer
    ) -> None:
        self.question = question
        self.answerer = answerer
        self.verdicts: list[str] = []
        self._runtime = runtime
        assert question.choice is not None
        self._choice = question.choice
        self._options = tuple(self._choice.options)
        told = (
            f"{number} {_words(name)}" + (f" ({about.rstrip('.')})" if about else "")
            for number, (name, about) in enumerate(self._choice.options.items(), 1)
        )
        self._text, self._path = f"{self._choice.words.rstrip('.?')}: {', '.join(told)}?", path
        self._name = entry.name
        self._words: Utterance | None = None
        self.before = len(runtime.team.chat)
        """How many utterances are no answer to it."""
        self._ask()

    def _ask(self) -> None:
        self._runtime.say(self._text, self._path)
        self._is_late = False
        clock = self._runtime.clock
        self._timer: Timer = clock.call_at(clock.now() + self.answerer.wait, self._expire)
        self._runtime.questions.append(self)

    def _expire(self) -> None:
        self._is_late = True
        self._runtime.wake()

    def take(self) -> Answer | Exception | None:
        """The answer, or why there is none; None while nobody has said anything."""
        team = self._runtime.team
        people = {agent.name for agent in team.now.agents.values() if agent.person}
        if self._words is None:
            said = [u for u in team.chat[self.before :] if u.who in people]
            if said:
                self._address(said[0])
        if (words := self._words) is not None:
            self.cancel()
            chosen = named_option(words.text, self._options, language_of(self._runtime.view))
            acts = [act for act in team.now.acts if act.utterance == words.id]
            if any(act.kind == STOP for act in acts):
                return NotSure(f"{words.text!r} is a stop, and no answer")
            is_order = any("task" in act.fields for act in acts)
            if is_order and not _is_option(words.text, self._options):
                return NotSure(f"{words.text!r} is an order, and no answer")
            if chosen is None:
                return NotSure(f"{words.text!r} names no option")
            if acts:
                settled = ActsSettled(tuple(act.id for act in acts))
                self._runtime.world.emit(settled, self.answerer.kind)
            return Answer(json.dumps({self._choice.key: chosen}), PERSON)
        if self._is_late:
            self.cancel()
            return NotSure(f"nobody has answered within {self.answerer.wait:g} s")
        return None

    def cancel(self) -> None:
        """Wait no longer."""
        self._timer.cancel()
        if self in self._runtime.questions:
            self._runtime.questions.remove(self)

    def _address(self, words: Utterance) -> None:
        """Give words to the question that they answer, and ask the others again; a stop to all."""
        team = self._runtime.team
        spoken = team.chat.index(words)
        open_ones = [one for one in self._runtime.questions if one.before <= spoken]
        is_stop = any(act.kind == STOP for act in team.now.acts if act.utterance == words.id)
        answered = max(reversed(open_ones), key=lambda one: one._fit(words.text))
        for one in open_ones:
            if is_stop or one is answered:
                one._words = words
            else:
                one.cancel()
                one.before = spoken + 1
                one._ask()

    def _fit(self, text: str) -> tuple[bool, bool, bool]:
        """How well words answer it: they name it, an option, or the number of one."""
        plain = f" {' '.join(re.findall(_WORD, text.lower()))} "
        bare = re.sub(r"\d+", "", text)
        is_named = len(self._name) >= SHORTEST and f" {_words(self._name)} " in plain
        language = language_of(self._runtime.view)
        option, number = (named_option(one, self._options, language) for one in (bare, text))
        return is_named, option is not None, number is not None

    @property
    def why(self) -> str:
        """Why there is no answer."""
        return "; ".join(self.verdicts)

    def again(
        self, answer: Answer, reason: str, sureness: Sureness = UNKNOWN, *, once: bool = False
    ) -> bool:
        """Nobody is asked twice."""
        self.verdicts.append(reason)
        return False

    def pass_on(self, answer: Answer, error: NotSure, sureness: Sureness) -> None:
        """Note why the answer does not count."""
        self.verdicts.append(str(error))

    def record_use(self, answer: Answer, sureness: Sureness = UNKNOWN) -> None:
        """What was said is recorded already."""

    def record_failure(self, error: Exception) -> None:
        """Note why there is no answer."""
        self.verdicts.append(str(error))


def _words(name: str) -> str:
    return name.replace("_", " ").lower()


def _is_option(text: str, options: Sequence[str]) -> bool:
    """Whether words are the name of an option and nothing else."""
    return " ".join(re.findall(_WORD, text.lower())) in map(_words, options)


def named_option(text: str, options: Sequence[str], language: HearingFile) -> str | None:
    """The one option that words name, by its number or its name; not in a question or a denial."""
    words = plain_words(text.replace("_", " "), language.spellings)
    denials = {*language.unmeant.get("negated", ())}
    if "?" in text or denials & {*words} - {w for o in options for w in _words(o).split()}:
        return None
    numbers = {int(word) for word in words if word.isdigit()}
    numbers |= {number for word in words if (number := language.ordinals.get(word))}
    named = {options[n - 1] for n in numbers if 0 < n <= len(options)}
    plain = f" {' '.join(words)} "
    alone = {name for name in options if plain.strip() == _words(name)}
    named |= alone or {o for o in options if len(o) >= SHORTEST and f" {_words(o)} " in plain}
    return named.pop() if len(named) == 1 else None
