"""Loop that never waits.

`then: repeat` and `repeat: -1` request the next tick as soon as a round ends. If nothing inside can
be RUNNING, the loop ticks without letting time pass, and fails as a branch that does not come to
rest. Nodes that can wait: ask, read, do, skill, program, recipe, wait, take, on_change, a parallel
with `until: never`, a node with `keep_running_until_failure`, `retry: -1`, or a pause
(`repeat: {every: 1s}`), and node classes of a package.

A warning if the loop spins only for a while: its first node fails at once as long as a condition is
false (`check`, `while`, `fail_if`). Also for any other count: a `repeat` in which nothing can be
RUNNING and nothing is set does the same again and again at one instant, and one of more than 200
holds everything else for as many ticks. Of loops in each other one is reported. And if all that
waits in a loop is one skill that does not say `again: true`: it is skipped as long as its `after`
holds.

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
from treec.check.tree_nodes import TreeNodeAt, root_of, tree_nodes
from treec.files.entry import AnyEntry
from treec.files.nodes import MODIFIERS, NodeBase, attribute_of, spec_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.expression import constant

CODE = "TC306"

MOST = 200
"""Rounds at one instant after which a loop is taken for one that does not come to rest."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report loops in which nothing can be RUNNING."""
    waiting = _waiting_trees(view, list(all_entries(view, "tree")))
    for entry in entries(view, "tree"):
        found: list[Diagnostic] = []
        waits = _find_busy_loops(root_of(entry), view, waiting, found)
        if entry.model.then == "repeat" and not waits:
            found = [_problem(entry, "then: repeat", ("then",))]  # instead of warnings in it
        elif entry.model.then == "repeat" and not found:
            root = root_of(entry)
            found += _spins(view, root) or _skips(view, root, "then: repeat")
        yield from found


def _spins(view: View, root: TreeNodeAt) -> list[Diagnostic]:
    """Report a first node of a loop that fails at once as long as a condition is false."""
    failing = _fails_at_once(view, root, frozenset())
    if failing is None:
        return []
    at, key, truth = failing
    message = f"'then: repeat' never waits while this {'holds' if truth else 'is false'}"
    help = "begin with a node that waits: - wait: {until: …}"
    return [Diagnostic(CODE, "warning", at.span(key), message, help)]


def _skips(view: View, top: TreeNodeAt, loop: str) -> list[Diagnostic]:
    """Report a loop in which only one skill waits, which is skipped once it has come off."""
    nodes = [node for at in (top, *_below(top)) if isinstance(node := at.node, NodeBase)]
    waiting = [
        at for at in (top, *_below(top)) if isinstance(at.node, NodeBase) and _waits(at.node)
    ]
    calls = {(_skill_of(at.node), str(getattr(at.node, "with_", None))) for at in waiting}
    if len(calls) != 1 or any(_sets(node) or node.for_ or _pauses(node) for node in nodes):
        return []
    ((skill, _),) = calls
    entry = view.find("skill", skill or "")
    if not skill or entry is None or entry.model.again or not entry.model.after:
        return []
    message = (
        f"'{loop}' never waits once {skill} has come off: a skill is skipped if its 'after' holds"
    )
    help = "add a node that waits: - wait: {until: …}, or write 'again: true' in the skill's file"
    return [Diagnostic(CODE, "warning", waiting[0].span("skill"), message, help)]


def _fails_at_once(
    view: View, at: TreeNodeAt, seen: frozenset[str]
) -> tuple[TreeNodeAt, str, bool] | None:
    """The first node that fails at once by a condition; the key and truth of the condition."""
    node = at.node
    if not isinstance(node, NodeBase):
        return _fails_at_once(view, at.children[0], seen) if at.children else None
    given = {MODIFIERS[key]: value for key, value in node.modifiers.items()}
    if node.for_ is not None or _runs_on(node):
        return None
    if any(spec.changes for spec in given):
        return None
    for spec, value in given.items():
        if spec.fails_while is not None and constant(value) is None:
            return at, spec.key, spec.fails_while
    if any(isinstance(value, NodeBase | list) for value in given.values()):
        return None  # a handler, which may wait
    type_ = spec_of(node)
    if type_ is None:
        return None
    value = getattr(node, attribute_of(type_.model, type_.key))
    if type_.fails_unless:
        condition = getattr(node, attribute_of(type_.model, type_.fails_unless))
        return (at, type_.fails_unless, False) if constant(condition) is None else None
    if type_.refers == "tree":
        target = view.find("tree", value)
        if target is None or target.name in seen or target.model.then == "repeat":
            return None
        return _fails_at_once(view, root_of(target), seen | {target.name})
    return (
        _fails_at_once(view, at.children[0], seen)
        if type_.order_of(node) == "all" and value
        else None
    )


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
            if (name := _tree_of(at.node)) is not None:
                target = view.find("tree", name)
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
    waits, before = False, len(found)
    for child in at.children:
        waits = _find_busy_loops(child, view, waiting, found) or waits
    if not isinstance(node, NodeBase):
        return waits
    if (name := _tree_of(node)) is not None:
        target = view.find("tree", name)
        waits = waits or target is None or waiting.get(id(target), True)
    waits = waits or _waits(node)
    if not waits and len(found) == before:
        found.extend(_same_again(at, node))
    for key in reversed(_endless(node)):
        if not waits:
            endless = MODIFIERS[key].endless
            found[before:] = [_problem(at.entry, f"{key}: {endless}", (*at.loc, key))]
            waits = True  # do not report the loops around it, too
        else:
            found.extend(_skips(view, at, f"{key}: {MODIFIERS[key].endless}"))
    return waits


def _same_again(at: TreeNodeAt, node: NodeBase) -> Iterator[Diagnostic]:
    """Report repetitions of nodes that never wait, with a limit, that do the same or hold all."""
    for key, count in node.modifiers.items():
        if MODIFIERS[key].endless is None or not isinstance(count, int) or count < 2:
            continue
        if count <= MOST and any(_sets(below.node) for below in (at, *_below(at))):
            continue
        message = f"'{key}: {count}' never waits: {count} rounds at one instant"
        help = f"pause between them: {key}: {{times: {count}, every: 1s}}"
        yield Diagnostic(CODE, "warning", at.span(key), message, help)


def _below(at: TreeNodeAt) -> Iterator[TreeNodeAt]:
    for child in at.children:
        yield child
        yield from _below(child)


def _sets(node: object) -> bool:
    """Whether a node may set something, so that the next round may do something else."""
    if not isinstance(node, NodeBase):
        return False
    spec = spec_of(node)
    return spec is None or spec.refers == "tree" or spec.sets is not None


def _endless(node: NodeBase) -> list[str]:
    """The modifiers that begin a node again and again."""
    return [
        key
        for key, value in node.modifiers.items()
        if (endless := MODIFIERS[key].endless) is not None and value == endless
    ]


def _runs_on(node: NodeBase) -> bool:
    """Whether modifiers keep a node RUNNING."""
    return bool(_endless(node)) or _pauses(node)


def _tree_of(node: NodeBase | list[object]) -> str | None:
    """The name of the tree that a node inserts."""
    return _name_of(node, "tree")


def _skill_of(node: NodeBase | list[object]) -> str | None:
    """The name of the skill that a node runs."""
    return _name_of(node, "skill")


def _name_of(node: NodeBase | list[object], kind: str) -> str | None:
    """The name of the file of a kind that a node refers to."""
    spec = spec_of(node)
    if spec is None or spec.refers != kind:
        return None
    return str(getattr(node, attribute_of(spec.model, spec.key)))


def _waits(node: NodeBase) -> bool:
    """Whether a node can be RUNNING whatever its children do."""
    if _pauses(node):
        return True
    spec = spec_of(node)
    return spec is None or spec.can_wait(node)


def _pauses(node: NodeBase) -> bool:
    """Whether modifiers are RUNNING where the node is not."""
    return any(MODIFIERS[key].can_wait(value) for key, value in node.modifiers.items())
