"""Scripts of BehaviorTree.CPP as expressions, and back, as far as both mean the same.

Comparisons, ``&&``, ``||``, ``!``, arithmetic, names, numbers and quoted texts have counterparts;
bitwise operators, ``..``, enumerations with calls and other functions have none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from treec.source.errors import SourceError
from treec.source.expression import Expression
from treec.source.values import is_computed, literal, literal_text

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z]\w*)|(?P<text>'[^'\\]*')"
    r"|(?P<operator>&&|\|\||[=!<>]=|:=|[-+*/]=|[-+*/<>!()?:=;]))"
)
_BINARY = {"||": 1, "&&": 2, **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), 4)}
_BINARY |= {"+": 5, "-": 5, "*": 6, "/": 6}
_NOT = 3
"""How tightly ``not`` binds in an expression; in a script ``!`` binds most tightly of all."""
_WORDS = {"||": "or", "&&": "and"}
_RESERVED = frozenset(
    {"and", "or", "not", "in", "is", "if", "else", "none", "None", "True", "False"}
)


class NoCounterpart(Exception):
    """A script that no expression or value stands for."""


@dataclass(frozen=True, slots=True)
class _Operand:
    text: str
    binds: int

    def within(self, level: int) -> str:
        return self.text if self.binds >= level else f"({self.text})"


class _Script:
    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
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

    def expression(self, level: int = 1) -> _Operand:
        left = self._unary()
        while self._tokens and self._tokens[0][0] == "operator":
            operator = self._tokens[0][1]
            binds = _BINARY.get(operator, 0)
            if binds < level:
                break
            self._tokens.pop(0)
            right = self.expression(binds + 1)
            word = _WORDS.get(operator, operator)
            tighter = binds + 1 if binds == 4 else binds
            left = _Operand(f"{left.within(tighter)} {word} {right.within(binds + 1)}", binds)
        return left

    def _unary(self) -> _Operand:
        if self.next("!"):
            return _Operand(f"not {self._unary().within(_NOT)}", _NOT)
        if self.next("-"):
            return _Operand(f"-{self._unary().within(8)}", 7)
        if self.next("("):
            inner = self.expression()
            if not self.next(")"):
                raise NoCounterpart("a bracket is not closed")
            return inner
        if not self._tokens or self._tokens[0][0] == "operator":
            raise NoCounterpart("a value is missing")
        kind, text = self._tokens.pop(0)
        if kind == "name" and text not in ("true", "false"):
            _checked_name(text)
        return _Operand(text, 9)


def _checked_name(name: str) -> str:
    if name in _RESERVED:
        raise NoCounterpart(f"'{name}' cannot be a name in an expression")
    return name


def to_expression(script: str) -> str:
    """Return the expression for a script's condition. Raises NoCounterpart."""
    parsed = _Script(script)
    found = parsed.expression().text
    parsed.end()
    return found


def to_script(expression: str) -> str | None:
    """Return the script for an expression; None if there is none that comes back the same."""
    out, at = [], 0
    for match in re.finditer(r"'[^'\\]*'|\b(and|or|not)\b", expression):
        word = {"and": "&&", "or": "||", "not": "!"}.get(match[0], match[0])
        out += [expression[at : match.start()], word]
        at = match.end()
    script = "".join([*out, expression[at:]])
    for candidate in (script.replace("! ", "!"), script):
        try:
            if to_expression(candidate) == expression:
                Expression.parse(expression)
                return candidate
        except (NoCounterpart, SourceError):
            continue
    return None


def to_assignments(script: str) -> list[dict[str, object]]:
    """Return what a script sets, as values of `set` nodes. Raises NoCounterpart.

    A `set` reads all its values first: what is set again, or read after it was set, is in another.
    """
    parsed = _Script(script)
    found: list[dict[str, object]] = [{}]
    while not parsed.is_empty:
        name = parsed.name()
        operator = parsed.next(":=", "=", "+=", "-=", "*=", "/=")
        if operator is None:
            raise NoCounterpart("only assignments have a counterpart here")
        right = parsed.expression()
        value = right.text
        if len(operator) == 2 and operator != ":=":
            binds = _BINARY[operator[0]]
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
        elif isinstance(value, str) and (words := literal_text(value)) is not None:
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
