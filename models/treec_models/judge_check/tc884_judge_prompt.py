"""Prompt of a judge that does not show what the question is about.

A model sees of a thing what the observation renders. If that depends on none of the names under
`for`, it is the same for all of them, and so is the answer. A criterion, an option or an
instruction that names something under `sees` is understood if the observation, the instructions or
the system text render it.

Wrong:

    for: {who: Person}
    sees: {gap: gap(who), speed: speed(who)}
    sets:
      unsafe: {yes: "Their gap is small, or their speed high."}
    observation: "gap: {{ gap }} m"

Right:

    for: {who: Person}
    sees: {gap: gap(who), speed: speed(who)}
    sets:
      unsafe: {yes: "Their gap is small, or their speed high."}
    observation: "{{ who }}, gap: {{ gap }} m, speed: {{ speed }} m/s"
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import FieldPlace, Loc, entries
from treec.files.entry import Entry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec_models.judge_file import JudgeFile
from treec_models.prompt_check.tc420_hidden_state import rendered_names, words_in

CODE = "TC884"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report prompts that are the same for all things, and names that are spoken of unseen."""
    for entry in entries(view, "judge"):
        model = entry.model
        shown = rendered_names(model, "system", "observation", "instructions")
        if shown is None:
            continue  # all names are listed
        own = {*model.for_}
        telling = own | {name for name, text in model.sees.items() if _reads(text) & own}
        if own and not shown & telling:
            name = next(iter(model.for_))
            message = f"the prompt shows nothing of '{name}': it is the same for all of them"
            help = f"render {name}, or what is seen of it, in 'observation'"
            yield Diagnostic(CODE, "warning", entry.span("observation"), message, help)
        hidden = [name for name in model.sees if name not in shown]
        for loc, what, text in _texts(entry):
            place = FieldPlace(entry, loc, "text", text, model, str(loc[0]))
            for name, start in words_in(text, hidden):
                message = (
                    f"{what} speaks of '{name}', which the observation does not render: a model "
                    "cannot know when it is right"
                )
                span = place.span(start, len(name))
                yield Diagnostic(CODE, "warning", span, message, f"render '{name}'")


def _reads(text: str) -> frozenset[str]:
    try:
        return frozenset(use.name for use in Expression.parse(text).names)
    except LocatedError:
        return frozenset()  # reported by TC201


def _texts(entry: Entry[JudgeFile]) -> Iterator[tuple[Loc, str, str]]:
    """The texts that say when which answer is right."""
    for name, spec in entry.model.sets.items():
        loc = ("sets", name)
        for key in ("about", "yes", "no"):
            if text := getattr(spec, key):
                yield (*loc, key), f"'{key}' of '{name}'", text
        for key in ("options", "scale"):
            for option, when in getattr(spec, key).items():
                if when:
                    yield (*loc, key, option), f"'{option}'", when
    for key in ("instructions", "system"):
        if text := getattr(entry.model, key):
            yield (key,), f"'{key}'", text
