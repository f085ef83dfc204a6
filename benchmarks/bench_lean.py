"""MOSAIC with a model at every node (`mosaic`), and with one at the reading alone (`mosaic_lean`).

With ``--model`` a model answers instead of the rules.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.rule_answers import ErringAnswers
from benchmarks.table import Cell, Table
from experiments.mosaic.kitchen import kitchen_of
from experiments.mosaic.plan import DIFFICULTIES, draw_plans
from experiments.mosaic.trial import MosaicTrial, PlannerResult, TrialSetup, run_trial
from treec.api.prepare import prepare
from treec.ask.transport import Answer, Request, Transport
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.run.loop import LoopError
from treec.run.run import Run
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.spec import ModelOptions, RunSpec
from treec_asking.model_choice import choose_model
from treec_models.models import ModelChoice, open_model
from treec_models.rule_answers import CHARACTERS, estimated_tokens
from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.case_files import load_cases
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.judge import expected
from treec_testing.decisions.request_queue import OfflineTransport, run_sync

ANSWER = 1.0
"""Simulated seconds until the rules' answer to a request comes back."""
SEED = 41
"""Of the simulated user."""
KINDS = ("decision", "action", "reading")
RATES = (0.0, 0.01, 0.05, 0.1)
"""Of wrong answers."""
EVERY_NODE, NEEDED, READING = "every node, always", "every node", "the reading alone"
WAYS = {EVERY_NODE: "mosaic", NEEDED: "mosaic", READING: "mosaic_lean"}
"""Where a model is asked, and the system. EVERY_NODE is `mosaic` with `asks: always`."""


def run(small: bool, options: ModelOptions | None = None) -> list[Table]:
    """Scenarios and a simulated user with each way, and the nodes' cases."""
    library = load_library(ROOT)
    model = None if options is None else choose_model(ROOT, None, options)
    rates = RATES[:1] if small else RATES
    rows: list[tuple[Cell, ...]] = []
    for way, system in systems(library).items():
        rows.append(scenarios(library, system, small, model).row(way, "scenarios"))
        rows.append(simulated_user(library, system, small, model).row(way, "user"))
    return [
        Table(
            "What an utterance costs, by where a model is asked",
            (
                *("a model at", "runs with", "runs", "as expected", "utterances"),
                *("requests an utterance", "closed early", "prompt tokens", "reply after, s"),
                "worst, s",
            ),
            rows,
            (
                f"The rules answer each request after {ANSWER:g} s, but none for a robot's program "
                "(its task's steps are done), so that all ways decide the same: counted is what is "
                "asked and waited for."
                if model is None
                else f"{model.name} answers; seconds are real.",
                "'scenarios': MOSAIC's shipped ones; 'user': the simulated user of "
                f"`python -m experiments.mosaic.planner` (seed {SEED}), "
                "off-nominal interactions handled with no "
                "promise broken. Prompt tokens are those of an utterance "
                f"({CHARACTERS} characters each), the schema as OpenAI gets it, also of "
                "requests closed before their answer, "
                "which 'closed early' counts over all runs. 'Reply after': from words to the "
                "assistant's next sentence, median and worst.",
            ),
        ),
        Table(
            "The user's runs that are as expected, by how many answers are wrong",
            ("a model at", "runs", *(f"{rate:.0%} wrong" for rate in rates)),
            [erring(library, way, rates, small) for way in WAYS],
            (
                "The rules answer, and a share of the answers, drawn at random, is wrong: another "
                "option of a decision, no action, no act. It is the same share whatever is asked; "
                "a real model errs in its own way.",
            ),
        ),
        Table(
            "Cases that are decided as expected",
            ("node", "asked in mosaic_lean", "cases", "rules", model.name if model else "a model"),
            decisions(library, small, model),
            (
                "The ways differ where mosaic_lean does not ask: its rules decide, in mosaic a "
                "model. Cases are the examples of the "
                "prompts, each asked without itself, and tests/decisions; the rules' authors know "
                "them.",
                *(() if model else ("No model was asked: name one with --model.",)),
            ),
        ),
    ]


def systems(library: Library) -> Mapping[str, Entry[SystemFile]]:
    """The system of each way."""
    found = {}
    for way, name in WAYS.items():
        system = library.resolve_system(name)
        model = system.model.model_copy(update={"asks": "always"} if way == EVERY_NODE else {})
        found[way] = Entry(system.kind, system.name, model, system.node, system.file)
    return found


@dataclass
class Counted:
    """A transport that counts what it is asked, and what is closed before its answer."""

    transport: Transport
    requests: int = 0
    tokens: int = 0
    closed: int = 0

    async def ask(self, request: Request) -> Answer:
        """The transport's answer."""
        self.requests += 1
        self.tokens += estimated_tokens(request)
        self.closed += 1  # until it has answered, or has said why not
        try:
            answer = await self.transport.ask(request)
        except Exception:
            self.closed -= 1
            raise
        self.closed -= 1
        return answer


@dataclass
class Costs:
    """What the runs of one way took; ``model`` answers, or the rules, which may err."""

    model: ModelChoice | None
    errs: float = 0.0
    runs: int = 0
    as_expected: int = 0
    utterances: int = 0
    waits: list[float] = field(default_factory=list)
    counted: list[Counted] = field(default_factory=list)

    def make_run(
        self,
        view: View,
        journal: Journal,
        seed: int | None = None,
        scenario: str | None = None,
    ) -> Run:
        """A run that is counted."""
        clock = VirtualClock()
        rules = ErringAnswers(clock, ANSWER, errs=self.errs, seed=seed or 0)
        counted = Counted(rules if self.model is None else open_model(self.model))
        name = None if self.model is None else self.model.name
        made = Run(
            view,
            clock,
            journal,
            RunSpec(scenario=scenario, seed=seed, model=name),
            transport=counted,
        )
        rules.follow(made)
        self.counted.append(counted)
        self.runs += 1
        made.world.subscribe(self._watch(clock.now if self.model is None else time.perf_counter))
        return made

    def _watch(self, now: Callable[[], float]) -> Callable[[Record], None]:
        said: list[float] = []

        def on_record(record: Record) -> None:
            for event in flat(record.event):
                if not isinstance(event, Said):
                    continue
                if event.who != "assistant":
                    self.utterances += 1
                    said[:] = [now()]
                elif said:
                    self.waits.append(now() - said.pop())

        return on_record

    def row(self, way: str, what: str) -> tuple[Cell, ...]:
        """The row of a way."""
        each = max(1, self.utterances)
        return (
            *(way, what, self.runs, self.as_expected, self.utterances),
            sum(one.requests for one in self.counted) / each,
            sum(one.closed for one in self.counted),
            sum(one.tokens for one in self.counted) // each,
            statistics.median(self.waits or [0.0]),
            max(self.waits, default=0.0),
        )


def scenarios(
    library: Library, system: Entry[SystemFile], small: bool, model: ModelChoice | None
) -> Costs:
    """The shipped scenarios of `mosaic`, in a system."""
    costs = Costs(model)
    found = [e.name for e in library.of_kind("scenario") if e.model.system == "mosaic"]
    for scenario in sorted(found)[: 1 if small else None]:
        setup = prepare(library, system, RunSpec(scenario=scenario))
        made = costs.make_run(setup.view, Journal.in_memory(), None, scenario)
        with suppress(LoopError):
            costs.as_expected += made.go().ok
    return costs


def simulated_user(
    library: Library,
    system: Entry[SystemFile],
    small: bool,
    model: ModelChoice | None = None,
    errs: float = 0.0,
) -> Costs:
    """Trials with the simulated user."""
    costs = Costs(model, errs)
    view = View(library, system)
    setup = TrialSetup(view, kitchen_of(view))
    number = 1 if small else 5
    with tempfile.TemporaryDirectory(prefix="treec-") as folder:
        for difficulty in list(DIFFICULTIES)[: 1 if small else None]:
            for index, plan in enumerate(draw_plans(setup.kitchen, SEED, number, difficulty)):
                trial = MosaicTrial("lean", plan, index, 0, SEED)
                result = run_trial(setup, trial, Path(folder) / trial.name, costs.make_run)
                costs.as_expected += is_handled(result)
    return costs


def erring(library: Library, way: str, rates: Sequence[float], small: bool) -> tuple[Cell, ...]:
    """The runs that are handled, for each share of wrong answers."""
    system = systems(library)[way]
    every = [simulated_user(library, system, small, errs=rate) for rate in rates]
    return (way, every[0].runs, *(costs.as_expected for costs in every))


def is_handled(result: PlannerResult) -> bool:
    """Whether a trial's interactions were handled, and no promise was broken."""
    verdict = result.verdict
    return all(one.passed for one in verdict.passed) and not verdict.violations


def decisions(library: Library, small: bool, model: ModelChoice | None) -> list[tuple[Cell, ...]]:
    """For each node of MOSAIC's planner the cases that rules, and a model, decide as expected."""
    lean = library.resolve_system("mosaic_lean").model.asks or ()
    cases = list(cases_of(library))[: 3 if small else None]
    by_rules = count(cases, run_sync(judge(cases, OfflineTransport())))
    by_model = None if model is None else count(cases, asyncio.run(judge(cases, open_model(model))))
    number = Counter(case.entry.name for case, _ in cases)
    rows: list[tuple[Cell, ...]] = [
        (
            *(name, "yes" if name in lean else "no", number[name], by_rules[name]),
            "not run" if by_model is None else by_model[name],
        )
        for name in number
    ]
    others = [name for name in number if name not in lean]
    answered: Cell = "not run" if by_model is None else sum(by_model[name] for name in others)
    sums = (sum(one[name] for name in others) for one in (number, by_rules))
    rows.append(("all but the reading", "no", *sums, answered))
    return rows


Case = tuple[DecisionCase, Mapping[str, object]]
"""A case with the decision that it expects."""


def cases_of(library: Library) -> Iterator[Case]:
    """The cases of the nodes that decide, act and read in `mosaic`."""
    for case in load_cases(library):
        system = case.view.system
        kind = class_of(case.entry).KIND
        if system is None or system.name != "mosaic" or kind not in KINDS:
            continue
        decision, _ = expected(case)
        if decision is not None:
            yield case, decision


async def judge(cases: Sequence[Case], transport: Transport) -> list[bool]:
    """Which cases are decided as they expect."""
    found = []
    for case, decision in cases:
        pins = case.pins()
        result = await case.situation(pins).decide(transport, pins)
        found.append(case.is_equivalent(decision, result.decision))
    return found


def count(cases: Sequence[Case], right: Sequence[bool]) -> Counter[str]:
    """How many cases of each node were decided as expected."""
    return Counter(case.entry.name for (case, _), ok in zip(cases, right, strict=True) if ok)
