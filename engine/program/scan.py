"""What a program's text may consist of, judged before Python's parser sees it.

Python's parser recurses, warns, normalises letters and words its errors differently from version
to version. So its input is bounded here, token by token, in one pass: what could nest without end
(operators, keywords, brackets) never reaches it, and what people write most often by mistake is
answered in our own words.
"""

from __future__ import annotations

import keyword
import math
import re
from typing import NoReturn

from engine.program.places import Lines

MAX_SIZE = 64_000
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
    | (?P<comma>,)
    | (?P<equals>=(?![=]))
    | (?P<minus>-(?=\.?[0-9]))
    | (?P<other>[-+*/%&|^~@<>=!:]{1,3}|.)""",
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = "\\'\"nt"
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_OPERANDS = frozenset({"text", "number", "name", "close"})
_LITERALS = frozenset({"True", "False", "None"})
_CALL = "a step is a call: place(item, table)"
_REFUSED = {
    ".": ("'.' cannot be used: nothing of a thing can be reached from a step", _CALL),
    ";": ("one step stands on a line", "begin a new line instead of ';'"),
    "\\": ("'\\' cannot be used", "a line goes on by itself until its bracket is closed"),
    "’": ("'’' is no quote", "write ' around a text"),
    "‘": ("'‘' is no quote", "write ' around a text"),
    "“": ("'“' is no quote", 'write " around a text'),
    "”": ("'”' is no quote", 'write " around a text'),
}


def check_size(text: str) -> None:
    """Raise `StepsError` for a text that is too long to be looked at."""
    if len(text) > MAX_SIZE:
        lines = Lines(text[: MAX_SIZE + 1])
        raise lines.error(f"steps may have {MAX_SIZE:,} characters; these have {len(text):,}", 0)


def scan(text: str, lines: Lines) -> None:
    """Raise `StepsError` at the first thing that no program may hold."""
    unseen = _UNSEEN.search(text)
    if unseen is not None:
        code = f"U+{ord(unseen[0]):04X}"
        raise lines.error(f"the character {code} cannot be used", unseen.start())
    brackets: list[int] = []
    calls = 0
    before: re.Match[str] | None = None  # the last token of this step
    for token in _TOKEN.finditer(text):
        kind, at = token.lastgroup, token.start()
        if kind in ("comment", "newline", "space"):
            if kind == "newline" and not brackets:
                before = None
            elif kind == "space" and not brackets and before is None:
                _check_indentation(text, token, lines)
            continue
        if before is not None and before.lastgroup in _OPERANDS:
            _check_neighbours(text, before, token, brackets, lines)
        if kind == "name":
            _check_name(token, lines)
        elif kind == "number":
            _check_number(token, lines)
        elif kind == "text":
            _check_text(text, token, lines)
        elif kind == "open":
            brackets.append(at)
            calls += before is not None and before.lastgroup == "name"
            if len(brackets) > MAX_NESTING:
                raise lines.error(f"more than {MAX_NESTING} nested brackets", at)
            if calls > MAX_CALLS:
                raise lines.error(f"steps may have {MAX_CALLS:,} calls", at)
        elif kind == "close":
            if not brackets:
                raise lines.error("this ')' closes nothing", at)
            brackets.pop()
        elif kind == "equals" and not brackets:
            raise lines.error("what a step gives cannot be kept", at, 1, _CALL)
        elif kind == "other":
            _refuse(token, lines)
        before = token
    if brackets:
        raise lines.error("this '(' is never closed", brackets[-1])


def _check_indentation(text: str, token: re.Match[str], lines: Lines) -> None:
    if text[token.end() : token.end() + 1] not in ("", "\n", "#"):
        help = "every step begins where its line begins"
        raise lines.error("this line is indented", token.start(), len(token[0]), help)


def _check_neighbours(
    text: str, before: re.Match[str], token: re.Match[str], brackets: list[int], lines: Lines
) -> None:
    """Refuse two values side by side, which Python would join, call or stumble over."""
    kind, at = token.lastgroup, token.start()
    if kind == "open" and before.lastgroup == "name":
        return
    if kind == "open":
        raise lines.error("only a name can be called", at, 1, _CALL)
    if kind == "minus":
        raise lines.error("'-' cannot be used: a step calculates nothing", at)
    if kind not in ("text", "number", "name"):
        return
    if brackets and "\n" in text[before.end() : at]:
        raise lines.error("this '(' is never closed", brackets[-1])
    if keyword.iskeyword(before[0]) or keyword.iskeyword(token[0]):
        return  # said of the keyword itself
    if before.lastgroup == "name" and before.end() == at and kind == "text":
        help = "write the text alone"
        raise lines.error(
            f"'{before[0]}' before a text cannot be used", before.start(), len(before[0]), help
        )
    if not brackets:
        raise lines.error("this is no call", before.start(), token.end() - before.start(), _CALL)
    if before.lastgroup == kind == "name":
        help = f"a name with spaces stands in quotes: '{before[0]} {token[0]}'"
        length = token.end() - before.start()
        raise lines.error("a quote or a comma is missing", before.start(), length, help)
    raise lines.error("a comma is missing before this", at, len(token[0]))


def _check_name(token: re.Match[str], lines: Lines) -> None:
    name = token[0]
    if not name.isascii():
        help = f"put it in quotes: '{name}'" if name.isprintable() else None
        raise lines.error(
            "a name here has letters a to z, digits and '_' only", token.start(), len(name), help
        )
    if name.startswith("__"):
        raise lines.error("a name cannot begin with '__'", token.start(), len(name))
    if keyword.iskeyword(name) and name not in _LITERALS:
        raise lines.error(f"'{name}' cannot be used in steps", token.start(), len(name), _CALL)


def _check_number(token: re.Match[str], lines: Lines) -> None:
    number = token[0]
    if not _NUMBER.fullmatch(number):
        raise lines.error("this is no number", token.start(), len(number))
    if sum(map(str.isdigit, number)) > 2 * MAX_DIGITS or not math.isfinite(float(number)):
        raise lines.error("this number is too large or too long", token.start(), len(number))
    if number.isdigit() and len(number) > MAX_DIGITS:
        raise lines.error(f"a number may have {MAX_DIGITS} digits", token.start(), len(number))


def _check_text(text: str, token: re.Match[str], lines: Lines) -> None:
    at = token.start()
    if text[at : at + 3] in ("'''", '"""'):
        raise lines.error("a text stands in one pair of quotes, on one line", at, 3)
    for escape in _ESCAPE.finditer(token[0]):
        if escape[1] not in _ESCAPES:
            message = f"'{escape[0]}' cannot be used in a text"
            raise lines.error(message, at + escape.start(), 2, "write '\\\\' for a backslash")


def _refuse(token: re.Match[str], lines: Lines) -> NoReturn:
    characters = token[0]
    if characters in "'\"":
        raise lines.error("this quote is never closed", token.start())
    message, help = _REFUSED.get(characters, (f"'{characters}' cannot be used in steps", _CALL))
    raise lines.error(message, token.start(), len(characters), help)
