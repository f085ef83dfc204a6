"""Dialogues in a file: what a person says to a system, and what they are told.

A dialogue begins with a title, `# A wish for tonight`. A line `> words` is said by the person,
`. 20` lets seconds pass, `! fail pick(item=pepper)` plans a fault; the other lines are what the
assistant says until the next. With `TREEC_REWRITE=1` they are written anew: read the difference as
the person would.
"""

from __future__ import annotations

from pathlib import Path

from tests.support import golden
from treec.files.view import View
from treec.run.run import Run
from treec.team.events import Said
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec

PAUSE = 1.0
"""Seconds of run time for an answer; a person who waits for more says so."""


def check(file: Path, view: View) -> None:
    """Play the dialogues of a file, and compare what is said."""
    dialogues = file.read_text("utf-8").split("\n\n")
    golden.check(file, "\n\n".join(play(text.splitlines(), view) for text in dialogues) + "\n")


def play(lines: list[str], view: View) -> str:
    """A dialogue's own lines, each with what is said to it."""
    own = [line for line in lines if line[:2] in ("# ", "> ", ". ", "! ")]
    faults = tuple(line[2:] for line in own if line.startswith("! "))
    clock, journal = VirtualClock(), Journal.in_memory()
    run = Run(view, clock, journal, RunSpec(chat=True, faults=faults))
    played, heard = [], 0
    for line in own:
        played.append(line)
        if line.startswith("> "):
            run.say(line[2:])
            _pass(run, clock, PAUSE)
        elif line.startswith(". "):
            _pass(run, clock, float(line[2:]))
        said = [
            event.text
            for record in journal.records
            for event in flat(record.event)
            if isinstance(event, Said) and event.who == "assistant"
        ]
        played += [f"    {' '.join(text.split())}" for text in said[heard:]]
        heard = len(said)
    return "\n".join(played)


def _pass(run: Run, clock: VirtualClock, seconds: float) -> None:
    limit = clock.now() + seconds
    clock.call_at(limit, lambda: None)
    _settle(run)
    while clock.advance(limit):
        _settle(run)


def _settle(run: Run) -> None:
    for _ in range(200):
        if not run.loop.step() and not run.inbox.ready():
            return
    raise AssertionError("the system does not come to rest")
