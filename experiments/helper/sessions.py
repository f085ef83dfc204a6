"""Execution from dialogue history: an episode from its middle on, judged by what changes then.

TEACh cuts its episodes into sessions; the agent begins where the one before ended, and has done the
session if the state changes between its two ends are all there. The
data has no sessions. So a recorded program is cut near the middle of its skill calls; what precedes
is carried out with full sight, and gives the state in which the session begins; what follows,
carried out the same way, gives the changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from experiments.helper.carry_out import TrialSettings, carry_out
from experiments.helper.episodes import Episode
from experiments.helper.goals import GoalCondition
from experiments.helper.measure import EpisodeTrial, made_trial
from treec.files.view import View
from treec_household.state import HouseholdState

FACTS = ("at", "opened", "running", "dirty", "filled", "sliced", "cooked", "boiled")
"""What counts as a change of state."""
_MADE = re.compile(r"^\w+ *= *\w+\(")
"""A line that names a thing and does nothing."""


@dataclass(frozen=True)
class SecondHalf:
    """The state in which a session begins, the rest of the program, and the changes it makes.

    ``changes`` are facts, things, and the values that they come to have.
    """

    start: HouseholdState
    program: str
    changes: tuple[tuple[str, str, object], ...]


def session_of(view: View, episode: Episode) -> SecondHalf | None:
    """The second half of an episode; None if the recorded program changes nothing in it."""
    first, rest = halves(episode.program)
    start = carry_out(view, first, TrialSettings()).home.state
    end = carry_out(view, rest, TrialSettings(), start).home.state
    changes = tuple(
        (fact, thing, end.get(fact, thing))
        for fact in FACTS
        for thing in start.kinds
        if start.get(fact, thing) != end.get(fact, thing)
    )
    return SecondHalf(start, rest, changes) if changes else None


def halves(program: str) -> tuple[str, str]:
    """A program's first and second half by its skill calls; the second names its things anew.

    It is cut at the empty line nearest to the middle, or before the call in the middle.
    """
    lines = program.splitlines()
    calls = [n for n, line in enumerate(lines) if _is_call(line)]
    if len(calls) < 2:
        return "", program
    middle = calls[len(calls) // 2]
    blanks = [n for n in range(calls[0] + 1, calls[-1]) if not lines[n].strip()]
    cut = min(blanks, key=lambda n: abs(n - middle), default=middle)
    named = [line for line in lines[:cut] if _MADE.match(line)]
    return "\n".join(lines[:cut]), "\n".join([*named, *lines[cut:]])


def _is_call(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#") and not _MADE.match(text)


def try_session(
    view: View, episode: Episode, session: SecondHalf, settings: TrialSettings
) -> EpisodeTrial:
    """Carry out a session, and judge it by its changes."""
    outcome = carry_out(view, session.program, settings, session.start)
    state = outcome.home.state
    conditions = tuple(
        GoalCondition(f"{thing} {fact}", _same(state, fact, thing, value), f"{fact} is {value}")
        for fact, thing, value in session.changes
    )
    return made_trial(episode, settings, outcome, conditions)


def _same(state: HouseholdState, fact: str, thing: str, value: object) -> bool:
    """Whether a fact has its value; where something was put down, any surface of the class will do.

    The recorded program puts down what it does not need on the nearest surface, which depends on
    where the furniture stands.
    """
    now = state.get(fact, thing)
    if fact == "at" and value in state.kinds and now in state.kinds:
        return state.kinds[str(now)] == state.kinds[str(value)]
    return now == value
