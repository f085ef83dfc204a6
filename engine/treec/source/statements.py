"""Compiles templates to closures that write to the frame's output and charge its budget.

Every variable that a template binds has its own slot. A loop's body has a scope of its own, cleared
at every iteration, so that `set` inside a loop lasts for one iteration, as in Jinja.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, cast

from jinja2 import nodes

from treec.source.errors import EvaluationError, EvaluationProblem
from treec.source.evaluate import Applied, Closure, ExpressionCompiler, compile_print
from treec.source.frame import MISSING, ClosureFrame
from treec.source.grammar import offset, start, walk
from treec.source.objects import describe, is_list, items_of

Statement = Callable[[ClosureFrame], None]
Store = Callable[[ClosureFrame, object], None]

_NODES_A_STEP = 8

OWN = "treec_own"
"""Attribute of nodes whose output bypasses `show`, because it is the author's own text."""


def _cost(body: Sequence[nodes.Node]) -> int:
    """Return the steps of one iteration, which grow with the text of the body."""
    return 1 + sum(1 for _ in walk(tuple(body))) // _NODES_A_STEP


class LoopVariable:
    """The variable `loop` inside a loop."""

    __slots__ = ("_items", "index0", "length")
    treec_fields: ClassVar[tuple[str, ...]] = (
        "index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem",
        "nextitem",
    )  # fmt: skip

    def __init__(self, items: Sequence[object]) -> None:
        self._items = items
        self.length = len(items)
        self.index0 = 0

    index = property(lambda self: self.index0 + 1)
    revindex = property(lambda self: self.length - self.index0)
    revindex0 = property(lambda self: self.length - self.index0 - 1)
    first = property(lambda self: self.index0 == 0)
    last = property(lambda self: self.index0 == self.length - 1)

    @property
    def previtem(self) -> object:
        """The item before this one, or none."""
        return self._items[self.index0 - 1] if self.index0 else None

    @property
    def nextitem(self) -> object:
        """The item after this one, or none."""
        return self._items[self.index0 + 1] if self.index0 + 1 < self.length else None


class TemplateCompiler(ExpressionCompiler):
    """Compiles a template's statements to closures."""

    def block(self, body: Sequence[nodes.Node]) -> Statement:
        """Return the closure of a sequence of statements."""
        steps = [step for node in body for step in self._steps(node)]
        if len(steps) == 1:
            return steps[0]

        def run(frame: ClosureFrame) -> None:
            for step in steps:
                step(frame)

        return run

    def _steps(self, node: nodes.Node) -> list[Statement]:
        if isinstance(node, nodes.Output):
            return [self._write(part) for part in node.nodes]
        method = getattr(self, f"_do_{type(node).__name__.lower()}")
        return [cast(Statement, method(node))]

    def _write(self, node: nodes.Node) -> Statement:
        at = start(node)
        text = compile_print(self.expression(node), at)
        own = isinstance(node, nodes.TemplateData) or hasattr(node, OWN)

        def run(frame: ClosureFrame) -> None:
            piece = text(frame)
            try:
                frame.budget.step()
                frame.budget.write(len(piece))
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem
            frame.out.append(piece if own or frame.show is None else frame.show(piece))

        return run

    def _compile_scope(self, body: Sequence[nodes.Node], given: dict[str, int]) -> Statement:
        """Compile a body in a scope of its own, which is cleared each time it is entered."""
        self.locals.append(dict(given))
        run = self.block(body)
        fresh = [slot for name, slot in self.locals.pop().items() if name not in given]
        if not fresh:
            return run

        def enter(frame: ClosureFrame) -> None:
            for slot in fresh:
                frame.slots[slot] = MISSING
            run(frame)

        return enter

    def _target(self, node: nodes.Node) -> Store:
        """Return the closure that assigns to a name or unpacks a list."""
        if isinstance(node, nodes.Name):
            slot = self.bind(node.name)

            def store(frame: ClosureFrame, value: object) -> None:
                frame.slots[slot] = value

            return store
        stores = [self._target(part) for part in cast(nodes.Tuple, node).items]
        at, count = start(node), len(stores)

        def unpack(frame: ClosureFrame, value: object) -> None:
            if not is_list(value) or len(cast(Sequence[object], value)) != count:
                raise EvaluationError(
                    f"{describe(value)} cannot be unpacked into {count} names", at, 0
                )
            for assign, part in zip(stores, cast(Sequence[object], value), strict=True):
                assign(frame, part)

        return unpack

    def _do_assign(self, node: nodes.Assign) -> Statement:
        value = self.expression(node.node)
        store = self._target(node.target)
        return lambda frame: store(frame, value(frame))

    def _capture(self, body: Sequence[nodes.Node], filtered: nodes.Filter | None) -> Closure:
        """Return the closure of a body's text, filtered."""
        run = self._compile_scope(body, {})
        filters: list[Applied] = []
        while filtered is not None:
            filters.insert(0, self.compile_filter(filtered))
            filtered = cast("nodes.Filter | None", filtered.node)

        def capture(frame: ClosureFrame) -> object:
            before, frame.out = frame.out, []
            try:
                run(frame)
                value: object = "".join(frame.out)
            finally:
                frame.out = before
            for apply in filters:
                value = apply(frame, value)
            return value

        return capture

    def _do_assignblock(self, node: nodes.AssignBlock) -> Statement:
        value = self._capture(node.body, node.filter)
        store = self._target(node.target)
        return lambda frame: store(frame, value(frame))

    def _do_filterblock(self, node: nodes.FilterBlock) -> Statement:
        at = offset(node.filter)
        text = compile_print(self._capture(node.body, node.filter), at)

        def run(frame: ClosureFrame) -> None:
            piece = text(frame)
            try:
                frame.budget.write(len(piece))
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem
            frame.out.append(piece if frame.show is None else frame.show(piece))

        return run

    def _do_with(self, node: nodes.With) -> Statement:
        values = [self.expression(value) for value in node.values]
        self.locals.append({})
        stores = [self._target(target) for target in node.targets]
        run = self._compile_scope(node.body, self.locals.pop())

        def enter(frame: ClosureFrame) -> None:
            for store, value in zip(stores, [value(frame) for value in values], strict=True):
                store(frame, value)
            run(frame)

        return enter

    def _do_if(self, node: nodes.If) -> Statement:
        branches = [
            (self.expression(branch.test), self.block(branch.body))
            for branch in (node, *node.elif_)
        ]
        otherwise = self.block(node.else_)

        def run(frame: ClosureFrame) -> None:
            for test, body in branches:
                if test(frame):
                    return body(frame)
            return otherwise(frame)

        return run

    def _do_for(self, node: nodes.For) -> Statement:
        items, at = self.expression(node.iter), offset(node.iter)
        self.locals.append({})
        store = self._target(node.target)
        test = self.expression(node.test) if node.test is not None else None
        slot = self.bind("loop")
        body = self._compile_scope(node.body, self.locals.pop())
        cost, test_cost = _cost(node.body), _cost([node.test] if node.test is not None else [])
        otherwise = self._compile_scope(node.else_, {})

        def charge(frame: ClosureFrame, steps: int) -> None:
            try:
                frame.budget.step(steps)
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem

        def selected(frame: ClosureFrame) -> Sequence[object]:
            try:
                found = items_of(items(frame), frame.budget)
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem
            if test is None:
                return found
            kept = []
            for value in found:
                charge(frame, test_cost)
                store(frame, value)
                if test(frame):
                    kept.append(value)
            return kept

        def run(frame: ClosureFrame) -> None:
            found = selected(frame)
            if not found:
                otherwise(frame)
                return
            loop = LoopVariable(found)
            for index, value in enumerate(found):
                charge(frame, cost)
                loop.index0 = index
                frame.slots[slot] = loop
                store(frame, value)
                body(frame)

        return run
