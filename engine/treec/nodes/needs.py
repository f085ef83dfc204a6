"""What skills are given when they start: `needs: {pose: localize(item)}`, asked of providers.

A provider (`Extension.providers`) works outside the loop and answers when it is done; the order
waits for it, and the journal has the answer. A need that is not met ends the skill with the
provider's reason. Most are asked only in runs with `--see`; otherwise workers are given nothing and
use what their environment knows. A provider that says by what it is `offered_by` is asked where the
environment offers it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from treec.extensions import ExtensionError, registry
from treec.foreign import BadReport, ForeignError, as_foreign, cut, guard, kind_of, plain_copy
from treec.frozen import frozen
from treec.nodes.events import NeedAnswered
from treec.nodes.foreign import check_effects, check_time, failure_by
from treec.nodes.leaf import NodeError
from treec.nodes.stops import Closing, Stops
from treec.nodes.worker import Effect, Outcome, WorkOrder
from treec.program.effects import parse_need
from treec.source.diagnostics import unknown
from treec.world.failures import Failure, Reported

if TYPE_CHECKING:
    from treec.files.view import View
    from treec.nodes.environment import Environment
    from treec.nodes.guarded_environment import GuardedEnvironment
    from treec.nodes.runtime import Runtime
    from treec.world.external import ExternalWork
    from treec.world.facts import Facts


_log = logging.getLogger("treec.needs")


@frozen
class NeedSetup:
    """What a provider is opened with. ``folder`` is the run's, where it may keep files.

    ``see``: the run looks through cameras (`--see`).
    """

    view: View
    seed: int
    folder: Path | None = None
    see: bool = False


@frozen
class NeedCall:
    """One question: the provider's arguments by name, for whom, where, at which run time (s).

    ``facts`` are those of the run, to be read; None outside one. ``again``: the last answer was
    none, or in doubt, and the skill has tried its `if_unmet:` since.
    """

    args: Mapping[str, str]
    agent: str
    environment: Environment | None
    time: float
    facts: Facts | None = None
    again: bool = False


@frozen
class NeedAnswer:
    """The answer: plain data for the worker, or why there is none. ``record`` is for the journal.

    ``module`` is the Python module that gives the reason. ``effects`` become facts, whose age and
    source conditions of skills can read. ``doubt`` says why an answer may be wrong: a skill with
    `if_unmet:` then has it asked again from elsewhere. What the record ``says`` people are told.
    """

    value: Mapping[str, Any] | None = None
    why: str = ""
    module: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    doubt: str = ""


class Needs(Protocol):
    """A provider that is open. ``takes`` are the seconds of run time that an answer takes."""

    takes: float
    limit: float
    """Real seconds after which virtual time no longer waits for an answer, and people are told."""

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Begin to answer, and return at once; ``answer`` may be called from any thread.

        Only the first answer counts. An exception before it fails the skill, or is an answer that
        there is none if an earlier one is kept.
        """

    def close(self) -> None:
        """Release all resources."""


class OpenProviders:
    """The providers of a run, each opened when it is first asked."""

    def __init__(self, setup: NeedSetup) -> None:
        self._setup = setup
        self._open: dict[str, Needs] = {}

    def find(self, name: str) -> Needs:
        """Return a provider. Raises ExtensionError for one that cannot be used."""
        if name not in self._open:
            provider = registry().providers.get(name)
            if provider is None:
                raise ExtensionError(unknown("provider", name, registry().providers))
            open_it = cast(Callable[[NeedSetup], Needs], registry().load(provider.open))
            with guard(_module(name)):
                self._open[name] = open_it(self._setup)
        return self._open[name]

    def close(self, stops: Stops) -> None:
        """Close all that are open, in time."""
        stops.close(
            Closing(f"the provider '{name}'", needs.close, _module(name))
            for name, needs in self._open.items()
        )
        self._open.clear()


def _module(provider: str) -> str:
    declared = registry().providers.get(provider)
    return "" if declared is None else declared.open.partition(":")[0]


class NeedsOfOrder:
    """Asks for the needs of one order, one after the other, then goes on with it.

    ``again`` is told each answer that there is none, or that is in doubt: if it returns true, it
    has ended the order, to have its needs asked for once more. ``answers`` has the last usable
    answer of each need to the orders before, and is kept up to date: what was in doubt there is
    used if this time there is none, or the provider raises.
    """

    def __init__(
        self,
        runtime: Runtime,
        order: WorkOrder,
        calls: Mapping[str, tuple[str, Mapping[str, str]]],
        path: str,
        go_on: Callable[[WorkOrder], None],
        again: Callable[[NeedAnswer], bool] = lambda _: False,
        answers: dict[str, NeedAnswer] | None = None,
    ) -> None:
        self._runtime = runtime
        self._order = order
        self._left = dict(calls)
        self._path = path
        self._go_on = go_on
        self._again = again
        self._answers = {} if answers is None else answers
        self._given: dict[str, Mapping[str, Any]] = {}
        self._module = ""
        """The provider's module that is asked."""
        self._environment: GuardedEnvironment | None = None
        """What the agent acts on: nothing moves in it because it is seen."""

    def ask(self) -> None:
        """Ask for the next need; when there is none left, go on with the order."""
        if not self._left:
            self._go_on(replace(self._order, needs=self._given))
            return
        need, (provider, args) = next(iter(self._left.items()))
        self._module = _module(provider)
        runtime, order = self._runtime, self._order
        last = self._answers.get(need)
        work: ExternalWork | None = None
        try:
            needs = runtime.providers.find(provider)
            with guard(self._module):
                takes = check_time(needs.takes, f"{provider}.takes")
                limit = check_time(needs.limit, f"{provider}.limit")
            work = runtime.orders.begin_external(
                order.id, f"{provider}({', '.join(args.values())})", takes, limit, _none
            )
            runtime.orders.on_need(order.id, lambda given: self._take(need, provider, args, given))
            self._environment = runtime.guarded_environment(order.agent)
            environment = self._environment and self._environment.environment
            now, facts = runtime.clock.now(), runtime.world.facts
            is_again = last is not None and (last.value is None or bool(last.doubt))
            call = NeedCall(args, order.agent, environment, now, facts, is_again)
            with guard(self._module):
                needs.ask(call, partial(self._answer, work))
        except (ForeignError, ExtensionError, NodeError) as error:
            why = failure_by(as_foreign(error, self._module))
            if work is None:
                self._fail(why, provider)
            elif last is None or last.value is None:
                _end_by(work, lambda: self._fail(why, provider))
            else:  # what was answered before may be used
                self._answer(work, NeedAnswer(why=str(why), module=self._module))

    def _answer(self, work: ExternalWork, given: NeedAnswer) -> None:
        """Hand an answer to the loop's thread; from any thread."""
        runtime, order_id = self._runtime, self._order.id
        try:
            with guard(self._module):
                answer = _check_answer(given, work.name)
        except ForeignError as error:
            answer = NeedAnswer(why=str(error), module=self._module)
        _end_by(work, lambda: _post(runtime, order_id, answer))

    def _take(self, need: str, provider: str, args: Mapping[str, str], given: NeedAnswer) -> None:
        order, record = self._order, dict(given.record)
        if given.doubt:
            record["doubt"] = given.doubt
        best, last = given, self._answers.get(need)
        if given.value is None and last is not None and last.value is not None:
            best = replace(last, doubt=given.why or "none is given any more")
            record["earlier"] = dict(last.value)
        self._answers[need] = best
        event = NeedAnswered(
            order.skill,
            order.agent,
            need,
            provider,
            dict(args),
            None if given.value is None else dict(given.value),
            given.why,
            record,
        )
        self._runtime.world.emit(event, self._path)
        if says := record.get("says"):
            self._runtime.say(str(says), order.id)
        refused = self._runtime.apply(given.effects, order.id, self._environment)
        if refused is not None:
            self._fail(Reported(refused), given.module or provider)
            return
        if (given.value is None or given.doubt) and self._again(given):
            return
        if best.value is None:
            self._fail(Reported(given.why), given.module or provider)
            return
        self._given[need] = best.value
        del self._left[need]
        self.ask()

    def _fail(self, why: Failure, module: str) -> None:
        self._runtime.orders.finish(self._order.id, Outcome(False, why, module))


def calls_of(
    needs: Mapping[str, str], evaluate: Callable[[str], object]
) -> dict[str, tuple[str, dict[str, str]]]:
    """Return a skill's needs as provider and arguments by name. Raises LocatedError."""
    found = {}
    for need, text in needs.items():
        call = parse_need(text)
        provider = registry().providers.get(call.name)
        names = provider.args if provider is not None else tuple(map(str, range(len(call.parts))))
        values = [str(part.value(evaluate)) for part in call.parts]
        found[need] = (call.name, dict(zip(names, values, strict=True)))
    return found


def wanted_calls(
    calls: Mapping[str, tuple[str, dict[str, str]]],
    environment: Environment,
    *,
    see: bool,
) -> dict[str, tuple[str, dict[str, str]]]:
    """Return the needs that are asked for in this run, in this environment."""
    found = {}
    for need, (name, args) in calls.items():
        provider = registry().providers.get(name)
        if provider is not None and provider.offered_by:
            offered = getattr(environment, provider.offered_by, None)
            if offered is None or next(iter(args.values()), None) not in offered:
                continue
        elif not see:
            continue
        found[need] = (name, args)
    return found


def _check_answer(given: object, call: str) -> NeedAnswer:
    """A plain copy of a provider's answer. Raises BadReport if it is none."""
    if not isinstance(given, NeedAnswer):
        raise BadReport(f"{call} gave {kind_of(given)}, not a NeedAnswer")
    texts = (given.why, given.module, given.doubt)
    if not all(isinstance(text, str) for text in texts):
        raise BadReport(f"{call} gave a NeedAnswer whose `why`, `module` or `doubt` is not text")
    why, module, doubt = (cut(str.__str__(text)) for text in texts)
    datas = [{} if one is None else one for one in (given.value, given.record)]
    if not all(isinstance(data, Mapping) for data in datas):
        raise BadReport(f"{call} gave a NeedAnswer whose `value` or `record` is not a mapping")
    value, record = (cast("dict[str, Any]", plain_copy(data, f"{call}: it")) for data in datas)
    effects = check_effects(given.effects, call)
    return NeedAnswer(None if given.value is None else value, why, module, record, effects, doubt)


def _end_by(work: ExternalWork, report: Callable[[], None]) -> None:
    """End the work of a question by a report; later ones find it done, and have no effect."""

    def report_once() -> None:
        if work.is_done:
            _log.debug("%s: a second answer, or one that is no longer awaited", work.name)
            return
        report()
        work.done()

    work.deliver(report_once)


def _post(runtime: Runtime, order_id: str, given: NeedAnswer) -> None:
    runtime.inbox.post("skill", ("need", order_id, given))


def _none(error: BaseException) -> None:
    """Do nothing: what a provider raises is its own answer."""
