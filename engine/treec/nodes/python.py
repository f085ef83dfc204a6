"""Node classes in Python: declared by an extension or a library, wired by ports, checked the same.

An extension names a class in its ``node_classes``, a library in its ``treec.toml`` (``[nodes]``); a
tree uses it by that name, or a class of the library's own package by its place::

    - speak_slowly: {text: $text}
    - depot.nodes:SpeakSlowly: {text: $text}

The class is an ordinary py_trees behaviour. It says in ``ports`` what it takes and gives, and is
made with its name and a :class:`NodePorts`::

    class SpeakSlowly(py_trees.behaviour.Behaviour):
        ports = {"text": "in text", "done": "out bool"}

        def __init__(self, name, ports):
            super().__init__(name)
            self.io = ports

A composite or decorator of one's own is given its `children` as a third argument::

    - press_twice: {seconds: 3}
      children:
        - skill: press

While it is RUNNING it is ticked every `tick_period` of the system; a class that wakes the loop
itself (``io.wake``, ``io.begin_external``, timers of ``io.clock``) says ``wakes_itself = True``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from py_trees.behaviour import Behaviour

from treec.extensions import registry
from treec.nodes.foreign import GuardedClock, OnError
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.runtime import Runtime, load
from treec.source.errors import UndefinedName
from treec.world.clock import Clock
from treec.world.external import LIMIT, ExternalWork


class NodePorts:
    """What a node sees of its run: its ports, the clock, and ways to be ticked again."""

    def __init__(
        self, frame: Frame, runtime: Runtime, on_error: OnError, module: str, path: str
    ) -> None:
        self._frame = frame
        self._path = path
        self._runtime = runtime
        self._on_error = on_error
        self._clock = GuardedClock(runtime.clock, module, on_error)

    def get(self, name: str) -> object:
        """The value at a port. Raises UndefinedName for a port that is not wired."""
        if name not in self._frame.cells:
            raise UndefinedName(name, self._frame.cells)
        return self._frame.lookup(name)

    def set(self, name: str, value: object) -> None:
        """Write through an out port. Raises UndefinedName when it is not wired to a variable."""
        if name not in self._frame.cells or not self._frame.set(name, value, self._path):
            raise UndefinedName(name, self._frame.cells)

    @property
    def clock(self) -> Clock:
        """The run's clock; a node that takes time sets a timer on it."""
        return self._clock

    def wake(self) -> None:
        """Request another tick at once; may be called from any thread."""
        self._runtime.wake()

    def begin_external(
        self, name: str, *, takes: float = 0.0, limit: float = LIMIT
    ) -> ExternalWork:
        """Announce a thread, process or callback before it starts, on the loop's thread.

        What it posts wakes the loop, and virtual time waits until it is done. ``name`` stands in
        the alarm if it takes more than ``limit`` real seconds; ``takes`` are the seconds of virtual
        time that it takes at least. An exception in its `with` block makes the node fail.
        """
        return self._runtime.external.begin(name, takes=takes, limit=limit, on_error=self._on_error)


def wire(
    outer: Frame,
    values: Mapping[str, object],
    runtime: Runtime,
    on_error: OnError,
    module: str = "",
    path: str = "",
) -> NodePorts:
    """The ports of the node at a path, of a class of ``module``, wired to values around it."""
    cells: dict[str, Cell | Wired] = {name: Wired(value, outer) for name, value in values.items()}
    return NodePorts(Frame(outer, outer.team, cells), runtime, on_error, module, path)


NodeClass = Callable[..., Behaviour]
"""Makes a node of its name, its ports and, if it has any, its children."""


def find_node_class(name: str, own: Mapping[str, str] = MappingProxyType({})) -> NodeClass | None:
    """The class that an extension declares under a name, or the library itself in ``own``.

    A name with a colon is the class itself.

    Raises ExtensionError when an extension's class cannot be imported, and ForeignError when the
    library's own cannot.
    """
    if ":" in name:
        return cast(NodeClass, load(name))
    if name in registry().node_classes:
        return cast(NodeClass, registry().load(registry().node_classes[name]))
    return cast(NodeClass, load(own[name])) if name in own else None
