"""Code of others: what it raises or returns wrongly ends one skill or node, with file and line.

Workers, node classes, environments and parsers are anybody's code. They are called here, so that
whatever they do becomes a :class:`Failure` of the skill or node that they belong to. Whatever they
raise is caught, `exit()` and a cancelled task included, except KeyboardInterrupt: that is Ctrl-C.
"""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, get_args

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.worker import Effect, EffectSource, Outcome
from treec.world.clock import Clock, Timer
from treec.world.failures import Failure, Raised, Reported
from treec.world.values import freeze

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

_SOURCES = get_args(EffectSource)
_log = logging.getLogger("treec.foreign")


class BadReport(Exception):
    """Something of the wrong type was returned or reported."""


def failure_of_exception(error: BaseException, module: str) -> Raised:
    """The failure for an exception, with the line of the module's package where it arose."""
    package = module.partition(".")[0]
    place = ""
    trace = error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            place = line_of(trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    return Raised(type(error).__name__, text_of(error), place)


def reason_of(error: BaseException, module: str) -> str:
    """What was raised, with the line of the module's package where it arose."""
    found = failure_of_exception(error, module)
    text = found.text or found.exception
    return f"{text} ({found.place})" if found.place and not isinstance(error, BadReport) else text


def text_of(error: BaseException) -> str:
    """The message of an exception, whose class may be anybody's."""
    try:
        return str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return "its message cannot be read"


def line_of(frame: FrameType, line: int | None = None) -> str:
    """The file and line of a frame, relative to where its package is: `depot/nodes.py:31`."""
    name = str(frame.f_globals.get("__name__", ""))
    path = frame.f_code.co_filename.replace("\\", "/").split("/")
    levels = len(name.split(".")) + (path[-1] == "__init__.py")
    return f"{'/'.join(path[-levels:])}:{line or frame.f_lineno}"


def check_outcome(value: object, call: str) -> Outcome:
    """The outcome that ``call`` gave. Raises BadReport if it is none."""
    if not isinstance(value, Outcome):
        raise BadReport(f"{call} gave {kind_of(value)}, not an Outcome")
    if not isinstance(value.ok, bool):
        raise BadReport(f"{call} gave an Outcome whose `ok` is {kind_of(value.ok)}, not a bool")
    if value.failure is not None and not isinstance(value.failure, Failure):
        raise BadReport(
            f"{call} gave an Outcome whose `failure` is {kind_of(value.failure)}: "
            "wrap a text as treec.Reported(text)"
        )
    for field in ("module", "unless"):
        if not isinstance(getattr(value, field), str):
            raise BadReport(
                f"{call} gave an Outcome whose `{field}` is {kind_of(getattr(value, field))}"
            )
    check_effects(value.effects, call)
    return value


def check_effects(value: object, call: str) -> tuple[Effect, ...]:
    """The effects that ``call`` gave. Raises BadReport if they are none."""
    if not isinstance(value, tuple | list):
        raise BadReport(f"{call} gave {kind_of(value)}, not a tuple of Effects")
    for effect in value:
        if not isinstance(effect, Effect):
            raise BadReport(f"{call} gave {kind_of(effect)} among its effects, not an Effect")
        if not isinstance(effect.fact, str):
            raise BadReport(f"{call} gave an Effect whose `fact` is {kind_of(effect.fact)}")
        is_texts = isinstance(effect.args, tuple) and all(isinstance(a, str) for a in effect.args)
        if not is_texts:
            raise BadReport(
                f"{call} gave an Effect on {effect.fact} whose `args` are {effect.args!r}, "
                "not a tuple of names"
            )
        if effect.source not in _SOURCES:
            raise BadReport(
                f"{call} gave an Effect on {effect.fact} whose `source` is {effect.source!r}: "
                f"it is one of {', '.join(_SOURCES)}"
            )
        try:
            freeze(effect.value)
        except ValueError as error:
            raise BadReport(f"{call} gave an Effect on {effect.fact}: {error}") from None
    return tuple(value)


def check_time(value: object, call: str) -> float:
    """The time that ``call`` gave, in seconds. Raises BadReport if it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadReport(f"{call} gave {kind_of(value)}, not a time in seconds")
    return float(value)


def kind_of(value: object) -> str:
    """What something of the wrong type is: `None`, `a dict`, `the type Outcome`."""
    if value is None or isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, type | ModuleType):
        return f"the {type(value).__name__} {value.__name__}"
    article = "an" if type(value).__name__[:1] in "AEIOUaeiou" else "a"
    return f"{article} {type(value).__name__}"


OnError = Callable[[BaseException], None]
"""Takes an exception that left code of others."""


class GuardedClock:
    """The run's clock for code of others: what a callback raises goes to ``on_error``."""

    def __init__(self, clock: Clock, on_error: OnError) -> None:
        self._clock = clock
        self._on_error = on_error

    def now(self) -> float:
        """Seconds since the run began."""
        return self._clock.now()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` in the loop's thread once ``now()`` has reached ``when``."""

        def call() -> None:
            try:
                callback()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._on_error(error)

        return self._clock.call_at(when, call)


class GuardedNode:
    """Makes a node of others fail where it would have raised, or returned no status.

    ``take`` replaces the methods that py_trees calls. What its timers and external work raise makes
    it fail at its next tick.
    """

    def __init__(self, runtime: Runtime, path: str) -> None:
        self._runtime = runtime
        self._path = path
        self._raised: BaseException | None = None

    def note(self, error: BaseException) -> None:
        """Take note of what a timer or a thread of the node raised; from any thread."""
        self._raised = error
        self._runtime.wake()

    def take(self, node: Behaviour) -> None:
        """Guard a node; one that is guarded already stays as it is."""
        if "tick" in vars(node):
            return
        tick, stop, setup = node.tick, node.stop, node.setup

        def guarded_tick() -> Iterator[Behaviour]:
            try:
                if self._raised is not None:
                    error, self._raised = self._raised, None
                    raise error
                yield from tick()
            except (KeyboardInterrupt, GeneratorExit):  # the latter: nobody ticks it to its end
                raise
            except BaseException as error:
                self._fail(node, failure_of_exception(error, type(node).__module__), stop)
                yield node
            else:
                if node.status not in (Status.SUCCESS, Status.FAILURE, Status.RUNNING):
                    what = f"{type(node).__name__}.update() returned no status of py_trees"
                    self._fail(node, Reported(what), stop)

        def guarded_stop(new_status: Status = Status.INVALID) -> None:
            try:
                stop(new_status)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                node.status = new_status
                if new_status is not Status.INVALID:
                    raise
                self._report(node, failure_of_exception(error, type(node).__module__))

        def guarded_setup(**values: object) -> None:
            try:
                setup(**values)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise NodeSetupFailed(
                    f"{self._path}: {failure_of_exception(error, type(node).__module__)}"
                ) from error

        for name, method in (
            ("tick", guarded_tick), ("stop", guarded_stop), ("setup", guarded_setup)
        ):  # fmt: skip
            setattr(node, name, method)

    def _fail(self, node: Behaviour, why: Failure, stop: Callable[[Status], None]) -> None:
        try:
            stop(Status.FAILURE)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # it has failed already; this only lets it clean up
            _log.info("%s could not be stopped: %s", self._path, text_of(error))
        node.status = Status.FAILURE
        node.feedback_message = str(why)
        setattr(node, "failure", why)  # noqa: B010 (what `on_failure` reads)
        self._report(node, why)

    def _report(self, node: Behaviour, why: Failure) -> None:
        self._runtime.record_node_failure(self._path, str(why), type(node).__module__)


class NodeSetupFailed(Exception):
    """The `setup` of a node raised."""


def set_up_nodes(nodes: Iterable[Behaviour]) -> None:
    """Call py_trees' `setup` of nodes. Raises NodeSetupFailed."""
    for node in nodes:
        node.setup()


def caller_line() -> str:
    """The file and line of the caller's caller."""
    return line_of(sys._getframe(2))
