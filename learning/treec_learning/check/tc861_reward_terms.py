"""A term of a reward that says nothing, or a reward that never says that it was reached.

A term names a primitive with its arguments: names of the reward's `args`, `hand`, `other_hand`, or
numbers where a share is due. Each hand's terms have a condition of success among them, whose value
the primitive can reach.

Wrong:

    reward: open_it
    about: Open a door.
    args: {door: Thing}
    right:
      - {primitive: joint_qpos, of: [door]}
      - {primitive: ee_pos, of: [drawer]}

Right:

    reward: open_it
    about: Open a door.
    args: {door: Thing}
    right:
      - {primitive: joint_qpos, of: [door, 1], success: 0.9}
      - {primitive: ee_pos, of: [door]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_learning.term_faults import term_faults

CODE = "TC861"


def check(view: View) -> Iterator[Diagnostic]:
    """Report terms that cannot be computed, change nothing, or are never reached."""
    for entry in entries(view, "reward"):
        for fault in term_faults(entry.model):
            span = entry.span(*fault.place, key=fault.key)
            yield Diagnostic(CODE, fault.severity, span, fault.message, fault.help)
