"""`given` of an example does not match what the node sees.

An example gives values for the names in `sees` and `recalls`; names it omits are empty. Each value
must be of its name's type: agents, subtasks and things by name, or as a mapping of their fields.

Wrong:

    sees: [recipe_name, available]
    examples:
      - given: {recipe: Morning Order, available: get crate}
        answer: {choose: Confirm_Subtask}

Right:

    sees: [recipe_name, available]
    examples:
      - given: {recipe_name: Morning Order, available: [get crate]}
        answer: {choose: Confirm_Subtask}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.environments import world
from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.check.scopes import arguments, seen_types
from treec.files.entry import AnyEntry
from treec.files.kinds import prompts
from treec.files.types import TEXT, Type, options, own_values, union
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec.source.errors import suggest
from treec_models.prompt_check.example_scope import per_world

CODE = "TC406"
THREE = ("decision", "action", "reading")
"""Kinds whose examples give typed values of the world."""
JUDGED = (*THREE, "program")
"""The same and those that TC417 judges."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report names and values in `given` that the node could not see."""
    env = world(view)
    for entry in entries(view, *THREE):
        yield from _of_entry(view, entry)
    for entry in entries(view, *(kind for kind in prompts() if kind not in JUDGED)):
        model = entry.model
        known = {*model.sees, *model.recalls, *getattr(model, "args", ()), *model.gives}
        types = {**arguments(entry), **seen_types(env, entry)}
        for index, example in enumerate(getattr(model, "examples", ())):
            for name, value in getattr(example, "given", {}).items():
                loc = ("examples", index, "given", name)
                if name not in known:
                    message = f"'{entry.name}' is not given '{name}'"
                    help = suggestion(name, sorted(known), "it is given")
                    yield Diagnostic(CODE, "error", entry.span(*loc, key=True), message, help)
                elif isinstance(model.sees, Mapping):
                    for item in data_misfits(env, _any_text(env, types[name]), value):
                        span = entry.span(*loc, *item.loc, key=item.key)
                        yield Diagnostic(CODE, "error", span, item.message, item.help)


@per_world
def _of_entry(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    for index, example in enumerate(entry.model.examples):
        yield from _check_given(world(view), entry, index, example.given)


def _any_text(env: TypeEnvironment, kind: Type) -> Type:
    """The type, with any text in place of those that the files happen to have."""
    listed = {own_values(name) for name, fact in env.view.facts.items() if fact.values}
    own = {own_values(name) for name in (*env.view.facts, *env.view.state)} - listed
    return union(*(TEXT if one in own else one for one in options(kind)))


def _check_given(
    env: TypeEnvironment, entry: AnyEntry, index: int, given: dict[str, object]
) -> Iterator[Diagnostic]:
    visible = (*entry.model.sees, *entry.model.recalls, *getattr(entry.model, "args", ()))
    for name, value in given.items():
        loc = ("examples", index, "given", name)
        if name not in visible:
            span = entry.span(*loc, key=True)
            message = f"'{entry.name}' neither sees nor recalls '{name}'"
            yield Diagnostic(CODE, "error", span, message, _help(env, name, visible))
            continue
        kind = env.names.get(name)
        if kind is None:
            continue  # reported by TC207
        for item in data_misfits(env, kind, value):
            span = entry.span(*loc, *item.loc, key=item.key)
            yield Diagnostic(CODE, "error", span, item.message, item.help)


def _help(env: TypeEnvironment, name: str, visible: tuple[str, ...]) -> str:
    if name in env.names:
        return f"add '{name}' to 'sees' or 'recalls', or leave it out here"
    return suggest(name, visible) or f"it sees and recalls {', '.join(visible) or 'nothing'}"
