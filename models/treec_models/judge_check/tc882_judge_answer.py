"""Answer of a judge, in a rule or an example, that it would refuse.

An answer has a value for each fact that the judge sets: true or false, or a number from 0 to 1
where the probability of a yes is asked, one of the options, a level of the scale or its number, or
a value of the fact's type.

Wrong:

    sets:
      sort_of: {options: {plate: It is flat., mug: It has a handle.}}
    offline: [{when: true, answer: {sort_of: plates}}]

Right:

    sets:
      sort_of: {options: {plate: It is flat., mug: It has a handle.}}
    offline: [{when: true, answer: {sort_of: plate}}]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import Loc, entries
from treec.check.environments import world
from treec.check.names import TypeEnvironment
from treec.files.entry import Entry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.values import is_bound
from treec_models.judge_file import JudgeFile, form_of, type_set

CODE = "TC882"


def check(view: View) -> Iterator[Diagnostic]:
    """Report values that are no answers, and facts that an answer lacks."""
    env = world(view)
    for entry in entries(view, "judge"):
        for index, rule in enumerate(entry.model.offline):
            yield from _answer(env, entry, ("offline", index, "answer"), rule.answer)
        for index, example in enumerate(entry.model.examples):
            yield from _answer(env, entry, ("examples", index, "answer"), example.answer.values)


def _answer(
    env: TypeEnvironment, entry: Entry[JudgeFile], loc: Loc, given: Mapping[str, object]
) -> Iterator[Diagnostic]:
    sets = entry.model.sets
    known = {*env.view.facts, *env.view.state}
    unknown = {name for name in sets if env.whole and name not in known}  # TC881 reports these
    for name in given:
        if name not in sets and not (unknown and name in known):
            span = entry.span(*loc, name, key=True)
            message = f"'{entry.name}' does not set '{name}'"
            yield Diagnostic(CODE, "error", span, message, suggestion(name, sets, "it sets"))
    for name, spec in sets.items():
        if name not in given:
            if name in unknown:
                continue
            message = f"the answer has no value for '{name}'"
            yield Diagnostic(CODE, "error", entry.span(*loc), message, f"add {name}: …")
            continue
        value = given[name]
        if type_set(env.view, name) is None or is_bound(value):
            continue
        form = form_of(env.view, env, name, spec)
        wrong = form.refusal(form.spelled(value), env)
        if wrong is not None:
            yield Diagnostic(CODE, "error", entry.span(*loc, name), wrong.message, wrong.help)
