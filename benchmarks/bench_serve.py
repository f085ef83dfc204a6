"""What the page of runs takes: to start, to show a tick, of the run's CPU, and to stay fluid."""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from benchmarks.long_run import CHANGES, LongRun
from benchmarks.process import ROOT, with_byte_code
from benchmarks.table import Cell, Table, in_turns, middle_ratio
from tests.serve.browser import CHROMIUM, Browser, browser
from treec.files.library import load_library
from treec.files.view import View
from treec.run.events import Ticked
from treec.run.folder import JOURNAL, new_folder
from treec.run.live_run import LiveRun
from treec.run.run import Run
from treec.team.events import Proposed
from treec.world.clock import RealClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_serve.process import PageProcess

WAREHOUSE = ROOT / "engine" / "treec" / "templates" / "warehouse"
SHIFT = ("warehouse", "--scenario", "morning_shift")
ENDED = "the page stays open"
TREE = "document.querySelector('[role=treeitem]')"
PAINTED = (
    "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
)

FRAMES = """new Promise(done => {
  const times = [], until = performance.now() + %d, step = %s;
  let before = performance.now(), n = 0;
  const frame = now => {
    times.push(now - before);
    before = now;
    if (now > until) return done(times.slice(1));
    step(n++);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""
"""The milliseconds between frames, for some time; each frame takes a step."""

NOTE = """(() => {
  const clock = document.querySelector('#clock');
  window.ticks = [];
  new MutationObserver(() => {
    const tick = Number(/tick (\\d+) of/.exec(clock.textContent)[1]);
    requestAnimationFrame(() => ticks.push([tick, Date.now()]));
  }).observe(clock, {childList: true, characterData: true, subtree: true});
})()"""
"""Notes when which tick is drawn."""


def run(small: bool) -> list[Table]:
    """A table for each promise; those of the browser where there is one."""
    cost = _cpu(1 if small else 7)
    if CHROMIUM is None:
        return [cost]
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as page:
        long = _long(page, small)
        ticks = _ticks(page, 5 if small else 50)
        return [_starts(page, 1 if small else 5), ticks, cost, long]


# Starting


def _starts(page: Browser, repeats: int) -> Table:
    with tempfile.TemporaryDirectory() as name:
        runs = Path(name) / "runs"
        env = with_byte_code(Path(name) / "code")
        LongRun(runs, 200, 60).close()
        commands = {
            "treec serve": (ROOT, ()),
            "treec serve warehouse": (WAREHOUSE, ("warehouse",)),
            "treec serve mosaic": (ROOT, ("mosaic",)),
        }
        rows: list[tuple[Cell, ...]] = []
        for title, (library, args) in commands.items():
            options = (*args, "-L", str(library), "--runs", str(runs))
            found = [_start(page, options, env) for _ in range(repeats + 1)][1:]
            rows.append((title, *(statistics.median(one) for one in zip(*found, strict=True))))
    return Table(
        "From the command to the page",
        ("command", "CPU, s", "address, s", "first answer, s", "then to the first picture, s"),
        rows,
        (
            f"Median of {repeats}, one more before them. From the start of the process to its "
            "address, with its CPU until then, and to the first list of runs; then from the "
            "address in the browser, which is open, to the tree on the screen. "
            "Goals: 1.5 s and 1 s.",
        ),
    )


def _start(
    page: Browser, args: Sequence[str], env: dict[str, str]
) -> tuple[float, float, float, float]:
    begun = time.perf_counter()
    with _serving(args, env) as (process, url):
        told = time.perf_counter() - begun
        cpu = _cpu_of(process.pid)
        assert _get(url, "runs")
        answered = time.perf_counter() - begun
        opened = time.perf_counter()
        page.open(url)
        page.until(TREE)
        page.value(PAINTED)
        drawn = time.perf_counter() - opened
        page.open("about:blank")
    return cpu, told, answered, drawn


@contextmanager
def _serving(
    args: Sequence[str], env: dict[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`treec serve`, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "treec", "serve", *args],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _get(url: str, path: str) -> object:
    page = urlsplit(url)
    connection = http.client.HTTPConnection(str(page.hostname), page.port)
    connection.request("GET", page.path + path)
    return json.loads(connection.getresponse().read())


# From a tick to the page


def _ticks(page: Browser, number: int) -> Table:
    library = load_library(WAREHOUSE)
    view = View(library, library.find("system", "warehouse"))
    ticked: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = new_folder(Path(name), "live", datetime(2026, 1, 1))
        journal = Journal.create(folder / JOURNAL)
        running = Run(view, RealClock(6.0), journal, RunSpec(chat=True), folder=folder)

        def take(record: Record) -> None:
            if isinstance(record.event, Ticked):
                ticked[record.event.tick] = time.time()
            elif any(isinstance(event, Proposed) for event in flat(record.event)):
                running.say("Yes, go ahead.")

        running.world.subscribe(take, traces=True)
        live = LiveRun(folder.name, running)
        with PageProcess(0) as process:
            url = process.address()
            process.open(Path(name), WAREHOUSE, live, running.loop.stop, running.spec)
            thread = threading.Thread(target=running.go)
            thread.start()
            page.open(url)
            page.until(f"{TREE} && document.querySelector('#follow').checked")
            page.value(NOTE)
            shown = max(ticked, default=0)
            running.say("Start the morning orders.")
            ends = time.monotonic() + 30
            while page.value("ticks.length") < number and time.monotonic() < ends:
                time.sleep(0.5)
            drawn = page.value("ticks")
            running.loop.stop()
            thread.join()
            page.open("about:blank")
    late = [
        at - 1000 * ticked[tick]
        for (before, _), (tick, at) in zip([(shown, 0), *drawn], drawn, strict=False)
        if tick > before and tick in ticked
    ]
    return Table(
        "From a tick to the page",
        ("ticks drawn", "median, ms", "95th percentile, ms", "the longest, ms"),
        [(len(late), statistics.median(late), _percentile(late, 0.95), max(late))],
        (
            "The warehouse on the real clock, six times as fast, in this process; its page in one "
            "of its own; from the record of a tick to the frame that shows it. Goal: under 100 ms.",
        ),
    )


# What a viewer costs the run


def _cpu(repeats: int) -> Table:
    found: dict[str, list[float]] = {"alone": [], "watched": [], "page": []}

    def alone() -> float:
        found["alone"].append(_watch(False)[0])
        return found["alone"][-1]

    def watched() -> float:
        run, page = _watch(True)
        found["watched"].append(run)
        found["page"].append(page)
        return run

    _, ratios = in_turns([alone, watched], repeats)
    rows: list[tuple[Cell, ...]] = [
        ("nobody", statistics.median(found["alone"]), 1.0, 0.0),
        (
            "one page that follows",
            statistics.median(found["watched"]),
            middle_ratio(ratios, 1),
            statistics.median(found["page"]),
        ),
    ]
    return Table(
        "What a viewer costs a run",
        ("who watches", "CPU of the run, s", "ratio", "CPU of its page, s"),
        rows,
        (
            f"`treec serve {' '.join(SHIFT)} --speed 40` from its address to its end; medians of "
            f"{repeats} in turns. The page is a process of its own; its CPU is from its start on. "
            "Goal: a ratio under 1.03.",
        ),
    )


def _watch(followed: bool) -> tuple[float, float]:
    """CPU seconds of a run and of its page's process."""
    with tempfile.TemporaryDirectory() as runs:
        options = (*SHIFT, "--speed", "40", "-L", str(WAREHOUSE), "--runs", runs)
        with _serving(options) as (process, url):
            before = _cpu_of(process.pid)
            if followed:
                threading.Thread(target=_follow, args=(url,), daemon=True).start()
            assert process.stdout is not None
            for line in process.stdout:
                if ENDED in line:
                    break
            tasks = Path(f"/proc/{process.pid}/task").glob("*/children")
            children: list[str] = []
            for task in tasks:
                with suppress(FileNotFoundError):  # a thread has ended meanwhile
                    children += task.read_text().split()
            (page,) = children
            return _cpu_of(process.pid) - before, _cpu_of(int(page))


def _cpu_of(pid: int) -> float:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    spent = 0
    for task in tasks:
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended meanwhile
            spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


def _follow(url: str) -> None:
    """Ask as the page does: each answer comes with something new."""
    page = urlsplit(url)
    connection = http.client.HTTPConnection(str(page.hostname), page.port)
    run = _get(url, "runs")[0]["run"]
    tree = n = -1
    while True:
        query = urlencode({"moment": "end", "tree": tree, "after": n})
        try:
            connection.request("GET", f"{page.path}runs/{run}/at?{query}")
            answer = connection.getresponse()
            text = answer.read()
        except OSError:
            return
        if answer.status == 200:
            moment = json.loads(text)
            tree, n = moment["tree"], moment["n"]


# Large and long runs


def _long(page: Browser, small: bool) -> Table:
    nodes, seconds = (200, 60) if small else (10_000, 3600)
    length = 300 if small else 5000
    rows: list[tuple[Cell, ...]] = []
    with tempfile.TemporaryDirectory() as name:
        runs = Path(name)
        written = LongRun(runs, nodes, seconds)
        options = ("-L", str(WAREHOUSE), "--runs", str(runs))
        with _serving(options) as (_, url):
            opened = time.perf_counter()
            page.open(url)
            page.until(TREE)
            page.value(PAINTED)
            first = time.perf_counter() - opened
            page.until(f"document.querySelector('.box') !== null && {PAINTED}")
            drawn, cpu = time.perf_counter() - opened, page.cpu()
            rows.append(_frames(page, "nothing happens", length, "() => {}"))
            with _going_on(written):
                rows.append(_frames(page, "a run goes on, four ticks a second", length, "() => {}"))
            last = written.tick
            page.value("document.querySelector('#follow').checked = false")
            scrub = (
                "n => { const it = document.querySelector('#moment');"
                f" it.value = 1 + (n * 97) % {last};"
                " it.dispatchEvent(new Event('input', {bubbles: true})); }"
            )
            rows.append(_frames(page, "the slider moves in each frame", length, scrub))
            scroll = (
                "n => { const it = document.querySelector('[role=tree]'); let box = it;"
                " while (box && box.scrollHeight <= box.clientHeight) box = box.parentElement;"
                " (box || document.scrollingElement).scrollTop = 40 * n; }"
            )
            rows.append(_frames(page, "the tree is scrolled in each frame", length, scroll))
            find = (
                "n => { if (n % 15) return;"
                " const it = document.querySelector('input[type=search]');"
                " it.value = ['', 'step1', 'part', 'nothing'][n / 15 % 4];"
                " it.dispatchEvent(new Event('input', {bubbles: true})); }"
            )
            rows.append(_frames(page, "four searches a second", length, find))
            page.open("about:blank")
        written.close()
    return Table(
        f"Frames of a page of {nodes:,} nodes and {seconds:,} s of journal",
        (
            "what happens",
            "frames",
            "median, ms",
            "95th percentile, ms",
            "the longest, ms",
            "CPU of the page, s",
        ),
        rows,
        (
            f"{written.tick:,} ticks of {CHANGES} changed statuses. The tree was there as "
            f"a list after {first:.2f} s, as a picture after {drawn:.2f} s ({cpu:.2f} s of the "
            f"page's CPU). Headless Chromium without a GPU, {length / 1000:g} s each; a screen "
            "draws a frame every 16.7 ms.",
        ),
    )


def _frames(page: Browser, what: str, length: int, step: str) -> tuple[Cell, ...]:
    before = page.cpu()
    times = page.value(FRAMES % (length, step))
    middle, most = statistics.median(times), max(times)
    return what, len(times), middle, _percentile(times, 0.95), most, page.cpu() - before


@contextmanager
def _going_on(written: LongRun) -> Iterator[None]:
    """Let a run tick while the block lasts."""
    over = threading.Event()

    def go() -> None:
        while not over.wait(0.25):
            written.tick_on()

    thread = threading.Thread(target=go)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
