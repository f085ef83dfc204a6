"""Unknown subtask.

Subtasks are named by their id or their words: in `proposed('R2', 'get crate')`, `done(…)`,
`subtask(…)`, `status(…)`, and where a subtask is compared with a text. A condition on a subtask
that cannot exist waits forever.

Wrong:

    user:
      - when: proposed('R2', 'get peper')
        says: Yes, please.

Right:

    user:
      - when: proposed('R2', 'get crate')
        says: Yes, please.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from jinja2 import nodes

from treec.check.fields import CHOICES
from treec.check.task_words import task_words
from treec.check.texts import ParsedText, parsed_texts
from treec.check.type_checker import infer
from treec.check.unreadable import unreadable_kinds
from treec.extensions import depends_on_extensions
from treec.files.types import Named, without_none
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.expression import Text
from treec.source.grammar import offset
from treec.team.names import team_functions

CODE = "TC214"

_SUBTASK = Named("Subtask")
_OTHERS = {("subtask", "words"), ("status", "who")}
"""Functions and their parameters that take a subtask, beside those named `subtask`."""
_EQUAL = ("eq", "ne")
_FIXED = frozenset(word for words in CHOICES.values() for word in words)
_MAY_NAME_ONE = re.compile(r"""[=(,]\s*['"]|['"]\s*[!=]=""")
"""A quoted text that is compared or passed as an argument; other texts need not be walked."""
_AGAIN = re.compile(r" \(\d+\)$")


def check(view: View) -> Iterator[Diagnostic]:
    """Check texts that name a subtask in expressions and templates."""
    if not view.all("task") or "recipe" in unreadable_kinds(view.library):
        return
    words = task_words(view)
    if words is None:
        return
    recipes = view.all("recipe").values()
    ids = {id for recipe in recipes for id in recipe.model.subtasks}
    for text in parsed_texts(view):
        if text.text is None or not _MAY_NAME_ONE.search(str(text.place.value)):
            continue
        for node in _subtask_texts(view, text, text.text):
            name = str(node.value)
            if _AGAIN.sub("", name) in ids:
                continue
            wrong = words.wrong(name)
            if wrong is None:
                continue
            at = offset(node)
            message = f"no recipe has a subtask '{name}', and no task's patterns match it"
            help = suggestion(name, sorted(ids), "subtasks")
            if wrong.slip:
                help = wrong.help or help
            length = text.text.length(at)
            yield text.place.problem(CODE, message, help, offset=at, length=length)


@lru_cache(maxsize=1)
def _functions() -> tuple[str, ...]:
    """Return the functions that take a subtask."""
    named = {name for name, info in team_functions().items() if "subtask" in info.args}
    return tuple(named | {name for name, _ in _OTHERS})


depends_on_extensions(_functions.cache_clear)


def _subtask_texts(view: View, place: ParsedText, text: Text) -> Iterator[nodes.Const]:
    named = any(name in text.text for name in _functions())
    for call in text.calls if named else ():
        info = team_functions().get(call.name)
        if info is None or call.name in view.facts:
            continue
        for parameter, argument in zip(info.args, call.args, strict=False):
            if parameter != "subtask" and (call.name, parameter) not in _OTHERS:
                continue
            if isinstance(argument, nodes.Const) and isinstance(argument.value, str):
                if parameter == "who" and view.thing_type(argument.value) is not None:
                    continue
                yield argument
    compared = "==" in text.text or "!=" in text.text
    for node in text.parts if compared else ():
        if isinstance(node, nodes.Compare) and len(node.ops) == 1 and node.ops[0].op in _EQUAL:
            left, right = node.expr, node.ops[0].expr
            for one, other in ((left, right), (right, left)):
                if isinstance(one, nodes.Const) and isinstance(one.value, str):
                    if one.value in _FIXED or isinstance(other, nodes.Const):
                        continue
                    kind = infer(other, place.env)
                    if kind is not None and without_none(kind) == _SUBTASK:
                        yield one
