"""Judge that sets no fact or state, or asks for another value than that has.

`sets` names facts or state of the domain. The names under `for` are the arguments of the facts, in
their order; state has none. A yes or no is the value of a fact that is true or false, or its
probability that of a number; a scale gives a number; options are texts or things. Who is asked must
take the question: decision models and people choose, and give no numbers or texts of their own.

Wrong:

    judge: Dish
    for: {dish: Dish}
    sets:
      cleen: {yes: Nothing sticks to it.}

Right:

    judge: Dish
    for: {dish: Dish}
    sets:
      clean: {yes: Nothing sticks to it.}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.files.entry import Entry
from treec.files.prompts import DECISION_MODEL, PERSON
from treec.files.types import BOOL, INTEGER, NUMBER, a, misfit, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_models.judge_file import VALUE, JudgeFile, QuestionSpec, form_of, type_set

CODE = "TC881"


def check(view: View) -> Iterator[Diagnostic]:
    """Report what a judge cannot set."""
    env = world(view)
    for entry in entries(view, "judge"):
        for name, text in entry.model.sees.items():
            if name in env.names and text.strip() != name:
                message = f"'{name}' is a name of the team or the domain already"
                span = entry.span("sees", name, key=True)
                yield Diagnostic(CODE, "error", span, message, "call it otherwise")
        for name, spec in entry.model.sets.items():
            why, help = _of_what(env, entry.model, name)
            if why is not None:
                yield Diagnostic(CODE, "error", entry.span("sets", name, key=True), why, help)
                continue
            yield from _form(env, entry, name, spec)


def _of_what(env: TypeEnvironment, model: JudgeFile, name: str) -> tuple[str | None, str | None]:
    """Why a judge cannot set a fact or state of a name, and what would be right."""
    view = env.view
    if name in view.state:
        why = f"'{name}' is state, which is about nothing" if model.for_ else None
        return why, "leave out 'for', or set a fact"
    fact = view.facts.get(name)
    if fact is None:
        if not env.whole:
            return None, None
        known = (*view.facts, *view.state)
        return f"unknown fact or state '{name}'", suggestion(name, known, "there are")
    asked = ", ".join(model.for_.values()) or "nothing"
    fits = len(fact.args) == len(model.for_) and all(
        env.types.fits(read_type(own), read_type(of))
        for own, of in zip(model.for_.values(), fact.args, strict=True)
    )
    if fits:
        return None, None
    of = ", ".join(fact.args)
    why = f"'{name}' is a fact about ({of}), and the judge is asked about ({asked})"
    return why, f"write for: {{NAME: {fact.args[0]}}}" if len(fact.args) == 1 else None


def _form(
    env: TypeEnvironment, entry: Entry[JudgeFile], name: str, spec: QuestionSpec
) -> Iterator[Diagnostic]:
    """Report a question that is not one for values of the type."""
    view = env.view
    kind = type_set(view, name)
    if kind is None:
        return  # its domain cannot be read
    is_number = kind in (NUMBER, INTEGER)

    def report(key: str, what: str, help: str) -> Diagnostic:
        span = entry.span("sets", name, key, key=True)
        message = f"{what}, and '{name}' is {a(kind)}"
        return Diagnostic(CODE, "error", span, message, help)

    yes = "yes" if spec.yes else "no"
    if (spec.yes or spec.no) and kind not in (BOOL, NUMBER):
        yield report(yes, "a yes is true, or has a probability", "use 'options' or 'scale'")
    if spec.scale and not is_number:
        yield report(
            "scale", "a scale gives a number", f"use '{'yes' if kind == BOOL else 'options'}'"
        )
    if spec.threshold is not None and (kind != BOOL or spec.options or spec.scale):
        help = "compare the number where it is used" if is_number else "leave it out"
        yield report("threshold", "a threshold makes a probability a yes or a no", help)
    listed = view.facts[name].values if name in view.facts else []
    if spec.options and (is_number or kind == BOOL):
        yield report(
            "options", "options are texts or things", f"use '{'scale' if is_number else 'yes'}'"
        )
        return
    for option in spec.options:
        span = entry.span("sets", name, "options", option, key=True)
        wrong = misfit(kind, option, env)
        if wrong is not None:
            yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)
        elif listed and option not in listed:
            help = suggestion(option, listed, "it is one of")
            yield Diagnostic(CODE, "error", span, f"'{name}' is never '{option}'", help)
    if form_of(view, env, name, spec).kind == VALUE:
        yield from _who_answers(entry, name)


def _who_answers(entry: Entry[JudgeFile], name: str) -> Iterator[Diagnostic]:
    for index, one in enumerate(entry.model.answerers):
        if one.kind in (DECISION_MODEL, PERSON):
            who = "decision models and people choose"
            message = f"{who}, and '{name}' is asked for with nothing to choose from"
            span = entry.span("answers", index)
            yield Diagnostic(CODE, "error", span, message, "add options or a scale")
