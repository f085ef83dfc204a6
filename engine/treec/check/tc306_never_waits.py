"""Loop that never waits.

`then: repeat`, `repeat: -1` and `retry: -1` request the next tick as soon as a round ends. If
nothing inside can be RUNNING, the loop ticks forever without letting time pass. Nodes that can
wait: ask, read, do, skill, program, recipe, wait, take, on_change, a parallel with `until: never`,
a node with `keep_running_until_failure`, and node classes of a package.

A warning if the loop spins only for a while: its first node fails at once as long as a condition
is false (`check`, `while`, `fail_if`).

Wrong:

    tree: watch
    root:
      - check: queue('R1')
      - log: R1 has something to do
    then: repeat

Right:

    tree: watch
    root:
      - wait: {until: queue('R1')}
      - log: R1 has something to do
    then: repeat
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import all_entries, entries
from treec.check.conditions import constant
from treec.check.tree_nodes import TreeNodeAt, root_of, tree_nodes
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.nodes import (
    CheckNode,
    NodeBase,
    ParallelBody,
    ParallelNode,
    ProbeNode,
    TreeNode,
    WaitBody,
    WaitNode,
    type_key,
)
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC306"

ENDLESS = -1


def check(view: View) -> Iterator[Diagnostic]:
    """Report loops in which nothing can be RUNNING."""
    waiting = _waiting_trees(view, list(all_entries(view, "tree")))
    for entry in entries(view, "tree"):
        found: list[Diagnostic] = []
        waits = _find_busy_loops(root_of(entry), view, waiting, found)
        if entry.model.then == "repeat" and not waits:
            found.append(_problem(entry, "then: repeat", ("then",)))
        elif entry.model.then == "repeat" and not found:
            found += _spins(view, root_of(entry))
        yield from found


def _spins(view: View, root: TreeNodeAt) -> Iterator[Diagnostic]:
    """Report a first node of a loop that fails at once as long as a condition is false."""
    failing = _fails_at_once(view, root, frozenset())
    if failing is None:
        return
    at, key = failing
    message = f"'then: repeat' never waits while this {'holds' if key == 'fail_if' else 'is false'}"
    help = "begin with a node that waits: - wait: {until: …}"
    yield Diagnostic(CODE, "warning", at.span(key), message, help)


def _fails_at_once(
    view: View, at: TreeNodeAt, seen: frozenset[str]
) -> tuple[TreeNodeAt, str] | None:
    """Return the node, and its key, that fails at once if a condition is false: the first one."""
    node = at.node
    if isinstance(node, NodeBase):
        if node.invert or node.force_success or node.skip_if is not None:
            return None
        if node.for_ is not None or node.keep_running_until_failure or _endless(node):
            return None
        for key, condition in (("fail_if", node.fail_if), ("while", node.while_)):
            if condition is not None and constant(condition) is None:
                return at, key
        if node.on_failure is not None:
            return None
        if isinstance(node, CheckNode):
            return (at, "check") if constant(node.check) is None else None
        if isinstance(node, TreeNode):
            target = view.find("tree", node.tree)
            if target is None or target.name in seen or target.model.then == "repeat":
                return None
            return _fails_at_once(view, root_of(target), seen | {target.name})
        if type_key(node) not in _SEQUENCES:
            return None
    return _fails_at_once(view, at.children[0], seen) if at.children else None


_SEQUENCES = ("sequence", "sequence_with_memory", "reactive_sequence")


def _problem(entry: AnyEntry, what: str, loc: tuple[str | int, ...]) -> Diagnostic:
    return Diagnostic(
        CODE,
        "error",
        entry.span(*loc),
        f"'{what}' never waits: nothing in it can ever be RUNNING",
        "add a node that waits: - wait: {until: …}, or - on_change: …",
    )


def _waiting_trees(view: View, trees: list[AnyEntry]) -> Mapping[int, bool]:
    """Whether each tree, by id, can be RUNNING: by itself, or through one that it contains."""
    users: dict[int, list[int]] = {}
    waits: dict[int, bool] = {}
    for entry in trees:
        waits[id(entry)] = entry.model.then == "repeat"
        for at in tree_nodes(entry):
            if isinstance(at.node, TreeNode):
                target = view.find("tree", at.node.tree)
                if target is None:
                    waits[id(entry)] = True
                else:
                    users.setdefault(id(target), []).append(id(entry))
            elif isinstance(at.node, NodeBase) and (_waits(at.node) or _endless(at.node)):
                waits[id(entry)] = True
    spread = [tree for tree, can_wait in waits.items() if can_wait]
    while spread:
        for user in users.get(spread.pop(), ()):
            if not waits.get(user, True):
                waits[user] = True
                spread.append(user)
    return waits


def _find_busy_loops(
    at: TreeNodeAt, view: View, waiting: Mapping[int, bool], found: list[Diagnostic]
) -> bool:
    """Whether a node can be RUNNING; adds its loops that never wait to ``found``."""
    node = at.node
    waits = False
    for child in at.children:
        waits = _find_busy_loops(child, view, waiting, found) or waits
    if not isinstance(node, NodeBase):
        return waits
    if isinstance(node, TreeNode):
        target = view.find("tree", node.tree)
        waits = waits or target is None or waiting.get(id(target), True)
    waits = waits or _waits(node)
    for modifier in ("repeat", "retry"):
        if getattr(node, modifier) == ENDLESS and not waits:
            found.append(_problem(at.entry, f"{modifier}: -1", (*at.loc, modifier)))
            waits = True  # do not report the loops around it, too
    return waits


def _endless(node: NodeBase) -> bool:
    return ENDLESS in (node.repeat, node.retry)


def _waits(node: NodeBase) -> bool:
    """Whether a node can be RUNNING whatever its children do."""
    if node.keep_running_until_failure:
        return True
    if isinstance(node, ParallelNode):
        return isinstance(node.parallel, ParallelBody) and node.parallel.until == "never"
    if isinstance(node, ProbeNode):
        return "R" in node.probe.script
    if isinstance(node, WaitNode):
        body = node.wait
        if not isinstance(body, WaitBody):
            return body > 0
        if body.until is not None and constant(body.until) is True:
            return False
        return body.for_ is None or body.for_ > 0
    known = registry().nodes.get(type_key(node) or "")
    return known is None or known.waits
