"""Example answer that the node would refuse.

The actions in an action's example must be listed under `may`, with arguments that match their
signatures. The acts in a reading's example must be of kinds and have fields that the reading
declares, and each must quote words of the example's `user_input`. (TC402 checks the choices in a
decision's examples.)

A warning if an action's example says words of its own, as those did before a model made claims: a
model that learns it is not heard, since only claims are said.

Wrong:

    examples:
      - given: {user_input: Yes please}
        answer:
          acts: [{kind: accept, quote: yes}]

Right:

    examples:
      - given: {user_input: Yes please}
        answer:
          acts: [{kind: accept, quote: Yes please}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from treec.check.base import entries
from treec.check.environments import world
from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.types import Misfit, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity, suggestion
from treec_asking.check.high_level import OWN_WORDS, call_misfits

CODE = "TC407"


def check(view: View) -> Iterator[Diagnostic]:
    """Report answers of examples that would be refused."""
    env = world(view)
    for entry in entries(view, "action"):
        for index, example in enumerate(entry.model.examples):
            for number, call in enumerate(example.answer.actions):
                misfits = [
                    *call_misfits(env, call, entry.model.may, rule=False),
                    *_other_claims(call, entry.model.claims),
                ]
                yield from _at_places(entry, index, "actions", number, misfits)
    for entry in entries(view, "reading"):
        for index, example in enumerate(entry.model.examples):
            words = _words(example.given.get("user_input"))
            for number, act in enumerate(example.answer.acts):
                found = _act(env, entry, act, words)
                yield from _at_places(entry, index, "acts", number, found)


def _other_claims(call: object, only: Sequence[str] | None) -> Iterator[Misfit]:
    """Report claims of kinds that are not listed under `claims`."""
    given = call.get("say") if isinstance(call, Mapping) else None
    claims = given.get("claims") if isinstance(given, Mapping) and only is not None else None
    for index, claim in enumerate(claims if isinstance(claims, list) else ()):
        kind = claim.get("is") if isinstance(claim, Mapping) else None
        if kind in registry().statements and kind not in (only or ()):
            help, loc = suggestion(kind, only or ()), ("say", "claims", index, "is")
            yield Misfit(f"'{kind}' is not listed under 'claims'", help, loc)


def _at_places(
    entry: AnyEntry, index: int, part: str, number: int, found: Iterable[Misfit]
) -> Iterator[Diagnostic]:
    for item in found:
        span = entry.span("examples", index, "answer", part, number, *item.loc, key=item.key)
        severity: Severity = "warning" if item.message == OWN_WORDS else "error"
        yield Diagnostic(CODE, severity, span, item.message, item.help)


def _words(value: object) -> list[str]:
    """Return the texts that an example's user said."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return _words(value.get("text"))
    if isinstance(value, list):
        return [text for item in value for text in _words(item)]
    return []


def _act(
    env: TypeEnvironment, entry: AnyEntry, act: object, words: Sequence[str]
) -> Iterator[Misfit]:
    kinds = entry.model.acts
    if not isinstance(act, Mapping):
        help = "write {kind: KIND, quote: THE WORDS, …}"
        yield Misfit("an act is a mapping with a 'kind' and a 'quote'", help)
        return
    kind = act.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        help = suggestion(kind if isinstance(kind, str) else "", kinds, "kinds")
        message = f"unknown kind of act '{kind}'" if kind else "an act needs a 'kind'"
        yield Misfit(message, help, ("kind",) if kind else ())
        return
    yield from _quote(act, words)
    for name, value in act.items():
        if name in ("kind", "quote"):
            continue
        if name not in kinds[kind]:
            help = suggestion(name, kinds[kind], "its fields")
            message = f"unknown field '{name}' of an act '{kind}'"
            yield Misfit(message, help, (name,), key=True)
            continue
        yield from data_misfits(env, read_type(kinds[kind][name]), value, (name,))
    task = env.view.all("task").get(str(act.get("task")))
    if task is not None and isinstance(act.get("args"), Mapping):
        yield from _task_args(env, task, act["args"])


def _task_args(
    env: TypeEnvironment, task: AnyEntry, given: Mapping[str, object]
) -> Iterator[Misfit]:
    """Report arguments that the task of an act has not, and values that they cannot take."""
    for name, value in given.items():
        kind = task.model.args.get(name)
        if kind is None:
            help = suggestion(name, task.model.args, "its arguments")
            message = f"unknown argument '{name}' of the task '{task.name}'"
            yield Misfit(message, help, ("args", name), key=True)
        else:
            yield from data_misfits(env, read_type(kind), value, ("args", name))


def _quote(act: Mapping[str, object], words: Sequence[str]) -> Iterator[Misfit]:
    quote = act.get("quote")
    if not isinstance(quote, str) or not quote:
        loc = ("quote",) if "quote" in act else ()
        help = "add quote: the words of 'user_input' that express it"
        yield Misfit("an act needs a 'quote'", help, loc)
    elif not any(quote in text for text in words):
        texts = "; ".join(f"'{text}'" for text in words)
        help = f"copy it from {texts}" if words else "add 'user_input' to 'given'"
        yield Misfit("the quote is not in what the user said, word for word", help, ("quote",))
