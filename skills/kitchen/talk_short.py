"""Requests cut short: "R2, salt", "I stir", "put the lettuce in": the moment says the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine import TalkContext
from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_tasks import DETERMINER, Found, Tasks
from skills.kitchen.talk_words import gerunds, pasts, word_set

_LEFT = frozenset({"waiting", "ready", "queued", "interrupted", "running"})
_WHAT = (
    rf"(?:(?: (?:it|that|this|them|those|one|all|up|again|in|into it|into them|in it|off|away|"
    rf"the rest)(?!\S))*(?: {DETERMINER}(?P<thing>@o\d+))?(?: (?:up|in|off|there|in it|"
    rf"into it)(?!\S))*)"
)
_BARE_THING = re.compile(
    rf"(?:(?:please|then|now|also|first|next|the|some|more|and) )*{DETERMINER}(?P<thing>@o\d+)"
    r"(?: (?:please|too|also|first|next|now|then|as well|(?P<voice>@a\d+)))*"
)
_NEEDED = re.compile(
    r"(?:(?:please|also|now|then|ok|hey|and|so) )*"
    r"(?:(?:i|we) (?:also )?(?:need|want|would like|'d like|could use|will need|'ll need)|"
    r"(?:can|could|may) (?:(?:i|we) (?:please )?have|we (?:please )?get)) (?:also )?"
    rf"{DETERMINER}(?P<thing>@o\d+)(?: (?:please|too|also|now|next|first|as well|over here|here|"
    r"(?P<voice>@a\d+)))*"
)
_DO_THE = re.compile(r"(?P<before>.*)do (?:the|some|my|that) (?P<verb>\S+ing)(?P<behind>.*)")
_GIVE_A = re.compile(
    rf"(?P<before>(?:.* )?)give {DETERMINER}(?P<thing>@o\d+) a (?:good |quick |"
    rf"little )*(?P<verb>\S+)(?P<behind>.*)"
)
_TOO_COMMON = word_set("get do make have take put go hand give bring pass hold run serve set add")


class Short:
    """Finds what an utterance that leaves something out asks for."""

    def __init__(self, context: TalkContext, tasks: Tasks) -> None:
        self._tasks = tasks
        # One subtask each: what was said of it decides between equals.
        found: dict[object, Found] = {}
        for subtask in context.subtasks:
            meaning = tasks.meaning(subtask.words) if subtask.status in _LEFT else None
            if meaning is not None:
                found.setdefault(meaning.what, meaning)
        self._meanings = list(found.values())
        self._ready = {
            meaning.what
            for subtask in context.subtasks
            if subtask.status in ("ready", "queued", "interrupted", "running")
            and (meaning := tasks.meaning(subtask.words)) is not None
        }
        self._forms: dict[str, tuple[str, str]] = {}
        for verb in sorted(tasks.kin):
            for form in pasts(verb):
                self._forms[form] = (verb, "past")
            for form in gerunds(verb):
                self._forms[form] = (verb, "ing")
        for verb in tasks.kin:
            self._forms[verb] = (verb, "base")

    def find(self, clause: Clause) -> Iterator[Found]:
        """Tasks of open subtasks that the clause says in part, if only one fits."""
        line = clause.line
        if clause.too_long:
            return
        for pattern in (_DO_THE, _GIVE_A):
            match = pattern.fullmatch(line)
            if match is not None and match["verb"] in self._forms:
                thing = match.groupdict().get("thing")
                yield from self._fitting(
                    clause, self._forms[match["verb"]][0], thing, match["before"], match["behind"]
                )
        words = line.split()
        for index, word in enumerate(words):
            verb, form = self._forms.get(word, ("", ""))
            if form not in ("base", "ing"):
                continue
            match = re.match(_WHAT, "".join(f" {it}" for it in words[index + 1 :]))
            assert match is not None
            if verb in _TOO_COMMON and match["thing"] is None:
                continue
            before = "".join(f"{it} " for it in words[:index])
            behind = "".join(f" {it}" for it in words[index + 1 :])[match.end() :]
            for found in self._fitting(clause, verb, match["thing"], before, behind):
                yield replace(found, form=form)

    def _fitting(
        self, clause: Clause, verb: str, thing: str | None, before: str, behind: str
    ) -> Iterator[Found]:
        tasks = self._tasks.said_with({verb})
        fitting = [it for it in self._meanings if it.task in tasks]
        if thing is not None:
            named = clause.mention(thing).objects
            fitting = [it for it in fitting if any(value in named for _, value in it.args)]
        if len(fitting) > 1:
            fitting = [it for it in fitting if it.what in self._ready]
        if len(fitting) == 1:
            yield replace(fitting[0], before=before, behind=behind)

    def thing(self, clause: Clause) -> tuple[Found, str | None, bool] | None:
        """A thing and nothing else: to fetch it. With the agent called behind it, if any,
        and whether it was said to be needed.
        """
        if clause.too_long:
            return None
        match = _BARE_THING.fullmatch(clause.line) or _NEEDED.fullmatch(clause.line)
        if match is None:
            return None
        found = self._tasks.fetch(clause.mention(match["thing"]))
        voice = clause.mention(match["voice"]).agent if match["voice"] else None
        return (found, voice, match.re is _NEEDED) if found is not None else None
