"""How a run is shown: panels that fit, lines that are harmless, and a run that does not notice."""

from __future__ import annotations

import io
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from rich.console import Console

from tests.cli.conftest import WAREHOUSE, Treec
from tests.support.events import happening
from treec.cli.display import RunDisplay
from treec.cli.interrupts import handle_interrupts
from treec.cli.live_lines import LiveLines
from treec.cli.live_piped import PipedDisplay
from treec.cli.make_display import make_display
from treec.cli.terminal_text import Printer, clock, paint, safe, wrap_pieces
from treec.compile.definition import NodeDefinition
from treec.files.library import Library, load_library
from treec.files.view import View
from treec.nodes.control.parallel import ParallelNever
from treec.nodes.control.sequence import sequence
from treec.nodes.events import NodeFailed
from treec.nodes.then_repeat import ThenRepeat
from treec.render.measure import cells
from treec.run.clocks import PacedClock
from treec.run.events import Ticked
from treec.run.run import Run
from treec.run.state import ProgramProgress, RunState, fold
from treec.run.status_recorder import tree_event, walk
from treec.world.clock import RealClock, VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record, events
from treec.world.spec import RunSpec
from treec_live import panels as live_panels
from treec_live import tree as live_tree
from treec_live.chat import ChatDisplay, end_of
from treec_live.moment import LiveAgent, LiveMoment, LiveSubtask, RunWatcher, TalkLine, note_of
from treec_live.panels import Screen
from treec_live.screen import FRAME, ScreenDisplay
from treec_live.tree import TreeRow

GUARD = 60.0
"""Seconds after which a hung test fails; no timing."""

HOSTILE = "\x1b[2J[bold red]x[/] \u202eabc\r\nnext \x07 [/not a tag]"


@lru_cache(maxsize=1)
def library() -> Library:
    return load_library(WAREHOUSE)


def make_run(clock: VirtualClock | RealClock | None = None, *, chat: bool = False) -> Run:
    scenario = None if chat else "morning_shift"
    view = View(library(), library().find("system", "warehouse"))
    return Run(
        view,
        clock or VirtualClock(),
        Journal.in_memory(),
        RunSpec(scenario=scenario, seed=7, chat=chat),
    )


@lru_cache(maxsize=1)
def moments() -> tuple[LiveMoment, ...]:
    """Every moment of a whole run."""
    run = make_run()
    state = fold(run.journal.records, {"pour": ("item", "container")})
    watch, found = RunWatcher(run, state), list[LiveMoment]()
    run.world.subscribe(lambda record: (state.take(record), watch.add(record)), traces=True)
    run.loop.after_tick.append(lambda: found.append(watch.moment()))
    run.go()
    return tuple(found)


def at(seconds: float) -> LiveMoment:
    return [moment for moment in moments() if moment.t <= seconds][-1]


def drawn(moment: LiveMoment, width: int, height: int, **environ: str) -> list[str]:
    """The rows of a window, with the codes for colours taken off if there are any."""
    console = Console(
        file=io.StringIO(), width=width, height=height, force_terminal=True, _environ=environ
    )
    screen = Screen()
    screen.moment = moment
    rows = console.render_lines(screen, console.options.update(width=width, height=height))
    return ["".join(segment.text for segment in row) for row in rows]


def record(kind: str, t: float = 1.0, n: int = 1, **data: object) -> Record:
    more = {
        "skill.started": {"id": "s1", "takes": 1.0, "touches": []},
        "node.failed": {"module": "m"},
    }
    return Journal.in_memory().record(happening(kind, **{**more.get(kind, {}), **data}), "test", t)


def test_the_live_view_shows_the_state_that_replay_folds() -> None:
    run = make_run()
    show = RunDisplay(io.StringIO())
    show.run(run)
    watch, replayed = RunWatcher(run, show.state), RunWatcher(run, fold(run.journal.records))
    assert show.state.statuses == replayed.state.statuses
    assert watch.moment() == replayed.moment()


# The window


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (60, 14), (40, 10), (24, 5)])
@pytest.mark.few(2)
def test_every_moment_fills_the_window_and_no_more(size: tuple[int, int]) -> None:
    width, height = size
    for moment in moments()[::3]:
        rows = drawn(moment, width, height)
        assert len(rows) == height
        assert {cells(row) for row in rows} == {width}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_talk_agents_recipe_and_tree_are_seen_at_once(size: tuple[int, int]) -> None:
    text = "\n".join(drawn(at(33), *size))
    assert "operator: Yes, go ahead." in text
    assert "▸ inspect crate 40" in text
    assert "scan(crate 40)" in text
    assert "2 of 5 done" in text
    assert "▸ →↻ dispatcher" in text
    assert "robot_worker[Hauler]" in text
    assert "robot_worker[Scout]" in text
    assert "last: Change_Work (offline)" in text


def test_a_stop_is_seen_in_talk_agents_and_recipe() -> None:
    text = "\n".join(drawn(at(27), 120, 40))
    assert "■ Hauler is told to stop" in text
    assert "■ stopped, waits for a yes" in text
    assert "holds fetch crate 12" in text
    assert "Hauler, stopped" in text


def test_in_a_small_window_talk_and_agents_stay() -> None:
    text = "\n".join(drawn(at(33), 44, 14))
    assert "talk" in text
    assert "agents" in text
    assert "behaviour tree" not in text


def test_the_newest_words_are_at_the_bottom_and_wrapped() -> None:
    talk = [TalkLine(float(n), "user", f"number {n} " + "word " * 9, True) for n in range(9)]
    lines = live_panels.talk_lines(talk, 30, 7)
    text = ["".join(piece for piece, _ in line) for line in lines]
    assert len(text) == 7
    assert all(cells(line) <= 30 for line in text)
    assert "number 8" in text[-3]
    assert text[-1].startswith(" " * 6)


def test_a_long_recipe_counts_what_is_over_and_keeps_what_runs() -> None:
    work = [LiveSubtask(f"job {n}", "done" if n < 20 else "waiting") for n in range(40)]
    work[33] = LiveSubtask("job 33", "running", "R1")
    lines = live_panels.recipe_lines(work, 40, 10)
    text = ["".join(piece for piece, _ in line) for line in lines]
    assert len(text) == 10
    assert "20 of 40 done" in text[0]
    assert text[1].startswith("✓ job 0, job 1")
    assert any("▸ job 33" in line and line.endswith("R1") for line in text)
    assert "more" in text[-1]


def test_many_agents_share_the_room() -> None:
    workers = [LiveAgent(f"R{n}", False, "Idle", "", "", ("a", "b"), ()) for n in range(9)]
    assert len(live_panels.agent_lines(workers, 40, 20)) == 18
    assert len(live_panels.agent_lines(workers, 40, 10)) == 9


def test_no_color_leaves_words_and_takes_colours() -> None:
    console = Console(
        file=io.StringIO(), width=80, height=24, force_terminal=True, _environ={"NO_COLOR": "1"}
    )
    screen = Screen()
    screen.moment = at(33)
    console.print(screen)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "dispatcher" in printed
    assert not any(f"\x1b[{code}m" in printed for code in (31, 32, 33, 35, 36))


def test_a_panel_that_has_not_changed_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[str] = []
    real = live_panels.panel_rows

    def counted(
        console: Console, moment: LiveMoment, box: live_panels.PanelBox
    ) -> list[live_panels.Row]:
        count.append(box.name)
        return real(console, moment, box)

    monkeypatch.setattr(live_panels, "panel_rows", counted)
    console = Console(file=io.StringIO(), width=80, height=24)
    screen = Screen()
    for moment in (at(33), at(33), at(33)):
        screen.moment = moment
        console.print(screen)
    assert sorted(count) == ["agents", "recipe", "talk", "tree"]


# The tree


def small_tree() -> tuple[ParallelNever, list[Behaviour]]:
    script = {"wait": Status.SUCCESS, "work": Status.RUNNING, "report": Status.SUCCESS}

    class Leaf(Behaviour):
        def update(self) -> Status:
            return script[self.name]

    leaves = [[Leaf(name) for name in script] for _ in range(4)]
    workers = [
        ThenRepeat(f"worker[{n}]", sequence(f"worker[{n}]", row)) for n, row in enumerate(leaves)
    ]
    root = ParallelNever("main", workers)
    root.definition = NodeDefinition(None, kind="parallel")  # type: ignore[attr-defined]
    root.tick_once()
    return root, [leaf for row in leaves for leaf in row]


def state_of(root: Behaviour) -> RunState:
    """A run whose tree has the statuses of ``root``; failed nodes have said why."""
    journal, nodes, state = Journal.in_memory(), list(walk(root)), RunState()
    journal.append(tree_event(nodes), "run", 0.0)
    for node, _ in nodes:
        if node.feedback_message:
            journal.append(NodeFailed(node.name, node.feedback_message), node.name, 0.0)
    to = {s.name: tuple(n for n, (node, _) in enumerate(nodes) if node.status is s) for s in Status}
    journal.append(Ticked(1, to), "run", 0.0)
    for one in journal.records:
        state.take(one)
    return state


def text_of(root: TreeRow, width: int, rows: int) -> list[str]:
    return ["".join(piece for piece, _ in line) for line in live_tree.lines(root, width, rows)]


def test_running_paths_are_open_and_modifiers_unseen() -> None:
    root, _ = small_tree()
    assert text_of(live_tree.make_row(state_of(root)), 60, 40)[:5] == [
        "▸ ⇉ main",
        "├─ ▸ → worker[0]",
        "│  ├─ ✓ wait",
        "│  ├─ ▸ work",
        "│  └─ · report",
    ]


def test_with_few_rows_what_runs_is_left() -> None:
    root, _ = small_tree()
    shown = text_of(live_tree.make_row(state_of(root)), 60, 9)
    assert len(shown) == 9
    assert sum("▸ work" in line for line in shown) == 4
    assert not any("report" in line for line in shown)


@pytest.mark.parametrize("rows", range(1, 20))
def test_a_tree_keeps_to_its_rows(rows: int) -> None:
    for moment in moments()[::8]:
        assert len(text_of(moment.tree, 30, rows)) <= rows
    assert len(text_of(live_tree.make_row(state_of(small_tree()[0])), 30, rows)) <= rows


def test_finished_subtrees_are_one_line_and_neighbours_share_one() -> None:
    root, leaves = small_tree()
    for leaf in leaves[:2]:
        leaf.status = Status.SUCCESS
    leaves[2].status = Status.FAILURE
    leaves[2].feedback_message = "it slipped"
    shown = text_of(live_tree.make_row(state_of(root)), 60, 40)
    assert "│  ├─ ✓ wait, work" in shown
    assert "│  └─ ✗ report  it slipped" in shown
    worker = root.children[0]
    worker.children[0].status = Status.SUCCESS
    assert text_of(live_tree.make_row(state_of(root)), 60, 40)[1] == "├─ ✓ → worker[0]"


def test_a_decision_says_what_was_chosen_and_on_whose_word() -> None:
    text = "\n".join(text_of(at(45).tree, 80, 40))
    assert "◆ Dispatch  → Wait_For_Work (offline)" in text


def test_a_program_shows_what_is_done_under_way_and_to_come_and_who_wrote_it() -> None:
    shown = text_of(at(45).tree, 100, 40)
    begins = next(n for n, line in enumerate(shown) if "drive(packing table)" in line)
    assert shown[begins : begins + 3] == [
        "│     ├─ ▸ {} Subtask_To_Skills  2/2 drive(packing table)",
        "│     │  ├─ ✓ pick(crate)",
        "│     │  └─ ▸ place(crate, 'packing table')",
    ]
    first = text_of(at(33).tree, 100, 40)
    begins = next(n for n, line in enumerate(first) if "drive(aisle 1)" in line)
    assert first[begins + 1 : begins + 3] == [
        "│     │  ├─ ▸ pick(crate)",
        "│     │  └─ · place(crate, 'packing table')",
    ]
    bare = text_of(at(45).tree, 100, 15)
    assert not any("pick(crate)" in line for line in bare)
    assert any("wait, take" in line for line in bare)  # the programs' lines go first
    assert live_tree.height(at(45).tree) == 15  # and move no panel


def test_a_line_of_a_loop_is_under_way_again() -> None:
    written = ProgramProgress("m", ("for x in [a, b]:", "    pick(x)", "", "    put_down()"))
    steps = [written.at_line(2), written.at_line(2).at_line(4), written.at_line(4).at_line(2)]
    shown = [[(t.label, t.status) for t in live_tree._steps(one)] for one in steps]
    assert [one.place for one in steps] == ["2/3", "3/3", "2/3"]
    first = ("for x in [a, b]:", None)
    assert shown == [
        [first, ("pick(x)", "RUNNING"), ("put_down()", None)],
        [first, ("pick(x)", "SUCCESS"), ("put_down()", "RUNNING")],
        [first, ("pick(x)", "RUNNING"), ("put_down()", "SUCCESS")],
    ]


def test_a_models_program_is_printed_with_its_lines_and_a_refused_one_with_the_reason() -> None:
    lines = LiveLines(("R1",), RunState())
    text = "for x in ['a']:\n    pick(x)\n"
    about: dict[str, Any] = {"node": "n", "name": "P", "agent": "R1", "program": text}
    events = [
        record("programmed", 2.0, by="openai/x@1", **about),
        record("programmed", 3.0, by="offline", **about),
        record("programmed", 4.0, by="offline", because="no valid answer came", **about),
    ]
    assert [paint(line, False) for event in events for line in lines.of(event)] == [
        "    2.0  R1           program by openai/x@1:",
        "    2.0  R1             for x in ['a']:",
        "    2.0  R1                 pick(x)",
        "    4.0  R1         ! its own steps are done: no valid answer came",
    ]


def test_a_reason_is_told_once_at_a_time() -> None:
    lines = LiveLines(("R1",), RunState())
    why = "pick(salt): slipped"
    about: dict[str, Any] = {"agent": "R1", "subtask": "get salt", "reason": why}
    events = [
        record("skill.ended", 2.0, skill="pick", args={"item": "salt"}, ok=False, agent="R1",
               reason="slipped"),
        record("node.failed", 2.0, node="main/Sub_Task", reason=why),
        record("subtask.failed", 2.0, **about),
        record("node.failed", 2.0, node="main/Other", reason="no way"),
        record("node.failed", 3.0, node="main/Sub_Task", reason=why),
        record("subtask.failed", 4.0, **about),
    ]  # fmt: skip
    assert [paint(line, False) for event in events for line in lines.of(event)] == [
        "    2.0  R1         ✗ pick(salt): slipped",
        "    2.0  R1         ✗ get salt failed",
        "    2.0             ! Other: no way",
        "    3.0             ! Sub_Task: pick(salt): slipped",
        "    4.0  R1         ✗ get salt failed: pick(salt): slipped",
    ]


# Words that would do something


def test_words_are_shown_and_never_obeyed() -> None:
    moment = at(27)
    hostile = TalkLine(1.0, safe(HOSTILE), safe(HOSTILE), True)
    moment = LiveMoment(
        1.0, "t", safe(HOSTILE), (hostile,), moment.workers, moment.work, moment.tree
    )
    text = "\n".join(drawn(moment, 120, 40))
    assert "[bold red]x[/]" in text
    assert not set(text) & set("\x1b\x07\r\u202e")


def test_lines_of_hostile_names_are_single_and_harmless() -> None:
    lines = LiveLines(("R1",), RunState())
    out = io.StringIO()
    show = Printer(out)
    events = [
        record("said", who=HOSTILE, text=HOSTILE),
        record("assigned", agent=HOSTILE, subtasks=[HOSTILE]),
        record("skill.started", skill=HOSTILE, agent="R1", args={"item": HOSTILE}),
        record("node.failed", node=HOSTILE, reason=HOSTILE),
        record("log", text=HOSTILE),
    ]
    for event in events:
        for line in lines.of(event):
            show(*line)
    printed = out.getvalue()
    assert len(printed.splitlines()) == len(events)
    assert not set(printed) & set("\x1b\x07\r\u202e")


def test_what_an_encoding_lacks_ends_no_run() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    Printer(out)(("✓ done", "green"))
    assert raw.getvalue() == b"? done\n"


# Lines


def test_lines_say_who_has_what_and_what_went_wrong() -> None:
    state = RunState()
    lines = LiveLines(("R1", "user"), state)
    events = [
        record("said", 0.0, who="user", text="Hello"),
        record("assigned", 2.0, agent="R1", subtasks=["stir"], first=True),
        record("subtask.started", 2.0, agent="R1", subtask="stir"),
        record("skill.started", 2.0, agent="R1", skill="stir", args={"it": "pot"}),
        record("skill.ended", 9.5, agent="R1", skill="stir", args={"it": "pot"}, ok=False,
               reason="slipped"),
        record("decided", 9.5, node="main/Decision", choose="No_op", by="offline"),
        record("subtask.failed", 9.5, subtask="stir", reason="slipped", agent="R1"),
        record("assigned", 9.5, agent="user", subtasks=["stir"]),
        record("subtask.done", 9.9, subtask="stir"),
    ]  # fmt: skip
    for event in (
        record("agent.joined", agent="R1"),
        record("agent.joined", agent="user", person=True),
        record("subtask.added", id="stir", words="stir"),
    ):
        state.take(event)
    told = []
    for event in events:
        state.take(event)
        told += [paint(line, False) for line in lines.of(event)]
    assert told == [
        "    0.0  user       Hello",
        "    2.0  R1         → has stir, first",
        "    2.0  R1         ▸ stir",
        "    2.0  R1           stir(pot)",
        "    9.5  R1         ✗ stir(pot): slipped",
        "    9.5  R1         ✗ stir failed",
        "    9.5  user       → has stir",
        "    9.9  user       ✓ stir done",
    ]


def test_clock() -> None:
    assert [clock(0.4), clock(65.9), clock(3725)] == ["0:00", "1:05", "1:02:05"]


# Watching


class Time:
    """Real time as a test has it: waiting makes it pass."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits = 0

    def wait(self, seconds: float) -> None:
        self.waits += 1
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


def watched(run_speed: float = 6.0) -> tuple[ScreenDisplay, Run, Time]:
    time = Time()
    console = Console(
        file=io.StringIO(), width=80, height=24, force_terminal=True, _environ={"TERM": "xterm"}
    )
    show = ScreenDisplay(io.StringIO(), console=console, wait=time.wait, monotonic=time.monotonic)
    return show, make_run(PacedClock(run_speed, show.pause)), time


@pytest.mark.thorough
def test_a_watched_run_writes_the_journal_of_one_that_is_not() -> None:
    show, run, time = watched()
    outcome = show.run(run)
    assert outcome.ok
    alone = make_run()
    alone.go()
    assert run.journal.text() == alone.journal.text()
    assert time.now < 60  # a minute is what the demo may take
    assert time.waits <= time.now / FRAME


def test_the_last_panels_stay_on_the_first_screen() -> None:
    show, run, _ = watched(1000)
    show.run(run)
    printed = show.console.file.getvalue()  # type: ignore[attr-defined]
    left = printed.rpartition("\x1b[?1049l")[2]
    assert "Morning Orders" in left
    assert "5 of 5 done" in left
    assert "dispatcher" in left


def test_whoever_ends_the_process_has_left_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of two that break a run off does not rely on the first, who is not done yet."""
    show, run, _ = watched()
    written: list[bytes] = []

    def write(number: int, data: bytes) -> int:
        if not written:
            written.append(b"")
            show.restore_terminal()
            assert b"1049l" in written[-1]
        written.append(data)
        return len(data)

    def break_off(seconds: float) -> None:
        if not written:
            show.restore_terminal()
            show.stop(run)

    monkeypatch.setattr(show.print.out, "fileno", lambda: 1, raising=False)
    monkeypatch.setattr("treec_live.screen.os.write", write)
    show.wait = break_off
    show.run(run)
    assert len(written) == 3


def test_what_code_of_others_prints_is_no_part_of_the_display(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = io.StringIO()
    for display in (
        RunDisplay(out),
        ScreenDisplay(out, console=Console(file=out, force_terminal=True), wait=lambda s: None),
    ):
        run = make_run()
        run.loop.after_tick.append(lambda: print("a driver prints"))
        display.run(run)
        printed = capsys.readouterr()
        assert "a driver prints" not in out.getvalue() + printed.out
        assert "a driver prints" in printed.err


def test_after_a_stop_nothing_is_waited_for() -> None:
    show, run, time = watched()

    def wait(seconds: float) -> None:
        time.wait(seconds)
        if time.waits == 10:
            show.stop(run)

    show.wait = wait
    outcome = show.run(run)
    assert outcome.reason == "stopped"
    assert time.waits == 10


def test_the_first_ctrl_c_stops_in_order_and_the_next_breaks_off() -> None:
    before = signal.getsignal(signal.SIGINT)
    heard: list[int] = []
    with handle_interrupts(lambda: heard.append(1), lambda: heard.append(2)):
        signal.raise_signal(signal.SIGINT)
        assert heard == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert heard == [1, 2]
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("signals", [1, 2])
def test_a_signal_that_interrupts_who_holds_the_lock_of_a_stop_is_no_deadlock(signals: int) -> None:
    lock, free, taken = threading.Lock(), threading.Event(), list[bool]()

    def stop() -> None:  # as `Event.set` does while the main thread is in `Event.wait`
        taken.append(lock.acquire(timeout=3.0))
        if taken[-1]:
            lock.release()
        if len(taken) == signals:
            free.set()

    with handle_interrupts(stop, stop), suppress(KeyboardInterrupt), lock:
        for _ in range(signals):
            signal.raise_signal(signal.SIGINT)
    assert free.wait(30.0)
    assert taken == [True] * signals


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_in_order(name: str) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip(f"no {name} here")
    before = signal.signal(number, signal.SIG_DFL)
    try:
        show, run, time = watched()

        def wait(seconds: float) -> None:
            time.wait(seconds)
            if time.waits == 10:
                signal.raise_signal(number)

        show.wait = wait
        assert show.run(run).reason == "stopped"
        assert run.journal.records[-1].kind == "run.end"
    finally:
        signal.signal(number, before)


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_terminal_is_as_it_was_when_a_run_is_broken_off(name: str, tmp_path: Path) -> None:
    import pty
    import termios

    number = getattr(signal, name)
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    command = [sys.executable, "-m", "treec", "run", "warehouse", "--scenario", "morning_shift"]
    options = ["--speed", "0.1", "-L", str(WAREHOUSE), "--runs", str(tmp_path)]
    child = subprocess.Popen(
        [*command, *options],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    printed = bytearray()

    def read_until(marker: bytes) -> None:
        while marker not in printed:
            printed.extend(os.read(ours, 65536))

    read_until(b"\x1b[?1049h")
    while child.poll() is None or select.select([ours], [], [], 0)[0]:
        if child.poll() is None:
            child.send_signal(number)
        if select.select([ours], [], [], 0.002)[0]:
            printed.extend(os.read(ours, 65536))
    for enter, leave in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
        assert printed.rfind(enter) < printed.rfind(leave)
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with handle_interrupts(lambda: pytest.fail("stopped")):
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_what_shows_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    pipe, tty = io.StringIO(), Terminal()
    assert type(make_display(pipe, live=True, chat=False)) is RunDisplay
    assert type(make_display(tty, live=False, chat=False)) is RunDisplay
    assert type(make_display(tty, live=True, chat=False)) is ScreenDisplay
    assert type(make_display(tty, live=True, chat=True, stdin=tty)) is ChatDisplay
    assert type(make_display(tty, live=True, chat=True, stdin=pipe)) is PipedDisplay
    assert type(make_display(pipe, live=True, chat=True, stdin=tty)) is PipedDisplay
    monkeypatch.setenv("TERM", "dumb")
    assert type(make_display(tty, live=True, chat=False)) is RunDisplay


# Chat


def piped(text: str) -> tuple[str, Run]:
    out = io.StringIO()
    run = make_run(chat=True)
    PipedDisplay(out, io.StringIO(text)).run(run)
    return out.getvalue(), run


class Waiting(io.StringIO):
    """Input from which no line comes; a signal arrives while it is waited for."""

    def fileno(self) -> int:
        if not self.has_come:
            self.has_come = True
            signal.raise_signal(signal.SIGTERM)
        return self.pipe[0]

    def __init__(self) -> None:
        super().__init__()
        self.pipe = os.pipe()
        self.has_come = False


def test_a_signal_ends_a_piped_chat_that_waits_for_a_line() -> None:
    run = make_run(chat=True)
    outcome = PipedDisplay(io.StringIO(), Waiting()).run(run)
    assert outcome.reason == "stopped"
    assert run.journal.records[-1].kind == "run.end"


class SpeechProgram(io.StringIO):
    """Writes lines into a pipe when the run has come so far."""

    def __init__(self, run: Run, cues: dict[str, str]) -> None:
        super().__init__()
        self.ours, self.theirs = os.pipe()
        self.cues = dict(cues)
        self.say(self.cues.pop("begin"))
        run.world.subscribe(self.look, traces=True)

    def fileno(self) -> int:
        return self.ours

    def say(self, line: str) -> None:
        os.write(self.theirs, f"{line}\n".encode())

    def look(self, record: Record) -> None:
        for event in flat(record.event):
            line = self.cues.pop(event.kind, None)
            if line is not None:
                self.say(line)


@pytest.mark.thorough
def test_a_piped_stop_is_heard_at_once_in_real_time() -> None:
    """On virtual time it was read when nothing was left to do."""
    run = make_run(chat=True, clock=RealClock())
    cues = {"begin": "Scout, inspect crate 40.", "skill.started": "stop", "skill.ended": "/quit"}
    speech = SpeechProgram(run, cues)
    outcome = PipedDisplay(io.StringIO(), speech, real=True).run(run)
    assert outcome.reason == "stopped"
    (event,) = [e for r in run.journal.records for e in events(r) if e.kind == "skill.ended"]
    assert event.data["cancelled"]
    assert event.t < 4  # long before the drive of 5 s had ended


def test_a_chat_from_a_pipe_is_answered_and_ends_when_the_world_rests() -> None:
    printed, run = piped("start the morning orders\n\nyes\n")
    assert "All right, Morning Orders." in printed
    assert "✓ inspect crate 12 done" in printed
    assert not any(a.current for a in run.team.agents if not a.person)


def test_a_pipe_can_stop_a_robot_midway() -> None:
    printed, _ = piped(
        "start the morning orders\nyes\n/wait 10s\nstop\n/nonsense\n/wait x\n/quit\n"
    )
    lines = [line.split(None, 1) for line in printed.splitlines() if line[:3] == "   "]
    said = {words: float(time) for time, words in lines}
    assert said["operator   stop"] == said["operator   yes"] + 10
    assert "Scout      ■ told to stop" in said
    assert "! unknown command /nonsense: use /wait or /quit" in printed
    assert "! /wait x:" in printed


def test_the_same_pipe_gives_the_same_journal() -> None:
    text = "start the morning orders\nyes\nstop\ngo on\n"
    assert piped(text)[1].journal.text() == piped(text)[1].journal.text()


class Heard(Terminal):
    """A terminal on which a test can wait for words."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = threading.Condition()

    def write(self, text: str) -> int:
        with self.changed:
            number = super().write(text)
            self.changed.notify_all()
        return number

    def wait_for(self, words: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: words in self.getvalue(), GUARD), self.getvalue()


def typing(out: Heard, script: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    """Types each line once the words before it are on the terminal; then the end of file."""
    steps: Iterator[tuple[str, str]] = iter(script)

    def read(prompt: str) -> str:
        out.write(prompt)
        for words, line in steps:
            out.wait_for(words)
            return line
        raise EOFError

    return read


def test_a_chat_at_the_terminal() -> None:
    out = Heard()
    read = typing(
        out,
        [
            ("you> ", "start the morning orders"),
            ("Shall Scout inspect crate 12?", "/status"),
            ("robot_worker[Scout]", "/help"),
            ("/quit ", "/hlep"),
            ("unknown command /hlep", "yes"),
            ("Scout will inspect crate 12", ""),
        ],
    )
    show = ChatDisplay(out, read=read, columns=80)
    run = make_run(RealClock(), chat=True)
    outcome = show.run(run)
    assert outcome.reason == "stopped"
    printed = out.getvalue()
    assert "operator   start the morning orders" not in printed  # it stands where it was typed
    assert "\r\x1b[J" in printed
    assert "0 of 5 done" in printed


def test_what_is_being_said_stands_over_the_prompt_and_goes() -> None:
    out = Heard()
    shows: list[ChatDisplay] = []
    steps = iter(["… R2, get the", "… get the pepper from the", "\x1b[1A\x1b[Jyou> "])

    def read(prompt: str) -> str:
        out.write(prompt)
        for said in ("R2, get the", "R2, get the pepper from the", ""):
            shows[0].show_spoken(said)
            out.wait_for(next(steps))
        raise EOFError

    shows.append(ChatDisplay(out, read=read, columns=28))
    assert shows[0].run(make_run(RealClock(), chat=True)).reason == "stopped"
    assert end_of("get it", -1) == ""  # in a terminal of two columns


def test_a_line_goes_on_under_its_words() -> None:
    line = [("   37.6  ", "dim"), ("assistant  ", "bold"), ("R2 will get the tomatoes.", "")]
    assert [paint(part, False) for part in wrap_pieces(line, 36)] == [
        "   37.6  assistant  R2 will get the",
        "                    tomatoes.",
    ]
    assert wrap_pieces(line, None) == [tuple(line)]
    step = [("   37.6  ", ""), ("R2         ", ""), ("  pick(tomatoes)", "dim")]
    assert wrap_pieces(step, 80) == [tuple(step)]  # what fits stays as it is, indentation and all


def test_what_a_watch_finds_is_shown() -> None:
    problem = record("log", text="a.action.yaml:13:1: error TC101: unknown key 'alway'")
    assert note_of(problem.event) == "# a.action.yaml:13:1: error TC101: unknown key 'alway'"
    carets = record("log", text="   |   ^^^^^")
    assert note_of(carets.event) is None  # panels are narrow
    ((*_, (shown, _)),) = LiveLines((), RunState()).of(carets)
    assert shown == "#    |   ^^^^^"  # and on lines they stay where they point


def test_a_chat_through_the_command_line(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("start the morning orders\n"))
    result = treec("run", "warehouse", "--chat", "--runs", tmp_path, "-L", WAREHOUSE)
    assert result.status == 0, result.out + result.err
    assert "Shall Scout inspect crate 12?" in result.out
    assert "no model was asked" in result.out
    assert str(next(tmp_path.iterdir()).name) in result.out


def test_a_skill_is_shown_with_its_arguments_in_the_order_of_its_file() -> None:
    state = RunState({"pour": ("agent", "item", "container")})
    about: dict[str, Any] = {"skill": "pour", "agent": "R1", "id": "s1"}
    args = {"item": "pepper", "container": "bowl"}
    events = [
        record("skill.started", 2.0, **about, args=args),
        record("skill.ended", 3.0, **about, args=args, ok=False, reason="spilt"),
    ]
    lines = LiveLines(("R1",), state)
    assert [paint(line, False)[20:].strip() for event in events for line in lines.of(event)] == [
        "pour(pepper, bowl)",
        "✗ pour(pepper, bowl): spilt",
    ]
    assert note_of(events[1].event, state.describe_step) == "✗ R1 pour(pepper, bowl): spilt"
