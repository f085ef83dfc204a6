"""Act that nothing hears without a model.

A reading's templates, those of its hearing file, and that file's network hear the kinds that they
are made for; what is left over is a remark. The module of a reading's parser may list in `ACTS` the
kinds of acts that it can give: `ACTS = ("accept", "stop", "remark")`. An act of another kind is
given by a model only.

Wrong, where the parser's `ACTS` are stop and remark:

    acts: {stop: {}, go_on: {}, remark: {}}
    parser: depot.hearing:read

Right:

    acts: {stop: {}, remark: {}}
    parser: depot.hearing:read
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from treec.check.base import entries
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.modules import assigned_value, find_module, parse_python
from treec.files.prompts import ReadingFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_hearing.heard import SCORED_KINDS

CODE = "TC419"
REMARK = "remark"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report kinds of acts that a reading declares and neither its parser nor its files hear."""
    for entry in entries(view, "reading"):
        if entry.model.parser is None:
            yield from _without_templates(view, entry)
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


def _without_templates(view: View, entry: Entry[ReadingFile]) -> Iterator[Diagnostic]:
    model = entry.model
    if not (model.hears or model.hearing):
        return
    shared = view.find("hearing", model.hearing) if model.hearing else None
    if model.hearing and shared is None:
        return  # TC421
    heard = {kind for kind, templates in model.hears.items() if templates} | {REMARK}
    if shared is not None:
        heard |= {kind for kind, templates in shared.model.hears.items() if templates}
        heard |= SCORED_KINDS if shared.model.network else set()
    for kind in model.acts:
        if kind not in heard:
            span = entry.span("acts", kind, key=True)
            message = f"no template is for the act '{kind}': only a model can give it"
            help = f'hears: {{{kind}: ["words that say it"]}}'
            yield Diagnostic(CODE, "warning", span, message, help)


def text_constants(path: str, name: str) -> tuple[str, ...] | None:
    """Return the texts of a list, tuple or set that a module assigns to a name, as a literal."""
    module = parse_python(path)
    given = None if module is None else assigned_value(module.body, name)
    try:
        value = None if given is None else ast.literal_eval(given)
    except (ValueError, TypeError, SyntaxError):
        return None
    if not isinstance(value, list | tuple | set) or not all(isinstance(it, str) for it in value):
        return None
    return tuple(sorted(value) if isinstance(value, set) else value)
