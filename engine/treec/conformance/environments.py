"""The trials of environments."""

from __future__ import annotations

from dataclasses import replace

from treec.conformance.environment_bench import (
    TURN,
    EnvironmentBench,
    EnvironmentPlay,
    missing_methods,
)
from treec.conformance.trial import Misbehaviour, NotTried, Trials
from treec.nodes.foreign import BadReport, check_effects, check_time
from treec.nodes.worker import Effect

ENVIRONMENTS = Trials("environment")

_SENSES = ("sense() at first", "sense() again", "sense() later", "sense() at last")


@ENVIRONMENTS("E01")
def is_opened(bench: EnvironmentBench) -> None:
    """The factory is called with the setup of a run.

    It returns the environment, or raises with what its user has to do: a cable, a package::

        def open_depot(setup: EnvironmentSetup) -> Environment:
            return Depot(setup)

    """
    call = bench.plain.calls["opening it"]
    if call.error is not None:
        what = f"opening it raised {type(call.error).__name__}: {call.error}"
        raise Misbehaviour(what, call.place)
    if call.value is None:
        raise Misbehaviour("opening it gave None")


@ENVIRONMENTS("E02")
def has_its_methods(bench: EnvironmentBench) -> None:
    """The methods of the environment are looked for.

    It has `busy`, `step`, `sense`, `notify` and `close`; `is_at_rest` says when a stopped robot
    moves no more::

        class Depot:
            @property
            def busy(self) -> bool: ...
            def step(self, until: float) -> float: ...
            def sense(self) -> tuple[Effect, ...]: ...
            def notify(self, effects: tuple[Effect, ...]) -> None: ...
            def close(self) -> None: ...

    """
    if bench.plain.environment is None:
        raise NotTried("it could not be opened")
    missing = missing_methods(bench.plain.environment)
    if missing:
        raise bench.wrong("", f"it has no {' and no '.join(missing)}")


@ENVIRONMENTS("E03")
def returns(bench: EnvironmentBench) -> None:
    """Every call is timed.

    No call waits: of a real robot `step` reads what has come, and returns; what takes time runs in
    a thread that is announced::

        work = setup.begin_external("the camera", limit=10.0)

    """
    play = bench.plain
    if play.watch.is_held:
        what = f"{play.current} has not returned after {play.watch.patience:g} s"
        raise Misbehaviour(what, play.watch.held)


@ENVIRONMENTS("E04")
def raises_nowhere(bench: EnvironmentBench) -> None:
    """It is stepped and sensed; what that raises is caught.

    An environment that raises is lost: its skills are stopped, and nothing begins there any more.
    Raise for that alone, and keep a value that cannot be sensed as unknown::

        Effect("at", (name,), None, "unknown")

    """
    for name, call in bench.healthy().calls.items():
        known = name.startswith(("step() ", "sense()", "busy"))
        if known and name != "step() back" and call.error is not None:
            what = f"{name} raised {type(call.error).__name__}: {call.error}"
            raise Misbehaviour(what, call.place)


@ENVIRONMENTS("E05")
def busy_says_whether(bench: EnvironmentBench) -> None:
    """`busy` is read before there is an order.

    It is a property that is True while an order is in progress, and False before::

        @property
        def busy(self) -> bool:
            return bool(self._orders)

    """
    value = bench.require_value("busy")
    if callable(value):
        raise bench.wrong("busy", "`busy` is a method, which is always true: make it a property")
    if not isinstance(value, bool):
        raise bench.wrong("busy", f"`busy` is {value!r}, not a bool")
    if value:
        raise bench.wrong("busy", "`busy` is True, and no order has begun")


@ENVIRONMENTS("E06")
def step_gives_a_time(bench: EnvironmentBench) -> None:
    """The times that `step` returns are read.

    It returns the time that it has reached, in seconds of the run::

        return until

    """
    for name, value in _steps(bench):
        try:
            check_time(value, name)
        except BadReport as error:
            raise bench.wrong("step", str(error)) from None


@ENVIRONMENTS("E07")
def step_goes_no_further(bench: EnvironmentBench) -> None:
    """The times that `step` returns are compared with those it was to reach.

    It goes no further than `until`; other robots wait for that time::

        while self.now + DT <= until + 1e-9:
            self._advance()
        return min(until, self.now)

    """
    ends = _ends(bench)
    for name, value in _steps(bench):
        if isinstance(value, int | float) and value > ends[name] + 1e-6:
            what = f"{name} was to reach {ends[name]:g} s and reached {value:g} s"
            raise bench.wrong("step", what)


@ENVIRONMENTS("E08")
def step_reaches_its_end(bench: EnvironmentBench) -> None:
    """Time passes while nothing is in progress.

    `step` returns earlier only if one of its workers has just reported something; otherwise it
    reaches `until`, also when that is less than a step of its own::

        return until

    """
    ends = _ends(bench)
    for name, value in _steps(bench):
        if isinstance(value, int | float) and value < ends[name] - 1e-6:
            what = f"{name} was to reach {ends[name]:g} s and reached {value:g} s"
            raise bench.wrong("step", f"{what}, and nothing was in progress")


@ENVIRONMENTS("E09")
def time_does_not_go_back(bench: EnvironmentBench) -> None:
    """`step` is called with a time that has passed.

    Nothing happens, and nothing is raised::

        if until <= self.now:
            return self.now

    """
    call = bench.healthy().calls["step() back"]
    if call.error is not None:
        what = f"step() to a time that has passed raised {type(call.error).__name__}: {call.error}"
        raise Misbehaviour(what, call.place)


@ENVIRONMENTS("E10")
def effects_have_their_form(bench: EnvironmentBench) -> None:
    """What `sense` returns is read.

    It is a tuple of Effects with plain, finite values::

        return (Effect("at", ("crate",), "dock", "sensed"),)

    """
    for name in _SENSES:
        try:
            check_effects(bench.require_value(name), "sense()")
        except BadReport as error:
            raise bench.wrong("sense", str(error)) from None


@ENVIRONMENTS("E11")
def every_sensor_senses(bench: EnvironmentBench) -> None:
    """What `sense` returns is compared with the sensors of the setup, and with what it gave before.

    Each sensor senses something, whether or not that has changed, and what is given once is given
    always. What is left out stays as it was believed to be; say that a value is unknown instead::

        for sensor in setup.sensors:
            for args in sensor.args:
                found.append(Effect(sensor.fact, args, self.value(sensor.fact, args), "sensed"))

    """
    if not bench.setup.sensors:
        raise NotTried("the setup has no sensors")
    found = {(effect.fact, effect.args) for effect in bench.effects(_SENSES[0])}
    for sensor in bench.setup.sensors:
        if sensor.args and found.isdisjoint((sensor.fact, args) for args in sensor.args):
            raise bench.wrong("sense", f"sense() leaves out all of '{sensor.fact}'")
    for fact, args in sorted(found - set(bench.sensed_facts)):
        raise bench.wrong("sense", f"sense() gives {fact}({', '.join(args)}), which has no sensor")
    for name in _SENSES[1:]:
        for fact, args in sorted(found - {(e.fact, e.args) for e in bench.effects(name)}):
            shown = f"{fact}({', '.join(args)})"
            raise bench.wrong("sense", f"{name} leaves out {shown}, which was sensed before")


@ENVIRONMENTS("E12")
def each_fact_once(bench: EnvironmentBench) -> None:
    """What `sense` returns is searched for facts that are there twice.

    Each fact has one value at a time::

        return tuple(found.values())  # by fact and arguments

    """
    effects = bench.effects(_SENSES[0])
    keys = [(effect.fact, effect.args) for effect in effects]
    for key in keys:
        if keys.count(key) > 1:
            fact, args = key
            raise bench.wrong("sense", f"sense() gives {fact}({', '.join(args)}) twice")


@ENVIRONMENTS("E13")
def values_are_of_their_types(bench: EnvironmentBench) -> None:
    """The values that `sense` returns are compared with those of the sensors.

    A fact without values is True or False; another one has one of its things as its value, or
    none::

        Effect("sealed", ("crate",), True, "sensed")
        Effect("at", ("crate",), None, "sensed")  # it is nowhere that has a name

    """
    if not bench.setup.sensors:
        raise NotTried("the setup has no sensors")
    for name in _SENSES:
        for effect in bench.effects(name):
            sensor = bench.sensed_facts.get((effect.fact, effect.args))
            if sensor is None or effect.value is None or effect.source == "unknown":
                continue
            shown = f"{effect.fact}({', '.join(effect.args)}) is {effect.value!r}"
            if bench.judge is not None:
                if why := bench.judge(effect):
                    raise bench.wrong("sense", why)
            elif sensor.values and effect.value not in sensor.values:
                raise bench.wrong("sense", f"{shown}, which is no thing that it can be")
            elif not sensor.values and not isinstance(effect.value, bool):
                raise bench.wrong("sense", f"{shown}, which is neither True nor False")


@ENVIRONMENTS("E14")
def what_is_sensed_is_sensed(bench: EnvironmentBench) -> None:
    """The sources of what `sense` returns are read.

    They are `sensed`, or `unknown`; `expected` is what a skill's file promises::

        Effect("at", ("crate",), "dock", "sensed")

    """
    for effect in bench.effects(_SENSES[0]):
        if effect.source == "expected":
            raise bench.wrong("sense", f"{effect.fact} is '{effect.source}', not 'sensed'")


@ENVIRONMENTS("E15")
def sensing_changes_nothing(bench: EnvironmentBench) -> None:
    """It is sensed twice at the same time.

    Looking changes nothing, and has no chance in it: noise belongs to the time, not to the call::

        self._noise = random.Random(f"{setup.seed} {self.now}")

    """
    first, again = bench.effects(_SENSES[0]), bench.effects(_SENSES[1])
    _require_equal(bench, first, again, "sensed again at the same time")


@ENVIRONMENTS("E16")
def the_same_seed(bench: EnvironmentBench) -> None:
    """It is opened twice with the same setup, and sensed and stepped in the same way.

    The same seed gives the same world, so that a run can be repeated::

        self._rng = random.Random(setup.seed)

    """
    before = [bench.effects(name) for name in _SENSES[:3]]
    now = bench.setup.time

    def script(play: EnvironmentPlay) -> None:
        # as in the plain play: an environment may give what has changed since it was last sensed
        play.sense(_SENSES[0])
        play.sense(_SENSES[1])
        play.step("step() to now", now)
        for number in range(1, 11):
            play.step(f"step() {number}", now + number * TURN)
        play.step("step() of a second", now + 1.0)
        play.step("step() of ten", now + 10.0)
        play.sense(_SENSES[2])

    calls = bench.play(script).calls
    for name, first in zip(_SENSES[:3], before, strict=True):
        call = calls.get(name)
        if call is None or call.error is not None or not isinstance(call.value, tuple | list):
            raise NotTried("it could not be sensed")
        _require_equal(bench, first, tuple(call.value), "opened again with the same seed")


@ENVIRONMENTS("E17")
def another_seed(bench: EnvironmentBench) -> None:
    """It is opened with other seeds: 1, and a large one.

    Every whole number is a seed::

        self._rng = random.Random(setup.seed)

    """
    bench.healthy()
    for seed in (1, 2**40):
        play = bench.play(lambda play: play.sense("sense()"), replace(bench.setup, seed=seed))
        for name, call in play.calls.items():
            if call.error is not None:
                what = f"with the seed {seed} {name} raised {type(call.error).__name__}"
                raise Misbehaviour(f"{what}: {call.error}", call.place)


@ENVIRONMENTS("E18")
def two_at_once(bench: EnvironmentBench) -> None:
    """A second one is opened, stepped and closed while the first is open.

    Each has a world of its own; what is closed with one is not the other's::

        def __init__(self, setup: EnvironmentSetup) -> None:
            self._facts = {}

    """
    bench.healthy()

    def script(play: EnvironmentPlay) -> None:
        play.sense("sense()")
        other = EnvironmentPlay(bench)
        other.watch = play.watch
        if other.open(bench.setup):
            for effect in bench.setup.facts[:20]:
                other.notify("notify()", replace(effect, value=None, source="unknown"))
            other.step("step()", bench.setup.time + 1.0)
            other.close()
        play.sense("sense() beside another")

    calls = bench.play(script).calls
    before, after = calls.get("sense()"), calls.get("sense() beside another")
    if before is None or after is None or before.error is not None:
        raise NotTried("it could not be sensed")
    if after.error is not None:
        what = f"when another one was closed, sense() raised {type(after.error).__name__}"
        raise Misbehaviour(f"{what}: {after.error}", after.place)
    _require_equal(bench, before.value, after.value, "when another one was told something")


@ENVIRONMENTS("E19")
def others_are_heard(bench: EnvironmentBench) -> None:
    """`notify` is called with facts of the setup, some of them unknown.

    What others have done is applied, or left as it is; it is nothing to raise for::

        for effect in effects:
            if effect.fact == "at" and effect.args[0] in self.bodies: ...

    """
    for name, call in bench.healthy().calls.items():
        is_known = name.startswith("notify()") and "of an unknown" not in name
        if is_known and call.error is not None:
            what = f"{name} raised {type(call.error).__name__}: {call.error}"
            raise Misbehaviour(what, call.place)


@ENVIRONMENTS("E20")
def what_is_not_its_own(bench: EnvironmentBench) -> None:
    """`notify` is called with a fact and a thing that it does not know.

    It hears what changes anywhere, and passes over what is not its own::

        body = self.bodies.get(effect.args[0])
        if body is None:
            continue

    """
    for name in ("notify() of an unknown fact", "notify() of an unknown thing"):
        call = bench.healthy().calls[name]
        if call.error is not None:
            what = f"{name} raised {type(call.error).__name__}: {call.error}"
            raise Misbehaviour(what, call.place)


@ENVIRONMENTS("E21")
def rest_is_yes_or_no(bench: EnvironmentBench) -> None:
    """`is_at_rest` is asked of all agents, and of one that it does not know.

    It is True where nothing moves, and of who has no body there::

        def is_at_rest(self, agent: str) -> bool:
            return agent not in self.robots or self.robots[agent].speed < 0.01

    """
    calls = {n: c for n, c in bench.healthy().calls.items() if n.startswith("is_at_rest(")}
    if not calls:
        raise NotTried("it has no `is_at_rest`")
    for name, call in calls.items():
        if call.error is not None:
            what = f"{name} raised {type(call.error).__name__}: {call.error}"
            raise Misbehaviour(what, call.place)
        if not isinstance(call.value, bool):
            raise bench.wrong("is_at_rest", f"{name} gave {call.value!r}, not a bool")


@ENVIRONMENTS("E22")
def is_closed(bench: EnvironmentBench) -> None:
    """It is closed, and closed again.

    All is released the first time; the second time nothing happens::

        def close(self) -> None:
            if self._device is not None:
                self._device.release()
                self._device = None

    """
    for name in ("close()", "close() again"):
        call = bench.healthy().calls.get(name)
        if call is not None and call.error is not None:
            what = f"{name} raised {type(call.error).__name__}: {call.error}"
            raise Misbehaviour(what, call.place)


@ENVIRONMENTS("E23")
def no_thread_is_left(bench: EnvironmentBench) -> None:
    """The threads of the process are counted after it was closed.

    `close` ends its threads, and waits for them::

        self._stop.set()
        self._thread.join(1.0)

    """
    bench.healthy()
    if bench.plain.watch.threads_left:
        name = bench.plain.watch.threads_left[0]
        raise bench.wrong("close", f"the thread '{name}' is still alive after close()")


@ENVIRONMENTS("E24")
def nothing_is_printed(bench: EnvironmentBench) -> None:
    """Standard output is read.

    It belongs to the program, which may write JSON there; use `logging`::

        logging.getLogger(__name__).info("the scene has %d bodies", len(bodies))

    """
    for text, place in bench.plain.watch.prints:
        raise Misbehaviour(f"it printed {text[:40]!r}", place)


@ENVIRONMENTS("E25")
def process_stays_as_it_is(bench: EnvironmentBench) -> None:
    """The working directory, `os.environ`, `sys.path`, handlers and the seed of `random` are read.

    They belong to the whole program; change what is your own::

        self._rng = random.Random(setup.seed)  # not random.seed(setup.seed)

    """
    if bench.plain.watch.changes:
        raise bench.wrong("", f"it changed {', '.join(bench.plain.watch.changes)}")


def _ends(bench: EnvironmentBench) -> dict[str, float]:
    now = bench.setup.time
    steps = {f"step() {number}": now + number * TURN for number in range(1, 11)}
    more = {"step() of a second": now + 1.0, "step() of ten": now + 10.0}
    return {"step() to now": now, **steps, **more}


def _steps(bench: EnvironmentBench) -> list[tuple[str, object]]:
    calls = bench.healthy().calls
    made = [(name, calls[name]) for name in _ends(bench) if name in calls]
    return [(name, call.value) for name, call in made if call.error is None]


def _require_equal(
    bench: EnvironmentBench, first: tuple[Effect, ...], again: tuple[Effect, ...], when: str
) -> None:
    try:
        values = {(e.fact, e.args): e.value for e in check_effects(first, "sense()")}
        effects = check_effects(again, "sense()")
    except BadReport as error:
        raise NotTried(str(error)) from None
    for effect in effects:
        key = (effect.fact, effect.args)
        if values.get(key) != effect.value:
            shown = f"{effect.fact}({', '.join(effect.args)})"
            what = f"{when}, {shown} is {effect.value!r}, and was {values.get(key)!r}"
            raise bench.wrong("sense", what)
