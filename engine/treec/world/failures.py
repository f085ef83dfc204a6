"""Failures as data: what was unmet, what timed out, what a worker raised, with its arguments.

``str(failure)`` is the only place where failures become text. Journals store that text, and
:func:`failure_of` parses it, so that readers of a journal can match on classes and fields.
``str(failure_of(text)) == text`` holds for every text.
"""

from __future__ import annotations

import re

from treec.frozen import frozen

NOT_AS_EXPECTED = "not as expected"


@frozen
class Failure:
    """Why something did not succeed."""

    def __str__(self) -> str:
        return _words(self)


@frozen
class Reported(Failure):
    """A failure named by a worker, a planned fault or a node: `slipped`, `jammed`."""

    text: str

    @property
    def name(self) -> str:
        """The name of the failure: the part before the colon."""
        return self.text.partition(":")[0].strip()


@frozen
class Unmet(Failure):
    """A precondition does not hold and could not be established: why its repair cannot be done."""

    condition: str
    repair: str = ""


@frozen
class TimedOut(Failure):
    """A skill took longer than its file allows, in seconds."""

    seconds: float


@frozen
class Raised(Failure):
    """User code raised an exception: its class, its message, and the file and line."""

    exception: str
    text: str
    place: str = ""

    @classmethod
    def of(cls, error: Exception) -> Raised:
        """The failure for an exception."""
        return cls(type(error).__name__, str(error))


@frozen
class Difference:
    """A fact whose sensed value differs from the expected one; values as in expressions."""

    fact: str
    args: tuple[str, ...]
    sensed: str
    expected: str


@frozen
class NotAsExpected(Failure):
    """A skill ended and its `after` does not hold according to the sensors.

    ``name`` is the worker's word for it: slipped, dropped.
    """

    differences: tuple[Difference, ...]
    name: str = NOT_AS_EXPECTED


@frozen
class NoWorker(Failure):
    """A skill has no worker in this environment; ``runs_on`` lists those where it has one."""

    skill: str
    runs_on: tuple[str, ...]
    environment: str


@frozen
class LostInFlight(Failure):
    """A skill was running when the run was cut off."""


@frozen
class Stopped(Failure):
    """A skill was cancelled because its agent was interrupted."""

    agent: str


@frozen
class LostEnvironment(Failure):
    """A skill was cancelled, or cannot begin, because its environment raised an exception.

    ``for_now``: it is opened again, so that another attempt may succeed.
    """

    environment: str
    reason: str
    for_now: bool = False


@frozen
class Forbidden(Failure):
    """A skill was cancelled, or did not begin, because it would break a contract."""

    contract: str
    reason: str


@frozen
class Dropped(Failure):
    """A skill was cancelled because its subtask was dropped."""

    subtask: str


@frozen
class TakenBack(Failure):
    """A skill was cancelled because its subtask was taken back from its agent."""

    subtask: str


@frozen
class GoalMissed(Failure):
    """All subtasks of a task are done, but these goals do not hold."""

    goals: tuple[str, ...]


@frozen
class StepFailed(Failure):
    """A skill, with its arguments, failed; ``why`` is the cause."""

    skill: str
    args: tuple[str, ...]
    why: Failure


@frozen
class Described(Failure):
    """A failure ``why``, and the state that a provider found afterwards, in words."""

    why: Failure
    state: str


def root_cause(failure: Failure) -> Failure:
    """The failure behind those of the steps that it made fail, without what was seen of it."""
    while isinstance(failure, (StepFailed, Described)):
        failure = failure.why
    return failure


def _words(failure: Failure) -> str:
    match failure:
        case Reported(text):
            return text
        case Unmet(condition, repair):
            return f"'{condition}' does not hold" + (f": {repair}" if repair else "")
        case TimedOut(seconds):
            return f"timed out after {seconds:g} s"
        case Raised(exception, text, place):
            return f"{exception}: {text} ({place})" if place else f"{exception}: {text}"
        case NotAsExpected(differences, name):
            parts = (
                f"{d.fact}({', '.join(d.args)}) is {d.sensed}, not {d.expected}"
                for d in differences
            )
            return f"{name}: {'; '.join(parts)}"
        case NoWorker(skill, runs_on, environment):
            known = ", ".join(runs_on) or "nothing"
            return f"the skill '{skill}' runs on {known}, not on '{environment}'"
        case LostInFlight():
            return "lost when the run broke off"
        case Stopped(agent):
            return f"{agent} was stopped"
        case LostEnvironment(environment, reason):
            return f"the environment '{environment}' is lost: {reason}"
        case Forbidden(contract, reason):
            return f"the contract '{contract}' forbids it: {reason}"
        case Dropped(subtask):
            return f"'{subtask}' was dropped"
        case TakenBack(subtask):
            return f"'{subtask}' was taken back"
        case GoalMissed(goals):
            return f"all is done, and the goal is missed: {'; '.join(goals)}"
        case StepFailed(skill, args, why):
            return f"{skill}({', '.join(args)}): {why}"
        case Described(why, state):
            return f"{why} [seen: {state}]"
    raise TypeError(f"no words for a {type(failure).__name__}")


_STEP = re.compile(r"([\w/]+)\(([^()]*)\): (.+)", re.DOTALL)
_DESCRIBED = re.compile(r"(.+) \[seen: ([^\[\]]+)\]", re.DOTALL)
_UNMET = re.compile(r"'(.+)' does not hold(?:: (.+))?", re.DOTALL)
_LATE = re.compile(r"timed out after (\S+) s")
_RAISED = re.compile(
    r"(\w+(?:Error|Exception|Interrupt|Exit|Refused)): (.*?)(?: \(([\w./-]+\.py:\d+)\))?", re.DOTALL
)
_DIFFERS = re.compile(r"(\w+)\(([^()]*)\) is (.+), not (.+)")
_NO_WORKER = re.compile(r"the skill '(.+)' runs on (.+), not on '(.+)'")
_STOPPED = re.compile(r"(.+) was stopped")
_LOST = re.compile(r"the environment '(.+?)' is lost: (.+)", re.DOTALL)
_FORBIDDEN = re.compile(r"the contract '(.+?)' forbids it: (.+)", re.DOTALL)
_DROPPED = re.compile(r"'(.+)' was dropped")
_TAKEN_BACK = re.compile(r"'(.+)' was taken back")
_MISSED = re.compile(r"all is done, and the goal is missed: (.+)", re.DOTALL)


def failure_of(text: str) -> Failure:
    """Parse the text of a failure; a :class:`Reported` if it has none of the known forms."""
    found = _parse(text)
    return found if str(found) == text else Reported(text)


def _parse(text: str) -> Failure:
    if step := _STEP.fullmatch(text):
        return StepFailed(step[1], _split(step[2]), failure_of(step[3]))
    if described := _DESCRIBED.fullmatch(text):
        return Described(failure_of(described[1]), described[2])
    if unmet := _UNMET.fullmatch(text):
        return Unmet(unmet[1], unmet[2] or "")
    if late := _LATE.fullmatch(text):
        try:
            return TimedOut(float(late[1]))
        except ValueError:
            return Reported(text)
    if raised := _RAISED.fullmatch(text):
        return Raised(raised[1], raised[2], raised[3] or "")
    if missing := _NO_WORKER.fullmatch(text):
        known = () if missing[2] == "nothing" else _split(missing[2])
        return NoWorker(missing[1], known, missing[3])
    if missed := _MISSED.fullmatch(text):
        return GoalMissed(tuple(missed[1].split("; ")))
    if lost := _LOST.fullmatch(text):
        return LostEnvironment(lost[1], lost[2])
    if forbidden := _FORBIDDEN.fullmatch(text):
        return Forbidden(forbidden[1], forbidden[2])
    if dropped := _DROPPED.fullmatch(text):
        return Dropped(dropped[1])
    if taken := _TAKEN_BACK.fullmatch(text):
        return TakenBack(taken[1])
    if stopped := _STOPPED.fullmatch(text):
        return Stopped(stopped[1])
    if text == str(LostInFlight()):
        return LostInFlight()
    name, _, rest = text.partition(": ")
    parts = [_DIFFERS.fullmatch(part) for part in rest.split("; ")]
    if all(parts):
        different = (Difference(p[1], _split(p[2]), p[3], p[4]) for p in parts if p)
        return NotAsExpected(tuple(different), name)
    return Reported(text)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split(", ")) if text else ()


def module_of(error: BaseException, default: str) -> str:
    """The name of the module in which an error was raised; ``default`` if it was not raised."""
    trace = error.__traceback__
    while trace is not None:
        default = str(trace.tb_frame.f_globals.get("__name__", default))
        trace = trace.tb_next
    return default
