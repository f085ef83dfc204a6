"""Asking a model on loopback: how long deciding takes, what an ask costs over bare HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from tests.support.files import KITCHEN, tree
from treec.ask.limits import NO_LIMITS
from treec.ask.transport import Message, Request, Transport
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import RealClock
from treec.world.events import StateSet
from treec.world.inbox import Inbox
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_asking.driver import ThreadedAsker
from treec_models.models import ModelClients, ModelTransport
from treec_models.openai_chat import OpenAIChat

ANSWER = 0.2
GOAL = 1.2
MODEL = "openai/fake"
DECISION = """\
decision: NAME
about: One of a tree of decisions.
sees: [level]
options:
  NAME0: When the level is odd, or even, or anything else.
  NAME1: In no case that anybody could think of.
ahead: AHEAD
instructions: Choose exactly one of {{ options | join(', ') }}.
model: {timeout: 60s}
"""


def run(small: bool) -> list[Table]:
    """Time to decide by depth, the overhead of an ask, what the first tick imports."""
    os.environ.setdefault("OPENAI_API_KEY", "no-key")
    delay = 0.02 if small else ANSWER
    last: dict[str, object] = {"cases": [{"node": "D.*", "delay": delay, "last": True}]}
    with serve({"cases": [{"delay": delay}]}) as first, serve(last) as other:
        decide = _decision_table(first, other, delay, small)
    with serve({}) as url:
        ask = _asking(url, 5 if small else 300)
    return [decide, ask, _first_tick()]


@contextmanager
def serve(script: Mapping[str, object]) -> Iterator[str]:
    """`treec fake-model` in a process of its own; its address."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        json.dump(script, file)
        file.flush()
        command = [sys.executable, "-m", "treec", "fake-model", "--port", "0", "--script"]
        process = subprocess.Popen(
            [*command, file.name], cwd=ROOT, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert process.stdout is not None
        try:
            match = re.search(r"http://\S+", process.stdout.readline())
            assert match, "treec fake-model did not start"
            drain = subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL)
            yield match[0]
        finally:
            process.kill()
            process.wait()
            drain.wait()


def _decision_table(first: str, last: str, delay: float, small: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    rounds = 1 if small else 15
    for depth in (1, 2) if small else (1, 2, 3, 4):
        plain, _ = time_to_decide(transport(last), depth, False, rounds)
        best, _ = time_to_decide(transport(first), depth, True, rounds)
        worst, cpu = time_to_decide(transport(last), depth, True, rounds)
        requests = 2**depth - 1
        ahead = (requests, best * 1000, best / delay, worst * 1000, worst / delay, cpu / requests)
        rows.append((depth, plain * 1000, *ahead))
    return Table(
        "Time to decide, with `ahead` and without",
        (
            *("depth", "without, ms", "`ahead`: requests", "first asked, ms", "answers"),
            *("last asked, ms", "answers", "CPU a request, ms"),
        ),
        rows,
        (
            f"Each decision has two options, and the server takes {delay * 1000:g} ms an answer; "
            "from the change in the world to the last choice, on the real clock; "
            f"the median of {rounds}, after one that is not counted. 'first asked': the way down "
            "leads over those that were asked first; 'last asked': over the last, the worst case. "
            f"'answers' is the time in answers of the server. Goal: at most {GOAL}. CPU: of the "
            "process that decides, its tree and its journal included, where the last is needed.",
        ),
    )


def time_to_decide(
    asked: Transport, depth: int, ahead: bool, rounds: int, model: str = MODEL
) -> tuple[float, float]:
    """How long it takes to come down a tree of decisions: seconds, and ms of the processor."""
    decided = 0
    found = []

    def hear(record: Record) -> None:
        nonlocal decided
        decided += record.kind == "decided"

    with tempfile.TemporaryDirectory() as folder:
        library = load_library(_library(Path(folder), depth, ahead))
        view = View(library, library.find("system", "test"))
        journal = Journal.in_memory()
        made = Run(view, RealClock(), journal, RunSpec(model=model), transport=asked)
        made.world.subscribe(hear)
        spent = 0.0
        for number in range(rounds + 1):
            if number == 1:
                spent = time.process_time()
            wanted = decided + depth
            began = time.perf_counter()
            made.world.emit(StateSet("level", number + 1), "bench")
            made.loop.run(lambda: decided >= wanted, made.clock.now() + 60.0)  # noqa: B023
            found.append(time.perf_counter() - began)
        cpu = (time.process_time() - spent) / rounds * 1000
        made.loop.shutdown()
        assert isinstance(made.asker, ThreadedAsker)
        made.asker.close()
    assert decided == depth * (rounds + 1)
    return statistics.median(found[1:]), cpu


def _library(folder: Path, depth: int, ahead: bool) -> Path:
    files = {**KITCHEN, **tree("ask: D")}
    names = ["D"]
    for level in range(depth):
        for name in names:
            text = DECISION.replace("AHEAD", str(ahead).lower() if level == 0 else "false")
            files[f"pack/{name}.decision.yaml"] = text.replace("NAME", name)
        names = [name + which for name in names for which in "01"]
    for name in names:
        files[f"pack/{name}.tree.yaml"] = f"tree: {name}\nroot: {{check: true}}\n"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def transport(url: str) -> ModelTransport:
    """A model with all policies, as `treec run --model` has it."""
    clients = ModelClients(MODEL, url)
    clients.prepare(MODEL)
    return ModelTransport(clients, NO_LIMITS, os.environ)


def _asking(url: str, times: int) -> Table:
    schema = {
        "type": "object",
        "properties": {"choose": {"type": "string", "enum": ["A", "B"]}},
        "required": ["choose"],
        "additionalProperties": False,
    }
    said = (Message("system", "x" * 2000), Message("user", "available: get pepper"))
    request = Request("Execution", "decision", said, schema, {}, timeout=60.0)
    ways = {
        "httpx alone": asyncio.run(_bare(url, request, times)),
        "our client": asyncio.run(_each(OpenAIChat(MODEL, url), request, times)),
        "with tries, limits, redaction": asyncio.run(_each(transport(url), request, times)),
        "from the loop and back (a thread)": _time_in_thread(url, request, times),
    }
    bare = ways["httpx alone"][0]
    return Table(
        "What an ask costs over a bare HTTP call",
        ("way", "median, ms", "more than bare, ms", "CPU, ms"),
        [(name, ms, ms - bare, cpu) for name, (ms, cpu) in ways.items()],
        (f"{times} asks one after the other of a server that answers at once; 2 kB of prompt.",),
    )


class _Spent:
    """Times of the asks that count: the median, and the mean on the processor, in ms."""

    def __init__(self, times: int) -> None:
        self._times = times
        self._found: list[float] = []
        self._cpu = 0.0

    def each(self) -> Iterator[None]:
        """Once for each ask; five before the first that counts."""
        for number in range(self._times + 5):
            if number == 5:
                self._cpu = time.process_time()
            began = time.perf_counter()
            yield
            self._found.append(time.perf_counter() - began)
        self._cpu = time.process_time() - self._cpu

    def medians(self) -> tuple[float, float]:
        return statistics.median(self._found[5:]) * 1000, self._cpu / self._times * 1000


async def _bare(url: str, request: Request, times: int) -> tuple[float, float]:
    import httpx

    messages = [{"role": one.role, "content": one.content} for one in request.messages]
    body = {"model": "fake", "messages": messages}
    spent = _Spent(times)
    async with httpx.AsyncClient() as client:
        for _ in spent.each():
            response = await client.post(f"{url}/chat/completions", json=body)
            assert response.json()["choices"]
    return spent.medians()


async def _each(asked: Transport, request: Request, times: int) -> tuple[float, float]:
    spent = _Spent(times)
    for _ in spent.each():
        assert (await asked.ask(request)).text
    return spent.medians()


def _time_in_thread(url: str, request: Request, times: int) -> tuple[float, float]:
    inbox = Inbox(RealClock())
    asker = ThreadedAsker(transport(url), inbox)
    spent = _Spent(times)
    for _ in spent.each():
        asker.start(request, lambda answer: None, 60.0)
        assert inbox.wait(60.0)
        inbox.drain()
    asker.close()
    return spent.medians()


def _first_tick() -> Table:
    """A process that makes the run of MOSAIC ready, offline, and ticks once."""
    code = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
library = load_library(Path.cwd())
run = Run(View(library, library.find("system", "mosaic")), VirtualClock(), Journal.in_memory())
run.loop.step()
heavy = [name for name in ("litellm", "httpx", "openai", "asyncio") if name in sys.modules]
print(time.perf_counter() - began, ", ".join(heavy) or "none")
"""
    told = [_process(code).split(" ", 1) for _ in range(5)]
    return Table(
        "The first tick without a model",
        ("process", "median, s", "imports of litellm, httpx, openai, asyncio"),
        [
            (
                "MOSAIC read, compiled, ticked once",
                statistics.median(float(t) for t, _ in told),
                told[0][1],
            )
        ],
        ("A fresh process each, from its first line on; 5 of them.",),
    )


def _process(code: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
