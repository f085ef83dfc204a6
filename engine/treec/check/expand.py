"""Writes out anchors, aliases and merge keys of a file: what it says, where it says it.

Everything else stays as it is. An alias becomes the text of its anchor, on one line and in brackets
if that is a list or a mapping; a merge key becomes the keys that it brings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from treec.source.yaml_scalars import resolve

LARGEST = 1_000_000
"""Characters of a file that is written out."""
_PLAIN = re.compile(r"\w(?:[^\[\]{},#:\n]|:(?=\S))*(?<!\s)")
"""A plain scalar that is one in brackets, too."""
Edits = list[tuple[int, int, str]]


class _TooLarge(Exception):
    """The file would become too large, or refers to itself."""


def expanded(text: str) -> str | None:
    """Return the text without anchors, aliases and merge keys; None if they cannot go."""
    try:
        tokens = list(yaml.scan(text))
        nodes = {id(node): node for root in yaml.compose_all(text) for node in _below(root)}
        edits = _Expansion(text, list(nodes.values())).edits(tokens)
    except (yaml.YAMLError, RecursionError, _TooLarge):
        return None
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text if edits else None


def _below(root: Any) -> Iterator[Any]:
    """Every node of a document, each once."""
    seen, stack = set[int](), [root] if root is not None else []
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, yaml.MappingNode):
            stack += [one for pair in node.value for one in pair]
        elif isinstance(node, yaml.SequenceNode):
            stack += node.value


def _is_merge(key: Any) -> bool:
    return isinstance(key, yaml.ScalarNode) and key.value == "<<" and key.style is None


class _Expansion:
    def __init__(self, text: str, nodes: list[Any]) -> None:
        self.source = text
        self.nodes = nodes
        self.size = 0

    def edits(self, tokens: list[Any]) -> Edits:
        """What takes the place of merge keys, aliases and anchors."""
        aliases = [token for token in tokens if isinstance(token, yaml.AliasToken)]
        ends = {token.start_mark.index: token.end_mark.index for token in aliases}
        edits = [
            self._merged(node, key, value, ends)
            for node in self.nodes
            if isinstance(node, yaml.MappingNode)
            for key, value in node.value
            if _is_merge(key)
        ]
        edits = [  # the outer ones: what is in them is written out with them
            edit
            for edit in edits
            if not any(first < edit[0] and edit[1] <= last for first, last, _ in edits)
        ]
        begins = {node.start_mark.index: node for node in self.nodes}
        anchors: dict[str, Any] = {}
        begin = None
        for token in tokens:
            at, end = token.start_mark.index, token.end_mark.index
            begin = at if begin is None else begin  # of the properties of a node
            is_inside = any(first <= at < last for first, last, _ in edits)
            if isinstance(token, yaml.AnchorToken):
                anchors[token.value] = begins[begin]
                if not is_inside:
                    end += len(self.source[end:]) - len(self.source[end:].lstrip(" "))
                    at -= 1 if self.source[end] == "\n" and self.source[at - 1] == " " else 0
                    edits.append((at, end, ""))
            elif isinstance(token, yaml.AliasToken) and not is_inside:
                edits.append((at, end, self._flow(anchors[token.value])))
            if not isinstance(token, yaml.AnchorToken | yaml.TagToken):
                begin = None
        return edits

    def _merged(
        self, node: Any, key: Any, value: Any, aliases: dict[int, int]
    ) -> tuple[int, int, str]:
        """The keys that a merge key brings, in its place."""
        start, after = key.start_mark.index, key.end_mark.index
        at = re.compile(r"\s*:\s*").match(self.source, after)
        end = aliases.get(at.end(), value.end_mark.index) if at else after
        end = start + len(self.source[start:end].rstrip())
        own = {id(one) for one, _ in node.value}
        pairs = [self._pair(*pair) for pair in self._pairs(node) if id(pair[0]) not in own]
        if not pairs:
            raise _TooLarge
        between = ", " if node.flow_style else "\n" + " " * key.start_mark.column
        return start, end, between.join(pairs)

    def _pairs(self, node: Any) -> list[tuple[Any, Any]]:
        """The entries of a mapping with those of its merge keys, which its own are in place of."""
        names = {key.value for key, _ in node.value if not _is_merge(key)}
        found = []
        for key, value in node.value:
            if not _is_merge(key):
                found.append((key, value))
                continue
            for one in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                more = [pair for pair in self._pairs(one) if pair[0].value not in names]
                names.update(key.value for key, _ in more)
                found += more
        return found

    def _pair(self, key: Any, value: Any) -> str:
        return f"{self._flow(key)}: {self._flow(value)}"

    def _flow(self, node: Any) -> str:
        """A value on one line."""
        if isinstance(node, yaml.SequenceNode):
            written = f"[{', '.join(map(self._flow, node.value))}]"
        elif isinstance(node, yaml.MappingNode):
            written = f"{{{', '.join(self._pair(*pair) for pair in self._pairs(node))}}}"
        else:
            written, is_text = node.value, isinstance(resolve(node.value), str)
            if not (_PLAIN.fullmatch(written) if is_text else not node.tag.endswith(":str")):
                written = json.dumps(written, ensure_ascii=False)
        self.size += len(written)
        if self.size > LARGEST:
            raise _TooLarge
        return written or "null"
