"""Plans sampled from a model: asked for, judged, sent back with the findings a few times.

Every method is treated alike: what is wrong with its plan is told to it, as often as its prompt's
file says. A few plans are asked for at once; each is kept as soon as it is there.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from treec.ask.transport import Answer, Message, Request, Transport, TransportError
from treec.files.entry import Entry
from treec.files.library import Library
from treec.nodes.draft import SCHEMA, reflection
from treec.nodes.make_world import make_world
from treec.nodes.prompt import answer_json, messages, refusal
from treec.nodes.runtime import Runtime
from treec.source.scope import MappingScope
from treec.systems.dag_plan.arms.problem import AllocationProblem
from treec.systems.dag_plan.arms.prompt_words import prompt_words
from treec.systems.dag_plan.evaluate.dual_arm import EvaluationInputError
from treec.systems.dag_plan.evaluate.dual_arm_judge import PlanVerdict, judge_graph, judge_stages
from treec.systems.dag_plan.evaluate.dual_arm_methods import METHODS
from treec.systems.dag_plan.evaluate.dual_arm_sample_store import (
    PlanAttempt,
    PlanRequest,
    Sample,
    SampleFolder,
)
from treec.systems.dag_plan.files import PlanFile
from treec.team.knowledge import knowledge_of
from treec.team.names import WorldScope
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox
from treec.world.journal import Journal

PROMPTS = {"TP-S": "TP_S", "TP-D": "TP_D", "DAG-Plan": "Task_Graph"}
"""Method → the file of its prompt."""
AT_ONCE = 4


@dataclass(frozen=True)
class SampleSettings:
    """What shall be sampled: how many plans of each method for each task, and how."""

    model: str
    temperature: float
    samples: int


@dataclass(frozen=True)
class PlanPrompt:
    """A method's prompt for a task."""

    method: str
    problem: AllocationProblem
    entry: Entry[PlanFile]
    runtime: Runtime
    messages: tuple[Message, ...]

    @property
    def fingerprint(self) -> str:
        """The same for the same text and the same world to judge by."""
        said = "\x00".join(message.content for message in self.messages)
        world = repr((sorted(self.problem.world.start.items(), key=str), self.problem.world.goal))
        return hashlib.sha256(f"{said}\x00{world}".encode()).hexdigest()[:16]

    def judge(self, answer: Answer) -> PlanVerdict:
        """What is wrong with an answer."""
        if self.entry.model.form == "stages":
            return judge_stages(answer, self.problem, at_once=self.entry.model.at_once)
        return judge_graph(answer, self.problem, METHODS)


def questions(library: Library, problems: Iterable[AllocationProblem]) -> list[PlanPrompt]:
    """Every method's prompt for every task. Raises EvaluationInputError."""
    found = []
    for problem in problems:
        runtime = _runtime(problem)
        for method, name in PROMPTS.items():
            entry = library.find("plan", name)
            if entry is None or entry.model.instructions is None:
                raise EvaluationInputError(f"there is no prompt '{name}' for {method}")
            found.append(
                PlanPrompt(method, problem, entry, runtime, _messages(entry, runtime, problem))
            )
    return found


def _runtime(problem: AllocationProblem) -> Runtime:
    """Surroundings to render a prompt in; nothing happens in them."""
    clock = VirtualClock()
    world = make_world(problem.view, clock, Journal.in_memory())
    team = Team(world, knowledge_of(problem.view))
    return Runtime(world, clock, Inbox(clock), team, WorldScope(team), problem.view)


def _messages(
    entry: Entry[PlanFile], runtime: Runtime, problem: AllocationProblem
) -> tuple[Message, ...]:
    """The prompt as the node `plan` would put it."""
    before: dict[str, object] = {"done": [], "holding": [], "wrong": ""}
    given: dict[str, object] = {**prompt_words(problem), **before}
    nothing = {"constraints": [], "commands": given["commands"], **before}
    return tuple(
        messages(
            runtime,
            entry,
            MappingScope(given, parent=runtime.scope),
            {"commands": given["commands"]},
            answer_json,
            lambda example: {**nothing, **example},
            lines=True,
        )
    )


def asked_for(
    asked: Sequence[PlanPrompt], wanted: SampleSettings
) -> list[tuple[PlanPrompt, PlanRequest]]:
    """Every plan that is wanted; the first of each task and method before their second."""
    return [
        (question, _asked(question, wanted, number))
        for number in range(1, wanted.samples + 1)
        for question in asked
    ]


def _asked(question: PlanPrompt, wanted: SampleSettings, number: int) -> PlanRequest:
    return PlanRequest(
        wanted.model,
        wanted.temperature,
        question.fingerprint,
        question.method,
        question.problem.entry.name,
        number,
    )


async def sample_all(
    todo: Sequence[tuple[PlanPrompt, PlanRequest]],
    transport: Transport,
    at_once: int,
    kept: SampleFolder,
    tell: Callable[[], None],
) -> list[Sample]:
    """Sample what is left, a few at once. Raises LineStoreError."""
    open_ = iter(todo)
    found: list[Sample] = []

    async def work() -> None:
        for question, asked in open_:
            sample = await sample_one(question, asked, transport)
            kept.add(sample)
            found.append(sample)
            tell()

    await asyncio.gather(*(work() for _ in range(min(at_once, len(todo)))))
    return found


async def sample_one(question: PlanPrompt, asked: PlanRequest, transport: Transport) -> Sample:
    """Ask for one plan, until nothing is wrong with it or it was sent back often enough."""
    settings = question.entry.model.model
    said = list(question.messages)
    tried: list[PlanAttempt] = []
    while True:
        request = Request(
            node=question.entry.name,
            kind="plan",
            messages=tuple(said),
            schema=SCHEMA,
            observation={},
            attempt=len(tried) + 1,
            temperature=asked.temperature,
            timeout=settings.timeout,
        )
        try:
            async with asyncio.timeout(settings.timeout):
                answer = await transport.ask(request)
        except TimeoutError:
            return Sample(asked, tuple(tried), unanswered=f"no answer in {settings.timeout:g} s")
        except TransportError as error:
            return Sample(asked, tuple(tried), unanswered=str(error))
        judged = await asyncio.to_thread(question.judge, answer)
        tried.append(_tried(answer, judged))
        if judged.good or len(tried) > settings.retries:
            return Sample(asked, tuple(tried), judged)
        findings = [found.text for found in judged.findings]
        told = reflection(question.entry, findings, question.runtime.scope)
        said += refusal(answer, told, SCHEMA)


def _tried(answer: Answer, judged: PlanVerdict) -> PlanAttempt:
    return PlanAttempt(
        answer.text,
        answer.by,
        judged.findings,
        answer.input_tokens,
        answer.output_tokens,
        answer.cost,
        answer.seconds,
    )
