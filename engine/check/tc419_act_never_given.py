"""Act that the parser never gives.

The module of a reading's parser may list in `ACTS` the kinds of acts that it can give:
`ACTS = ("accept", "stop", "remark")`. An act of another kind is given by a model only: without one
nobody hears it.

Wrong, where the parser's `ACTS` are stop and remark:

    acts: {stop: {}, go_on: {}, remark: {}}
    parser: depot.hearing:read

Right:

    acts: {stop: {}, remark: {}}
    parser: depot.hearing:read
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.extensions import registry
from treec.files.modules import find_module, text_constants
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC419"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report kinds of acts that a reading declares and its parser does not list."""
    for entry in entries(view, "reading"):
        if entry.model.parser is None:
            continue
        target = registry().target("answerers", entry.model.parser)
        file, _ = find_module(target.partition(":")[0], view.library.package)
        given = text_constants(file, "ACTS") if file is not None else None
        if given is None:
            continue
        for kind in entry.model.acts:
            if kind not in given:
                span = entry.span("acts", kind, key=True)
                message = f"the parser never gives an act '{kind}': only a model can"
                help = suggestion(kind, given, "it gives")
                yield Diagnostic(CODE, "warning", span, message, help)
