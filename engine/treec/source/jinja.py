"""Parses expressions and templates by Jinja's lexer and parser; its compiler is not used.

Tokens carry their character offset in place of the line number, so that `node.lineno` is an exact
position. Text that would make the parser recurse without bound is refused on its tokens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn, cast

from jinja2 import nodes
from jinja2.exceptions import TemplateSyntaxError
from jinja2.lexer import (
    TOKEN_EOF,
    TOKEN_WHITESPACE,
    Lexer,
    Token,
    TokenStream,
    describe_token,
)
from jinja2.parser import Parser

from treec.frozen import frozen
from treec.source.blocks import check_blocks
from treec.source.errors import SourceError, suggest

if TYPE_CHECKING:
    from jinja2.environment import Environment

MAX_EXPRESSION = 4_000
MAX_TEMPLATE = 64_000
MAX_BRACKETS = 20
"""Each open bracket costs Jinja's parser fourteen frames of Python's stack."""
MAX_PREFIXES = 8
"""`not not not …` and `- - - …`: one frame each, in every bracket."""
MAX_ELSES = 50
"""`a if b else c if d else …` in one tag: one frame each."""
MAX_DIGITS = 15

_OPEN = {"lparen": "(", "lbracket": "[", "lbrace": "{"}
_CLOSE = frozenset({"rparen", "rbracket", "rbrace"})
KEYWORDS = frozenset({"and", "or", "not", "in", "is", "if", "else"})
_BEGIN = frozenset({"comment_begin", "raw_begin"})
_BARE = "an expression is written without '{{ }}' and '{% %}'"
_PLAIN = {
    "end of print statement": "}}",
    "end of statement block": "%}",
    "begin of print statement": "{{",
    "begin of statement block": "{%",
    "template data / text": "text",
    "expected token": "expected",
}
_INSTEAD = {
    "&": "write 'and'",
    "!": "write 'not'",
    "?": "write 'a if condition else b'",
    "$": "a name stands alone in an expression: leave the '$' out",
}


@frozen
class SyntaxTree:
    """A syntax tree: its statements (or one expression) and the length of each token by offset."""

    body: tuple[nodes.Node, ...]
    lengths: Mapping[int, int]
    size: int


class _Tokens:
    """The part of Jinja's environment that its parser needs."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens

    def _tokenize(self, *_: object) -> TokenStream:
        return TokenStream(self._tokens, None, None)

    def iter_extensions(self) -> Iterator[object]:
        return iter(())


class _Delimiters:
    """The part of Jinja's environment that its lexer needs: Jinja's own marks."""

    block_start_string, block_end_string = "{%", "%}"
    variable_start_string, variable_end_string = "{{", "}}"
    comment_start_string, comment_end_string = "{#", "#}"
    line_statement_prefix = line_comment_prefix = None
    # a line that holds only a tag or a comment leaves nothing in the output
    trim_blocks = lstrip_blocks = True
    newline_sequence = "\n"
    keep_trailing_newline = False


@lru_cache(maxsize=1)
def _lexer() -> Lexer:
    lexer = Lexer(cast("Environment", _Delimiters))
    tag, data = lexer.rules["root"]  # text up to the first tag: without trying each character
    begin = tag.pattern.pattern.replace("(.*?)", r"((?:[^{]++|\{(?![{%#]))*+)", 1)
    lexer.rules["root"] = [tag._replace(pattern=re.compile(begin, tag.pattern.flags)), data]
    for state in ("variable_begin", "block_begin"):  # the most frequent tokens are tried first
        end, space, decimal, integer, name, string, operator = lexer.rules[state]
        word = name._replace(pattern=re.compile(r"[A-Za-z_]\w*+(?![^\0-\x7f])", re.ASCII))
        lexer.rules[state] = [word, space, end, operator, string, decimal, integer, name]
    return lexer


def parse_expression(text: str) -> SyntaxTree:
    """Parse a bare expression. Raises `SourceError`."""
    if text.lstrip().startswith(("{{", "{%")):
        raise SourceError(_BARE, len(text) - len(text.lstrip()), 2, "leave them out")
    return _parse(text, MAX_EXPRESSION, "variable")


def parse_template(text: str) -> SyntaxTree:
    """Parse a template. Raises `SourceError`."""
    return _parse(text, MAX_TEMPLATE, None)


def _parse(text: str, limit: int, state: str | None) -> SyntaxTree:
    kind = "a template" if state is None else "an expression"
    if len(text) > limit:
        raise SourceError(f"{kind} may have {limit:,} characters; this has {len(text):,}", limit)
    # Jinja reads "\r\n" as one character, which would move every offset after it
    text = text.replace("\r\n", " \n").replace("\r", "\n")
    lengths: dict[int, int] = {}
    try:
        tokens = list(_lexer().wrap(_raw_tokens(text, state, lengths)))
        tokens.append(Token(len(text.rstrip()), TOKEN_EOF, ""))
        _check_nesting(tokens, state is not None)
        if state is None:
            check_blocks(tokens)
        _move(tokens)
        parser = Parser(cast("Environment", _Tokens(tokens)), "")
        if state is None:
            body = tuple(parser.subparse())
        else:
            body = (parser.parse_expression(),)
            _check_end(parser.stream.current, tokens)
    except TemplateSyntaxError as error:
        _refuse(error, text, lengths)
    except RecursionError:
        raise SourceError(f"{kind} is nested too deeply", 0) from None
    return SyntaxTree(body, lengths, len(text))


def _raw_tokens(
    text: str, state: str | None, lengths: dict[int, int]
) -> Iterator[tuple[int, str, str]]:
    """Yield Jinja's raw tokens with their offsets; fill in the length of each."""
    at = start = 0
    try:
        for _, kind, value in _lexer().tokeniter(text, None, None, state):
            if not text.startswith(value, at):  # whitespace control took the whitespace here
                at = _after_whitespace(text, at)
            if kind == "integer":
                _check_integer(value, at)
            elif kind == "float":
                _check_float(value, at)
            elif kind in _BEGIN:
                start = at
            if kind != TOKEN_WHITESPACE:
                lengths[at] = len(value.rstrip()) or 1
            yield at, kind, value
            at += len(value)
    except TemplateSyntaxError as error:
        message = error.message or ""
        if message.startswith("Missing end"):
            what = "comment" if "comment" in message else "raw"
            raise SourceError(f"this {what} is never closed", start, lengths[start]) from None
        if message.startswith("unexpected char"):
            _refuse_character(text[at], at, text)
        help = "close it with '}}'" if message == "unexpected '}'" else None
        raise SourceError(message, at, 1, help) from None


def _after_whitespace(text: str, at: int) -> int:
    while text[at].isspace():
        at += 1
    return at


def _check_integer(value: str, at: int) -> None:
    if len(value.replace("_", "")) > MAX_DIGITS:
        raise SourceError(f"a number may have {MAX_DIGITS} digits", at, len(value))


def _check_float(value: str, at: int) -> None:
    if len(value) > 2 * MAX_DIGITS or not math.isfinite(float(value.replace("_", ""))):
        raise SourceError("this number is too large or too long", at, len(value))


def _refuse_character(character: str, at: int, text: str) -> NoReturn:
    if character in "'\"":
        raise SourceError("this quote is never closed", at, len(text[at:].split("\n")[0]))
    raise SourceError(f"unexpected '{character}'", at, 1, _INSTEAD.get(character))


def _check_nesting(tokens: list[Token], bare: bool) -> None:
    """Refuse unclosed brackets, and nesting that would make the parser recurse too deeply."""
    brackets: list[Token] = []
    tag: Token | None = None
    prefixes = elses = 0
    for token in tokens:
        kind = token.type
        if kind in _OPEN:
            brackets.append(token)
            if len(brackets) > MAX_BRACKETS:
                raise SourceError(f"more than {MAX_BRACKETS} nested brackets", token.lineno)
        elif kind in _CLOSE and brackets:
            brackets.pop()
        elif kind == "pow":
            raise SourceError("'**' cannot be used here", token.lineno, 2, "multiply instead")
        elif kind == "string":
            _check_string(token)
        elif kind in ("variable_begin", "block_begin"):
            tag, elses = token, 0
        elif kind in ("variable_end", "block_end"):
            if bare:
                raise SourceError(_BARE, token.lineno, 2, "leave them out")
            tag = None
        if kind in ("sub", "add") or (kind == "name" and token.value == "not"):
            prefixes += 1
        else:
            prefixes = 0
            elses += kind == "name" and token.value == "else"
        if prefixes > MAX_PREFIXES or elses > MAX_ELSES:
            raise SourceError(f"too many '{token}' in a row", token.lineno)
    if tag is None and not brackets:
        return
    if brackets:
        opened = brackets[-1]
        raise SourceError(f"this '{_OPEN[opened.type]}' is never closed", opened.lineno)
    assert tag is not None
    raise SourceError(f"this '{tag.value}' is never closed", tag.lineno, 2)


def _check_string(token: Token) -> None:
    if any("\ud800" <= character <= "\udfff" for character in token.value):
        raise SourceError("a text cannot hold half of a surrogate pair", token.lineno)


def _move(tokens: list[Token]) -> None:
    """Move the offset of a field's node to the field's name, of a test's to the test's name."""
    for index, token in enumerate(tokens[:-1]):
        if token.type == "dot":
            tokens[index] = token._replace(lineno=tokens[index + 1].lineno)
        elif token.type == "name" and token.value == "is" and _is_operand(tokens[index - 1]):
            name = tokens[index + 1]
            if name.type == "name" and name.value == "not" and index + 2 < len(tokens):
                name = tokens[index + 2]
            tokens[index] = token._replace(lineno=name.lineno)


def _is_operand(token: Token) -> bool:
    if token.type == "name":
        return token.value not in KEYWORDS
    return token.type in _CLOSE or token.type in ("string", "integer", "float")


def _check_end(token: Token, tokens: list[Token]) -> None:
    if token.type is TOKEN_EOF:
        return
    before = next((t for t, after in pairwise(tokens) if after is token), None)
    help = None
    if token.type == "assign":
        help = "write '==' to compare"
    elif token.type == "comma":
        help = "put the items in brackets: [a, b]"
    elif (
        before is not None
        and {before.type, token.type} == {"name"}
        and before.value not in KEYWORDS
    ):
        help = suggest(token.value, KEYWORDS) or (
            f"write a name with spaces in quotes: '{before.value} {token.value}'"
        )
    shown = describe_token(token)
    raise SourceError(f"unexpected '{shown}' after the expression", token.lineno, len(shown), help)


def _refuse(error: TemplateSyntaxError, text: str, lengths: Mapping[int, int]) -> NoReturn:
    message = error.message or "this cannot be read"
    if "end of template" in message:
        message = "the text ends too early: something is missing after this"
        offset = max((at for at in lengths if at < error.lineno), default=0)
    else:
        offset = error.lineno
        for jargon, plain in _PLAIN.items():
            message = message.replace(jargon, plain)
        message = message[:1].lower() + message[1:].rstrip(".")
    help = None
    if text[offset : offset + 1] == "=":
        help = "write '==' to compare" if text[:offset].strip() else "leave the '=' out"
    elif text[offset - 1 : offset + 1] == "||":
        help = "write 'or'"
    elif message == "expected ',', got 'for'":
        help = "a filter takes the place of a loop: agents | selectattr('status', 'eq', 'Idle')"
    if "expected ','" in message and (names := re.search(r"[^\W\d]\w*\s+$", text[:offset])):
        rest = text[offset : offset + lengths.get(offset, 1)]
        if rest not in (*KEYWORDS, "for"):
            help = f"write a name with spaces in quotes: '{names[0]}{rest}'"
    raise SourceError(message, offset, lengths.get(offset, 1), help) from None
