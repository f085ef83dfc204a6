"""Trees as the text of a tree file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

WIDTH = 10**9
"""Lines are not folded: a template in a text of several lines would be cut."""


class _TreeDumper(yaml.SafeDumper):
    """Writes lists indented, and collections without others in them on one line."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists in mappings, too."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Write what occurs twice twice: tree files have no anchors."""
        return True


def _text(dumper: _TreeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    if text.endswith(("'", '"')) and style is None:  # unquoted it looks like a forgotten quote
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_TreeDumper.add_representer(str, _text)


def to_tree_file(trees: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of a file of trees, one document each."""
    return "---\n".join(
        yaml.dump(
            dict(tree),
            Dumper=_TreeDumper,
            sort_keys=False,
            allow_unicode=True,
            width=WIDTH,
            default_flow_style=None,
        )
        for tree in trees
    )
