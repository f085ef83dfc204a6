"""Which behaviour reaches which: the graph over trees, decisions, actions, readings, programs.

A tree reaches what its nodes name; a decision reaches its options, those who offer themselves to
it, and its fallback. The edges say where in the files they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary, ref

from treec.check.base import Loc
from treec.check.treenodes import tree_nodes
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.view import View
from treec.source.text import Span

NODE_KINDS = {
    "tree": "tree",
    "ask": "decision",
    "read": "reading",
    "do": "action",
    "program": "program",
    "plan": "plan",
}
"""The node types that name a behaviour, and the kind each names."""

OPTION_KINDS = ("decision", "action", "tree")
"""What a decision can choose."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One behaviour that reaches another, and the place that says so.

    ``how`` is a node's type, or option, offer, fallback. ``holder`` is the file it is written in:
    of an offer, the one that offers itself.
    """

    source: AnyEntry
    target: AnyEntry
    how: str
    holder: AnyEntry
    loc: Loc
    key: bool = False

    @property
    def span(self) -> Span:
        """Where the edge is written."""
        return self.holder.span(*self.loc, key=self.key)


class Graph:
    """The behaviours of a view and what each reaches, in order of the files."""

    def __init__(self, view: View) -> None:
        self._view = ref(view)  # the cache of graphs must not keep views alive
        self.offers: dict[str, list[AnyEntry]] = {}
        """The offers to each decision, in order of file name; an offer may lead nowhere."""
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._dangling: dict[int, list[tuple[tuple[str, ...], str]]] = {}
        offering = [e for kind in ("decision", "action") for e in view.all(kind).values()]
        for entry in sorted(offering, key=lambda e: (e.path.rpartition("/")[2], e.path)):
            if entry.model.offer is not None:
                self.offers.setdefault(entry.model.offer.to, []).append(entry)

    @property
    def view(self) -> View:
        """The view it is made of."""
        view = self._view()
        assert view is not None, "a graph is used while its view lives"
        return view

    @property
    def behaviours(self) -> list[AnyEntry]:
        """All behaviours of the view, in order of the files."""
        return [entry for entry in self.view.entries if entry.kind in behaviours()]

    def edges(self, entry: AnyEntry) -> tuple[Edge, ...]:
        """What a behaviour reaches at once, in order of the file."""
        found = self._edges.get(id(entry))
        if found is None:
            found = self._edges[id(entry)] = tuple(self._find(entry))
        return found

    def dangling(self, entry: AnyEntry) -> list[tuple[tuple[str, ...], str]]:
        """The names in a behaviour that lead nowhere, with the kinds that each may be of."""
        self.edges(entry)
        return self._dangling.get(id(entry), [])

    def _lost(self, entry: AnyEntry, kinds: tuple[str, ...], name: str) -> None:
        self._dangling.setdefault(id(entry), []).append((kinds, name))

    def reached(self, roots: Iterable[AnyEntry]) -> dict[int, AnyEntry]:
        """All that is reached from some behaviours, these included, by the entry's id."""
        found = {id(root): root for root in roots}
        waiting = list(found.values())
        while waiting:
            for edge in self.edges(waiting.pop()):
                if id(edge.target) not in found:
                    found[id(edge.target)] = edge.target
                    waiting.append(edge.target)
        return found

    def cycles(self) -> Iterator[list[Edge]]:
        """For each knot of behaviours that contain one another, the shortest cycle in it."""
        for knot in self._knots():
            yield self._shortest(min(knot.values(), key=lambda e: (e.path, e.node.start)), knot)

    def _find(self, entry: AnyEntry) -> Iterator[Edge]:
        if entry.kind == "tree":
            for at in tree_nodes(entry):
                kind = NODE_KINDS.get(at.key or "")
                if kind is None:
                    continue
                key = str(at.key)
                name = getattr(at.node, key)
                target = self.view.find(kind, name)
                if target is None:
                    self._lost(entry, (kind,), name)
                else:
                    yield Edge(entry, target, key, entry, (*at.loc, key))
        elif entry.kind == "decision":
            yield from self._choices(entry)

    def _choices(self, entry: AnyEntry) -> Iterator[Edge]:
        model = entry.model
        seen: set[str] = set()
        for name in model.options:
            target = self.option(name)
            seen.add(name)
            if target is None:
                self._lost(entry, OPTION_KINDS, name)
            else:
                yield Edge(entry, target, "option", entry, ("options", name), key=True)
        for offering in self.offers.get(entry.name, ()):
            if offering.name not in seen:
                seen.add(offering.name)
                yield Edge(entry, offering, "offer", offering, ("offer", "to"))
        if model.fallback is not None and model.fallback not in seen:
            target = self.option(model.fallback)
            if target is None:
                self._lost(entry, OPTION_KINDS, model.fallback)
            else:
                yield Edge(entry, target, "fallback", entry, ("fallback",))

    def option(self, name: str) -> AnyEntry | None:
        """The behaviour that a decision's option names; None when it can choose no such."""
        target = self.view.behaviour(name)
        return target if target is not None and target.kind in OPTION_KINDS else None

    def _knots(self) -> Iterator[dict[int, AnyEntry]]:
        """Strongly connected parts that hold a cycle (Tarjan's algorithm, without recursion)."""
        number: dict[int, int] = {}
        low: dict[int, int] = {}
        path: list[AnyEntry] = []
        on_path: set[int] = set()
        for start in self.behaviours:
            if id(start) in number:
                continue
            work: list[tuple[AnyEntry, Iterator[Edge]]] = [(start, iter(self.edges(start)))]
            number[id(start)] = low[id(start)] = len(number)
            path.append(start)
            on_path.add(id(start))
            while work:
                entry, edges = work[-1]
                edge = next(edges, None)
                if edge is not None:
                    target = edge.target
                    if id(target) not in number:
                        number[id(target)] = low[id(target)] = len(number)
                        path.append(target)
                        on_path.add(id(target))
                        work.append((target, iter(self.edges(target))))
                    elif id(target) in on_path:
                        low[id(entry)] = min(low[id(entry)], number[id(target)])
                    continue
                work.pop()
                if work:
                    above = id(work[-1][0])
                    low[above] = min(low[above], low[id(entry)])
                if low[id(entry)] == number[id(entry)]:
                    knot: dict[int, AnyEntry] = {}
                    while True:
                        member = path.pop()
                        on_path.discard(id(member))
                        knot[id(member)] = member
                        if member is entry:
                            break
                    loops = any(edge.target is entry for edge in self.edges(entry))
                    if len(knot) > 1 or loops:
                        yield knot

    def _shortest(self, start: AnyEntry, knot: dict[int, AnyEntry]) -> list[Edge]:
        """The shortest way from a behaviour back to itself."""
        came: dict[int, Edge] = {}
        layer = [start]
        while layer:
            below: list[AnyEntry] = []
            for entry in layer:
                for edge in self.edges(entry):
                    if edge.target is start:
                        cycle = [edge]
                        while cycle[-1].source is not start:
                            cycle.append(came[id(cycle[-1].source)])
                        return cycle[::-1]
                    if id(edge.target) in knot and id(edge.target) not in came:
                        came[id(edge.target)] = edge
                        below.append(edge.target)
            layer = below
        raise AssertionError("a knot has a cycle through each of its members")


_graphs: WeakKeyDictionary[View, Graph] = WeakKeyDictionary()


def graph_of(view: View) -> Graph:
    """The graph of a view, made once."""
    found = _graphs.get(view)
    if found is None:
        found = _graphs[view] = Graph(view)
    return found
