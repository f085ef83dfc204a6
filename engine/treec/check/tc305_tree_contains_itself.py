"""Tree or decision that contains itself.

Trees and decisions are compiled into one another, so one that contains itself, directly or through
others, would be infinite. Use `then: repeat`, or `repeat: -1` on a node, to start again.

Wrong:

    tree: worker
    root:
      - wait: {until: queue('R1')}
      - tree: worker

Right:

    tree: worker
    root:
      - wait: {until: queue('R1')}
    then: repeat
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.graph import graph_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC305"


def check(view: View) -> Iterator[Diagnostic]:
    """Report cycles of trees and decisions."""
    for cycle in graph_of(view).cycles():
        first = cycle[0].source
        trail = " → ".join([first.name, *(edge.target.name for edge in cycle)])
        if first.kind == "tree":
            help = "to start again, write 'then: repeat' at the end of the tree"
        else:
            help = "a decision is asked again when what it sees has changed"
        message = f"the {first.kind} '{first.name}' contains itself: {trail}"
        yield Diagnostic(CODE, "error", cycle[0].span, message, help)
