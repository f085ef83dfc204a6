"""Attribute each failure of a trial to the module that caused it, by rules over its journal.

Pure functions of the events and of what the judge of the planner found; no physics, no models. A
failure is ``mended`` if its subtask was done by a robot after all, at another attempt.

- perception: a look that found nothing, or a place more than 30 mm off, and that no later look of
  the same attempt made up for; what failed because of it.
- skill: slipped, dropped, knocked over, spilled, not reached, blocked, out of time.
- forecasting: waited for nobody; what was handed over was not taken; a person was touched by the
  robot's own motion.
- planner: a promise or a contract broken, an interaction handled wrongly, a subtask that the world
  does not allow, an order lost.
- speech: words that had not the effect that they could have had, and what is wrong because of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from experiments.mosaic.judge import Ledger, Story, Verdict
from experiments.mosaic.judge.story import StoryEvent

PERCEPTION, SKILL, FORECASTING, PLANNER, SPEECH, ENGINE = (
    "perception",
    "skill",
    "forecasting",
    "planner",
    "speech",
    "engine",
)
MODULES = (PERCEPTION, SKILL, FORECASTING, PLANNER, SPEECH, ENGINE)

FAR_OFF = 0.03
"""Error (m) of a look above which it is a failure of perception."""

NOT_SEEN = ("not seen", "not found", "in doubt")
"""Names of failures of a skill whose look failed."""

MISUNDERSTOOD = "misunderstood"
"""Kind of the failures of words that were said once more."""

GOES_BY_A_PLACE = ("pick", "place", "pour", "stack", "spread")
"""Skills that may fail since a look was wrong."""

GIVES = ("hand_over", "get_obj_from_user")
"""Skills that wait for a person's hand."""


@dataclass(frozen=True)
class AttributedFailure:
    """A failure, and the module that caused it. ``t`` is in seconds, ``subtask`` may be empty."""

    module: str
    kind: str
    t: float
    what: str
    subtask: str = ""
    mended: bool = False


@dataclass
class _Look:
    t: float
    thing: str
    error: float | None
    why: str

    @property
    def kind(self) -> str:
        """What is wrong with it; empty if nothing is."""
        if self.why:
            return "not found"
        far = self.error is not None and self.error > FAR_OFF
        return f"more than {1000 * FAR_OFF:.0f} mm off" if far else ""

    @property
    def what(self) -> str:
        """The same with its figures."""
        if self.why or self.error is None:
            return f"{self.thing}: {self.why}"
        return f"{self.thing}: {1000 * self.error:.0f} mm off"


@dataclass
class _Attempts:
    """What is under way, by agent."""

    looks: dict[str, _Look] = field(default_factory=dict)
    makes_room: set[str] = field(default_factory=set)
    """Agents that have made room for a person and not gone on yet."""
    forecast: set[str] = field(default_factory=set)
    """Agents whose skill goes by a forecast."""
    failed: dict[str, float] = field(default_factory=dict)
    """When (s) a skill of an agent last failed."""


def attribute(story: Story, verdict: Verdict, ended: str = "finished") -> list[AttributedFailure]:
    """Return the failures of a trial in order of time; ``ended`` says how the user left it.

    A trial that was not finished for no other reason has lost an order: that is the planner's.
    """
    ledger = Ledger()
    found = [*_physical(story, ledger), *_of_talk(story, verdict)]
    done = {id for id, work in ledger.subtasks.items() if _by_robot(story, work.by, work.status)}
    cooked = ended == "finished"
    failures = [_settled(one, done, cooked) for one in found]
    end = story.events[-1].t if story.events else 0.0
    if ended.startswith("broke off") or "Error" in ended.partition(":")[0]:
        failures.append(AttributedFailure(ENGINE, "crashed", end, ended))
    elif not cooked and all(one.mended for one in failures):
        failures.append(AttributedFailure(PLANNER, "order lost", end, ended))
    return sorted(failures, key=lambda one: one.t)


def _settled(one: AttributedFailure, done: set[str], cooked: bool) -> AttributedFailure:
    """Say whether a failure was made up for."""
    if one.kind == MISUNDERSTOOD:
        return replace(one, mended=cooked)
    return replace(one, mended=one.mended or one.subtask in done)


def _by_robot(story: Story, agent: str | None, status: str) -> bool:
    return status == "done" and agent is not None and not story.is_person(agent)


def _of_talk(story: Story, verdict: Verdict) -> Iterator[AttributedFailure]:
    """What the judge found; what is wrong with misunderstood words is not the planner's fault."""
    misunderstood = {one.t: one.what for one in verdict.misunderstood}
    quotes = [one.what.partition("”")[0] for one in verdict.misunderstood]
    for broken in verdict.violations:
        module = SPEECH if broken.t in misunderstood else PLANNER
        yield AttributedFailure(module, broken.promise, broken.t, broken.what)
    for one in verdict.passed:
        if one.reached and not one.passed:
            module = SPEECH if one.why.startswith(tuple(quotes)) else PLANNER
            at = story.of(one.id)[0].t
            yield AttributedFailure(module, f"interaction {one.mode}", at, one.why)
    for broken in verdict.misunderstood:
        yield AttributedFailure(SPEECH, MISUNDERSTOOD, broken.t, broken.what)


def _physical(story: Story, ledger: Ledger) -> Iterator[AttributedFailure]:
    """What robots did, and what broke; the ledger is brought to the end on the way."""
    now = _Attempts()
    for event in story.events:
        data = event.data
        match event.kind:
            case "need.answered":
                _note_need(now, event)
            case "skill.noted":
                yield from _noted(story, ledger, now, event)
            case "skill.ended":
                yield from _ended(ledger, now, event)
            case "subtask.failed":
                yield from _failed(now, event)
            case "contract.broken" | "skill.forbidden":
                what = f"{data['contract']}: {data.get('item') or data.get('reason', '')}"
                yield AttributedFailure(PLANNER, "contract broken", event.t, what)
            case "environment.lost":
                yield AttributedFailure(ENGINE, "environment lost", event.t, str(data["reason"]))
        ledger.apply(event)


def _note_need(now: _Attempts, event: StoryEvent) -> None:
    data = event.data
    agent, record = str(data["agent"]), event.record
    if data["provider"] == "localize":
        error = record.get("error")
        why = "" if data.get("value") is not None else str(data.get("why") or "not seen")
        now.looks[agent] = _Look(event.t, str(data["args"]["thing"]), error, why)
    elif data["provider"] == "forecast":
        now.forecast.add(agent)


def _noted(
    story: Story, ledger: Ledger, now: _Attempts, event: StoryEvent
) -> Iterator[AttributedFailure]:
    record = event.record
    agent = _agent_of(story, str(event.data["order"]))
    touch = record.get("touch")
    if touch is not None and touch["own"]:
        what = f"{touch['person']}: {touch['link']}"
        yield AttributedFailure(FORECASTING, "touched", event.t, what)
    if record.get("reacts"):
        now.makes_room.add(agent)
    if record.get("resumes"):
        now.makes_room.discard(agent)


def _ended(ledger: Ledger, now: _Attempts, event: StoryEvent) -> Iterator[AttributedFailure]:
    data = event.data
    agent, skill = str(data["agent"]), str(data["skill"])
    if data.get("asked_again"):
        return  # looks once more from elsewhere
    look = now.looks.pop(agent, None) if skill in GOES_BY_A_PLACE else None
    stays, forecast = agent in now.makes_room, agent in now.forecast
    now.makes_room.discard(agent)
    now.forecast.discard(agent)
    subtask = ledger.current.get(agent, "")
    if data["ok"] or data.get("cancelled"):
        if look is not None and look.kind:  # it came off all the same, or was stopped
            yield AttributedFailure(PERCEPTION, look.kind, look.t, look.what, subtask, mended=True)
        return
    now.failed[agent] = event.t
    reason = str(data.get("reason") or "failed")
    thing = ", ".join(str(value) for name, value in data["args"].items() if name != "agent")
    what = f"{agent}: {skill}({thing}): {reason}"
    module, kind = _cause(skill, reason, look, stays=stays, forecast=forecast)
    yield AttributedFailure(module, kind, event.t, what, subtask)


def _failed(now: _Attempts, event: StoryEvent) -> Iterator[AttributedFailure]:
    """A subtask that failed before a skill of it began: a thing lies elsewhere, for instance."""
    data = event.data
    agent, reason = str(data["agent"]), str(data["reason"])
    if now.failed.get(agent) == event.t:
        return  # a skill of it did, and was told
    module, kind = _cause("", f"{reason.partition('): ')[2] or reason}; {data.get('told')}", None)
    yield AttributedFailure(module, kind, event.t, f"{agent}: {reason}", str(data["subtask"]))


def _cause(
    skill: str,
    reason: str,
    look: _Look | None,
    *,
    stays: bool = False,
    forecast: bool = False,
) -> tuple[str, str]:
    """The module and the kind of a skill's failure."""
    name = reason.partition(":")[0].strip()
    late = name.startswith("timed out")
    if look is not None and look.kind:
        return PERCEPTION, look.kind
    if name.startswith(NOT_SEEN):
        return PERCEPTION, "not found"
    if name == "not taken" or (late and skill in GIVES):
        return FORECASTING, "not taken"
    if late and (stays or forecast):
        return FORECASTING, "waited for nobody"
    if " cannot be forecast" in reason:
        return FORECASTING, "no forecast"
    if late:
        return SKILL, "out of time"
    if name.startswith("the contract"):
        return PLANNER, "contract broken"
    if name.startswith("the environment") or reason.startswith("lost when"):
        return ENGINE, "environment lost"
    if "does not hold" in name:
        reach = any(it in reason for it in ("reach", "lies on the floor"))
        return (SKILL, "not reached") if reach else (PLANNER, "wrong subtask")
    return SKILL, name


def _agent_of(story: Story, order: str) -> str:
    """The agent of an order, by its id."""
    started = (e for e in story.events if e.kind == "skill.started" and e.data["id"] == order)
    return next((str(e.data["agent"]) for e in started), "")


def count(failures: Sequence[AttributedFailure], *, mended: bool) -> dict[str, int]:
    """Return how many failures each module has, of those that were mended or were not."""
    return {
        module: sum(one.module == module and one.mended == mended for one in failures)
        for module in MODULES
    }
