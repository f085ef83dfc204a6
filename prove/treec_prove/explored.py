"""A run whose every choice is made from outside: what can happen next, and to let it happen.

It is the run that ``treec run`` makes: the same compiled tree, world, contracts and workers. Only
three things are others. Its clock stands still, so that a skill may end at any moment and timers of
the engine go off one after the other. The answers of its model are given by whoever explores. Its
journal is kept nowhere.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from treec.ask.transport import Answer, Request, TransportError
from treec.nodes.foreign import set_up_nodes
from treec.nodes.modifiers.rate import Rate
from treec.nodes.worker import Outcome
from treec.run.loop import LoopError
from treec.run.run import Run
from treec.run.stop_button import SOURCE as STOP
from treec.run.users import SOURCE as USER
from treec.team.stop_words import STOP as STOP_ACT
from treec.world.clock import Timer
from treec.world.failures import Reported
from treec.world.spec import RunSpec
from treec_asking.asking import AskingNode, Exchange
from treec_asking.driver import _Flight
from treec_hearing.node import Reading
from treec_prove.answers import Answers
from treec_prove.fingerprints import Encoder
from treec_prove.happenings import PAIR, Happening
from treec_prove.moments import ChangeNumber, ProofClock, ProofJournal, cells_of
from treec_prove.past import Past
from treec_prove.refusals import groups_of_refused
from treec_prove.skill_limits import (
    end_limit,
    is_limit_of,
    limit_of,
    name_timers,
    named,
    open_limits,
)
from treec_prove.snapshots import Heap, HeapState
from treec_prove.steps import make_rewindable
from treec_prove.undecided import MODEL, UNDECIDED, Undecided, choose_by

if TYPE_CHECKING:
    from treec.files.view import View
    from treec.nodes.skill_run import SkillRun

STOP_ALL = "Stop!"
"""What people say to stop all robots."""

BUTTON: Happening = ("button",)
"""The stop button is pressed."""

FAILED = "failed"
"""The reason of a skill that fails."""

STEP = 0.01
"""Seconds between what happens, if timers are due at any moment."""

SAME = 1e-6
"""Seconds within which two moments are the same."""

MOST_MOMENTS = 24
"""Moments between two timers at which something is tried, at most."""

MOST_AT_ONCE = 8
"""Timers, each due at any moment, that may all be due at once; of more, not all are tried."""

MOST_TICKS = 5_000
"""Ticks in which a run must come to rest."""


class Restless(Exception):
    """A run that does not come to rest though nothing happens; the text says what changes."""


@dataclass(eq=False)
class OpenQuestion:
    """A question that waits for its answer."""

    request: Request
    flight: _Flight
    expires: Timer | None
    open_: list[OpenQuestion]

    @property
    def exchange(self) -> Exchange | None:
        """Who asks."""
        found = getattr(self.flight.deliver, "__self__", None)
        return found if isinstance(found, Exchange) else None

    def cancel(self) -> None:
        """Nothing is delivered after this."""
        self.flight.cancelled = True
        self.end(None)

    def end(self, result: Answer | Exception | None) -> None:
        """Deliver an answer, or none."""
        self.flight.end(result)
        if self.expires is not None:
            self.expires.cancel()
        if self in self.open_:
            self.open_.remove(self)


class ChosenAsker:
    """Keeps the questions of a run until somebody chooses their answers."""

    def __init__(self, run: Run) -> None:
        self.open: list[OpenQuestion] = []
        self._inbox = run.inbox
        self._clock = run.clock

    def start(
        self,
        request: Request,
        deliver: Callable[[Answer | Exception], None],
        deadline: float | None = None,
    ) -> OpenQuestion:
        """Keep a question."""
        asked = OpenQuestion(request, _Flight(self._inbox, deliver), None, self.open)
        if deadline is not None:

            def expire() -> None:
                asked.expires = None
                asked.end(TimeoutError(f"no answer within {deadline:g} s"))

            asked.expires = self._clock.call_at(self._clock.now() + deadline, expire)
        self.open.append(asked)
        return asked

    def together(self) -> Any:
        """Questions are kept at once."""
        from contextlib import nullcontext

        return nullcontext()

    @property
    def busy(self) -> bool:
        """Never: nothing answers in another thread."""
        return False

    def close(self) -> None:
        """Nothing is to be closed."""


class _NoTransport:
    """What a run is made with that asks a model; nobody asks it."""

    model = MODEL

    async def ask(self, request: Request) -> Answer:
        """Never called."""
        raise TransportError("nobody is asked")


@dataclass(frozen=True)
class Surroundings:
    """What may happen around a system: what people say, how often, and what goes wrong."""

    says: tuple[str, ...] = ()
    utterances: int | None = 0
    """How often people speak in a run, at most; None: each line once."""
    faults: tuple[str, ...] = ()
    """Events that each happen once, at any moment."""
    failures: int | None = 1
    """How many skills fail in a run, or take longer than a limit; None: any number."""
    asks: bool = True
    """Whether a model answers; else the rules decide alone."""
    answers: bool = True
    """Whether a model answers at all."""
    silent: bool = True
    """Whether a model may give no answer."""
    together: bool = True
    """Whether two things may happen at once."""
    items: int = 1
    """The most items of a list in an answer."""
    limits: bool = True
    """Whether limits of skills are over at any moment; else only when so much time has passed."""
    timed: bool = True
    """Whether timers are due as time passes; else each at any moment, in any order."""


@dataclass
class UsedUp:
    """How much of what is limited has been used up; part of the state."""

    utterances: int = 0
    said: tuple[str, ...] = ()
    """The lines, if each is said once."""
    failures: int = 0
    faults: tuple[str, ...] = ()


@dataclass
class Explored:
    """A run that is explored; what happens are tuples.

    ``("end", order)`` a worker's next timer goes off: most end with success then; ``("fail",
    order)`` it fails; ``("late", about)`` a time limit of skills is over; ``("says", text)``;
    ``("answer", number, json)`` of the questions that are open; ``("silent", number)``;
    ``("arrives", number)`` an answer that a node has asked for ahead comes, and ``("read", answers,
    one)``: these are read in the course of what happens;
    ``("time",)`` the engine's next timer goes off; ``("fault", line)``; ``("both", one, other)`` at
    the same moment; ``("before", seconds, one)`` so long before the engine's next timer, and not at
    the moment of the one before it (see ``other_moments``).
    """

    view: View
    spec: RunSpec
    world: Surroundings
    on_made: Callable[[Run], None] = lambda run: None
    """Called with the run before it begins, to watch it."""
    notes: set[str] = field(default_factory=set)
    conditions: Sequence[str] = ()
    """What else is evaluated in its states: the conditions of properties."""

    names_timers: ClassVar[bool] = False
    """Whether timers that are due as time passes say whose they are, too."""

    def __post_init__(self) -> None:
        from treec.program.faults import read_faults

        make_rewindable()
        self.clock = ProofClock()
        transport = _NoTransport() if self.world.asks else None
        self.run = run = Run(self.view, self.clock, ProofJournal(), self.spec, transport=transport)
        self.asker = ChosenAsker(run)
        if run.asker is not None:
            run.asker = run.runtime.asker = self.asker
        pace = run.runtime.pace
        pace.changes = ChangeNumber(0)
        pace.at_once = pace.failed_at_once = 0.0  # every skill takes some time
        self.faults = {text: read_faults([text], self.view)[0] for text in self.world.faults}
        self.spent = UsedUp()
        self.answers = Answers(self.world.items)
        self.broken: list[tuple[str, str]] = []
        """What has been broken in the last step: the property, and how."""
        self._take_orders(run)
        run.loop.after_tick = [
            hook for hook in run.loop.after_tick if "StatusRecorder" not in repr(hook)
        ]
        run.user = None
        run.world.claim()
        run.open_environments()
        set_up_nodes(run.root.iterate())
        for node in run.root.iterate():
            if isinstance(node, Reading):
                node.load_ear()
                remember_readings(node)
        if self.world.limits:
            open_limits(run)
            self.clock.limit_of = limit_of
        if not self.world.timed or self.names_timers:
            name_timers(run, is_open=not self.world.timed)
        if not self.world.timed:
            self.clock.name_all = named
        self.durations = {
            float(seconds)
            for node in run.root.iterate()
            for key in ("seconds", "period")
            if isinstance(seconds := vars(node).get(key), int | float) and seconds > 0
        }
        """How long nodes wait."""
        self.other_moments: tuple[Happening, ...] = ()
        """What has happened last, at other moments that make a difference."""
        self._left: deque[str] = deque()
        """Answers to be read in the present step."""
        self._made: list[str] = []
        """Those that were read in it."""
        self._named: dict[str, Timer] = {}
        """The timers by their names as the present step began: one that is over is no other's."""
        choose_by(run.runtime, self._choose)
        self.time = _TimeWatch(run)
        if not self.world.timed:
            self.time.was_looked_at = any(isinstance(node, Rate) for node in run.root.iterate())
        self.on_made(run)
        made = Heap(run, self.asker, self.spent)
        lines = None if self.world.faults else self.world.says
        self.encoder = Encoder(made, self.clock, Past(run, self.conditions, lines))
        self.rest()
        self.heap = Heap(run, self.asker, self.spent)  # most of what there is, is there by now
        self.encoder.follow(self.heap)

    def _take_orders(self, run: Run) -> None:
        """Number orders by their agents, and know whose timers are whose."""
        orders, clock = run.runtime.orders, self.clock
        new_order, host = orders.new, orders.host
        agents = list(run.team.now.agents)

        def numbered(*args: Any, **more: Any) -> str:
            known = orders._orders
            run = getattr(args[0], "__self__", None)
            number = agents.index(run.agent) if run is not None and run.agent in agents else 0
            while f"s{number + 1}" in known:
                number += len(agents)
            orders.continue_from(number)
            return new_order(*args, **more)

        def owned(order: str, module: str) -> Any:
            made: Any = host(order, module)
            made.clock = _OwnClock(made.clock, clock, order)
            return made

        orders.new = numbered  # type: ignore[method-assign]
        orders.host = owned  # type: ignore[method-assign, assignment]

    # States

    def save(self) -> HeapState:
        """The state as it is."""
        self.clock.tidy()
        return self.heap.save()

    def restore(self, state: HeapState) -> None:
        """Go back to a state."""
        self.heap.restore(state)

    def fingerprint(self, state: HeapState, *more: object) -> bytes:
        """What is the same for equal states; of the state it is in, saved as ``state``."""
        return self.encoder.fingerprint(state, *more)

    # What can happen

    def orders(self) -> list[SkillRun]:
        """The skills whose workers are at work, in order of their numbers."""
        runs = self.run.runtime.arbiter._runs
        found = [r for r in runs if r._order is not None and r._outcome is None and not r._asks]
        return sorted(found, key=lambda r: int(r._order.id[1:]))  # type: ignore[union-attr]

    def happenings(self) -> list[Happening]:
        """All that can happen next, in a fixed order."""
        world, spent = self.world, self.spent
        ends: list[Happening] = []
        may_fail = world.failures is None or spent.failures < world.failures
        for run in self.orders():
            assert run._order is not None
            id = run._order.id
            if self.clock.of_order(id):
                ends.append(("end", id))
            if may_fail:
                ends.append(("fail", id))
        timers: list[Happening] = []
        for about, timer in self.clock.limits():
            if may_fail or not self._makes_late(timer):
                of = ends if limit_of(timer) is not None else timers
                of.append(("late", about))
        said: list[Happening] = []
        if world.utterances is None:
            said = [("says", text) for text in world.says if text not in spent.said]
        elif spent.utterances < world.utterances:
            said = [("says", text) for text in world.says]
        answers: list[Happening] = []
        for number, asked in enumerate(self.asker.open):
            answers += self._answers(number, asked)
        faults: list[Happening] = [
            ("fault", text) for text in self.faults if text not in spent.faults
        ]
        found = [*answers, *ends, *said, *faults]
        if self.clock.own():
            found.append(("time",))
        if world.together:
            found += self._together(ends, said)
        found += self._open_timers(timers)
        return found

    def _open_timers(self, timers: Sequence[Happening]) -> Iterator[Happening]:
        """Each timer, and any of them at once: they may have been set at other moments."""
        if len(timers) > MOST_AT_ONCE:
            self.answers.was_cut = True
        for number in range(1, 1 + (len(timers) if len(timers) <= MOST_AT_ONCE else PAIR)):
            for group in combinations(timers, number):
                yield reduce(lambda one, other: ("both", one, other), group)

    def late(self) -> set[str]:
        """What the limits are about that would make a skill late, which is at work."""
        return {about for about, timer in self.clock.limits() if self._makes_late(timer)}

    def _makes_late(self, timer: Timer) -> bool:
        """Whether a skill is at work that is late if a limit is over; else it is no failure."""
        return any(
            is_limit_of(timer, run)
            for run in self.orders()
            if run._order is not None and self.clock.of_order(run._order.id)
        )

    def _together(
        self, ends: Sequence[Happening], said: Sequence[Happening]
    ) -> Iterator[Happening]:
        """Two ends, in both sequences, but of one order only its end and its limit; words, too."""
        most, spent = self.world.failures, self.spent.failures
        for one in ends:
            for other in ends:
                fails = sum(it[0] != "end" for it in (one, other))
                if most is not None and spent + fails > most:
                    continue
                if other[1] != one[1] or {one[0], other[0]} == {"end", "late"}:
                    yield ("both", one, other)
            for words in said:
                yield from (("both", one, words), ("both", words, one))

    def _answers(self, number: int, asked: OpenQuestion) -> Iterator[Happening]:
        if self.world.answers and self._is_ahead(asked.exchange):
            yield ("arrives", number)
        elif self.world.answers:
            for text in self.answers_to(asked.request.schema, asked.request.kind):
                yield ("answer", number, text)
        if self.world.silent:
            yield ("silent", number)

    def answers_to(self, schema: Mapping[str, Any], kind: str) -> list[str]:
        """The answers to a question of a kind of file, as JSON."""
        texts = [u.text for u in self.run.team.unread] if kind == "reading" else ()
        found = self.answers.all(schema, texts)
        return [json.dumps(value, ensure_ascii=False) for value in found]

    def _is_ahead(self, exchange: Exchange | None) -> bool:
        """Whether nobody waits for an answer: it will be read later, if at all."""
        return exchange is not None and any(
            isinstance(node, AskingNode) and node._prepared is exchange
            for node in self.run.root.iterate()
        )

    def _choose(self, exchange: Exchange) -> Answer:
        """The answer that a node reads now. Raises Undecided."""
        if not self._left:
            options = self.answers_to(exchange._schema, exchange.entry.kind)
            alike = groups_of_refused(self.run, exchange, options)
            raise Undecided(options, alike, self._made)
        text = self._left.popleft()
        self._made.append(text)
        self.note_choice(exchange, text)
        return Answer(text, by=MODEL)

    def note_choice(self, exchange: Exchange, text: str) -> None:
        """Take note of an answer that is read, and that came before."""

    # Letting it happen

    def let(self, happening: Happening) -> None:
        """Let something happen, and tick until the run is at rest. Raises Restless, Undecided."""
        before, now = self.clock.own(), self.clock.now()
        if not self.world.timed:  # so that what happens later is later
            self.clock.pass_to(now + STEP)
        self._left.clear()
        self._made.clear()
        self._named = self.timers_by_name()
        self._begin(happening)
        self.rest()
        self.other_moments = ()
        word = happening[2][0] if happening[0] == "read" else happening[0]
        if before and word not in ("time", "before"):
            self.other_moments = tuple(self._find_moments(happening, before, now))

    def timers_by_name(self) -> dict[str, Timer]:
        """The timers that may be due at any moment."""
        return dict(self.clock.limits())

    def _find_moments(
        self, happening: Happening, before: Sequence[Timer], now: float
    ) -> Iterator[Happening]:
        """The moments before the next timer that make a difference to what has happened.

        It began timers; which of these, and of those that may be set after them, is due before,
        with or after one that was running, depends on the moment: it turns where the two are due
        together. One moment at and one after each such point stand for all.
        """
        known = set(before)
        new = [timer for timer in self.clock.own() if timer not in known]
        until = before[0].when - now
        points: set[float] = set()
        for timer in new:
            follow = {timer.when - now}
            for _ in range(2):
                follow |= {one + more for one in follow for more in self.durations}
            for old in before:
                if not (is_promise(timer) and is_promise(old)):
                    points |= {round(old.when - now - one, 6) for one in follow}
        found = sorted(one for one in points if 0 <= one < until - SAME)
        if len(found) > MOST_MOMENTS:
            self.notes.add(f"between two timers {MOST_MOMENTS} moments are tried, at most")
            found = found[:MOST_MOMENTS]
        for one, following in pairwise([*found, until]):
            after = one + min(0.5, (following - one) / 2)  # soon: skills have limits
            yield ("before", round(until - after, 6), happening)
        for one in found:
            if one > SAME:
                yield ("before", round(until - one, 6), happening)

    def _begin(self, happening: Happening) -> None:
        run, spent = self.run, self.spent
        match happening:
            case ("end", order):
                self.clock.let_go(self.clock.of_order(order)[:1])
            case ("fail", order):
                spent.failures += self.world.failures is not None
                self._fail(order)
            case ("late", about):
                self._let_late(about)
            case ("before", seconds, one):
                self.clock.pass_to(self.clock.own()[0].when - seconds)
                self._begin(one)
            case ("says", text):
                if self.world.utterances is None:
                    spent.said = tuple(sorted((*spent.said, text)))
                else:
                    spent.utterances += 1
                run.inbox.post(USER, text)
            case ("answer", number, text):
                self.asker.open[number].end(Answer(text, by=MODEL))
            case ("arrives", number):
                self.asker.open[number].end(UNDECIDED)
            case ("read", answers, one):
                self._left += answers
                self._begin(one)
            case ("silent", number):
                self.asker.open[number].end(TimeoutError("no answer"))
            case ("time",):
                first = self.clock.own()[0].when
                self.clock.let_go([t for t in self.clock.own() if t.when < first + SAME])
            case ("button",):
                run.inbox.post(STOP, "stop", at=float("-inf"))
            case ("fault", line):
                spent.faults = tuple(sorted((*spent.faults, line)))
                run.injector.post(self.faults[line], "prove")
            case ("both", one, other):
                self._begin(one)
                self._begin(other)
            case _:
                raise ValueError(f"nobody knows how to let {happening!r} happen")

    def _fail(self, order: str) -> None:
        found = next(r for r in self.orders() if r._order is not None and r._order.id == order)
        worker = found._worker
        assert worker is not None
        worker.cancel()
        outcome = Outcome(False, Reported(FAILED), type(worker).__module__)
        self.run.runtime.orders.finish(order, outcome)

    def _let_late(self, about: str) -> None:
        timer = self._named[about]
        if timer.cancelled:
            return
        is_counted = self.world.failures is not None and self._makes_late(timer)
        self.spent.failures += is_counted
        end_limit(timer)
        self.clock.let_go([timer])

    def rest(self) -> None:
        """Tick until nothing is left to do at this moment. Raises Restless."""
        loop, inbox = self.run.loop, self.run.inbox
        for _ in range(MOST_TICKS):
            try:
                again = loop._step_or_rest()
            except LoopError as error:
                raise Restless(str(error)) from None
            if not again and not inbox.ready():
                self._drop_met()
                if not self.world.timed:  # who waits for a robot to be at rest looks at the clock
                    self.time.was_looked_at |= bool(self.run.runtime.arbiter._waiting)
                return
        raise Restless(f"{MOST_TICKS:,} ticks, and it is not at rest")

    def _drop_met(self) -> None:
        """Cancel timers of promises that are kept: they would do nothing but let time pass."""
        open_ = self.run.monitor._open
        for timer in self.clock.pending():
            if not is_promise(timer):
                continue
            if not self.world.timed or cells_of(timer)["key"].cell_contents not in open_:
                timer.cancel()

    def stops(self) -> list[tuple[Happening, ...]]:
        """The ways to stop all: by the button, by words, and as a skill ends at the same moment."""
        found: list[tuple[Happening, ...]] = [(BUTTON,)]
        if not self._hears_stops:
            return found
        stop: Happening = ("says", STOP_ALL)
        found.append((stop,))
        for order in self.orders() if self.world.together else ():
            assert order._order is not None
            if self.clock.of_order(order._order.id):
                end: Happening = ("end", order._order.id)
                found += ((end, stop), (stop, end))
        return found

    @cached_property
    def _hears_stops(self) -> bool:
        """Whether there is somebody to say so, and a reading that knows what is meant."""
        readings = (entry.model for entry in self.view.all("reading").values())
        return bool(self.view.people) and any(
            set(model.acts.get(STOP_ACT, ())) == {"agent"} for model in readings
        )

    def stop_all(self, happenings: Sequence[Happening]) -> list[str]:
        """Let a stop happen, tick once, and say whose skills go on. Raises Undecided."""
        self._left.clear()
        self._made.clear()
        for one in happenings:
            self._begin(one)
        self.run.loop.turn()
        return [run.title for run in self.run.runtime.arbiter._runs]


def is_promise(timer: Timer) -> bool:
    """Whether a timer is the deadline of what a contract promises."""
    return getattr(timer.callback, "__qualname__", "") == "Monitor._due.<locals>.check"


class _TimeWatch:
    """Notes whether something in a tick looked at the time, or at how long ago something was."""

    is_fixed: ClassVar[bool] = True
    """It is no part of a run's state."""

    def __init__(self, run: Run) -> None:
        self.was_looked_at = False
        watch: Any = run.world.watch
        now, elapsed = watch.now, watch.elapsed

        def look_at_now() -> float:
            self.was_looked_at |= watch._ticking
            found: float = now()
            return found

        def look_at_elapsed(seconds: float) -> float:
            self.was_looked_at |= watch._ticking
            found: float = elapsed(seconds)
            return found

        watch.now, watch.elapsed = look_at_now, look_at_elapsed


class _WordsRead(dict[tuple[str, str], list[Any]]):
    """What is kept of words that were read; it is no part of a run's state."""

    is_fixed: ClassVar[bool] = True


def remember_readings(node: Reading) -> None:
    """Read the same words in the same talk once: what is heard depends on nothing else."""
    known = _WordsRead()
    parse = node._parse

    def remembered(text: str) -> list[Any]:
        key = text, repr(node._context())
        if key not in known:
            known[key] = parse(text)
        return [dict(act) for act in known[key]]

    node._parse = remembered  # type: ignore[method-assign]


class _OwnClock:
    """The clock of a worker: its timers are known as its own."""

    def __init__(self, guarded: Any, clock: ProofClock, order: str) -> None:
        self._guarded = guarded
        self._clock = clock
        self._order = order

    def now(self) -> float:
        """Seconds since the run began."""
        return float(self._guarded.now())

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` at ``when``, or whenever it is chosen to."""
        self._clock.owner = self._order
        try:
            timer: Timer = self._guarded.call_at(when, callback)
        finally:
            self._clock.owner = ""
        return timer
