"""Runs an analysis on the valid recipes of a view, and reports its findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_kitchen.graph_findings import GraphFinding
from treec_mosaic.recipes.findings import findings_of, links_of
from treec_mosaic.recipes.link import Links


def recipe_warnings(
    view: View, code: str, find: Callable[[Links], Iterable[GraphFinding]]
) -> Iterator[Diagnostic]:
    """Yield an analysis's findings in each valid recipe as warnings, at the subtask's key."""
    if not view.scenes or unreadable_kinds(view.library) & {"task", "scene", "agent", "skill"}:
        return
    for entry in entries(view, "recipe"):
        try:
            links = links_of(view, entry)
        except re.error:  # a pattern names an argument twice: reported by TC509
            return
        for found in findings_of(links, find):
            span = entry.span("subtasks", found.node, key=True)
            yield Diagnostic(code, "warning", span, found.message, found.help)
