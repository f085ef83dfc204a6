"""Read one node of a task graph: name, number of arms, type and edges."""

from __future__ import annotations

import re
from typing import Any

from treec.source.diagnostics import did_you_mean
from treec.source.text import Span
from treec.source.yaml import Mapping, Scalar, YamlNode
from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.graph_reading import GraphReading
from treec_dag_plan.arms.model import NODE_TYPES, GraphNode, NodeType
from treec_dag_plan.arms.read_edges import node_id
from treec_dag_plan.arms.read_names import read_name
from treec_kitchen.graph_findings import FindingKind

_TYPES: dict[str, NodeType] = {re.sub(r"\W|_", "", name): name for name in NODE_TYPES}


class NodeReader:
    """Reads nodes into `nodes`, still without edges, whose lists are kept in `lists`."""

    def __init__(self, reading: GraphReading) -> None:
        self.reading = reading
        self.nodes: list[GraphNode] = []
        self.lists: dict[str, YamlNode | None] = {}

    def _add(self, kind: FindingKind, id: str, span: Span, **args: Any) -> None:
        self.reading.findings.append(kind.at(id, span=span, **args))

    def read(self, key: Scalar, value: YamlNode) -> None:
        """Read one node, or say what is wrong with it."""
        id = node_id(key.text)
        reading = self.reading
        if (id, "") in reading.spans:
            line = reading.spans[(id, "")].line
            self._add(kinds.NODE_TWICE, id, key.span, key=key.text, line=line)
            return
        reading.spans[(id, "")] = key.span
        if not isinstance(value, Mapping):
            self._add(kinds.NO_MAPPING, id, key.span)
            return
        for name, inner in value.entries:
            if name.text in kinds.KEYS:
                reading.spans[(id, name.text)] = (
                    inner.span if inner.end > inner.start else name.span
                )
                continue
            near = did_you_mean(name.text, kinds.KEYS)
            near = near if near is not None and value.get(near) is None else None
            self._add(kinds.UNKNOWN_KEY, id, name.span, key=name.text, near=near)
        kind = self._type(id, key, value)
        arms = self._arms(id, key, value, kind)
        words = self._text(id, key, value, "name")
        if kind is None or arms is None or words is None:
            return
        command, objects = self._parse_name(id, words, kind)
        about = value.get("description")
        self.lists[id] = self._list(id, key, value)
        description = about.text if isinstance(about, Scalar) and about.value is not None else ""
        self.nodes.append(
            GraphNode(id, words.text, command, objects, arms, (), kind, description, key.span)
        )

    def _missing(self, id: str, key: Scalar, name: str) -> None:
        misspelt = any(
            finding.kind is kinds.UNKNOWN_KEY
            and (finding.node, finding.args.get("near")) == (id, name)
            for finding in self.reading.findings
        )
        if not misspelt:
            self._add(kinds.MISSING_KEY, id, key.span, key=name)

    def _text(self, id: str, key: Scalar, node: Mapping, name: str) -> Scalar | None:
        value = node.get(name)
        if value is None:
            self._missing(id, key, name)
        elif isinstance(value, Scalar) and value.text.strip() and value.value is not None:
            return value
        else:
            kind = kinds.NAME_NO_TEXT if name == "name" else kinds.TYPE_NO_TEXT
            self._add(kind, id, self.reading.span(id, name))
        return None

    def _type(self, id: str, key: Scalar, node: Mapping) -> NodeType | None:
        value = self._text(id, key, node, "type")
        if value is None:
            return None
        found = _TYPES.get(re.sub(r"[\W_]", "", value.text).casefold())
        if found is None:
            near = did_you_mean(value.text, NODE_TYPES)
            self._add(kinds.UNKNOWN_TYPE, id, value.span, type=value.text, near=near)
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
            self._add(kinds.NO_ARM_COUNT, id, span)
            return None
        if kind is not None and (arms == 0) is not (kind == "complete"):
            self._add(kinds.END_WITH_ARMS if arms else kinds.WITHOUT_ARMS, id, span, type=kind)
            return int(kind != "complete")
        return arms

    def _parse_name(self, id: str, name: Scalar, kind: NodeType) -> tuple[str, tuple[str, ...]]:
        if kind == "complete":
            return "", ()
        named = read_name(name.text)
        self.reading.objects[id] = tuple(name.at(at, max(n, 1)) for at, n in named.places)
        if not named.objects or not all(named.objects):
            first, _, rest = name.text.partition(" ")
            thing = rest.strip() or None
            self._add(kinds.NAMES_NO_OBJECT, id, name.span, command=first, object=thing)
        elif not named.command:
            self._add(kinds.NAMES_NO_COMMAND, id, name.span, object=named.objects[0])
        return named.command, named.objects

    def _list(self, id: str, key: Scalar, node: Mapping) -> YamlNode | None:
        if node.key("edge") is None:
            self._missing(id, key, "edge")
        return node.get("edge")
