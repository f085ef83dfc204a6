"""Ways in which people and programs write the same YAML: each rewrites a file without changing it.

A style of data takes the documents' values and writes them anew, without comments; a style of text
keeps the text as it is but for line ends, comments, quotes. What reads as other data is a mistake
in this module; `bench_styles` compares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

Style = Callable[[str], str]


def _dumped(**options: Any) -> Style:
    def write(text: str) -> str:
        given = {"sort_keys": False, "allow_unicode": True, **options}
        return yaml.safe_dump_all(_documents(text), **given)

    return write


def _documents(text: str) -> list[Any]:
    documents, _ = read_documents(SourceFile("style.yaml", text))
    return [plain(document.root) for document in documents]


class _Indented(yaml.SafeDumper):
    """Writes lists one step to the right of their key, as prettier and ruamel.yaml do."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: object) -> bool:
        return True


class _Blocks(_Indented):
    """Writes texts of several lines as blocks."""


class _Quoted(_Indented):
    """Writes texts in double quotes, and keys plain, as prettier does."""


def _block(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _quoted_values(dumper: yaml.SafeDumper, data: Mapping[Any, Any]) -> yaml.MappingNode:
    node = yaml.SafeDumper.represent_dict(dumper, data)
    for _, value in node.value:
        if isinstance(value, yaml.ScalarNode) and value.tag.endswith(":str"):
            value.style = '"'
    return node


_Blocks.add_representer(str, _block)
_Quoted.add_representer(dict, _quoted_values)


class _Tagged(_Indented):
    """Writes the tag of every value: `!!str 'a'`, `!!int 3`, `!!bool true`, `!!map {…}`."""

    def serialize_node(self, node: yaml.Node, parent: object, index: object) -> None:
        if isinstance(node, yaml.ScalarNode):
            self.emit(
                yaml.ScalarEvent(None, node.tag, (False, False), node.value, style=node.style)
            )
        else:
            super().serialize_node(node, parent, index)


def _shared(data: Any, seen: dict[str, Any]) -> Any:
    """The same values as one object, which is written once with an anchor."""
    if isinstance(data, list | dict) and data:
        items = data.items() if isinstance(data, dict) else enumerate(data)
        made = {key: _shared(value, seen) for key, value in items}
        made_as = made if isinstance(data, dict) else list(made.values())
        return seen.setdefault(json.dumps(data, sort_keys=False, default=str), made_as)
    return data


def _anchors(text: str) -> str:
    documents = [_shared(document, {}) for document in _documents(text)]
    return yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True)


def _merged(data: Any, made: list[Any]) -> Any:
    """A mapping whose first half comes from another mapping by a merge key."""
    if isinstance(data, list):
        return [_merged(item, made) for item in data]
    if not isinstance(data, dict):
        return data
    data = {key: _merged(value, made) for key, value in data.items()}
    if len(data) < 3 or len(made) > 3:
        return data
    first = dict(list(data.items())[: len(data) // 2])
    made.append(first)
    return {"<<": first, **{key: data[key] for key in data if key not in first}}


def _merge_keys(text: str) -> str:
    documents = []
    for document in _documents(text):
        made: list[Any] = []
        documents.append(_merged(document, made))
    written = yaml.dump_all(documents, Dumper=_Indented, sort_keys=False, allow_unicode=True)
    return re.sub(r"(?m)^( *(?:- )?)'<<':", r"\1<<:", written)


def _reordered(text: str, order: Callable[[list[str]], list[str]]) -> str:
    """The keys of each document in another order; within them it may matter."""
    documents = [{key: data[key] for key in order(list(data))} for data in _documents(text)]
    return yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True)


def _as_json(text: str, **options: Any) -> str:
    written = [json.dumps(document, **options) for document in _documents(text)]
    return "\n---\n".join(written) + "\n"


def _outside_blocks(text: str, change: Callable[[str], str]) -> str:
    """Change each line that no text of several lines is on."""
    inside: set[int] = set()
    for token in yaml.scan(text):
        if isinstance(token, yaml.ScalarToken):
            first, last = token.start_mark.line, token.end_mark.line
            inside.update(range(first, last + (token.style not in ("|", ">") and last > first)))
            if last > first and token.style in ("|", ">"):
                inside.discard(last)
    lines = text.split("\n")
    return "\n".join(
        line if at in inside or not line.strip() else change(line) for at, line in enumerate(lines)
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _documented(text: str) -> str:
    return "%YAML 1.1\n---\n" + re.sub(r"(?m)^---\s*$", "...\n---", text.rstrip("\n")) + "\n...\n"


STYLES: dict[str, Style] = {
    "safe_dump": _dumped(),
    "safe_dump, default": lambda text: yaml.safe_dump_all(_documents(text), sort_keys=False),
    "keys sorted": lambda text: _reordered(text, sorted),
    "keys reversed": lambda text: _reordered(text, lambda keys: keys[::-1]),
    "width 40": _dumped(width=40),
    "width 120": _dumped(width=120),
    "indent 4": _dumped(indent=4),
    "indent 8, width 60": _dumped(indent=8, width=60),
    "all in double quotes": _dumped(default_style='"'),
    "all in single quotes": _dumped(default_style="'"),
    "values quoted, lists indented": lambda text: yaml.dump_all(
        _documents(text), Dumper=_Quoted, sort_keys=False, allow_unicode=True, width=10_000
    ),
    "blocks, lists indented": lambda text: yaml.dump_all(
        _documents(text), Dumper=_Blocks, sort_keys=False, allow_unicode=True
    ),
    "flow": _dumped(default_flow_style=True),
    "flow, width 40": _dumped(default_flow_style=True, width=40),
    "flow on one line": _dumped(default_flow_style=True, width=100_000),
    "JSON": lambda text: _as_json(text, indent=2, ensure_ascii=False),
    "JSON, compact and ASCII": lambda text: _as_json(text, separators=(",", ":")),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "document markers": _documented,
    "explicit start and end": _dumped(explicit_start=True, explicit_end=True),
    "comments everywhere": lambda text: _outside_blocks(
        text, lambda line: f"{_indent(line)}# so\n{line}" + ("" if "#" in line else "  # yes: no")
    ),
    "tabs in comments": lambda text: _outside_blocks(
        text, lambda line: line if "#" in line else f"{line} #\ttabbed\tcomment"
    ),
    "spaces at line ends": lambda text: _outside_blocks(text, lambda line: f"{line}  "),
    "empty lines": lambda text: _outside_blocks(text, lambda line: f"\n{line}"),
    "anchors and aliases": _anchors,
    "merge keys": _merge_keys,
    "tags": lambda text: yaml.dump_all(
        _documents(text), Dumper=_Tagged, sort_keys=False, allow_unicode=True
    ),
    "canonical": _dumped(canonical=True),
}
"""Styles by name."""
