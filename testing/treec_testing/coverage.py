"""What of a system's files runs have reached: nodes of trees, options of decisions, rules.

The parts are known from the files: the system's tree is compiled, and each of its nodes, the
options of its decisions, and the rules of `always` and `offline` is one part, however many robots
the tree is made for. What was reached is read from journals. A node is reached once it is ticked,
an option once it is chosen, a rule once it has changed the choice or its actions were committed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from py_trees.behaviour import Behaviour

from treec.compile.build import Compiler
from treec.compile.standalone import idle_runtime
from treec.files.entry import AnyEntry
from treec.files.node_spec import Loc
from treec.files.nodes import NodeBase, type_key
from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.events import Decided
from treec.nodes.place import BuildPlace
from treec.run.events import Ticked, TreeBegun
from treec.source.text import Span, shorten
from treec.world.events import Commit, Event, flat
from treec.world.journal import Record

Kind = Literal["node", "option", "rule"]
KINDS: tuple[Kind, ...] = ("node", "option", "rule")

RULES = ("always", "offline")
"""The keys of rules in the files of decisions and actions; who has decided is called the same."""

_INSTANCE = re.compile(r"\[[^\]]*\]")


@frozen
class CoveragePart:
    """Something that a run can reach: where it is written, and what it is called there."""

    kind: Kind
    span: Span
    name: str


class Coverage:
    """Counts how often each part of a system was reached. Raises CompileError."""

    def __init__(self, view: View) -> None:
        system = view.system
        assert system is not None
        entry = view.find("tree", system.model.root)
        assert entry is not None
        compiler = _PlacedCompiler(view, idle_runtime(view))
        compiler.root(entry)
        self.parts: dict[object, CoveragePart] = {}
        self.reached: Counter[object] = Counter()
        self.runs = 0
        self.unknown = 0
        """How many nodes of runs the files no longer have."""
        self._nodes = {path: (entry.path, loc) for path, (entry, loc, _) in compiler.nodes.items()}
        self._entries = compiler.entries
        for path, (entry, loc, kind) in compiler.nodes.items():
            name = path.rpartition("/")[2].partition("#")[0]
            words = name if name == kind else f"{kind} {name}"
            self.parts.setdefault(self._nodes[path], CoveragePart("node", entry.span(*loc), words))
        for entry in compiler.entries.values():
            self._add_rules(entry)
            for offering in view.offers_to(entry.name) if entry.kind == "decision" else ():
                self._add_option(entry, offering.name, offering.span("offer", key=True))

    def take(self, records: Iterable[Record]) -> None:
        """Count what a run has reached."""
        self.runs += 1
        nodes: Sequence[object] = ()
        for record in records:
            inner = flat(record.event) if isinstance(record.event, Commit) else ()
            for event in (record.event, *inner):
                if isinstance(event, TreeBegun):
                    paths = [_same(one.path) for one in event.nodes if not one.modifier]
                    self.unknown += sum(path not in self._nodes for path in paths)
                    nodes = [
                        self._nodes.get(_same(one.path.partition(":")[0])) for one in event.nodes
                    ]
                else:
                    self.reached.update(self._reached_by(event, nodes))

    def count(self, kind: Kind | None = None) -> tuple[int, int]:
        """How many parts were reached, and how many there are."""
        keys = [key for key, part in self.parts.items() if kind in (None, part.kind)]
        return sum(key in self.reached for key in keys), len(keys)

    def missed(self) -> list[CoveragePart]:
        """The parts that were never reached, in the order of the files."""
        found = (part for key, part in self.parts.items() if key not in self.reached)
        return sorted(found, key=_order)

    def _reached_by(self, event: Event, nodes: Sequence[object]) -> Iterator[object]:
        match event:
            case Ticked():
                ticked = (n for status, of in event.to.items() if status != "INVALID" for n in of)
                yield from {nodes[n] for n in ticked if n < len(nodes)}
            case Decided():
                entry = self._entries.get(_same(event.node))
                if entry is not None:
                    yield entry.name, event.choose
                    yield entry.name, event.by, event.rule
            case Commit(name=name, by=by):
                yield from {(name, by, taken.rule) for taken in event.actions or ()}

    def _add_option(self, entry: AnyEntry, name: str, span: Span) -> None:
        self.parts.setdefault(
            (entry.name, name), CoveragePart("option", span, f"{entry.name}: {name}")
        )

    def _add_rules(self, entry: AnyEntry) -> None:
        """The options and rules of a decision, the rules of an action."""
        model: Any = entry.model
        for name in getattr(model, "options", ()):
            self._add_option(entry, name, entry.span("options", name, key=True))
        for key in RULES:
            rules = getattr(model, key, ())
            for number, rule in enumerate(rules if isinstance(rules, list) else (), 1):
                words = f"{entry.name}: {key} {number}, when {shorten(rule.when)}"
                part = CoveragePart("rule", entry.span(key, number - 1), words)
                self.parts.setdefault((entry.name, key, number), part)
        if getattr(model, "fallback", None) is not None:
            part = CoveragePart("rule", entry.span("fallback", key=True), f"{entry.name}: fallback")
            self.parts.setdefault((entry.name, "fallback", None), part)


def _order(part: CoveragePart) -> tuple[str, int, int, str]:
    return part.span.path, part.span.line, part.span.column, part.name


def _same(path: str) -> str:
    """The path of a node without the instances that a `for` makes of it."""
    return _INSTANCE.sub("", path)


class _PlacedCompiler(Compiler):
    """A compiler that keeps where in the files each node is written."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.nodes: dict[str, tuple[AnyEntry, Loc, str]] = {}
        self.entries: dict[str, AnyEntry] = {}

    def node(self, node: object, place: BuildPlace, path: str) -> Behaviour:
        """Keep the place of a node; a tree's root has that of the node that runs the tree."""
        kind = type_key(node) if isinstance(node, NodeBase) else None
        self.nodes.setdefault(_same(path), (place.entry, place.loc, kind or "sequence"))
        return super().node(node, place, path)

    def behaviour(
        self, entry: AnyEntry, place: BuildPlace, path: str, args: Mapping[str, object]
    ) -> Behaviour:
        """Keep the decision or action that a node runs, and the place of an option."""
        self.nodes.setdefault(_same(path), (entry, (entry.kind,), entry.kind))
        if entry.kind != "tree":
            self.entries.setdefault(_same(path), entry)
        return super().behaviour(entry, place, path, args)
