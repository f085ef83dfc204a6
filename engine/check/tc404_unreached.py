"""A behaviour that nothing reaches.

Trees, decisions, actions, readings and programs run only when the system's root reaches them:
through a node of a tree, as an option of a decision, as its fallback, or by an offer from their own
file. One that nothing reaches is a slip, or left over.

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

from treec.check.base import near
from treec.check.graph import CallGraph, graph_of
from treec.check.missing import written
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean

CODE = "TC404"
OF_PACKS = False  # nobody needs all that a pack offers

HELP = {
    "tree": "run it by a node 'tree: {}', or choose it in a decision",
    "decision": "ask it by a node 'ask: {}', or 'offer' it to another decision",
    "action": "name it among a decision's options, or 'offer' it to one",
    "reading": "let a tree read by it, in a node 'read: {}'",
    "program": "run it by a node 'program: {}'",
}


def _help(entry: AnyEntry) -> str:
    told = HELP.get(entry.kind)
    if told is not None:
        return told.format(entry.name)
    how = written(entry.kind, entry.name)
    return f"run it by a node '{how}'" if how else "nothing can name it"


def check(view: View) -> Iterator[Diagnostic]:
    """Behaviours that no system which has them reaches."""
    if view.system is None or unreadable_kinds(view.library) & set(behaviours()):
        return  # a file that could not be read may be the one that reaches it
    root = view.find("tree", view.system.model.root)
    if root is None:
        return
    graph = graph_of(view)
    reached = _reached(graph, root)
    if reached is None:
        return
    left = [entry for entry in graph.behaviours if id(entry) not in reached]
    if left:
        elsewhere = _elsewhere(view)
        left = [entry for entry in left if id(entry) not in elsewhere]
    below = {
        id(edge.target) for entry in left for edge in graph.edges(entry) if edge.target is not entry
    }
    for entry in left:
        if id(entry) in below:
            continue  # what reaches it is told
        yield Diagnostic(
            CODE,
            "error",
            entry.span(entry.kind),
            f"nothing reaches the {entry.kind} '{entry.name}' from the root '{root.name}'",
            _help(entry),
        )


def _reached(graph: CallGraph, root: AnyEntry) -> dict[int, AnyEntry] | None:
    """What the root reaches, and what slips would reach; None where that cannot be guessed."""
    view = graph.view
    decisions = view.all("decision")
    roots = [root]
    roots += [e for to, offering in graph.offers.items() if to not in decisions for e in offering]
    reached = graph.reached(roots)
    while True:
        meant: list[AnyEntry] = []
        for entry in reached.values():
            for kinds, name in graph.dangling(entry):
                nearest = did_you_mean(name, near(view, kinds))
                target = view.behaviour(nearest) if nearest is not None else None
                if target is None:
                    return None
                meant.append(target)
        if all(id(entry) in reached for entry in meant):
            return reached
        reached = graph.reached([*roots, *meant])
        roots += meant


def _elsewhere(view: View) -> dict[int, AnyEntry]:
    """What other systems of the library reach, as far as they use folders of this one."""
    assert view.system is not None
    found: dict[int, AnyEntry] = {}
    mine = view.library.folders(view.system)
    for other in view.library.own("system"):
        if other is view.system or not _shares(mine, view.library.folders(other)):
            continue
        there = View(view.library, other)
        root = there.find("tree", other.model.root)
        if root is not None:
            found.update(graph_of(there).reached([root]))
    return found


def _shares(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether some file may lie in folders of both."""
    return any(
        "." in (a, b) or f"{a}/".startswith(f"{b}/") or f"{b}/".startswith(f"{a}/")
        for a in one
        for b in other
    )
