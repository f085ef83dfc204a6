"""The parser of sentence templates, in Home Assistant's language.

    [please] (get|bring) {item} [to {place}] <politely>

Words, `[optional]`, `(one|or another)`, `(in;any order)`, `{slot}` or `{type:slot}`, `<rule>`; a
backslash takes the meaning from the character after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple
from unicodedata import normalize

_TOKEN = re.compile(
    r"\{(?P<slot>[^{}]+)\}|<(?P<rule>[^<>]+)>|(?P<mark>[()\[\]|;])"
    r"|(?P<words>(?:\\.|[^\\(){}\[\]<>|;])+)",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CLOSING = {"(": ")", "[": "]"}
_ORDERS: Mapping[str, Literal["alternative", "permutation"]] = {
    "|": "alternative",
    ";": "permutation",
}
_DEEPEST = 50


class SentenceError(ValueError):
    """A template that cannot be read; the message says why."""


class TemplateWords(NamedTuple):
    """Plain words."""

    text: str


class TemplateSlot(NamedTuple):
    """A slot of a type, and the name of what it fills."""

    type: str
    into: str


class RuleUse(NamedTuple):
    """A rule, which stands for its own template."""

    name: str


class Group(NamedTuple):
    """Parts that follow each other, of which one is said, or that stand in any order."""

    order: Literal["sequence", "alternative", "permutation"]
    items: list[Part]


Part = TemplateWords | TemplateSlot | RuleUse | Group


def parse_sentence(text: str) -> Part:
    """The parts of a template. Raises SentenceError."""
    tokens = _tokens(normalize("NFC", text))
    return _group(tokens, "", 0)


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            break
        yield match
        at = match.end()
    if at < len(text):
        raise SentenceError(f"unexpected '{text[at]}' at character {at + 1}")


def _group(tokens: Iterator[re.Match[str]], opening: str, depth: int) -> Group:
    """The parts up to the end of the group that ``opening`` begins. Raises SentenceError."""
    if depth > _DEEPEST:
        raise SentenceError(f"groups lie more than {_DEEPEST} deep")
    items: list[Part] = []
    group, closing = Group("sequence", items), _CLOSING.get(opening, "")
    for token in tokens:
        kind, text = token.lastgroup, token[0]
        if kind == "words":
            items.append(TemplateWords(_ESCAPED.sub(r"\1", text) if "\\" in text else text))
        elif kind == "slot":
            type_, colon, into = token["slot"].partition(":")
            items.append(TemplateSlot(type_, into if colon else type_))
        elif kind == "rule":
            items.append(RuleUse(token["rule"]))
        elif text in _CLOSING:
            items.append(_group(tokens, text, depth + 1))
        elif text in _ORDERS:
            order = _ORDERS[text]
            if group.order != order:
                group = Group(order, [group])
            items = []
            group.items.append(Group("sequence", items))
        else:
            if text != closing:
                raise SentenceError(f"unexpected '{text}' at character {token.start() + 1}")
            if not group.items:
                raise SentenceError(f"'{opening}{closing}' is empty")
            return _optional(group) if opening == "[" else group
    if closing:
        raise SentenceError(f"'{opening}' is not closed by '{closing}'")
    return group


def _optional(group: Group) -> Group:
    """A group that may be left out."""
    options = group.items if group.order == "alternative" else [group]
    return Group("alternative", [*options, TemplateWords("")])
