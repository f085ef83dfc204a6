"""What the core says to people in words of its own: the only English that they hear from it.

Templates by name. A file's own texts come before them: `acknowledge` of an action, `otherwise` of a
skill. None of them speaks of a domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from treec.source.template import TextTemplate

ACKNOWLEDGEMENTS: Mapping[str, str] = {
    "propose": "{{ 'Would you' if agent.person else 'Shall ' ~ agent }} {{ subtask.words }}?",
    "assign": (
        "{{ 'You' if agent.person else agent }} will "
        "{{ subtasks | map(attribute='words') | join(' and ') }}."
    ),
    "interrupt": "{{ agent }} has stopped.",
    "resume": "{{ agent }} goes on.",
}
"""Of a high-level action that was committed; its arguments are the names."""

REASONS: Mapping[str, str] = {
    "too_late": "it took too long",
    "unknown": "something went wrong with it",
    "not_ready": "{{ agent }} could not get ready for it",
}
"""Why a subtask failed, without a full stop; `agent` is the name of who had it."""


@lru_cache(maxsize=64)
def sentence(text: str) -> TextTemplate:
    """One of the texts above, ready to be rendered."""
    return TextTemplate.parse(text)
