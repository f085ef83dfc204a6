"""Diagnostics of a generated program, which no library file holds."""

from __future__ import annotations

from treec.source.rules import register

UNREADABLE = register(
    "TC750",
    "a text that is not a program",
    """A program is skill calls, assignments, `for` and `if`, in a small part of Python's syntax
    that docs/programs.md describes. Nothing else is read, and nothing is ever executed by Python.

    Wrong:

        import os
        os.remove("crate")

    Right:

        crate = InteractionObject("Crate")
        crate.pickup()
    """,
)

CANNOT_RUN = register(
    "TC751",
    "a program that cannot run",
    """A program calls skills, for things. Unknown skills, classes, arguments and attributes, and
    names that are used before they are assigned, are found before its first step.

    Wrong:

        crate = InteractionObject("Craet")
        crate.pick_up()

    Right:

        crate = InteractionObject("Crate")
        crate.pickup()
    """,
)

CANNOT_BE = register(
    "TC752",
    "a step that cannot be right",
    """By what skills and types declare, the step cannot be done as it stands or is done already:
    the hand is full, the thing does not open, it is open already, or it is a piece of something
    that has not been taken apart. Where a skill declares how to bring about what is missing, a run
    does so.

    Wrong:

        pillar = InteractionObject("Pillar")
        pillar.open()

    Right:

        chest = InteractionObject("Chest")
        chest.open()
    """,
    "warning",
)

CODES = frozenset(rule.code for rule in (UNREADABLE, CANNOT_RUN, CANNOT_BE))
"""The codes of diagnostics that `treec program check` gives and `treec check` does not."""
