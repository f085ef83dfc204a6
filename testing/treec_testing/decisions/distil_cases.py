"""The cases that a scorer is distilled from: what a node was asked, and what was decided.

They are test cases with what they expect or what was recorded, answers in recorded cases of whole
systems, and the decisions of recorded runs. A scorer of a reading or a judge is judged by letting
the node itself answer by it, so that refused answers, and those that it passes on, count as such.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from treec.ask.transport import QUESTIONS, Answer, Request, Unavailable
from treec.files.entry import AnyEntry
from treec.files.library import Library
from treec.files.prompts import DISTILLED
from treec.team.events import RecipeSet
from treec.world.events import flat
from treec_asking.answerers import CHOOSE, NotSure
from treec_asking.marks import unmark_text
from treec_hearing.typed_acts import NONE
from treec_models.distil import TaughtExample
from treec_models.distilled import DistilledScorer, Questions
from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.authors import BESIDE, RULES, author_of_answer
from treec_testing.decisions.cases import CaseError
from treec_testing.decisions.equivalence import equivalent
from treec_testing.decisions.judge import expected
from treec_testing.decisions.moments import MomentError, RecordedRun, situation_at
from treec_testing.decisions.request_queue import OfflineTransport, run_sync
from treec_testing.decisions.situation import Situation, with_model
from treec_testing.decisions.snapshot import Snapshot
from treec_testing.recordings.attempt import ALWAYS
from treec_testing.recordings.recording import Recording

EXPECTED = "expected"
"""The author of what a case expects."""
EVEN = 0.5
"""The probability from which on it is rather a yes."""
TYPED = "systemone/distil"
"""Stands for a decision model, so that a node asks typed questions."""


@dataclass(frozen=True)
class TaughtCase:
    """A case: its example for the scorer, the whole decision, and who made it.

    Without a ``situation`` the node cannot decide again: its answers are compared alone.
    """

    example: TaughtExample
    decision: Mapping[str, Any]
    by: str
    entry: AnyEntry
    situation: Situation | None = None


def taught_cases(
    snapshot: Snapshot,
    library: Library,
    entry: AnyEntry,
    runs: Iterable[RecordedRun],
    by: str | None = None,
) -> Iterator[TaughtCase]:
    """The cases of a node; ``by``: only what this author decided."""
    seen: set[tuple[str, str]] = set()
    every = (
        *_of_cases(snapshot, entry),
        *_of_exchanges(snapshot, entry),
        *_of_runs(library, entry, runs),
    )
    for case in every:
        options = case.example.questions.get(CHOOSE, {}).get("criteria", ())
        key = case.example.state, json.dumps([*options, case.example.answers], default=str)
        if (by is None or by == case.by) and case.example.answers and key not in seen:
            seen.add(key)
            yield case


def _of_cases(snapshot: Snapshot, entry: AnyEntry) -> Iterator[TaughtCase]:
    for case in snapshot.cases:
        if case.entry.name != entry.name:
            continue
        recording = snapshot.recordings.get(case.id)
        try:
            situation = case.situation(case.pins())
            wanted = expected(case)[0] if BESIDE not in case.id else None
        except CaseError:
            continue
        origins = (("case", case.id.partition(BESIDE)[0]),)
        if wanted is not None:
            yield from _taught(situation, wanted, EXPECTED, origins)
        elif recording is not None and recording.by != ALWAYS:
            by = author_of_answer(recording.by)
            yield from _taught(situation, recording.decision, by, origins)


def _of_exchanges(snapshot: Snapshot, entry: AnyEntry) -> Iterator[TaughtCase]:
    """The decisions that models answered in cases of whole systems."""
    for system in snapshot.systems:
        for recording in system.recordings:
            if recording.node == entry.name and entry.kind == "decision":
                yield from _of_recording(recording, entry, system.entry.name)


def _of_recording(recording: Recording, entry: AnyEntry, case: str) -> Iterator[TaughtCase]:
    if recording.request is None or not recording.attempts:
        return
    schema = recording.request.schema_.get("properties", {})
    options = schema.get(CHOOSE, {}).get("enum", []) if isinstance(schema, Mapping) else []
    try:
        decision = {CHOOSE: json.loads(recording.attempts[-1].answer)[CHOOSE]}
    except (ValueError, LookupError, TypeError):
        return
    questions = {CHOOSE: {"type": "choice", "criteria": dict.fromkeys(options, "")}}
    answers = typed_answers(questions, decision)
    state = unmark_text(recording.request.observation)
    example = TaughtExample(state, questions, answers, (("case", case),))
    yield TaughtCase(example, decision, author_of_answer(recording.by), entry)


def _of_runs(
    library: Library, entry: AnyEntry, runs: Iterable[RecordedRun]
) -> Iterator[TaughtCase]:
    for run in runs:
        view, origins = run.view(library), origins_of(run)
        for moment in run.moments:
            is_own = moment.by.startswith(f"{DISTILLED}/")  # what a scorer has decided teaches none
            if moment.node != entry.name or moment.by == ALWAYS or is_own:
                continue
            try:
                situation = situation_at(run, moment, view)
            except MomentError:
                continue
            by = author_of_answer(moment.by) if moment.by not in ("fallback",) else RULES
            yield from _taught(situation, moment.decision, by, origins)


def origins_of(run: RecordedRun) -> tuple[Hashable, ...]:
    """What a run shares with repetitions of it: its scenario, task and recipes; else itself."""
    begin = run.records[0].data
    keys = [(key, str(begin[key])) for key in ("scenario", "task") if begin.get(key)]
    events = (event for record in run.records for event in flat(record.event))
    recipes = [("recipe", event.name) for event in events if isinstance(event, RecipeSet)]
    return (*keys, *dict.fromkeys(recipes)) or (("run", run.name),)


def _taught(
    situation: Situation, decision: Mapping[str, Any], by: str, origins: tuple[Hashable, ...]
) -> Iterator[TaughtCase]:
    """The case of a situation; none if there the node asks nothing that a scorer could answer."""
    bare = Situation(_without_answerers(situation.entry), situation.make_context)
    asked = run_sync(bare.decide(SilentModel())).requests
    if not asked or {"failed", "refused"} & decision.keys():
        return
    questions: Any = asked[0].schema[QUESTIONS]
    state = unmark_text(asked[0].messages[-1].content)
    example = TaughtExample(state, questions, typed_answers(questions, decision), origins)
    yield TaughtCase(example, decision, by, situation.entry, bare)


def _without_answerers(entry: AnyEntry) -> AnyEntry:
    """The same node, which asks the run's model."""
    settings = entry.model.model.model_copy(update={"name": None, "retries": 0})
    return with_model(entry, entry.model.model_copy(update={"answers": None, "model": settings}))


def typed_answers(questions: Questions, decision: Mapping[str, Any]) -> dict[str, str | bool]:
    """The right answers to typed questions, as far as a decision has them."""
    if "acts" in decision:
        return _act_answers(questions, decision["acts"])
    found = {
        name: answer
        for name, question in questions.items()
        if (answer := _answer(question, decision.get(name))) is not None
    }
    return found if found.keys() == questions.keys() else {}


def _answer(question: Mapping[str, Any], value: object) -> str | bool | None:
    """A value as the answer to a typed question; None if it is none."""
    number = float(value) if isinstance(value, int | float) else None
    if question["type"] == "noul":
        return None if number is None else number >= EVEN
    criteria = [*question["criteria"]]
    if question["type"] == "score" and number is not None:
        return criteria[round(number)] if 0 <= number <= len(criteria) - 1 else None
    return str(value) if str(value) in criteria else None


def _act_answers(questions: Questions, acts: Iterable[Mapping[str, Any]]) -> dict[str, str | bool]:
    by_kind = {str(act["kind"]): act for act in acts}
    answers: dict[str, str | bool] = {}
    for name, question in questions.items():
        kind, _, rest = name.partition(".")
        field, _, value = rest.partition(".")
        if not rest:
            answers[name] = kind in by_kind
        elif kind in by_kind:
            given = by_kind[kind].get(field)
            if question["type"] == "choice":
                option = NONE if given is None else str(given)
                if option in question["criteria"]:
                    answers[name] = option
            elif value:
                answers[name] = isinstance(given, list | tuple) and value in map(str, given)
            else:
                answers[name] = bool(given)
    return answers


class SilentModel(OfflineTransport):
    """A decision model that answers nothing, so that a node only asks."""

    model = TYPED


class ScorerTransport:
    """A scorer as a model."""

    model = TYPED

    def __init__(self, scorer: DistilledScorer) -> None:
        self._scorer = scorer

    async def ask(self, request: Request) -> Answer:
        """The scorer's answers. Raises Unavailable if it passes on."""
        questions: Any = request.schema[QUESTIONS]
        try:
            answers = self._scorer.answer(unmark_text(request.messages[-1].content), questions)
        except NotSure as error:
            raise Unavailable(str(error)) from None
        return Answer(json.dumps(answers), "distilled")


def outcome(case: TaughtCase, scorer: DistilledScorer) -> tuple[float, bool] | None:
    """How sure a scorer is in a case, and whether it is right; None if it passes on."""
    if case.situation is None or case.entry.kind == "decision":  # no answer of one is refused
        try:
            answer = scorer.answer(case.example.state, case.example.questions)[CHOOSE]
        except NotSure:
            return None
        return answer["confidence"], answer["choice"] == case.decision[CHOOSE]
    result = run_sync(case.situation.decide(ScorerTransport(scorer)))
    last = result.attempts[-1] if result.attempts else None
    if last is None or last.verdict != "accepted" or last.confidence is None:
        return None
    if "acts" in case.decision:
        return last.confidence, equivalent(class_of(case.entry), case.decision, result.decision)
    answers = typed_answers(case.example.questions, result.decision)
    return last.confidence, answers == case.example.answers
