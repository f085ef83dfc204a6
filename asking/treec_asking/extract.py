"""Finds the JSON object in a model's answer: alone, in a fence, or within prose.

Servers that accept no schema may put words around the object. Of several objects the last complete
one counts, since models think before they answer. Length and work are bounded: a text of a
megabyte is scanned a few hundred times at worst.
"""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress

LONGEST = 1_000_000
"""Maximum length of an answer in characters; longer ones are refused unread."""

DEEPEST = 100
"""Maximum nesting of objects and lists; no answer of ours needs ten."""

TRIES = 200
"""Braces that begin no object before the rest of a text is given up."""

_FENCE = re.compile(
    r"^ {0,3}(`{3,9}|~{3,9})[^\n`]*\n(.*?)^ {0,3}\1"
    r"|(?<!`)(`{3,9})[\w+.#-]*[ \t\r]*\n(.*?)\3",
    re.DOTALL | re.MULTILINE,
)
"""A part between fences at the beginning of lines, or behind prose: ``Sure: ```yaml``."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_BEGINS = re.compile(r"\{\s*(?:[\"'}#]|//|/\*|\w+\s*:)")
_TOKEN = re.compile(_STRING + r"|//[^\n]*|#[^\n]*|/\*.*?\*/|[{}]", re.DOTALL)
_TRAILING = re.compile(f"({_STRING})" + r"|,(?=\s*[\]}])", re.DOTALL)
_THOUGHT = re.compile(r"<(think|thinking)>.*?(?:</\1>|\Z)", re.DOTALL)


class NoObject(ValueError):
    """The text contains no JSON object; the message is for the model that wrote it."""


_REWORDED = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a field's name, in double quotes, is missing",
    "Expecting ',' delimiter": "a comma or the end is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Invalid control character": "a text has a line break or a control character",
    "Invalid \\": "a text has an invalid backslash",
    "Illegal trailing comma": "a comma stands before the end",
}
"""Messages of Python's JSON decoder, reworded for the model that wrote the text."""


def find_object(text: str) -> dict[str, object]:
    """The JSON object in a text. Raises NoObject.

    Comments, trailing commas and line breaks in strings are read; an object in quotes or alone in
    a list is taken. One that is broken or has no end is refused with all that is in it.
    """
    if len(text) > LONGEST:
        raise NoObject(f"it has {len(text):,} characters, and at most {LONGEST:,} are read.")
    stripped = text.strip().removeprefix("\ufeff")
    if not stripped:
        raise NoObject("it is empty.")
    if _too_deep(stripped):
        raise NoObject("it is nested too deeply.")
    try:
        whole, end = _DECODER.raw_decode(stripped)
    except json.JSONDecodeError as error:
        reason = _reason(stripped, error)
    except ValueError as error:
        raise NoObject(f"it is not JSON: {error}.") from None
    else:
        if end < len(stripped):
            reason = "it has no JSON object."
        else:
            return _only_object(whole)
    spoken = _THOUGHT.sub("", stripped).strip() or stripped.rpartition("</think")[0]
    fenced = fenced_parts(spoken)
    with suppress(NoObject):  # a fence within a string ends its part too early: the whole tells
        for part in reversed(fenced):
            if found := _in_list_or_quotes(part) or _last_object(part):
                return found
    found = _in_list_or_quotes(spoken) or _last_object(spoken)
    if found is None:
        raise NoObject(reason)
    return found


def fenced_parts(text: str) -> list[str]:
    """The parts of a text between fences, in which shorter fences may stand."""
    return [match[2] if match[1] else match[4] for match in _FENCE.finditer(text)]


def _only_object(whole: object) -> dict[str, object]:
    """The object that a value is, holds alone, or is the JSON of. Raises NoObject."""
    if isinstance(whole, dict):
        return whole
    if isinstance(whole, list) and len(whole) == 1:
        return _only_object(whole[0])
    if isinstance(whole, str) and "{" in whole:
        return find_object(whole)
    raise NoObject(f"it must be a JSON object, not {_json_type(whole)}.")


def _in_list_or_quotes(text: str) -> dict[str, object] | None:
    """The object in a text that is a whole list or string of JSON. Raises NoObject."""
    text = text.strip()
    try:
        whole, end = _DECODER.raw_decode(text)
    except ValueError:
        return None
    return _only_object(whole) if end == len(text) else None


def _last_object(text: str) -> dict[str, object] | None:
    """The last outermost object in a text; None if it is broken. Raises NoObject without an end."""
    found = None
    failures = 0
    at = text.find("{")
    while at >= 0 and failures < TRIES:
        try:
            found, end = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            failures += 1
            is_object = _BEGINS.match(text, at) is not None
            end = _end_of_object(text, at) if is_object else at + 1
            if is_object and end:
                found = _relaxed_object(text[at:end])
            elif is_object or _cut_off(text, error):
                raise NoObject("it ends in the middle: it was cut off.") from None
        except ValueError as error:
            raise NoObject(f"it is not JSON: {error}.") from None
        at = text.find("{", end)
    return found


def _end_of_object(text: str, at: int) -> int:
    """Behind the brace that closes the one at a place; 0 if none does."""
    depth = 0
    for match in _TOKEN.finditer(text, at):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return 0


def _relaxed_object(text: str) -> dict[str, object] | None:
    """An object without its comments and trailing commas; None if it is still no JSON."""
    bare = _TOKEN.sub(lambda match: " " if match[0][0] in "/#" else match[0], text)
    bare = _TRAILING.sub(lambda match: match[1] or "", bare)
    try:
        whole, end = _RELAXED.raw_decode(bare)
    except json.JSONDecodeError:
        return None
    except ValueError as error:
        raise NoObject(f"it is not JSON: {error}.") from None
    return whole if end == len(bare) else None


def _reason(text: str, error: json.JSONDecodeError) -> str:
    if text[0] in "{[" and _cut_off(text, error):
        raise NoObject("it ends in the middle: it was cut off.")
    if "{" not in text:
        return "it has no JSON object."
    rewordings = (words for start, words in _REWORDED.items() if error.msg.startswith(start))
    where = f"line {error.lineno}, column {error.colno}"
    return f"it is not JSON: {next(rewordings, 'something else is expected')} at {where}."


def _cut_off(text: str, error: json.JSONDecodeError) -> bool:
    """Whether the text is valid up to its end and only incomplete."""
    return error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip())


def _integer(digits: str) -> int:
    if len(digits) > 100:
        raise ValueError("a number has more than 100 digits")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits[:20]} is too large a number")
    return value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON value")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field '{twice[:80]}' stands twice")
    return found


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer, parse_float=_float
)

_RELAXED = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_no_constant,
    parse_int=_integer,
    parse_float=_float,
    strict=False,
)


def _too_deep(text: str) -> bool:
    """Whether brackets are nested too deeply; brackets in strings count, too."""
    if text.count("{") + text.count("[") <= DEEPEST:
        return False
    depth = 0
    for match in re.finditer(r"[\[{\]}]", text):
        depth += 1 if match[0] in "[{" else -1
        if depth > DEEPEST:
            return True
    return False


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return "a list"
    return "a text" if isinstance(value, str) else "a number"
