"""Removes API keys from answers and errors, since servers like to repeat what they were sent.

A key is the value of any environment variable with a name such as `…_API_KEY` or `…_TOKEN`, and
any text that looks like a key (a bearer token, `sk-…`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

HIDDEN = "[key]"
"""The replacement for a key."""

SHORTEST = 8
"""Minimum length of a key; shorter values may be ordinary words."""

_NAMED = re.compile(
    r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(?:$|_(?:ID|FILE|[0-9]+)$)", re.I
)
_LOOKS_LIKE_ONE = re.compile(
    r"(?P<before>\bbearer\s+|\b(?:x-api-key|api[-_ ]?key|access[-_]token)['\"]?\s*[:=]\s*['\"]?)"
    r"(?=\S{0,200}[0-9])[A-Za-z0-9._~+/=-]{16,}"
    r"|\bsk-(?=\S{0,200}[0-9])[A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}|\bhf_[A-Za-z0-9]{20,}",
    re.IGNORECASE,
)


class Redactor:
    """Replaces keys in texts."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        found = sorted({key for key in keys if len(key) >= SHORTEST}, key=len, reverse=True)
        spelt = [re.escape(one) for key in found for one in _spellings(key)]
        self._keys = re.compile("|".join(spelt)) if spelt else None

    @classmethod
    def of_environment(cls, environment: Mapping[str, str], keys: Iterable[str] = ()) -> Redactor:
        """A redactor for the keys in an environment, found by the names of variables, and more."""
        named = (value for name, value in environment.items() if _NAMED.search(name))
        return cls([*named, *keys])

    def __call__(self, text: str) -> str:
        """The text without keys."""
        if self._keys is not None:
            text = self._keys.sub(HIDDEN, text)
        return _LOOKS_LIKE_ONE.sub(lambda match: (match["before"] or "") + HIDDEN, text)


def _spellings(key: str) -> Iterable[str]:
    """The spellings of a key in an error: plain, in JSON, in a URL."""
    import json
    from urllib.parse import quote

    return dict.fromkeys((key, json.dumps(key)[1:-1], quote(key, safe="")))
