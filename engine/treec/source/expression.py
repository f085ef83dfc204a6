"""An expression: a bare Jinja expression, parsed once, checked statically, evaluated in a scope."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

from jinja2 import nodes

from treec.extensions import depends_on_extensions
from treec.source.budget import Budget
from treec.source.errors import (
    EvaluationError,
    EvaluationProblem,
    LocatedError,
    SourceError,
    UndefinedName,
)
from treec.source.evaluate import Closure, ExpressionCompiler, judgement
from treec.source.frame import ClosureFrame
from treec.source.grammar import check, offset, walk
from treec.source.jinja import SyntaxTree, parse_expression
from treec.source.names import ExpressionCall, FreeName, Uses, uses
from treec.source.objects import expose
from treec.source.registry import TESTS
from treec.source.scope import MappingScope, Scope, UnknownScope

__all__ = [
    "EvaluationError",
    "EvaluationProblem",
    "Expression",
    "ExpressionCall",
    "FreeName",
    "MappingScope",
    "Scope",
    "SourceError",
    "Text",
    "UndefinedName",
    "expose",
]

_EMPTY = MappingScope()


class Text:
    """The common part of expressions and templates: the text, its syntax tree, its names."""

    def __init__(self, text: str, parsed: SyntaxTree) -> None:
        self.text = text
        self._parsed = parsed

    @property
    def ast(self) -> tuple[nodes.Node, ...]:
        """Jinja's nodes; the `lineno` of each is its offset in the text."""
        return self._parsed.body

    @cached_property
    def _uses(self) -> Uses:
        return uses(self._parsed.body, self._parsed.lengths)

    @property
    def names(self) -> tuple[FreeName, ...]:
        """The free names and the functions called, on every branch, in order of the text."""
        return self._uses.names

    @property
    def calls(self) -> tuple[ExpressionCall, ...]:
        """The functions called, with the syntax trees of their arguments."""
        return self._uses.calls

    @cached_property
    def constants(self) -> tuple[tuple[str, int, int], ...]:
        """The texts written in quotes: (text, offset, length with the quotes)."""
        return tuple(
            (node.value, at := offset(node), self.length(at))
            for node in self.parts
            if isinstance(node, nodes.Const) and isinstance(node.value, str)
        )

    @cached_property
    def parts(self) -> tuple[nodes.Node, ...]:
        """Every node, outer ones first, in order of the text."""
        return tuple(node for node, _ in walk(self._parsed.body))

    def length(self, at: int) -> int:
        """Return the length of the token at an offset, 1 when none begins there."""
        return self._parsed.lengths.get(at, 1)

    def _with_length(self, error: EvaluationError) -> EvaluationError:
        if error.length == 0:
            error.length = self.length(error.offset)
        return error


class Expression(Text):
    """A bare expression, such as `acts.accept or acts.done`."""

    _run: Closure | None = None
    _judge: Callable[[ClosureFrame], bool | None] | None = None

    @staticmethod
    def parse(text: str) -> Expression:
        """Parse a text; cached. Raises `SourceError`."""
        return _parse(text)

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def evaluate(self, scope: Scope, budget: Budget | None = None) -> object:
        """Return the value in this scope. Raises `EvaluationError`."""
        run = self._run
        if run is None:
            run = self._run = ExpressionCompiler().expression(self._parsed.body[0])
        try:
            return run(ClosureFrame(scope, 0, budget))
        except EvaluationError as error:
            raise self._with_length(error) from error.__cause__
        except RecursionError:
            raise EvaluationError("this is nested too deeply", 0) from None

    def judge(self, scope: Scope, budget: Budget | None = None) -> bool | None:
        """Return whether it holds; None if that depends on something unknown to the scope.

        In a scope that knows everything, this is the truth value of `evaluate`. A scope raises
        `Unknown` for an unknown name or function; for one that is certainly not none it may return
        a new `UnknownValue`.
        """
        judge = self._judge
        if judge is None:
            judge = self._judge = judgement(self._parsed.body[0])
        try:
            return judge(ClosureFrame(scope, 0, budget))
        except RecursionError:
            return None

    @property
    def is_constant(self) -> bool:
        """Whether the value is the same in every scope."""
        return not self.names and all(
            TESTS[node.name].framed for node in self.parts if isinstance(node, nodes.Test)
        )

    def constant_value(self) -> object:
        """Return the value of a constant expression."""
        return self.evaluate(_EMPTY)


_NOTHING_KNOWN = UnknownScope()


def constant(text: str) -> bool | None:
    """Whether a condition always or never holds; None if it depends, or cannot be parsed."""
    try:
        return Expression.parse(text).judge(_NOTHING_KNOWN)
    except LocatedError:
        return None


@lru_cache(maxsize=65536)
def _parse(text: str) -> Expression:
    parsed = parse_expression(text)
    check(parsed)
    return Expression(text, parsed)


depends_on_extensions(_parse.cache_clear)
