"""Unreachable behaviour.

Trees, decisions, actions, readings and programs run only if the system's root reaches them:
through a node of a tree, as an option or the fallback of a decision, or by an offer in their own
file. An unreachable one is a typo or a leftover. So is what comes in a selector after a child that
never fails.

Wrong:

    action: Report_Progress
    about: Say how far the work is.
    may: [say]

Right:

    action: Report_Progress
    about: Say how far the work is.
    may: [say]
    offer: {to: Execution, when: acts.ask}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from treec.check.base import entries, near, view_of
from treec.check.graph import CallGraph, graph_of
from treec.check.tc301_unknown_node import has_unknown_node
from treec.check.tree_nodes import TreeNodeAt, tree_nodes
from treec.check.unknown_names import node_syntax
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.kinds import asked_by_command, behaviours
from treec.files.nodes import attribute_of, spec_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.expression import constant

CODE = "TC404"
OF_PACKS = False  # a library need not use everything in a pack

HELP = {
    "tree": "run it by a node 'tree: {}', or choose it in a decision",
    "decision": "ask it by a node 'ask: {}', or 'offer' it to another decision",
    "action": "name it among a decision's options, or 'offer' it to one",
    "reading": "run it by a node 'read: {}'",
    "program": "run it by a node 'program: {}'",
}


def _help(entry: AnyEntry) -> str:
    template = HELP.get(entry.kind)
    if template is not None:
        return template.format(entry.name)
    node = node_syntax(entry.kind, entry.name)
    return f"run it by a node '{node}'" if node else "no node can run it"


def check(view: View) -> Iterator[Diagnostic]:
    """Report behaviours that no system that uses them reaches, and branches after a sure one."""
    for entry in entries(view, "tree"):
        yield from _branches(entry)
    if view.system is None or unreadable_kinds(view.library) & set(behaviours()):
        return  # an unreadable file may be the one that reaches them
    root = view.find("tree", view.system.model.root)
    if root is None:
        return
    graph = graph_of(view)
    reachable = _reachable(graph, root)
    if reachable is None:
        return
    unreachable = [
        entry
        for entry in graph.behaviours
        if id(entry) not in reachable and not asked_by_command(entry)
    ]
    if unreachable:
        elsewhere = _reachable_in_other_systems(view)
        unreachable = [entry for entry in unreachable if id(entry) not in elsewhere]
    below = {
        id(edge.target)
        for entry in unreachable
        for edge in graph.edges(entry)
        if edge.target is not entry
    }
    for entry in unreachable:
        if id(entry) in below:
            continue  # only the topmost is reported
        yield Diagnostic(
            CODE,
            "error",
            entry.span(entry.kind),
            f"the {entry.kind} '{entry.name}' cannot be reached from the root '{root.name}'",
            _help(entry),
        )


def _reachable(graph: CallGraph, root: AnyEntry) -> dict[int, AnyEntry] | None:
    """Return what the root reaches if misspelt names are corrected.

    None if one cannot be, or if a node's type is unknown: what stands below it cannot be read.
    """
    view = graph.view
    decisions = view.all("decision")
    roots = [root]
    roots += [e for to, offering in graph.offers.items() if to not in decisions for e in offering]
    reached = graph.reachable_from(roots)
    while True:
        if any(has_unknown_node(entry, view.library) for entry in reached.values()):
            return None
        targets: list[AnyEntry] = []
        for entry in reached.values():
            for kinds, name in graph.unknown_names(entry):
                nearest = did_you_mean(name, near(view, kinds))
                target = view.behaviour(nearest) if nearest is not None else None
                if target is None:
                    return None
                targets.append(target)
        if all(id(entry) in reached for entry in targets):
            return reached
        reached = graph.reachable_from([*roots, *targets])
        roots += targets


def _reachable_in_other_systems(view: View) -> dict[int, AnyEntry]:
    """Return what the library's other systems reach, if they share folders with this one."""
    assert view.system is not None
    found: dict[int, AnyEntry] = {}
    mine = view.library.folders(view.system)
    for other in view.library.own("system"):
        if other is view.system or not _shares(mine, view.library.folders(other)):
            continue
        there = view_of(view.library, other)
        root = there.find("tree", other.model.root)
        if root is not None:
            found.update(graph_of(there).reachable_from([root]))
    return found


def _shares(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a file can be in a folder of each."""
    return any(
        "." in (a, b) or f"{a}/".startswith(f"{b}/") or f"{b}/".startswith(f"{a}/")
        for a in one
        for b in other
    )


def _branches(entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report the child of a selector after one that never fails."""
    for at in tree_nodes(entry):
        spec = spec_of(at.node)
        if spec is None or spec.order_of(at.node) != "any":
            continue
        children = [child for child in at.children if child.in_list]
        for child, after in pairwise(children):
            if _never_fails(child):
                message = f"this can never be reached: line {child.span().line} never fails"
                yield Diagnostic(CODE, "error", after.span(), message, "move it before that one")
                break


def _never_fails(at: TreeNodeAt) -> bool:
    node, spec = at.node, spec_of(at.node)
    if isinstance(node, list):
        return all(map(_never_fails, at.children))
    if node.modifiers or node.for_ is not None or spec is None:
        return False
    if spec.fails_unless:
        return constant(getattr(node, attribute_of(spec.model, spec.fails_unless))) is True
    below = map(_never_fails, at.children)
    is_sure = {"all": all, "any": any}.get(spec.order_of(node))
    return not spec.fails or (is_sure is not None and is_sure(below))
