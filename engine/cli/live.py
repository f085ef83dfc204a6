"""Showing a run: lines as they happen, or (on a terminal) the talk beside tree, queues, recipe."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from engine.run.summary import Summary
from engine.world.journal import Record, events

if TYPE_CHECKING:
    from engine.run.run import Outcome, Run


class PlainShow:
    """One line for everything worth knowing."""

    live = False

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.totals = Summary()

    def pause(self, seconds: float) -> None:
        """Let people watch."""
        time.sleep(seconds)

    def run(self, run: Run) -> Outcome:
        """Let the run happen and print it."""
        for record in run.journal.records if hasattr(run.journal, "_never") else ():
            self.totals.add(record)
        run.world.subscribe(self._told)
        return run.go()

    def _told(self, record: Record) -> None:
        self.totals.add(record)
        for event in events(record):
            line = line_of(event)
            if line:
                print(f"{record.t:7.1f}  {line}", file=self.out, flush=True)

    def summary(self, run: Run, outcome: Outcome, folder: Path) -> None:
        """Print what it came to."""
        print_summary(self.out, self.totals, outcome, folder)


def line_of(event: Record) -> str | None:
    """An event in words, if people want to know of it."""
    data = event.data
    match event.kind:
        case "said":
            return f"{data['who']}: {data['text']}"
        case "assigned":
            return f"→ {data['agent']} has {', '.join(map(str, data['subtasks']))}"  # type: ignore[arg-type]
        case "subtask.started":
            return f"▸ {data['agent']} begins {data['subtask']}"
        case "subtask.done":
            return f"✓ {data['subtask']} is done"
        case "subtask.failed":
            return f"✗ {data['subtask']}: {data['reason']}"
        case "subtask.dropped":
            return f"– dropped: {', '.join(map(str, data['subtasks']))}"  # type: ignore[arg-type]
        case "agent.interrupted":
            return f"■ {data['agent']} is stopped"
        case "agent.resumed":
            return f"▸ {data['agent']} goes on"
        case "refused" | "node.failed":
            return f"! {data['node']}: {data['reason']}"
        case "node.raised":
            return f"! {data.get('path')}: {data.get('error')}"
    return None


def print_summary(out: TextIO, totals: Summary, outcome: Outcome, folder: Path) -> None:
    """The end of a run in a few lines."""
    ends = {
        "done": "finished",
        "idle": "nothing more can happen",
        "deadline": "time is over",
        "stopped": "stopped",
    }
    print(file=out)
    told = "as expected" if outcome.ok else "NOT as expected"
    print(f"{ends[outcome.reason]} after {outcome.seconds:.1f} s, {told}", file=out)
    by: dict[str, list[str]] = {}
    for subtask, agent in totals.done:
        by.setdefault(agent, []).append(subtask)
    for agent, subtasks in sorted(by.items()):
        print(f"  {agent} did {', '.join(subtasks)}", file=out)
    for subtask, reason in totals.failed:
        print(f"  failed once: {subtask} ({reason})", file=out)
    for broken in totals.broken:
        print(f"  broken: {broken}", file=out)
    for error in totals.errors:
        print(f"  ! {error}", file=out)
    decided = ", ".join(f"{n} {by_}" for by_, n in sorted(totals.decisions.items()))
    print(f"  {totals.skills} skills; decisions: {decided}; no model was asked", file=out)
    print(f"run: {folder}", file=out)


def make_show(out: TextIO, *, live: bool, chat: bool) -> PlainShow:
    """What shows a run on this output."""
    del live, chat
    return PlainShow(out)
