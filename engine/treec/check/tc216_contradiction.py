"""Condition that never holds, or always does.

Two parts of `a and b` contradict each other, or one of the two parts of `a or b` always holds: by
equality with different values, by bounds, by `not`, or since a text has few values. The same of
conditions that must hold at one moment: those of a skill's `before`, and in a tree a condition and
those after which its node begins in the same tick.

Wrong:

    when: status(agent) == 'Idle' and status(agent) == 'Interrupted'
    until: battery(agent) < 25 and battery(agent) > 30

Right:

    when: status(agent) == 'Idle' or status(agent) == 'Interrupted'
    until: battery(agent) < 25
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from jinja2 import nodes

from treec.check.base import Loc
from treec.check.conditions import (
    Condition,
    Demand,
    by_place,
    condition,
    conflict,
    is_precondition,
    never_together,
)
from treec.check.environments import world
from treec.check.texts import ParsedText, texts_of
from treec.check.tree_nodes import TreeNodeAt, root_of
from treec.files.entry import AnyEntry
from treec.files.nodes import MODIFIERS, NodeBase, spec_of
from treec.files.view import View
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.grammar import start, walk

CODE = "TC216"
_MAY_CONTRADICT = re.compile(r"\b(?:and|or)\b|[<>].*[<>]")
"""A text without a chain of conditions need not be walked."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report conditions with parts of which both, or neither, can hold; and such conditions."""
    surroundings = (world(view).surroundings, tuple(view.derived.items()))
    for entry, texts in texts_of(view).items():
        key = (check, entry, surroundings)  # the same in other views
        if key not in view.library.results:
            view.library.results[key] = list(_of_entry(entry, texts))
        yield from cast("list[Diagnostic]", view.library.results[key])


def _of_entry(entry: AnyEntry, texts: Sequence[ParsedText]) -> Iterator[Diagnostic]:
    for text in texts:
        if text.text is not None and _MAY_CONTRADICT.search(str(text.place.value)):
            yield from _within(text, tuple(text.text.ast))
    if entry.kind == "skill":
        before = [text for text in texts if text.text and is_precondition(text.place)]
        yield from _impossible([condition(text) for text in before])
    elif entry.kind == "tree" and len(texts) > 1:
        yield from _Tree(by_place(texts)).begins(root_of(entry), ())


def _within(text: ParsedText, body: tuple[nodes.Node, ...]) -> Iterator[Diagnostic]:
    inner: set[int] = set()  # parts of chains, which are judged with these
    chains: list[nodes.And | nodes.Or | nodes.Compare] = []
    for node, _ in walk(body):
        if isinstance(node, nodes.And | nodes.Or):
            inner.update(id(s) for s in (node.left, node.right) if type(s) is type(node))
            if id(node) not in inner:
                chains.append(node)
        elif isinstance(node, nodes.Compare) and len(node.ops) > 1:
            chains.append(node)
    reported: set[int] = set()
    for node in reversed(chains):  # inner ones first
        if reported and any(id(part) in reported for part, _ in walk((node,))):
            continue
        either = isinstance(node, nodes.Or)
        demands = conflict([Condition(text, node, not either)])
        if demands:
            reported.add(id(node))
            word, always = ("or", "always holds") if either else ("and", "never holds")
            yield _problem(demands, f"this {always}", word)


def _problem(demands: Sequence[Demand], message: str, word: str) -> Diagnostic:
    *others, last = dict.fromkeys(demand.words for demand in demands)
    text, node, _ = demands[-1].part
    message = f"{message}: {f' {word} '.join([*others, last])}"
    return text.place.problem(CODE, message, offset=start(node), length=len(last))


def _impossible(conditions: Sequence[Condition]) -> Iterator[Diagnostic]:
    """Report conditions that never hold together, unless one never does by itself."""
    demands = conflict(conditions) if len(conditions) > 1 else None
    if demands and len({id(demand.part.text) for demand in demands}) > 1:
        yield never_together(CODE, demands)


def _together(known: tuple[Condition, ...], more: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """What is known after more was found; nothing if that is none, or contradicts it."""
    return (*known, *more) if more and conflict((*known, *more)) is None else ()


@frozen
class _Tree:
    """The conditions of a tree, by place."""

    texts: Mapping[Loc, ParsedText]

    def begins(self, at: TreeNodeAt, known: tuple[Condition, ...]) -> Iterator[Diagnostic]:
        """Report conditions that cannot hold where a node begins, given those just before it."""
        node, spec = at.node, spec_of(at.node)
        modifiers = {} if isinstance(node, list) else node.modifiers
        for key in modifiers:
            off = MODIFIERS[key].off
            guard = self._at(at, key, off is False) if isinstance(off, bool) else ()
            yield from _impossible((*known, *guard) if guard else ())
            known = _together(known, guard)
        if isinstance(node, NodeBase) and node.for_ is not None:
            known = ()  # its name has many meanings
        checked = self._checked(at)
        yield from _impossible((*known, *checked) if checked else ())
        order = "all" if isinstance(node, list) else spec.order_of(node) if spec is not None else ""
        for index, child in enumerate(at.children):
            step = str(child.loc[len(at.loc)])
            if spec is not None and step in spec.begins:
                yield from self.begins(child, (*known, *self._at(at, *spec.begins[step])))
                continue
            is_next = step not in MODIFIERS and (order or not index)
            yield from self.begins(child, known if is_next else ())
            plain = isinstance(child.node, NodeBase) and not child.node.modifiers
            checked = self._checked(child, order == "all") if plain else ()
            known = _together(known, checked)

    def _checked(self, at: TreeNodeAt, truth: bool = True) -> tuple[Condition, ...]:
        """The condition of a node that does nothing but check it."""
        spec = spec_of(at.node)
        return self._at(at, spec.fails_unless, truth) if spec and spec.fails_unless else ()

    def _at(self, at: TreeNodeAt, key: str, truth: bool) -> tuple[Condition, ...]:
        text = self.texts.get((*at.loc, key))
        return () if text is None or text.text is None else (condition(text, truth),)
