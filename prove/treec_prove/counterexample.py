"""Makes a scenario of what was found, and confirms it by really running it.

While states are explored the clock stands still. Here the same happens once more, a moment after
each other: skills get durations, answers come late by so much, people wait so long before they
speak. The scenario lists these, and a run of it, with nothing of this package in it but the look
at the property, says whether it is broken. What it expects fails where the property is broken, if
the files have words for it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import yaml

from treec.files.entry import Entry
from treec.files.systems import ScenarioFile
from treec.nodes.events import Asked as AskedRecord
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.run import Run
from treec.run.stop_button import SOURCE as STOP_BUTTON
from treec.run.users import evaluate_or_none
from treec.source.errors import TreecError
from treec.team.events import Said
from treec.world.clock import Timer, VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec_prove.expander import is_by_button
from treec_prove.explored import FAILED, SAME, STOP_ALL, Explored, Restless, is_promise
from treec_prove.happenings import Happening, parts_of
from treec_prove.moments import PassedTime, cells_of
from treec_prove.properties import (
    DEADLOCK,
    FINISHES,
    STOP,
    PropertyJudge,
    find_deadlock,
    has_work,
)
from treec_prove.search import Broken
from treec_prove.skill_limits import limit_of, named
from treec_prove.undecided import Undecided

if TYPE_CHECKING:
    from treec.files.view import View
    from treec.world.facts import FactValue
    from treec.world.spec import RunSpec
    from treec_asking.asking import Exchange

MOMENT = 1.0
"""Seconds between two things that happen, if no timer of the engine is due in between."""

LEAST = 0.6
"""Seconds that a skill must take at least, so that nothing paces it."""

NEVER = 3600.0
"""After so many seconds an answer comes that nobody waits for any more."""

SOON = 0.1
"""Seconds after which a run of the scenario ends if the state it has come to is what is wrong."""

AFTER = 60.0
"""Seconds that a run of the scenario may go on after the last of them."""


@dataclass
class _Question:
    """A question to the model: whose, when, and what came after how many seconds."""

    node: str
    since: float
    path: str
    after: float = NEVER
    value: object = None


class _Concrete(Explored):
    """The same run, in which time passes before whatever happens."""

    names_timers: ClassVar[bool] = True
    timers_are_real = True
    """Whether timers were due as time passed while what happens was found."""
    limits_are_open = False
    """Whether limits of skills were no timers while what happens was found."""

    def __post_init__(self) -> None:
        self.starts: dict[str, tuple[float, SkillStarted]] = {}
        """The orders in flight: since when."""
        self.calls: list[tuple[float, float | None, SkillStarted, bool]] = []
        """When calls began and ended, and whether they failed by themselves."""
        self.asked: list[_Question] = []
        self.lines: list[tuple[float, str]] = []
        self.injected: list[tuple[float, str]] = []
        self.fails: set[str] = set()
        self.problem = ""
        self.stopped_at = 0.0
        self.lost: list[str] = []
        """What is so since a stop was lost."""
        on_made = self.on_made

        def watch(run: Run) -> None:
            on_made(run)
            run.world.subscribe(self._follow, traces=True)

        self.on_made = watch
        super().__post_init__()

    def describe(self, happening: Happening) -> str:
        """What happens now, in words, with the names of the skills, nodes and contracts."""
        names = {run._order.id: run.title for run in self.orders() if run._order is not None}
        first = self.clock.own()[0].when if self.clock.own() else 0.0
        due = [describe_timer(t) for t in self.clock.own() if t.when < first + SAME]
        return describe(happening, names, ", ".join(dict.fromkeys(due)))

    def let(self, happening: Happening) -> None:
        """Let a moment pass, then let it happen. Raises ValueError."""
        limits = [one[1] for one in parts_of(happening) if one[0] == "late"]
        when = happening[2] if happening[0] == "read" else happening
        if limits:
            self._pass_to_limit(limits)
        elif when[0] == "before":
            own = self.clock.own()
            due = [t.when for t in own if not (self.limits_are_open and limit_of(t))]
            if due[0] - when[1] > own[0].when:
                raise ValueError("a time limit is over before")
            self._pass_to(due[0] - when[1])
        elif when[0] != "time":
            self._pass()
        super().let(happening)

    def _pass_to_limit(self, about: list[str]) -> None:
        """Let so much time pass that limits are over, which must be the next timers."""
        own = [timer for timer in self.clock.own() if self.timers_are_real or not is_promise(timer)]
        due = {name: timer.when for name, timer in named(own)}
        if any(due.get(one, math.inf) > own[0].when for one in about):
            raise ValueError("another timer is due before the time limit")
        if not self.timers_are_real:  # what is promised was of no account
            self.clock.let_go([t for t in self.clock.own() if is_promise(t) and t < own[0]])
        self.clock._now = PassedTime(max(self.clock.now(), own[0].when))

    def stop(self, happenings: tuple[Happening, ...]) -> None:
        """Let a moment pass, then a stop happen, which is lost here, too. Raises ValueError."""
        self._pass()
        self.stopped_at = float(self.clock.now())
        if not self.stop_all(happenings):
            raise ValueError("the stop is not lost")
        before = dict(self.run.world.facts)
        with suppress(Restless):
            self._go_on()
        self.lost = [
            f"{name}({', '.join(map(repr, args))}) == {_literal(fact.value)}"
            for (name, args), fact in self.run.world.facts
            if fact.value is not None and _value(before.get((name, args))) != fact.value
        ]

    def _go_on(self) -> None:
        """Let skills that a stop has not stopped come to their end, a moment later."""
        self._pass()
        for run in self.orders():
            assert run._order is not None
            if self.clock.of_order(run._order.id):
                self._begin(("end", run._order.id))
        self.rest()

    def _pass(self) -> None:
        now = self.clock.now()
        own = self.clock.own()
        ahead = own[0].when - now if own else MOMENT * 2
        step = min(MOMENT, max(ahead / 2, min(LEAST, ahead * 0.9)))
        self._pass_to(now + step)

    def _pass_to(self, time: float) -> None:
        if time - self.clock.now() < LEAST:
            self.problem = "it needs more to happen before a timer than skills can do by then"
        self.clock.pass_to(time)

    def _let_late(self, about: str) -> None:
        self.clock.let_go([self._named[about]])

    def timers_by_name(self) -> dict[str, Timer]:
        """The timers of the engine."""
        return dict(named(self.clock.own()))

    def _begin(self, happening: Happening) -> None:
        now = float(self.clock.now())
        match happening:
            case ("fail", order):
                self.fails.add(order)
            case ("says", text):
                self.lines.append((now, text))
            case ("answer", number, text):
                self._answer(number, json.loads(text))
            case ("arrives", number):
                request = self.asker.open[number].request
                self._answer(number, json.loads(self.answers_to(request.schema, request.kind)[0]))
            case ("silent", number):
                self._answer(number, None)
            case ("fault", line):
                self.injected.append((now, line))
        super()._begin(happening)

    def _answer(self, number: int, value: object) -> None:
        asked = self._asked_by(self.asker.open[number].exchange)
        asked.after, asked.value = float(self.clock.now()) - asked.since, value

    def note_choice(self, exchange: Exchange, text: str) -> None:
        """Let the answer that came before be the one that is read now."""
        self._asked_by(exchange).value = json.loads(text)

    def _asked_by(self, exchange: Exchange | None) -> _Question:
        """The last question of a node."""
        path = getattr(exchange, "path", None)
        return next(one for one in reversed(self.asked) if one.path == path)

    def _follow(self, record: Record) -> None:
        for event in flat(record.event):
            match event:
                case AskedRecord():
                    self.asked.append(_Question(event.name, float(record.t), event.node))
                case SkillStarted():
                    self.starts[event.id] = float(record.t), event
                case SkillEnded(id=str(id)) if id in self.starts:
                    since, started = self.starts.pop(id)
                    # one that has timed out fails in the scenario: `take` would give it more time
                    failed = id in self.fails or event.failed
                    by_itself = event.ok or failed
                    self.calls.append((since, float(record.t), started, failed))
                    if not by_itself:  # it would have gone on
                        self.calls[-1] = (since, None, started, False)
                    self.fails.discard(id)

    def open_calls(self) -> list[tuple[float, float | None, SkillStarted, bool]]:
        """All calls in the order in which they began."""
        still = [(since, None, event, False) for since, event in self.starts.values()]
        return sorted([*self.calls, *still], key=lambda call: call[0])


@dataclass
class Counterexample:
    """A property that is broken, with the scenario that shows it."""

    broken: Broken
    scenario: Mapping[str, Any] | None
    is_confirmed: bool
    why_not: str
    is_test: bool = True
    """Whether a run of the scenario fails, as far as facts or the property's words can show it."""
    steps: list[str] = field(default_factory=list)
    """What happens, in words."""

    def text(self) -> str:
        """The scenario as a file."""
        assert self.scenario is not None
        data = dict(self.scenario)
        return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100))


def counterexample(
    explored: Explored, judge: PropertyJudge, broken: Broken, name: str, limit: float = 3600.0
) -> Counterexample:
    """The scenario of a broken property, confirmed by a run of it or not."""
    again = PropertyJudge((), judge.properties)
    again.contracts = judge.contracts
    world = replace(explored.world, limits=False, timed=True)
    try:
        concrete = _Concrete(explored.view, explored.spec, world, on_made=again.watch)
        concrete.limits_are_open = explored.world.limits
        concrete.timers_are_real = explored.world.timed
        steps = []
        for happening in broken.path:
            told = concrete.describe(happening)
            concrete.let(happening)
            steps.append(f"{round(float(concrete.clock.now()), 3):g} s: {told}")
        if broken.stop:
            told = "; ".join(map(concrete.describe, broken.stop))
            concrete.stop(broken.stop)
            steps.append(f"{concrete.stopped_at:g} s: {told}")
    except (Restless, Undecided, LookupError, StopIteration, ValueError) as error:
        why = f"with times it goes another way: {error}"
        return Counterexample(broken, None, False, why)
    scenario = _scenario(concrete, broken, name, not broken.is_seen)
    if (goal := _goal(concrete, judge, broken)) is not None:
        scenario["expect"] |= goal
    found = Counterexample(broken, scenario, False, "", steps=steps)
    try:
        found.is_confirmed, fails = _confirm(concrete, judge, broken, found)
        found.is_test = fails or goal is None
        if not fails:
            scenario["expect"]["finally"] = "true"
    except TreecError as error:
        found.why_not = str(error)
    if not found.is_confirmed and not found.why_not:
        found.why_not = concrete.problem or "a run of the scenario does not break it"
    return found


def told_of(property_: str) -> str:
    """How a scenario that breaks a property begins to say so."""
    return f"Found by treec prove: '{property_}' is broken"


def describe(happening: Happening, names: Mapping[str, str] = {}, due: str = "") -> str:
    """What happens, in words: ``names`` of skills by their orders; which timers are ``due``."""

    def say(one: Happening) -> str:
        return describe(one, names, due)

    match happening:
        case ("before", _, one):
            return say(one)
        case ("end", order):
            return f"{names.get(order, f'the skill {order}')} goes on, or ends"
        case ("fail", order):
            return f"{names.get(order, f'the skill {order}')} fails"
        case ("late", about, *_):
            return f"the time limit of {names.get(about, about)} is over"
        case ("says", text):
            return f"somebody says '{text}'"
        case ("answer", _, text):
            return f"the model answers {text}"
        case ("silent", _):
            return "the model does not answer"
        case ("arrives", _):
            return "the answer to a question that was asked ahead comes"
        case ("read", answers, one):
            return f"{say(one)}; what the model had answered is read: {', '.join(answers)}"
        case ("button",):
            return "the stop button is pressed"
        case ("time",):
            return due or "a timer is due"
        case ("fault", line):
            return str(line)
        case ("both", one, other):
            return f"at once: {say(one)}; {say(other)}"
    return " ".join(map(str, happening))


def describe_timer(timer: Timer) -> str:
    """What it means that a timer is due, in words."""
    inside = cells_of(timer)
    if is_promise(timer):
        return f"the time of the contract '{inside['name'].cell_contents}' is over"
    if "asked" in inside and "deadline" in inside:
        return f"the model has not answered '{inside['asked'].cell_contents.request.node}' in time"
    name = getattr(getattr(timer.callback, "__self__", None), "name", None)
    return f"the time of '{name.rpartition('/')[2]}' is over" if name else "a timer is due"


def _scenario(run: _Concrete, broken: Broken, name: str, is_about_later: bool) -> dict[str, Any]:
    """The file's content; what goes on at its end takes its time if that is ``is_about_later``."""
    faults: list[str] = []
    for since, until, started, failed in run.open_calls():
        call = f"{started.skill}({_arguments(started)})"
        at = f"{max(0.0, round(since - 0.01, 3)):g}s: " if since > 0.02 else ""
        if until is None and is_about_later:
            continue  # it need not be late
        if until is None:
            takes = AFTER * 10
        else:
            takes = round((until - since) * (2 if failed else 1), 3)
        faults.append(f"{at}take {call} in {takes:g}s")
        if failed:
            faults.append(f"{at}fail {call} at 50%: {FAILED}")
    faults += [f"{round(t, 3):g}s: {line}" for t, line in run.injected]
    user, before = [], 0.0
    for t, text in run.lines:
        user.append({"says": text, "after": f"{round(t - before, 3):g}s"})
        before = t
    end = float(run.clock.now()) + AFTER
    user.append(
        {"says": "", "after": f"{round(end - before - 1, 3):g}s"}
    )  # the run goes on so long
    content: dict[str, Any] = {
        "scenario": name,
        "about": f"{told_of(broken.property)} ({broken.how}).",
        "system": run.run.system.name,
    }
    if run.spec.scene:
        content["scene"] = run.spec.scene
    if user:
        content["user"] = user
    if faults:
        content["faults"] = faults
    if run.asked:
        content["answers"] = [
            {"node": one.node, "after": f"{round(one.after, 3):g}s", "answer": one.value}
            for one in run.asked
        ]
    # it ends by its time: what is broken shows by then
    content["expect"] = {"finally": "true", "within": f"{round(end, 3):g}s"}
    return content


def _value(fact: FactValue | None) -> object:
    return None if fact is None else fact.value


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


NOBODY_AT_WORK = "not (robots | selectattr('current') | list)"


def _goal(run: _Concrete, judge: PropertyJudge, broken: Broken) -> dict[str, Any] | None:
    """What a run of the scenario must come to if the property holds; None if no words say so."""
    if broken.stop:
        heard = not is_by_button(broken.stop) and run.lost
        return {"finally": f"not ({' or '.join(run.lost)})"} if heard else None
    if broken.property in (FINISHES, DEADLOCK):
        return {"finally": NOBODY_AT_WORK}
    for one in (*judge.properties, *judge.later):
        if one.text == broken.property and one.word != "rules":
            goal = f"not ({one.then})" if one.word == "never" else one.then
            if not broken.is_seen:
                return {"finally": goal}
            if one.word == "until":
                goal = f"({one.first}) or ({goal})"
            return {"finally": goal, "within": f"{round(float(run.clock.now()) + SOON, 3):g}s"}
    return None


def _arguments(started: SkillStarted) -> str:
    given = {"agent": started.agent, **started.args}
    return ", ".join(f"{name}={value}" for name, value in given.items())


def _confirm(
    run: _Concrete, judge: PropertyJudge, broken: Broken, found: Counterexample
) -> tuple[bool, bool]:
    """Run the scenario; whether the same property is broken in it, and its expectation fails.

    Raises TreecError.
    """
    assert found.scenario is not None
    model = ScenarioFile.model_validate(found.scenario)
    view: View = run.view
    base = next(iter(view.all("contract").values()), None) or view.system
    assert base is not None
    entry = Entry("scenario", model.scenario, model, base.node, base.file)
    spec: RunSpec = replace(run.spec, scenario=model.scenario, seed=None)
    watching = PropertyJudge((), judge.properties)
    watching.contracts = judge.contracts
    real = Run(view.including(entry), VirtualClock(), Journal.in_memory(), spec)
    watching.watch(real)
    real.world.claim()
    real.open_environments()
    deadline = float(run.clock.now()) + AFTER / 2
    is_lost = broken.property == STOP and _loses_stop(real, run, broken, deadline)
    expected = model.expect
    real.loop.run(lambda: False, min(expected.within or deadline, deadline))
    fails = not evaluate_or_none(expected.finally_, real.scope)
    if not (broken.is_seen and broken.property in [one.text for one in judge.later]):
        real.loop.run(lambda: False, deadline)
    names = {name for name, _ in watching.take()}
    later = next((one for one in judge.later if one.text == broken.property), None)
    if later is not None:
        first, then = later.holds_now(real)
        return not then and (later.word != "until" or not first), fails
    if broken.property == FINISHES:
        return has_work(real), fails
    if broken.property == DEADLOCK:
        return bool(find_deadlock(real, bool(real.runtime.is_at_work))), fails
    return is_lost or broken.property in names, fails


def _loses_stop(real: Run, run: _Concrete, broken: Broken, deadline: float) -> bool:
    """Run until a stop has come and the tree has ticked; whether a skill goes on all the same."""
    lines = sum(text == STOP_ALL for _, text in run.lines)
    heard = 0
    still: bool | None = None

    def press() -> None:
        nonlocal heard
        heard += lines + 1
        real.inbox.post(STOP_BUTTON, "stop", at=-math.inf)

    def follow(record: Record) -> None:
        nonlocal heard
        events = flat(record.event)
        heard += sum(isinstance(one, Said) and one.text == STOP_ALL for one in events)

    def look() -> None:
        nonlocal still
        if heard >= max(lines, 1) and still is None:
            still = bool(real.runtime.arbiter._runs)

    if is_by_button(broken.stop):
        real.clock.call_at(run.stopped_at, press)
    else:
        real.world.subscribe(follow)
    real.loop.after_tick.append(look)
    real.loop.run(lambda: still is not None, deadline)
    return bool(still)
