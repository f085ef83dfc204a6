"""Unknown thing or fact in the example of a goal.

The conditions of an example's answer are about the `objects` that it is given, and about facts of
the domain: a model imitates what it is shown.

Wrong:

    - given: {task: put the cup away, objects: [cup, drawer]}
      answer: {goal: [at(cup) == shelf]}

Right:

    - given: {task: put the cup away, objects: [cup, drawer]}
      answer: {goal: [at(cup) == drawer]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import SourceError
from treec.source.expression import Expression

CODE = "TC610"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names in the conditions of examples that are neither given nor facts."""
    for entry in entries(view, "plan"):
        if entry.model.answers != "goal":
            continue
        for number, example in enumerate(entry.model.examples):
            given = example.given.get("objects")
            objects = tuple(map(str, given)) if isinstance(given, list) else ()
            for index, text in enumerate(example.answer.goal):
                loc = ("examples", number, "answer", "goal", index)
                yield from _condition(view, entry, loc, text, objects)


def _condition(
    view: View, entry: AnyEntry, loc: tuple[str | int, ...], text: str, objects: tuple[str, ...]
) -> Iterator[Diagnostic]:
    try:
        condition = Expression.parse(text)
    except SourceError as error:
        yield Diagnostic(CODE, "error", entry.span(*loc), str(error))
        return
    for name in condition.names:
        known = tuple(view.facts) if name.called else objects
        if not known or name.name in known:
            continue
        if name.called:
            message, what = f"unknown fact '{name.name}'", "facts"
        else:
            message, what = f"'{name.name}' is not among the given objects", "objects"
        span = entry.span_in(loc, name.offset, name.length)
        yield Diagnostic(CODE, "error", span, message, suggestion(name.name, known, what))
