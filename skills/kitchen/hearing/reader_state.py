"""The state of a reader, and its reading of fixed sayings: yes, no, later, wait."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import cast

from treec import TalkContext
from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.answers import Answers
from treec.skills.kitchen.hearing.chunker import Chunker
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.names import NameIndex
from treec.skills.kitchen.hearing.orders import OrderReader
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.reports import Reports
from treec.skills.kitchen.hearing.tasks import TaskVocabulary
from treec.skills.kitchen.hearing.wishes import Wishes
from treec.skills.kitchen.hearing.words import name_words

_chunkers: OrderedDict[object, Chunker] = OrderedDict()
_GOING = frozenset(
    {
        "go",
        "go go",
        "go go go",
        "start",
        "begin",
        "proceed",
        "go ahead",
        "let's go",
        "go for it",
        "off you go",
        "get going",
        "get moving",
    }
)
_OWN = re.compile(
    r".*\b(?:i will (?!pass|say)|i can\b(?! live| see| hear)|i cannot|can not|i can not|not me|"
    r"i have "
    r"got (?:this|it|that)|leave (?:it|that) (?:to|with) me|"
    r"on it|(?:it )?(?:may|might) as well be me|i am out\b.*|count me out|i am busy|my hands|"
    r"i am in the middle|i have not|i do not "
    r"have|i am not doing|i would (?:love|like|rather|be)|(?:happy|glad|delighted|pleased|willing|"
    r"honoured) to|my pleasure|an? (?:honour|pleasure|privilege)|the honours|must decline|"
    r"i [\w ]*(?:must|have to|need to|want to) (?:decline|refuse|pass|say no|bow out|beg off|opt|"
    r"sit)|i do not [\w ]*(?:want|wish|care) to|"
    r"i (?:suppose|guess|reckon|think|believe|imagine|expect) i (?!agree)|i shall|do not mind if i|"
    r"i (?:may|must|should|had better|dare) not|"
    r"i do not mind|consider it done|must i).*"
)
_BUSY = re.compile(r"(?:because |since |as |sorry )*(?:my hands|i am (?:too )?busy|i am in the)")


def _chunker(context: TalkContext) -> Chunker:
    """The chunker of a kitchen, cached: its tables depend on tasks and names only."""
    key = (
        context.agents, context.recipes, context.objects, context.recipe_name,
        tuple((t.name, t.says) for t in context.tasks),
        tuple((s.id, s.words) for s in context.subtasks),
    )  # fmt: skip
    if key not in _chunkers:
        _chunkers[key] = Chunker(context, NameIndex(context))
        while len(_chunkers) > 8:
            _chunkers.popitem(last=False)
    _chunkers.move_to_end(key)
    return _chunkers[key]


class ReaderState:
    """One utterance in one context."""

    def __init__(self, context: TalkContext) -> None:
        self.context = context
        self._chunker = _chunker(context)
        self.refs = Refs(context, TaskVocabulary(context, self._chunker))
        self._answers = Answers(self.refs)
        self._reports = Reports(self.refs)
        self._orders = OrderReader(self.refs)
        self._wishes = Wishes(self.refs)
        self._busy = any(
            s.status == "running" and s.agent in self.refs.robots for s in context.subtasks
        )
        self.acts: list[HeardAct] = []
        self._called: tuple[str, ...] = ()
        self._everyone = False
        self._antecedents: tuple[str, ...] = ()
        self._theirs: set[int] = set()  # sentences of others, or addressed to others
        self.text = ""
        self.heard: list[Chunk] = []
        self._first = -1  # the sentence with a bare "first"
        self._given_up = -2  # the sentence that gives up the dish
        self._dish_words = {w for name in context.recipes for w in name_words(name)}
        self._guarded: set[int] = set()  # conditional sentences
        self._dealt = 0  # clauses before this index are read, as a list of answers
        self._hailed: tuple[str, ...] = ()  # the agents addressed, and in which sentence
        self._hailed_at = -2
        self._traded: list[HeardAct] = []  # requests of a swap
        self._words_before = ""
        self._last_agent = ""  # the only agent that the previous clause mentions
        self._unfinished_work = False  # unfinished work was reported
        self._small = False  # small talk, or a report of unfinished work
        self._greeted = False  # somebody outside the team was greeted by name

    def chunks(self, text: str) -> list[Chunk]:
        """The chunks of a text."""
        return self._chunker.chunks(text)

    @property
    def overheard(self) -> bool:
        """Whether something is quoted or addressed to others, or all is small talk.

        Explicit utterances count, too: they are not analysed again.
        """
        acts = [a for a in self.acts if a.kind != "remark"]
        sure = bool(acts) and all(a.sure for a in acts)
        return bool(self._theirs) or self._greeted or self._small or sure

    def _stopped(self) -> bool:
        return any(a.stopped for a in self.context.agents) or any(
            s.status == "interrupted" for s in self.context.subtasks
        )

    def _remember(self, clause: Clause) -> None:
        agents = [a for c in clause.core for a in c.agents]
        self._words_before = clause.words
        self._last_agent = agents[0] if len(agents) == 1 else ""
        things = tuple(
            names[0] for c in clause.core if c.kind == "O" for names in c.things if len(names) == 1
        )
        self._antecedents = things or self._antecedents

    def _finished(self, clause: Clause, found: list[HeardAct]) -> None:
        """ "I've finished, R1 can put it in": makes the things worked on antecedents."""
        for one in found:
            if one.kind == "done" and not clause.has("O"):
                (first, *_) = cast("list[str]", one.fields["subtasks"])
                meaning = self.refs.meanings[first]
                items = [v for _, v in meaning.args] if meaning is not None else []
                self._antecedents = tuple(items[:1]) or self._antecedents

    def _fixed(self, clause: Clause) -> list[HeardAct]:
        """A fixed saying: yes, no, later, thanks."""
        kind = clause.saying
        open_ = bool(self.context.proposals)
        if kind == "PLEASE" and open_ and clause.words.startswith("if you would") and not self.acts:
            return [self._answer("accept", clause)]  # "if you'd be so kind"
        if kind in ("HELLO", "UM", "PLEASE", "THANKS"):
            return [act("ask" if clause.asks and kind == "UM" else "remark", clause)]
        if kind == "DONE":
            report = self._reports.read(clause, self._antecedents)
            return [report] if report is not None else [act("remark", clause)]
        why_not = clause.words in ("why not", "why ever not", "and why not")
        if clause.asks and kind != "PUTOFF" and not (why_not and (open_ or self.context.offered)):
            return [act("ask", clause)]
        last = self.acts[-1] if self.acts else None
        if clause.joint == "and" and last is not None and last.kind == "remark" and kind == "WAIT":
            return [act("remark", clause)]
        if kind == "WAIT":
            if self._is_acknowledgement(clause) and last is not None and last.kind == "accept":
                return [act("remark", clause)]  # "will do, one sec"
            if self._busy and not self._hesitates(clause) and not self._is_acknowledgement(clause):
                agents: tuple[str | None, ...] = clause.addressees or (None,)
                return [act("stop", clause, agent=agent) for agent in agents]
            kind = "NO"
        continues_remark = (
            last is not None and last.sentence == clause.sentence and last.kind == "remark"
        )
        about = last.clause if continues_remark and last is not None else clause
        alien = continues_remark and clause.joint in ("but", ",")
        alien = alien and not any(about.has(k) for k in ("O", "A", "YOU", "SOMEONE"))
        if kind == "NEVERMIND" and alien:
            return [act("remark", clause)]  # "I should have phoned first, but never mind"
        if kind == "NEVERMIND":
            kind = "NO" if clause.core and clause.core[0].key == "never" and open_ else "UM"
        halts = clause.words.startswith("that will do") and not open_
        if halts and set(clause.addressees) & set(self.refs.robots):
            return [act("stop", clause, agent=agent) for agent in clause.addressees]
        if kind in ("YES", "OK", "GOOD"):
            first = clause.core[0] if clause.core else None
            goes = any(c.of("GO") for c in clause.core) or clause.words in _GOING
            if goes and self._stopped() and first is not None:
                return self._orders.resume(clause, clause.addressees or (None,))
            answer = self._answer("accept", clause, weak=kind == "GOOD", mild=kind == "OK")
            pair = {a for c in clause.chunks for a in self.refs.robots_of(c)}
            ids = tuple(p.id for p in self.context.proposals if p.agent in pair)
            if ids and answer.kind == "accept":
                answer.ids, answer.bare = ids, False  # "you two go ahead"
            return [answer]
        is_answer = (
            kind == "NO" and last is not None and last.kind == "ask" and not clause.addressees
        )
        answers = self._declined_by_no(last, clause) if is_answer and last is not None else []
        if answers and last is not None:
            self.acts.remove(last)
            return answers
        if kind in ("NO", "PUTOFF"):
            return [self._answer("decline", clause)]
        return [act("remark", clause)]

    def _declined_by_no(self, is_answer: HeardAct, clause: Clause) -> list[HeardAct]:
        """What a no to a named thing declines: its proposal, or its open subtasks."""
        named = [c.kind for c in is_answer.clause.core] == ["O"]  # "salt? no, no"
        if not named or is_answer.sentence != clause.sentence - 1:
            return []
        ref = self.refs.read(is_answer.clause.core)
        ids = self.refs.proposals(ref)
        if ids:
            answer = act("decline", clause)
            answer.ids = ids
            return [answer]
        at_hand = self.refs.subtasks(ref, (("queued", "running"),))
        return (self._orders.drop(clause, is_answer.clause.core, 0) or []) if at_hand else []

    def _is_acknowledgement(self, clause: Clause) -> bool:
        """ "Will do, one sec", "my hands are wet, give me a sec": stops nobody."""
        own = any(p.agent == self.context.user for p in self.context.proposals)
        plain = not {"wait", "hold", "hang", "whoa", "stop"} & set(clause.words.split())
        return own and plain and bool(self.acts) and self.acts[-1].sentence == clause.sentence

    def _hesitates(self, clause: Clause) -> bool:
        """ "Yes, wait, no": "wait" marks a correction."""
        last = self.acts[-1] if self.acts else None
        return (
            clause.joint == ""
            and last is not None
            and last.bare
            and last.sentence == clause.sentence
        )

    def _answer(
        self, kind: str, clause: Clause, *, weak: bool = False, mild: bool = False
    ) -> HeardAct:
        answer = act(kind, clause)
        answer.bare, answer.weak = True, weak or mild
        if not self.context.proposals:
            return self._choose_offered(answer)
        if kind in ("accept", "decline"):
            own = tuple(p.id for p in self.context.proposals if p.agent == self.context.user)
            if own and _own(clause.words):
                answer.ids, answer.bare = own, False
            elif kind == "decline" and _BUSY.match(clause.words):
                return act("remark", clause)  # a reason for asking others
            elif _own(clause.words) and kind == "accept":
                return self._taken_over(clause)
        return self._restrict_to_addressee(answer)

    def _taken_over(self, clause: Clause) -> HeardAct:
        """ "I'll do that myself", about something proposed to somebody else."""
        (first, *others) = self.context.proposals
        meaning = self.refs.proposed[first.id]
        if others or meaning is None:
            return act("remark", clause)
        answer = act("request", clause, agent=self.context.user, task=meaning.task)
        answer.fields |= {"args": dict(meaning.args), "first": False}
        answer.found = meaning
        return answer

    def _choose_offered(self, answer: HeardAct) -> HeardAct:
        """An answer to dishes that were just offered."""
        if self.context.offered and not self.context.recipe_name and answer.clause.saying != "WAIT":
            one = self.context.offered[0] if len(self.context.offered) == 1 else None
            return act("choose", answer.clause, recipe=one if answer.kind == "accept" else None)
        return act("remark", answer.clause)

    def _restrict_to_addressee(self, answer: HeardAct) -> HeardAct:
        if answer.ids is None and self._called:
            ids = tuple(p.id for p in self.context.proposals if p.agent in self._called)
            if ids:
                answer.ids, answer.bare = ids, False
        return answer


def _own(words: str) -> bool:
    """Whether an answer is about the speaker's own work."""
    return _OWN.fullmatch(words) is not None


def commands(clause: Clause) -> bool:
    """Whether a clause begins by stopping or resuming an agent."""
    return any(c.of("STOP") or c.of("WAIT") or c.of("GO") for c in clause.core[:1])
