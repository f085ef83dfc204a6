"""Compiles expressions to closures: each syntax node becomes one `function(frame) -> value`.

The closures are made once, at first evaluation. A closure that can fail catches
`EvaluationProblem` from its own operation and raises `EvaluationError` at its node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from jinja2 import nodes

from treec.source import operators
from treec.source.errors import EvaluationError, EvaluationProblem, Missing
from treec.source.frame import MISSING, ClosureFrame
from treec.source.grammar import offset
from treec.source.names import FUNCTIONS
from treec.source.objects import attribute, cut, item, key_of, text_of
from treec.source.registry import FILTERS, TESTS, Builtin

Closure = Callable[[ClosureFrame], object]
Applied = Callable[[ClosureFrame, object], object]


def with_position(run: Closure, at: int) -> Closure:
    """Add a position in the text to the problems of an operation."""

    def place(frame: ClosureFrame) -> object:
        try:
            return run(frame)
        except EvaluationProblem as problem:
            raise EvaluationError(problem.message, at, 0, problem.help) from problem

    return place


class ExpressionCompiler:
    """Compiles expression nodes to closures; keeps track of the local variables in scope."""

    def __init__(self) -> None:
        self.slots = 0
        self.locals: list[dict[str, int]] = [{}]

    def expression(self, node: nodes.Node) -> Closure:
        """Return the closure of one expression."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            return self._binary(cast(nodes.BinExpr, node))
        return cast(Closure, method(node))

    def bind(self, name: str) -> int:
        """Return the slot of a variable of the innermost scope."""
        scope = self.locals[-1]
        if name not in scope:
            scope[name] = self.slots
            self.slots += 1
        return scope[name]

    def _const(self, node: nodes.Const) -> Closure:
        value = node.value
        return lambda frame: value

    def _templatedata(self, node: nodes.TemplateData) -> Closure:
        value = node.data
        return lambda frame: value

    def _name(self, node: nodes.Name) -> Closure:
        name, at = node.name, node.lineno

        def free(frame: ClosureFrame) -> object:
            try:
                return frame.scope.lookup(name)
            except (EvaluationProblem, EvaluationError) as error:
                raise EvaluationError(error.message, at, 0, error.help) from error

        slots = [scope[name] for scope in reversed(self.locals) if name in scope]
        if not slots:
            return free

        def local(frame: ClosureFrame) -> object:
            for slot in slots:
                value = frame.slots[slot]
                if value is not MISSING:
                    return value
            return free(frame)

        return local

    def _getattr(self, node: nodes.Getattr) -> Closure:
        inner, name, at = self.expression(node.node), node.attr, offset(node)

        def run(frame: ClosureFrame) -> object:
            value = inner(frame)
            try:
                return attribute(value, name)
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem

        return run

    def _getitem(self, node: nodes.Getitem) -> Closure:
        inner = self.expression(node.node)
        if isinstance(node.arg, nodes.Slice):
            parts = [
                self.expression(part) if part is not None else _none
                for part in (node.arg.start, node.arg.stop, node.arg.step)
            ]
            return with_position(
                lambda f: cut(inner(f), *(part(f) for part in parts), f.budget),  # type: ignore[call-arg, arg-type]
                offset(node),
            )
        key = self.expression(node.arg)
        return with_position(lambda frame: item(inner(frame), key(frame)), offset(node.arg))

    def _call(self, node: nodes.Call) -> Closure:
        name, at = cast(nodes.Name, node.node).name, offset(node)
        args = [self.expression(argument) for argument in node.args]
        kwargs = [(keyword.key, self.expression(keyword.value)) for keyword in node.kwargs]
        if name in FUNCTIONS:
            return with_position(
                lambda frame: operators.range_of(frame.budget, [arg(frame) for arg in args]), at
            )

        def run(frame: ClosureFrame) -> object:
            values = tuple([arg(frame) for arg in args])
            named = {key: value(frame) for key, value in kwargs} if kwargs else _NO_KEYWORDS
            try:
                frame.budget.step()
                return frame.scope.call(name, values, named)
            except (EvaluationProblem, EvaluationError) as error:
                raise EvaluationError(error.message, at, 0, error.help) from error
            except (TypeError, ValueError, LookupError, ArithmeticError) as error:
                raise EvaluationError(f"'{name}' cannot answer: {error}", at, 0) from error

        if len(args) == 1 and not kwargs:
            return self._maybe_special(node, name, run)
        return run

    def _maybe_special(self, node: nodes.Call, name: str, ordinary: Closure) -> Closure:
        """Compile `age(at(item))`, passing the inner call's name and arguments to scopes."""
        inner = node.args[0]
        at = offset(node)
        is_call = isinstance(inner, nodes.Call) and not inner.kwargs
        fact = cast(nodes.Name, inner.node).name if isinstance(inner, nodes.Call) else ""
        args = [self.expression(a) for a in inner.args] if isinstance(inner, nodes.Call) else []

        def run(frame: ClosureFrame) -> object:
            special = frame.scope.special(name)
            if special is None:
                return ordinary(frame)
            if not is_call:
                message = f"'{name}' takes a fact, as in {name}(at(item))"
                raise EvaluationError(message, at, 0)
            values = tuple([arg(frame) for arg in args])
            try:
                frame.budget.step()
                return special(fact, values)
            except (EvaluationProblem, EvaluationError) as error:
                raise EvaluationError(error.message, at, 0, error.help) from error

        return run

    def _filter(self, node: nodes.Filter) -> Closure:
        inner = self.expression(cast(nodes.Expr, node.node))
        apply = self.compile_filter(node)
        return lambda frame: apply(frame, inner(frame))

    def compile_filter(self, node: nodes.Filter) -> Applied:
        """Return one filter as `function(frame, value)`."""
        return self._builtin(node, FILTERS[node.name])

    def _test(self, node: nodes.Test) -> Closure:
        inner = self.expression(node.node)
        if node.name in ("defined", "undefined"):
            return _defined_test(inner, node.name == "defined")
        apply = self._builtin(node, TESTS[node.name])
        return lambda frame: bool(apply(frame, inner(frame)))

    def _builtin(self, node: nodes.Filter | nodes.Test, builtin: Builtin) -> Applied:
        args = [self.expression(argument) for argument in node.args]
        # Jinja types the keywords of filters as plain expressions
        pairs = cast("list[nodes.Keyword]", node.kwargs)
        kwargs = [(keyword.key, self.expression(keyword.value)) for keyword in pairs]
        name, at, framed, function = node.name, offset(node), builtin.framed, builtin.run

        def run(frame: ClosureFrame, value: object) -> object:
            values = [arg(frame) for arg in args]
            named = {key: arg(frame) for key, arg in kwargs} if kwargs else _NO_KEYWORDS
            try:
                if framed:
                    return function(frame, value, *values, **named)
                frame.budget.step()
                return function(value, *values, **named)
            except EvaluationProblem as problem:
                raise EvaluationError(problem.message, at, 0, problem.help) from problem
            except (TypeError, ValueError, LookupError, ArithmeticError) as error:
                raise EvaluationError(f"'{name}': {error}", at, 0) from error

        return run

    def _and(self, node: nodes.And) -> Closure:
        left, right = self.expression(node.left), self.expression(node.right)
        return lambda frame: left(frame) and right(frame)

    def _or(self, node: nodes.Or) -> Closure:
        left, right = self.expression(node.left), self.expression(node.right)
        return lambda frame: left(frame) or right(frame)

    def _not(self, node: nodes.Not) -> Closure:
        inner = self.expression(node.node)
        return lambda frame: not inner(frame)

    def _neg(self, node: nodes.Neg) -> Closure:
        inner = self.expression(node.node)
        return with_position(lambda frame: operators.negative(inner(frame)), node.lineno)

    def _pos(self, node: nodes.Pos) -> Closure:
        inner = self.expression(node.node)
        return with_position(lambda frame: operators.number(inner(frame)), node.lineno)

    def _binary(self, node: nodes.BinExpr) -> Closure:
        left, right = self.expression(node.left), self.expression(node.right)
        operate = operators.ARITHMETIC[type(node).__name__]
        return with_position(
            lambda frame: operate(left(frame), right(frame), frame.budget), offset(node)
        )

    def _concat(self, node: nodes.Concat) -> Closure:
        parts = [self.expression(part) for part in node.nodes]
        return with_position(
            lambda frame: operators.concat([part(frame) for part in parts], frame.budget),
            offset(node),
        )

    def _compare(self, node: nodes.Compare) -> Closure:
        first = self.expression(node.expr)
        rest = [(operators.COMPARE[op.op], self.expression(op.expr)) for op in node.ops]
        if len(rest) == 1:
            compare, second = rest[0]
            at = offset(node)

            def run_one(frame: ClosureFrame) -> object:
                try:
                    return compare(first(frame), second(frame), frame.budget)
                except EvaluationProblem as problem:
                    raise EvaluationError(problem.message, at, 0, problem.help) from problem

            return run_one

        def run(frame: ClosureFrame) -> object:
            left = first(frame)
            for compare, closure in rest:
                right = closure(frame)
                if not compare(left, right, frame.budget):
                    return False
                left = right
            return True

        return with_position(run, offset(node))

    def _condexpr(self, node: nodes.CondExpr) -> Closure:
        test, then = self.expression(node.test), self.expression(node.expr1)
        otherwise = self.expression(node.expr2) if node.expr2 is not None else _none
        return lambda frame: then(frame) if test(frame) else otherwise(frame)

    def _list(self, node: nodes.List) -> Closure:
        parts = [self.expression(part) for part in node.items]
        return lambda frame: [part(frame) for part in parts]

    def _tuple(self, node: nodes.Tuple) -> Closure:
        parts = [self.expression(part) for part in node.items]
        return lambda frame: tuple([part(frame) for part in parts])

    def _dict(self, node: nodes.Dict) -> Closure:
        pairs = [(self.expression(pair.key), self.expression(pair.value)) for pair in node.items]
        return with_position(
            lambda frame: {key_of(key(frame)): value(frame) for key, value in pairs},
            offset(node),
        )


def judgement(node: nodes.Node) -> Callable[[ClosureFrame], bool | None]:
    """Return the closure that returns whether a condition holds, or None if unknown.

    `and`, `or`, `not` and `a if c else b` follow Kleene's three-valued logic. Their operands are
    evaluated as usual, and unknown if the scope raises `Unknown`.
    """
    match node:
        case nodes.And() | nodes.Or():
            left, right = judgement(node.left), judgement(node.right)
            decides = isinstance(node, nodes.Or)

            def join(frame: ClosureFrame) -> bool | None:
                one = left(frame)
                if one is decides:
                    return one
                other = right(frame)
                return other if other is decides or one is not None else None

            return join
        case nodes.Not():
            inner = judgement(node.node)
            opposite = {True: False, False: True, None: None}
            return lambda frame: opposite[inner(frame)]
        case nodes.CondExpr(expr2=nodes.Expr() as last):
            test, then, otherwise = map(judgement, (node.test, node.expr1, last))

            def choose(frame: ClosureFrame) -> bool | None:
                which = test(frame)
                if which is not None:
                    return then(frame) if which else otherwise(frame)
                one = then(frame)
                return one if one is otherwise(frame) else None

            return choose
    run = ExpressionCompiler().expression(node)

    def leaf(frame: ClosureFrame) -> bool | None:
        try:
            return bool(run(frame))
        except (EvaluationProblem, EvaluationError):
            return None

    return leaf


_NO_KEYWORDS: dict[str, object] = {}


def _none(frame: ClosureFrame) -> object:
    return None


def _defined_test(inner: Closure, expected: bool) -> Closure:
    def run(frame: ClosureFrame) -> object:
        try:
            inner(frame)
        except EvaluationError as error:
            if isinstance(error.__cause__, Missing):
                return not expected
            raise
        return expected

    return run


def compile_print(inner: Closure, at: int) -> Callable[[ClosureFrame], str]:
    """Return the closure that evaluates and prints a value."""

    def run(frame: ClosureFrame) -> str:
        value = inner(frame)
        try:
            return text_of(value, frame.budget)
        except EvaluationProblem as problem:
            raise EvaluationError(problem.message, at, 0, problem.help) from problem

    return run
