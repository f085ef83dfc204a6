"""Moods of a clause: order, offer, permission, question, prohibition, report.

A mood is an opening: "could you", "I want R2 to", "don't let R1". The patterns match lines of
codes, in which names and pronouns are kinds; the part behind an opening must begin with a verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause

_S = r"(?P<who>(?:A|ALL|YOU|SOMEONE|THEY|OTHERONE|WE|I|ORD)(?: A)?) "
_ROBOT = r"(?P<who>(?:ORD|A|ALL|YOU|SOMEONE|THEY|OTHERONE)(?: A)?) "
_AUX = r"(?:can|could|will|would|might) "
_MUST = (
    r"(?:should|must|shall|will|would|has to|have to|needs? to|ought to|had better|is to|are to|"
    r"is going to|are going to|is supposed to|are supposed to|had best|better|has got to|gets to|"
    r"have got to|is about to|are about to|would do well to|should maybe|should go|"
    r"will need to|will have to|should be) "
)
_MAY = (
    r"(?:can|could|may|might|is free to|are free to|is welcome to|are welcome to|is "
    r"allowed to|are allowed to|can go|may go|can be|gets to) "
)
_WISH = (
    r"(?:want|would_like|need|would_love|prefer|would prefer|expect|would_want|require|wish|"
    r"would rather have|would rather|would sooner have|would much prefer|would have|"
    r"would_prefer|am asking|ask|beg|trust|intend|propose) "
)
_BE = r"(?:is|are|was|would be|will be|might be|could be|may be|has been) "
_NICE = (
    r"(?:W )*(?:\w+ )?(?:nice|good|great|lovely|best|better|wonderful|helpful|time|"
    r"handy|useful|kind|perfect|wise|fine|ok|smart|super|fantastic|sweet|brilliant|"
    r"awesome|cool|ideal|necessary|important|turn|job|essential|appreciated|swell|"
    r"grand|amazing|excellent) "
)

_TABLE: tuple[tuple[str, str, str], ...] = (
    # prohibitions, exemptions
    (
        "ban",
        "base",
        r"(?:please )?(?:do not|never|do not you|do not ever) (?:let |have |make |allow "
        rf"){_S}(?:to )?",
    ),
    (
        "ban",
        "base",
        rf"(?:I|WE) do not (?:want|think|like|need) (?:I want )?{_S}(?:should |to |"
        r"needs? to |must |can )?",
    ),
    (
        "ban",
        "base",
        rf"(?:I|WE) (?:would rather|would_prefer|would prefer|prefer) {_S}(?:did not|do "
        r"not|does not|would not|not) (?:to )?",
    ),
    ("ban", "base", r"(?:let's|let WE) not "),
    (
        "ban",
        "base",
        r"(?:I|WE) (?:will|would|do|can|could|am) not (?:going to )?(?:let|have|allow) "
        rf"{_S}(?:to )?",
    ),
    ("ban", "s", r"nobody "),
    ("ban", "base", r"nobody "),
    (
        "ban",
        "base",
        rf"{_S}(?:should|must|shall|can|could|may|might|will|would|had better|ought|"
        r"better|is|are) not (?:to |be )?",
    ),
    ("need not", "base", rf"{_S}(?:does|do|did) not (?:have|need) to "),
    ("need not", "base", rf"{_S}need not (?:to )?"),
    (
        "need not",
        "base",
        r"(?:(?:there is|IT is|I see) )?(?:no need|not necessary|no reason|unnecessary|"
        rf"not needed|no point in|not required|no call|no cause) (?:for {_S})?(?:to )?",
    ),
    (
        "need not",
        "ing",
        r"(?:(?:there is|IT is|I see) )?(?:no need|no point|no use) (?:for|in|of)? ?",
    ),
    ("order", "base", r"(?:IT )?would be (?:DET )?(?:ADJ )?\w+ not to "),
    ("ban", "base", r"I would not "),
    (
        "refusal",
        "base",
        r"I (?:will|can|do|could|shall|am) (?:not|never|hardly) (?:want to |going to |"
        r"like to |feel like |have to |be able to |able to |about to )?",
    ),
    (
        "refusal",
        "ing",
        r"I (?:do|am|would|will) not (?:feel_like|fancy|like|enjoy|want|love|be|going to be|W)? ?",
    ),
    ("need not", "base", r"nobody (?:needs|has|needed|should have) to "),
    ("ban", "base", r"nobody (?:should|must|may|can|is to) "),
    ("offer", "base", r"(?:(?:W )?(?:happy|glad|ready|willing|delighted)|IT w\w+ be DET \w+) to "),
    (
        "refusal",
        "base",
        r"I (?:would rather|would prefer|prefer|would_rather|would_prefer) not (?:to )?",
    ),
    (
        "refusal",
        "base",
        r"I (?:refuse|decline|hate|have no time|am too busy|do not have time|am not "
        r"able|am in no mood) to ",
    ),
    ("ban", "base", rf"{_S}(?:do|does) not "),
    (
        "ban",
        "base",
        r"(?:do not|never|do not you|must not|not to) (?:YOU dare |dare |to |go |start |begin |"
        r"try to |bother to |you |even |YOU )*",
    ),
    (
        "ban",
        "ing",
        r"(?:do not|never) (?:go |start |begin |be |bother |bother with |think about |think "
        r"of |consider )",
    ),
    ("ban", "ing", r"(?:no|not|without|no more|no further) "),
    # orders as questions
    (
        "order",
        "base",
        rf"{_AUX}(?:not )?{_S}(?:not )?(?:be so \w+ (?:as )?to |be able to |try to |be "
        r"a \w+ and |go and |come and |manage to |be willing to |help I |help WE |help "
        r")?(?:to )?",
    ),
    (
        "order",
        "base",
        r"(?:would|will|could|can) (?:IT be possible|IT be ok|I ask|I trouble|I get|I "
        rf"have|WE have|WE get|I bother) (?:for )?{_S}(?:to )?",
    ),
    ("order", "base", r"(?:would|might|could) IT be (?:\w+ )?possible to (?:have )?"),
    ("order", "ing", r"(?:would|do|does|will|could)? ?(?P<who>YOU|SOMEONE|A|ALL)? ?mind "),
    ("order", "base", rf"(?:would|do|will)? ?(?:YOU|SOMEONE)? ?mind (?:if )?{_S}"),
    (
        "order",
        "base",
        r"(?:is|are) (?P<who>YOU|SOMEONE|A|ALL) (?:able|free|willing|available|ready|in "
        r"a position) to ",
    ),
    ("order", "ing", r"(?:do YOU |does SOMEONE |A do YOU )?(?:feel like|fancy|fancying) "),
    (
        "order",
        "base",
        r"(?P<who>A|YOU|ALL|SOMEONE) (?:can |may |could |please )?go_(?:ahead|on) and ",
    ),
    # let, have, make, tell
    (
        "cause",
        "base",
        rf"(?:{_AUX}(?:YOU|WE|SOMEONE|A) |let's |WE (?:should|could|can|will|must|need "
        r"to|have to|will have to|had better) |I (?:will|would|want to|am going to|"
        r"shall|would_like to|think|can|must|have to|need to|should|would_like|want) |"
        r"YOU (?:should|can|could|must|may) )?(?:let|have|make|get|ask|tell|send|allow|"
        r"leave|instruct|order|call on|assign|put|command|direct|assume|trust|program) "
        rf"{_S}(?:to |on to |out to |off to |in to |over to )?(?:go |go and |be the one "
        r"to )?",
    ),
    (
        "cause",
        "base",
        rf"(?:I|WE) (?:do )?{_WISH}(?:for )?{_S}(?:to )?(?:go and |go |be the one to |"
        r"please )?(?:be )?",
    ),
    (
        "cause",
        "ing",
        rf"(?:I|WE) (?:do )?(?:{_WISH}|do not mind |am happy with |am fine with )?{_S}",
    ),
    ("ban", "past", r"(?:I|WE) would (?:W |prefer |would_prefer )?nobody "),
    ("cause", "past", rf"(?:I|WE) (?:would (?:W )?|would_prefer |would prefer )(?:that )?{_S}"),
    (
        "cause",
        "base",
        r"(?:I am|I would be|I will be) (?:happy|fine|ok|good|glad|grateful|pleased|"
        rf"delighted) (?:for|if|with) {_S}(?:to |could |would |can |will )?",
    ),
    (
        "cause",
        "base",
        r"(?:I|WE) would (?:appreciate|like|love|be grateful for|welcome|prefer|be "
        r"happy|be glad|be grateful|be delighted|be pleased) (?:it|IT)? ?(?:if "
        rf")?{_S}(?:could |would |can |will )?",
    ),
    (
        "cause",
        "past",
        r"(?:I would (?:W )?(?:feel|be|W) (?:better|happier|happy|glad|good|grateful|W)|"
        rf"IT would (?:help|be {_NICE.strip()})|W would be {_NICE.strip()}) (?:a lot "
        rf")?if {_S}",
    ),
    (
        "cause",
        "base",
        r"(?:IT would help|I would feel better|I would be happier)(?: W)* if "
        rf"{_S}(?:were to |was to |could |would |can )?",
    ),
    (
        "cause",
        "base",
        rf"(?:IT|that|what) {_BE}(?:not )?{_NICE}(?:for|if|of) {_S}(?:to |could |would |"
        r"can |will )?",
    ),
    ("order", "base", rf"(?:IT|that) {_BE}{_NICE}to (?:have )?"),
    (
        "cause",
        "base",
        r"(?:what|how) (?:if|about|about if|about having|about letting|do YOU think "
        rf"about|say) {_S}(?:could |would |to |does |do |can )?",
    ),
    ("cause", "s", rf"(?:(?:what|how) (?:if|about|about if)|(?:better|best)(?: if)?) {_S}"),
    ("order", "base", r"(?:(?P<who>A) )?(?:'s |is |YOU |DET |W |ADJ )*(?:HEAD|IT) is to "),
    ("cause", "base", r"make (?P<who>IT) "),
    ("cause", "base", r"(?:let|allow) (?P<who>IT|THEY) (?:to )?"),
    ("cause", "ing", rf"(?:what|how) about (?:having )?{_S}"),
    ("order", "ing", r"(?:what|how) about "),
    ("order", "base", r"(?:how about|why not|what if|why do not WE|why do not|why not just) "),
    ("cause", "base", rf"why (?:do|does|can|could|should|will|would) (?:not )?{_S}(?:not )?"),
    (
        "cause",
        "base",
        rf"(?:better|best|preferably|rather|maybe|perhaps) (?:if |that |let |have |YOU let )?{_S}",
    ),
    (
        "cause",
        "base",
        rf"(?:quicker|faster|better|easier|best|nicer|simpler|safer|W) if {_S}(?:just )?",
    ),
    ("cause", "base", rf"(?:IT is )?(?:time|turn|about time|high time) (?:for|that) {_S}(?:to )?"),
    (
        "cause",
        "base",
        rf"(?:IT is )?{_S}(?:'s? ?|is )(?:turn|job|task|duty|go|chance|responsibility|business|"
        r"part) (?:is )?to ",
    ),
    ("order", "base", r"(?:IT is )?(?:time|about time|YOU turn|ORD is|ORD turn) to "),
    (
        "order",
        "base",
        r"(?:next|what|all)? ?(?:I|WE|YOU)? ?(?:need|want|have|ought|has)? ?to (?:do )?is (?:to )?",
    ),
    # I will, we should
    (
        "offer",
        "base",
        r"I (?:will|can|could|shall|should|must|might|may|would|have to|have got to|"
        r"need to|would better|want to|would like to|would_like to|would_love to|am able to|"
        r"plan to|"
        r"intend to|had better|would rather|would_rather|am going to|am about to|am "
        r"happy to|am to|would be happy to|will be happy to|"
        r"would be (?:\w+ )?(?:glad|delighted|pleased|honoured|honored|thrilled) to|"
        r"would prefer to|prefer to|"
        r"am off to|am ready to|am willing to|am free to|mean to|better|get to|get_to|am here "
        r"to|will go|would much rather|am glad to|can go|aim to|do|will have to|will "
        r"need to|will try to|promise to|will start to|am prepared to|will be the one "
        r"to|am the one to|will be IT to|am IT to|"
        r"will gladly|have a mind to|will be) (?:be able to |go and |"
        r"go |try and |try to |be |help )?",
    ),
    (
        "offer",
        "base",
        r"(?:let|leave|allow|permit|have|make) I (?:to |be the one to )?(?:go and |go |"
        r"try to |try and )?",
    ),
    ("offer", "base", r"(?:leave|trust) (?:IT|that) to I to "),
    ("offer", "base", r"(?:why (?:do|can|should|could) not|how about|what if|what about if) I "),
    ("offer", "ing", r"(?:how|what) about I "),
    ("offer", "base", r"I (?:would|do) not mind "),
    (
        "offer",
        "ing",
        r"I (?:will be|will be IT|am IT|should be IT|will get|am|would not mind|do not mind|"
        r"can start|will start|can begin|will begin|will get on with|fancy|feel like|would_like|"
        r"am starting|am on|will do|"
        r"volunteer for|am fine|am happy|am going|am off|prefer|would prefer|am "
        r"busy) ",
    ),
    ("offer", "base", r"(?:I|me) (?:volunteer|offer|choose|insist|decided|opt|elect) to "),
    (
        "order",
        "base",
        r"WE (?:should|could|can|will|must|shall|may|might|would|need to|have to|ought "
        r"to|had better|want to|would like to|would_like to|are going to|have got to|"
        r"also need to|better|will need to|will have to|are to|are supposed to|would "
        r"love to|would_love to) (?:be able to |go and |be )?",
    ),
    ("order", "base", r"(?:let's|let WE) (?:ORD )?(?:have |go and |try to |go |get on and |all )?"),
    # R2 should, R2 can, R2 to get
    (
        "order",
        "base",
        rf"{_ROBOT}{_MUST}(?:be the one to |be able to |go and |go |try to |please |come "
        r"and |help I |help WE )?",
    ),
    (
        "may",
        "base",
        rf"{_ROBOT}{_MAY}(?:go and |go |go ahead and |be the one to |start to |come and |"
        r"carry on and )?",
    ),
    ("order", "base", rf"(?P<who>IT|THEY) {_MUST}"),
    ("may", "base", rf"(?P<who>IT|THEY) {_MAY}"),
    ("offer", "base", r"(?:am )?(?:going to|about to|off to) "),
    ("order", "base", r"(?P<who>A|ALL|OTHERONE|SOMEONE|I) to "),
    (
        "report ing",
        "ing",
        rf"{_S}(?:is|are|was|were|am|has been|have been|will be) (?:busy |still |now |"
        r"currently |already )?",
    ),
    ("order", "s", r"(?P<who>A|OTHERONE|SOMEONE|ORD) "),
    (
        "order",
        "base",
        r"(?P<who>(?:ORD|A|ALL|YOU|SOMEONE|OTHERONE)(?: A)?) (?:please |go and |go |do )?",
    ),
    ("order", "ing", r"(?P<who>A|YOU(?= are on )) (?:(?:(?:is|are) )?on )?(?:DET )?"),
    ("habit", "base", r"(?:I|WE) "),
    (
        "order",
        "base",
        r"(?:be so kind as to |be so good as to |feel free to |be free to |make sure "
        r"(?:that )?(?:YOU |to |WE )?|be sure (?:to|and) |do not forget to |remember to "
        r"|try to |try and |go and |go ahead and |go |come and |do |hurry up and |hurry "
        r"and |help I |help WE |help I to |better |go over and |come on and |would be "
        r"good to |be ready to |get ready to |prepare to |see that YOU |get to |somehow "
        r"|try )",
    ),
    (
        "cause",
        "base",
        r"(?:make sure|ensure|see to it|see|be sure|make it so|I vote|I say|I suggest|I "
        r"propose|I think|I insist|I recommend|I decided|my vote is|my idea is) (?:that "
        rf")?(?:IT is )?{_S}(?:should |must |can |could |will |to )?",
    ),
    (
        "cause",
        "s",
        r"(?:make sure|ensure|see to it|be sure|(?:I|WE) (?:want|would_like|prefer|"
        r"need)) (?:that )?"
        rf"(?:IT )?{_S}",
    ),
    ("cause", "base", rf"(?:I|WE) (?:want|would_like|prefer|need) (?:that |IT ){_S}"),
    (
        "order",
        "ing",
        r"(?:start|begin|get started|get on|get going|get busy|go|proceed|help|try|get "
        r"cracking|get started on|start on|start by|begin by|get on with|with|on to|"
        r"onto|back to|get to work|go ahead|now for|next|up next|time for|and on to|get "
        r"to|do|do some|do DET|get) (?:with |on |to |by |by first |ahead with )?(?:DET "
        r")?",
    ),
    ("order", "base", r"(?P<who>A|YOU|OTHERONE|SOMEONE) (?:is|are|will be|can be|should be) "),
    ("order", "base", r""),
    ("order", "ing", r"(?:DET )?"),
)
_COMPILED = tuple((mood, form, re.compile(source)) for mood, form, source in _TABLE)


@dataclass(frozen=True, slots=True)
class Opening:
    """A mood, its agent, and the chunks behind it; the first is a verb in `form`."""

    mood: str
    form: str
    who: Chunk | None
    rest: tuple[Chunk, ...]
    direct: bool


def openings(clause: Clause) -> Iterator[Opening]:
    """Every way to split a clause into an opening and its complement."""
    core = clause.core
    codes = [f"{c.code} " for c in core]
    cuts = [i for i, c in enumerate(core) if c.verb or c.classes]
    prefixes = [(cut, "".join(codes[:cut])) for cut in reversed(cuts)]
    for mood, form, pattern in _COMPILED:
        for cut, prefix in prefixes:
            match = pattern.fullmatch(prefix)
            if match is None:
                continue
            who = None
            if "who" in pattern.groupindex and match["who"] is not None:
                who = core[prefix[: match.start("who")].count(" ")]
            yield Opening(mood, form, who, core[cut:], pattern.pattern.startswith(r"(?:can|could"))
