"""The specification of a node type or modifier: everything that treec has to know of it.

A node type is one module with a :class:`NodeSpec` called ``NODE``: its keys (a pydantic model), how
it is built, whether it waits, what it sets and binds, how it is drawn and written as XML, how it
goes on when a run is resumed or its files are edited. Rooms read the specification, for treec's
nodes and for those of other packages; no room has a table of node types. A modifier is one module
with a :class:`ModifierSpec` called ``MODIFIER``.

Such a module is imported while checking and drawing, so it imports neither py_trees nor anything
heavy; :mod:`treec.nodes.base` imports py_trees when the first node is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from treec.frozen import frozen

if TYPE_CHECKING:
    from treec.files.nodes import NodeBase

Group = Literal["control", "modifier", "condition", "ask", "action", "part"]
Target = Literal["btcpp", "py_trees"]
Order = Literal["", "all", "any"]
Loc = tuple[str | int, ...]
Data = dict[str, Any]
"""A node as data: the keys of a tree file."""

Resume = Literal["anew", "children", "place", "child", "below", "position"]
"""How a node that was RUNNING goes on in a resumed run, and what a new one does in a hot swap.

- anew: it begins again, and so do its children.
- children, place: it goes on with its children as they were, and with its ``memory`` if it has one.
- child, below: the same; a new node that edited files put around a running one goes on with it, as
  its first child or any.
- position: as children, unless a child before the running one took a subtask that cannot go on.

What a node remembers beyond its rounds is given to its ``recall`` in any case.
"""

Swap = Literal["whole", "open", "list"]
"""What keeps a running node as it is when edited files are swapped in, besides its own keys.

- whole: all nodes below it are the same.
- open: its children have the same paths.
- list: nothing; children may come and go.

A new node whose `resume` is child or below, or whose `swap` is list, goes on at a running child.
"""


@frozen
class Drawing:
    """How a node is drawn: its group, a symbol before its name in text, an icon as SVG path data.

    Groups have a shape and a colour (``treec.render.kinds``); the icon is in a square of 16 by 16,
    drawn with lines unless it is ``filled``.
    """

    group: Group = "action"
    symbol: str = ""
    icon: str = ""
    filled: bool = False


@frozen
class Each:
    """What a name is bound to: each item of the list that an expression gives, one at a time.

    ``loc`` is the expression's place in the node, where what is no list is reported.
    """

    items: str
    loc: Loc = ()


@frozen
class Assignment:
    """A name that a node sets, its place in the node, and the value if it is known from the files.

    ``what`` says what it may be: a variable of the tree, state of the domain, or either.
    """

    name: str
    loc: Loc
    what: Literal["variable", "state", "either"]
    is_key: bool = False
    value: object = None
    is_read: bool = False
    """Whether the place is an expression, too, in which names are checked anyhow."""


class XmlText(str):
    """An attribute's text as it stands; other values are encoded so that they are read again."""

    __slots__ = ()


class XmlWriter(Protocol):
    """What writes a tree as XML, for :attr:`Xml.write`. An element is whatever it gives."""

    target: Target

    def text(self, words: str) -> XmlText:
        """The attribute of a name or a sentence, which is no value."""

    def script(self, condition: str) -> XmlText | None:
        """A condition as a script of BehaviorTree.CPP; None if it has no counterpart."""

    def assignments(self, values: Mapping[str, object]) -> XmlText | None:
        """A script of BehaviorTree.CPP that sets entries; None if it has no counterpart."""

    def element(self, tag: str, attributes: Mapping[str, object], *inside: Any) -> Any:
        """An element that the other program knows, for a modifier around its node's."""

    def other(self, tag: str, attributes: Mapping[str, object], *inside: Any) -> Any:
        """An element that the other program knows, of these only."""

    @property
    def inner(self) -> Any:
        """The modified node's element."""

    def added(self, key: str, attributes: Mapping[str, object], *inside: Any) -> Any:
        """An element ``Treec…``, for what the other program has no element; it is reported."""

    def node(self, data: object, *loc: str | int) -> Any:
        """The element of a node below, at its place in this node."""

    def nodes(self, data: Sequence[object], *loc: str | int) -> list[Any]:
        """The elements of a list of nodes below."""


def milliseconds(seconds: object) -> int | None:
    """A time in whole milliseconds; None if it is none."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    msec = round(seconds * 1000)
    return msec if msec / 1000 == seconds else None


class XmlReader(Protocol):
    """An element that is read, for :attr:`Xml.read`."""

    tag: str
    attributes: Mapping[str, str]
    size: int
    """The number of elements inside."""

    def text(self, attribute: str) -> str | None:
        """The name or sentence of an attribute; None if it is not there."""

    def value(self, attribute: str, otherwise: object = None) -> Any:
        """The value that an attribute stands for."""

    def number(self, attribute: str) -> int | float:
        """A number; 1 if it is none, which is reported."""

    def duration(self, attribute: str) -> str:
        """A time given in milliseconds, as a tree file has it."""

    def expression(self, attribute: str, negated: bool = False) -> str | None:
        """A script that is a condition; None if it has no counterpart, which is reported."""

    def assignments(self, attribute: str) -> list[Data] | None:
        """A script that sets entries, as names and values; None if it has no counterpart.

        What is set later may read what was set before.
        """

    def nodes(self) -> list[Any]:
        """The nodes of the elements inside."""

    def parts(self) -> list[XmlReader]:
        """The elements inside."""

    def node(self) -> Any:
        """The node of the element itself."""

    def variable(self, name: str) -> str:
        """The name of a new variable of the tree, which is false at first."""

    def lose(self, message: str) -> None:
        """Report what cannot be kept of the element."""


@frozen
class XmlTag:
    """An element of another program that is the same node.

    ``value`` is the attribute with the value of the node's key, ``with_`` what the element has in
    any case and by which it is told from others of the name.
    """

    tag: str
    targets: Sequence[Target] = ("btcpp", "py_trees")
    """The programs that it is written for; without any it is only read."""
    value: str = ""
    with_: Mapping[str, str] = field(default_factory=dict)
    least: float | None = None
    """The least value that the element can have."""


@frozen
class Xml:
    """A node or modifier as XML.

    Without ``tags`` it is an element ``Treec…``. ``attributes`` are those that stand for keys, each
    with the way to the key: ``{"item": "for_each.item"}``; ``children`` are the ways to the nodes
    below, in order. Without either, all keys are attributes.
    """

    tags: Sequence[XmlTag] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: Sequence[str] = ()
    write: Callable[[Data, XmlWriter], Any] | None = None
    """What the table cannot say; if it gives None, the table holds."""
    read: Mapping[str, Callable[[XmlReader], Data | None]] = field(default_factory=dict)
    """Further elements that are read, and how; None: it has no counterpart. "" is its own."""
    condition: str = ""
    """The attribute of any element of BehaviorTree.CPP that is the same: a condition."""
    script: str = ""
    """The same for a node that only sets values."""
    shape: str = ""
    """For a modifier: an element that with the modifier's key as its name is the same.

    Of its two children one is the node.
    """


@frozen(kw_only=True, eq=False)
class Spec:
    """What node types and modifiers have in common; ``build`` gives the py_trees behaviour."""

    key: str
    drawing: Drawing = Drawing()
    xml: Xml = Xml()
    resume: Resume | Callable[[Any], Resume] = "anew"
    swap: Swap | Callable[[Any], Swap] = "whole"

    def resume_of(self, node: object) -> Resume:
        """How a node goes on in a resumed run."""
        return self.resume(node) if callable(self.resume) else self.resume

    def swap_of(self, node: object) -> Swap:
        """What keeps a node when files are swapped."""
        return self.swap(node) if callable(self.swap) else self.swap


@frozen(kw_only=True, eq=False)
class NodeSpec(Spec):
    """A node type of tree files.

    ``model`` is a subclass of ``treec.files.nodes.NodeBase`` with the key as a field; nodes below
    it are found in its fields. ``build(at, node)`` is given its place in the tree
    (``treec.nodes.node_place.NodePlace``) and the node.
    """

    model: type[NodeBase]
    build: Callable[[Any, Any], Any]
    refers: str = ""
    """The kind of file that the value of its key names."""
    also_refers: Mapping[str, str] = field(default_factory=dict)
    """Other keys that name files → their kind."""
    waits: bool | Callable[[Any], bool] = True
    """Whether it can be RUNNING by itself; a loop around nodes that cannot is an error."""
    fails_unless: str = ""
    """The key whose condition, while it is false, makes it fail at once."""
    in_order: Order | Callable[[Any], Order] = ""
    """Begins with its first child, and with the next when one has succeeded, or when one failed."""
    begins: Mapping[str, tuple[str, bool]] = field(default_factory=dict)
    """The condition, and its truth, with which the node at a place below begins."""
    fails: bool = True
    """Whether it can fail although what it evaluates can be evaluated."""
    sets: Callable[[Any], Iterable[Assignment]] | None = None
    """The names that it sets."""
    compares: tuple[Loc, Loc] | None = None
    """Its expression, and the mapping whose keys are compared with the value of that."""
    binds: Callable[[Any], Mapping[str, Each]] | None = None
    """Names that the nodes below it can use."""
    label: Callable[[Any], str] | None = None
    """Its words in a picture, if it has no name: otherwise what it refers to, or its key."""
    detail: Callable[[Any], str] | None = None
    """A second line of a picture."""
    branches: Mapping[str, str] = field(default_factory=dict)
    """The words at the edges to nodes below, by their place; of others in a mapping, the key."""
    name: Callable[[Any], str] | None = None
    """The name in its path, if it has no `name`: otherwise what it refers to, or its key."""

    def can_wait(self, node: object) -> bool:
        """Whether a node of this type can be RUNNING by itself."""
        return self.waits(node) if callable(self.waits) else self.waits

    def order_of(self, node: object) -> Order:
        """In which order a node of this type begins with its children."""
        return self.in_order(node) if callable(self.in_order) else self.in_order

    def assigned(self, node: object) -> Iterable[Assignment]:
        """The names that a node of this type sets."""
        return () if self.sets is None else self.sets(node)


@frozen(kw_only=True, eq=False)
class ModifierSpec(Spec):
    """A modifier: a key of every node. ``build(at, value, child)`` wraps the node's behaviour."""

    type: Any
    """The type of its value; None and False mean that the node does not have it."""
    field: Any
    """pydantic's ``Field``, with its description."""
    order: int
    """Modifiers are applied in this order, from the outside in."""
    build: Callable[[Any, Any, Any], Any]
    waits: bool | Callable[[Any], bool] = False
    """Whether it is RUNNING where its node is not, by its value."""
    endless: object = None
    """The value with which it begins its node again and again."""
    off: object = None
    """The constant value, or truth of a constant condition, with which the node is never ticked."""
    fails_while: bool | None = None
    """The truth of its condition with which it fails at once; None if it never does."""
    changes: bool = False
    """Whether a FAILURE of its node may be another status of the whole."""
    contradicts: Mapping[str, str] = field(default_factory=dict)
    """Modifiers beside which it has no effect, and why."""
    binds: Mapping[str, str] = field(default_factory=dict)
    """Names that the node in its value can use, with their types."""
    shows: Callable[[Any], str] | None = None
    """Its words in a picture: otherwise its key, and its value."""

    def can_wait(self, value: object) -> bool:
        """Whether it is RUNNING where its node is not."""
        return self.waits(value) if callable(self.waits) else self.waits

    @property
    def attribute(self) -> str:
        """The attribute of a node's model that has its value."""
        return f"{self.key}_" if self.key in ("while",) else self.key
