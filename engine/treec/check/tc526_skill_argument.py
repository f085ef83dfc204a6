"""Misspelt argument `agent` of a skill.

Every skill is somebody's: `agent` is known in its texts whether or not it is among the arguments.
An argument that is nearly `agent` and that the texts do not use is a typo: nothing would give it.

Wrong:

    args: {agnet: Robot, item: Item}
    before:
      - near(agent) == at(item)

Right:

    args: {agent: Robot, item: Item}
    before:
      - near(agent) == at(item)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from treec.check.base import entries, places
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean

CODE = "TC526"
AGENT = "agent"

_NAME = re.compile(r"[A-Za-z_]\w*")


def check(view: View) -> Iterator[Diagnostic]:
    """Report unused arguments that are nearly `agent` where the texts use `agent`."""
    for entry in entries(view, "skill"):
        args = entry.model.args
        used = _names(entry) if AGENT not in args else set()
        for name in args if AGENT in used else ():
            if name not in used and did_you_mean(name, [AGENT]):
                span = entry.span("args", name, key=True)
                message = f"nothing in this skill uses its argument '{name}'"
                yield Diagnostic(CODE, "error", span, message, f"did you mean '{AGENT}'?")


def _names(entry: AnyEntry) -> set[str]:
    texts = [str(p.value) for p in places(entry) if p.kind in ("expression", "text")]
    return {name for text in texts for name in _NAME.findall(text)}
