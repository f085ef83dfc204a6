"""A node and what it is given: what is asked outside of a run, as test cases are.

A node that several systems use is asked in the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from treec.files.entry import AnyEntry, Entry
from treec.files.former_kinds import DECISIONS as FOLDER
from treec.files.kinds import prompts
from treec.files.library import Library
from treec.files.systems import SystemFile
from treec.files.types import Named, parse_type
from treec.files.view import View
from treec.source.diagnostics import did_you_mean, suggestion
from treec.source.scope import MappingScope
from treec.team.knowledge import knowledge_of
from treec_asking.asking import NodeContext
from treec_asking.examples import example_values, parse_value
from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.derived_names import (
    add_derived_names,
    contains_recipe,
    missing_derived_names,
    rebind,
)
from treec_testing.decisions.equivalence import equivalent
from treec_testing.decisions.given_world import given_world
from treec_testing.decisions.pins import pin, pinned_names, unpin
from treec_testing.decisions.request_queue import RequestQueue
from treec_testing.decisions.situation import Situation, find_asking_node, make_runtime
from treec_testing.decisions.stored_world import InvalidWorld, StoredWorld, from_plain

RECORDINGS = f"{FOLDER}/recordings"

SIMILAR = 0.75
"""Similarity of two names from which one counts as a misspelling of the other."""


class CaseError(Exception):
    """A case that cannot be asked. The message has the file, the line and the reason."""


@dataclass(frozen=True)
class DecisionCase:
    """A node and its input; ``where`` is the file and line of the case."""

    id: str
    about: str
    where: str
    view: View
    entry: AnyEntry
    given: Mapping[str, Any] = field(default_factory=dict)
    args: Mapping[str, Any] = field(default_factory=dict)
    world: Mapping[str, Any] | None = None
    knows: Mapping[str, Any] = field(default_factory=dict)
    expect: Mapping[str, Any] | None = None
    scored_by: str | None = None
    """The judge that scores what is decided."""
    scores: bool = False
    """Whether distilled scorers answer, as in a run: where it is asked, not tested."""

    def is_equivalent(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        """Whether two decisions of its node are equivalent."""
        return equivalent(class_of(self.entry), one, other)

    def pins(self, recorded: Mapping[str, object] | None = None) -> dict[str, object]:
        """Values of the names it knows: from the case, else recorded, else current.

        Raises CaseError.
        """
        around = self.situation({}).make_context(RequestQueue())
        model = self.entry.model
        names = list(model.knows if self.world is not None else pinned_names(model, self.given))
        if self.world is None:
            for name in missing_derived_names(self.view, model, self.given):
                if contains_recipe(around.scope.lookup(name)):
                    names.append(name)
        kept = {**(recorded or {}), **self.knows}
        return {n: kept[n] if n in kept else pin(n, around.scope) for n in dict.fromkeys(names)}

    def situation(self, pins: Mapping[str, object]) -> Situation:
        """The node in its world. Raises CaseError."""
        knowledge = knowledge_of(self.view)
        known = {name: unpin(knowledge, value) for name, value in pins.items()}
        try:
            values = self._values()
            stored = self._stored(values)
            stored.world(self.view)
        except (InvalidWorld, AssertionError, AttributeError, TypeError, ValueError) as error:
            raise CaseError(f"{self.where}: {self.id}: {error}") from None
        args = self._args()
        kind = class_of(self.entry)
        names = {*kind.GIVEN, *kind.FROM_RUN}
        given = {n: v for n, v in {**self.given, **self.args}.items() if n in names}

        def make_context(queue: RequestQueue) -> NodeContext:
            runtime = make_runtime(self.view, stored.world(self.view), queue)
            runtime.scores = self.scores
            now = runtime.team.now
            seen = {name: rebind(value, now) for name, value in values.items()}
            model = self.entry.model
            if self.world is None:
                seen = add_derived_names(self.view, model, self.given, seen, runtime.scope)
            pinned = {name: rebind(value, now) for name, value in known.items()}
            bound = {name: rebind(value, now) for name, value in args.items()}
            scope = MappingScope({**seen, **pinned, **bound}, parent=runtime.scope)
            node = None
            if kind.IN_TREE and self.world is not None:
                node = find_asking_node(
                    self.view, runtime, lambda node: node.entry.name == self.entry.name
                )
                if node is None:
                    message = f"no tree of its system runs {self.entry.name}"
                    raise CaseError(f"{self.where}: {message}")
            return NodeContext(runtime, scope, bound, given, node)

        return Situation(self.entry, make_context)

    def _values(self) -> dict[str, object]:
        """The given values by name; none for a case with a world of its own."""
        if self.world is not None:
            return {}
        return example_values(knowledge_of(self.view), self.entry.model.visible, self.given)

    def _stored(self, seen: Mapping[str, object]) -> StoredWorld:
        if self.world is not None:
            return from_plain(self.world, self.view)
        args = list(self._args().values())
        message = {**seen, **({"": args} if args else {})}
        return given_world(knowledge_of(self.view), message, unread=class_of(self.entry).READS)

    def _args(self) -> dict[str, object]:
        """Arguments, converted to entities by their types."""
        declared: Mapping[str, str] = getattr(self.entry.model, "args", {})
        values: dict[str, object] = {}
        other = (*class_of(self.entry).GIVEN, *class_of(self.entry).FROM_RUN)
        for name, value in self.args.items():
            if name in other:
                continue
            kind = parse_type(declared[name]) if name in declared else _guess(name, self.view)
            values[name] = parse_value(knowledge_of(self.view), kind, value) if kind else value
        return values


def _guess(name: str, view: View) -> Named | None:
    """The type that a port is named after."""
    kind = name[:1].upper() + name[1:]
    return (
        Named(kind)
        if kind in ("Agent", "Subtask", "Task") or view.types.is_a(kind, "Agent")
        else None
    )


class NodeHome(NamedTuple):
    """A node that decides: a view of its first system, and the prefix of its cases' ids."""

    view: View
    entry: AnyEntry
    prefix: str


def node_homes(library: Library) -> list[NodeHome]:
    """Every node that decides, with its first system."""
    views = [View(library, system) for system in library.of_kind("system")]
    homes: dict[int, tuple[View, AnyEntry]] = {}
    for view in views:
        for kind in prompts():
            for entry in view.all(kind).values():
                homes.setdefault(id(entry), (view, entry))
    for kind in prompts():  # those that no system uses
        for entry in library.of_kind(kind):
            if id(entry) not in homes:
                world = class_of(entry).world_of(entry, views)
                if world is not None:
                    homes[id(entry)] = (world, entry)
    names = [entry.name for _, entry in homes.values()]
    return [
        NodeHome(view, entry, name if names.count(name) == 1 else f"{_name(view)}/{name}")
        for (view, entry), name in zip(homes.values(), names, strict=True)
    ]


def _name(view: View) -> str:
    assert view.system is not None
    return view.system.name


def find_system(library: Library, name: str | None, where: object) -> Entry[SystemFile]:
    """A system by name, or without one the only system. Raises CaseError."""
    known = [entry.name for entry in library.of_kind("system")]
    if name is None and len(known) != 1:
        raise CaseError(f"{where}: `system` is missing: {suggestion('', known, 'there are')}")
    system = library.find_system(known[0] if name is None else name)
    if system is None:
        help = suggestion(str(name), known, "there are")
        raise CaseError(f"{where}: unknown system '{name}'; {help}")
    return system


def visible_names(entry: AnyEntry) -> tuple[str, ...]:
    """Names that a node can be given."""
    return (*entry.model.sees, *entry.model.recalls, *class_of(entry).GIVEN)


def find_node(
    library: Library,
    node: str,
    system: str | None,
    where: str,
    homes: list[NodeHome] | None = None,
) -> NodeHome:
    """A node by name, of ``system`` if given. Raises CaseError."""
    homes = node_homes(library) if homes is None else homes
    if system is not None:
        view = View(library, find_system(library, system, where))
        entry = next((e for kind in prompts() if (e := view.find(kind, node))), None)
        if entry is not None:
            prefix = next(home.prefix for home in homes if home.entry is entry)
            return NodeHome(view, entry, prefix)
        homes = [NodeHome(view, e, e.name) for kind in prompts() for e in view.all(kind).values()]
    matches = [home for home in homes if home.entry.name == node]
    if len(matches) == 1:
        return matches[0]
    if matches:
        systems = ", ".join(_name(home.view) for home in matches)
        raise CaseError(f"{where}: several systems have a node '{node}'; say which: {systems}")
    raise CaseError(f"{where}: unknown node '{node}'; {_other_nodes(node, homes)}")


def _other_nodes(node: str, homes: Iterable[NodeHome]) -> str:
    """The most similar name with its kind, or all nodes that decide, by kind."""
    kinds = {home.entry.name: home.entry.kind for home in homes}
    near = did_you_mean(node, kinds)
    if near is not None and SequenceMatcher(None, near, node).ratio() >= SIMILAR:
        return f"did you mean the {kinds[near]} '{near}'?"
    names_by_node = (
        f"{kind}s {', '.join(sorted(n for n, k in kinds.items() if k == kind))}"
        for kind in prompts()
        if kind in kinds.values()
    )
    return f"there are {'; '.join(names_by_node) or 'none'}"
