"""The acts of an utterance, clause by clause, before they are weighed against each other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine import TalkContext
from skills.kitchen.talk_answers import Answer, Answers
from skills.kitchen.talk_clauses import Clause, clauses
from skills.kitchen.talk_commands import go_on, stop
from skills.kitchen.talk_done import Done
from skills.kitchen.talk_drop import Drop
from skills.kitchen.talk_moods import asking, conditional, conditional_inside, questions, tells
from skills.kitchen.talk_names import Names
from skills.kitchen.talk_requests import (
    QUESTION_FRAME,
    Request,
    choice,
    fits_trail,
    generic,
    request,
    says_first,
)
from skills.kitchen.talk_short import Short
from skills.kitchen.talk_tasks import DETERMINER, Found, Tasks
from skills.kitchen.talk_wishes import Wishes
from skills.kitchen.talk_words import forms, name_words, word_set

_SOFT_JOINTS = frozenset({"and", "then", ",", "plus", "", "so"})
_VOCATIVE = re.compile(r"(?:(?:hey|hi|hello|ok|so|you|please) )*@a\d+(?: please)?")
_FRAGMENT = re.compile(rf"(?:also )?{DETERMINER}(?P<thing>@o\d+)(?P<behind>.*)")
_FILLER = re.compile(
    r"(?:(?:please|well|hm+|um+|uh+|oh|ah|so|hey|now|then|also|go|and|just|first|next|"
    r"first of all|right away|right now|immediately|today|thanks|thank you)(?: |$))+"
)
_MARKERS = (
    *(
        "not yet",
        "not now",
        "all right",
        "of course",
        "yes",
        "ok",
        "sure",
        "all-right",
        "fine",
        "no",
    ),
    *("do it", "no thanks", "yes please", "sounds good", "great", "perfect", "later", "done"),
    *("wait", "hold on", "never-mind", "oh", "well", "hey", "hmm", "actually", "so"),
)

_NOT_WHEN_TOLD = frozenset({"accept", "decline", "request", "stop", "resume", "choose", "drop"})
_SHORT_ORDER = 5
_STATUS = re.compile(r"(?:status )?(?:done|complete|completed|finished|ready)")
_WOULD_YOU = re.compile(r"(?:would|will|could|can) you(?: please)?")
_STARTERS = (("let's",), ("i", "'ll"), ("i", "want"), ("i", "will"), ("just",))
_AFTER_NAME = word_set("no yes ok please go stop wait hold sure don't do not")


@dataclass(slots=True)
class Act:
    """An act before weighing; `what` is the task of a request, `answer` that of a yes or no."""

    kind: str
    start: int
    end: int
    sentence: int
    joint: str
    fields: dict[str, object]
    line: str = ""
    answer: Answer | None = None
    request: Request | None = None


class Reader:
    """Reads one utterance in one context; made anew for each."""

    def __init__(self, context: TalkContext) -> None:
        self.context = context
        self._names = Names(context)
        self.tasks = Tasks(context, self._names)
        self._answers = Answers(context, self.tasks.kin)
        self._done = Done(context, self.tasks.kin)
        self._drop = Drop(context, self.tasks) if "drop" in context.acts else None
        self._wishes = Wishes(context)
        self._short = Short(context, self.tasks)
        self._doers = {
            s.agent: self.tasks.meaning(s.words)
            for s in context.subtasks
            if s.agent is not None and s.status == "running"
        }
        self._interrupted = any(a.stopped for a in context.agents) or any(
            s.status == "interrupted" for s in context.subtasks
        )
        self.acts: list[Act] = []
        self._called: list[str] = []  # agents spoken to just before: "R1, …"
        self._called_at = 0
        self._first = False
        self._before: Clause | None = None

    def read(self, text: str) -> list[Act]:
        """The acts in order of where they begin."""
        parts = asking(clauses(text, self._names))
        guarded = {c.sentence for c in parts if conditional(c.line)}
        for index, clause in enumerate(parts):
            self._before = before = parts[index - 1] if index else None
            behind = parts[index + 1] if index + 1 < len(parts) else None
            if before is not None and before.sentence != clause.sentence:
                self._called, self._first = [], False
            if clause.joint == "before":
                self._put_first(clause, before)
            elif clause.line.endswith("go ahead") and behind is not None and behind.joint == "and":
                continue  # "go ahead and get the salt" agrees to nothing
            elif _FILLER.fullmatch(clause.line):
                self._first = self._first or says_first(clause.line)
            elif (status := self._status(clause, behind)) is not None:
                self.acts.append(status)
            elif self.acts and (
                _WOULD_YOU.fullmatch(clause.line)
                or (clause.joint == ":" and _STATUS.fullmatch(clause.line))
            ):
                self.acts[-1].end = clause.end
            elif _VOCATIVE.fullmatch(clause.line) and (
                behind is not None or not clause.line.startswith("ok ")
            ):
                self._call(clause, behind)
            else:
                found = self._judge(clause)
                if found and self._called and before is not None and before.joint != "and":
                    found[0].start = min(found[0].start, self._called_at)
                self.acts += found or [self._leftover(clause)]
                self._called = []
        if parts and not self.acts:  # fillers and names alone
            self.acts.append(self._act("ask" if parts[0].asks else "remark", parts[0]))
            self.acts[0].end = parts[-1].end
        told = {c.sentence: c.start for c in reversed(parts) if tells(c.line)}
        for act in self.acts:
            if act.start >= told.get(act.sentence, act.end) and act.kind in _NOT_WHEN_TOLD:
                act.kind, act.fields, act.answer, act.request = "remark", {}, None, None
            elif act.sentence in guarded and act.kind not in ("decline", "remark"):
                act.kind, act.fields = "ask", {}
        return self.acts

    def _act(self, kind: str, of: Clause, **fields: object) -> Act:
        return Act(kind, of.start, of.end, of.sentence, of.joint, fields, of.line)

    def _status(self, clause: Clause, behind: Clause | None) -> Act | None:
        """ "Chop onions: complete": a subtask by its words, and that it is done."""
        if behind is None or behind.joint != ":" or not _STATUS.fullmatch(behind.line):
            return None
        said = {found.what for found in self.tasks.find(clause)}
        ids = [
            s.id
            for s in self.context.subtasks
            if s.status not in ("done", "dropped", "failed")
            and (meaning := self.tasks.meaning(s.words)) is not None
            and meaning.what in said
        ]
        return self._act("done", clause, subtasks=ids) if len(ids) == 1 else None

    def _put_first(self, clause: Clause, before: Clause | None) -> None:
        """ "before …": what was asked in this sentence comes first, or what will be."""
        last = self.acts[-1] if self.acts else None
        if last is not None and last.kind == "request" and last.sentence == clause.sentence:
            last.fields["first"] = True
            last.end = clause.end
        elif before is None or before.sentence != clause.sentence:
            self._first = True

    def _call(self, clause: Clause, behind: Clause | None) -> None:
        """Only a name: it is spoken to, for what follows or for what came just before."""
        names = clause.agents()
        last = self.acts[-1] if self.acts else None
        if clause.joint == "except" and last is not None and last.kind == "accept":
            ids = tuple(p.id for p in self.context.proposals if p.agent in names)
            self.acts.append(self._act("decline", clause))
            self.acts[-1].answer = Answer(False, ids)
        elif behind is not None and behind.sentence == clause.sentence:
            self._called_at = self._called_at if self._called else clause.start
            self._called += names
        elif (thing := self._before_call(clause, names)) is not None:
            self.acts[-1] = thing
        elif last is not None and last.sentence == clause.sentence and clause.joint in (",", "and"):
            if last.kind in ("request", "stop", "resume") and last.fields.get("agent") is None:
                last.fields["agent"], last.end = names[0], clause.end
            elif last.answer is not None and last.answer.ids is None:
                ids = tuple(p.id for p in self.context.proposals if p.agent in names)
                if ids:
                    last.answer, last.end = replace(last.answer, ids=ids, bare=False), clause.end

    def _before_call(self, clause: Clause, names: list[str]) -> Act | None:
        """ "Cream, R2": the thing named just before is to be fetched."""
        last, before = (self.acts[-1] if self.acts else None), self._before
        if last is None or last.kind != "remark" or before is None or clause.joint != ",":
            return None
        if before.sentence != clause.sentence:
            return None
        self._called = names
        found = self._thing(before)
        self._called = []
        if found is not None:
            found.end = clause.end
        return found

    def _judge(self, clause: Clause) -> list[Act]:
        """The acts of one clause; none if it is nothing that is known."""
        if questions(clause.line) and not clause.asks:
            clause = replace(clause, asks=True)
        hits = list(self.tasks.find(clause))
        found = self._command(clause, hits) or self._statement(clause, hits)
        if found or clause.too_long:
            return found
        if clause.line.startswith("@a") and len(clause.words) > 1 and not self._called:
            head, tail = clause.cut(1)
            if tail.words[0].key in _AFTER_NAME:
                self._called, self._called_at = head.agents(), head.start
                rest = self._judge(tail)
                if rest:
                    return rest
                self._called = []
        for marker in _MARKERS:
            count = marker.count(" ") + 1
            if clause.line.startswith(marker + " ") and len(clause.words) > count:
                head, tail = clause.cut(count)
                rest = self._judge(tail)
                if rest:
                    return [*self._statement(head, []), *rest]
        keys = tuple(word.key for word in clause.words)
        for index in range(2, len(keys) - 1):
            if any(keys[index : index + len(start)] == start for start in _STARTERS):
                head, tail = clause.cut(index)
                first = self._statement(head, list(self.tasks.find(head)))
                rest = self._judge(tail) if first or keys[0] in ("no", "not") else []
                if rest:
                    return [*first, *rest]
        return []

    def _command(self, clause: Clause, hits: list[Found]) -> list[Act]:
        told = stop(
            clause,
            hits,
            self._doers,
            self.context.user,
            answers=bool(self.context.proposals),
            short=self._short.find(clause),
        )
        if told is not None:
            called: list[str | None] = [name for name in self._called if name not in told]
            called += told if told != [None] or not called else []
            return [self._act("stop", clause, agent=name) for name in called]
        going = go_on(clause, [*hits, *self._short.find(clause)] if self._interrupted else hits)
        if going is None:
            return []
        verb, named = going
        named = [*self._called, *named]
        waits = [p.id for p in self.context.proposals if not named or p.agent in named]
        agrees = verb in ("go ahead", "go on", "proceed", "carry on") and bool(waits)
        agrees = agrees and (not named or verb == "go ahead" or not self._interrupted)
        if agrees and clause.keys("o") and (answer := self._answers.answer(clause)) is not None:
            act = self._act("accept", clause)
            act.answer = answer
            return [act]
        if agrees and not clause.asks and (verb == "go ahead" or not self._interrupted):
            act = self._act("accept", clause)
            act.answer = Answer(True, tuple(waits) if named else None)
            return [act]
        if (
            named
            or (self._interrupted and verb != "go ahead")
            or (self._interrupted and not self.context.proposals)
        ):
            agents: list[str | None] = [*named] if named else [None]
            return [self._act("resume", clause, agent=name) for name in agents]
        return []

    def _statement(self, clause: Clause, hits: list[Found]) -> list[Act]:
        off = self._drop.off(clause) if self._drop is not None else None
        if off is not None:
            return [self._act("drop", clause, subtasks=list(off))]
        answer = self._answers.answer(clause)
        if answer is not None:
            if self._called and answer.ids is None:
                own = tuple(p.id for p in self.context.proposals if p.agent in self._called)
                answer = replace(answer, ids=own, bare=False) if own else answer
            act = self._act("accept" if answer.yes else "decline", clause)
            act.answer = answer
            return [act]
        before = self.acts[-1] if self.acts else None
        told = before is not None and before.kind == "done" and clause.joint == "and"
        ids = self._done.report(clause, told=told)
        if ids is not None:
            return [self._act("done", clause, subtasks=list(ids))]
        asked = self._request(clause, hits) or self._more(clause)
        if asked is not None:
            return [asked]
        chosen = choice(clause) or self._wishes.wish(clause)
        return [self._act("choose", clause, recipe=chosen[0])] if chosen is not None else []

    def _request(self, clause: Clause, hits: list[Found]) -> Act | None:
        last = self.acts[-1] if self.acts else None
        follows = (
            last is not None
            and last.kind == "request"
            and last.sentence == clause.sentence
            and clause.joint in _SOFT_JOINTS
        )
        if clause.asks and follows and not QUESTION_FRAME.fullmatch(clause.line):
            clause = replace(clause, asks=False)  # "can you get the salt and stir the pot?"
        asked = request(clause, hits or self._generic(clause), self.context.user)
        if asked is None:
            asked = request(clause, list(self._short.find(clause)), self.context.user)
            if asked is not None and not asked.subject and len(clause.words) > _SHORT_ORDER:
                asked = None  # the less is said, the more must be clear
        if asked is None:
            return self._thing(clause)
        agent = asked.agent
        if agent is None and self._called:
            agent = self._called[-1]
        elif agent is None and follows and last is not None and last.request is not None:
            agent = last.request.agent if last.request.subject else None
        found = replace(asked, agent=agent, subject=asked.subject or agent is not None)
        return self._ask_for(clause, found)

    def _thing(self, clause: Clause) -> Act | None:
        """ "R2, salt" and "Salt first": to fetch what is named."""
        bare = self._short.thing(clause)
        if bare is None or (clause.asks and not bare[2]):
            return None
        found, agent, needed = bare
        agent = agent or (self._called[-1] if self._called else None)
        robots = {a.name for a in self.context.agents if not a.person}
        first = says_first(clause.line)
        if agent not in robots and not ((first or needed) and agent is None):
            return None
        return self._ask_for(clause, Request(found, agent, agent is not None, first))

    def _ask_for(self, clause: Clause, asked: Request) -> Act:
        act = self._act(
            "request",
            clause,
            agent=asked.agent,
            task=asked.found.task,
            args=dict(asked.found.args),
            first=asked.first or self._first,
        )
        self._first = False
        act.request = asked
        return act

    def _generic(self, clause: Clause) -> list[Found]:
        """ "do the lettuce": the one task that an open subtask about it says."""
        parts = generic(clause)
        if parts is None:
            return []
        names = clause.mention(parts[1]).objects
        meanings: dict[object, Found] = {}
        ready: list[object] = []
        for subtask in self.context.subtasks:
            if subtask.status in ("waiting", "ready", "queued", "interrupted", "running"):
                words = {form for word in name_words(subtask.words) for form in forms(word)}
                about = any(set(name_words(name)) <= words for name in names)
                meaning = self.tasks.meaning(subtask.words) if about else None
                if meaning is not None:
                    meanings[meaning.what] = meaning
                    ready += [meaning.what] if subtask.status != "waiting" else []
        if len(meanings) > 1:
            meanings = {what: found for what, found in meanings.items() if what in ready}
        if len(meanings) != 1:
            return []
        return [replace(next(iter(meanings.values())), before=parts[0], behind=parts[2])]

    def _more(self, clause: Clause) -> Act | None:
        """ "… and the pepper": one more thing for the request just made."""
        last = self.acts[-1] if self.acts else None
        match = None if clause.too_long else _FRAGMENT.fullmatch(clause.line)
        if last is None or match is None or last.request is None or last.kind != "request":
            return None
        if last.sentence != clause.sentence or clause.joint not in _SOFT_JOINTS:
            return None
        if not fits_trail(match["behind"]) or len(last.request.found.args) != 1:
            return None
        found = self.tasks.with_thing(last.request.found, clause.mention(match["thing"]))
        if found is None:
            return None
        first = says_first(match["behind"])
        act = self._ask_for(clause, replace(last.request, found=found, first=first))
        act.fields["agent"] = last.fields["agent"]
        if first and clause.joint == "and":
            last.fields["first"] = True  # "get the salt and the pepper first"
        act.start = last.start
        return act

    def _leftover(self, clause: Clause) -> Act:
        line = clause.line
        asks = clause.asks or questions(line) or conditional(line)
        if not asks and conditional_inside(line):
            asks = bool(clause.agents()) or next(self.tasks.find(clause), None) is not None
        return self._act("ask" if asks else "remark", clause)
