"""Foreign code in a run: what it raises or returns wrongly ends one skill or node, with its line.

The guard around each call is :class:`treec.foreign.guard`. Here a :class:`ForeignError` becomes a
:class:`Failure`, what workers and environments deliver is copied in its right form, and nodes and
timers are wrapped so that whatever calls them meets the guard.
"""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, cast, get_args

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.foreign import (
    MOST,
    MOST_TEXT,
    BadReport,
    ForeignError,
    cut,
    guard,
    is_foreign,
    kind_of,
    line_of,
    listed,
    plain_copy,
    show,
)
from treec.nodes.base import Remembers, replace_tick
from treec.nodes.worker import Effect, EffectSource, Outcome
from treec.world import failures
from treec.world.bounded import NotInTime
from treec.world.clock import Clock, Timer
from treec.world.facts import Evidence
from treec.world.failures import Failure, Raised, Reported, failure_of
from treec.world.values import Value, freeze, thaw

if TYPE_CHECKING:
    from treec.nodes.runtime import Runtime

_SOURCES = get_args(EffectSource)
_log = logging.getLogger("treec.foreign")


def failure_by(error: ForeignError) -> Failure:
    """What foreign code has done wrong, as data."""
    if isinstance(error, BadReport):
        return Reported(error.text)
    return Raised(error.exception, error.text, error.place)


def failure_of_stop(error: ForeignError | NotInTime) -> Failure:
    """The failure of a call that was to stop something: it raised, or did not return in time."""
    if isinstance(error, NotInTime):
        return Reported(f"did not confirm its stop within {error.seconds:g} s")
    return failure_by(error)


def reason_of(error: ForeignError) -> str:
    """What foreign code has done wrong, without the class of an exception that has a message."""
    text = error.text or error.exception
    return f"{text} ({error.place})" if error.place else text


def check_outcome(value: object, call: str) -> Outcome:
    """A plain copy of the outcome that ``call`` gave. Raises BadReport if it is none."""
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
    why = None if value.failure is None else _plain_failure(value.failure, call)
    module, unless = cut(str.__str__(value.module)), cut(str.__str__(value.unless))
    return Outcome(value.ok, why, module, check_effects(value.effects, call), unless)


def _plain_failure(why: Failure, call: str) -> Failure:
    """A failure that has words, as treec's own classes give them."""
    try:
        text = str(why)
    except TypeError as error:
        raise BadReport(f"{call} gave a failure without words: {cut(str(error))}") from None
    short = cut(str.__str__(text))
    own = type(why).__module__ == failures.__name__
    is_plain = all(type(getattr(why, it.name)) is str for it in fields(why) if it.type == "str")
    return why if own and is_plain and short is text else failure_of(short)


def check_effects(value: object, call: str) -> tuple[Effect, ...]:
    """A plain copy of the effects that ``call`` gave. Raises BadReport if they are none."""
    if not isinstance(value, tuple | list):
        raise BadReport(f"{call} gave {kind_of(value)}, not a tuple of Effects")
    return tuple([_check_effect(effect, call) for effect in listed(value, f"{call} gave")])


def _check_effect(effect: object, call: str) -> Effect:
    if not isinstance(effect, Effect):
        raise BadReport(f"{call} gave {kind_of(effect)} among its effects, not an Effect")
    if not isinstance(effect.fact, str):
        raise BadReport(f"{call} gave an Effect whose `fact` is {kind_of(effect.fact)}")
    fact = cut(str.__str__(effect.fact))
    is_texts = isinstance(effect.args, tuple) and all(isinstance(a, str) for a in effect.args)
    if not is_texts:
        raise BadReport(
            f"{call} gave an Effect on {fact} whose `args` are {show(effect.args)}, "
            "not a tuple of names"
        )
    args = tuple([cut(str.__str__(arg)) for arg in effect.args])
    source = next((one for one in _SOURCES if one == effect.source), None)
    if source is None:
        raise BadReport(
            f"{call} gave an Effect on {fact} whose `source` is {show(effect.source)}: "
            f"it is one of {', '.join(_SOURCES)}"
        )
    copy = plain_copy(effect.value, f"{call} gave an Effect on {fact}: it")
    try:
        return Effect(fact, args, freeze(copy), source, _check_evidence(effect.evidence))
    except ValueError as error:
        raise BadReport(f"{call} gave an Effect on {fact}: {error}") from None


def _check_evidence(given: object) -> Evidence | None:
    """A plain copy of what a fact rests on. Raises ValueError if it is none."""
    if given is None:
        return None
    if type(given) is not Evidence or not isinstance(given.sensor, str):
        raise ValueError(f"its `evidence` is {kind_of(given)}, not an Evidence of a sensor")
    numbers = [it for it in (given.uncertainty, given.lasts) if it is not None]
    values = (*numbers, *(given.point if type(given.point) is tuple else (given.point,)))
    finite = [type(it) in (int, float) and abs(it) < math.inf for it in values]
    if not all(finite) or min(numbers, default=0) < 0:
        raise ValueError(f"its `evidence` has {show(values)}, not metres, seconds and a point")
    return replace(given, sensor=cut(str.__str__(given.sensor)))


def check_note(value: object, call: str) -> tuple[str, dict[str, Any]]:
    """A plain copy of a note's text and record. Raises BadReport if they are none."""
    text, record = cast("tuple[object, object]", value)
    if not isinstance(text, str) or not isinstance(record, Mapping):
        raise BadReport(
            f"{call} gave {kind_of(text)} and {kind_of(record)}, not a text and a record"
        )
    return cut(str.__str__(text)), cast(
        "dict[str, Any]", plain_copy(record, f"{call} gave a record: it")
    )


def check_time(value: object, call: str) -> float:
    """The time that ``call`` gave, in seconds. Raises BadReport if it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadReport(f"{call} gave {kind_of(value)}, not a time in seconds")
    return float(value)


OnError = Callable[[BaseException], None]
"""Takes what a callback or a thread of foreign code has raised."""


_AT_ONCE = 100
"""Timers that may be due at the moment at which they are set."""


class GuardedClock:
    """The run's clock for foreign code of a module: what a callback raises goes to ``on_error``."""

    def __init__(self, clock: Clock, module: str, on_error: OnError) -> None:
        self._clock = clock
        self._module = module
        self._on_error = on_error
        self._waiting: dict[object, Timer] = {}
        """The timers that it has set, by their calls."""
        self._at_once = (-1.0, 0)
        """When it has set a timer that was due at once, and how many at that moment."""

    def now(self) -> float:
        """Seconds since the run began."""
        return self._clock.now()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` in the loop's thread once ``now()`` has reached ``when``.

        Raises BadReport if too many wait, or are due at the moment at which they are set, as by a
        callback that sets itself again.
        """
        if len(self._waiting) >= MOST:
            waiting = [it for it in self._waiting.items() if not it[1].cancelled]
            self._waiting = dict(waiting)
        if when <= (now := self._clock.now()):
            self._at_once = now, self._at_once[1] + 1 if self._at_once[0] == now else 1
        if len(self._waiting) >= MOST or self._at_once[1] > _AT_ONCE:
            raise BadReport(f"it has set too many timers ({caller_line()})")

        def call() -> None:
            self._waiting.pop(call, None)
            try:
                with guard(self._module):
                    callback()
            except ForeignError as error:
                self._on_error(error)

        timer = self._waiting[call] = self._clock.call_at(when, call)
        return timer


class GuardedNode:
    """Makes a node of others fail where it would have raised, or returned no status.

    ``take`` replaces the methods that py_trees calls. What its timers and external work raise makes
    it fail at its next tick. Its ``terminate`` and ``shutdown`` are called in time: see
    `treec.nodes.stops`.
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
        tick, stop, setup, shutdown = node.tick, node.stop, node.setup, node.shutdown
        terminate, module = node.terminate, type(node).__module__

        def guarded_tick() -> Iterator[Behaviour]:
            if vars(node).pop("begins_again", False):
                node.status = Status.INVALID
            steps: Iterator[Behaviour] = iter(())
            try:
                with guard(module, NotInTime):
                    if self._raised is not None:
                        error, self._raised = self._raised, None
                        raise error
                    steps = iter(tick())
                while True:
                    with guard(module, NotInTime):
                        ticked = next(steps, None)
                        if ticked is None or ticked is node:
                            _check_node(node)
                    if ticked is None:
                        return
                    yield ticked
                    if ticked.parent is node and ticked.status is Status.INVALID:
                        ticked.status = Status.SUCCESS  # skipped, which others do not know
            except NotInTime as error:
                self._fail(node, failure_of_stop(error), None)
                yield node
            except ForeignError as error:
                self._fail(node, failure_by(error), stop)
                yield node
            finally:
                with suppress(ForeignError), guard(module):
                    getattr(steps, "close", int)()  # nobody ticks it to its end

        own_stop = is_foreign(str(getattr(stop, "__module__", "")))

        def in_time(name: str, call: Callable[[], None], method: object) -> None:
            module = str(getattr(method, "__module__", ""))
            self._runtime.stops.call(f"the node {self._path} ({name})", call, module)

        def guarded_terminate(new_status: Status) -> None:
            if own_stop and new_status is Status.INVALID:  # in time with that already
                terminate(new_status)
            else:
                in_time("terminate", lambda: terminate(new_status), terminate)

        def guarded_shutdown() -> None:
            try:
                in_time("shutdown", shutdown, shutdown)
            except (ForeignError, NotInTime) as error:
                _log.info("%s could not be shut down: %s", self._path, error)

        def guarded_stop(new_status: Status = Status.INVALID) -> None:
            if vars(node).pop("begins_again", False):  # nothing of it has begun
                node.status = new_status
                return
            try:
                if new_status is not Status.INVALID:
                    with guard(module, NotInTime):
                        stop(new_status)
                    return
                self._runtime.arbiter.tell_below(self._path)
                if not own_stop:
                    with guard(module, NotInTime):
                        stop(new_status)
                    return
                for child in node.children:  # by this thread, as all that writes the journal
                    if child.status is not Status.INVALID:
                        child.stop(Status.INVALID)
                in_time("stop", lambda: stop(Status.INVALID), stop)
            except NotInTime:
                node.status = new_status
                if new_status is not Status.INVALID:
                    raise
            except ForeignError as error:
                node.status = new_status
                if new_status is not Status.INVALID:
                    raise
                self._report(node, failure_by(error))

        def guarded_setup(**values: object) -> None:
            try:
                with guard(module):
                    setup(**values)
            except ForeignError as error:
                raise NodeSetupFailed(f"{self._path}: {failure_by(error)}") from error

        replace_tick(node, guarded_tick)
        for name, method in (
            ("stop", guarded_stop), ("setup", guarded_setup),
            ("terminate", guarded_terminate), ("shutdown", guarded_shutdown),
        ):  # fmt: skip
            setattr(node, name, method)
        if hasattr(type(node), "memory") and callable(getattr(type(node), "recall", None)):
            memory = GuardedMemory(node, lambda why: self._report(node, why))
            setattr(node, "guarded_memory", memory)  # noqa: B010

    def _fail(self, node: Behaviour, why: Failure, stop: Callable[[Status], None] | None) -> None:
        try:
            if stop is not None:
                with guard(type(node).__module__, NotInTime):
                    stop(Status.FAILURE)
        except (ForeignError, NotInTime) as error:  # it has failed; this only lets it clean up
            _log.info("%s could not be stopped: %s", self._path, error)
        node.status = Status.FAILURE
        node.feedback_message = str(why)
        setattr(node, "failure", why)  # noqa: B010 (what `on_failure` reads)
        self._report(node, why)

    def _report(self, node: Behaviour, why: Failure) -> None:
        self._runtime.record_node_failure(self._path, str(why), type(node).__module__)


def _check_node(node: Behaviour) -> None:
    """Make what others read of a ticked node plain. Raises BadReport if it has no status."""
    status, words = node.status, node.feedback_message
    if not any(status is one for one in (Status.SUCCESS, Status.FAILURE, Status.RUNNING)):
        raise BadReport(f"{type(node).__name__}.update() returned no status of py_trees")
    if type(words) is not str or len(words) > MOST_TEXT:
        node.feedback_message = cut(str.__str__(str(words)))


class GuardedMemory:
    """What a node of others remembers; what is wrong with that is reported."""

    def __init__(self, node: Any, report: Callable[[Failure], None]) -> None:
        self._node = node
        self._report = report
        self._module = type(node).__module__

    @property
    def memory(self) -> object:
        """Its memory as plain data; None if it has none that a journal can hold."""
        call = f"{type(self._node).__name__}.memory"
        try:
            with guard(self._module):
                copy = plain_copy(self._node.memory, f"{call}: it")
                try:
                    return freeze(copy)
                except ValueError as error:
                    raise BadReport(f"{call}: {error}") from None
        except ForeignError as error:
            self._report(failure_by(error))
            return None

    def recall(self, memory: object) -> bool:
        """Let it go on with what was recorded."""
        try:
            with guard(self._module):
                return self._node.recall(thaw(cast(Value, memory))) is not False
        except ForeignError as error:
            self._report(failure_by(error))
            return False


def remembering(node: Behaviour) -> Remembers | None:
    """What a node remembers over a resume, guarded if it is somebody's own; None if nothing."""
    if "tick" in vars(node):
        return cast("Remembers | None", vars(node).get("guarded_memory"))
    return node if isinstance(node, Remembers) else None


class NodeSetupFailed(Exception):
    """The `setup` of a node raised."""


def set_up_nodes(nodes: Iterable[Behaviour]) -> None:
    """Call py_trees' `setup` of nodes. Raises NodeSetupFailed."""
    for node in nodes:
        node.setup()


def caller_line() -> str:
    """The file and line in another module that called the caller's."""
    frame = sys._getframe(1)
    own = frame.f_globals
    while frame.f_globals is own and frame.f_back is not None:
        frame = frame.f_back
    return line_of(frame)
