"""An order corrected in the same breath: "R2, get the milk, no, the butter".

What stands before the correction is heard on its own. If it is one order, the rest is heard as if
that order had just been given, by the templates that correct the last order; what it comes to
replaces the order, which is never given. A verb alone is replaced by the next one: "chop, I mean
peel, the carrots".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from treec.team.talk import TalkContext, TalkSubtask
from treec_hearing.heard import FoundAct, Hearing
from treec_hearing.mentions import Mentions
from treec_hearing.templates import HearingTemplate

Listen = Callable[[str, TalkContext], Hearing]
_ID = "said just now"
_SLOTS = ("{meant}", "{mistaken}", "{relieved}")
_MOST_TRIED = 8
"""Words of an utterance that may begin a correction, counted from its end."""
_LONGEST_MARK = 4
"""Words between two verbs: "chop, oh sorry, I mean peel"."""


class SameBreath:
    """Finds corrections within an utterance, by the words with which templates begin to correct."""

    def __init__(self, templates: Sequence[HearingTemplate]) -> None:
        own = [one for one in templates if any(slot in one.text for slot in _SLOTS)]
        self._begins = frozenset[str]().union(*(one.first for one in own if one.first))

    def corrected(self, mentions: Mentions, text: str, listen: Listen) -> Hearing | None:
        """The utterance with its correction made; None if it corrects no order of its own."""
        words = mentions.words
        first = next((at for at in range(len(words)) if _is_verb(mentions, at)), len(words))
        begins = (at for at in range(len(words) - 1, first, -1) if words[at].text in self._begins)
        for at in islice(begins, _MOST_TRIED):
            if not _is_without(mentions, at):
                found = self._reordered(mentions, text, at, listen)
                found = found or self._with_next_verb(mentions, text, at, listen)
                if found is not None:
                    return found
        return None

    def _reordered(self, mentions: Mentions, text: str, at: int, listen: Listen) -> Hearing | None:
        start = mentions.words[at].start
        head, context = text[:start], mentions.context
        order = _only_order(listen(head, context))
        work = _work_of(order, mentions) if order is not None else None
        if order is None or work is None:
            return None
        now = replace(context, subtasks=(work,), proposals=(), before=(work.words,))
        tail = listen(text[start:], now)
        kept = [*_corrections(tail, order)]
        if tail.left_over or tail.held_back or not kept:
            return None
        acts = (replace(one, start=order.start, end=start + one.end) for one in kept)
        return Hearing(text, tuple(acts), (), withdrawn=start)

    def _with_next_verb(
        self, mentions: Mentions, text: str, at: int, listen: Listen
    ) -> Hearing | None:
        """An order whose verb is replaced before its thing is said."""
        words = mentions.words
        if not _is_verb(mentions, at - 1):
            return None
        after = range(at + 1, min(at + 1 + _LONGEST_MARK, len(words) - 1))
        verb = next((n for n in after if _is_verb(mentions, n)), None)
        if verb is None or words[verb].text == words[at - 1].text:
            return None
        mark, rest = text[words[at].start : words[verb].end], text[words[verb + 1].start :]
        said = f"{text[: words[at - 1].end]} {rest.rstrip(' .!?')}, {mark} {rest}"
        order = _only_order(listen(said, mentions.context))
        if order is None or not _corrects(order):
            return None
        whole = replace(order, start=words[0].start, end=words[-1].end)
        return Hearing(text, (whole,), (), withdrawn=words[verb].end)


def _only_order(heard: Hearing) -> FoundAct | None:
    """The order that an utterance is, if it is one and nothing else."""
    if len(heard.acts) != 1 or heard.held_back:
        return None
    return next((act for act in heard.acts if act.fields.get("task")), None)


def _work_of(order: FoundAct, mentions: Mentions) -> TalkSubtask | None:
    """The order as work that was asked for, if its words name it again."""
    task, args = order.fields["task"], order.fields.get("args")
    things = args if isinstance(args, Mapping) else {}
    agent = order.fields.get("agent")
    for one in mentions.context.tasks:
        for says in one.says if one.name == task else ():
            words = says
            for name, thing in things.items():
                words = words.replace(f"<{name}>", str(thing))
            said = mentions.lexicon.of_subtask(words).said
            if said is not None and (said.task, dict(said.args)) == (task, dict(things)):
                named = agent if isinstance(agent, str) else None
                return TalkSubtask(_ID, words, "queued", named, asked=True)
    return None


def _corrections(tail: Hearing, order: FoundAct) -> Iterator[FoundAct]:
    """The orders of a correction, to whom the first was given if they name nobody."""
    orders = [act for act in tail.acts if act.fields.get("task")]
    if not all(act in orders or act.fields.get("subtasks") == [_ID] for act in tail.acts):
        return
    if orders and _corrects(orders[0]):
        agent = order.fields.get("agent")
        for act in orders:
            own = act.fields.get("agent") or agent
            yield replace(act, fields={**act.fields, "agent": own}, others=())
    elif tail.acts and not orders and "{relieved}" in tail.acts[0].template:
        yield replace(order, fields={**order.fields, "agent": None}, others=())


def _is_without(mentions: Mentions, at: int) -> bool:
    """Whether words leave out a thing: "no pepper", but not "no, the pepper" or "no crate 17"."""
    language, words = mentions.lexicon.language, mentions.words
    if (words[at].text,) not in language.negations or at + 1 == len(words):
        return False
    if words[at + 1].breaks or words[at + 1].text in language.articles:
        return False
    things = {str(thing) for _, thing in mentions.find("", at + 1)}
    return any(re.match(language.file.definite[0], thing) for thing in things)


def _corrects(act: FoundAct) -> bool:
    return any(slot in act.template for slot in _SLOTS)


def _is_verb(mentions: Mentions, at: int) -> bool:
    """Whether a task's verb stands here as orders say it."""
    return any(one.base for one in mentions.lexicon.tasks.get(mentions.words[at].text, ()))
