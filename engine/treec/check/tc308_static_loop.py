"""`for` over something unknown at compile time.

`for: agent in robots` makes one node per item when the tree is built. The items must be known
then: `robots`, `agents`, `people`, or a literal list. The node must stand in a list of children.
To loop over items known only at run time, use the node `for_each`.

Wrong:

    - tree: robot_worker
      for: agent in free_agents
      with: {agent: $agent}

Right:

    - tree: robot_worker
      for: agent in robots
      with: {agent: $agent}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.loops import TEAMS, literal_items
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.files.fields import LoopHead
from treec.files.nodes import NodeBase
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import suggest

CODE = "TC308"


def check(view: View) -> Iterator[Diagnostic]:
    """Report loops over items unknown at compile time, or outside a list of children."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if isinstance(at.node, NodeBase) and at.node.for_ is not None:
                found = _problem(at, at.node.for_)
                if found is not None:
                    yield found


def _problem(at: TreeNodeAt, loop: LoopHead) -> Diagnostic | None:
    if not loop.is_valid:
        return Diagnostic(
            CODE,
            "error",
            at.span("for"),
            f"'{loop}' is not a loop",
            "write a name, 'in', and a list: agent in robots",
        )
    if loop.items not in TEAMS and literal_items(loop.items) is None:
        return Diagnostic(
            CODE,
            "error",
            at.entry.span_in((*at.loc, "for"), loop.offset, len(loop.items)),
            f"'{loop.items}' is not known at compile time",
            suggest(loop.items, TEAMS)
            or "write robots, agents, people or a list, or use the node 'for_each'",
        )
    if not at.in_list:
        return Diagnostic(
            CODE,
            "error",
            at.span("for", key=True),
            "'for' makes several nodes, but there can be only one here",
            "put it in a list: - {…, for: …}",
        )
    return None
