"""Values of tree files as attributes of XML, and back.

A reference ``$agent`` is ``{agent}``, numbers and truth values stand as they are, all else is text.
What would be read as something else is written as JSON: ``json:"5"`` is the text 5. In JSON, braces
are written ``%7B`` and ``%7D``, since both programs read braces as references.
"""

from __future__ import annotations

import json
import re

from treec.source.values import is_reference, literal, literal_text

JSON = "json:"
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def decode_value(text: str) -> object:
    """Return the value that an attribute stands for."""
    if text.startswith(JSON):
        try:
            return json.loads(_unquote(text.removeprefix(JSON)))
        except ValueError:
            return text
    if text.startswith("{") and text.endswith("}") and is_reference(f"${text[1:-1]}"):
        return f"${text[1:-1]}"
    if text in ("true", "false"):
        return text == "true"
    if _NUMBER.fullmatch(text):
        try:
            return int(text)
        except ValueError:
            return float(text)
    return literal(text)


def encode_value(value: object) -> str:
    """Return the attribute that stands for a value: ``decode_value`` gives it back."""
    text = _plain(value)
    if text is not None and not _NOT_IN_XML.search(text):
        back = decode_value(text)
        if type(back) is type(value) and back == value:
            return text
    return JSON + _quote(json.dumps(value))


def encode_text(text: str) -> str:
    """Return the attribute of a name or a sentence, which is no value."""
    if text.startswith(JSON) or _NOT_IN_XML.search(text):
        return JSON + _quote(json.dumps(text))
    return text


def decode_text(text: str) -> str:
    """Return the name or sentence that an attribute stands for."""
    found = decode_value(text) if text.startswith(JSON) else text
    return found if isinstance(found, str) else text


def _plain(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if not isinstance(value, str):
        return None
    if is_reference(value):
        return f"{{{value[1:]}}}"
    text = literal_text(value)
    return None if text is None or "{" in text or "}" in text else text


def _quote(text: str) -> str:
    return text.replace("%", "%25").replace("{", "%7B").replace("}", "%7D")


def _unquote(text: str) -> str:
    return text.replace("%7B", "{").replace("%7D", "}").replace("%25", "%")
