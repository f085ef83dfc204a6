"""The call graph of behaviours: trees, decisions, actions, readings and programs.

A tree reaches what its nodes name; a decision reaches its options, the behaviours that offer
themselves to it, and its fallback. Each edge has its place in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from treec.check.base import Loc
from treec.check.tree_nodes import tree_nodes
from treec.files.entry import AnyEntry
from treec.files.kinds import behaviours
from treec.files.nodes import node_spec
from treec.files.view import View, per_view
from treec.frozen import frozen
from treec.graph import cyclic_components, descendants, shortest_path
from treec.source.text import Span

OPTION_KINDS = ("decision", "action", "tree")
"""Kinds of behaviours that a decision can choose."""


@frozen
class CallEdge:
    """An edge from one behaviour to another, with its place in a file.

    ``how`` is a node's type, or option, offer, fallback, correction. ``holder`` is the entry it is
    written in: for an offer, the behaviour that offers itself.
    """

    source: AnyEntry
    target: AnyEntry
    how: str
    holder: AnyEntry
    loc: Loc
    key: bool = False

    @property
    def span(self) -> Span:
        """The place of the edge in its file."""
        return self.holder.span(*self.loc, key=self.key)


class CallGraph:
    """The behaviours of a view and what each reaches, in file order."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.offers: dict[str, list[AnyEntry]] = {}
        """Behaviours that offer themselves, by the name of the decision, which may not exist."""
        self._edges: dict[int, tuple[CallEdge, ...]] = {}
        self._unknown_names: dict[int, list[tuple[tuple[str, ...], str]]] = {}
        offering = [e for kind in ("decision", "action") for e in view.all(kind).values()]
        for entry in sorted(offering, key=lambda e: (e.path.rpartition("/")[2], e.path)):
            if entry.model.offer is not None:
                self.offers.setdefault(entry.model.offer.to, []).append(entry)

    @property
    def behaviours(self) -> list[AnyEntry]:
        """All behaviours of the view, in order of the files."""
        return [entry for entry in self.view.entries if entry.kind in behaviours()]

    @cached_property
    def _by_id(self) -> dict[int, AnyEntry]:
        return {id(entry): entry for entry in self.behaviours}

    @cached_property
    def _targets(self) -> dict[int, list[int]]:
        """Return what each behaviour reaches directly, by the entries' ids."""
        return {
            key: [id(edge.target) for edge in self.edges(entry)]
            for key, entry in self._by_id.items()
        }

    def edges(self, entry: AnyEntry) -> tuple[CallEdge, ...]:
        """Return what a behaviour reaches directly, in order of its file."""
        found = self._edges.get(id(entry))
        if found is None:
            found = self._edges[id(entry)] = tuple(self._find(entry))
        return found

    def unknown_names(self, entry: AnyEntry) -> list[tuple[tuple[str, ...], str]]:
        """Return the unknown names in a behaviour, with the kinds that each may be of."""
        self.edges(entry)
        return self._unknown_names.get(id(entry), [])

    def _add_unknown(self, entry: AnyEntry, kinds: tuple[str, ...], name: str) -> None:
        self._unknown_names.setdefault(id(entry), []).append((kinds, name))

    def reachable_from(self, roots: Iterable[AnyEntry]) -> dict[int, AnyEntry]:
        """Return all that is reachable from some behaviours, these included, by the entry's id."""
        named = {id(root): root for root in roots}
        found = descendants(self._targets, *named)
        return named | {key: entry for key, entry in self._by_id.items() if key in found}

    def cycles(self) -> Iterator[list[CallEdge]]:
        """For each component of behaviours that contain one another, the shortest cycle in it."""
        by_id = self._by_id
        for component in cyclic_components(self._targets):
            first = min(component, key=lambda key: (by_id[key].path, by_id[key].node.start))
            path = shortest_path(self._targets, first, first)
            assert path is not None, "a component has a cycle through each of its members"
            yield [
                next(edge for edge in self.edges(by_id[one]) if id(edge.target) == other)
                for one, other in pairwise(path)
            ]

    def _find(self, entry: AnyEntry) -> Iterator[CallEdge]:
        if entry.kind == "tree":
            named = behaviours()
            for at in tree_nodes(entry):
                spec = node_spec(at.key)
                refers = {} if spec is None else {spec.key: spec.refers, **spec.also_refers}
                for key, kind in refers.items():
                    name = getattr(at.node, key) if kind in named else None
                    if name is None:
                        continue
                    target = self.view.find(kind, name)
                    if target is None:
                        self._add_unknown(entry, (kind,), name)
                    else:
                        yield CallEdge(entry, target, key, entry, (*at.loc, key))
        elif entry.kind == "decision":
            yield from self._choices(entry)
        elif entry.kind == "program" and entry.model.correction is not None:
            name = entry.model.correction.program
            target = self.view.find("program", name)
            if target is None:
                self._add_unknown(entry, ("program",), name)
            else:
                yield CallEdge(entry, target, "correction", entry, ("correction", "program"))

    def _choices(self, entry: AnyEntry) -> Iterator[CallEdge]:
        model = entry.model
        seen: set[str] = set()
        for name in model.options:
            target = self.option(name)
            seen.add(name)
            if target is None:
                self._add_unknown(entry, OPTION_KINDS, name)
            else:
                yield CallEdge(entry, target, "option", entry, ("options", name), key=True)
        for offering in self.offers.get(entry.name, ()):
            if offering.name not in seen:
                seen.add(offering.name)
                yield CallEdge(entry, offering, "offer", offering, ("offer", "to"))
        if model.fallback is not None and model.fallback not in seen:
            target = self.option(model.fallback)
            if target is None:
                self._add_unknown(entry, OPTION_KINDS, model.fallback)
            else:
                yield CallEdge(entry, target, "fallback", entry, ("fallback",))

    def option(self, name: str) -> AnyEntry | None:
        """Return the behaviour that an option names; None if a decision cannot choose it."""
        target = self.view.behaviour(name)
        return target if target is not None and target.kind in OPTION_KINDS else None


@per_view
def graph_of(view: View) -> CallGraph:
    """Return the graph of a view; cached."""
    return CallGraph(view)
