"""What the program of an episode has come to: goal conditions met, recorded changes met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from experiments.helper.carry_out import ProgramResult, TrialSettings, carry_out
from experiments.helper.episodes import ALIASES, FLOOR, Change, Episode
from experiments.helper.goals import Definitions, GoalCondition, GoalError, TaskGoal, check_goal
from experiments.helper.task_parameters import hidden_parameters
from treec.files.view import View
from treec.program.places import StepsError
from treec.program.steps import Literal
from treec_household.state import HouseholdState
from treec_program.statements import Assign, Do, ProgramCall, parse_program, statements

MAX_STEPS = 1_000
"""Primitive actions after which an episode counts as failed, as in TEACh."""
MAX_FAILED = 30
"""Failed calls after which an episode counts as failed, as in TEACh."""
_FACTS = {
    "sliced": "sliced",
    "toggled": "running",
    "dirty": "dirty",
    "open": "opened",
    "cooked": "cooked",
}


@dataclass(frozen=True)
class ChangeResult:
    """A recorded change: whether it was met, or why it is not counted (``apart``)."""

    change: Change
    met: bool
    apart: str = ""


@dataclass(frozen=True)
class EpisodeTrial:
    """One episode under one setting."""

    episode: str
    task_type: str
    settings: TrialSettings
    accepted: bool
    refused: str
    ended: bool
    within: bool
    conditions: tuple[GoalCondition, ...]
    held_before: int
    """How many of the goal conditions held before the program."""
    changes: tuple[ChangeResult, ...]
    causes: tuple[str, ...]
    """Why steps failed, one for each failed step."""
    assertions_failed: int
    steps: int
    failed_calls: int
    walked: float
    claimed: bool = False
    """Whether HELPER called it done."""

    @property
    def done(self) -> bool:
        """Whether every goal condition holds, within TEACh's limits."""
        return self.judged and self.within and all(condition.met for condition in self.conditions)

    @property
    def judged(self) -> bool:
        """Whether the goal of its task is known."""
        return bool(self.conditions)


def try_episode(
    view: View,
    episode: Episode,
    definitions: Definitions,
    settings: TrialSettings,
    program: str | None = None,
) -> EpisodeTrial:
    """Carry out an episode's program, or another one for it, and judge what it comes to."""
    goal = goal_of(episode, definitions)
    outcome = carry_out(view, program or episode.program, settings, held=episode.held)
    return judge(view, episode, goal, settings, outcome)


def goal_of(episode: Episode, definitions: Definitions) -> TaskGoal:
    """The goal of an episode's task; without conditions if no definition tells it."""
    try:
        return _goal(episode, definitions)
    except GoalError:
        return TaskGoal(episode.task_type, (), ())


def why_no_goal(episode: Episode, definitions: Definitions) -> str:
    """Why the goal of an episode's task is not known; empty if it is."""
    try:
        _goal(episode, definitions)
    except GoalError as error:
        return f"episode {episode.id}: {error}"
    return ""


def _goal(episode: Episode, definitions: Definitions) -> TaskGoal:
    if episode.goal is not None:
        return episode.goal
    if episode.task is not None:
        return definitions.named(*episode.task)
    return definitions.goal(episode.task_type, lambda task: hidden_parameters(task, episode))


def judge(
    view: View, episode: Episode, goal: TaskGoal, settings: TrialSettings, outcome: ProgramResult
) -> EpisodeTrial:
    """Judge what the programs of an episode have come to."""
    state = outcome.home.state
    conditions = tuple(check_goal(goal, state))
    trial = made_trial(episode, settings, outcome, conditions)
    return replace(
        trial,
        held_before=sum(one.met for one in check_goal(goal, outcome.before)),
        changes=tuple(judge_changes(view, episode, state)),
        claimed=outcome.claimed,
    )


def made_trial(
    episode: Episode,
    settings: TrialSettings,
    outcome: ProgramResult,
    conditions: tuple[GoalCondition, ...],
) -> EpisodeTrial:
    """What a program has come to, with the conditions that it is judged by."""
    real = [step for step in outcome.lost if not step.assertion]
    return EpisodeTrial(
        episode=episode.id,
        task_type=episode.task_type,
        settings=settings,
        accepted=outcome.accepted,
        refused=outcome.refused,
        ended=outcome.ended,
        within=outcome.steps <= MAX_STEPS and len(real) <= MAX_FAILED,
        conditions=conditions,
        held_before=0,
        changes=(),
        causes=tuple(cause(step.reason) for step in real),
        assertions_failed=len(outcome.lost) - len(real),
        steps=outcome.steps,
        failed_calls=outcome.failed_calls + _unmet(outcome),
        walked=outcome.walked,
    )


def _unmet(outcome: ProgramResult) -> int:
    """Steps that failed before their skill began."""
    return sum("does not hold" in step.reason for step in outcome.lost if not step.assertion)


def cause(reason: str) -> str:
    """The kind of a failure: what the reason says without the names of things."""
    last = reason.rpartition("): ")[2]
    if "does not hold" in last:
        condition = last.partition("'")[2].rpartition("'")[0]
        return _CONDITIONS.get(condition, f"unmet: {condition}")
    if last.startswith("there is no"):
        return "no such thing (yet)"
    return last.partition(":")[0]


_CONDITIONS = {
    "holding(agent) == none": "the hand is full",
    "holding(agent) == item": "not in the hand",
    "in_reach(item)": "too far",
    "in_reach(target)": "too far",
    "in_reach(thing)": "too far",
    "behind(item) == none": "shut away",
    "behind(target) == none": "shut away",
    "behind(thing) == none": "shut away",
    "not encloses(target) or opened(target)": "the target is closed",
    "located(item)": "not found",
    "located(target)": "not found",
    "located(thing)": "not found",
    "room_in(target) > 0": "no room",
    "holding(agent) and cuts(holding(agent))": "no knife in the hand",
    "at(item) != agent": "to be cut, but in the hand",
    "filled(item)": "nothing to pour",
    "not turns_on(thing) or not running(thing)": "running, and so kept shut",
    "not encloses(thing) or not opened(thing)": "open, and so not turned on",
}


def judge_changes(view: View, episode: Episode, state: HouseholdState) -> Iterator[ChangeResult]:
    """Each recorded change: met or not, or apart where the program is not its cause.

    Changes of supports are judged once for each thing, as sets of classes.
    """
    named, placed = named_things(episode.program)
    supports: dict[str, set[str]] = {}
    for change in episode.changes:
        apart = _why_apart(view, change, named, placed)
        if apart:
            yield ChangeResult(change, False, apart)
        elif change.attribute.isdigit():
            after = supports.get(change.thing)
            if after is None:
                after = supports[change.thing] = _supports_after(episode, change.thing)
                yield ChangeResult(change, after == _supports(state, change.thing))
        else:
            yield ChangeResult(change, _is_met(change, state))


def _why_apart(view: View, change: Change, named: frozenset[str], placed: frozenset[str]) -> str:
    if change.attribute == "emptied":
        return "a flag of the recorder"
    if change.thing not in named:
        return "a thing that the program does not name"
    if change.attribute.isdigit() or change.attribute == "supported_by":
        if not view.types.is_a(change.label, "Item") or _holds_nothing(view, change.after):
            return "an entry in a list of contents"
        if change.attribute.isdigit() and change.thing not in placed:
            return "put down anywhere"
        if change.attribute == "supported_by" and change.after is not None:
            return "an entry in a list of contents"
    elif change.attribute not in (*_FACTS, "filled", "fillLiquid", "holding"):
        return "an attribute that is not known"
    return ""


def _holds_nothing(view: View, label: object) -> bool:
    """Whether nothing can be on or in things of a class: a plate is on no bread."""
    kind = ALIASES.get(str(label), str(label))
    return view.types.has(kind) and not view.type_facts(kind).get("room")


def named_things(program: str) -> tuple[frozenset[str], frozenset[str]]:
    """The things that a program names, and those of them that it places somewhere."""
    try:
        parsed = parse_program(program, frozenset({"object_instance"}))
    except StepsError:
        return frozenset(), frozenset()
    names: dict[str, str] = {}
    placed: set[str] = set()
    found: set[str] = set()
    for statement in statements(parsed):
        if isinstance(statement, Assign) and isinstance(statement.value, ProgramCall):
            for keyword in statement.value.kwargs:
                if keyword.name == "object_instance" and isinstance(keyword.value, Literal):
                    names[statement.name] = str(keyword.value.value)
                    found.add(names[statement.name])
        elif isinstance(statement, Do):
            on = statement.call.on
            if on is not None and statement.call.name in ("place", "pickup_and_place"):
                placed.add(names.get(on.name, ""))
    return frozenset(found), frozenset(placed)


def _supports_after(episode: Episode, thing: str) -> set[str]:
    own = episode.scene.get(thing, {}).get("supported_by")
    after = dict(enumerate(own if isinstance(own, list) else ()))
    for change in episode.changes:
        if change.thing == thing and change.attribute.isdigit():
            after[int(change.attribute)] = change.after
    return {ALIASES.get(str(c), str(c)) for c in after.values() if c not in (None, FLOOR)}


def _supports(state: HouseholdState, thing: str) -> set[str]:
    above = list(state.chain(thing))[1:]
    return {state.kinds[name] for name in above if name in state.kinds} - {FLOOR}


def _is_met(change: Change, state: HouseholdState) -> bool:
    thing, after = change.thing, change.after
    match change.attribute:
        case "supported_by":
            return not state.exists(thing) or state.held == thing
        case "filled":
            return bool(state.get("filled", thing)) == bool(after)
        case "fillLiquid":
            return state.get("filled", thing) == after
        case "holding":
            return (state.held == thing) == bool(after)
    return bool(state.get(_FACTS[change.attribute], thing)) == bool(after)


def _short(about: str) -> str:
    """What a condition is about, without the tasks that its components belong to."""
    return " in ".join(part.rpartition("/")[2] for part in about.split(" in "))


def _attribute(change: Change) -> str:
    """The attribute of a change; what a thing is on or in has one name."""
    return "what it is on or in" if change.attribute.isdigit() else change.attribute


@dataclass(frozen=True)
class TrialSummary:
    """The trials of one setting, counted."""

    settings: TrialSettings
    episodes: int
    judged: int
    """Those of them whose task's goal is known."""
    accepted: int
    ended: int
    done: int
    claimed: int
    """Tasks of known goals that HELPER called done, and those of them that are not."""
    falsely: int
    done_before: int
    """Tasks that were done before the program."""
    conditions: tuple[int, int]
    conditions_before: int
    changes: tuple[int, int]
    unmet: Counter[str]
    """Recorded changes that were not met, by attribute."""
    apart: Counter[str]
    assertions_failed: int
    causes: Counter[str]
    missing: Counter[str]
    weighted_done: float
    weighted_conditions: float
    steps: float


def summarize(trials: Sequence[EpisodeTrial], shortest: dict[str, int]) -> TrialSummary:
    """Count trials of one setting.

    ``shortest`` is the reference length of each episode's path, in primitive actions; a trial
    counts shortest / max(shortest, its own) where lengths are weighted, as in TEACh.
    """

    def weight(trial: EpisodeTrial) -> float:
        best = shortest.get(trial.episode, trial.steps)
        return best / max(best, trial.steps, 1) if best else 1.0

    judged = [c for trial in trials for c in trial.changes if not c.apart]
    conditions = [c for trial in trials for c in trial.conditions]
    met = sum(weight(t) * sum(c.met for c in t.conditions) for t in trials)
    return TrialSummary(
        settings=trials[0].settings,
        episodes=len(trials),
        judged=sum(trial.judged for trial in trials),
        accepted=sum(trial.accepted for trial in trials),
        ended=sum(trial.ended for trial in trials),
        done=sum(trial.done for trial in trials),
        claimed=sum(trial.judged and trial.claimed for trial in trials),
        falsely=sum(trial.judged and trial.claimed and not trial.done for trial in trials),
        done_before=sum(t.judged and t.held_before == len(t.conditions) for t in trials),
        conditions=(sum(c.met for c in conditions), len(conditions)),
        conditions_before=sum(trial.held_before for trial in trials),
        changes=(sum(c.met for c in judged), len(judged)),
        unmet=Counter(_attribute(c.change) for c in judged if not c.met),
        apart=Counter(c.apart for trial in trials for c in trial.changes if c.apart),
        assertions_failed=sum(trial.assertions_failed for trial in trials),
        causes=Counter(why for trial in trials for why in trial.causes)
        + Counter("refused" for trial in trials if not trial.accepted),
        missing=Counter(_short(c.about) for trial in trials for c in trial.conditions if not c.met),
        weighted_done=sum(weight(t) for t in trials if t.done),
        weighted_conditions=met,
        steps=sum(trial.steps for trial in trials) / len(trials),
    )
