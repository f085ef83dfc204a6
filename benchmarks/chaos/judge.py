"""Judges a draw: from the rig's log, what was printed, and the journal before and after."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.chaos.cage import Line
from treec.run.folder import JOURNAL
from treec.world.check_sums import read_sums

TOLD, NAMED, ENDED = 0.1, 2.0, 10.0
"""Seconds from a stop until all robots are told, who does not confirm is named, the run ends."""

GOALS = ("lost", "doubled", "not stopped", "not named", "hung", "crashed")
BUG = re.compile(r"Traceback \(most recent call last\)|bug in treec")
ALARM = re.compile(r"did not confirm|has held the loop|is lost|does not")
"""What people are told of code that does not return; what goes to stderr is an alarm, too."""
NAMES = {
    "worker": r"R1\b|short_r1|long_r1|Hauler|rig/\w+\.py:",
    "node": r"\bwatch\b|rig/\w+\.py:",
    "environment": r"'rig'|rig/\w+\.py:|\brig is lost",
}


@dataclass
class Verdict:
    """What went wrong, by goal; ``missed``: the fault never struck."""

    faults: dict[str, list[str]] = field(default_factory=lambda: {goal: [] for goal in GOALS})
    missed: bool = False
    busy: float = 0.0
    """Seconds that the run has waited for a core between the stop and the last robot told."""
    excused: bool = False
    """Whether a robot was told later than it should be by the clock, and not by what it ran."""

    def say(self, goal: str, text: str) -> None:
        """Note a fault."""
        self.faults[goal].append(text)

    @property
    def ok(self) -> bool:
        """Whether nothing went wrong."""
        return not any(self.faults.values())


@dataclass(frozen=True, slots=True)
class Call:
    """A line of the rig's log."""

    at: float
    pid: int
    what: str
    robot: str
    order: str
    item: str


def read_log(log: Path) -> list[Call]:
    """The calls so far; a line that is being written is left out."""
    if not log.is_file():
        return []
    calls = []
    for line in log.read_text("utf-8").splitlines():
        words = line.split(" ", 5)
        if len(words) == 6:
            calls.append(Call(float(words[0]), int(words[1]), *words[2:]))
    return calls


@dataclass(frozen=True)
class Kept:
    """The committed lines of a journal, and what they say."""

    lines: tuple[bytes, ...]

    @classmethod
    def of(cls, folder: Path) -> Kept:
        """Read a run's folder; nothing, where there is no journal."""
        try:
            lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
            sums = [*(read_sums(folder / JOURNAL) or ())]
        except (OSError, ValueError):
            return cls(())
        there = sum(line.endswith(b"\n") for line in lines)
        ends = (n for n, one in enumerate(sums, 1) if not one.more and n <= there)
        return cls(tuple(lines[: max(ends, default=0)]))

    def events(self) -> Iterable[tuple[str, dict[str, object]]]:
        """Kinds and data of all events, those of commits one by one."""
        for line in self.lines:
            record = json.loads(line)
            inner = record["data"].get("events") if record["kind"] == "commit" else None
            for event in inner if isinstance(inner, list) else [record]:
                yield event["kind"], event["data"]

    @property
    def end(self) -> str | None:
        """Why the run ended, if it has."""
        kinds = [data for kind, data in self.events() if kind == "run.end"]
        return str(kinds[-1]["reason"]) if kinds else None

    @property
    def has_failures(self) -> bool:
        """Whether a skill or node failed, and was neither cancelled nor lost."""
        return any(
            kind in ("node.failed", "node.raised", "environment.lost")
            or (
                kind == "skill.ended"
                and not data["ok"]
                and not data.get("cancelled")
                and not data.get("lost")
            )
            for kind, data in self.events()
        )


def judge_records(verdict: Verdict, before: Kept, after: Kept) -> None:
    """Every record that was committed is still there, as it was."""
    same = sum(1 for a, b in zip(before.lines, after.lines, strict=False) if a == b)
    if same < len(before.lines):
        verdict.say("lost", f"record {same + 1} of {len(before.lines)} is gone or another")


def judge_orders(verdict: Verdict, phases: Sequence[list[Call]], kept: Sequence[Kept]) -> None:
    """No order is begun twice, none for an item whose making was committed before."""
    for number, calls in enumerate(phases):
        seen: set[str] = set()
        begun: set[str] = set()
        made: set[str] = set()
        for before in kept[:number]:
            for kind, data in before.events():
                if kind == "skill.started":
                    begun.add(str(data["id"]))
                elif kind == "skill.ended" and data["ok"]:
                    args = data.get("args")
                    if isinstance(args, dict) and "item" in args:
                        made.add(str(args["item"]).replace(" ", "_"))
        for call in calls:
            if call.what != "start":
                continue
            if call.order in seen or call.order in begun:
                verdict.say("doubled", f"order {call.order} ({call.item}) was begun twice")
            if call.item in made:
                verdict.say("doubled", f"{call.item} was made and is begun again ({call.order})")
            seen.add(call.order)


def orders_at(calls: list[Call], at: float) -> dict[str, Call]:
    """The orders in flight at a moment: begun, and neither ended nor cancelled."""
    flying: dict[str, Call] = {}
    for call in calls:
        if call.at > at:
            break
        if call.what == "start":
            flying[call.order] = call
        elif call.what in ("finish", "failed", "told"):
            flying.pop(call.order, None)
    return flying


def judge_stop(verdict: Verdict, calls: list[Call], at: float, exempt: str | None) -> None:
    """Every order in flight was told within the time, and none was begun after it.

    The time is the run's: what it has waited for a core, on a busy machine, does not count.
    """
    for order, begun in orders_at(calls, at).items():
        ends = [c.at for c in calls if c.order == order and c.what in ("told", "finish", "failed")]
        late = min(ends, default=None)
        if late is None:
            if begun.robot != exempt:
                verdict.say("not stopped", f"{begun.robot} ({order}) was never told")
        elif late > at + TOLD and begun.robot != exempt:
            _late(verdict, f"{begun.robot} ({order}) was told", late, at)
    for call in calls:
        if call.what == "start" and call.at > at + TOLD:
            _late(verdict, f"{call.robot} began {call.order}", call.at, at)


def _late(verdict: Verdict, what: str, late: float, at: float) -> None:
    """Something came later than it should have come by the clock."""
    if late > at + TOLD + verdict.busy:
        waited = f", {verdict.busy:.2f} s of it without a core"
        verdict.say("not stopped", f"{what} {late - at:.2f} s after{waited}")
    else:
        verdict.excused = True


def judge_end(verdict: Verdict, calls: list[Call], exempt: str | None) -> None:
    """No order is left in flight by a process that has ended in order."""
    for order, begun in orders_at(calls, float("inf")).items():
        if begun.robot != exempt:
            verdict.say("not stopped", f"{begun.robot} ({order}) was never told before the end")


def judge_names(
    verdict: Verdict, lines: Iterable[Line], what: str, since: float, until: float
) -> None:
    """Whoever hangs is named in time, and is not said to have stopped."""
    named = [
        line.at
        for line in lines
        if line.at >= since
        and (line.stream == "stderr" or ALARM.search(line.text))
        and re.search(NAMES[what], line.text)
    ]
    if not named:
        verdict.say("not named", f"the {what} was never named")
    elif min(named) > until:
        verdict.say("not named", f"the {what} was named {min(named) - until:.1f} s late")
    for line in lines if what == "worker" else ():
        if line.at >= since and re.search(r"\b(R1|Hauler) has stopped", line.text):
            verdict.say("not named", f"was said to have stopped: {line.text.strip()}")


def judge_output(verdict: Verdict, text: str, status: int | None, about: str) -> None:
    """No traceback, no bug of treec."""
    if BUG.search(text) or status == 70 or status in (128 + 11, 128 + 6):
        problem = next((line for line in reversed(text.splitlines()) if line.strip()), "")
        verdict.say("crashed", f"{about}, status {status}: {problem.strip()[:160]}")
