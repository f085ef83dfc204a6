"""Cases of a whole system, played by its rules, by answers that are kept, or by a model.

A system starts from a world, hears words, and is watched for some time. Answers of several authors
are kept side by side: those of models as recordings, those of people in the case itself. Each
author makes a case of its own, such as `stop_hauler/rules`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from treec.ask.transport import Answer, Request, Transport, Unavailable
from treec.files.entry import Entry
from treec.files.library import Library
from treec.files.systems import ScenarioFile
from treec.files.view import View
from treec.run.clocks import SteppingClock
from treec.run.loop import LoopError
from treec.run.run import CannotRun, Run
from treec.source.scope import MappingScope
from treec.team.events import Said
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec.world.world import WorldError
from treec_testing.case_file import CaseFile
from treec_testing.decisions.answer_totals import AnswerTotals
from treec_testing.decisions.authors import RULES
from treec_testing.decisions.case_files import case_files
from treec_testing.decisions.cases import CaseError, find_system
from treec_testing.decisions.expectations import ExpectationMonitor, require_names
from treec_testing.decisions.situation import patience
from treec_testing.decisions.stored_world import InvalidWorld, StoredWorld, from_plain
from treec_testing.recordings.recording import HAND, Recording
from treec_testing.recordings.transport import RecordedTransport, Recorder

SINCE = "since"


@dataclass(frozen=True)
class SystemCase:
    """A case of a whole system, with the answers of one author."""

    entry: Entry[CaseFile]
    view: View
    author: str = RULES
    recordings: tuple[Recording, ...] = ()
    """The recorded answers, if the author is a model."""

    @property
    def id(self) -> str:
        """The name of the case and the author."""
        return f"{self.entry.name}/{self.author}"

    @property
    def about(self) -> str:
        """What it is about."""
        return self.entry.model.about

    @property
    def where(self) -> str:
        """The file and line of the case."""
        span = self.entry.span("case")
        return f"{span.path}:{span.line}"

    @property
    def by_model(self) -> bool:
        """Whether its answers are recorded from a model."""
        return self.author != RULES and self.author not in self.entry.model.answers

    @property
    def known_failure(self) -> str:
        """Why this author is known to fail; '' if it is not."""
        return self.entry.model.fails.get(self.author, "")

    def by(self, author: str) -> SystemCase:
        """The same case with another author, of whom nothing is recorded."""
        return replace(self, author=author, recordings=())

    def transport(self) -> Transport | None:
        """What answers; None for the rules. Raises CaseError."""
        if self.author == RULES:
            return None
        if not self.by_model:
            return HandAnswers(self.entry.model.answers[self.author])
        try:
            return RecordedTransport(self.recordings)
        except ValueError as error:
            raise CaseError(f"{self.where}: {self.id}: {error}") from None


@dataclass
class PlayResult:
    """What happened when a case was played; ``failures`` is empty if all was as it must be."""

    case: SystemCase
    failures: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    missed: str = ""
    """The request that no recording answers, if there is one."""
    spent: AnswerTotals = field(default_factory=AnswerTotals)
    """Of all requests, also those that were closed before their answer."""

    @property
    def ok(self) -> bool:
        """Whether it passed, or failed as it is known to."""
        return not self.missed and bool(self.failures) == bool(self.case.known_failure)


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

    def __init__(self, transport: Transport, spent: AnswerTotals) -> None:
        self._transport = transport
        self._spent = spent

    async def ask(self, request: Request) -> Answer:
        """The answer, counted; so is a request that is closed before its answer."""
        self._spent.answers += 1
        try:
            answer = await self._transport.ask(request)
        except Unavailable:  # nobody was asked
            self._spent.answers -= 1
            raise
        self._spent.pay(answer)
        return answer


def load_system_cases(
    library: Library, recordings: Mapping[str, Recording], broken: Iterable[str] = ()
) -> list[SystemCase]:
    """The cases of whole systems, one for each author. Raises CaseError for an invalid file.

    ``recordings`` are those of all cases by id, ``broken`` the ids of unreadable ones.
    """
    cases: list[SystemCase] = []
    for entry in case_files(library):
        model = entry.model
        if model.node is not None:
            continue
        span = entry.span("case" if model.system is None else "system")
        case = SystemCase(entry, View(library, find_system(library, model.system, span)))
        recorded = {author_of(id) for id in (*recordings, *broken) if is_answer(id, entry.name)}
        for author in dict.fromkeys([RULES, *model.answers, *sorted(recorded)]):
            authored = case.by(author)
            own = (r for id, r in recordings.items() if id.startswith(f"{authored.id}/"))
            cases.append(replace(authored, recordings=tuple(own)))
    return cases


def is_answer(id: str, name: str) -> bool:
    """Whether a recording is an answer in a case of a whole system: CASE/AUTHOR/NODE/QUESTION."""
    return id.startswith(f"{name}/") and id.count("/") == 3


def author_of(id: str) -> str:
    """The author of a recorded answer."""
    return id.split("/")[1]


def play(
    case: SystemCase, transport: Transport | None = None, model: str | None = None
) -> PlayResult:
    """Run a case with its author's answers. Raises CaseError.

    With a transport that answers instead; ``model`` is the name of a model that does so in real
    time.
    """
    result = PlayResult(case)
    file = case.entry.model
    transport = transport or case.transport()
    metered = None if transport is None else _Meter(transport, result.spent)
    run = _prepare(case, metered, RunSpec(model=model, model_settings=patience(transport)))
    scope = MappingScope({SINCE: run.clock.now()}, parent=run.scope)
    require_names(case.entry, case.view, scope)
    expectations = ExpectationMonitor(file, run, scope)
    run.loop.after_tick.append(expectations.check)
    first = len(run.journal.records)
    try:
        run.go()
    except (CannotRun, LoopError) as error:
        result.failures.append(str(error))
    result.failures += expectations.failures()
    result.failures += [f"contract {name}: {why}" for name, why in run.monitor.broken]
    people = set(case.view.people)
    for record in run.journal.records[first:]:
        for event in flat(record.event):
            if isinstance(event, Said) and event.who not in people:
                result.said.append(event.text)
    if isinstance(transport, RecordedTransport) and transport.missed:
        result.missed = str(transport.missed[0])
    return result


def record(case: SystemCase, model: str, transport: Transport) -> dict[str, Recording]:
    """Play a case with a model; returns its answers as recordings by id. Raises CaseError."""
    recorder = Recorder(transport)
    play(case, recorder, model)
    return {f"{case.id}/{one.recording}": one for one in recorder.recordings()}


def _prepare(case: SystemCase, transport: Transport | None, spec: RunSpec) -> Run:
    file, entry = case.entry.model, case.entry
    try:
        stored = StoredWorld() if file.world is None else from_plain(file.world, case.view)
        start = None
        if file.world is not None:
            stored.world(case.view)
            start = stored.start(case.view)
        assert case.view.system is not None
        scenario = ScenarioFile.model_validate(
            {
                "scenario": file.case,
                "system": case.view.system.name,
                "seed": file.seed,
                "user": [{"says": text} for text in file.says],
                "expect": {"finally": "false", "within": stored.t + file.within},
            }
        )
        script = Entry("scenario", file.case, scenario, entry.node, entry.file)
        return Run(
            case.view.including(script),
            SteppingClock(stored.t),
            Journal.in_memory(),
            replace(spec, scenario=script.name),
            transport=transport,
            start=start,
        )
    except (InvalidWorld, CannotRun, WorldError, AttributeError, TypeError, ValueError) as error:
        raise CaseError(f"{case.where}: {case.id}: {error}") from None
