"""A tree's ports and variables while it runs.

Every instance of a tree has a frame. A port is a constant or refers to a name of another frame; a
variable is a cell of its own. Expressions look names up in the frame first, then in the world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treec.frozen import frozen
from treec.source.errors import UndefinedName
from treec.source.scope import Scope, Special
from treec.source.values import resolve
from treec.team.entities import Agent, Subtask
from treec.team.team import Team


@dataclass
class Cell:
    """A variable's value."""

    value: object = None
    read_in: int = field(default=-1, compare=False, repr=False)
    """The number of the tick in which it was read last (`treec.world.watch`)."""
    by: str = field(default="", compare=False, repr=False)
    """The path of the node that has set it last."""
    times_set: int = field(default=0, compare=False, repr=False)
    """How often it was set, its first value counted."""


@frozen(slots=False)
class Wired:
    """A port: a value of plain data in which `$name` reads the outer frame."""

    value: object
    outer: Scope


@dataclass
class Frame:
    """The names of one instance of a tree; others are looked up in ``parent``."""

    parent: Scope
    team: Team | None = None
    cells: dict[str, Cell | Wired] = field(default_factory=dict)
    variables: dict[str, Cell] = field(default_factory=dict)
    """Those of the cells that begin without a value."""

    def __post_init__(self) -> None:
        self._watch = None if self.team is None else self.team.world.watch

    def lookup(self, name: str) -> object:
        """The value of a name; subtasks and agents are replaced by their current snapshots."""
        cell = self.cells.get(name)
        if cell is None:
            try:
                return self.parent.lookup(name)
            except UndefinedName as error:
                raise UndefinedName(name, self.cells) if error.help is None else error from None
        if isinstance(cell, Wired):
            value = resolve(cell.value, cell.outer)
        else:
            value = cell.value if self._watch is None else self._watch.read(cell)
        if type(value) is Subtask and self.team is not None:
            return self.team.now.subtasks.get(value.id, value)
        if type(value) is Agent and self.team is not None:
            return self.team.now.agents.get(value.name, value)
        return value

    def call(self, name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Call a function or fact of the world."""
        return self.parent.call(name, args, kwargs)

    def special(self, name: str) -> Special | None:
        """A special form of the world."""
        return self.parent.special(name)

    def set(self, name: str, value: object, by: str = "") -> bool:
        """Set a variable, or the outer name that an out port is wired to.

        ``by`` is the path of the node that does. Returns whether there is such a name here or in
        an outer frame.
        """
        cell = self.cell(name)
        if cell is None:
            return False
        cell.by = by
        cell.times_set += 1
        if self._watch is None:
            cell.value = value
        else:
            self._watch.set(cell, value)
        return True

    def cell(self, name: str) -> Cell | None:
        """What is set by a name: a variable here or in an outer frame, also through out ports."""
        cell = self.cells.get(name)
        if cell is None:
            return self.parent.cell(name) if isinstance(self.parent, Frame) else None
        if isinstance(cell, Cell):
            return cell
        target = cell.value
        if isinstance(target, str) and target.startswith("$") and isinstance(cell.outer, Frame):
            return cell.outer.cell(target[1:])
        return None

    def bind(self, name: str, value: object) -> None:
        """Give a name of its own a value, for nodes below that begin with it; wakes nobody."""
        from treec.world.watch import fixed  # a check of the files binds nothing

        self.cells[name] = Cell(fixed(value))

    def inner(self, names: Mapping[str, object]) -> Frame:
        """A frame inside this one with more names, such as a loop's item."""
        return Frame(self, self.team, {name: Cell(value) for name, value in names.items()})
