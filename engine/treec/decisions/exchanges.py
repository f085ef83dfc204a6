"""Exchanges: test cases for a whole system, played by its rules, by kept answers or by a model.

An exchange starts from a state, hears words, and is watched for some time. Answers of several
authors are kept side by side: those of models as recordings, those of people in the case itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from treec.ask.recording_folder import RecordingFolder
from treec.ask.recordings import HAND, RecordingError
from treec.ask.recordings_transport import RecordedTransport, Recorder
from treec.ask.transport import Answer, Request, Transport, Unavailable
from treec.decisions.cases import CaseError
from treec.decisions.stored_world import InvalidWorld, StoredWorld, from_plain
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.exchanges import ExchangeFile
from treec.files.library import Library, load_file
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.run.clocks import SteppingClock
from treec.run.loop import LoopError
from treec.run.run import CannotRun, Run
from treec.source.diagnostics import did_you_mean
from treec.source.errors import EvaluationError, EvaluationProblem, UndefinedName
from treec.source.expression import Expression
from treec.source.scope import MappingScope, Scope
from treec.team.events import Said
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.world import WorldError

FOLDER = "tests/exchanges"
ANSWERS = f"{FOLDER}/answers"
RULES = "rules"
SINCE = "since"


@dataclass(frozen=True)
class ExchangeCase:
    """An exchange and the view of its system; ``root`` is the library's folder."""

    entry: Entry[ExchangeFile]
    view: View
    root: Path

    @property
    def name(self) -> str:
        """Its name."""
        return self.entry.name

    @property
    def where(self) -> str:
        """The file and line of the case."""
        span = self.entry.span("exchange")
        return f"{span.path}:{span.line}"

    @property
    def folder(self) -> Path:
        """Where recorded answers are kept, a folder for each author."""
        return self.root / ANSWERS / self.name

    def authors(self) -> list[str]:
        """Who can answer without a model: the rules, people by name, recorded models."""
        recorded = sorted(path.name for path in self.folder.glob("*") if path.is_dir())
        return list(dict.fromkeys([RULES, *self.entry.model.answers, *recorded]))

    def transport(self, author: str) -> Transport | None:
        """What answers for an author; None for the rules. Raises CaseError."""
        if author == RULES:
            return None
        if author in self.entry.model.answers:
            return HandAnswers(self.entry.model.answers[author])
        try:
            return RecordedTransport.of(self.folder / author)
        except (RecordingError, ValueError) as error:
            raise CaseError(f"{self.where}: {self.name} by {author}: {error}") from None


@dataclass
class ExchangeResult:
    """What happened when an author answered; ``failures`` is empty if all was as it must be."""

    exchange: ExchangeCase
    author: str
    failures: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    requests: int = 0
    tokens: int = 0
    seconds: float = 0.0

    @property
    def known(self) -> str:
        """Why this author is known to fail; '' if it is not."""
        return self.exchange.entry.model.fails.get(self.author, "")

    @property
    def ok(self) -> bool:
        """Whether it passed, or failed as it is known to."""
        return bool(self.failures) == bool(self.known)


class HandAnswers:
    """Answers that a person wrote, by node; a list is given in order, its last one repeated."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self._answers = answers
        self._given: dict[str, int] = {}

    async def ask(self, request: Request) -> Answer:
        """The node's answer. Raises Unavailable where there is none, so that its rules decide."""
        if request.node not in self._answers:
            raise Unavailable(f"no answer of {request.node} was written")
        answers = self._answers[request.node]
        if not isinstance(answers, list):
            answers = [answers]
        number = self._given.get(request.node, 0)
        self._given[request.node] = number + 1
        answer = answers[min(number, len(answers) - 1)]
        return Answer(json.dumps(answer, ensure_ascii=False), HAND)


class _Meter:
    """Counts what is asked through a transport."""

    def __init__(self, transport: Transport, result: ExchangeResult) -> None:
        self._transport = transport
        self._result = result

    async def ask(self, request: Request) -> Answer:
        """The answer, counted; so is a request that is closed before its answer."""
        self._result.requests += 1
        try:
            answer = await self._transport.ask(request)
        except Unavailable:  # nobody was asked
            self._result.requests -= 1
            raise
        self._result.tokens += (answer.input_tokens or 0) + (answer.output_tokens or 0)
        self._result.seconds += answer.seconds or 0.0
        return answer


def load_exchanges(library: Library) -> list[ExchangeCase]:
    """All exchanges of a library. Raises CaseError for an invalid file."""
    folder = library.root / FOLDER
    paths = sorted(folder.rglob("*.exchange.yaml")) if folder.is_dir() else []
    shown = [path.relative_to(library.root).as_posix() for path in paths]
    for path, name in zip(paths, shown, strict=True):
        if name not in library.sources:
            load_file(library, path, name)
    errors = [
        f"{d.span}: {d.message}{f': {d.help}' if d.help else ''}"
        for d in library.diagnostics
        if d.severity == "error" and d.span.path in shown
    ]
    if errors:
        raise CaseError("\n".join(errors))
    return [_exchange(library, entry) for entry in library.of_kind("exchange")]


def _exchange(library: Library, entry: Entry[ExchangeFile]) -> ExchangeCase:
    systems = {system.name: system for system in library.of_kind("system")}
    name = entry.model.system or (next(iter(systems)) if len(systems) == 1 else None)
    span = entry.span("exchange" if entry.model.system is None else "system")
    if name is None:
        raise CaseError(f"{span}: `system` is missing: there are {', '.join(systems) or 'none'}")
    system = library.find_system(name)
    if system is None:
        near = did_you_mean(name, systems)
        help = f"did you mean '{near}'?" if near else f"there are: {', '.join(systems) or 'none'}"
        raise CaseError(f"{span}: there is no system '{name}': {help}")
    return ExchangeCase(entry, View(library, system), library.root)


def select_exchanges(exchanges: Iterable[ExchangeCase], which: Iterable[str]) -> list[ExchangeCase]:
    """Exchanges by name, pattern or file; all if none is named."""
    patterns = list(which)
    return [
        one
        for one in exchanges
        if not patterns
        or any(fnmatchcase(one.name, p) or one.entry.path == p.rstrip("/") for p in patterns)
    ]


def play(
    exchange: ExchangeCase, author: str, transport: Transport | None, model: str | None = None
) -> ExchangeResult:
    """Run an exchange with the answers of a transport. Raises CaseError.

    ``model`` is the name of a model that answers in real time.
    """
    result = ExchangeResult(exchange, author)
    file = exchange.entry.model
    run = _prepare(exchange, None if transport is None else _Meter(transport, result), model)
    scope = MappingScope({SINCE: run.clock.now()}, parent=run.scope)
    _require_names(exchange, scope)
    watch = _Watch(file, run, scope)
    run.loop.after_tick.append(watch.look)
    first = len(run.journal.records)
    try:
        run.go()
    except (CannotRun, LoopError) as error:
        result.failures.append(str(error))
    result.failures += watch.failures()
    result.failures += [f"contract {name}: {why}" for name, why in run.monitor.broken]
    people = set(exchange.view.people)
    for record in run.journal.records[first:]:
        for event in flat(record.event):
            if isinstance(event, Said) and event.who not in people:
                result.said.append(event.text)
    if isinstance(transport, RecordedTransport) and transport.missed:
        result.failures = [f"the answers are stale: {transport.missed[0]}"]
    return result


def record(exchange: ExchangeCase, author: str, model: str, transport: Transport) -> ExchangeResult:
    """Play an exchange with a model and keep its answers as those of ``author``.

    Answers kept before are replaced. Raises CaseError and RecordingError.
    """
    recorder = Recorder(transport)
    result = play(exchange, author, recorder, model)
    folder = exchange.folder / author
    saved = set(recorder.save(folder))
    recordings = RecordingFolder(folder)
    old = {*recordings.files()} - saved
    for path in (*old, *recordings.unused_parts(recorder.recordings())):
        path.unlink()
    return result


def _prepare(exchange: ExchangeCase, transport: Transport | None, model: str | None) -> Run:
    file, entry = exchange.entry.model, exchange.entry
    try:
        stored = StoredWorld() if file.world is None else from_plain(file.world, exchange.view)
        start = None
        if file.world is not None:
            stored.world(exchange.view)
            start = stored.start(exchange.view)
        assert exchange.view.system is not None
        scenario = ScenarioFile.model_validate(
            {
                "scenario": file.exchange,
                "system": exchange.view.system.name,
                "seed": file.seed,
                "user": [{"says": text} for text in file.says],
                "expect": {"finally": "false", "within": stored.t + file.within},
            }
        )
        return Run(
            exchange.view,
            SteppingClock(stored.t),
            Journal.in_memory(),
            Entry("scenario", file.exchange, scenario, entry.node, entry.file),
            None,
            transport,
            model=model,
            start=start,
        )
    except (InvalidWorld, CannotRun, WorldError, AttributeError, TypeError, ValueError) as error:
        raise CaseError(f"{exchange.where}: {exchange.name}: {error}") from None


def _require_names(exchange: ExchangeCase, scope: Scope) -> None:
    """Raise CaseError for a name or function that does not exist."""
    functions = {*registry().functions, *exchange.view.facts}
    for key in ("must", "must_not"):
        for index, text in enumerate(getattr(exchange.entry.model, key)):
            expression = Expression.parse(text)
            found = [call.name for call in expression.calls]
            wrong = [n for n in found if n not in functions and scope.special(n) is None]
            for name in {name.name for name in expression.names} - set(found):
                try:
                    scope.lookup(name)
                except UndefinedName:
                    wrong.append(name)
                except EvaluationProblem:
                    continue
            if wrong:
                where = exchange.entry.span(key, index)
                raise CaseError(f"{where}: '{wrong[0]}' is not a name that this expression can use")


class _Watch:
    """Evaluates what must and must not hold after each tick."""

    def __init__(self, file: ExchangeFile, run: Run, scope: Scope) -> None:
        self._run = run
        self._scope = scope
        self._missing = list(file.must)
        self._must_not = file.must_not
        self._violations: dict[str, float] = {}
        self._errors: dict[str, str] = {}
        self._evaluated: set[str] = set()
        self._began = run.clock.now()

    def look(self) -> None:
        """Look at the world as it is now."""
        for text in self._must_not:
            if self._holds(text):
                self._violations.setdefault(text, self._run.clock.now() - self._began)
        if self._run.user is None or self._run.user.finished:
            self._missing = [text for text in self._missing if not self._holds(text)]

    def failures(self) -> list[str]:
        """A sentence for each expectation that was not met."""
        unknown = [text for text in self._must_not if text not in self._evaluated]
        return [
            *(f"must, but never held: {text}" for text in self._missing),
            *(f"must not, but held after {t:g} s: {e}" for e, t in self._violations.items()),
            *(f"must not, but nothing can tell: {e}: {self._errors.get(e, '')}" for e in unknown),
        ]

    def _holds(self, text: str) -> bool:
        try:
            value = Expression.parse(text).evaluate(self._scope)
        except EvaluationError as error:  # what it speaks of may not exist yet
            self._errors[text] = error.message
            return False
        self._evaluated.add(text)
        return bool(value)
