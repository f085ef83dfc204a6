"""Checks calls of high-level actions: `{assign: {agent: $p.agent, …}}`, `{say: …}`, a name.

At run time ``treec.team.actions.bind`` binds them; this reports what it would refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.check.references import lacks_dollar, value_type
from treec.files.types import TEXT, ListOf, Misfit, Named, OneOf, Type, a, without_none
from treec.source.diagnostics import did_you_mean, suggestion
from treec.source.errors import suggest
from treec.source.values import is_bound
from treec.team.actions import CLAIMS, MESSAGE, HighLevelAction, action_names, find_action
from treec.team.sentences import LONGEST, MOST, misfit

_SUBTASK = Named("Subtask")
OWN_WORDS = "a model says claims, never words of its own"


def unknown_action(name: str) -> Misfit | None:
    """Return the problem if a high-level action does not exist."""
    if find_action(name) is not None:
        return None
    help = suggestion(name, action_names(), "actions")
    return Misfit(f"unknown high-level action '{name}'", help)


def call_misfits(
    env: TypeEnvironment, call: object, may: Sequence[str], *, rule: bool
) -> Iterator[Misfit]:
    """Report problems of one action of an answer, or of a rule, which may contain `$name`."""
    loc: tuple[str, ...] = ()
    given: object = None
    if isinstance(call, str):
        name = call
    elif isinstance(call, Mapping) and len(call) == 1:
        ((key, given),) = call.items()
        name, loc = str(key), (str(key),)
    else:
        help = "write {NAME: {argument: value}}, or a name"
        yield Misfit("an action is one name with its arguments", help)
        return
    action = find_action(name)
    if action is None:
        unknown = unknown_action(name)
        assert unknown is not None
        yield replace(unknown, loc=loc, key=bool(loc))
        return
    if name not in may and not is_misspelt(name, may):
        help = suggest(name, may) or f"add it to 'may': {name}"
        yield Misfit(f"'{name}' is not listed under 'may'", help, loc, bool(loc))
    yield from _arguments(env, action, given, loc, rule)


def is_misspelt(name: str, may: Sequence[str]) -> bool:
    """Whether `may` has a misspelling of this name, which is reported there."""
    return any(find_action(other) is None and did_you_mean(other, [name]) for other in may)


def _arguments(
    env: TypeEnvironment,
    action: HighLevelAction,
    given: object,
    loc: tuple[str, ...],
    rule: bool,
) -> Iterator[Misfit]:
    if action.speaks and not rule:
        yield from _claims(given, loc)
        return
    text = given.get(MESSAGE) if isinstance(given, Mapping) else given
    if action.speaks and isinstance(text, str) and "{" not in text and len(text) > LONGEST:
        help = "say it in fewer words, or in two rules"
        yield Misfit(f"a message has {LONGEST} characters at most, not {len(text)}", help, loc)
    parameters = {p.name: p for p in action.parameters if p.name != CLAIMS}
    if given is not None and not isinstance(given, Mapping):
        if not parameters:
            yield Misfit(f"'{action.name}' takes no arguments", None, loc)
            return
        first = action.parameters[0]
        yield from _missing(action, {first.name}, loc)
        if not (rule and first.type == TEXT and isinstance(given, str)):
            yield from _value(env, first.type, given, loc, rule)
        return
    args = given or {}
    for name, value in args.items():
        parameter = parameters.get(name)
        if parameter is None:
            help = suggest(name, parameters) or f"write {action.signature}"
            message = f"unknown argument '{name}' of '{action.name}'"
            yield Misfit(message, help, (*loc, name), key=True)
        elif rule and parameter.type == TEXT and isinstance(value, str) and "{" in value:
            continue  # a template yields text
        else:
            yield from _value(env, parameter.type, value, (*loc, name), rule)
    unknown = [name for name in args if name not in parameters]
    suggestions = {did_you_mean(name, parameters) for name in unknown}
    yield from _missing(action, {*args, *suggestions}, loc)


def _claims(given: object, loc: tuple[str, ...]) -> Iterator[Misfit]:
    """Report what is wrong with what a model says in an example."""
    claims = given.get(CLAIMS) if isinstance(given, Mapping) else None
    if not isinstance(claims, list) or not isinstance(given, Mapping) or given.keys() != {CLAIMS}:
        help = f"write {{say: {{{CLAIMS}: [{{is: done, subtask: fetch crate 12}}]}}}}"
        is_text = isinstance(given, str) or (isinstance(given, Mapping) and MESSAGE in given)
        yield Misfit(OWN_WORDS if is_text else "a model says a list of claims", help, loc)
        return
    if len(claims) > MOST:
        yield Misfit(f"a model makes {MOST} claims at once at most", None, (*loc, CLAIMS))
    for index, claim in enumerate(claims):
        problem = misfit(claim)
        if problem is not None:
            yield Misfit(problem, None, (*loc, CLAIMS, index))


def _missing(
    action: HighLevelAction, given: set[str | None], loc: tuple[str, ...]
) -> Iterator[Misfit]:
    for parameter in action.parameters:
        if parameter.required and parameter.name not in given:
            help = f"it takes {action.signature}"
            message = f"'{action.name}' needs its argument '{parameter.name}'"
            yield Misfit(message, help, loc, bool(loc))


def _value(
    env: TypeEnvironment, kind: Type, value: object, loc: tuple[str | int, ...], rule: bool
) -> Iterator[Misfit]:
    if isinstance(kind, ListOf) and isinstance(value, list):
        for index, item in enumerate(value):
            yield from _value(env, kind.item, item, (*loc, index), rule)
    elif rule and is_bound(value):
        type_ = value_type(env, value)
        if type_ is not None and not _may_be(env, type_, kind):
            message = f"{value} is {a(type_)}, but {a(kind)} is needed here"
            yield Misfit(message, None, loc)
    elif not (rule and lacks_dollar(env, value)):  # TC210 reports that
        yield from data_misfits(env, kind, value, loc, shorthand=True)


def _may_be(env: TypeEnvironment, given: Type, expected: Type) -> bool:
    """Whether a run could convert the type: a task to a subtask, one item to a list."""
    given, expected = without_none(given), without_none(expected)
    if isinstance(given, OneOf):
        return any(_may_be(env, option, expected) for option in given.options)
    if isinstance(expected, OneOf):
        return any(_may_be(env, given, option) for option in expected.options)
    if isinstance(expected, ListOf):
        item = given.item if isinstance(given, ListOf) else given
        return _may_be(env, item, expected.item)
    if isinstance(given, ListOf):
        return False
    if expected == _SUBTASK and env.types.is_a(given.name, "Task"):
        return True
    if expected == TEXT and given.name in ("number", "integer"):
        return True
    return env.types.could_be(given, expected)
