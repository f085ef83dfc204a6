"""A memory as YAML that people read and review: a list of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from treec.nodes.pairs import MemoryFault, MemoryPair

MAX_FILE = 50_000_000
"""Bytes of a file to import."""
_KEYS = {"key", "answer", "about"}


def to_yaml(pairs: Sequence[MemoryPair]) -> str:
    """Pairs as YAML; texts of several lines are blocks."""
    data = [
        {"key": p.key, "answer": p.answer, **({"about": p.about} if p.about else {})} for p in pairs
    ]
    if not data:
        return "[]\n"
    return yaml.dump(
        data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100, default_style=None
    )


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, ten times as fast
_BASE: type[yaml.SafeDumper] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_BASE):  # type: ignore[misc,valid-type]
    """Writes texts of several lines as blocks."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text.rstrip("\n") or text.endswith("\n") else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def read_pairs(path: Path) -> list[MemoryPair]:
    """The pairs of a YAML file. Raises MemoryFault, which says where it is wrong, and OSError."""
    if path.stat().st_size > MAX_FILE:
        raise MemoryFault(f"{path}: a file to import may have {MAX_FILE:,} bytes")
    try:
        node = yaml.compose(path.read_text("utf-8"), Loader=_LOADER)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        where = " ".join(str(error).split())
        raise MemoryFault(f"{path}: this is not YAML: {where}") from None
    if not isinstance(node, yaml.SequenceNode):
        raise MemoryFault(f"{path}: a memory is a list of pairs with 'key' and 'answer'")
    return [_pair(path, one) for one in node.value]


def _pair(path: Path, node: yaml.Node) -> MemoryPair:
    where = f"{path}:{node.start_mark.line + 1}"
    if not isinstance(node, yaml.MappingNode):
        raise MemoryFault(f"{where}: a pair has 'key' and 'answer'")
    found: dict[str, str] = {}
    for key, value in node.value:
        at = f"{path}:{key.start_mark.line + 1}"
        if key.value not in _KEYS:
            raise MemoryFault(f"{at}: a pair has 'key', 'answer' and 'about', not '{key.value}'")
        if not isinstance(value, yaml.ScalarNode):
            raise MemoryFault(f"{at}: '{key.value}' is a text")
        found[key.value] = value.value
    for name in ("key", "answer"):
        if not found.get(name, "").strip():
            raise MemoryFault(f"{where}: this pair has no '{name}'")
    return MemoryPair(found["key"], found["answer"], found.get("about", ""))
