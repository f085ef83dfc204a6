"""What a person in a kitchen did with their words, without a model.

The parser of the reading: the answer when no model is there, and a floor under a model's. The
words are cut into clauses, every clause is judged as a whole, and the acts found are weighed
against each other. What no rule understands from end to end is a question or a remark: to agree,
to start or to stop something that nobody meant is worse than to miss it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from engine import TalkContext
from skills.kitchen.talk_acts import Act, Reader
from skills.kitchen.talk_words import word_set

LONGEST = 2000
# Beside another act these say nothing of their own.
_OPENINGS = word_set("yes no ok sure all-right fine wait right well hey")

_OTHERS = word_set("i my we she he they her his love you mom dad remember bye hello")
_FEW = 2
_FITS_YES = word_set("please thank thanks help great good nice that it so like would")


def read(text: str, context: TalkContext) -> list[dict[str, object]]:
    """The acts in `text`, in order; each quotes words of it verbatim.

    Text behind the first 2,000 characters is not considered. Never raises on any text. Only kinds
    that `context.acts` declares are returned; what would be another is a remark.
    """
    text = text[:LONGEST]
    reader = Reader(context)
    acts = _weigh(reader.read(text), reader)
    known = set(context.acts)
    result: list[dict[str, object]] = []
    for act in _joined(acts, known):
        quote = text[act.start : act.end]
        if act.kind not in known:
            continue
        fields = {"about": quote} if act.kind == "ask" else act.fields
        entry = {"kind": act.kind, "quote": quote, **fields}
        if entry not in result:
            result.append(entry)
    return result


def _weigh(acts: list[Act], reader: Reader) -> list[Act]:
    """The acts that stand beside each other, their answers settled on proposals."""
    kept = [act for index, act in enumerate(acts) if not _opens(act, acts[index + 1 :], reader)]
    kept = _without_agreed_requests(kept, reader)
    meant = any(a.kind not in ("accept", "remark") or not _polite(a) for a in kept)
    for index, act in enumerate(kept):
        if _is(act, "accept") and act.answer and (act.answer.weak or act.answer.bare):
            before = kept[index - 1] if index else None
            trails = act.joint.isalpha() and before is not None and before.kind == "remark"
            if trails or (act.answer.weak and meant):  # "it is warm and nice"
                act.kind, act.answer = "remark", None
    for act, behind in pairwise(kept):
        if _is(act, "accept") and act.answer and act.answer.bare and _chatter(act, behind):
            act.kind, act.answer = "remark", None
    every = tuple(p.id for p in reader.context.proposals)
    refused_all = any(_is(a, "decline") and a.answer.ids is None for a in kept if a.answer)
    yes = {i for a in kept if _is(a, "accept") and a.answer for i in a.answer.ids or ()}
    no = {i for a in kept if _is(a, "decline") and a.answer for i in a.answer.ids or ()}
    taken: set[tuple[str, str]] = set()
    settled: list[Act] = []
    for act in kept:
        if act.answer is None or act.kind not in ("accept", "decline"):
            settled.append(act)
            continue
        if act.kind == "accept" and act.answer.ids is None and refused_all:
            continue
        if (
            act.answer.bare
            and act.answer.ids is None
            and any(
                other is not act
                and other.kind == act.kind
                and other.sentence == act.sentence
                and other.answer is not None
                and other.answer.ids
                and other.joint not in ("and", "plus")
                for other in kept
            )
        ):
            continue  # "R2 may go, yes", "no, don't stir": one of them is meant
        ids = act.answer.ids if act.answer.ids is not None else every
        if act.kind == "accept":
            ids = tuple(i for i in ids if i not in no)
        elif act.answer.ids is None:
            ids = tuple(i for i in ids if i not in yes)
        ids = tuple(i for i in ids if (act.kind, i) not in taken)
        taken |= {(act.kind, i) for i in ids}
        if ids:
            act.fields = {"proposals": list(ids)}
            settled.append(act)
    stopped: set[object] = set()
    result = []
    for act in settled:
        if act.kind in ("stop", "resume"):
            who = (act.kind, act.fields.get("agent"))
            if who in stopped:
                continue
            stopped.add(who)
        result.append(act)
    return result


def _chatter(yes: Act, behind: Act) -> bool:
    """ "Okay, my mom just texted me": what follows is about something else."""
    if behind.kind != "remark" or behind.sentence != yes.sentence or "@" in behind.line:
        return False
    words = behind.line.split()
    if set(words) & _FITS_YES:
        return False
    return len(words) > _FEW or bool(set(words) & _OTHERS)


def _polite(act: Act) -> bool:
    return act.kind == "accept" or act.line.startswith("thank")


def _is(act: Act, kind: str) -> bool:
    return act.kind == kind and act.answer is not None


def _opens(act: Act, behind: list[Act], reader: Reader) -> bool:
    """Whether a plain "yes" or "ok" only opens what follows: "OK, what is left?"."""
    if act.kind != "accept" or act.answer is None or not act.answer.bare:
        return False
    following = next((a for a in behind if a.kind != "remark"), None)
    if (
        following is None
        or following.sentence != act.sentence
        or following.joint in ("and", "plus")
    ):
        return False
    if following.kind in ("ask", "done", "stop", "resume", "choose"):
        return True
    return following.kind == "accept" and following.answer is not None


def _without_agreed_requests(acts: list[Act], reader: Reader) -> list[Act]:
    """ "Yes, R2 can get the pepper" is a yes to that proposal, and no request beside it."""
    result: list[Act] = []
    for act in acts:
        yes = result[-1] if result else None
        if yes is not None and _is(yes, "accept") and yes.answer and act.kind == "request":
            agreed = _proposed(act, reader)
            if agreed and yes.answer.ids is None:
                if act.sentence == yes.sentence and act.joint not in ("and", "plus"):
                    yes.answer = replace(yes.answer, ids=agreed, bare=False)
                    yes.end = act.end
                continue
            if agreed and set(agreed) <= set(yes.answer.ids or ()):
                continue
        result.append(act)
    return result


def _proposed(act: Act, reader: Reader) -> tuple[str, ...]:
    """The open proposals that say what a request asks for."""
    if act.request is None or act.fields.get("first"):
        return ()
    agent = act.fields["agent"]
    return tuple(
        p.id
        for p in reader.context.proposals
        if agent in (None, p.agent)
        and (meaning := reader.tasks.meaning(p.words)) is not None
        and meaning.what == act.request.found.what
    )


def _joined(acts: list[Act], known: set[str]) -> list[Act]:
    """Questions and remarks of one sentence made whole; small words beside other acts dropped."""
    acts = [a if a.kind in known else replace(a, kind="remark", fields={}) for a in acts]
    if any(a.kind != "remark" for a in acts):
        acts = [a for a in acts if not (a.kind == "remark" and a.line in _OPENINGS)]
    result: list[Act] = []
    for act in acts:
        last = result[-1] if result else None
        same = last is not None and last.sentence == act.sentence
        if last is not None and same and act.kind == last.kind and act.kind in ("ask", "remark"):
            last.end = act.end
        elif last is not None and same and act.kind == "ask" and last.kind == "remark":
            result[-1] = replace(act, start=last.start)
        elif (
            last
            and act.kind == "remark"
            and (last.kind == "remark" or (same and last.kind == "ask"))
        ):
            last.end = act.end
        else:
            result.append(act)
    return result
