"""Prints a replay: record by record at a chosen pace, or one moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treec.cli.live_lines import LiveLines
from treec.cli.replay_words import (
    NodeNames,
    agent_rows,
    change_line,
    fact_rows,
    title_line,
    tree_snapshot,
    value_line,
    value_rows,
    visible_changes,
)
from treec.cli.terminal_text import Printer, clock, safe
from treec.run.events import Ticked, TreeBegun
from treec.run.replay import ReplayMoment, state_at
from treec.run.state import RunState, ValueChange, fold
from treec.world.journal import Record

CLEAR = "\x1b[H\x1b[2J"


def wait_for_enter() -> bool:
    """Wait for Enter; False for q or at the end of the input."""
    try:
        return not input().strip().lower().startswith("q")
    except EOFError:
        return False


@dataclass(frozen=True)
class Pace:
    """The pace of a replay: simulated seconds per real second, or one tick per key press."""

    speed: float | None = None
    step: bool = False
    pause: Callable[[float], None] = time.sleep
    ask: Callable[[], bool] = wait_for_enter

    def wait(self, seconds: float) -> None:
        """Wait for some simulated seconds."""
        if self.speed is not None and seconds > 0:
            self.pause(seconds / self.speed)

    @property
    def waits(self) -> bool:
        """Whether it waits at all."""
        return self.step or self.speed is not None


def play(
    show: Printer,
    records: Sequence[Record],
    pace: Pace,
    *,
    first: ReplayMoment | None = None,
    last: ReplayMoment | None = None,
    tree: bool = False,
    whole: bool = False,
    values: str | None = None,
) -> None:
    """Print events, status changes and changes of variables between two moments.

    With ``tree``, print the whole tree at each tick with changes, instead of the changes; with
    ``values``, only the changes of variables and ports whose names are of that pattern.
    """
    state, names, before = RunState(), NodeNames(()), None
    lines = LiveLines(tuple(fold(records).team), state)
    for record in records:
        if last is not None and last.past(state, record):
            break
        seen = first is None or first.past(state, record) or first.at(state, record)
        changes = state.take(record)
        if record.kind == TreeBegun.kind:
            names = NodeNames(state.nodes)
        texts = [line for line in lines.of(record) if seen and values is None]
        if not seen or (values is not None and not _of(state, values)):
            continue
        pace.wait(record.t - (record.t if before is None else before))
        before = record.t
        for line in texts:
            show(*line)
        if record.kind != Ticked.kind:
            continue
        if values is not None:
            for change in _of(state, values):
                show(*value_line(state, change))
        elif tree:
            _show_tree(show, state, whole, clear=pace.waits and show.colour)
        elif visible := visible_changes(state, changes, whole):
            show(*change_line(state, visible, names))
        if values is None and not tree:
            for change in state.changed:
                if whole or not change.now.is_port:
                    show(*value_line(state, change))
        if pace.step and not pace.ask():
            return
    else:
        _show_end(show, state, "the run was interrupted")
        return
    _show_end(show, state, "end of the replay")


def _of(state: RunState, pattern: str) -> list[ValueChange]:
    return [change for change in state.changed if change.matches(pattern)]


def show_moment(
    show: Printer,
    records: Sequence[Record],
    moment: ReplayMoment,
    whole: bool,
    values: str | None = None,
) -> None:
    """Print the tree, agents, facts and values at one moment; with ``values``, only those."""
    state = state_at(records, moment)
    if values is not None:
        for line in value_rows(state, values):
            show(*line)
        return
    over = state.ended is not None or moment.t == float("inf") or moment.tick is not None
    _show_tree(show, state, whole, clear=False, t=None if over else moment.t)
    show()
    show(("agents", "bold"))
    for line in agent_rows(state):
        show(*line)
    show()
    show(("facts", "bold"))
    for line in fact_rows(state, whole):
        show(*line)
    for name, value in state.variables.items():
        show((f"  {safe(name)} = {safe(value)}", ""))
    if state.values:
        show()
        show(("variables and ports", "bold"))
        for line in value_rows(state, "*"):
            show(*line)


def _show_tree(
    show: Printer, state: RunState, whole: bool, clear: bool, t: float | None = None
) -> None:
    if clear:
        show.out.write(CLEAR)
    show((title_line(state, t), "bold"))
    for line in tree_snapshot(state, whole):
        show(*line)


def _show_end(show: Printer, state: RunState, ended: str) -> None:
    if state.ended is not None:
        how = "as expected" if state.ended.ok else "not as expected"
        ended = f"ended: {state.ended.reason}, {how}"
    show((f"{state.t:7.1f}  ", "dim"), (f"{ended}, {state.tick} ticks, {clock(state.t)}", "bold"))
