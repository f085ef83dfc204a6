"""Objects that models write in another spelling than JSON's, in JSON: Python's, JavaScript's.

``{'choose': 'Cook', 'first': None}``, names without quotes, an escaped apostrophe, typographic
quotes. Only a whole object is read: nothing is completed, and nothing is evaluated.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from itertools import pairwise

from treec_asking.extract import NoObject, find_object

LONGEST = 20_000
"""Characters of an answer of which this is tried."""

_QUOTES = str.maketrans("\u201c\u201d\u201e\u00ab\u00bb", '"' * 5)
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}
_BRACKETS = re.compile(r"[{\[].*[}\]]", re.DOTALL)
_ODD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\(?![\\'\"nrtbfu])")


def in_json(text: str) -> str:
    """An answer with its object in JSON; as it is if it has one, or none in any spelling."""
    if "{" not in text or len(text) > LONGEST:
        return text
    try:
        find_object(text)
    except NoObject:
        found = _object(text)
        if found is None and '"' not in text:
            quoted = text.translate(_QUOTES).replace("&quot;", '"')
            found = None if quoted == text else _object(quoted)
        return text if found is None else json.dumps(found)
    return text


def _object(text: str) -> object:
    """The object, or list, from a text's first bracket to its last; None if that is none."""
    match = _BRACKETS.search(text)
    inner = match[0].replace("\\/", "/") if match else ""
    if _ODD_ESCAPE.search(inner):
        return None
    try:
        found = _plain(ast.parse(inner, mode="eval").body)
        return None if _joins_texts(inner) else found
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _joins_texts(inner: str) -> bool:
    """Whether a text follows a text, which Python reads as one: a comma or an escape is missing."""
    words = tokenize.generate_tokens(io.StringIO(inner).readline)
    kinds = [word.type for word in words if word.type not in (tokenize.NL, tokenize.COMMENT)]
    return (tokenize.STRING, tokenize.STRING) in pairwise(kinds)


def _plain(node: ast.AST) -> object:
    """The value that is written. Raises ValueError for anything that computes."""
    match node:
        case ast.Constant(str() | int() | float() | bool() | None as value):
            return value
        case ast.Name(name) if name in _WORDS:
            return _WORDS[name]
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -value
        case ast.List(items):
            return [*map(_plain, items)]
        case ast.Dict(keys, values):
            names = [key.id if isinstance(key, ast.Name) else _plain(key) for key in keys if key]
            if len({*map(str, names)}) < len(values):
                raise ValueError("a field stands twice")
            return dict(zip(map(str, names), map(_plain, values), strict=True))
    raise ValueError(ast.dump(node))
