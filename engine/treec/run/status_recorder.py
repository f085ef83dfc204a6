"""Records the statuses of nodes in the journal, so that a replay needs nothing else.

At the first tick of a tree its nodes are written as a record `tree`, parents first. After each tick
that changed statuses, a record `ticked` says which nodes now have which status. Statuses are those
at the end of the tick: a node that began and ended within it is recorded as ended. What nodes
remember and the variables of trees are recorded with it, so that a resumed run goes on with them;
and the ports of trees, for people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import is_

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from treec.compile.definition import definition_of
from treec.nodes.base import Remembers
from treec.nodes.foreign import remembering
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.modifiers.on_failure import OnFailure
from treec.nodes.recorded_value import LOST, NotRecordable, to_record
from treec.run.events import Ticked, TickedNode, TreeBegun
from treec.run.loop import Loop
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.values import is_literal
from treec.world.journal import Record
from treec.world.values import freeze, same
from treec.world.world import World

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")


def kind_of(node: Behaviour) -> str:
    """The kind of a node: its key in tree files, the kind of file that it runs, or its class."""
    definition = definition_of(node)
    if definition is not None and definition.kind:
        return definition.kind
    name = type(node).__name__.removeprefix("Lean")  # of what py_trees calls so
    return _WORD_START.sub("_", name).lower()


def is_modifier(node: Behaviour) -> bool:
    """Whether a node is a modifier of the node below it."""
    return isinstance(node, Decorator | OnFailure)


def path_of(node: Behaviour) -> str:
    """The stable path of a node, or its name if it has none."""
    return str(getattr(node, "path", None) or node.name)


class StatusRecorder:
    """Records status changes of a loop's tree; ``look`` is called after every tick."""

    def __init__(
        self,
        loop: Loop,
        world: World,
        records: Sequence[Record] = (),
        frames: Callable[[], Mapping[str, Frame]] = dict,
    ) -> None:
        """``records`` are those of a resumed run, whose tick count is continued.

        ``frames`` gives the names of each instance of a tree, by its path.
        """
        self._loop = loop
        self._world = world
        self._tick = _ticks_in(records)
        self._seen = -1
        self._nodes: list[Behaviour] = []
        self._before: list[Status] = []
        self._frames = frames
        self._remembering: list[tuple[int, Remembers]] = []
        self._memory: list[object] = []
        self._variables: list[tuple[str, str, Cell]] = []
        self._values: list[object] = []
        self._numbers: dict[str, int] = {}
        self._ports: list[tuple[str, str, Cell]] = []
        """Those that are wired to variables."""
        self._at_ports: list[object] = []
        self._read_ports: list[tuple[str, str, Frame]] = []
        """Those that are wired to anything else that may change."""
        self._last_read: dict[tuple[str, str], object] = {}
        """What is recorded of them."""
        self._version = -1
        self._is_first = True

    def look(self) -> None:
        """Record the changes since the last tick, preceded by the tree if it is new."""
        self._tick += 1
        if self._seen != self._loop.trees:
            self._seen = self._loop.trees
            self._begin(self._loop.root)
        now = [node.status for node in self._nodes]
        memory = [node.memory for _, node in self._remembering]
        values = [cell.value for _, _, cell in self._variables]
        is_same = all(map(is_, values, self._values))
        ports = {} if is_same and self._version == self._world.version else self._look_at_ports()
        if now == self._before and memory == self._memory and is_same and not ports:
            return
        to: dict[str, list[int]] = {}
        for number, (status, before) in enumerate(zip(now, self._before, strict=True)):
            if status is not before:
                to.setdefault(status.name, []).append(number)
        remembered = {
            str(number): _changed(known, value)
            for (number, _), value, known in zip(
                self._remembering, memory, self._memory, strict=True
            )
            if value != known
        }
        variables: dict[str, dict[str, object]] = {}
        by: dict[str, dict[str, int]] = {}
        for (path, name, cell), value, known in zip(
            self._variables, values, self._values, strict=True
        ):
            if value is not known:
                recorded = _recorded(value)
                if not same(freeze(recorded), freeze(_recorded(known))):
                    variables.setdefault(path, {})[name] = recorded
                    if cell.by in self._numbers:
                        by.setdefault(path, {})[name] = self._numbers[cell.by]
        self._before, self._memory, self._values = now, memory, values
        numbers = {status: tuple(found) for status, found in to.items()}
        if numbers or remembered or variables or ports:
            parts = (remembered or None, variables or None, by or None, ports or None)
            self._world.trace(Ticked(self._tick, numbers, *parts), "run")

    def _look_at_ports(self) -> dict[str, dict[str, object]]:
        """The ports whose values have changed, by the path of their tree.

        They change where the world or a variable has, and are looked at only then.
        """
        self._version = self._world.version
        changed: dict[str, dict[str, object]] = {}
        at_ports = [cell.value for _, _, cell in self._ports]
        if not all(map(is_, at_ports, self._at_ports)):
            for (path, name, _), value, known in zip(
                self._ports, at_ports, self._at_ports, strict=True
            ):
                if value is not known and (now := _recorded(value)) != _recorded(known):
                    changed.setdefault(path, {})[name] = now
            self._at_ports = at_ports
        for path, name, frame in self._read_ports:
            try:
                now = _recorded(frame.lookup(name))
            except (EvaluationProblem, LocatedError):
                continue  # its tree says so where it reads the port
            if (path, name) not in self._last_read or self._last_read[path, name] != now:
                self._last_read[path, name] = changed.setdefault(path, {})[name] = now
        if self._is_first:
            self._is_first = False
            self._read_ports = [
                (path, name, frame)
                for path, name, frame in self._read_ports
                if not _is_fixed(frame.cells[name])
            ]
        return changed

    def _begin(self, root: Behaviour) -> None:
        found = list(walk(root))
        self._nodes = [node for node, _ in found]
        self._before = [Status.INVALID] * len(found)
        self._remembering = [
            (number, memory)
            for number, node in enumerate(self._nodes)
            if (memory := remembering(node)) is not None
        ]
        self._memory = [None] * len(self._remembering)
        self._variables = [
            (path, name, cell)
            for path, frame in self._frames().items()
            for name, cell in frame.variables.items()
        ]
        self._values = [None] * len(self._variables)
        self._numbers = {path_of(node): number for number, node in enumerate(self._nodes)}
        self._ports, self._read_ports = [], []
        for path, frame in self._frames().items():
            for name, port in frame.cells.items():
                if name not in frame.variables:
                    cell = None if isinstance(port, Cell) else frame.cell(name)
                    if cell is None:
                        self._read_ports.append((path, name, frame))
                    else:
                        self._ports.append((path, name, cell))
        self._at_ports = [None] * len(self._ports)
        self._last_read, self._version, self._is_first = {}, -1, True
        self._world.trace(tree_event(found), "run")


def walk(node: Behaviour, depth: int = 0) -> Iterator[tuple[Behaviour, int]]:
    """All nodes of a tree with their depths, parents before children."""
    yield node, depth
    for child in node.children:
        yield from walk(child, depth + 1)


def tree_event(nodes: Iterable[tuple[Behaviour, int]]) -> TreeBegun:
    """The event that lists the nodes of a tree, given with their depths."""
    return TreeBegun(
        tuple(
            TickedNode(path_of(node), node.name, kind_of(node), depth, is_modifier(node))
            for node, depth in nodes
        )
    )


def _is_fixed(port: Cell | Wired) -> bool:
    """Whether a port always has the same value."""
    return isinstance(port, Cell) or is_literal(port.value)


def _changed(before: object, now: object) -> object:
    """What a node remembers: of a mapping the keys that have changed, None where one is gone."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        return {k: now.get(k) for k in (*before, *now) if before.get(k) != now.get(k)}
    return now


def _recorded(value: object) -> object:
    try:
        return to_record(value)
    except NotRecordable:
        return LOST


def _ticks_in(records: Sequence[Record]) -> int:
    events = (record.event for record in reversed(records))
    return next((event.tick for event in events if isinstance(event, Ticked)), 0)
