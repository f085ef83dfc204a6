"""What must hold: contracts, what the engine promises, and properties that somebody asks for.

Contracts are judged here once more, from their files, by what an answer does at the moment it is
committed: an engine, or a system, that lets one through is found.

A property is a line: ``never: CONDITION``, ``always: CONDITION``, ``eventually: CONDITION``,
``CONDITION leads to CONDITION``, ``CONDITION until CONDITION``. The last three are about what comes
later, and are judged on all states together (``treec_prove.liveness``).

``rules are never refused`` is asked for by these words: what the rules answer, or begin, is no
contract's to refuse. What is refused does nothing, so that nothing else shows a wrong rule; but a
system may leave it to its contracts to refuse what people order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from py_trees.common import Status

from treec.nodes.asked import OFFLINE
from treec.nodes.events import AnswerRefused, Decided
from treec.run.events import ContractBroken
from treec.run.status_recorder import path_of
from treec.source.errors import EvaluationError, EvaluationProblem, LocatedError, TreecError
from treec.source.expression import Expression
from treec.team.contracts import SKILL, Contract, judge_all
from treec.team.events import SubtaskDone
from treec.world.events import flat
from treec.world.failures import Forbidden
from treec_asking.act import Action
from treec_asking.commit import RULES
from treec_asking.decide import Decision

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.systems import ContractFile
    from treec.files.view import View
    from treec.nodes.skill_run import SkillRun
    from treec.run.run import Run
    from treec.source.scope import Scope
    from treec.world.journal import Record

Word = Literal["never", "always", "eventually", "leads to", "until", "rules"]
_LINE = re.compile(r"(?P<word>never|always|eventually)\s*:\s*(?P<then>.+)", re.DOTALL)
_BETWEEN = re.compile(r"\s(?P<word>leads to|until)\s")

DEADLOCK = "no deadlock"
RESTLESS = "no livelock"
FINISHES = "work that was given comes to an end"
STOP = "a stop stops within one tick"
RAISES = "no node raises"
REFUSED = "rules are never refused"
"""It is judged where somebody asks for it."""


@dataclass(frozen=True)
class Property:
    """A property as it was written."""

    text: str
    word: Word
    then: str
    first: str

    @property
    def is_about_later(self) -> bool:
        """Whether one state cannot show that it is broken."""
        return self.word in ("eventually", "leads to", "until")

    def holds_now(self, run: Run, notes: set[str] | None = None) -> tuple[bool, bool]:
        """Whether its first and its second condition hold in the present state."""
        first = not self.has_first or is_so(self.first, run, notes)
        return first, is_so(self.then, run, notes)

    @property
    def has_first(self) -> bool:
        """Whether it has two conditions."""
        return self.word in ("leads to", "until")

    def is_broken(self, run: Run, notes: set[str] | None = None) -> bool:
        """Whether the present state breaks it."""
        if self.word == "rules":  # what happens breaks it
            return False
        return is_so(self.then, run, notes) == (self.word == "never")


def is_so(condition: str, run: Run, notes: set[str] | None = None) -> bool:
    """Whether a condition holds; not where it cannot be evaluated, of which ``notes`` then tell."""
    try:
        return bool(Expression.parse(condition).evaluate(run.scope))
    except EvaluationError as error:
        note = f"where '{condition}' cannot be evaluated, it counts as not so: "
        if notes is not None and not any(one.startswith(note) for one in notes):
            notes.add(f"{note}{error.message}")
        return False


def parse_property(text: str) -> Property:
    """Read a property. Raises TreecError."""
    line = " ".join(text.split())
    if line == REFUSED:
        return Property(line, "rules", "true", "true")
    one = _LINE.fullmatch(line)
    ways = [one.groupdict()] if one is not None else list(_halves(line))
    errors = []
    for parts in ways:
        first, then = parts.get("first") or "true", parts["then"]
        error = _error_in(first) or _error_in(then)
        if not error:
            return Property(line, parts["word"], then, first)  # type: ignore[arg-type]
        errors.append(error)
    if errors:
        raise TreecError(f"the property '{line}': {errors[0]}")
    raise TreecError(
        f"the property '{line}': write 'never: CONDITION', 'always: CONDITION', 'eventually: "
        "CONDITION', 'CONDITION leads to CONDITION', 'CONDITION until CONDITION' or "
        f"'{REFUSED}'"
    )


def _halves(line: str) -> Iterator[dict[str, str]]:
    """The ways to divide a line at 'leads to' or 'until': these words may be in texts, too."""
    for at in _BETWEEN.finditer(line):
        yield {"first": line[: at.start()], "word": at["word"], "then": line[at.end() :]}


def _error_in(condition: str) -> str:
    try:
        Expression.parse(condition)
    except LocatedError as error:
        return f"in '{condition}': {error.message}"
    return ""


def check_property(view: View, property_: Property) -> None:
    """Check that a property speaks of what there is: else it could not be broken.

    Raises TreecError.
    """
    from treec.check.environments import world
    from treec.check.type_checker import findings

    for part in (property_.first, property_.then):
        for one in findings(Expression.parse(part), world(view)):
            help_ = f"; {one.help}" if one.help else ""
            raise TreecError(f"the property '{property_.text}': {one.message}{help_}")


USED = "used: "
"""Before the name of what has come to bear, among what was reached."""

ENDS = "ends: "
"""Before the nodes that wait where nothing can happen any more, among what was reached."""


class _NotedCondition:
    """A contract's `when`; somebody is told when it holds, so that the contract applies."""

    def __init__(self, condition: Expression, tell: Callable[[], None]) -> None:
        self._condition = condition
        self._tell = tell

    def evaluate(self, scope: Scope) -> bool:
        """Whether it holds."""
        found = bool(self._condition.evaluate(scope))
        if found:
            self._tell()
        return found


class PropertyJudge:
    """Watches a run, and keeps what is broken: pairs of a property and how."""

    is_fixed: ClassVar[bool] = True
    """It is no part of the run's state."""

    def __init__(
        self, contracts: Sequence[Entry[ContractFile]], properties: Sequence[Property]
    ) -> None:
        self.contracts = [Contract(entry) for entry in contracts if entry.model.each]
        self._promises = [entry.name for entry in contracts if entry.model.eventually]
        for one in self.contracts:
            one._when = _NotedCondition(one._when, partial(self._note_use, one.name))  # type: ignore[assignment]
        self.notes: set[str] = set()
        """What a property says of which it cannot be told whether it is so."""
        self.properties = [one for one in properties if not one.is_about_later]
        self.later = [one for one in properties if one.is_about_later]
        self._rules_count = any(one.word == "rules" for one in properties)
        self.reached: set[str] = set()
        """Nodes that were ticked, options that were chosen, rules that were applied, goals met."""
        self.broken: list[tuple[str, str]] = []
        self.known: list[str] = []
        """All nodes, options, rules, fallbacks and goals of tasks that there are."""
        self._run: Run | None = None
        self._unreached: list[Any] = []

    def watch(self, run: Run) -> None:
        """Watch a run from now on."""
        self._run = run
        self._unreached = list(run.root.iterate())
        self.known = [path_of(node) for node in self._unreached]
        for node in self._unreached:
            if isinstance(node, Decision):
                self.known += (f"{node.path}: {option}" for option in node.options)
                self._watch_rules(node)
            if isinstance(node, Decision | Action):
                self.known += _rules_of(node)
        tasks = run.view.all("task").items()
        self.known += (f"the goal of '{name}'" for name, it in tasks if it.model.goal is not None)
        run.world.subscribe(self._follow, traces=True)
        run.loop.after_tick.append(self._look)
        self._watch_skills(run)
        _watch(run, self._judge_commit, self._note_check)

    def _note_use(self, name: str) -> None:
        self.reached.add(f"{USED}{name}")

    def note_end(self) -> None:
        """Note which nodes wait in the present state, in which nothing can happen any more."""
        assert self._run is not None
        running = [n for n in self._run.root.iterate() if n.status is Status.RUNNING]
        leaves = (n for n in running if all(c.status is not Status.RUNNING for c in n.children))
        self.reached.add(ENDS + ", ".join(map(path_of, leaves)))

    @property
    def ends(self) -> list[str]:
        """The nodes that wait where nothing can happen any more."""
        return sorted(one.removeprefix(ENDS) for one in self.reached if one.startswith(ENDS))

    def unused(self, holds: Mapping[Property | None, Sequence[bool]]) -> set[str]:
        """What is not broken only since nothing has happened that could break it.

        ``holds``: of each state whether the first condition of a property about what comes later
        holds, for None whether there is work.
        """
        names = {one.name for one in self.contracts} | {*self._promises, STOP}
        found = {name for name in names if f"{USED}{name}" not in self.reached}
        found |= {one.text for one in self.later if one.has_first and not any(holds[one])}
        return found if any(holds[None]) else found | {FINISHES, DEADLOCK}

    def take(self) -> list[tuple[str, str]]:
        """What was broken since this was asked last."""
        found, self.broken = list(dict.fromkeys(self.broken)), []
        return found

    def _follow(self, record: Record) -> None:
        for event in flat(record.event):
            if isinstance(event, ContractBroken):
                self.broken.append((event.contract, self._say_unmet(event)))
            elif isinstance(event, Decided):
                self.reached.add(f"{event.node}: {event.choose}")
            elif isinstance(event, SubtaskDone) and self._run is not None:
                subtask = self._run.team.now.subtasks.get(event.subtask)
                self.reached.add(f"the goal of '{subtask.task if subtask else None}'")
            elif type(event).__name__ == "NodeRaised":
                self.broken.append((RAISES, f"{event.node}: {event.reason}"))  # type: ignore[attr-defined]
            elif type(event).__name__ == "BranchRestless":
                self.broken.append((RESTLESS, f"{event.node}: {event.reason}"))  # type: ignore[attr-defined]
            elif isinstance(event, AnswerRefused) and self._rules_count and event.by in RULES:
                self.broken.append((REFUSED, f"{event.node}: {event.reason}"))

    def _watch_rules(self, node: Decision) -> None:
        """Note which of a decision's rules choose, also what was chosen before."""
        take = node._take

        def take_and_note(choice: str, by: str, *args: Any, **more: Any) -> Status:
            rule = node._rule_of(choice, by)
            self.reached.add(f"{node.path}: {by} rule {rule}" if rule else f"{node.path}: {by}")
            return take(choice, by, *args, **more)

        node._take = take_and_note  # type: ignore[method-assign]

    def _watch_skills(self, run: Run) -> None:
        """Note which skills contracts refuse, unless a model may have begun them."""
        arbiter: Any = run.runtime.arbiter
        find = arbiter.find_broken_contract

        def find_and_note(skill: SkillRun) -> Forbidden | None:
            found: Forbidden | None = find(skill)
            if found is not None:
                how = f"'{found.contract}' refuses {skill.agent} to {skill.words}: {found.reason}"
                self.broken.append((REFUSED, how))
            return found

        if self._rules_count and run.asker is None:
            arbiter.find_broken_contract = find_and_note

    def _note_check(self, checked: Any) -> None:
        for one in checked.broken:
            self._note_use(one.contract)
        if self._rules_count and checked.by in RULES:
            self.broken += (
                (REFUSED, f"'{one.contract}' refuses {one.action}: {one.tell}")
                for one in checked.broken
            )

    def _say_unmet(self, event: ContractBroken) -> str:
        run = self._run
        assert run is not None
        said = run.team.now.utterances.get(event.item)
        item = event.item if said is None else f"'{said.text}'"
        promise = run.view.all("contract")[event.contract].model.eventually
        return f"{item}: within {event.within:g} s it does not come to {promise.require}"

    def _judge_commit(self, path: str, checked: Any, scope: Any) -> None:
        rules = {call.rule for call in checked.calls}
        self.reached |= {f"{path}: {checked.by} rule {rule}" for rule in rules}
        for one in judge_all(self.contracts, checked.calls, scope, checked.settled, checked.by):
            self.broken.append((one.contract, one.tell))

    def _look(self) -> None:
        run = self._run
        assert run is not None
        for node in self._unreached:
            if node.status is not Status.INVALID:
                self.reached.add(path_of(node))
        for name, items in run.monitor._seen.items():
            if items:
                self._note_use(name)
        if run.runtime.arbiter._runs:
            self._note_use(STOP)
        self._unreached = [n for n in self._unreached if path_of(n) not in self.reached]
        for skill in run.runtime.arbiter._runs:
            self.broken += self._judge_skill(run, skill)
        for one in self.properties:
            if one.is_broken(run, self.notes):
                how = "it is so" if one.word == "never" else "it is not so"
                self.broken.append((one.text, how))

    def _judge_skill(self, run: Run, skill: SkillRun) -> Iterator[tuple[str, str]]:
        values = {
            "agent": run.team.agent(skill.agent) or skill.agent,
            "skill": skill.skill,
            "args": dict(skill.args),
            "subtask": run.team.now.subtasks.get(skill.subtask or ""),
        }
        for contract in self.contracts:
            if SKILL not in contract.heads:
                continue
            try:
                broken = contract.judge(SKILL, values, skill.words, run.scope)
            except (LocatedError, EvaluationProblem) as error:
                yield contract.name, f"{skill.words}: {error}"
                continue
            if broken is not None:
                yield contract.name, f"{skill.words}: {broken.words}"


def _rules_of(node: Decision | Action) -> Iterator[str]:
    model = node.entry.model
    for kind, rules in (("always", model.always), (OFFLINE, model.offline)):
        yield from (f"{node.path}: {kind} rule {number}" for number in range(1, len(rules) + 1))
    if isinstance(node, Decision) and model.fallback is not None:
        yield f"{node.path}: fallback"


_watchers: dict[int, tuple[Callable[[str, Any, Any], None], Callable[[Any], None]]] = {}


def _watch(run: Run, judge: Callable[[str, Any, Any], None], note: Callable[[Any], None]) -> None:
    """Call ``judge`` with the checked calls of each answer before they are committed.

    ``note`` is called with those of every answer that is checked.
    """
    act_nodes: Any = import_module("treec_asking.act")
    _watchers[id(run.runtime)] = judge, note
    commit, check = act_nodes.commit, act_nodes.check
    if getattr(commit, "is_watched", False):
        return

    def checking(runtime: Any, calls: Any, by: str, **more: Any) -> Any:
        checked = check(runtime, calls, by, **more)
        if id(runtime) in _watchers:
            _watchers[id(runtime)][1](checked)
        return checked

    def watched(
        runtime: Any, path: str, name: str, checked: Any, *, scope: Any, acknowledge: Any
    ) -> None:
        if id(runtime) in _watchers:
            _watchers[id(runtime)][0](path, checked, scope)
        commit(runtime, path, name, checked, scope=scope, acknowledge=acknowledge)

    watched.is_watched = True  # type: ignore[attr-defined]
    act_nodes.commit, act_nodes.check = watched, checking


def has_work(run: Run) -> bool:
    """Whether somebody is at work, or could take some."""
    return any(
        agent.status != "Interrupted"
        and (agent.current is not None or run.team.takeable(agent.name) is not None)
        for agent in run.team.agents
        if not agent.person
    )


def find_deadlock(run: Run, can_happen: bool) -> str:
    """Who has work that nobody will ever do, where nothing can happen but that people speak."""
    if can_happen:
        return ""
    for agent in run.team.agents:
        if agent.person or agent.status == "Interrupted":
            continue
        if agent.current is not None:
            return f"{agent.name} is at '{agent.current.words}', and nothing happens"
        if run.team.takeable(agent.name) is not None:
            return f"{agent.name} has work in its queue, and nothing happens"
    return ""
