"""Sentence template that cannot be heard.

A reading's `hears` and the shared file that `hearing` names hold sentence templates for its kinds
of acts: [optional], (one|or another), {slot}, <rule>. A slot is a field of the act, a known name
(agent, task, subtasks, proposals, recipe) or a type with a name for an argument: {Crate:crate}.

Wrong, where no rule and no field has these names:

    hears:
      report: ["<polite> tell me about {palce}"]

Right:

    hears:
      report: ["[please] tell me about {place}"]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.hearing.reading import weights_of
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC421"
FORM = "a template is words with [optional], (one|or another), {slot} and <rule>"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown hearing files and kinds, and templates that cannot be read."""
    for entry in entries(view, "reading"):
        model = entry.model
        if not (model.hears or model.hearing):
            continue
        shared = view.find("hearing", model.hearing) if model.hearing else None
        if model.hearing and shared is None:
            help = suggestion(model.hearing, view.all("hearing"), "there are")
            message = f"no hearing file '{model.hearing}'"
            yield Diagnostic(CODE, "error", entry.span("hearing"), message, help)
            continue
        if model.parser is not None:
            span, message = entry.span("parser"), "a reading has a parser or templates, not both"
            yield Diagnostic(CODE, "error", span, message, "remove one of them")
        for kind in model.hears:
            if kind not in model.acts:
                span, help = (
                    entry.span("hears", kind, key=True),
                    suggestion(kind, model.acts, "it has"),
                )
                message = f"this reading has no act '{kind}'"
                yield Diagnostic(CODE, "error", span, message, help)
        from treec.hearing.ear import template_errors  # only where there are templates

        file = shared.model if shared is not None else None
        for kind, number, why in template_errors(model.acts, model.hears, file):
            yield Diagnostic(CODE, "error", entry.span("hears", kind, number), why, FORM)
        if shared is not None:
            for kind, number, why in template_errors(model.acts, shared.model.hears, file):
                yield Diagnostic(CODE, "error", shared.span("hears", kind, number), why, FORM)
            weights = weights_of(view.library, shared)
            if weights is not None and not weights.is_file():
                message = f"there is no file {shared.model.network} beside this one"
                help = "treec hear train writes it; without `network` templates alone hear"
                yield Diagnostic(CODE, "error", shared.span("network"), message, help)
