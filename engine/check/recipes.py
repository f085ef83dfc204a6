"""Runs an analysis on the valid recipes of a view, and locates its findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from treec.check.base import entries
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.plan.findings import can_be_judged, links_of
from treec.plan.link import Links
from treec.source.graph_findings import GraphFinding
from treec.source.text import Span


def findings(
    view: View, find: Callable[[Links], Iterable[GraphFinding]]
) -> Iterator[tuple[GraphFinding, Span]]:
    """Yield an analysis's findings in each valid recipe, with the span of the subtask's key."""
    if not view.scenes or unreadable_kinds(view.library) & {"task", "scene", "agent", "skill"}:
        return
    for entry in entries(view, "recipe"):
        try:
            links = links_of(view, entry)
        except re.error:  # a pattern names an argument twice: reported by TC509
            return
        for found in find(links) if can_be_judged(links) else ():
            yield found, entry.span("subtasks", found.node, key=True)
