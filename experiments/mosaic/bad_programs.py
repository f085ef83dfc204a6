"""Programs that a model writes and that are no good, and what comes of them.

R2 is told to get the salt, and a scripted model answers every request for its program alike. A bad
program is handled if it is refused and the task's own steps are done instead, or if it fails and
people are told of it. It is not handled if the subtask counts as done and its goal does not hold,
or something else was moved, or if nothing comes of it for as long as the subtask may take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from experiments.mosaic.readings import home_of
from treec.ask.transport import ScriptedTransport
from treec.files.library import Library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal, events
from treec.world.spec import RunSpec

ORDER, SUBTASK, THING, PLACE = "R2, get the salt", "get the salt", "salt", "table"
NODE, LONGEST = "Subtask_To_Skills", 240.0
GOOD = "pick('salt')\ngo_to('table')\nplace('salt', 'table')\n"
PROGRAMS: Mapping[str, str] = {
    "does nothing": "turn = 1\n",
    "is empty": "",
    "only drives about": "go_to('pantry')\ngo_to('table')\n",
    "puts it somewhere else": "pick('salt')\ngo_to('fridge')\nplace('salt', 'fridge')\n",
    "fetches something else": "pick('pepper')\ngo_to('table')\nplace('pepper', 'table')\n",
    "does half of it": "pick('salt')\n",
    "undoes it again": GOOD + "pick('salt')\ngo_to('pantry')\nplace('salt', 'pantry')\n",
    "takes another robot's skill": "stir('bowl', 'ladle')\n",
    "names a thing that is not there": "pick('slat')\ngo_to('table')\nplace('slat', 'table')\n",
    "loops for long": "for turn in range(3):\n    for go in range(3):\n        go_to('pantry')\n"
    "        go_to('table')\n        go_to('fridge')\n",
    "loops for ever": "while True:\n    go_to('table')\n",
    "crashes": "pick('salt' +)\n",
    "divides by nothing": "turn = 1 / 0\npick('salt')\n",
    "imports what is forbidden": "import os\nos.system('reboot')\n",
    "reads another's attributes": "agent.__class__.__bases__\npick('salt')\n",
    "does not what can be done": "place('salt', 'table')\npick('salt')\n",
    "says in words that it is done": "I have fetched the salt.\n",
    "does it, and moves something else": GOOD
    + "pick('pepper')\ngo_to('fridge')\nplace('pepper', 'fridge')\n",
}
"""What a program does → it."""


@dataclass(frozen=True)
class ProgramTrial:
    """What came of a program: who wrote what was done, how the subtask ended, what was said."""

    about: str
    by: str
    status: str
    holds: bool
    moved: tuple[str, ...]
    """Other things that are not where they were."""
    told: tuple[str, ...]

    @property
    def handled(self) -> bool:
        """Whether it was refused, or failed by name."""
        if self.status == "done":
            return self.holds and not self.moved
        return self.status == "failed" and any(SUBTASK in text for text in self.told)

    def __str__(self) -> str:
        where = f"; moved: {', '.join(self.moved)}" if self.moved else ""
        return f"{self.about}: {self.status} (by {self.by}){where}; {' '.join(self.told[-2:])!r}"


def try_programs(
    library: Library, programs: Mapping[str, str] = PROGRAMS
) -> Iterator[ProgramTrial]:
    """Let a model write each program. Raises NotFound."""
    view = home_of(library, "mosaic")
    for about, text in programs.items():
        yield _try(view, about, text)


def _try(view: View, about: str, text: str) -> ProgramTrial:
    clock, journal = VirtualClock(), Journal.in_memory()
    answers = {NODE: [{"reasoning": "", "program": text}] * 9}
    transport = ScriptedTransport(answers, clock=clock)
    run = Run(view, clock, journal, RunSpec(chat=True), transport=transport)
    places = {thing: _place(run, thing) for thing in view.objects}
    run.say(ORDER)
    run.loop.run(deadline=clock.now() + LONGEST)
    happened = [event for record in journal.records for event in events(record)]
    by = [str(e.data["by"]) for e in happened if e.kind == "programmed"]
    said = (line.text for line in run.team.chat if line.who == "assistant")
    moved = (t for t, place in places.items() if t != THING and _place(run, t) != place)
    found = next((s for s in run.team.subtasks if s.words == SUBTASK), None)
    status = found.status if found is not None else "never begun"
    holds = _place(run, THING) == PLACE
    return ProgramTrial(about, by[-1] if by else "nobody", status, holds, tuple(moved), tuple(said))


def _place(run: Run, thing: str) -> str:
    return str(run.team.fact("at", (thing,)))
