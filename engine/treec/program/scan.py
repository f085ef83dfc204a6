"""Checks which tokens a program consists of, before Python's parser sees it.

Python's parser recurses, warns, normalizes letters, and its messages differ between versions. So
its input is limited here, token by token, in one pass: deep nesting (operators, keywords, brackets,
blocks) never reaches it, and frequent mistakes of people and models get our own messages.
"""

from __future__ import annotations

import keyword
import math
import re
from typing import NoReturn

from treec.program.grammar import Grammar
from treec.program.places import LinePlaces

MAX_CALLS = 1_000
MAX_NESTING = 20
MAX_DIGITS = 15

_TOKEN = re.compile(
    r"""(?P<newline>\n)
    | (?P<space>[ \t]+)
    | (?P<comment>\#[^\n]*)
    | (?P<text>'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*")
    | (?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[\w.]*)
    | (?P<name>[^\W0-9]\w*)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<square>[\[\]])
    | (?P<comma>,)
    | (?P<compare>==|!=|<=|>=|<(?!<)|>(?!>))
    | (?P<equals>=)
    | (?P<colon>:(?!=))
    | (?P<dot>\.)
    | (?P<minus>-(?=\.?[0-9]))
    | (?P<other>[-+*/%&|^~@<>=!:]{1,3}|.)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_METHOD = re.compile(r"\.[A-Za-z_]\w*[ \t]*\(")
_FIELD = re.compile(r"\.([A-Za-z_]\w*)(?![ \t]*\(|\w)")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = "\\'\"nt"
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_OPERANDS = frozenset({"text", "number", "name", "close"})
_BLOCK_KINDS = frozenset({"square", "compare", "colon", "dot"})
_CALL = "a step is a call: place(item, table)"
_REFUSED = {
    ".": ("'.' cannot be used: a step cannot access parts of a thing", _CALL),
    ";": ("one step stands on a line", "begin a new line instead of ';'"),
    "\\": ("'\\' cannot be used", "a line goes on by itself until its bracket is closed"),
    "’": ("'’' is not a quote", "write ' around a text"),
    "‘": ("'‘' is not a quote", "write ' around a text"),
    "“": ("'“' is not a quote", 'write " around a text'),
    "”": ("'”' is not a quote", 'write " around a text'),
}


def check_size(text: str, grammar: Grammar) -> None:
    """Raise `StepsError` for a text that is too long."""
    most = grammar.size
    if len(text) > most:
        lines = LinePlaces(text[: most + 1])
        is_ = "these have" if grammar.what == "steps" else "this one has"
        message = f"{grammar.subject} may have {most:,} characters; {is_} {len(text):,}"
        raise lines.error(message, 0)


def scan(text: str, lines: LinePlaces, grammar: Grammar) -> None:
    """Raise `StepsError` at the first token that is not allowed."""
    unseen = _UNSEEN.search(text)
    if unseen is not None:
        code = f"U+{ord(unseen[0]):04X}"
        raise lines.error(f"the character {code} cannot be used", unseen.start())
    _Scan(text, lines, grammar).run()


class _Scan:
    """One pass over a text's tokens."""

    def __init__(self, text: str, lines: LinePlaces, grammar: Grammar) -> None:
        self.text = text
        self.lines = lines
        self.grammar = grammar
        self.blocks = grammar.blocks(lines, grammar.subject) if grammar.blocks else None
        self.brackets: list[int] = []
        self.calls = 0
        self.before: re.Match[str] | None = None  # the last token of this step

    def run(self) -> None:
        for token in _TOKEN.finditer(self.text):
            kind = token.lastgroup or ""
            if kind in ("comment", "newline", "space"):
                self._between(token, kind)
                continue
            if self.before is None and self.blocks is not None:
                self.blocks.begin(self.text, token.start())
            if self.before is not None and _is_operand(self.before):
                self._check_neighbours(self.before, token)
            self._check(token, kind)
            self.before = token
        if self.brackets:
            raise self._unclosed_error()
        if self.blocks is not None:
            self.blocks.end(len(self.text))

    def _between(self, token: re.Match[str], kind: str) -> None:
        if kind == "newline" and not self.brackets:
            self.before = None
        elif kind == "space" and not self.brackets and self.before is None and not self.blocks:
            end = token.end()
            if self.text[end : end + 1] not in ("", "\n", "#"):
                help = "every step begins where its line begins"
                raise self.lines.error("this line is indented", token.start(), len(token[0]), help)

    def _check(self, token: re.Match[str], kind: str) -> None:
        at = token.start()
        if kind in _BLOCK_KINDS and self.blocks is None:
            self._refuse(token)
        if kind == "name":
            _check_name(token, self.lines, self.grammar, first=self.before is None)
        elif kind == "number":
            _check_number(token, self.lines)
        elif kind == "text":
            _check_text(self.text, token, self.lines)
        elif kind == "open" or token[0] == "[":
            self._open(at, calls=kind == "open" and _is_name(self.before))
        elif kind == "close" or token[0] == "]":
            if not self.brackets or self.text[self.brackets[-1]] != "(["[token[0] == "]"]:
                raise self.lines.error(f"unmatched '{token[0]}'", at)
            self.brackets.pop()
        elif kind == "equals" and not self.brackets:
            if self.blocks is None:
                raise self.lines.error("what a step gives cannot be kept", at, 1, _CALL)
            self.blocks.assign(at, alone=self.before is not None)
        elif kind == "colon":
            assert self.blocks is not None
            self.blocks.colon(at, inside=bool(self.brackets))
        elif kind == "dot":
            self._dot(at)
        elif kind == "other":
            self._refuse(token)
        if self.blocks is not None:
            self.blocks.token(token[0])
            if token[0] == "not" and self.before is not None and self.before[0] == "not":
                raise self.lines.error("one 'not' is enough", at, 3)

    def _open(self, at: int, *, calls: bool) -> None:
        self.brackets.append(at)
        self.calls += calls
        if len(self.brackets) > MAX_NESTING:
            raise self.lines.error(f"more than {MAX_NESTING} nested brackets", at)
        if self.calls > MAX_CALLS:
            raise self.lines.error(f"{self.grammar.subject} may have {MAX_CALLS:,} calls", at)

    def _dot(self, at: int) -> None:
        """A dot only stands between a thing's name and the skill that is called for it."""
        known = self.before is not None and _is_name(self.before) and self.before.end() == at
        field = _FIELD.match(self.text, at)
        is_field = field is not None and field[1] in self.grammar.fields
        is_method = _METHOD.match(self.text, at) is not None
        if not known or not (is_method or is_field) or self._after_dot():
            message = "'.' can only stand between a thing's name and a skill"
            raise self.lines.error(message, at, 1, "write mug.pick()")

    def _after_dot(self) -> bool:
        assert self.before is not None
        return self.text.endswith(".", 0, self.before.start())

    def _check_neighbours(self, before: re.Match[str], token: re.Match[str]) -> None:
        """Refuse two values side by side, which Python would join, call or stumble over."""
        kind, at, lines = token.lastgroup, token.start(), self.lines
        if kind == "open" and before.lastgroup == "name":
            return
        if token[0] == "[" and self.blocks is not None:
            if keyword.iskeyword(before[0]):
                return
            raise lines.error("a list cannot be indexed here", at, 1, "go through it")
        if kind == "open":
            raise lines.error("only a name can be called", at, 1, _CALL)
        if kind == "minus" and not keyword.iskeyword(before[0]):
            raise lines.error("'-' cannot be used: a step has no arithmetic", at)
        if kind not in ("text", "number", "name"):
            return
        if self.brackets and "\n" in self.text[before.end() : at]:
            raise self._unclosed_error()
        if keyword.iskeyword(before[0]) or keyword.iskeyword(token[0]):
            return  # said of the keyword itself
        if before.lastgroup == "name" and before.end() == at and kind == "text":
            help = "write the text alone"
            raise lines.error(
                f"'{before[0]}' before a text cannot be used", before.start(), len(before[0]), help
            )
        length = token.end() - before.start()
        if not self.brackets:
            raise lines.error("this is not a call", before.start(), length, _CALL)
        if before.lastgroup == kind == "name":
            help = f"write a name with spaces in quotes: '{before[0]} {token[0]}'"
            raise lines.error("a quote or a comma is missing", before.start(), length, help)
        raise lines.error("a comma is missing before this", at, len(token[0]))

    def _unclosed_error(self) -> Exception:
        at = self.brackets[-1]
        return self.lines.error(f"this '{self.text[at]}' is never closed", at)

    def _refuse(self, token: re.Match[str]) -> NoReturn:
        characters = token[0]
        if characters in "'\"":
            raise self.lines.error("this quote is never closed", token.start())
        usual = (f"'{characters}' cannot be used in {self.grammar.what}", self.grammar.help)
        message, help = _REFUSED.get(characters, usual)
        raise self.lines.error(message, token.start(), len(characters), help)


def _is_name(token: re.Match[str] | None) -> bool:
    return token is not None and token.lastgroup == "name"


def _is_operand(token: re.Match[str]) -> bool:
    return token.lastgroup in _OPERANDS or token[0] == "]"


def _check_name(token: re.Match[str], lines: LinePlaces, grammar: Grammar, *, first: bool) -> None:
    name = token[0]
    if not name.isascii():
        help = f"put it in quotes: '{name}'" if name.isprintable() else None
        raise lines.error(
            "a name here has letters a to z, digits and '_' only", token.start(), len(name), help
        )
    if name.startswith("__"):
        raise lines.error("a name cannot begin with '__'", token.start(), len(name))
    if keyword.iskeyword(name):
        wrong = grammar.refusal(name, first=first)
        if wrong is not None:
            raise lines.error(wrong.message, token.start(), len(name), wrong.help)


def _check_number(token: re.Match[str], lines: LinePlaces) -> None:
    number = token[0]
    if not _NUMBER.fullmatch(number):
        raise lines.error("this is not a number", token.start(), len(number))
    if sum(map(str.isdigit, number)) > 2 * MAX_DIGITS or not math.isfinite(float(number)):
        raise lines.error("this number is too large or too long", token.start(), len(number))
    if number.isdigit() and len(number) > MAX_DIGITS:
        raise lines.error(f"a number may have {MAX_DIGITS} digits", token.start(), len(number))


def _check_text(text: str, token: re.Match[str], lines: LinePlaces) -> None:
    at = token.start()
    if text[at : at + 3] in ("'''", '"""'):
        raise lines.error("a text stands in one pair of quotes, on one line", at, 3)
    for escape in _ESCAPE.finditer(token[0]):
        if escape[1] not in _ESCAPES:
            message = f"'{escape[0]}' cannot be used in a text"
            raise lines.error(message, at + escape.start(), 2, "write '\\\\' for a backslash")
