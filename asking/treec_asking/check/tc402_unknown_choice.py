"""Choice that is not an option of the decision.

`always`, `offline` and the answers of examples choose among the options: those listed in the file
and the behaviours that offer themselves to the decision. `fallback` need not be an option and is
not offered to a model; rules may choose it, examples may not. `only_when` names options of the
file.

Wrong:

    options:
      Confirm_Subtask: Somebody is free.
    offline:
      - {when: available, choose: Confirm}

Right:

    options:
      Confirm_Subtask: Somebody is free.
    offline:
      - {when: available, choose: Confirm_Subtask}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.check.graph import OPTION_KINDS, graph_of
from treec.check.unknown_names import is_broken
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean
from treec_asking.check.tc401_unknown_option import wrong_option

CODE = "TC402"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names in rules, conditions and examples that are no options, and fallbacks."""
    graph = graph_of(view)
    for entry in entries(view, "decision"):
        model = entry.model
        offers = [offering.name for offering in graph.offers.get(entry.name, ())]
        allowed = [n for n in dict.fromkeys((*model.options, *offers, model.fallback)) if n]
        offered = [n for n in allowed if n != model.fallback or n in model.options]
        for part in ("always", "offline"):
            for index, rule in enumerate(getattr(model, part)):
                if rule.choose not in allowed:
                    yield from _wrong(view, entry, (part, index, "choose"), rule.choose, allowed)
        for name in model.only_when:
            if name not in model.options:
                own = list(model.options)
                yield from _wrong(view, entry, ("only_when", name), name, own, key=True)
        for index, example in enumerate(model.examples):
            choice = example.answer.choose
            if choice not in offered:
                loc = ("examples", index, "answer", "choose")
                yield from _wrong(view, entry, loc, choice, offered)
        if model.fallback is not None and model.fallback not in offered:
            help = "a fallback is a decision, an action or a tree"
            if (wrong := wrong_option(view, "fallback", model.fallback, help)) is not None:
                yield Diagnostic(CODE, "error", entry.span("fallback"), *wrong)


def _wrong(
    view: View, entry: AnyEntry, loc: Loc, name: str, known: list[str], *, key: bool = False
) -> Iterator[Diagnostic]:
    if is_broken(view, OPTION_KINDS, name):
        return  # a file that cannot be read may offer itself
    nearest = did_you_mean(name, known)
    if nearest is not None and view.behaviour(nearest) is None and view.behaviour(name) is not None:
        return  # the option is misspelt: reported by TC401
    if name == entry.model.fallback:
        message = f"'{name}' is the fallback, which is not offered to a model"
    else:
        message = f"'{name}' is not an option of '{entry.name}'"
    if nearest is not None:
        help = f"did you mean '{nearest}'?"
    else:
        help = f"options: {', '.join(known)}" if known else "it has no options: write 'options: …'"
    yield Diagnostic(CODE, "error", entry.span(*loc, key=key), message, help)
