"""Scripts of BehaviorTree.CPP as expressions, and back, as far as both mean the same.

Comparisons, ``&&``, ``||``, ``!``, arithmetic, ``..``, ``? :``, names, numbers and texts in quotes
have counterparts; bitwise operators, and assignments or several statements in conditions, do not.

Scripts are grouped otherwise than expressions: ``a - b - c`` is ``a - (b - c)``, since arithmetic
goes from the right, and ``a || b && c`` is ``(a || b) && c``, since both bind alike, from the left.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from jinja2 import nodes

from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.values import is_computed, literal, literal_text

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z]\w*)"
    r"|(?P<text>'[^'\\]*'|\"[^\"'\\]*\")"
    r"|(?P<operator>&&|\|\||\.\.|[=!<>]=|:=|[-+*/]=|[-+*/<>!()?:=;]))"
)
_TERNARY, _OR, _AND, _NOT, _COMPARED, _SUM, _CONCAT, _PRODUCT, _MINUS, _ATOM = range(10)
"""How tightly parts of an expression bind."""
_COMPARISONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "lteq", ">": "gt", ">=": "gteq"}
_RESERVED = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "none", "None", "True", "False"}
)


class NoCounterpart(Exception):
    """A script that no expression or value stands for."""


@dataclass(frozen=True, slots=True)
class _Operand:
    text: str
    binds: int
    operator: str = ""

    def within(self, level: int) -> str:
        return self.text if self.binds >= level else f"({self.text})"


class _Script:
    def __init__(self, text: str, constants: Collection[str] = ()) -> None:
        self._tokens: list[tuple[str, str]] = []
        self._constants = constants
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise NoCounterpart(f"'{text[at:].strip()[:20]}' has no counterpart here")
            self._tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
            at = match.end()

    def next(self, *operators: str) -> str | None:
        """Take an operator if it is one of these."""
        if self._tokens and self._tokens[0][0] == "operator" and self._tokens[0][1] in operators:
            return self._tokens.pop(0)[1]
        return None

    def end(self) -> None:
        if self._tokens:
            raise NoCounterpart(f"'{self._tokens[0][1]}' has no counterpart here")

    @property
    def is_empty(self) -> bool:
        return not self._tokens

    def name(self) -> str:
        if not self._tokens or self._tokens[0][0] != "name":
            raise NoCounterpart("the name of a variable is missing")
        return _checked_name(self._tokens.pop(0)[1])

    def expression(self) -> _Operand:
        condition = self._logic()
        if not self.next("?"):
            return condition
        then = self._logic()
        if not self.next(":"):
            raise NoCounterpart("':' is missing after '?'")
        other = self._logic()
        text = f"{then.within(_OR)} if {condition.within(_OR)} else {other.within(_OR)}"
        return _Operand(text, _TERNARY)

    def _logic(self) -> _Operand:
        left = self._comparison()
        while operator := self.next("&&", "||"):
            binds, word = (_AND, "and") if operator == "&&" else (_OR, "or")
            right = self._comparison()
            left = _Operand(f"{left.within(binds)} {word} {right.within(binds + 1)}", binds)
        return left

    def _comparison(self) -> _Operand:
        parts = [self._concatenation()]
        text = parts[0].within(_COMPARED + 1)
        while operator := self.next(*_COMPARISONS):
            parts.append(self._concatenation())
            text += f" {operator} {parts[-1].within(_COMPARED + 1)}"
        return parts[0] if len(parts) == 1 else _Operand(text, _COMPARED)

    def _concatenation(self) -> _Operand:
        left = self._arithmetic(_SUM)
        while self.next(".."):
            right = self._arithmetic(_SUM)
            left = _Operand(f"{left.within(_CONCAT)} ~ {right.within(_CONCAT + 1)}", _CONCAT)
        return left

    def _arithmetic(self, binds: int) -> _Operand:
        inner = _PRODUCT if binds == _SUM else None
        left = self._unary() if inner is None else self._arithmetic(inner)
        operator = self.next(*("*/" if inner is None else "+-"))
        if operator is None:
            return left
        right = self._arithmetic(binds)
        same = right.binds == binds and operator == right.operator and operator in "+*"
        words = f"{left.within(binds)} {operator} {right.within(binds if same else binds + 1)}"
        return _Operand(words, binds, operator)

    def _unary(self) -> _Operand:
        if self.next("!"):
            return _Operand(f"not {self._unary().within(_NOT)}", _NOT)
        if self.next("-"):
            return _Operand(f"-{self._unary().within(_ATOM)}", _MINUS)
        if self.next("("):
            inner = self.expression()
            if not self.next(")"):
                raise NoCounterpart("a bracket is not closed")
            return inner
        if not self._tokens or self._tokens[0][0] == "operator":
            raise NoCounterpart("a value is missing")
        kind, text = self._tokens.pop(0)
        if kind == "number" and text[:2] in ("0x", "0X"):
            text = str(int(text, 16))
        if kind == "text":
            text = f"'{text[1:-1]}'"
        if kind == "name" and text in self._constants:
            text = f"'{text}'"
        elif kind == "name" and text not in ("true", "false"):
            _checked_name(text)
        return _Operand(text, _ATOM)


def _checked_name(name: str) -> str:
    if name in _RESERVED:
        raise NoCounterpart(f"'{name}' cannot be a name in an expression")
    return name


def to_expression(script: str, constants: Collection[str] = ()) -> str:
    """Return the expression for a script's condition; ``constants`` are texts, not variables.

    Raises NoCounterpart.
    """
    parsed = _Script(script, constants)
    found = parsed.expression().text
    parsed.end()
    return found


def to_script(expression: str) -> str | None:
    """Return the script for an expression; None if there is none that comes back the same."""
    try:
        script = _script_of(Expression.parse(expression).ast[0])
        return script.text if to_expression(script.text) == expression else None
    except (NoCounterpart, SourceError):
        return None


def _script_of(node: nodes.Node) -> _Operand:
    """The script of an expression, in which what scripts group otherwise is in brackets."""
    match node:
        case nodes.Or(left=left, right=right):
            return _logic_of("||", left, right)
        case nodes.And(left=left, right=right):
            return _logic_of("&&", left, right)
        case nodes.Not(node=inner):
            return _Operand(f"!{_script_of(inner).within(_MINUS)}", _MINUS)
        case nodes.Neg(node=inner):
            return _Operand(f"-{_script_of(inner).within(_ATOM)}", _MINUS)
        case nodes.Compare(expr=first, ops=operands):
            signs = {word: sign for sign, word in _COMPARISONS.items()}
            text = _script_of(first).within(_COMPARED + 1)
            for operand in operands:
                if operand.op not in signs:
                    break
                text += f" {signs[operand.op]} {_script_of(operand.expr).within(_COMPARED + 1)}"
            else:
                return _Operand(text, _COMPARED)
        case nodes.Add() | nodes.Sub():
            return _arithmetic_of(node, _SUM)
        case nodes.Mul() | nodes.Div():
            return _arithmetic_of(node, _PRODUCT)
        case nodes.Concat(nodes=parts):
            texts = [_script_of(part).within(_SUM + 1) for part in parts]
            return _Operand(" .. ".join(texts), _SUM)
        case nodes.CondExpr(test=test, expr1=one, expr2=nodes.Expr() as other):
            words = [_script_of(part).within(_OR) for part in (test, one, other)]
            return _Operand(f"{words[0]} ? {words[1]} : {words[2]}", _TERNARY)
        case nodes.Const(value=bool() as value):
            return _Operand("true" if value else "false", _ATOM)
        case nodes.Const(value=int() | float() | str() as value) if "'" not in str(value):
            return _Operand(repr(value), _ATOM)
        case nodes.Name(name=name):
            return _Operand(name, _ATOM)
    raise NoCounterpart("it has no counterpart in a script")


def _logic_of(operator: str, left: nodes.Node, right: nodes.Node) -> _Operand:
    """Both operators bind alike, from the left."""
    one, other = _script_of(left), _script_of(right)
    mixed = one.binds == _OR and one.operator != operator
    return _Operand(f"{one.within(_OR + mixed)} {operator} {other.within(_OR + 1)}", _OR, operator)


def _arithmetic_of(node: nodes.BinExpr, binds: int) -> _Operand:
    """Arithmetic goes from the right; sums and products may go from either side."""
    one, other = _script_of(node.left), _script_of(node.right)
    operator = node.operator
    same = one.binds == binds and one.operator == operator and operator in "+*"
    text = f"{one.within(binds if same else binds + 1)} {operator} {other.within(binds + 1)}"
    return _Operand(text, binds, operator)


def to_assignments(script: str, constants: Collection[str] = ()) -> list[dict[str, object]]:
    """Return what a script sets, as values of `set` nodes. Raises NoCounterpart.

    A `set` reads all its values first: what is set again, or read after it was set, is in another.
    """
    parsed = _Script(script, constants)
    found: list[dict[str, object]] = [{}]
    while not parsed.is_empty:
        name = parsed.name()
        operator = parsed.next(":=", "=", "+=", "-=", "*=", "/=")
        if operator is None:
            raise NoCounterpart("only assignments have a counterpart here")
        right = parsed.expression()
        value = right.text
        if len(operator) == 2 and operator != ":=":
            binds = _SUM if operator[0] in "+-" else _PRODUCT
            value = f"{name} {operator[0]} {right.within(binds + 1)}"
        read = {one.name for one in Expression.parse(value).names}
        if not found[-1].keys().isdisjoint({name, *read}):
            found.append({})
        found[-1][name] = _value(value)
        parsed.next(";")
    return found


def from_assignments(values: dict[str, object]) -> str | None:
    """Return the script that sets values; None if there is none that comes back the same."""
    parts = []
    for name, value in values.items():
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, int | float):
            text = repr(value)
        elif isinstance(value, str) and literal(words := literal_text(value) or "") == value:
            text = f"'{words}'"
        elif is_computed(value):
            text = to_script(str(value)[1:].lstrip()) or ""
        elif isinstance(value, str):
            text = value[1:]
        else:
            return None
        parts.append(f"{name}:={text}")
    script = "; ".join(parts)
    try:
        same = repr(to_assignments(script)) == repr([values])
    except NoCounterpart:
        return None
    return script if same else None


def _value(text: str) -> object:
    """The value of an assignment: a literal, a name, or an expression."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    if re.fullmatch(r"'[^']*'", text):
        return literal(text[1:-1])
    return f"${text}" if re.fullmatch(r"[A-Za-z]\w*", text) else f"= {text}"
