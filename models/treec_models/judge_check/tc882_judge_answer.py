"""Answer of a judge, in a rule or an example, that it would refuse.

An answer has a value for each fact that the judge sets: true or false, or a number from 0 to 1
where the probability of a yes is asked, one of the options, a level of the scale or its number, or
a value of the fact's type. What is computed (`= …`) has the type of such a value.

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

from jinja2 import nodes

from treec.check.base import FieldPlace, Loc, entries
from treec.check.environments import environment, world
from treec.check.names import TypeEnvironment
from treec.check.references import value_type
from treec.files.entry import Entry
from treec.files.types import Misfit, a
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.values import is_bound
from treec_models.judge_file import Form, JudgeFile, form_of, type_set

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
        if type_set(env.view, name) is None:
            continue
        form = form_of(env.view, env, name, spec)
        wrong = _refusal(env, entry, (*loc, name), form, given[name])
        if wrong is not None:
            yield Diagnostic(CODE, "error", entry.span(*loc, name), wrong.message, wrong.help)


def _refusal(
    env: TypeEnvironment, entry: Entry[JudgeFile], loc: Loc, form: Form, value: object
) -> Misfit | None:
    """Why a value is no answer; of a computed one its constants, and the type of what it yields."""
    if not isinstance(value, str) or not is_bound(value):
        return form.refusal(form.spelled(value), env)
    try:
        node = Expression.parse(value[1:].lstrip()).ast[0]
    except LocatedError:
        return None  # TC200 reports it
    wrong = (form.refusal(form.spelled(one), env) for one in _constants(node))
    if (found := next(filter(None, wrong), None)) is not None:
        return found
    place = FieldPlace(entry, loc, "value", value, entry.model, "answer")
    given = value_type(environment(env.view, place), value)
    if given is None or any(env.types.could_be(given, kind) for kind in form.takes):
        return None
    return Misfit(f"{value} is {a(given)}, but {a(form.type)} is needed here")


def _constants(node: nodes.Node) -> Iterator[object]:
    """The constants that an expression yields: "= 'plate' if flat else 'mug'"."""
    if isinstance(node, nodes.Const):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        for branch in filter(None, (node.expr1, node.expr2)):
            yield from _constants(branch)
