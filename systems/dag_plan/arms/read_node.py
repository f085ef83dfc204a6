"""Reading one node of a task graph: its name, arms, type, and the list of its edges."""

from __future__ import annotations

import re

from treec.source.diagnostics import Diagnostic, did_you_mean
from treec.source.yaml import Mapping, Scalar, YamlNode
from treec.systems.dag_plan.arms import read_rules as rules
from treec.systems.dag_plan.arms.model import NODE_TYPES, GraphNode, NodeType
from treec.systems.dag_plan.arms.read_edges import node_id
from treec.systems.dag_plan.arms.read_names import read_name
from treec.systems.dag_plan.arms.reading import GraphReading

KEYS = ("name", "arm_num", "edge", "type", "description")

_TYPES: dict[str, NodeType] = {re.sub(r"\W|_", "", name): name for name in NODE_TYPES}


class NodeReader:
    """Reads nodes into `nodes`, still without edges, whose lists are kept in `lists`."""

    def __init__(self, reading: GraphReading) -> None:
        self.reading = reading
        self.nodes: list[GraphNode] = []
        self.lists: dict[str, YamlNode | None] = {}

    def _found(self, problem: Diagnostic) -> None:
        self.reading.problems.append(problem)

    def read(self, key: Scalar, value: YamlNode) -> None:
        """Read one node, or say what is wrong with it."""
        id = node_id(key.text)
        reading = self.reading
        if (id, "") in reading.spans:
            line = reading.spans[(id, "")].line
            self._found(
                rules.NODE_TWICE.at(
                    key.span,
                    f"'{key.text}' is {id}, which stands on line {line} already",
                    "give each node a number of its own",
                )
            )
            return
        reading.spans[(id, "")] = key.span
        if not isinstance(value, Mapping):
            keys = ", ".join(KEYS)
            message = f"{id} is a mapping of {keys}"
            self._found(rules.NODE_KEY.at(key.span, message, "write each on a line of its own"))
            return
        for name, inner in value.entries:
            if name.text in KEYS:
                reading.spans[(id, name.text)] = (
                    inner.span if inner.end > inner.start else name.span
                )
                continue
            near = did_you_mean(name.text, KEYS)
            if near is not None and value.get(near) is None:
                help = f"did you mean '{near}'?"
            else:
                help = f"known here: {', '.join(KEYS)}"
            self._found(rules.NODE_KEY.at(name.span, f"a node has no key '{name.text}'", help))
        kind = self._type(id, key, value)
        arms = self._arms(id, key, value, kind)
        written = self._text(id, key, value, "name")
        if kind is None or arms is None or written is None:
            return
        command, objects = self._named(id, written, kind)
        about = value.get("description")
        self.lists[id] = self._list(id, key, value)
        said = about.text if isinstance(about, Scalar) and about.value is not None else ""
        span = key.span
        self.nodes.append(GraphNode(id, written.text, command, objects, arms, (), kind, said, span))

    def _missing(self, id: str, key: Scalar, name: str) -> None:
        near = any(problem.help == f"did you mean '{name}'?" for problem in self.reading.problems)
        if not near:
            problem = rules.NODE_KEY.at(key.span, f"{id} has no '{name}'", f"add '{name}: …'")
            self._found(problem)

    def _text(self, id: str, key: Scalar, node: Mapping, name: str) -> Scalar | None:
        value = node.get(name)
        if value is None:
            self._missing(id, key, name)
        elif isinstance(value, Scalar) and value.text.strip() and value.value is not None:
            return value
        else:
            help = "write a command with its objects in quotes" if name == "name" else None
            span = self.reading.span(id, name)
            self._found(rules.NODE_KEY.at(span, f"the '{name}' of {id} is no text", help))
        return None

    def _type(self, id: str, key: Scalar, node: Mapping) -> NodeType | None:
        value = self._text(id, key, node, "type")
        if value is None:
            return None
        found = _TYPES.get(re.sub(r"[\W_]", "", value.text).casefold())
        if found is None:
            near = did_you_mean(value.text, NODE_TYPES)
            help = f"did you mean '{near}'?" if near else f"one of: {', '.join(NODE_TYPES)}"
            message = f"there is no type of node '{value.text}'"
            self._found(rules.NODE_TYPE.at(value.span, message, help))
        return found

    def _arms(self, id: str, key: Scalar, node: Mapping, kind: NodeType | None) -> int | None:
        value = node.get("arm_num")
        if value is None:
            self._missing(id, key, "arm_num")
            return None
        span = self.reading.span(id, "arm_num")
        arms = value.value if isinstance(value, Scalar) else None
        if isinstance(arms, str) and arms.isdecimal() and len(arms) < 4:
            arms = int(arms)
        if isinstance(arms, bool) or not isinstance(arms, int) or not 0 <= arms <= 100:
            message = f"the 'arm_num' of {id} is no number of arms"
            self._found(rules.NODE_KEY.at(span, message, "write 1, or 2 for both arms"))
            return None
        if kind is not None and (arms == 0) is not (kind == "complete"):
            if arms:
                message, help = f"{id} is of type complete and needs no arm", "write arm_num: 0"
            else:
                message = f"{id} is of type {kind} and needs an arm"
                help = "write arm_num: 1; only the node of type complete has 0"
            self._found(rules.NODE_KEY.at(span, message, help))
            return int(kind != "complete")
        return arms

    def _named(self, id: str, name: Scalar, kind: NodeType) -> tuple[str, tuple[str, ...]]:
        if kind == "complete":
            return "", ()
        named = read_name(name.text)
        self.reading.objects[id] = tuple(name.at(at, max(n, 1)) for at, n in named.places)
        if not named.objects or not all(named.objects):
            first, _, rest = name.text.partition(" ")
            help = f'write {first} "{rest.strip()}"' if rest.strip() else "name it in quotes"
            message = f"{id} names no object in quotes"
            self._found(rules.NODE_NAME.at(name.span, message, help))
        elif not named.command:
            help = f'put a command before it: grasp "{named.objects[0]}"'
            self._found(rules.NODE_NAME.at(name.span, f"{id} names no command", help))
        return named.command, named.objects

    def _list(self, id: str, key: Scalar, node: Mapping) -> YamlNode | None:
        if node.key("edge") is None:
            self._missing(id, key, "edge")
        return node.get("edge")
