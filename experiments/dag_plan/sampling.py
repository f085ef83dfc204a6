"""Sample plans from a model: ask, judge, and return a wrong plan with its findings.

All methods are treated alike: a wrong plan is returned as often as its prompt's file says. Several
plans are requested at once; each is stored as soon as it exists.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from py_trees.common import Status

from experiments.dag_plan.ablations import (
    WITHOUT_TYPES,
    changed_prompt,
    changed_words,
    with_types,
)
from experiments.dag_plan.methods import METHODS
from experiments.dag_plan.plan_judge import (
    PlanVerdict,
    judge_graph,
    judge_stages,
    no_plan,
)
from experiments.dag_plan.sample_store import (
    PlanAttempt,
    PlanRequest,
    Sample,
    SampleFolder,
)
from experiments.dag_plan.written_plans import EvaluationInputError
from treec.ask.transport import Answer, Message, Transport, TransportError
from treec.files.entry import Entry
from treec.files.library import Library
from treec.nodes.make_world import make_world
from treec.nodes.runtime import Runtime
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec_asking.prompt import Question
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.prompt_words import prompt_words
from treec_dag_plan.files import DrawnUpPlan
from treec_dag_plan.nodes.plan_graph import START, find_plan, plan_text
from treec_kitchen.draft import DraftLeaf, draft_question, reflection
from treec_testing.decisions.request_queue import RequestQueue, tick_until_decided
from treec_testing.decisions.situation import make_runtime, with_model

PROMPTS = {"TP-S": "TP_S", "TP-D": "TP_D", "DAG-Plan": "Task_Graph"}
"""Method → the file of its prompt."""
AT_ONCE = 4


@dataclass(frozen=True)
class SampleSettings:
    """The model, and how many plans to sample for each method and task."""

    model: str
    temperature: float
    samples: int


class PlanRefused(ValueError):
    """A wrong plan."""

    def __init__(self, verdict: PlanVerdict) -> None:
        self.verdict = verdict
        super().__init__("; ".join(found.text for found in verdict.findings))


class SampleLeaf(DraftLeaf[PlanVerdict]):
    """Asks for a plan and judges it; nothing is executed.

    SUCCESS: the plan is valid. FAILURE: there is no valid one. RUNNING: an answer is awaited.
    """

    def __init__(
        self,
        entry: Entry[DrawnUpPlan],
        runtime: Runtime,
        problem: AllocationProblem,
        method: str,
    ) -> None:
        super().__init__(entry.name, runtime, runtime.scope, entry)
        self.problem = problem
        self.method = method
        self.verdicts: list[PlanVerdict] = []
        """The verdict on each answer."""

    def work(self) -> Status:
        """Send the request, or process its response."""
        return self.ask() if self.exchange is None else self.look(self.exchange)

    def question(self) -> Question:
        """Return the question for the task."""
        words = changed_words(prompt_words(self.problem), self.method)
        return draft_question(self.runtime, self.entry, self.scope, words)

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """Return the data of a plan in a fence or in prose."""
        return find_plan(text, START[self.entry.model.answers])

    def parse(self, data: Mapping[str, Any]) -> PlanVerdict:
        """Judge a plan. Raises PlanRefused, DraftRefused."""
        form = self.entry.model.answers
        text = plan_text(data, START[form])
        if form == "stages":
            verdict = judge_stages(text, self.problem, at_once=self.entry.model.at_once)
        elif self.method == WITHOUT_TYPES:
            typed = with_types(text, self.problem)
            verdict = judge_graph(typed, self.problem, METHODS, numbered=False)
        else:
            verdict = judge_graph(text, self.problem, METHODS)
        if not verdict.good:
            raise PlanRefused(verdict)
        return verdict

    def explain(self, error: Exception) -> str:
        """The findings, in the words of the file's `reflection`."""
        verdict = error.verdict if isinstance(error, PlanRefused) else no_plan(error)
        self.verdicts.append(verdict)
        return reflection(self.entry, [found.text for found in verdict.findings], self.scope)

    def accept(self, parsed: PlanVerdict, by: str) -> Status:
        """Keep the verdict."""
        self.verdicts.append(parsed)
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """There is no other plan."""
        return self.fail(because)


@dataclass(frozen=True)
class PlanPrompt:
    """A method's prompt for a task."""

    method: str
    problem: AllocationProblem
    entry: Entry[DrawnUpPlan]
    messages: tuple[Message, ...]

    @property
    def fingerprint(self) -> str:
        """Equal for the same text and the same world to judge by."""
        text = "\x00".join(message.content for message in self.messages)
        world = repr((sorted(self.problem.world.start.items(), key=str), self.problem.world.goal))
        return hashlib.sha256(f"{text}\x00{world}".encode()).hexdigest()[:16]

    def request(self, settings: SampleSettings, number: int) -> PlanRequest:
        """Identify one of its samples."""
        return PlanRequest(
            settings.model,
            settings.temperature,
            self.fingerprint,
            self.method,
            self.problem.entry.name,
            number,
        )


def make_prompts(
    library: Library, problems: Iterable[AllocationProblem], also: Sequence[str] = ()
) -> list[PlanPrompt]:
    """Return every method's prompt for every task; `also`: DAG-Plan with parts left out.

    Raises EvaluationInputError.
    """
    prompts = []
    methods = PROMPTS | dict.fromkeys(also, PROMPTS["DAG-Plan"])
    for problem in problems:
        for method, name in methods.items():
            entry = library.find("plan", name)
            if entry is None or entry.model.instructions is None:
                raise EvaluationInputError(f"unknown prompt '{name}' for {method}")
            entry = changed_prompt(entry, method)
            messages = _leaf(entry, problem, RequestQueue(), method).question().messages
            prompts.append(PlanPrompt(method, problem, entry, tuple(messages)))
    return prompts


def _leaf(
    entry: Entry[DrawnUpPlan], problem: AllocationProblem, queue: RequestQueue, method: str
) -> SampleLeaf:
    """Build the asking leaf in a world in which nothing happens."""
    world = make_world(problem.view, VirtualClock(), Journal.in_memory())
    return SampleLeaf(entry, make_runtime(problem.view, world, queue), problem, method)


def make_requests(
    prompts: Sequence[PlanPrompt], settings: SampleSettings
) -> list[tuple[PlanPrompt, PlanRequest]]:
    """Return all samples to request; the first of each task and method before their second."""
    return [
        (prompt, prompt.request(settings, number))
        for number in range(1, settings.samples + 1)
        for prompt in prompts
    ]


async def sample_all(
    todo: Sequence[tuple[PlanPrompt, PlanRequest]],
    transport: Transport,
    at_once: int,
    store: SampleFolder,
    progress: Callable[[], None],
) -> list[Sample]:
    """Sample plans, `at_once` concurrently. Raises LineStoreError."""
    queue = iter(todo)
    samples: list[Sample] = []

    async def work() -> None:
        for prompt, request in queue:
            sample = await sample_one(prompt, request, transport)
            store.add(sample)
            samples.append(sample)
            progress()

    await asyncio.gather(*(work() for _ in range(min(at_once, len(todo)))))
    return samples


async def sample_one(prompt: PlanPrompt, request: PlanRequest, transport: Transport) -> Sample:
    """Sample one plan: ask until it is valid or the retries are used up."""
    model = prompt.entry.model
    settings = model.model.model_copy(update={"name": None, "temperature": request.temperature})
    entry = with_model(prompt.entry, model.model_copy(update={"model": settings}))
    queue = RequestQueue()
    leaf = _leaf(entry, prompt.problem, queue, prompt.method)
    await tick_until_decided(leaf, queue, transport)
    answers = [result for _, result in queue.exchanges if isinstance(result, Answer)]
    attempts = tuple(_attempt(a, v) for a, v in zip(answers, leaf.verdicts, strict=True))
    error = queue.exchanges[-1][1]
    if isinstance(error, TransportError | TimeoutError):
        return Sample(request, attempts, unanswered=str(error))
    if isinstance(error, Exception):
        raise error
    return Sample(request, attempts, leaf.verdicts[-1])


def _attempt(answer: Answer, verdict: PlanVerdict) -> PlanAttempt:
    return PlanAttempt(
        answer.text,
        answer.by,
        verdict.findings,
        answer.input_tokens,
        answer.output_tokens,
        answer.cost,
        answer.seconds,
    )
