"""Unknown task or skill of an agent.

`can` lists tasks (or says `anything`), `skills` lists skills; each must have a file.

Wrong:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [fetsh]

Right:

    agent: R1
    is: Robot
    about: Fetches things.
    can: [fetch]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.check.unreadable import unreadable_names
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.team.knowledge import ANYTHING

CODE = "TC502"
OF_PACKS = False  # an agent of a pack may do tasks of parts that are not used


def check(view: View) -> Iterator[Diagnostic]:
    """Report names under `can` and `skills` that no file of the library defines."""
    # An agent may serve several systems, and do tasks of only one of them.
    known = {
        kind: {entry.name for entry in view.library.of_kind(kind)}
        | {name for of, name in unreadable_names(view.library) if of == kind}
        for kind in ("task", "skill")
    }
    for entry in entries(view, "agent"):
        for index, name in enumerate(entry.model.can):
            if name != ANYTHING and name not in known["task"]:
                yield _unknown(view, entry, ("can", index), "task", name)
        for name in entry.model.skills:
            if name not in known["skill"]:
                yield _unknown(view, entry, ("skills", name), "skill", name)


def _unknown(view: View, entry: AnyEntry, loc: Loc, kind: str, name: str) -> Diagnostic:
    choices = [*view.all(kind), *((ANYTHING,) if kind == "task" else ())]
    return Diagnostic(
        CODE,
        "error",
        entry.span(*loc, key=kind == "skill"),
        f"unknown {kind} '{name}'",
        suggestion(name, choices, f"{kind}s"),
    )
