"""Executes one skill: checks and repairs its preconditions, runs a worker, applies the effects.

A condition of `before` that does not hold is established by its repair, itself a skill with
preconditions. Then the skill's worker runs, with a timeout. A skill whose `after` holds already is
skipped, unless its file says `again: true`. While a skill sets a fact, another one that changes the
same fact waits: of two robots that reach for the same thing one gets it, and the other checks its
preconditions again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from py_trees.common import Status

from treec.files.types import ANY, NONE, misfit, options, read_type
from treec.files.view import names_of
from treec.foreign import ForeignError, guard, is_foreign
from treec.frozen import frozen
from treec.nodes.approval import REFUSED, ApprovalQuestion, Approved, NotAnswered
from treec.nodes.environment import SYMBOLIC
from treec.nodes.events import SkillEnded, SkillStarted
from treec.nodes.foreign import (
    check_outcome,
    check_time,
    failure_by,
    failure_of_stop,
)
from treec.nodes.frame import Cell, Frame
from treec.nodes.goals import seconds_of_goal
from treec.nodes.needs import NeedAnswer, NeedsOfOrder, calls_of, wanted_calls
from treec.nodes.observation import plain
from treec.nodes.pace import key_of
from treec.nodes.runtime import NodeError, Runtime
from treec.nodes.worker import Effect, FaultHit, Outcome, Worker, WorkOrder
from treec.program.binding import ArgumentMismatch, bind, signature
from treec.program.effects import ground, parse_effect, parse_repair
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.objects import name_of
from treec.world.bounded import BoundedCall, NotInTime
from treec.world.clock import Timer
from treec.world.failures import (
    Described,
    Dropped,
    Failure,
    Reported,
    StepFailed,
    Stopped,
    TakenBack,
    TimedOut,
    Unmet,
)

_log = logging.getLogger("treec_sapien.skills")

MAX_REPAIRS = 8
"""How often one condition is repaired."""
MAX_ASKS_AGAIN = 2
"""How often needs are asked for again, after what a skill's `if_unmet:` says has been done."""
MAX_DEPTH = 40
"""The maximum nesting of repairs. A repair within the same call of its skill is a loop, and not
made at any depth."""


Call = tuple[str, tuple[tuple[str, str], ...]]
"""A skill and its arguments by name, as texts."""


@frozen
class _RetriedOrder:
    """State carried over when an order is retried with new needs: planned fault, timeout (s)."""

    fault: FaultHit | None
    seconds_left: float | None


class SkillRun:
    """An execution of a skill by an agent.

    ``owner`` is the agent in whose subtask it is done (default: the agent itself).
    """

    def __init__(
        self,
        runtime: Runtime,
        path: str,
        agent: str,
        skill: str,
        args: Mapping[str, object],
        depth: int = 0,
        owner: str = "",
        subtask: str | None = None,
        within: frozenset[Call] = frozenset(),
    ) -> None:
        self.runtime = runtime
        self.path = path
        self.agent = agent
        self.owner = owner or agent
        at_it = runtime.team.now.agents.get(self.owner)
        current = at_it.current if at_it is not None else None
        over = runtime.arbiter.find_end(self.owner)
        own = current.id if current is not None else over.subtask if over is not None else None
        self.subtask = subtask or own
        self.skill = skill
        self.args = args
        self.depth = depth
        self.failure: Failure | None = None
        self.module = __name__
        model = runtime.team.knowledge.skill(skill)
        if model is None:
            raise NodeError(f"unknown skill '{skill}'")
        self.model = model
        cells: dict[str, Cell] = {"agent": Cell(runtime.team.agent(agent) or agent)}
        cells.update({name: Cell(value) for name, value in args.items()})
        self.scope = Frame(runtime.scope, runtime.team, dict(cells))
        self._call: Call = (skill, tuple((name, str(value)) for name, value in args.items()))
        self._within = within
        """The calls that this one is a repair for."""
        self._due = 0.0
        """When it may begin, if it waits."""
        self._repairs: dict[str, int] = {}
        self._has_sensed = False
        self._looked: set[Call] = set()
        self._repair: SkillRun | None = None
        self._is_looking = False
        """Whether the repair finds out a fact: where that fails, the next means is tried."""
        self._worker: Worker | None = None
        self._order: WorkOrder | None = None
        self._outcome: Outcome | None = None
        self._timer: Timer | None = None
        self._stopped_by: Failure | None = None
        self._stopping: BoundedCall[Outcome] | None = None
        """The call that cancels its worker, once that has been told."""
        self._unconfirmed = False
        """Whether its worker did not confirm that it stopped."""
        self._asks = False
        """Whether its worker has not begun, since its needs are being asked for."""
        self._asks_again = MAX_ASKS_AGAIN
        """How often its needs may still be asked for again."""
        self._before_asking = False
        """Whether the repair is that of `if_unmet`: if it fails, needs are asked a last time."""
        self._answers: dict[str, NeedAnswer] = {}
        """The last usable answer to each need, from the orders that ended to be asked again."""
        self._ended: _RetriedOrder | None = None
        """What the next order takes over from one that ended to be asked again."""
        self._diagnosis: tuple[str, Outcome] | None = None
        """The order under which its failure is being described, and the failed outcome."""

    @property
    def words(self) -> str:
        """The call in words: go_to(R2, dock)."""
        if self._repair is not None:
            return self._repair.words
        return f"{self.skill}({', '.join(self._argument_texts())})"

    @property
    def title(self) -> str:
        """Whose skill it is: R2's go_to."""
        return f"{self.agent}'s {self.skill}"

    def _argument_texts(self) -> tuple[str, ...]:
        return tuple(str(value) for name, value in self.args.items() if name != "agent")

    def _step_failure(self, why: Failure) -> StepFailed:
        return StepFailed(self.skill, self._argument_texts(), why)

    def tick(self) -> Status:
        """Continue; on FAILURE ``failure`` is the reason. Raises NodeError and located errors."""
        while True:
            if self._worker is not None and not self._is_paused:
                return self._look()
            if over := self._find_end():
                self.cancel()
                self.failure = self._step_failure(over)
                return Status.FAILURE
            if self._worker is not None:
                if self.runtime.arbiter.holds(self):
                    return Status.RUNNING
                self._reset()
                self._asks_again, self._ended = MAX_ASKS_AGAIN, None
                self._answers.clear()
            if self._repair is not None:
                status = self._repair.tick()
                if status is Status.RUNNING:
                    return status
                if status is Status.FAILURE and self._before_asking:
                    self._asks_again = 0
                elif status is Status.FAILURE and not self._is_looking:
                    self.failure, self.module = self._repair.failure, self._repair.module
                    return status
                self._repair, self._is_looking, self._before_asking = None, False, False
            if self.runtime.environments.waits(self.agent):
                return Status.RUNNING
            self.runtime.guarded_environment(self.agent)  # open it: its sensed values become facts
            checks = self._preconditions
            if checks != "ignore" and not self.model.again and self._holds_already():
                self._emit_end(ok=True, skipped=True)
                return Status.SUCCESS
            if not self._prepare():
                return Status.FAILURE
            if self._repair is None and not self._start():
                return Status.RUNNING if self.failure is None else Status.FAILURE

    @property
    def _is_paused(self) -> bool:
        """Whether it was stopped with its agent, and begins anew when that is resumed."""
        stopped = isinstance(self._stopped_by, Stopped)
        return stopped and self._outcome is not None and not self._outcome.ok

    @property
    def has_ended(self) -> bool:
        """Whether its worker has ended by itself."""
        return self._outcome is not None and self._stopped_by is None

    def _find_end(self) -> Dropped | TakenBack | None:
        """Why its subtask is over, if it is."""
        if self.subtask is None:
            return None
        found = self.runtime.team.now.subtasks.get(self.subtask)
        if found is not None and found.status == "dropped":
            return Dropped(self.subtask)
        over = self.runtime.arbiter.find_end(self.owner)
        return over if over is not None and over.subtask == self.subtask else None

    def _reset(self) -> None:
        self._worker = self._order = self._outcome = self._timer = self._stopped_by = None
        self._stopping, self._unconfirmed = None, False
        self._repairs.clear()
        self._looked.clear()

    def stop(self, why: Failure) -> None:
        """Cancel the worker in flight on behalf of the arbiter; nothing else of it changes."""
        if self._worker is None or self._order is None or self._outcome is not None:
            return
        self._stopped_by = why
        self._cancel_order(self._worker, self._order)

    def tell(self) -> None:
        """Tell a foreign worker in flight to cancel, from any thread, without waiting for it.

        :meth:`stop` or :meth:`cancel` takes its answer.
        """
        worker = self._worker
        with self.runtime.arbiter.lock:
            is_in_flight = not self._asks and self._outcome is None and self._diagnosis is None
            if worker is None or self._stopping is not None or not is_in_flight:
                return
            if is_foreign(type(worker).__module__):
                self._stopping = BoundedCall(self._call_cancel)

    def _call_cancel(self) -> Outcome:
        worker = self._worker
        assert worker is not None
        with guard(type(worker).__module__):
            return check_outcome(worker.cancel(), f"{type(worker).__name__}.cancel()")

    def has_confirmed(self, seconds: float) -> bool:
        """Whether its worker, if it was told, has confirmed within so many seconds since then."""
        if self._stopping is None:
            return True
        self._stopping.wait(seconds)
        return self._stopping.status == "ok"

    def cancel(self) -> None:
        """Stop at once; effects so far remain."""
        if self._find_end():
            self.runtime.arbiter.note_end(self.owner)
        if self._repair is not None:
            self._repair.cancel()
        if self._timer is not None:
            self._timer.cancel()
        if self._worker is None or self._order is None or self._outcome is not None:
            return
        self._cancel_order(self._worker, self._order)

    def _cancel_order(self, worker: Worker, order: WorkOrder) -> None:
        """End an order that is stopped: cancelled, unless its worker had failed before."""
        has_failed = self._diagnosis is not None
        self._end(self._cancel_worker(worker, order), cancelled=not has_failed)

    def _cancel_worker(self, worker: Worker, order: WorkOrder) -> Outcome:
        module = type(worker).__module__
        if self._diagnosis is not None:  # its worker has ended, and its failure stays one
            asked, failed = self._diagnosis
            self._diagnosis = None
            self.runtime.orders.end(asked, Outcome(False))
            return failed
        if self._asks:  # its worker has not begun
            outcome = Outcome(False, Reported("cancelled"), __name__)
            return self.runtime.orders.end(order.id, outcome)
        self.tell()
        try:
            outcome = self.runtime.stops.result(
                self.title, self._stopping or self._call_cancel, module, agent=self.agent
            )
        except (ForeignError, NotInTime) as error:
            outcome = Outcome(False, failure_of_stop(error), module)
            self._unconfirmed = True
        return self.runtime.orders.end(order.id, outcome)

    def conditions(self) -> list[tuple[str, bool, str | None]]:
        """Each condition of `before`: its text, whether it holds now, its repair."""
        return [(text, self._true(text), repair) for text, repair in self.model.preconditions]

    def promises(self) -> tuple[Effect, ...]:
        """The effects of its `after`, grounded in the current world."""
        return self._effects(self.model.after)

    def _holds_already(self) -> bool:
        after = self.model.after
        return bool(after) and all(self._true(text) for text in after)

    def _true(self, text: str) -> bool:
        return bool(Expression.parse(text).evaluate(self.scope))

    @property
    def _preconditions(self) -> str:
        """What the system does about conditions that do not hold: repair, check, ignore."""
        system = self.runtime.view.system
        return "repair" if system is None else system.model.preconditions

    def _prepare(self) -> bool:
        """Whether all of `before` holds, or a repair has been started."""
        checks = self._preconditions
        conditions = self.model.preconditions if checks != "ignore" else ()
        for text, repair in conditions:
            holds = self._true(text) or (self._sense_again() and self._true(text))
            relies = self.runtime.spec.see and not self.model.needs  # and does not look itself
            looks = checks == "repair" and (not holds or relies)
            if looks and (look := self._make_look(text)) is not None:
                self._repair, self._is_looking = look, True
                return True
            if holds:
                continue
            attempts = self._repairs.get(text, 0)
            repairs = checks == "repair" and attempts < MAX_REPAIRS and self.depth < MAX_DEPTH
            found, why = None, ""
            try:
                found = self._make_repair(repair) if repair is not None and repairs else None
            except NodeError as error:
                why = str(error)
            if found is None:
                self.failure = self._step_failure(Unmet(text, why))
                return False
            self._repairs[text] = attempts + 1
            self._repair = found
            return True
        forbidden = self.runtime.arbiter.find_broken_contract(self)
        if forbidden is not None:
            self.failure = self._step_failure(forbidden)
        return forbidden is None

    def _make_look(self, condition: str) -> SkillRun | None:
        """The next declared means, in this call, to find out a fact that a condition reads.

        It is one that is unknown, or that a sensor told too long ago.
        """
        if self.depth >= MAX_DEPTH:
            return None
        about = {self.agent, *map(str, self.plain_args().values())}
        read = {call.name for call in Expression.parse(condition).calls}
        facts, now = self.runtime.world.facts, self.runtime.clock.now()
        for (fact, args), known in facts:
            if fact not in read or about.isdisjoint(args):
                continue
            if known.source != "unknown" and not facts.is_doubted(now, fact, args):
                continue
            for skill in self.runtime.view.facts[fact].look:
                if not self._finds_out(skill):
                    continue
                call: Call = (skill, tuple(zip((fact,) * len(args), args, strict=True)))
                if call in self._looked:
                    continue
                self._looked.add(call)
                team = self.runtime.team
                values = tuple(team.agent(arg) or arg for arg in args)
                try:
                    bound = bind_arguments(self.runtime, skill, values, {}, self.agent)
                except NodeError:  # this robot cannot
                    continue
                found = self._make_run(skill, bound)
                if found is not None:
                    return found
        return None

    def _finds_out(self, skill: str) -> bool:
        """Whether a skill is more than a question that nobody is asked without `--see`."""
        model = self.runtime.view.all("skill")[skill].model
        return bool(model.after or not model.needs or self.runtime.spec.see)

    def _make_repair(self, repair: str) -> SkillRun | None:
        """The run of a repair; None for one that would repair itself.

        Raises NodeError for one that the agent cannot do: it may lack the skill, or the thing be
        where nobody can go, since another robot has it.
        """
        call = parse_repair(repair)
        values = [part.value(self._evaluate) for part in call.parts]
        args = bind_arguments(self.runtime, call.name, tuple(values), {}, self.agent)
        return self._make_run(call.name, args)

    def _make_run(self, skill: str, args: dict[str, object]) -> SkillRun | None:
        found = SkillRun(
            self.runtime,
            self.path,
            str(args.get("agent", self.agent)),
            skill,
            args,
            self.depth + 1,
            self.owner,
            self.subtask,
            self._within | {self._call},
        )
        return None if found._call in found._within else found

    def _sense_again(self) -> bool:
        """Sense once if something about the agent or the arguments is unknown."""
        about = {self.agent, *map(str, self.plain_args().values())}
        facts = self.runtime.world.facts
        if self._has_sensed or all(
            fact.source != "unknown" or about.isdisjoint(args) for (_, args), fact in facts
        ):
            return False
        self._has_sensed = True
        environment = self.runtime.guarded_environment(self.agent)
        if environment is None:
            return False
        self.runtime.adopt_sensed_values(environment, self.path)
        return True

    def _evaluate(self, text: str) -> object:
        return Expression.parse(text).evaluate(self.scope)

    def _effects(self, texts: list[str]) -> tuple[Effect, ...]:
        found = []
        for text in texts:
            fact, args, value = ground(parse_effect(text), self._evaluate)
            source = "unknown" if value is None else "expected"
            found.append(Effect(fact, args, value, source))  # type: ignore[arg-type]
        return tuple(found)

    def _start(self) -> bool:
        """Start a worker, unless an order in flight sets the same facts, or somebody says no."""
        runtime = self.runtime
        if runtime.arbiter.holds(self) or not self._is_due():
            return False
        worker = runtime.worker(self.skill, self.agent)
        environment = runtime.guarded_environment(self.agent)
        order = self.plan_order()
        effects = (*order.at_start, *order.after)
        touches = sorted({(e.fact, *e.args) for e in effects})
        changes = {(e.fact, *e.args) for e in effects if self._is_new(e)}
        if runtime.orders.at_work_on(touches, changes):
            return False  # `before` is checked again afterwards
        ended = self._ended
        if ended is None and not self._is_approved():
            return False
        args = {"agent": self.agent, **order.args}
        order = replace(
            order,
            id=runtime.orders.new(self._on_end, touches, changes, environment),
            fault=runtime.faults.hit(self.skill, args) if ended is None else ended.fault,
            takes=runtime.faults.takes(self.skill, args, order.takes),
        )
        self._asks = True  # it is told to cancel only once it has begun
        self._worker, self._order, self._ended = worker, order, None
        runtime.arbiter.begin(self)
        started = SkillStarted(
            order.id, self.skill, self.agent, self.plain_args(), order.takes, tuple(touches)
        )
        runtime.world.emit(started, self.path)
        if runtime.runs_in(self.agent) != SYMBOLIC:
            runtime.world.journal.commit()  # nothing moves before its record is committed
        left = self.model.timeout if ended is None else ended.seconds_left
        if left is not None:
            given = None if ended else seconds_of_goal(runtime, self.agent, order.after)
            left += max(0.0, (given or 0.0) - self.model.takes)  # a recipe may give it more time
            self._timer = runtime.clock.call_at(runtime.clock.now() + left, self._expire)
        calls = {}
        if environment is not None:
            calls = wanted_calls(
                calls_of(self.model.needs, self._evaluate),
                environment.environment,
                see=runtime.spec.see,
            )
        if not calls:
            self._begin(worker, order)
            return True

        def go_on(ready: WorkOrder) -> None:
            self._begin(worker, ready)

        needs = NeedsOfOrder(
            runtime, order, calls, self.path, go_on, self._ask_again, self._answers
        )
        needs.ask()
        return True

    def _is_due(self) -> bool:
        """Whether it may begin, or ended at once before and is to wait; see `OrderPace`."""
        clock = self.runtime.clock
        key = key_of(self.skill, self.agent, self.plain_args())
        due = self.runtime.pace.due(key, clock.now())
        if due > clock.now() and due != self._due:
            clock.call_at(due, self.runtime.wake)
        self._due = due
        return due <= clock.now()

    def _ask_again(self, given: NeedAnswer) -> bool:
        """Do what its `if_unmet` says and begin anew; false if nothing is left to be done.

        It also begins anew if the answer has withdrawn what `before` rests on.
        """
        text, order = self.model.if_unmet, self._order
        may = self._asks_again > 0 and self.depth < MAX_DEPTH and self._preconditions == "repair"
        if order is None or not may:
            return False
        repair, holds = None, True
        try:
            holds = all(self._true(condition) for condition, _ in self.model.preconditions)
            repair = self._make_repair(text) if holds and text is not None else None
        except (NodeError, LocatedError) as error:  # this robot cannot, or not with these things
            _log.debug("%s: its if_unmet is not done: %s", self.words, error)
            return False
        if repair is None and holds:
            return False
        self._asks_again -= 1
        left = None if self._timer is None else self._timer.when - self.runtime.clock.now()
        self._ended = _RetriedOrder(order.fault, left)
        why, module = Reported(given.why or given.doubt), given.module or __name__
        ended = self.runtime.orders.end(order.id, Outcome(False, why, module))
        self._end(ended, cancelled=True, asked_again=True)
        self._reset()
        self._asks, self._before_asking, self._repair = False, repair is not None, repair
        self.runtime.wake()
        return True

    def _is_approved(self) -> bool:
        """Whether it may begin; of one that may not, ``failure`` says so if somebody has said no.

        Nothing of it has begun, so there is no record of a skill.
        """
        approve = self.runtime.approve
        if approve is None:
            return True
        words = f"{self.agent}: {self.skill}({', '.join(self._argument_texts())})"
        try:
            if not approve(ApprovalQuestion(Approved.skills, self.path, words)):
                self.failure = self._step_failure(Reported(REFUSED))
                return False
        except NotAnswered:
            return False
        return not self.runtime.arbiter.holds(self)  # it may have been stopped meanwhile

    def _begin(self, worker: Worker, order: WorkOrder) -> None:
        """Let a worker carry out an order whose needs are met.

        Its `at_start` holds from here on, whoever wrote the worker, which may overwrite it with
        what it senses.
        """
        runtime, self._order = self.runtime, order
        with runtime.arbiter.lock:
            self._asks = runtime.arbiter.holds_all
        if self._asks:
            return  # all are told to stop at this moment, and it is stopped with them
        module = type(worker).__module__
        if order.at_start and (order.fault is None or order.fault.at > 0):
            runtime.orders.sense(order.id, order.at_start)
        host = runtime.orders.host(order.id, module)
        try:
            with guard(module):
                blocks = getattr(worker, "blocks", None)
                if blocks is None:
                    worker.start(order, host)
                else:
                    limit = check_time(blocks, "`blocks`")
            if blocks is not None:
                runtime.orders.start_in_thread(worker, order, host, limit)
        except ForeignError as error:
            self._end(runtime.orders.end(order.id, Outcome(False, failure_by(error), module)))

    def plan_order(self) -> WorkOrder:
        """The order for its worker, not registered yet: without id and planned fault."""
        limits = self.runtime.team.knowledge.agents[self.agent].skills.get(self.skill)
        own = limits.takes if limits else None
        after = self._effects(self.model.after)
        given = seconds_of_goal(self.runtime, self.agent, after)
        return WorkOrder(
            id="",
            skill=self.skill,
            agent=self.agent,
            args={name: _name(value) for name, value in self.args.items()},
            takes=given or (self.model.takes if own is None else own),
            at_start=self._effects(self.model.at_start),
            after=after,
        )

    def _is_new(self, effect: Effect) -> bool:
        """Whether an effect would change its fact."""
        known = self.runtime.world.facts.get(effect.fact, effect.args)
        if known is None:
            return effect.value is not None and effect.value is not False
        return known.source == "unknown" or known.value != effect.value

    def _on_end(self, outcome: Outcome) -> None:
        if outcome.ok or not self._diagnose(outcome):
            self._end(outcome)

    def _diagnose(self, outcome: Outcome) -> bool:
        """Ask a provider what can be seen of a failure; false if nobody is asked."""
        runtime, text = self.runtime, self.model.diagnose
        environment = runtime.guarded_environment(self.agent)
        if text is None or environment is None:
            return False
        assert self._order is not None
        calls = calls_of({"state": text}, self._evaluate)
        calls = wanted_calls(calls, environment.environment, see=runtime.spec.see)
        if not calls:
            return False

        def go_on(order: WorkOrder) -> None:
            self._end_described(runtime.orders.end(order.id, Outcome(True)), order)

        asked = replace(self._order, id=runtime.orders.new(self._end_described), needs={})
        self._diagnosis = asked.id, outcome
        NeedsOfOrder(runtime, asked, calls, self.path, go_on).ask()
        return True

    def _end_described(self, answer: Outcome, order: WorkOrder | None = None) -> None:
        """End with the failure as it was, and with the state in words if there are any."""
        assert self._diagnosis is not None
        _, outcome = self._diagnosis
        state = str(order.needs["state"].get("text", "")) if answer.ok and order else ""
        state = re.sub(r"[\[\]\n]", " ", state).strip()
        self._diagnosis = None
        if state:
            why = Described(outcome.failure or Reported("failed"), state)
            outcome = replace(outcome, failure=why)
        self._end(outcome)

    def _expire(self) -> None:
        if self._outcome is not None or self._worker is None or self._order is None:
            return
        if self._diagnosis is not None:
            return  # it has failed before, and an answer has a limit of its own
        outcome = self._cancel_worker(self._worker, self._order)
        if not outcome.ok:  # an order that had ended keeps its outcome
            assert self.model.timeout is not None
            outcome = Outcome(False, TimedOut(self.model.timeout), outcome.module)
        self._end(outcome)
        self.runtime.wake()

    def _end(self, outcome: Outcome, *, cancelled: bool = False, asked_again: bool = False) -> None:
        self._outcome = outcome
        self.runtime.arbiter.end(self)
        if self._timer is not None:
            self._timer.cancel()
        why: dict[str, Any] = {}
        if outcome.failure is not None:
            why = {"reason": str(outcome.failure), "module": outcome.module}
        id = self._order.id if self._order else None
        how = {"cancelled": cancelled, "unconfirmed": self._unconfirmed, "asked_again": asked_again}
        self._emit_end(ok=outcome.ok, id=id, **how, **why)
        key = key_of(self.skill, self.agent, self.plain_args())
        times = self.runtime.pace.failures(key)
        self.runtime.alarm_in_vain(self.path, self.title, times, str(outcome.failure or "failed"))

    def _emit_end(self, **how: Any) -> None:
        event = SkillEnded(self.skill, self.agent, self.plain_args(), **how)
        self.runtime.world.emit(event, self.path)

    def plain_args(self) -> dict[str, Any]:
        """Its arguments as the journal has them."""
        return {k: plain(v, 1) for k, v in self.args.items() if k != "agent"}

    def _look(self) -> Status:
        if self._outcome is None:
            return Status.RUNNING
        if self._outcome.ok:
            return Status.SUCCESS
        why = self._stopped_by or self._outcome.failure or Reported("failed")
        self.failure = self._step_failure(why)
        self.module = self._outcome.module or self.module
        return Status.FAILURE


def _name(value: object) -> object:
    name = name_of(value)
    return value if name is None else name


def _may_be_none(kind: str) -> bool:
    return not {ANY, NONE}.isdisjoint(options(read_type(kind)))


def bind_arguments(
    runtime: Runtime,
    skill: str,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    agent: str,
) -> dict[str, object]:
    """A call's arguments by name; the agent may be omitted. Raises NodeError."""
    model = runtime.team.knowledge.skill(skill)
    if model is None:
        raise NodeError(f"unknown skill '{skill}'")
    names = bind(skill, list(model.args), len(args), list(kwargs))
    if isinstance(names, ArgumentMismatch):
        raise NodeError(f"{names.message}: it takes {signature(skill, list(model.args))}")
    bound: dict[str, object] = {**dict(zip(names, args, strict=True)), **kwargs}
    if "agent" in model.args and "agent" not in bound:
        bound["agent"] = runtime.team.agent(agent) or agent
    doer = str(bound.get("agent", agent))
    spec = runtime.team.knowledge.agents.get(doer)
    own = skill.rpartition("/")[2]
    looks = (look for it in runtime.view.facts.values() for look in it.look)
    is_look = model.needs and not model.after and skill in looks  # it asks cameras: any robot's
    if spec is not None and spec.skills and own not in spec.skills and not is_look:
        raise NodeError(f"unknown skill '{skill}' of {doer}: it has {', '.join(spec.skills)}")
    empty = [n for n, v in bound.items() if v is None and not _may_be_none(model.args[n])]
    if empty:
        raise NodeError(f"{skill}: '{empty[0]}' has no value")
    if "agent" in bound and runtime.team.agent(bound["agent"]) is None:
        raise NodeError(f"{skill}: unknown agent '{bound['agent']}'")
    for name, value in bound.items():
        if wrong := misfit(read_type(model.args[name]), _name(value), names_of(runtime.view)):
            raise NodeError(f"{skill}'s '{name}': {wrong.message}")
    return {name: bound[name] for name in model.args}
