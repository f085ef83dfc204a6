"""`set`: assigns values to variables or to the domain's state.

SUCCESS: all were set; those of the state in one journal record. All values are read before the
first is set: `{a: $b, b: $a}` swaps two, `{n: = n + 1}` counts.

FAILURE: a name is neither a variable nor state, or a value cannot be evaluated.

RUNNING: never.

Memory: none.

Halting: nothing to halt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from treec.files.fields import Value
from treec.files.node_spec import Assignment, Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import NodeBase
from treec.nodes.base import Status
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import plain
from treec.source.values import is_reference, resolve

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.frame import Frame
    from treec.nodes.node_place import NodePlace
    from treec.nodes.runtime import Runtime


class SetNode(NodeBase):
    """Sets variables or state."""

    set: dict[str, Value]


class Set(WorldLeaf):
    """An assignment; a value may be plain data or `$name.path`."""

    scope: Frame

    def __init__(
        self, name: str, runtime: Runtime, scope: Frame, values: Mapping[str, object]
    ) -> None:
        super().__init__(name, runtime, scope)
        self.values = values

    def work(self) -> Status:
        """Resolve all values, then set them."""
        from treec.world.events import Commit, StateSet  # by a run alone

        found = self.evaluate()
        own = [name for name in found if self.scope.cell(name) is not None]
        events = tuple(StateSet(n, plain(value, 1)) for n, value in found.items() if n not in own)
        if events:  # first: if one is refused, nothing is set
            self.runtime.world.emit(Commit("set", events), self.path)
        for name in own:
            self.scope.set(name, found[name], self.path)
        return Status.SUCCESS

    def evaluate(self) -> Mapping[str, object]:
        """All values, before any of them is set.

        What it reads only to set it anew, as a counter is, does not wake it.
        """
        cells = [cell for cell in map(self.scope.cell, self.values) if cell is not None]
        read_in = [cell.read_in for cell in cells]
        reads = self.runtime.world.watch.reads
        first = len(reads or ())
        found = {name: resolve(value, self.scope) for name, value in self.values.items()}
        for cell, tick in zip(cells, read_in, strict=True):
            cell.read_in = tick
        if reads is not None:
            own = {*map(id, cells)}
            reads[first:] = [cell for cell in reads[first:] if id(cell) not in own]
        return found


def build(at: NodePlace, node: SetNode) -> Behaviour:
    """The assignment as a leaf."""
    return Set(at.path, at.runtime, at.frame, node.set)


def sets(node: SetNode) -> Iterator[Assignment]:
    """Each of its keys."""
    for name, value in node.set.items():
        yield Assignment(name, ("set", name), "either", is_key=True, value=value)


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Script` of BehaviorTree.CPP, if the values can stand in it."""
    script = to.assignments(data["set"]) if to.target == "btcpp" else None
    return None if script is None else to.element("Script", {"code": script})


def read_script(element: XmlReader) -> Data | None:
    """`Script`, if it has a counterpart."""
    sets = element.assignments("code")
    if sets is None or len(sets) == 1:
        return None if sets is None else {"set": sets[0]}
    return {"sequence": [{"set": values} for values in sets]}


def read_blackboard(element: XmlReader) -> Data | None:
    """`SetBlackboard` with a name that treec can have."""
    name = element.attributes.get("output_key", "").strip("{}")
    return {"set": {name: element.value("value", "")}} if is_reference(f"${name}") else None


NODE = NodeSpec(
    key="set",
    model=SetNode,
    build=build,
    fails=False,
    waits=False,
    sets=sets,
    label=lambda node: "set " + ", ".join(node.set),
    drawing=Drawing("action", icon="M3 6H13M3 10H13"),
    xml=Xml(
        write=write_xml,
        read={"Script": read_script, "SetBlackboard": read_blackboard},
    ),
)
