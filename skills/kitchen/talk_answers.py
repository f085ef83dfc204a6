"""Answers to open proposals: yes and no, and to which of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import TalkContext, TalkProposal
from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_words import forms, name_words, word_set

_THAT = r"(?:that|it|this)"
_YES = (
    rf"yes|sure thing|sure|of course|all-right|all right|ok|fine (?:by|with) me|fine|agreed|"
    rf"absolutely|definitely|certainly|affirmative|approved|confirmed|by all means|"
    rf"(?:{_THAT} )?(?:sounds|looks) (?:very |really |all )?(?:good|great|fine|perfect|lovely|ok|"
    rf"nice|wonderful|excellent)(?: to me)?|sounds like a (?:good |great )?plan|"
    rf"(?:{_THAT} )?works(?: for me)?|(?:{_THAT} )?would be (?:great|good|nice|lovely|perfect|"
    rf"wonderful)|{_THAT} (?:'s|is) (?:fine|perfect|agreed|"
    rf"a (?:good|great) (?:idea|plan))|(?:good|great|excellent) (?:idea|plan)|why not|"
    rf"bet|(?:that |it )?(?:is|are|'s) (?:(?:all|very|really|quite|just|totally) )*(?:ok|"
    rf"good|fine|perfect|great|all-right|approved|agreed|cool)"
    rf"(?: (?:for|by|with) (?:me|us))?|(?:i|we) (?:'m|am|are|'re) (?:good|fine|ok|happy|"
    rf"cool) (?:with|to)|"
    rf"(?:may|can|should) (?:go(?: ahead| on)?|begin|start|proceed)|approve|accept|confirm|"
    rf"approved|granted|"
    rf"(?:i|we) ?(?:'d|would)? (?:take|approve|accept|confirm)|suits me|good by me|"
    rf"my pleasure|with pleasure|gladly|"
    rf"go on|go ahead|go for it|(?:please )?do (?:it|that|so|both|them)|please do|i agree|i accept|"
    rf"make it so|make it happen|(?:please )?be my guest|knock yourself out|"
    rf"no objections?|roger(?: that)?|(?:i|we) (?:'d|would) (?:like|love|appreciate) {_THAT}|"
    rf"{_THAT} (?:'d|would|'ll|will) (?:help|be (?:great|good|nice|lovely|perfect|fine|wonderful|"
    rf"helpful|ok|splendid|ideal)|do nicely|work)|i don't mind|green light|happy to|"
    rf"(?:both|they|all) (?:sound|look) (?:good|great|fine|perfect)|do your thing|splendid|"
    rf"(?:i 'm|i am) (?:fine|happy|ok|good|cool) with {_THAT}|correct|exactly|that 's right|"
    rf"as you (?:wish|like)|go right ahead|proceed|do so"
)
_WEAK_YES = r"great|perfect|sweet|cool|good|lovely|excellent|awesome|wonderful|very good|nice"
_NO = (
    r"(?:i )?(?:'ll|will) pass|rejected|reject|deny|denied|declined?|refuse|refused|"
    r"negative|let's not|"
    r"(?:had |'d )?better (?:wait|not)|can stay|stay here|stay put|hold back|has to wait|"
    r"(?:(?:i )?(?:really )?(?:don't|do not) (?:want|feel like|fancy|like))|(?:i )?(?:am|"
    r"'m) not|not going to|"
    r"(?:is|are|was|'s) not|veto|"
    r"(?:absolutely|definitely|certainly|of course|i think|i guess) not|not so fast|never|"
    r"not that one|i disagree|(?:i 'm|i am) not (?:ready|sure about)|not interested|"
    r"no thanks|no thank you|not yet|not now|not today|not right now|no need|no|not|later|"
    r"maybe later|(?:please )?wait|hold on|hold off|hang on|one moment|just a (?:moment|second|"
    r"minute)|one (?:second|minute)|i (?:'d|would) rather not|rather not|better not|never-mind|"
    r"never mind|i (?:don't|do not) (?:think so|want|need)|(?:please )?(?:don't|do not)|"
    r"(?:should|must) (?:not|wait)|shouldn't|mustn't|needn't|does not need to|doesn't need to|"
    r"(?:can|has to|needs to) wait|won't|will not|'ll not|neither|none|nobody|skip|forget|cancel|"
    r"leave|i decline|i refuse|(?:i )?(?:really )?(?:can't|can not)"
)
_NEEDS_THING = frozenset({"skip", "forget", "leave", "cancel"})
_USERS_OWN = re.compile(
    r"(?:i )?(?:really )?(?:can't|can not|(?:don't|do not) (?:want|feel like|fancy|like))|"
    r"won't|will not|"
    r"'ll not|(?:i )?(?:am|'m) not"
)
_CORE_YES = re.compile(rf"(?<!\S)(?:{_YES})(?!\S)")
_CORE_WEAK = re.compile(rf"(?:(?:that|it|this) (?:'s|is) )?(?:{_WEAK_YES})")
_CORE_NO = re.compile(rf"(?<!\S)(?:{_NO})(?!\S)")
_DO_IT = re.compile(
    r"(?P<who>(?:i|@a\d+)) (?:please )?(?:can|will|'ll|may|should|shall|can also|will also)"
    r"(?: (?:do|take|handle))?(?: (?:it|that|this|so|them|both))?(?: (?:please|then|now|too))*"
)
_BARE = re.compile(
    r"(?:(?:just|only|please|do|take) )*(?:(?:both|all|all of|both of|the) )*"
    r"(?:both|all of them|them all|all three|all (?:please|these|those)|"
    r"(?:the )?(?:first|second|third|last)(?: one)?|number (?:one|two|three)|"
    r"all three(?: please| of them)?|"
    r"of (?:them|these|those))"
    r"(?: please)?"
)
_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1,
             "1": 0, "2": 1, "3": 2}  # fmt: skip
_GLUE = word_set(
    "please thanks thank you the a an to for with about that it this those these them they "
    "one ones of on in into at me my us do does doing let have make go and just only now then "
    "yet too both all everything each for any more some well oh hey hmm um so i will 'll can "
    "may should be is really very much course absolutely definitely sure ok yes no not today "
    "either anymore want need thing things proposal proposals idea rather from 's also good fine "
    "today right here to anything some bit moment ones number going i'd be begin begins start "
    "robot there actually that's really both everyone again like up 'm am afraid any "
    "tell ask three two robots "
)
_NOT_AFTER_NO = frozenset(
    {
        "ok",
        "yes",
        "sure",
        "sweat",
        "worries",
        "wonder",
        "doubt",
        "matter",
        "definitely",
        "so",
        "thing",
        "idea",
        "much",
        "well",
    }
)
_IS_FINE = re.compile(r"(?:(?:that|it) )?(?:is|are|'s) ")
_OPENERS = frozenset({"oh", "well", "hey", "hmm", "um", "so", "yes", "ok"})
_MILD = frozenset({"ok", "good", "great", "cool"})
_IT = frozenset({"it", "that", "this", "really", "all", "everything"})
_LONG_YES = frozenset({"i", "can", "may", "will", "'ll", "be", "is"})


@dataclass(frozen=True, slots=True)
class Answer:
    """A yes or no; `ids` are the proposals named, None when it names none."""

    yes: bool
    ids: tuple[str, ...] | None
    weak: bool = False
    bare: bool = False  # "yes", "ok", "no" and nothing else: may be no more than an opening


class Answers:
    """Reads answers to the open proposals of a context."""

    def __init__(self, context: TalkContext, kin: Mapping[str, set[str]]) -> None:
        self._robots = tuple(a.name for a in context.agents if not a.person)
        self._open = context.proposals
        self._user = context.user
        self._words = {p.id: _all_forms(p.words, kin) for p in context.proposals}
        self._names = {
            thing.name: [name_words(name) for name in (thing.name, *thing.also)]
            for thing in context.objects
        }

    def answer(self, clause: Clause) -> Answer | None:
        """The answer that a clause is from end to end, or None."""
        if not self._open or clause.asks or clause.too_long:
            return None
        line = clause.line
        if (match := _DO_IT.fullmatch(line)) is not None:
            who = self._user if match["who"] == "i" else clause.mention(match["who"]).agent
            ids = tuple(p.id for p in self._open if p.agent == who)
            return Answer(True, ids) if ids else None
        if _CORE_WEAK.fullmatch(line):
            return Answer(True, None, weak=True)
        if _BARE.fullmatch(line):
            return self._answer(True, clause, line.split())
        if not _CORE_YES.fullmatch(line) and (core := _CORE_NO.search(line)) is not None:
            return self._no(clause, core)
        if (core := _CORE_YES.search(line)) is not None:
            rest = _CORE_YES.sub(" ", line).split()
            if (
                _IS_FINE.match(core[0])
                and core[0].split()[-1] in _MILD
                and set(rest) <= _IT
                and " me" not in core[0]
            ):
                return None  # "it's ok" says how something is
            if _LONG_YES & set(rest) and rest[-1:] != ["do"]:
                return None
            answer = self._answer(True, clause, rest)
            if answer is not None and set(rest) <= _OPENERS:
                return Answer(True, None, bare=core[0] in ("yes", "ok", "all-right", "all right",
                                                           "fine", "sure"))  # fmt: skip
            return answer
        return None

    def _no(self, clause: Clause, core: re.Match[str]) -> Answer | None:
        line = clause.line
        before, behind = line[: core.start()].split(), line[core.end() :].split()
        if behind and behind[0] in _NOT_AFTER_NO:
            return None
        if core[0] in _NEEDS_THING and not behind:
            return None
        rest = before + behind
        if core[0] == "no" and not before and behind[:1] in (["i"], ["let"], ["let's"]):
            return None  # "no, I'll do it": that is more than a no
        if (
            _USERS_OWN.fullmatch(core[0])
            and not clause.agents()
            and (" want" not in core[0] or " to " in line)
        ):
            if not (core[0].startswith("i ") or before[:1] == ["i"]):
                return None
            mine = tuple(p.id for p in self._open if p.agent == self._user)
            answer = self._answer(False, clause, [word for word in rest if word != "i"])
            if answer is None or not mine:
                return None
            return Answer(False, mine if answer.ids is None else answer.ids)
        answer = self._answer(False, clause, rest)
        return Answer(False, None, bare=True) if answer is not None and not rest else answer

    def _answer(self, yes: bool, clause: Clause, rest: Sequence[str]) -> Answer | None:
        """An answer if every word beside the yes or no is glue or names open proposals."""
        said = set().union(*self._words.values())
        for word in rest:
            known = word in _GLUE or word in _ORDINALS or word in said
            if not known and (not word.startswith("@") or word.startswith("@r")):
                return None
        ids = self._named(clause, rest)
        return None if ids is not None and not ids else Answer(yes, ids)

    def _named(self, clause: Clause, rest: Sequence[str]) -> tuple[str, ...] | None:
        """The proposals that words narrow it down to; None when they do not narrow."""
        chosen: list[TalkProposal] = list(self._open)
        narrowed = False
        agents = clause.agents(" ".join(rest))
        if agents:
            narrowed, chosen = True, [p for p in chosen if p.agent in agents]
        elif "robots" in rest or ("both" in rest and len(chosen) > 2):
            narrowed, chosen = True, [p for p in chosen if p.agent in self._robots]
        things = [word for word in rest if word.startswith("@o")]
        if things:
            narrowed = True
            chosen = [p for p in chosen if any(self._about(p, clause, key) for key in things)]
        words = [w for w in rest if w not in _GLUE and w not in _ORDINALS and w[0] != "@"]
        if words:
            narrowed = True
            chosen = [p for p in chosen if all(w in self._words[p.id] for w in words)]
        for word in rest:
            if word in _ORDINALS:
                narrowed = True
                place = _ORDINALS[word]
                nth = self._open[place : place + 1] if place >= 0 else self._open[-1:]
                chosen = [p for p in chosen if p in nth]
        return tuple(p.id for p in chosen) if narrowed else None

    def _about(self, proposal: TalkProposal, clause: Clause, key: str) -> bool:
        words = self._words[proposal.id]
        return any(
            bool(name) and all(word in words for word in name)
            for thing in clause.mention(key).objects
            for name in self._names[thing]
        )


def _all_forms(words: str, kin: Mapping[str, set[str]]) -> frozenset[str]:
    """Every form of every word of a subtask, and of the verbs that say the same."""
    said = name_words(words)
    alike = kin.get(said[0], set()) if said else set()
    return frozenset(form for word in (*said, *alike) for form in forms(word))
