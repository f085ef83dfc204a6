"""The trials of node classes."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.check.tree_nodes import parse_port
from treec.conformance.bench import first_place
from treec.conformance.node_stage import (
    STATUSES,
    NodeActor,
    NodeBench,
    NodeStage,
    raise_first,
    raise_held,
)
from treec.conformance.trial import Misbehaviour, NotTried, Trials
from treec.conformance.watch import PlayWatch
from treec.files.types import Named

NODE_CLASSES = Trials("node class")


@NODE_CLASSES("N01", "__init__")
def is_made(bench: NodeBench) -> None:
    """The class is called with a name and ports.

    It is a py_trees behaviour that hands its name on, and keeps the ports::

        def __init__(self, name: str, ports: NodePorts) -> None:
            super().__init__(name)
            self.io = ports

    """
    stage = NodeStage(bench.ports, PlayWatch(bench.patience))
    actor = NodeActor(stage, bench.given)
    actor.make(bench.make)
    raise_first(actor, "making it")
    node = actor.node
    if not isinstance(node, Behaviour):
        raise Misbehaviour("it is no py_trees behaviour")
    if getattr(node, "name", None) != "try/node" or not hasattr(node, "status"):
        raise Misbehaviour("it does not hand its name to super().__init__(name)")


@NODE_CLASSES("N02")
def ports_are_declared(bench: NodeBench) -> None:
    """The ports of the class are read.

    `ports` is a literal mapping of names to `in`, `out` or `inout` and a type; `treec check` reads
    it without executing the module::

        ports: ClassVar[dict[str, str]] = {"text": "in text", "done": "out bool"}

    """
    declared = getattr(bench.make, "ports", None)
    if not isinstance(declared, Mapping):
        raise Misbehaviour("it declares no `ports`")
    for name, text in declared.items():
        try:
            parse_port(text)
        except (ValueError, AttributeError, TypeError) as error:
            raise Misbehaviour(f"the port {name!r} is {text!r}: {error}") from None


@NODE_CLASSES("N03", "setup")
def setup_is_called(bench: NodeBench) -> None:
    """`setup` is called once, before the first tick.

    It opens what the node needs, or raises what people read before anything moves; where all is
    there it does not raise::

        def setup(self, **kwargs: Any) -> None:
            self.scale = open_scale()

    """
    for actor in bench.plain.actors:
        raise_first(actor, "setup()")


@NODE_CLASSES("N04", "update")
def raises_nowhere(bench: NodeBench) -> None:
    """It is ticked until it has ended; what it, its timers and threads raise is caught.

    What goes wrong is FAILURE, with the reason as feedback::

        except ScaleError as error:
            self.feedback_message = f"the scale: {error}"
            return Status.FAILURE

    """
    for actor in bench.plain.actors:
        for noted in actor.raised:
            is_exit = isinstance(noted.error, SystemExit)
            if noted.call in ("a tick", "a timer or thread") and not is_exit:
                raise_first(actor, noted.call)


@NODE_CLASSES("N05", "update")
def exits_never(bench: NodeBench) -> None:
    """It is ticked until it has ended, and calls of `exit()` are caught.

    The program ends when its people say so; a node fails::

        return Status.FAILURE

    """
    for actor in bench.plain.actors:
        for noted in actor.raised:
            if isinstance(noted.error, SystemExit):
                raise Misbehaviour(f"{noted.call} called exit()", noted.place)


@NODE_CLASSES("N06", "update")
def status_is_one_of_three(bench: NodeBench) -> None:
    """The statuses of its ticks are read.

    `update` returns SUCCESS, FAILURE or RUNNING, on every way through it::

        return Status.SUCCESS if self.done else Status.RUNNING

    """
    for actor in bench.plain.actors:
        for _, status in actor.statuses:
            if status not in STATUSES:
                raise Misbehaviour(f"update() returned {status!r}")


@NODE_CLASSES("N07", "update")
def returns_at_once(bench: NodeBench) -> None:
    """The time of each call is measured.

    Every method returns at once; what takes time runs in a thread that is announced::

        self.work = self.io.begin_external("the scale", limit=10.0)
        self.pool.submit(self.ask_scale)

    """
    raise_held(bench.plain)
    for actor in bench.plain.actors:
        slow = [call for call in actor.calls if call.seconds > bench.at_once]
        if slow:
            raise Misbehaviour(f"{slow[0].call} took {slow[0].seconds:.1f} s")


@NODE_CLASSES("N08", "update")
def is_woken(bench: NodeBench) -> None:
    """It is ticked as often as it asks for.

    A class that says `wakes_itself` sets a timer, announces work or calls `wake` while it is
    RUNNING; another one is ticked every `tick_period`::

        self.io.clock.call_at(self.io.clock.now() + 1.0, self.io.wake)

    """
    stage = bench.plain
    if stage.overdue:
        raise Misbehaviour(f"the announced work '{stage.overdue[0]}' was not done in time")
    if stage.is_asleep:
        raise Misbehaviour("it is RUNNING, says that it wakes itself, and nothing will wake it")


@NODE_CLASSES("N09", "terminate")
def halted_while_running(bench: NodeBench) -> None:
    """It is halted while it is RUNNING.

    The tree goes another way: what the node began ends, and nothing is raised::

        def terminate(self, new_status: Status) -> None:
            if new_status is Status.INVALID:
                self.work.cancel()

    """
    stage = _halted(bench)
    raise_held(stage)
    for actor in stage.actors:
        raise_first(actor, "halting it")
        if actor.node.status is not Status.INVALID:
            raise Misbehaviour(f"its status is {actor.node.status.name} after it was halted")


@NODE_CLASSES("N10", "terminate")
def is_silent_after_halt(bench: NodeBench) -> None:
    """Time goes on after it was halted.

    No timer fires, nothing is written to a port, nobody is woken::

        self.timer.cancel()

    """
    stage = _halted(bench)
    for actor in stage.actors:
        before = len(actor.sets), actor.wakes
        stage.pass_time(120.0)
        if len(actor.sets) > before[0]:
            raise Misbehaviour("it wrote to a port after it was halted", actor.sets[-1].place)
        if actor.wakes > before[1]:
            raise Misbehaviour("it woke the loop after it was halted")
        live = [work for work in actor.external if not work.is_done]
        if live:
            raise Misbehaviour(f"its work '{live[0].name}' is still announced after it was halted")


@NODE_CLASSES("N11", "terminate")
def halted_before_the_first_tick(bench: NodeBench) -> None:
    """It is halted before its first tick, and twice.

    A tree halts what it never ticked, too; nothing may be missing then::

        def __init__(self, name: str, ports: NodePorts) -> None:
            super().__init__(name)
            self.timer: Timer | None = None

    """
    bench.healthy()

    def script(stage: NodeStage) -> None:
        actor = bench.actor(stage)
        actor.halt()
        actor.halt()

    stage = bench.play(script)
    raise_held(stage)
    for actor in stage.actors:
        raise_first(actor)


@NODE_CLASSES("N12", "initialise")
def begins_anew(bench: NodeBench) -> None:
    """It is halted while RUNNING, or has ended, and is ticked again from the start.

    With the same values it does the same: `initialise` resets what a round has left behind::

        def initialise(self) -> None:
            self.until = self.io.clock.now() + 3.0

    """
    first = bench.healthy()
    for ticks in (1, 500):

        def script(stage: NodeStage, ticks: int = ticks) -> None:
            actor = bench.actor(stage)
            actor.play(ticks)
            actor.halt()
            actor.statuses.clear()
            actor.uses.clear()
            stage.inbox.drain()
            stage.began = stage.clock.now()
            for name in stage.ports:
                actor.frame.set(name, bench.given.get(name))
            actor.play()

        stage = bench.play(script)
        if stage.watch.is_held:
            raise NotTried("the play was held")
        (actor,) = stage.actors
        raise_first(actor)
        same = _ends(actor) == _ends(first)
        if not same or (not first.external and _story(actor, stage.began) != _story(first)):
            what = _describe(actor)
            raise Misbehaviour(f"the second time {what}, the first time {_describe(first)}")


@NODE_CLASSES("N13", "__init__")
def two_at_once(bench: NodeBench) -> None:
    """Two nodes of the class are ticked in turn.

    Each does what it does alone: the state is the instance's, not the class's or the module's::

        def initialise(self) -> None:
            self.count = 0

    """
    alone = bench.healthy()
    if alone.external:
        raise NotTried("threads end in any order")

    def script(stage: NodeStage) -> None:
        actors = [bench.actor(stage) for _ in range(2)]
        waiting = list(actors)
        for _ in range(500):
            waiting = [actor for actor in waiting if actor.tick() is Status.RUNNING]
            itself = all(getattr(actor.node, "wakes_itself", False) for actor in waiting)
            if not waiting or not stage.pass_until_tick(itself):
                return

    stage = bench.play(script)
    for actor in stage.actors:
        raise_first(actor)
        if _ends(actor) != _ends(alone):
            raise Misbehaviour(f"beside another one {_describe(actor)}, alone {_describe(alone)}")


@NODE_CLASSES("N14", "update")
def the_same_again(bench: NodeBench) -> None:
    """A second node is played with the same values.

    The same values give the same statuses at the same times; time is that of `io.clock`, and
    chance has a seed::

        now = self.io.clock.now()  # not time.time()

    """
    first = bench.healthy()
    stage = bench.play_values()
    if stage.watch.is_held:
        raise NotTried("the play was held")
    (again,) = stage.actors
    raise_first(again)
    if first.external and _ends(first) == _ends(again):
        return
    if _story(first) != _story(again):
        raise Misbehaviour(f"another one {_describe(again)}, the first {_describe(first)}")


@NODE_CLASSES("N15", "update")
def values_are_of_their_types(bench: NodeBench) -> None:
    """The values that it writes are compared with its out ports.

    A number is a finite number, a text a text, a bool True or False::

        self.io.set("weight", float(grams) / 1000)

    """
    for actor in bench.plain.actors:
        for use in actor.sets:
            port = bench.ports.get(use.port)
            if port is not None and (why := _misfit(str(port.type), use.value)):
                raise Misbehaviour(f"the port '{use.port}' is {port.type}, not {why}", use.place)


@NODE_CLASSES("N16", "update")
def writes_its_own_ports(bench: NodeBench) -> None:
    """Its reads and writes of ports are looked at.

    It reads and writes the ports that it declares, and writes no `in` port::

        ports = {"weight": "out number"}
        ...
        self.io.set("weight", 1.5)

    """
    for actor in bench.plain.actors:
        for use in actor.uses:
            port = bench.ports.get(use.port)
            if port is None:
                what = f"it {_VERBS[use.what]} '{use.port}', which is none of its ports"
                raise Misbehaviour(what, use.place)
            if use.what == "set" and not port.writes:
                raise Misbehaviour(f"it writes '{use.port}', which is an in port", use.place)


@NODE_CLASSES("N17", "update")
def success_has_its_values(bench: NodeBench) -> None:
    """Its out ports are read after SUCCESS.

    What comes after it relies on them: each has been written when it returns SUCCESS::

        self.io.set("weight", weight)
        return Status.SUCCESS

    """
    actor = bench.healthy()
    if actor.status is not Status.SUCCESS:
        raise NotTried("it does not end with SUCCESS")
    written = {use.port for use in actor.sets}
    for name, port in bench.ports.items():
        if port.direction == "out" and name not in written:
            raise Misbehaviour(f"it returned SUCCESS and has not written the port '{name}'")


@NODE_CLASSES("N18", "update")
def ports_are_used_in_the_loop(bench: NodeBench) -> None:
    """The threads that use ports and set timers are looked at.

    Both belong to the loop's thread; a thread posts to its announced work, `update` takes that::

        self.work.post(weight)  # in the thread
        values = self.work.take()  # in update()

    """
    for actor in bench.plain.actors:
        for use in actor.uses:
            if not use.in_loop:
                raise Misbehaviour(f"a thread {_VERBS[use.what]} the port '{use.port}'", use.place)
        if actor.timers_off_loop:
            place = first_place(actor.timers_off_loop)
            raise Misbehaviour("a thread set a timer on io.clock", place)


@NODE_CLASSES("N19", "update")
def values_that_are_none(bench: NodeBench) -> None:
    """Each in port is none once, as a variable is that nobody has set.

    It is FAILURE, with the port in its feedback, or none is as good as a value; never raise::

        value = self.io.get("seconds")
        if not isinstance(value, int | float):
            self.feedback_message = f"'seconds' is {value!r}"
            return Status.FAILURE

    """
    _require_endurance(bench, [None])


@NODE_CLASSES("N20", "update")
def numbers_that_are_none(bench: NodeBench) -> None:
    """Each number is NaN and infinite once.

    It is FAILURE; a comparison with NaN is always false, so that a node may wait for ever::

        if not math.isfinite(seconds):
            return Status.FAILURE

    """
    _require_endurance(bench, [float("nan"), float("inf")], ("number",), must_end=True)


@NODE_CLASSES("N21", "update")
def values_of_another_type(bench: NodeBench) -> None:
    """Each in port has a value of another type once: a list, and an object.

    It is FAILURE, no exception: a type in `ports` is checked in files, and not while running::

        if not isinstance(text, str):
            return Status.FAILURE

    """
    _require_endurance(bench, [["a", "list"], object()])


@NODE_CLASSES("N22", "update")
def feedback_is_text(bench: NodeBench) -> None:
    """Its feedback is read.

    `feedback_message` is a text; people read it::

        self.feedback_message = f"{grams} g"

    """
    for actor in bench.plain.actors:
        message = getattr(actor.node, "feedback_message", "")
        if not isinstance(message, str):
            raise Misbehaviour(f"its feedback_message is a {type(message).__name__}")


@NODE_CLASSES("N23", "update")
def nothing_is_printed(bench: NodeBench) -> None:
    """Standard output is read.

    It belongs to the program, which may write JSON there; use `logging`, or the feedback::

        self.feedback_message = "weighing"

    """
    for text, place in bench.plain.watch.prints:
        raise Misbehaviour(f"it printed {text[:40]!r}", place)


@NODE_CLASSES("N24", "update")
def process_stays_as_it_is(bench: NodeBench) -> None:
    """The working directory, `os.environ`, `sys.path`, handlers and the seed of `random` are read.

    They belong to the whole program; change what is your own::

        self.rng = random.Random(7)  # not random.seed(7)

    """
    if bench.plain.watch.changes:
        raise Misbehaviour(f"it changed {', '.join(bench.plain.watch.changes)}")


_VERBS = {"get": "reads", "set": "writes"}


def _halted(bench: NodeBench) -> NodeStage:
    """A play in which a node is halted after its first tick."""
    bench.running()

    def script(stage: NodeStage) -> None:
        actor = bench.actor(stage)
        actor.tick()
        actor.halt()

    return bench.play(script)


def _story(actor: NodeActor, since: float = 0.0) -> list[tuple[Any, ...]]:
    """Its statuses and writes, with their times since the start of a round."""
    statuses = [(round(at - since, 6), status) for at, status in actor.statuses]
    times = [round(use.at - since, 6) for use in actor.sets]
    writes = list(zip(times, _writes(actor), strict=True))
    return [*statuses, *writes]


def _ends(actor: NodeActor) -> tuple[Any, ...]:
    return actor.status, _writes(actor)


def _writes(actor: NodeActor) -> list[tuple[str, str]]:
    """What an actor wrote; floats without the noise of sums."""
    values = [(use.port, use.value) for use in actor.sets]
    return [(name, repr(round(v, 6) if isinstance(v, float) else v)) for name, v in values]


def _describe(actor: NodeActor) -> str:
    names = [getattr(status, "name", str(status)) for _, status in actor.statuses]
    writes = "".join(f", {use.port}={use.value!r}" for use in actor.sets[:3])
    times = len(names)
    return f"it was {' '.join(names[:3])}{' …' if times > 3 else ''} in {times} ticks{writes}"


def _misfit(kind: str, value: object) -> str:
    """What a value is, if it is none of a plain type."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = {
        "number": is_number and isfinite(value),  # type: ignore[arg-type]
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "bool": isinstance(value, bool),
        "text": isinstance(value, str),
        "mapping": isinstance(value, Mapping),
    }
    return "" if fits.get(kind, True) else repr(value)


def _require_endurance(
    bench: NodeBench,
    values: list[object],
    kinds: tuple[str, ...] = (),
    *,
    must_end: bool = False,
) -> None:
    ended = bench.healthy().status is not Status.RUNNING
    names = [
        name
        for name, port in bench.ports.items()
        if port.direction != "out"
        and port.type != Named("any")
        and (not kinds or str(port.type) in kinds)
    ]
    if not names:
        raise NotTried("it has no such port")
    for name in names:
        for value in values:
            stage = bench.play_values({**bench.given, name: value})
            shown = "an object" if type(value) is object else repr(value)
            how = f"with {name}={shown}"
            if stage.watch.is_held:
                raise Misbehaviour(f"{how} {stage.call} does not return", stage.watch.held)
            (actor,) = stage.actors
            for noted in actor.raised:
                error = noted.error
                what = f"{how} {noted.call} raised {type(error).__name__}: {error}"
                raise Misbehaviour(what, noted.place)
            if must_end and ended and actor.status is Status.RUNNING:
                raise Misbehaviour(f"{how} it is RUNNING for ever")
