"""Trees whose leaves give every answer: what a proof about trees alone ticks.

The tree is compiled by treec's own compiler, so that its composites, modifiers, subtrees, ports,
variables and expressions are those of a run. What would reach outside is answered by choice: an
action, skill, question or node of one's own returns any status that its type can have, and a fact,
a state or a name of the team that an expression reads has any value of its type.

What is chosen is found by trying (:class:`Choices`): a tick is made again and again, each time with
another answer at one of its choices, until no choice has an answer left.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.compile.build import Compiler
from treec.compile.standalone import idle_runtime
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.node_spec import NodeSpec
from treec.files.nodes import COMMON, MODIFIERS, NodeBase, PythonNode, type_key
from treec.files.types import ANY, ListOf, Named, OneOf, Type, TypeTree, parse_type
from treec.files.view import View
from treec.nodes.frame import Cell, Frame
from treec.nodes.leaves.check import Check
from treec.nodes.leaves.set_ import Set
from treec.nodes.node_place import NodePlace
from treec.nodes.place import CompileError
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.scope import Special
from treec.source.values import is_reference, resolve
from treec.team.names import WorldScope
from treec.world.clock import VirtualClock
from treec_prove.compared import Inexact, NameUse, compared_in
from treec_prove.kept import KeptNode, KnownLeaf, hashable

Answer = object
"""A status, or a value of a fact, a state or a variable."""

LONG = 6
"""Lists are tried that are one longer than the files' numbers below this, or have two items."""

OTHER = "(other)"
"""A text that none of the files compares anything with."""


class NotFinite(Exception):
    """What a tree reads has no finite number of values that matter; the message names it."""


class Undefined(Exception):
    """A tick that an engine ends with an exception, so that there is nothing to compare."""


@dataclass
class Choices:
    """The answers of one tick: those of ``given`` in order, then the first option of each."""

    given: Sequence[int] = ()
    made: list[int] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    answers: dict[tuple[str, ...], Answer] = field(default_factory=dict)
    """By what was asked: within a tick the same question has the same answer, for every tree."""
    known: set[object] | None = None
    """Where ticks from the same state have been; None if they all go to the end."""

    def pick(self, question: tuple[str, ...], options: Sequence[Answer]) -> Answer:
        """The answer to a question, one of the options."""
        if question not in self.answers:
            place = len(self.made)
            number = self.given[place] if place < len(self.given) else 0
            self.made.append(number)
            self.sizes.append(len(options))
            self.answers[question] = options[number]
        return self.answers[question]

    def others(self) -> Iterator[tuple[int, ...]]:
        """Further beginnings of the same tick: each new choice answered otherwise."""
        for place in range(len(self.given), len(self.made)):
            for number in range(1, self.sizes[place]):
                yield (*self.made[:place], number)


class Met(Exception):
    """A tick comes to where another one was, and would go on as that."""

    def __init__(self, ticked: Collection[Behaviour]) -> None:
        super().__init__()
        self.ticked = ticked
        """The leaf that is asked, and the nodes above it."""


class Standing(VirtualClock):
    """A clock whose time is set from outside, and whose timers only say when they are due."""

    def set(self, now: float) -> None:
        """Let it be that late."""
        self._now = now


_PLAIN = {"number": int | float, "text": str}


@dataclass
class Values:
    """The values that matter of each type: numbers and texts by what the files compare with."""

    types: TypeTree
    things: Mapping[str, Type]
    constants: Collection[object]

    def of(self, kind: Type, texts: Sequence[str] = ()) -> list[object]:
        """All values of a type. Raises NotFinite."""
        match kind:
            case OneOf(options):
                found = [value for option in options for value in self.of(option, texts)]
                return list(dict.fromkeys(found))
            case ListOf(item):
                try:
                    items = self.of(item)
                except NotFinite:
                    items = [OTHER]
                counts = [c for c in self.constants if type(c) is int and 1 < c < LONG]
                most = max([1, *counts]) + 1
                longer = (tuple((items * most)[:length]) for length in range(2, most + 1))
                return [(), *((one,) for one in items), *longer]
            case Named("bool"):
                return [False, True]
            case Named("none"):
                return [None]
            case Named("number" | "integer" as name):
                return list(self._numbers(name == "integer"))
            case Named("any"):
                return self.of_any("")
            case Named("text"):
                known = texts or (*(c for c in self.constants if isinstance(c, str)), OTHER)
                return list(dict.fromkeys(known))
        if self.types.is_thing(kind):
            return list(self.types.fitting(self.things, kind)) or [None]
        if isinstance(kind, Named) and kind.name.startswith("value of ") and texts:
            return list(texts)
        raise NotFinite(f"a value of the type {kind}")

    def of_any(self, name: str) -> list[object]:
        """The values of a name of any type, by how the files use it: all, if they pass it on."""
        uses = [c for c in self.constants if isinstance(c, NameUse) and c.name == name]
        kinds: set[str] = {use.kind for use in uses}
        if not kinds or "any" in kinds:
            kinds = {"bool", *(k for k, t in _PLAIN.items() if self._has(t))}
        order = ("number", "text", "bool")
        found = [v for kind in order if kind in kinds for v in self.of(Named(kind))]
        return list(dict.fromkeys(found))

    def _has(self, plain: Any) -> bool:
        return any(
            isinstance(c, plain) and not isinstance(c, bool | NameUse) for c in self.constants
        )

    def _numbers(self, whole: bool) -> Iterator[float]:
        """One number below, at, between and above the constants. Raises NotFinite."""
        inexact = sorted(c.what for c in self.constants if isinstance(c, Inexact))
        if inexact:
            raise NotFinite(f"a number, since a condition does {inexact[0]}")
        numbers = {c for c in self.constants if isinstance(c, int | float)}
        cuts = sorted(c for c in numbers if not isinstance(c, bool) and math.isfinite(c)) or [0]
        tried: list[float] = [cuts[0] - 1]
        for low, high in zip(cuts, [*cuts[1:], None], strict=True):
            tried += [low, low + 1 if high is None else (low + high) / 2]
        if whole:
            tried = [math.floor(number) for number in tried]
        yield from dict.fromkeys(tried)


class ChoiceScope(WorldScope):
    """The names of the world; what a run would tell is chosen, once a tick."""

    def __init__(self, team: Any, values: Values, own: Collection[str]) -> None:
        super().__init__(team)
        self.values = values
        self.own = own
        """State that a tree sets: it is remembered."""
        self.state: dict[str, object] = {}
        self.choices = Choices()
        self.ports: Mapping[str, Type] = {}
        """Ports of the root, which are chosen like state."""
        self.read: dict[str, str] = {}
        """What was read so far, and which values it can have."""

    def lookup(self, name: str) -> object:
        """A state that was set, or any value that the name can have."""
        if name in self.own:
            return self.state.get(name, self._view.state[name].default)
        if name in self._view.state:
            return self._choose(name, (), parse_type(self._view.state[name].type))
        known = registry().names.get(name)
        if known is None or name in self._derived:
            return super().lookup(name)
        return self._choose(name, (), parse_type(known.type), known.values)

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Any value that the fact, or the function of the team, can have."""
        fact = self._facts.get(name)
        words = tuple(str(getattr(arg, "name", arg)) for arg in (*args, *kwargs.values()))
        if fact is not None and not kwargs:
            kind = parse_type(fact.value or "bool")
            return self._choose(name, words, kind, fact.values)
        known = registry().functions.get(name)
        if known is None or _is_pure(name):
            return super().call(name, args, kwargs)
        return self._choose(name, words, parse_type(known.returns))

    def special(self, name: str) -> Special | None:
        """The age and the source of facts are not known."""
        if super().special(name) is None:
            return None
        raise NotFinite(f"{name}(…)")

    def _choose(
        self, name: str, words: tuple[str, ...], kind: Type, texts: Sequence[str] = ()
    ) -> object:
        shown = f"{name}({', '.join(words)})" if words else name
        try:
            values = self.values
            options = values.of_any(name) if kind == ANY else values.of(kind, texts)
        except NotFinite as error:
            raise NotFinite(f"{shown}: {error}") from None
        self.read[shown] = ", ".join(map(_said, options))
        return self.choices.pick((shown,), options)


def _is_pure(name: str) -> bool:
    """Whether a function's value depends on its arguments and the files alone."""
    return name in ("is_a",)


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_said, value))}]"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)


@dataclass
class Happened:
    """What a tree did in a tick: ticks of leaves with their answers, then halts."""

    status: str = ""
    done: list[tuple[str, str]] = field(default_factory=list)
    halted: list[str] = field(default_factory=list)


class AnsweredLeaf(KnownLeaf):
    """Does nothing, and returns any status that a node of its type can."""

    def __init__(self, tree: AnsweredTree, at: NodePlace, label: Callable[[], str]) -> None:
        super().__init__(at.path)
        self.tree, self.label, self.frame = tree, label, at.frame
        self.statuses: Sequence[Status] = (Status.SUCCESS,)
        self.sets: Sequence[tuple[str, Type]] = ()
        self._label = ""

    def initialise(self) -> None:
        """Begin with what its keys say now."""
        self._label = self.label()

    def update(self) -> Status:
        """Choose a status, and the values that come with it."""
        tree = self.tree
        tree.meet(self)
        number = tree.asked[self._label] = tree.asked.get(self._label, 0) + 1
        question = (self._label, "answers", str(number))
        status = tree.scope.choices.pick(question, self.statuses)
        assert isinstance(status, Status)
        if status is Status.SUCCESS:
            for name, kind in self.sets:
                value = self._value((*question, name), kind)
                if not self.frame.set(name, value, self.name):
                    tree.scope.state[name] = value
        tree.happened.done.append((self._label, status.name))
        return status

    def _value(self, question: tuple[str, ...], kind: Type) -> object:
        try:
            options = self.tree.scope.values.of(kind)
        except NotFinite:  # what it is makes no difference to a tree that only passes it on
            options = [f"({question[-1]})"]
        return self.tree.scope.choices.pick(question, options)

    def terminate(self, new_status: Status) -> None:
        """Note a halt."""
        if new_status is Status.INVALID and self.status is Status.RUNNING:
            self.tree.happened.halted.append(self._label)
        self._label = ""


class RecordedSet(KnownLeaf):
    """A `set` whose state is that of the proof."""

    def __init__(self, tree: AnsweredTree, node: Set) -> None:
        super().__init__(node.name)
        self.tree, self.node = tree, node

    def update(self) -> Status:
        """Set variables, and state, which is an effect."""
        try:
            found = self.node.evaluate()
        except LocatedError as error:
            self.feedback_message = str(error)
            return Status.FAILURE
        for name, value in found.items():
            if self.node.scope.cell(name) is not None:
                self.node.scope.set(name, value, self.name)
            else:
                self.tree.scope.state[name] = value
                self.tree.happened.done.append((f"set {name}", _said(value)))
        return Status.SUCCESS


_EVALUATED = ("check", "wait", "on_change")
"""Leaves that only look at values and the time, so that they are as in a run."""


class AnsweringCompiler(Compiler):
    """Compiles trees; leaves that reach outside are answered."""

    def __init__(self, tree: AnsweredTree, view: View) -> None:
        super().__init__(view, tree.runtime)
        self.tree_of = tree

    def _build(self, at: NodePlace, spec: NodeSpec | None, node: NodeBase) -> Behaviour:
        key = type_key(node) or "node"
        if spec is None or isinstance(node, PythonNode):
            if getattr(node, "children", None):
                why = f"{at.path}: how '{key}' ticks its children is code of its own"
                raise CompileError(why, at.place.span)
            return self._answered(at, key, node, None)
        if spec.drawing.group == "ask" or spec.key in ("do", "skill", "recipe", "take", "report"):
            return self._answered(at, key, node, spec)
        if spec.key == "log":
            return self._answered(at, key, node, spec)
        built = super()._build(at, spec, node)
        if isinstance(built, Check):
            vars(built)["update"] = partial(self.tree_of.check, built)
        if isinstance(built, Set):
            return RecordedSet(self.tree_of, built)
        if built.children or spec.key in _EVALUATED or spec.drawing.group == "control":
            return built
        return self._answered(at, key, node, spec)

    def _answered(
        self, at: NodePlace, key: str, node: NodeBase, spec: NodeSpec | None
    ) -> AnsweredLeaf:
        own = own_data(node)
        leaf = AnsweredLeaf(self.tree_of, at, lambda: label_of(key, own, at.frame))
        fails = spec is None or spec.fails
        waits = spec is None or spec.can_wait(node) or spec.key == "probe"
        leaf.statuses = tuple(
            status
            for status, may in (
                (Status.SUCCESS, True),
                (Status.FAILURE, fails),
                (Status.RUNNING, waits),
            )
            if may
        )
        sets = () if spec is None else spec.assigned(node)
        leaf.sets = [(one.name, self._type(one.name, at)) for one in sets]
        return leaf

    def _type(self, name: str, at: NodePlace) -> Type:
        model = at.place.entry.model
        declared = {**getattr(model, "vars", {}), **getattr(model, "ports", {})}.get(name)
        if declared is None:
            state = self.view.state.get(name)
            return parse_type(state.type) if state is not None else Named("any")
        words = declared.strip()
        for way in ("inout ", "in ", "out "):
            words = words.removeprefix(way)
        return parse_type(words)


def own_data(node: NodeBase) -> dict[str, Any]:
    """What a node has of its own type."""
    data = node.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    own = {k: v for k, v in data.items() if k not in MODIFIERS and k not in COMMON}
    return {**(node.model_extra or {}), **own}


def label_of(key: str, own: Mapping[str, Any], frame: Frame) -> str:
    """What a leaf does, in words that are equal for two leaves that do the same."""
    if key == "probe":
        return str(own["probe"]["name"])
    resolved = _resolved(own, frame)
    assert isinstance(resolved, dict)
    return label_of_data(key, resolved)


def label_of_data(key: str, data: Mapping[str, object]) -> str:
    """The same of a node as data, by its key and what else it has."""
    others = dict(data)
    value = others.pop(key, None)
    parts = [] if value in (None, {}) else [_plain(value)]
    parts += [f"{name}={_plain(one)}" for name, one in sorted(others.items())]
    return " ".join((key, *parts))


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _resolved(value: object, frame: Frame) -> object:
    if isinstance(value, Mapping):
        return {str(key): _resolved(one, frame) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_resolved(one, frame) for one in value]
    if isinstance(value, str) and is_reference(value):
        try:
            found = resolve(value, frame)
        except Exception:
            return value
        return value if found is None else getattr(found, "name", found)
    return value


class AnsweredTree:
    """A tree whose leaves are answered, with its names, its time, and what it has done.

    ``entry`` is of ``view``, which may have a domain and a scene, or neither. Raises CompileError.
    """

    def __init__(self, view: View, entry: AnyEntry, constants: Collection[object]) -> None:
        self.name = entry.name
        self.runtime = idle_runtime(view)
        self.clock = Standing()
        self.runtime.clock = self.clock
        self.happened = Happened()
        self.asked: dict[str, int] = {}
        values = Values(view.types, view.things, constants)
        self.scope = ChoiceScope(self.runtime.team, values, state_set_in(view, entry))
        self.runtime.scope = self.scope
        compiler = AnsweringCompiler(self, view)
        self.root = compiler.root(entry)
        for name, declared in entry.model.ports.items():
            cell = compiler.frames[entry.name][1].cells[name]
            if declared.strip().startswith("in") and isinstance(cell, Cell):
                kind = parse_type(declared.strip().partition(" ")[2])
                compiler.frames[entry.name][1].cells[name] = _Chosen(self.scope, name, kind)
        self.nodes = list(self.root.iterate())
        self.cells = [
            (f"{path} {name}", cell)
            for path, (_, frame) in compiler.frames.items()
            for name, cell in frame.variables.items()
            if not isinstance(cell, _Chosen)
        ]
        self._kept = [KeptNode(node) for node in self.nodes]
        self._read_once = read_once(entry)
        self._is_known = all(kept.is_known for kept in self._kept)
        timed = [node for kept in self._kept if kept.wakes for node in (kept.own,)]
        self.durations = {
            float(seconds)
            for own in timed
            for key in ("seconds", "every", "period")
            if isinstance(seconds := own.get(key), int | float) and seconds > 0
        }

    def tick(self, choices: Choices) -> Happened:
        """Tick once, with these answers."""
        self._begin(choices)
        self.root.tick_once()
        self.happened.status = self.root.status.name
        return self.happened

    def check(self, node: Check) -> Status:
        """Tick a condition."""
        self.meet(node)
        return type(node).update(node)

    def meet(self, leaf: Behaviour) -> None:
        """Raise Met if another tick has come to this leaf, with the same before it and after.

        Which answers led here is of no account but for values that may be read once more.
        """
        choices = self.scope.choices
        known = choices.known
        if known is None or not self._is_known or len(choices.made) < len(choices.given):
            return
        ticked, above = {leaf}, leaf.parent
        while above is not None:
            ticked.add(above)
            above = above.parent
        now = self.clock.now()
        nodes = tuple(node.state_within(now, ticked) for node in self._kept)
        read = {
            question: answer
            for question, answer in choices.answers.items()
            if len(question) == 1 and question[0] not in self._read_once
        }
        where = (id(leaf), nodes, frozenset(read.items()), self._values())
        if where in known:
            raise Met(ticked)
        known.add(where)

    def halt(self) -> Happened:
        """Halt the whole."""
        self._begin(Choices())
        self.root.stop(Status.INVALID)
        self.happened.status = "INVALID"
        return self.happened

    def _begin(self, choices: Choices) -> None:
        self.happened, self.asked = Happened(), {}
        self.scope.choices = choices

    @property
    def dues(self) -> list[float]:
        """When timers are due."""
        now = self.clock.now()
        dues = [wake.due for node in self._kept for wake in node.wakes]
        return [due for due in dues if due is not None and due > now]

    def save(self) -> object:
        """All that the tree remembers: what is other than at first."""
        return (
            [node.save() for node in self._kept],
            [(cell.value, cell.times_set) for _, cell in self.cells],
            dict(self.scope.state),
            self.clock.now(),
        )

    def restore(self, saved: Any) -> None:
        """Go on from there."""
        nodes, cells, state, now = saved
        for node, kept in zip(self._kept, nodes, strict=True):
            node.restore(kept)
        for (_, cell), (value, times) in zip(self.cells, cells, strict=True):
            cell.value, cell.times_set = value, times
        self.scope.state = dict(state)
        self.clock.set(now)

    @property
    def state(self) -> object:
        """What tells states apart; times count from now."""
        now = self.clock.now()
        nodes = tuple(node.state(now) for node in self._kept)
        return nodes, self._values()

    def _values(self) -> object:
        cells = tuple((hashable(cell.value), bool(cell.times_set)) for _, cell in self.cells)
        return cells, hashable(self.scope.state)


class _Chosen(Cell):
    """A port of the root: any value of its type at each tick."""

    def __init__(self, scope: ChoiceScope, name: str, kind: Type) -> None:
        self._of = scope, name, kind
        super().__init__()

    @property
    def value(self) -> object:
        scope, name, kind = self._of
        return scope._choose(name, (), kind)

    @value.setter
    def value(self, value: object) -> None:
        """It is not set from inside."""


def read_once(entry: AnyEntry) -> set[str]:
    """Ports of a tree that a single condition reads, and nothing else."""
    data = entry.model.model_dump()
    words = Counter(word for text in _texts(data["root"]) for word in re.findall(r"\w+", text))
    checks = [node for node in _nodes(data["root"]) if isinstance(node.get("check"), str)]
    read = {word for node in checks for word in re.findall(r"\w+", node["check"])}
    return {name for name in entry.model.ports if name in read and words[name] == 1}


def _nodes(data: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        yield data
        for value in data.values():
            yield from _nodes(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _nodes(value)


def constants_in(view: View, *entries: AnyEntry) -> set[object]:
    """What expressions of the trees, and of those below them, compare with, and how they use names.

    See :func:`treec_prove.compared.compared_in`.
    """
    found: set[object] = set()
    waiting = [
        text for entry in reached(view, entries) for text in _texts(entry.model.model_dump())
    ]
    known: set[str] = set()
    while waiting:
        text = waiting.pop()
        if is_reference(text):
            found.add(NameUse(text[1:], "any"))
            continue
        try:
            parsed = Expression.parse(text.removeprefix("="))
        except LocatedError:
            continue
        for name in {name.name for name in parsed.names} & view.derived.keys() - known:
            known.add(name)
            waiting.append(view.derived[name])
        found |= compared_in(parsed, is_condition=not text.startswith("="))
    return found


def constants_of_text(text: str) -> set[object]:
    """The same of a condition; nothing if it is none."""
    try:
        return compared_in(Expression.parse(text))
    except LocatedError:
        return set()


def reached(view: View, entries: Sequence[AnyEntry]) -> list[AnyEntry]:
    """Trees and the trees that they use."""
    found = {entry.name: entry for entry in entries}
    waiting = list(entries)
    while waiting:
        for text in _texts(waiting.pop().model.model_dump()):
            below = view.find("tree", text)
            if below is not None and below.name not in found:
                found[below.name] = below
                waiting.append(below)
    return list(found.values())


def _texts(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from _texts(value)


def state_set_in(view: View, entry: AnyEntry) -> frozenset[str]:
    """State that a tree, or one below it, sets."""
    found: set[str] = set()

    def walk(data: object) -> None:
        if isinstance(data, Mapping):
            given = data.get("set")
            if isinstance(given, Mapping):
                found.update(name for name in given if name in view.state)
            for value in data.values():
                walk(value)
        elif isinstance(data, list | tuple):
            for value in data:
                walk(value)

    for one in reached(view, [entry]):
        walk(one.model.model_dump())
    return frozenset(found)
