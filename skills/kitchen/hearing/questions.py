"""Questions, conditions, and statements about others or other times."""

from __future__ import annotations

import re

from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.report_parts import normalize_others_work
from treec.skills.kitchen.hearing.words import word_set

_WH = re.compile(
    r"(?:and |but |so |or |by |for |at |in |on |with |from |to )?(?:what(?! (?:a|an|"
    r"DET|lovely|nice|great|beautiful|awful|wonderful|fun)\b)|"
    r"who|whom|whose|which(?! (?:leaves?|means?|makes?|would mean|suits|works)\b)|where|"
    r"when(?= (?:is|are|will|do|does|can|should))|"
    r"why(?! not\b)|how(?! (?:nice|lovely|sweet|kind|funny|cute|good|wonderful|"
    r"beautiful|dare|about|delicious)\b)) "
)
_AUX = re.compile(
    r"(?:and |but |so |or )?(?:does (?:not )?IT|(?:does|did|has) (?:not )?(?:I|WE|"
    r"YOU|THEY|A|ALL|SOMEONE|O|ORD|DET|no)|(?:is|are|was|were|am|should|shall|may|"
    r"might|must|need) (?:not )?(?:I|WE|YOU|THEY|IT|A|ALL|SOMEONE|O|R|ORD|DET|"
    r"OTHERONE|there|OTHERS|W(?= \S))|"
    r"do (?!not YOU dare)(?:not )?(?:YOU|WE|THEY|I|A|ALL|IT)|have (?:YOU|WE|THEY|I)|"
    r"(?:can|could|would|will) (?:not )?(?:I|IT|O|X|R|there|DET|W|soup|salad)) (?:\S+ ?)+"
)
_TELLING = re.compile(
    r"(?:do |please )?(?:(?:can|could|would|will) (?:YOU|SOMEONE|A|ALL) )?(?:please "
    r")?(?:tell (?:I|WE)|remind (?:I|WE)|explain|show (?:I|WE)|"
    r"let (?:I|WE) know|describe|recap|list|give (?:I|WE) (?:DET )?(?:W )?(?:update|"
    r"status|list|overview|summary|report|hint|recap|W update|rundown|idea|options|"
    r"choice|suggestions)|"
    r"read (?:I|WE|DET|the)|update (?:I|WE)|status|progress|remind|suggest|recommend|"
    r"I (?:W )?(?:wonder|am wondering|am curious|want to know|would_like to know|"
    r"need to know|am asking|would_like to hear|am not sure (?:what|who|how|where|"
    r"which|if|when)|"
    r"do not (?:know|remember|see) (?:what|who|how|where|which|if|when|why)|forgot "
    r"(?:what|who|how|where|which|if|when)|need (?:DET )?(?:help|advice|ideas|"
    r"suggestions|inspiration))|"
    r"any (?:idea|clue|news|suggestions|ideas|update|progress|W)|no (?:idea|clue) "
    r"(?:what|who|how|where|which|if|when)|wonder|wondering|"
    r"guess (?:what|who|how|where|which|why)|not sure (?:what|who|how|where|which|if|when))(?: .*)?"
)
_IDLE = word_set(
    "said says told tells asked asks yelled shouted screamed whispered texted saying shouting "
    "yelling screaming singing chanted cried sang sings replied answered exclaimed chanting"
)
_HABIT = word_set("always usually often sometimes normally generally")
_PEOPLE = ("I", "WE", "THEY", "OTHERS", "SOMEONE", "ALL")
_SPEAKING = word_set("like said say says told asked warned yelled shouted goes went")
_FREE = re.compile(r"(?:what|who) (?:is|was) (?:\S+ )+?(?:is|was|will|must|never|can|has) .*")


def is_question(clause: Clause) -> bool:
    """Whether a clause begins like a question, with or without a question mark."""
    line = clause.line
    if clause.chunks[0].kind == "PLEASE":
        return False
    is_date = clause.chunks[0].key in ("today", "tonight") and not clause.asks
    if is_date and clause.core and clause.core[0].kind == "is":
        return False  # "today is pancake day"
    if (
        clause.core
        and clause.core[0].kind in ("is", "are")
        and len(clause.core) > 1
        and clause.core[1].kind in ("W", "ADJ")
    ):
        return False  # "is too hot": learners leave "it" out
    if not clause.asks and _FREE.fullmatch(line):
        return False  # "what is done is done"
    return bool(_WH.match(line) or (_AUX.match(line) and len(clause.core) > 1))


def wants_to_know(clause: Clause) -> bool:
    """Whether a clause asks for information: "tell me …", "I wonder …"."""
    return _TELLING.fullmatch(clause.line.strip()) is not None


def is_indirect_question(clause: Clause) -> bool:
    """ "Any idea how long it takes", "can R2 cook": a question without a question mark."""
    kinds = [c.kind for c in clause.core]
    question = next(
        (i for i, k in enumerate(kinds) if k in ("what", "how", "who", "where", "which", "when")), 0
    )
    if question and any(
        c.key in ("idea", "clue", "wonder", "know") for c in clause.core[:question]
    ):
        return True
    subjects = ("A", "YOU", "THEY", "SOMEONE", "ALL", "WE")
    return len(kinds) > 2 and kinds[0] in ("can", "could", "will", "would") and kinds[1] in subjects


def narrates(clause: Clause) -> bool:
    """Whether a clause introduces reported speech: the rest of its sentence is somebody else's."""
    keys = {c.key for c in clause.core}
    if "sorry" in keys:
        return False  # "sorry for the shouting"
    return bool(keys & _IDLE) or any(
        c.kind == "TALE" and _SPEAKING & set(c.key.split()) for c in clause.chunks
    )


def is_narrative(clause: Clause) -> bool:
    """Whether a clause is about others or another time, and so not addressed to the team."""
    if clause.has("TALE"):
        return clause.saying != "PUTOFF"  # "hang on, I'm on the phone"
    if normalize_others_work(clause):
        return False
    if _HABIT & set(clause.words.split()) and clause.core and clause.core[0].kind in _PEOPLE:
        return True
    keys = {c.key for c in clause.core}
    core = clause.core
    for index, chunk in enumerate(core):
        if chunk.kind == "OTHERS" and len(core) > 1:
            before = core[index - 1].kind if index else ""
            if before != "for" and not (
                index == len(core) - 1 and before in ("O", "FLOAT", "IT", "R")
            ):
                return True
    if keys & _IDLE and any(c.kind == "THEY" for c in core):
        return True
    return bool(keys & _IDLE) and not any(c.key == "i" for c in clause.core[:1])
