"""Answers that only open small talk: "great, I love pepper", "yes, you are!"."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.words import word_set

_COMMON_TALK = word_set(
    "too very good much hands hand dirty wet full busy ready time hungry thank "
    "hurry careful gently quick slow help work great job nice need idea plan"
)
_OTHERS = word_set("she he they her his mom dad remember bye hello")


def demote_chitchat(acts: list[HeardAct]) -> list[HeardAct]:
    """ "Great, I love pepper": turns praise before unrelated talk into a remark."""
    result: list[HeardAct] = []
    for index, act in enumerate(acts):
        behind = acts[index + 1] if index + 1 < len(acts) else None
        before = result[-1] if result else None
        trails = act.joint == "and" and before is not None and before.kind == "remark"
        if act.bare and trails and before is not None and before.sentence == act.sentence:
            act = replace(act, kind="remark", bare=False)
        offered = act.kind == "choose" and act.clause.saying in ("YES", "OK", "GOOD", "NO")
        if offered and behind is not None and _other(act, behind):
            act = replace(act, kind="remark", fields={})
        rest = [a for a in acts[index + 1 :] if a.sentence == act.sentence]
        if _taken_back(act, rest):
            act = replace(act, kind="remark", bare=False)
        if (
            act.bare
            and act.kind == "accept"
            and rest
            and all(a.kind == "remark" or a.bare for a in rest)
            and any(
                (a.clause.has("OTHERS") and len(a.clause.core) > 1)
                or "bye" in a.clause.words.split()
                for a in rest
            )
        ):
            act = replace(act, kind="remark", bare=False)
        if (
            act.kind in ("accept", "decline")
            and act.bare
            and act.clause.saying != "PUTOFF"
            and behind is not None
            and behind.joint not in ("until", "before")
            and _other(act, behind)
        ):
            act = replace(act, kind="remark", bare=False)
        result.append(act)
    return result


_WELL = word_set("idea plan suggestion offer team help treat pleasure start choice combination")
_TOLD = re.compile(r"i (?:had |have |did |already |just )*(?:said|say|told you|agreed|called)\b.*")


def _taken_back(yes: HeardAct, rest: list[HeardAct]) -> bool:
    """ "I said yes, but now I don't want to": reports an earlier yes."""
    told = yes.kind == "accept" and yes.bare and _TOLD.fullmatch(yes.clause.words) is not None
    return told and any(a.joint == "but" and a.kind == "decline" for a in rest)


_DIET = word_set(
    "allergic allergy vegan vegetarian dairy lactose intolerant gluten diabetic pregnant coeliac"
)


def _other(yes: HeardAct, behind: HeardAct) -> bool:
    if yes.kind == "decline" and _DIET & set(behind.clause.words.split()):
        return False  # "no, my sister is allergic"
    if behind.kind != "remark" or behind.sentence != yes.sentence:
        return False
    words = behind.clause.words.split()
    if words[:1] == ["what"] and words[1:2] in (["a"], ["an"]) and not _WELL & set(words):
        return True  # "yes, what a goal!"
    if len(words) == 2 and words[1] in ("is", "are", "does", "did") and words[0] != "i":
        return True  # "Yes, you are!"
    if behind.clause.saying:
        return words[0] == "hello"
    loose = [c for c in behind.clause.core if c.kind == "W" and c.key not in _COMMON_TALK]
    past = {"was", "were", "had"} & set(words)
    if loose and past and yes.kind == "accept":
        return True  # "oh yes, that was a lovely holiday"
    wants = any(c.of("WANT", "base") or c.of("NEED", "base") for c in behind.clause.core)
    if loose and wants and yes.kind == "accept" and behind.joint == ",":
        return True  # "yes, I'd like to order a taxi"
    if len(loose) >= 3:
        return True
    if (
        set(words) & _OTHERS
        or (behind.clause.has("OTHERS") and len(behind.clause.core) > 1)
        or behind.clause.has("TALE")
    ):
        return True
    return yes.weak and (len(words) > 2 or bool(loose))
