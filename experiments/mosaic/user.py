"""The simulated user: observes a run and posts utterances into its inbox.

It sees what the web interface of MOSAIC's appendix G shows (chat, proposals, queues, finished
subtasks) and changes nothing else. It says one line at a time, waits for the reply, takes a random
time for its own subtasks, and follows its plan of non-nominal interactions.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from experiments.mosaic import phrases
from experiments.mosaic.intents import Intent, IntentLog
from experiments.mosaic.kitchen import Kitchen
from experiments.mosaic.plan import Interaction, TrialPlan
from experiments.mosaic.wording import IntentPhraser
from treec.run.run import Run
from treec.run.users import SOURCE
from treec.team.entities import Proposal, Subtask
from treec.team.state import FINISHED

PATIENCE = 15.0
"""Seconds that the user waits for a reply before speaking again."""

SILENCE = 20.0
"""Seconds of inactivity after which the user asks what is next."""

NUDGES = 6
"""Maximum number of such questions; then the user gives up."""

CHOICES = 4
"""Maximum number of times the user names their recipe; then they give up."""

AT_WORK, PAUSE = 2.0, (4.0, 12.0)
"""Seconds for which a robot is at work before the user stops it, and for which it then stands."""

LINES = 150
"""Maximum number of utterances; a longer conversation is an endless loop."""


@dataclass
class SimulatedUser:
    """Follows ``plan`` in ``run``; the run calls :meth:`look` after each tick."""

    run: Run
    plan: TrialPlan
    kitchen: Kitchen
    rng: random.Random
    log: IntentLog
    ended: str = ""
    """Why the user left: 'finished', or what they gave up on."""
    _waiting: list[Interaction] = field(default_factory=list)
    _opening: list[Interaction] = field(default_factory=list)
    _last: Interaction | None = None
    _speaking: bool = False
    _timers: set[float] = field(default_factory=set)
    _since: dict[str, float] = field(default_factory=dict)
    _takes: dict[str, float] = field(default_factory=dict)
    _nudges: int = 0
    _choices: int = 0
    _quiet: float = 0.0
    _settle: str = ""
    _stopped: Interaction | None = None
    _stands_until: float = 0.0

    def __post_init__(self) -> None:
        self.wording = IntentPhraser(self.kitchen, self.rng)
        # Vague wishes (A) after unknown dishes (B): a planner may set the only recipe that fits.
        opening = [i for i in self.plan.interactions if i.mode in "AB"]
        self._opening = sorted(opening, key=lambda i: i.mode, reverse=True)
        self._waiting = [i for i in self.plan.interactions if i.mode in "CDE"]
        self.team = self.run.team

    @property
    def now(self) -> float:
        """The current simulated time in seconds."""
        return self.run.clock.now()

    def look(self) -> None:
        """Observe the run and schedule an utterance if there is something to say."""
        if self._speaking or self.ended:
            return
        if self._busy():
            self._quiet = self.now
        if self.now < (until := self._listening_until()):
            self._wake_at(until)
            return
        if self._line(draw=False) is None:
            return
        self._speaking = True
        self.run.clock.call_at(self.now + round(self.rng.uniform(1.0, 4.0), 1), self._speak)

    def _speak(self) -> None:
        """Say what the current state calls for, if it still calls for anything."""
        self._speaking = False
        line = self._line(draw=True)
        if isinstance(line, Intent):
            self._quiet = self.now
            self.log.add(line)
            self.run.inbox.post(SOURCE, line.text)
        else:
            self.run.inbox.wake()

    def _leave(self, why: str) -> None:
        self.ended = why
        self.run.loop.stop()

    def _wake_at(self, when: float) -> None:
        if when not in self._timers:
            self._timers.add(when)
            self.run.clock.call_at(when, self.run.inbox.wake)

    def _listening_until(self) -> float:
        """Return the time until which the user waits for a reply."""
        chat = self.team.chat
        if not chat or chat[-1].who != self.kitchen.user:
            return 0.0
        return chat[-1].t + PATIENCE

    def _line(self, draw: bool) -> Intent | bool | None:
        """Return what to say now; without ``draw`` only whether there is anything (True or None).

        Random numbers are drawn only when speaking, so they do not depend on the number of ticks.
        """
        if len(self.log.said) >= LINES:
            self._leave("gave up: the conversation does not end")
            return None
        recipe = self.team.world.state["recipe"]
        if recipe != self.plan.recipe:
            return self._about_recipe(str(recipe), draw)
        if self._stopped is not None:
            return self._go_on(draw)
        if (stop := self._interruption()) is not None:
            return self._stop(stop) if draw else True
        if (refusal := self._disagreement()) is not None:
            return self._refuse(*refusal) if draw else True
        if self._settle:
            return self._give_in(draw)
        if (extra := self._extra()) is not None:
            if draw:
                self._waiting.remove(extra)
            return self.wording.extra(extra) if draw else True
        mine, offered = self._own_part(), list(self.team.now.open)
        if mine is not None:
            return self._report(mine, offered) if draw else True
        if offered:
            return self.wording.accept(offered) if draw else True
        return self._idle(draw)

    def _about_recipe(self, recipe: str, draw: bool) -> Intent | bool | None:
        if recipe and not draw and self._choices >= CHOICES:
            self._leave("gave up: another recipe was set")
            return None
        if self._choices >= CHOICES and not self._opening:
            self._leave("gave up: the recipe was not set")
            return None
        if not draw:
            return True
        if recipe:
            self._choices += 1
            self._opening.clear()
            return self.wording.choose(self.plan.recipe, phrases.WRONG_RECIPE)
        if self._opening:
            self._last = self._opening.pop(0)
            return self.wording.open(self._last)
        self._choices += 1
        if self._last is not None and self._choices == 1:
            return self.wording.take(self.plan.recipe, self._mentioned_recipes(), self._last)
        return self.wording.choose(self.plan.recipe)

    def _mentioned_recipes(self) -> list[str]:
        """Return the recipes that the assistant named since the user last spoke, in order."""
        text = ""
        for utterance in reversed(self.team.chat):
            if utterance.who == self.kitchen.user:
                break
            text = f"{utterance.text} {text}"
        places = {name: text.lower().find(name.lower()) for name in self.kitchen.recipes}
        return sorted((n for n, at in places.items() if at >= 0), key=lambda n: places[n])

    def _disagreement(self) -> tuple[Proposal, Interaction] | None:
        for proposal in self.team.now.open:
            for interaction in self._waiting:
                is_planned = interaction.mode == "C" and interaction.subtask == proposal.subtask.id
                if is_planned and not proposal.drop and interaction.agent != proposal.agent.name:
                    return proposal, interaction
        return None

    def _refuse(self, proposal: Proposal, interaction: Interaction) -> Intent:
        self._waiting.remove(interaction)
        alone = len(self.team.now.open) == 1
        if not self.kitchen.team[str(interaction.agent)].able(proposal.subtask.task):
            self._settle = proposal.subtask.id
        return self.wording.refuse(proposal, interaction, alone)

    def _give_in(self, draw: bool) -> Intent | bool | None:
        """After an impossible wish, ask an able agent to do the subtask if it is still open."""
        subtask = self.team.now.subtasks.get(self._settle)
        proposed = any(p.subtask.id == self._settle for p in self.team.now.open)
        if subtask is None or not subtask.ready or proposed:
            self._settle = ""
            return self._line(draw)
        if not draw:
            return True
        self._settle = ""
        alone = not self.team.now.open
        return self.wording.settle(subtask, self.kitchen.able(subtask.task)[0], alone)

    def _interruption(self) -> Interaction | None:
        """Return an interruption if its robot has been at work for a while."""
        for interaction in self._waiting:
            agent = self.team.now.agents.get(str(interaction.agent))
            if interaction.mode != "E" or agent is None or agent.current is None:
                continue
            key = f"{agent.name} {agent.current.id}"
            since = self._since.setdefault(key, self.now)
            if self._finished() >= interaction.after and self.now >= since + AT_WORK:
                return interaction
            self._wake_at(since + AT_WORK)
        return None

    def _stop(self, interaction: Interaction) -> Intent:
        self._waiting.remove(interaction)
        self._stopped = interaction
        self._stands_until = self.now + round(self.rng.uniform(*PAUSE), 1)
        busy = [agent for agent in self.team.agents if agent.current is not None]
        return self.wording.interrupt(interaction, alone=len(busy) == 1)

    def _go_on(self, draw: bool) -> Intent | bool | None:
        """Let the robot go on after a while."""
        assert self._stopped is not None
        if self.now < self._stands_until:
            self._wake_at(self._stands_until)
            return None
        stand = [agent.name for agent in self.team.agents if agent.status == "Interrupted"]
        if not stand:  # nobody has stopped
            self._stopped = None
            return self._line(draw)
        if not draw:
            return True
        interaction, self._stopped = self._stopped, None
        return self.wording.go_on(interaction, alone=stand == [interaction.agent])

    def _finished(self) -> int:
        return sum(1 for s in self.team.subtasks if s.status == "done")

    def _extra(self) -> Interaction | None:
        finished = self._finished()
        for interaction in self._waiting:
            if interaction.mode == "D" and interaction.words and finished >= interaction.after:
                return interaction
        return None

    def _own_part(self) -> Subtask | None:
        """Return the user's own subtask if they have had the time to do it."""
        subtasks = self.team.now.subtasks
        own = self.team.now.agents[self.kitchen.user].queue
        for subtask in own:
            if any(o in subtasks and subtasks[o].status != "done" for o in subtask.after):
                continue
            since = self._since.setdefault(subtask.id, self.now)
            if subtask.id not in self._takes:
                rng = random.Random(f"{self.log.head['seed']} {subtask.id}")
                self._takes[subtask.id] = float(rng.randint(8, 25))
            if self.now >= since + self._takes[subtask.id]:
                return subtask
            self._wake_at(since + self._takes[subtask.id])
            return None
        return None

    def _report(self, mine: Subtask, offered: list[Proposal]) -> Intent:
        alone = len(self.team.now.agents[self.kitchen.user].queue) == 1
        report = self.wording.done(mine, alone)
        if offered and self.rng.random() < 0.15:
            return self.wording.both(report, self.wording.accept(offered))
        return report

    def _busy(self) -> bool:
        """Whether an agent is working or a proposal is open."""
        return any(a.current is not None for a in self.team.agents) or bool(self.team.now.open)

    def _idle(self, draw: bool) -> Intent | bool | None:
        """Nothing to answer: wait, leave if everything is done, or ask what is next."""
        left = [s for s in self.team.subtasks if s.status not in FINISHED]
        if self._busy():
            return None
        if self.now < self._quiet + SILENCE:
            self._wake_at(self._quiet + SILENCE)
            return None
        if not left:
            self._leave("finished")
            return None
        if self._nudges >= NUDGES:
            self._leave(f"gave up: no progress, {len(left)} subtasks left")
            return None
        if not draw:
            return True
        self._nudges += 1
        ready = [s for s in left if s.ready]
        if self._nudges % 2 or not ready:
            return self.wording.nudge()
        return self.wording.settle(ready[0], self.kitchen.able(ready[0].task)[0], alone=True)
