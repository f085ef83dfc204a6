"""Decision models: one path of MOSAIC's tree beside a chat model, and many questions at once.

The decision model is `sparrow-decider serve` on loopback, which has never seen MOSAIC's words.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import treec
from benchmarks.bench_ask import ANSWER, serve, time_to_decide
from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.systems import SystemFile
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import RealClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_asking.driver import ThreadedAsker
from treec_asking.open_model import ModelChoice, open_model
from treec_models.http_client import HttpClient, HttpResponse
from treec_testing.decisions.situation import with_model

WORDS = "Let us make a Caesar salad"
"""What the person says first: the way down is Decision, Recipe."""

TALK = "impatient_user"
FEW = 20

DECISIONS = ("Decision", "Execution", "Recipe")
MODELS = {"decision model": "systemone/sparrow", "chat model": "openai/fake"}

PATH = {"Decision": "Recipe", "Recipe": "Set_Recipe", "Execution": "No_op"}
"""The choices of the path that is measured, whoever is asked."""

_SERVE = """
import json, sys
from sparrow_decider import cli
path = json.loads(sys.argv[1])
class Fixed(cli.Decider):
    def ask(self, state, questions):
        answers = super().ask(state, questions)
        for name, answer in answers.items():
            if choice := path.get(name.partition(".")[0]):
                answer["choice"] = choice
        return answers
cli.Decider = Fixed
class Served(cli.ThreadingHTTPServer):
    def serve_forever(self):
        print(f"http://127.0.0.1:{self.server_port}", flush=True)
        super().serve_forever()
cli.ThreadingHTTPServer = Served
cli.main(["serve", "--port", "0"])
"""


def run(small: bool) -> list[Table]:
    """One path beside a chat model's, a tree of decisions, and the acts of utterances."""
    library = load_library(ROOT)
    answers = [
        {"node": name, "delay": ANSWER, "answer": {"reasoning": "", "choose": choice}}
        for name, choice in PATH.items()
    ]
    with sparrow(PATH) as decider, serve({"cases": answers}) as chat:
        path = _path(library, decider, chat, small)
    with sparrow({}) as decider, serve({"cases": [{"delay": ANSWER}]}) as chat:
        depths, acts = _depths(decider, chat, small), _acts(decider)
        return [path, depths, acts]


@contextmanager
def sparrow(path: Mapping[str, str]) -> Iterator[str]:
    """The address of `sparrow-decider serve`, in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SERVE, json.dumps(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _path(library: Library, decider: str, chat: str, small: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    rounds = 1 if small else 15
    for (what, model), url in zip(MODELS.items(), (decider, chat), strict=True):
        found = _rounds(library, model, url, rounds)
        medians = [statistics.median(column) for column in zip(*found, strict=True)]
        rows.append((what, int(medians[0]), int(medians[1]), *medians[2:]))
    return Table(
        "One path of MOSAIC's tree: from words to the last choice",
        ("asked", "requests", "ticks", "ms from the words", "ms from the question"),
        rows,
        (
            f"'{WORDS}', on the real clock: Decision and then Recipe are chosen, and both are "
            "asked at one moment, since `ahead` holds. The decision model is `sparrow-decider "
            "serve`, which computes; the chat model is `treec fake-model`, which waits "
            f"{1000 * ANSWER:g} ms. The median of {rounds}, after one that is not counted; the "
            "reading is the parser's, and its time is in that from the words. The choices of both "
            "are fixed, so that the path is the same.",
        ),
    )


def _depths(decider: str, chat: str, small: bool) -> Table:
    """A tree of decisions, asked ahead as a whole."""
    rows: list[tuple[Cell, ...]] = []
    rounds = 1 if small else 15
    for depth in (1, 2) if small else (1, 2, 3, 4):
        row: list[Cell] = [depth, 2**depth - 1]
        for model, url in zip(MODELS.values(), (decider, chat), strict=True):
            with _counted() as posts:
                seconds, _ = time_to_decide(
                    open_model(ModelChoice(model, url)), depth, True, rounds, model
                )
            row += [len(posts) // (rounds + 1), 1000 * seconds]
        rows.append(tuple(row))
    return Table(
        "A tree of decisions, asked ahead as a whole",
        (
            *("depth", "questions", "requests: decision model", "ms"),
            *("requests: chat model", "ms"),
        ),
        rows,
        (
            "As in *Time to decide* above: two options each, from the change in the world to the "
            f"last choice; the median of {rounds}, after one that is not counted.",
        ),
    )


def _rounds(
    library: Library, model: str, url: str, rounds: int
) -> list[tuple[int, int, float, float]]:
    view = View(library, _with_asks(library))
    transport = open_model(ModelChoice(model, url))
    found = []
    with _counted() as posts:
        for _ in range(rounds + 1):
            made = Run(
                view, RealClock(), Journal.in_memory(), RunSpec(model=model), transport=transport
            )
            made.loop.run(lambda: True, 0.0)
            posts.clear()
            journal, known = made.journal, _chosen(made.journal)
            before = len(journal.records)
            ticks, began = _ticks(journal), time.perf_counter()
            made.say(WORDS)
            made.loop.run(lambda: _chosen(journal) >= known + 2, made.clock.now() + 60.0)  # noqa: B023
            whole = time.perf_counter() - began
            asked = next(r.t for r in journal.records[before:] if r.kind == "asked")
            decided = [r for r in journal.records if r.kind == "decided"][known:]
            found.append((len(posts), _ticks(journal) - ticks, whole, decided[-1].t - asked))
            by = [r.data["by"] for r in decided]
            assert len(by) == 2, by
            assert all(one.startswith(model) for one in by), by
            made.loop.shutdown()
            assert isinstance(made.asker, ThreadedAsker)
            made.asker.close()
    return [(requests, ticks, 1000 * a, 1000 * b) for requests, ticks, a, b in found[1:]]


def _with_asks(library: Library) -> Entry[SystemFile]:
    """MOSAIC with its decisions asked alone."""
    system = library.find("system", "mosaic")
    assert system is not None
    return with_model(system, system.model.model_copy(update={"asks": list(DECISIONS)}))


def _chosen(journal: Journal) -> int:
    return sum(record.kind == "decided" for record in journal.records)


def _ticks(journal: Journal) -> int:
    ticks = (r.data["tick"] for r in journal.records if r.kind == "ticked")
    return max(map(int, ticks), default=0)


def _acts(decider: str) -> Table:
    """The questions that a reading asks about each utterance of a conversation."""
    model = MODELS["decision model"]
    with _counted() as posts:
        treec.open(ROOT).run("mosaic", scenario=TALK, model=model, api_base=decider)
    asked = [one for one in posts if one[0] > len(DECISIONS)]
    rows: list[tuple[Cell, ...]] = []
    for name, few in ((f"at most {FEW} questions", True), ("more", False)):
        found = [one for one in asked if (one[0] <= FEW) == few]
        if found:
            questions, seconds = (statistics.median(column) for column in zip(*found, strict=True))
            rows.append((name, len(found), int(questions), 1000 * seconds))
    return Table(
        "All acts of an utterance in one request",
        ("utterances with", "number", "questions", "ms"),
        rows,
        (
            f"The scenario `{TALK}` of MOSAIC, read by the decision model: one question for each "
            "kind of act, and for each value that a field may have. Medians; the time is that of "
            "the request.",
        ),
    )


@contextmanager
def _counted() -> Iterator[list[list[float]]]:
    """Of all requests that are sent: the number of typed questions, and the seconds."""
    posts: list[list[float]] = []
    post = HttpClient.post

    async def counted(
        self: HttpClient, url: str, headers: Mapping[str, str], content: bytes
    ) -> HttpResponse:
        sent = [len(json.loads(content).get("questions", ())), 0.0]
        posts.append(sent)
        began = time.perf_counter()
        response = await post(self, url, headers, content)
        sent[1] = time.perf_counter() - began
        return response

    HttpClient.post = counted  # type: ignore[method-assign]
    try:
        yield posts
    finally:
        HttpClient.post = post  # type: ignore[method-assign]
