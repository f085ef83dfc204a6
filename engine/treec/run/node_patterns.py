"""Patterns for the paths of nodes: `*/drive`, of the whole path or its end."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from treec.source.diagnostics import did_you_mean

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour


def fits(pattern: str, path: str) -> bool:
    """Whether a path fits a pattern, in which ``*`` and ``?`` are as in file names.

    Brackets are those of an instance: ``robot_worker[Hauler]/*``.
    """
    pattern = pattern.replace("[", "[[]")
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")


def no_node(pattern: str, root: Behaviour) -> str:
    """The message for a pattern that matches no node of a tree."""
    from treec.run.status_recorder import path_of, walk  # a replay needs no nodes

    ends = {path.rpartition("/")[2]: path for path in (path_of(node) for node, _ in walk(root))}
    near = did_you_mean(pattern.rpartition("/")[2], ends)
    hint = f"did you mean '{near}' ({ends[near]})?" if near else "treec render shows the paths"
    return f"unknown node '{pattern}'; {hint}"
