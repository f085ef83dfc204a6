"""What treec itself says to people; a system's `sentences` replace it.

A file's own texts come before both: `acknowledge` of an action, `otherwise` of a skill.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.view import View
from treec.source.template import TextTemplate

ACKNOWLEDGEMENTS: Mapping[str, str] = {
    "propose": "{{ 'Would you' if agent.person else 'Shall ' ~ agent }} {{ subtask.words }}?",
    "assign": (
        "{{ 'You' if agent.person else agent }} will "
        "{{ subtasks | map(attribute='words') | join(' and ') }}."
    ),
    "take_back": "{{ subtasks | map(attribute='words') | join(' and ') }}: left for somebody else.",
    "interrupt": "{{ agent }} has stopped.",
    "resume": "{{ agent }} goes on.",
}
"""High-level action → what is said when it is committed, a template of its arguments."""

REASONS: Mapping[str, str] = {
    "too_late": "it took too long",
    "unknown": "something went wrong with it",
    "not_ready": "{{ agent }} could not get ready for it",
    "refused": "nothing has changed; please say it in other words",
    "not_at_rest": "{{ agent }} does not come to rest!",
    "forbidden": "{{ agent }} stops: {{ reason }}",
    "lost": "The connection to {{ name }} is lost!",
    "overdue": "{{ name }} has not answered for {{ seconds }} s!",
}
"""Why a subtask failed, without a full stop; that words changed nothing; that a contract stops a
skill; and the alarms.

Templates of `agent`, the name of who had the subtask or is stopped, and `reason`; for alarms about
environments and outside work, of `name` and `seconds`.
"""


def sentence(view: View, name: str) -> TextTemplate | None:
    """The system's sentence of that name, else treec's own; None if there is none."""
    replaced = view.system.model.sentences if view.system is not None else {}
    text = replaced.get(name, {**ACKNOWLEDGEMENTS, **REASONS}.get(name))
    return None if text is None else TextTemplate.parse(text)
