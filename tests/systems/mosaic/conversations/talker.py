"""A person who says anything at any moment, and in the end lets everything be done."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from treec.run.run import Run

ROBOTS = ("R1", "R2", "the arm")
THINGS = (
    *("pepper", "ranch sauce", "lettuce", "tomatoes", "stock", "cream", "onions", "yoghurt"),
    *("bananas", "salt", "bowl", "pot", "ladle", "pantry", "unicorn", "the table"),
)
VERBS = (
    *("get the {x}", "put the {x} away", "pour the {x} into the {y}", "add {x} to {y}"),
    *("stir the {x}", "hand me the {x}", "chop the {x}", "slice the {x}", "prepare the {x}"),
    *("stir the {x} again", "paint the {x}", "put {x} into {y}"),
)
RECIPES = ("a Caesar salad", "fruit salad", "the tomato soup", "lasagne")
PLAIN = (
    *("Yes.", "Yes please.", "No.", "Not yet.", "Stop!", "Stop everything.", "R1, stop!"),
    *("R2, stop!", "Go on.", "OK, go on.", "R1, go on.", "R2, go on.", "I'm done.", "Done!"),
    *("What is left to do?", "Thank you!", "Hello", "hmm", "...", "?!", "  ", "\u200b", "🥗🥗"),
    *("No to the pepper, yes to the rest.", "Yes, but R2 should wait.", "Never mind."),
    *("The salad is lovely, isn't it", "do it", "No, I do that.", "I can do that.", "Both."),
    *("x" * 2500, "get " * 400, "get the " + "very " * 300 + "pepper", "و الطماطم؟", "{{ 1/0 }}"),
    *("[bold]stop[/bold]", "stop stop stop", "Don't stop.", "Why did R1 stop?", "and and and , ,"),
    *("Yes, no, yes.", "R2: get pepper. R1: get pepper. Stop. Go on. Done.", "a\x00b", "\ud83e"),
)
PATIENCE = 1500.0
"""Simulated seconds within which a willing user brings everything to its end."""


@dataclass
class Talker:
    """Speaks on the run's clock: ``lines`` wild ones, then yes to everything."""

    run: Run
    rng: random.Random
    lines: int
    finished: bool = False
    heard: list[str] = field(default_factory=list)
    nudges: int = 0
    _idle: int = 0
    _until: float = 0.0

    def begin(self) -> None:
        """Say the first line soon."""
        self._later(self._wild)

    def _later(self, what: Callable[[], None], wait: float | None = None) -> None:
        if wait is None:
            wait = self.rng.choice((0, 0, 0.5, 1, 2, 3, 5, 7.3, 9, 15, 31))
        self.run.clock.call_at(self.run.clock.now() + wait, what)

    def _say(self, text: str) -> None:
        self.heard.append(text)
        self.run.say(text)

    def _wild(self) -> None:
        if self.lines <= 0:
            self._until = self.run.clock.now() + PATIENCE
            self._later(self._willing, 1)
            return
        self.lines -= 1
        text = self._line()
        self._say(text)
        if self.rng.random() < 0.1:
            self._say(text)
        self._later(self._wild)

    def _line(self) -> str:
        rng = self.rng
        team = self.run.team
        works = [s.words for s in team.subtasks] or ["get the pepper"]
        verb = rng.choice(VERBS).format(x=rng.choice(THINGS), y=rng.choice(("bowl", "pot", "salt")))
        work = rng.choice((verb, verb, rng.choice(works)))
        who, thing = rng.choice(ROBOTS), rng.choice(THINGS)
        kinds = (
            rng.choice(PLAIN),
            rng.choice(PLAIN),
            f"{work}, please.",
            f"{who} should {work}.",
            f"{who}, {work} first!",
            f"I will {work}.",
            f"I have done {work}. ",
            f"The {thing} is ready.",
            f"Let's make {rng.choice(RECIPES)}.",
            f"Yes, {who} can do that.",
            f"No, not the {thing}.",
            f"Not yet: {who} should {work} first",
            f"Yes, and then {work}, and {who} should {verb}",
            "Yes please.",
        )
        line = rng.choice(kinds)
        if rng.random() < 0.15:
            line = f"{line} {rng.choice(kinds)}"
        return line

    def _willing(self) -> None:
        """Agree to all, report the own part, wake up who was stopped; in the end there is none."""
        team = self.run.team
        left = [s for s in team.subtasks if s.status not in ("done", "dropped")]
        stopped = [a.name for a in team.agents if a.status == "Interrupted"]
        mine = next((a.current for a in team.agents if a.person and a.current), None)
        busy = any(a.current for a in team.agents if not a.person)
        self._idle = 0 if busy else self._idle + 1
        if self.run.clock.now() > self._until:
            raise AssertionError(f"there is no end: {[(s.id, s.status, s.agent) for s in left]}")
        if stopped:
            self._say("Go on.")
        elif team.now.open:
            self._say("Yes please.")
        elif mine is not None:
            self._say(f"{mine.words} is done.")
        elif not self.run.world.state["recipe"]:
            self._say("Let's make a fruit salad.")
        elif not left:
            self.finished = True
            return
        elif self._idle > 10:
            self._idle = 0
            self.nudges += 1
            self._say(f"{self.rng.choice(left).words}, please.")
        self._later(self._willing, 3)
