"""How BehaviorTree.CPP 4 ticks, written down once more, for `treec prove --same-as FILE.xml`.

The model keeps BehaviorTree.CPP's words (idle, halt, skipped) and shares no code with treec's
nodes, so that a mistake would have to be made twice. It agrees with the golden traces that
BehaviorTree.CPP itself has left (tests/test_vectors.py). Leaves are answered as those of treec's
trees are; `Script` and what happens after a tick (`_onSuccess` and its kind) are not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, ClassVar

from py_trees.common import Status

from treec.files.types import TypeTree
from treec.source.diagnostics import unknown
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope
from treec.source.values import is_reference
from treec_interchange.attributes import decode_value
from treec_interchange.scripts import NoCounterpart, to_expression
from treec_interchange.xml_reader import XmlElement
from treec_prove.answering import (
    Choices,
    Happened,
    Undefined,
    Values,
    constants_of_text,
    label_of_data,
)

IDLE, RUNNING, SUCCESS, FAILURE, SKIPPED = "IDLE", "RUNNING", "SUCCESS", "FAILURE", "SKIPPED"

Condition = Callable[[], bool]


class NotModelled(Exception):
    """An element that the model does not have; the message names it and its place."""


class CppNode:
    """A node with its children."""

    def __init__(self, *children: CppNode) -> None:
        self.status = IDLE
        self.children = list(children)
        self.failure_if: Condition | None = None
        self.success_if: Condition | None = None
        self.skip_if: Condition | None = None
        self.while_true: Condition | None = None

    def execute(self) -> str:
        """Tick it, unless a precondition decides.

        A node that a precondition skips is as it was. One that is skipped by what is in it has
        begun to run, and is RUNNING until a node above resets it: its preconditions are not looked
        at again before.
        """
        status = self._decided()
        if not status:
            status = self.tick()
            if status == SKIPPED and self.runs:
                self.status = RUNNING
        if status != SKIPPED:
            self.status = status
        return status

    @property
    def runs(self) -> bool:
        """Whether a tick of it begins with RUNNING."""
        return bool(self.children)

    def _decided(self) -> str:
        if self.status == RUNNING:
            if self.while_true is not None and not self.while_true():
                self.reset()
                return SKIPPED
            return ""
        if self.failure_if is not None and self.failure_if():
            return FAILURE
        if self.success_if is not None and self.success_if():
            return SUCCESS
        if self.skip_if is not None and self.skip_if():
            return SKIPPED
        return SKIPPED if self.while_true is not None and not self.while_true() else ""

    def tick(self) -> str:
        """Its status."""
        raise NotImplementedError

    def halt(self) -> None:
        """End a round; called on a running node only."""
        self.reset_children()

    def reset(self) -> None:
        """Halt it if it is running, and let it be idle."""
        if self.status == RUNNING:
            self.halt()
        self.status = IDLE

    def reset_children(self) -> None:
        """Reset all children."""
        for child in self.children:
            child.reset()

    def iterate(self) -> Iterator[CppNode]:
        """It and all nodes below it."""
        yield self
        for child in self.children:
            yield from child.iterate()


class CppLeaf(CppNode):
    """An action or condition: ``answer`` gives its status, ``halted`` is told of its halts."""

    def __init__(self, answer: Callable[[], str], halted: Callable[[], None]) -> None:
        super().__init__()
        self._answer, self._halted = answer, halted

    def tick(self) -> str:
        """The answer."""
        return self._answer()

    def halt(self) -> None:
        """Tell of it."""
        self._halted()


class CppSequence(CppNode):
    """Sequence and Fallback; `goes_on` is the status after which the next child is due."""

    goes_on = SUCCESS
    reactive = False
    yields = False

    def __init__(self, *children: CppNode) -> None:
        super().__init__(*children)
        self.due = 0
        self.skipped = 0

    def tick(self) -> str:
        """Its children in order, until one ends it."""
        if self.reactive or self.status != RUNNING:
            self.skipped = 0
        if self.reactive:
            self.due = 0
        while self.due < len(self.children):
            child = self.children[self.due]
            before, status = child.status, child.execute()
            if status == RUNNING:
                if self.reactive:
                    for other, sibling in enumerate(self.children):
                        if other != self.due:
                            sibling.reset()
                return RUNNING
            if status not in (self.goes_on, SKIPPED):
                self.reset_children()
                self.due = 0
                return status
            self.due += 1
            self.skipped += status == SKIPPED
            ended = status == self.goes_on and before == IDLE
            if self.yields and ended and self.due < len(self.children):
                return RUNNING
        all_skipped = bool(self.children) and self.skipped == len(self.children)
        self.reset_children()
        self.due = self.skipped = 0
        return SKIPPED if all_skipped else self.goes_on

    def halt(self) -> None:
        """Begin anew."""
        self.due = 0
        super().halt()


class CppFallback(CppSequence):
    """The first child that does not fail."""

    goes_on = FAILURE


class CppAsyncSequence(CppSequence):
    """A sequence that is RUNNING between children that end at once."""

    yields = True


class CppAsyncFallback(CppFallback):
    """The same of a fallback."""

    yields = True


class CppReactiveSequence(CppSequence):
    """From the first child at every tick."""

    reactive = True


class CppReactiveFallback(CppFallback):
    """From the first child at every tick."""

    reactive = True


class CppSequenceWithMemory(CppNode):
    """A sequence that after a failure goes on with the child that failed."""

    def __init__(self, *children: CppNode) -> None:
        super().__init__(*children)
        self.due = 0
        self.skipped = 0

    def tick(self) -> str:
        """From the child that is due."""
        if self.status != RUNNING:
            self.skipped = 0
        while self.due < len(self.children):
            child = self.children[self.due]
            before, status = child.status, child.execute()
            if status == RUNNING:
                return RUNNING
            if status == FAILURE:
                for later in self.children[self.due :]:
                    later.reset()
                return FAILURE
            self.due += 1
            self.skipped += status == SKIPPED
            if status == SUCCESS and before == IDLE and self.due < len(self.children):
                return RUNNING
        all_skipped = bool(self.children) and self.skipped == len(self.children)
        self.reset_children()
        self.due = self.skipped = 0
        return SKIPPED if all_skipped else SUCCESS


class CppParallel(CppNode):
    """All children, until enough have succeeded or too many have failed."""

    def __init__(self, *children: CppNode, success_count: int = -1, failure_count: int = 1) -> None:
        super().__init__(*children)
        self.success_count, self.failure_count = success_count, failure_count
        self.results: dict[int, str] = {}

    def _count(self, wanted: int) -> int:
        return max(len(self.children) + wanted + 1, 0) if wanted < 0 else wanted

    def tick(self) -> str:
        """Each child that has no result in this round."""
        needed, tolerated = self._count(self.success_count), self._count(self.failure_count)
        skipped = 0
        for place, child in enumerate(self.children):
            if place not in self.results:
                status = child.execute()
                skipped += status == SKIPPED
                if status in (SUCCESS, FAILURE):
                    self.results[place] = status
            successes = list(self.results.values()).count(SUCCESS)
            failures = len(self.results) - successes
            counted = successes + (skipped if self.success_count < 0 else 0)
            if counted >= needed:
                return self._decide(SUCCESS)
            if len(self.children) - failures < needed or failures == tolerated:
                return self._decide(FAILURE)
        return SKIPPED if self.children and skipped == len(self.children) else RUNNING

    def _decide(self, status: str) -> str:
        self.results.clear()
        self.reset_children()
        return status

    def halt(self) -> None:
        """Forget the results."""
        self.results.clear()
        super().halt()


class CppParallelAll(CppParallel):
    """All children to their end; ``failure_count`` failures make it fail."""

    def tick(self) -> str:
        """Each child that has no result in this round."""
        skipped = 0
        for place, child in enumerate(self.children):
            if place not in self.results:
                status = child.execute()
                skipped += status == SKIPPED
                if status in (SUCCESS, FAILURE):
                    self.results[place] = status
        if self.children and skipped == len(self.children):
            return SKIPPED
        if skipped + len(self.results) < len(self.children):
            return RUNNING
        failures = list(self.results.values()).count(FAILURE)
        return self._decide(FAILURE if failures >= self._count(self.failure_count) else SUCCESS)


class CppIfThenElse(CppNode):
    """The second child or the third, by the result of the first, which is ticked once a round."""

    def __init__(self, *children: CppNode) -> None:
        super().__init__(*children)
        self.due = 0

    def tick(self) -> str:
        """The child that is due."""
        if self.due == 0:
            status = self.children[0].execute()
            if status == RUNNING:
                return RUNNING
            if status == SKIPPED:
                raise Undefined("IfThenElse throws where its condition is skipped")
            if status == SUCCESS:
                self.due = 1
            elif len(self.children) == 3:
                self.due = 2
            else:
                self.reset_children()
                return status
        status = self.children[self.due].execute()
        if status != RUNNING:
            self.reset_children()
            self.due = 0
        return status

    def halt(self) -> None:
        """Begin anew."""
        self.due = 0
        super().halt()


class CppWhileDoElse(CppNode):
    """The second child or the third, by the result of the first at every tick."""

    def tick(self) -> str:
        """The condition, then what it chooses; the other is halted."""
        condition = self.children[0].execute()
        if condition == RUNNING:
            return RUNNING
        if condition == SKIPPED:
            raise Undefined("WhileDoElse throws where its condition is skipped")
        chosen = 1 if condition == SUCCESS else 2
        for other in {1, 2} - {chosen}:
            if other < len(self.children):
                self.children[other].reset()
        status = FAILURE if chosen >= len(self.children) else self.children[chosen].execute()
        if status != RUNNING:
            self.reset_children()
        return status


class CppDecorator(CppNode):
    """Gives the results of its child another meaning."""

    results: ClassVar[dict[str, str]] = {}

    def tick(self) -> str:
        """The child's status, or what stands for it."""
        status = self.children[0].execute()
        if status in (SUCCESS, FAILURE):
            self.children[0].reset()
        return self.results.get(status, status)


class CppInverter(CppDecorator):
    """SUCCESS and FAILURE change places."""

    results: ClassVar = {SUCCESS: FAILURE, FAILURE: SUCCESS}


class CppForceSuccess(CppDecorator):
    """SUCCESS in any case."""

    results: ClassVar = {FAILURE: SUCCESS}


class CppForceFailure(CppDecorator):
    """FAILURE in any case."""

    results: ClassVar = {SUCCESS: FAILURE}


class CppKeepRunningUntilFailure(CppDecorator):
    """RUNNING in place of SUCCESS."""

    results: ClassVar = {SUCCESS: RUNNING, SKIPPED: RUNNING}


class CppRunOnce(CppDecorator):
    """Its child once; then skipped, or its result again."""

    def __init__(self, *children: CppNode, then_skip: bool = False) -> None:
        super().__init__(*children)
        self.then_skip, self.result = then_skip, IDLE

    @property
    def runs(self) -> bool:
        """Not once it has a result."""
        return self.result == IDLE

    def tick(self) -> str:
        """The child, if it has no result."""
        if self.result != IDLE:
            return SKIPPED if self.then_skip else self.result
        status = super().tick()
        if status in (SUCCESS, FAILURE):
            self.result = status
        return status


class CppRetryUntilSuccessful(CppNode):
    """Its child again after a failure; `again` is the status that uses a turn up."""

    again = FAILURE

    def __init__(self, *children: CppNode, limit: int) -> None:
        super().__init__(*children)
        self.limit, self.turns = limit, 0

    def _more(self) -> bool:
        return self.limit == -1 or self.turns < self.limit

    def tick(self) -> str:
        """As long as there are turns."""
        child = self.children[0]
        while self._more():
            before, status = child.status, child.execute()
            if status == RUNNING:
                return RUNNING
            child.reset()
            if status == SKIPPED:
                return SKIPPED
            if status != self.again:
                self.turns = 0
                return status
            self.turns += 1
            if before == IDLE and self._more():
                return RUNNING
        self.turns = 0
        return self.again

    def halt(self) -> None:
        """Forget the turns."""
        self.turns = 0
        super().halt()


class CppRepeat(CppRetryUntilSuccessful):
    """Its child again after a success."""

    again = SUCCESS


class CppAlways(CppNode):
    """A constant."""

    def __init__(self, status: str) -> None:
        super().__init__()
        self.constant = status

    def tick(self) -> str:
        """It."""
        return self.constant


class CppScripted(CppNode):
    """A condition by script."""

    def __init__(self, condition: Condition) -> None:
        super().__init__()
        self.condition = condition

    def tick(self) -> str:
        """Whether it holds."""
        return SUCCESS if self.condition() else FAILURE


PLAIN: dict[str, type[CppNode]] = {
    "Sequence": CppSequence,
    "Fallback": CppFallback,
    "AsyncSequence": CppAsyncSequence,
    "AsyncFallback": CppAsyncFallback,
    "ReactiveSequence": CppReactiveSequence,
    "ReactiveFallback": CppReactiveFallback,
    "SequenceWithMemory": CppSequenceWithMemory,
    "IfThenElse": CppIfThenElse,
    "WhileDoElse": CppWhileDoElse,
    "Inverter": CppInverter,
    "ForceSuccess": CppForceSuccess,
    "ForceFailure": CppForceFailure,
    "KeepRunningUntilFailure": CppKeepRunningUntilFailure,
}
"""Elements that have children and no attributes of their own."""

_CONDITIONS = {
    "_failureIf": "failure_if",
    "_successIf": "success_if",
    "_skipIf": "skip_if",
    "_while": "while_true",
}
_IGNORED = ("name", "ID", "_description")
_STATUSES = (Status.SUCCESS, Status.FAILURE, Status.RUNNING)


class ModelTree:
    """A tree of a file of BehaviorTree.CPP, ticked by the model.

    ``trees`` are those of the file, by their names. Raises NotModelled.
    """

    def __init__(
        self, name: str, trees: dict[str, XmlElement], constants: Collection[object]
    ) -> None:
        self.name = name
        self.trees = trees
        self.values = Values(TypeTree({}), {}, constants)
        self.choices = Choices()
        self.happened = Happened()
        self.asked: dict[str, int] = {}
        self.given: set[str] = set()
        """Entries that nodes are given."""
        self.read: dict[str, str] = {}
        """Entries that conditions read, and where."""
        self.root = self._tree(name, ())
        for entry in self.given & self.read.keys():
            why = f"'{entry}' is read here, and may be set by a node that is given it"
            raise NotModelled(f"{self.read[entry]}: {why}; that is not in the model")
        self.nodes: list[CppNode] = []
        self._all = list(self.root.iterate())

    def tick(self, choices: Choices) -> Happened:
        """Tick once, with these answers."""
        self._begin(choices)
        status = self.root.execute()
        if status in (SUCCESS, FAILURE):
            self.root.status = IDLE
        self.happened.status = "INVALID" if status == SKIPPED else status
        return self.happened

    def halt(self) -> Happened:
        """Halt the whole."""
        self._begin(Choices())
        self.root.reset()
        self.happened.status = "INVALID"
        return self.happened

    def _begin(self, choices: Choices) -> None:
        self.choices, self.happened, self.asked = choices, Happened(), {}

    dues: Sequence[float] = ()
    durations: Collection[float] = ()

    def save(self) -> object:
        """All that it remembers."""
        return [_copied(vars(node)) for node in self._all]

    def restore(self, saved: Any) -> None:
        """Go on from there."""
        for node, kept in zip(self._all, saved, strict=True):
            vars(node).update(_copied(kept))

    @property
    def state(self) -> object:
        """What tells states apart."""
        return tuple(
            (key, tuple(value.items()) if isinstance(value, dict) else value)
            for node in self._all
            for key, value in vars(node).items()
            if isinstance(value, str | int | dict)
        )

    # Reading

    def _tree(self, name: str, above: tuple[str, ...]) -> CppNode:
        tree = self.trees.get(name)
        if tree is None:
            raise NotModelled(unknown("tree", name, list(self.trees)))
        if name in above:
            raise NotModelled(f"{_place(tree)}: the tree '{name}' contains itself")
        if len(tree.children) != 1:
            raise NotModelled(f"{_place(tree)}: the tree '{name}' has no single root")
        return self._node(tree.children[0], (*above, name))

    def _node(self, element: XmlElement, above: tuple[str, ...]) -> CppNode:
        node = self._bare(element, above)
        for attribute, field in _CONDITIONS.items():
            if attribute in element.attributes:
                setattr(node, field, self._condition(element, attribute))
        for attribute in element.attributes:
            if attribute.startswith("_on") or attribute == "_post":
                raise NotModelled(f"{_place(element)}: '{attribute}' is not in the model")
        return node

    def _bare(self, element: XmlElement, above: tuple[str, ...]) -> CppNode:
        tag, given = element.tag, element.attributes
        if tag in ("SubTree", "SubTreePlus"):
            if any(not key.startswith("_") and key not in ("ID", "name") for key in given):
                raise NotModelled(f"{_place(element)}: ports of a tree are not in the model")
            return self._tree(given.get("ID", ""), above)
        children = [self._node(child, above) for child in element.children]
        match tag:
            case "Parallel" | "ParallelAll":
                made = CppParallel if tag == "Parallel" else CppParallelAll
                counts = {
                    name.replace("max_failures", "failure_count"): _number(element, name)
                    for name in ("success_count", "failure_count", "max_failures")
                    if name in given
                }
                return made(*children, **counts)
            case "RunOnce":
                return CppRunOnce(*children, then_skip=given.get("then_skip", "true") == "true")
            case "RetryUntilSuccessful":
                return CppRetryUntilSuccessful(*children, limit=_number(element, "num_attempts"))
            case "Repeat":
                return CppRepeat(*children, limit=_number(element, "num_cycles"))
            case "AlwaysSuccess" | "AlwaysFailure":
                return CppAlways(SUCCESS if tag == "AlwaysSuccess" else FAILURE)
            case "ScriptCondition":
                return CppScripted(self._condition(element, "code"))
        if tag in PLAIN:
            return PLAIN[tag](*children)
        if children:
            raise NotModelled(f"{_place(element)}: '{tag}' is not in the model")
        return self._leaf(element)

    def _leaf(self, element: XmlElement) -> CppLeaf:
        given = element.attributes
        key = (
            given.get("ID", element.tag) if element.tag in ("Action", "Condition") else element.tag
        )
        if key in ("Script", "SetBlackboard", "UnsetBlackboard", "Sleep", "Delay", "Timeout"):
            raise NotModelled(f"{_place(element)}: '{key}' is not in the model")
        data = {
            name: decode_value(text)
            for name, text in given.items()
            if name not in _IGNORED and not name.startswith("_")
        }
        self.given |= {v[1:] for v in data.values() if isinstance(v, str) and is_reference(v)}
        label = label_of_data(key, {key: data})

        def answer() -> str:
            number = self.asked[label] = self.asked.get(label, 0) + 1
            status = self.choices.pick((label, "answers", str(number)), _STATUSES)
            assert isinstance(status, Status)
            self.happened.done.append((label, status.name))
            return status.name

        return CppLeaf(answer, lambda: self.happened.halted.append(label))

    def _value(self, name: str) -> object:
        return self.choices.pick((name,), self.values.of_any(name))

    def _condition(self, element: XmlElement, attribute: str) -> Condition:
        try:
            parsed = Expression.parse(to_expression(element.attributes[attribute]))
        except (NoCounterpart, LocatedError) as error:
            raise NotModelled(f"{_place(element)}: {attribute}: {error}") from None
        names = [name.name for name in parsed.names]
        self.read.update(dict.fromkeys(names, _place(element)))

        def holds() -> bool:
            values = MappingScope({name: self._value(name) for name in names})
            try:
                return bool(parsed.evaluate(values))
            except LocatedError as error:
                raise Undefined(error.message) from None

        return holds


def trees_in(root: XmlElement) -> dict[str, XmlElement]:
    """The trees of a file, by their names, in their order."""
    return {
        tree.attributes.get("ID", ""): tree for tree in root.children if tree.tag == "BehaviorTree"
    }


def constants_of(root: XmlElement) -> set[object]:
    """Numbers and texts that the file's conditions compare with."""
    found: set[object] = set()
    for element in root.walk():
        for attribute in ("code", *_CONDITIONS):
            try:
                found |= constants_of_text(to_expression(element.attributes[attribute]))
            except (KeyError, NoCounterpart):
                continue
    return found


def _number(element: XmlElement, attribute: str) -> int:
    text = element.attributes.get(attribute, "")
    try:
        return int(text)
    except ValueError:
        raise NotModelled(f'{_place(element)}: {attribute}="{text}" is no number') from None


def _place(element: XmlElement) -> str:
    return f"{element.path}:{element.line}:{element.column}".lstrip(":")


def _copied(own: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value.copy() if isinstance(value, dict) else value
        for key, value in own.items()
        if key not in ("children",)
    }
