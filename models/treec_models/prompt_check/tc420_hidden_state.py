"""Option, act or action that speaks of state which the observation does not render.

A model chooses by what it is shown. An offer that holds only `when` some state is so, or an option
or instruction that names it, is chosen well only if the observation, the instructions or the system
text of the decision render that state, or what it is derived from. Facts, statuses and queues that
an offer asks for count as well; its state may be missing in `sees`, too.

A reading's acts, and what an action may do, speak of the types of their fields: "R2, leave that" or
"go on" is heard right only by who is told what the agents are at, and a yes by who is told what was
proposed. So the observation renders agents, subtasks and proposals where acts or actions name them.

Wrong:

    decision: Execution
    sees: [available, blocked]
    observation: "available: {{ available | join(', ') }}"

and an offer to it:

    offer: {to: Execution, when: blocked, because: Something is waiting for a dropped subtask.}

Right:

    decision: Execution
    sees: [available, blocked]
    observation: |
      available: {{ available | join(', ') }}
      waiting for a dropped subtask: {{ blocked | join(', ') or 'nothing' }}

Wrong:

    reading: Talk
    acts: {resume: {agent: Agent or none}}
    observation: "now they said: {{ user_input }}"

Right:

    reading: Talk
    acts: {resume: {agent: Agent or none}}
    observation: |
      {% for a in agents %}
      {{ a.name }} is {{ a.status }}
      {% endfor %}
      now they said: {{ user_input }}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treec.check.base import FieldPlace, Loc, entries
from treec.files.entry import AnyEntry, Entry
from treec.files.prompts import DecisionFile, Prompt
from treec.files.types import a, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.template import TextTemplate
from treec.source.text import Span
from treec.team.actions import find_action
from treec_asking.check.tc411_sees_less import is_shown

CODE = "TC420"
SEVERITY = "warning"

TEAM_STATE = frozenset({"subtasks", "completed", "all_done", "all_dropped", "proposals", "acts"})
"""The team's names that change with its work."""

_AGENTS = ("agents", "robots", "people", "status", "queue", "current")
_WORK = ("subtasks", "work", "available", "proposals", "agents", "robots")
SHOWN = {
    **dict.fromkeys(("Agent", "Robot", "Person"), _AGENTS),
    "Subtask": _WORK,
    "Proposal": ("proposals",),
}
"""What shows the things of a type as they are now, the usual name first."""

OF_TEAM = frozenset({"status", "queue", "current"})
"""Functions that give the state of an agent or a subtask."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report state that the options of a decision speak of and that it does not render."""
    yield from _unshown_types(view)
    for entry in entries(view, "decision"):
        rendered = rendered_names(entry.model, "system", "observation", "instructions")
        if rendered is None:
            continue
        known = (*entry.model.sees, *entry.model.recalls)
        hidden = [name for name in known if not is_shown(view, name, rendered, calls=True)]
        offered = _hidden_from_offers(view, entry, rendered)
        for name, span, what in (*offered, *_mentions(entry, hidden)):
            yield Diagnostic(
                CODE,
                "warning",
                span,
                f"{what} speaks of '{name}', which the observation of '{entry.name}' does not "
                "render: a model cannot know when it is right",
                f"render '{name}' in the observation of '{entry.name}'",
            )


def _unshown_types(view: View) -> Iterator[Diagnostic]:
    """Report types that acts or actions name and of which a prompt's observation shows nothing."""
    for entry in (*entries(view, "reading"), *entries(view, "action")):
        model = entry.model
        rendered = rendered_names(model, "observation")
        if rendered is None or model.instructions is None:
            continue
        shown = rendered | {use for name in rendered for use in _used(view, name)}
        told: set[str] = set()
        for loc, what, kinds in _spoken_of(entry):
            for kind in kinds:
                names = SHOWN.get(kind, ())
                if not names or shown.intersection(names) or kind in told:
                    continue
                told.add(kind)
                yield Diagnostic(
                    CODE,
                    "warning",
                    entry.span(*loc, key="acts" in loc),
                    f"{what} names {a(read_type(kind))}, and the observation of '{entry.name}' "
                    "renders none: a model cannot know which is meant",
                    f"render '{names[0]}' in the observation of '{entry.name}'",
                )


def _spoken_of(entry: AnyEntry) -> Iterator[tuple[Loc, str, list[str]]]:
    """The acts of a reading or the actions of an action, and the types that their fields name."""
    for name, fields in getattr(entry.model, "acts", {}).items():
        given = [value for value in (fields or {}).values() if isinstance(value, str)]
        yield ("acts", name), f"the act '{name}'", [word for v in given for word in v.split()]
    for index, name in enumerate(getattr(entry.model, "may", ())):
        action = find_action(name)
        types = [str(p.type) for p in action.parameters] if action else []
        yield ("may", index), f"the action '{name}'", [word for v in types for word in v.split()]


def _used(view: View, name: str, depth: int = 8) -> Iterator[str]:
    """The names and functions that a derived name is made of."""
    try:
        uses = Expression.parse(view.derived.get(name, "none")).names
    except LocatedError:
        return  # reported by TC201
    for use in uses:
        yield use.name
        if depth and use.name in view.derived:
            yield from _used(view, use.name, depth - 1)


def _hidden_from_offers(
    view: View, entry: Entry[DecisionFile], rendered: frozenset[str]
) -> Iterator[tuple[str, Span, str]]:
    """Each name, fact or status in the condition of an offer that is not rendered, and where."""
    for other in view.offers_to(entry.name):
        offer = other.model.offer
        place = FieldPlace(other, ("offer", "when"), "expr", offer.when, offer, "when")
        try:
            uses = Expression.parse(offer.when).names
        except LocatedError:
            continue  # reported by TC201
        for use in uses:
            name = use.name
            if use.called:
                is_hidden = _is_hidden_call(view, name, rendered)
            else:
                is_hidden = _is_state(view, entry, name) and not is_shown(
                    view, name, rendered, calls=True
                )
            if is_hidden:
                yield name, place.span(use.offset, len(name)), f"the offer of '{other.name}'"


def _is_state(view: View, entry: Entry[DecisionFile], name: str) -> bool:
    """Whether a name stands for something that changes while a system runs."""
    seen = (*entry.model.sees, *entry.model.recalls)
    return name in seen or name in view.derived or name in view.state or name in TEAM_STATE


def _is_hidden_call(view: View, name: str, rendered: frozenset[str]) -> bool:
    """Whether a call asks for a fact, or for the state of agents or subtasks, not rendered."""
    if name in OF_TEAM:
        return not rendered & {name, "agents", "robots", "people", "subtasks"}
    return name in view.facts and name not in rendered


def _mentions(entry: Entry[DecisionFile], hidden: list[str]) -> Iterator[tuple[str, Span, str]]:
    """Each hidden name that is spoken of, where, and by what."""
    model = entry.model
    for option, text in model.options.items():
        place = FieldPlace(entry, ("options", option), "text", text, model, "options")
        for name, start in words_in(text, hidden):
            yield name, place.span(start, len(name)), f"the option '{option}'"
    for key in ("instructions", "system"):
        text = getattr(model, key) or ""
        place = FieldPlace(entry, (key,), "text", text, model, key)
        for name, start in words_in(text, hidden):
            yield name, place.span(start, len(name)), f"'{key}'"


def rendered_names(model: Prompt, *keys: str) -> frozenset[str] | None:
    """The names in texts of a prompt; None if it shows nothing, or cannot be read."""
    if model.observation is None:
        return None
    texts = [getattr(model, key) for key in keys]
    try:
        uses = [use for text in texts if text for use in TextTemplate.parse(text).names]
    except LocatedError:
        return None  # reported by TC201
    return frozenset(use.name for use in uses)


def words_in(text: str, names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The names that a text contains as words, with their offsets."""
    for name in names:
        for found in re.finditer(rf"\b{re.escape(name)}\b", text):
            yield name, found.start()
