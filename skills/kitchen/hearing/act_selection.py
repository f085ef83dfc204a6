"""Select among the acts of an utterance: openers, repairs, repetitions."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import cast

from treec import TalkProposal
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.answer_scope import JOINED, resolve_answers
from treec.skills.kitchen.hearing.chitchat import demote_chitchat
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.tasks import TaskMatch

_LATE = (
    "after lunch",
    "after dinner",
    "after breakfast",
    "after supper",
    "after tea",
    "later",
    "another time",
    "some other time",
    "tomorrow",
)
_ASKING = ("what", "where", "who", "how", "which", "why", "when")


def weigh(acts: list[HeardAct], refs: Refs) -> list[HeardAct]:
    """The acts that are compatible with each other, with their answers resolved."""
    every = tuple(p.id for p in refs.context.proposals)
    small = [a for a in acts if a.kind == "remark" and a.clause.saying == "UM"]
    acts = [a for a in acts if a not in small] or acts
    acts = _verbless(_drop_reported(_apply_repairs(acts)), refs)
    result = [a for i, a in enumerate(acts) if not _opens(a, acts[i + 1 :])]
    result = _one_dish(_asked_about(result, refs))
    result = _postponements(_requests_as_answers(_resolve_that(result), refs), refs)
    result = _last_word(result, every)
    result = demote_chitchat(result)
    return _deduplicate(resolve_answers(result, every, refs))


def _apply_repairs(acts: list[HeardAct]) -> list[HeardAct]:
    """ "Bring the pepper, no wait, the salt": drops what precedes a repair."""
    for index, act in enumerate(acts[:-1]):
        behind = acts[index + 1]
        if (
            act.bare
            and behind.bare
            and act.kind == behind.kind == "decline"
            and act.sentence == behind.sentence
            and index
        ):
            return _apply_repairs(acts[:index] + acts[index + 1 :])
    for index, act in enumerate(acts):
        repair = act.bare and act.kind == "decline" and index and index + 1 < len(acts)
        if not repair or act.joint not in ("", ","):
            continue
        before, behind = acts[index - 1], acts[index + 1]
        answers = ("accept", "request")
        alike = before.kind == behind.kind or {before.kind, behind.kind} <= set(answers)
        if (
            before.sentence == act.sentence == behind.sentence
            and alike
            and before.kind in (*answers, "choose", "stop")
        ):
            keeps = before.kind == "accept" and behind.kind == "request"
            return _apply_repairs(acts[: index - 1] + acts[index + (not keeps) :])
    return acts


def _drop_reported(acts: list[HeardAct]) -> list[HeardAct]:
    """ "Onions, fine dice, done": reported work is not requested."""
    result = []
    for index, act in enumerate(acts):
        vague = act.found is not None and act.found.vague
        reports = [
            a
            for a in acts
            if a.kind == "done"
            and (a.sentence == act.sentence or (vague and a.sentence > act.sentence))
        ]
        bare = act.kind == "request" and act.found is not None and act.fields["agent"] is None
        idle = bare and act.found is not None and act.found.vague and index + 1 < len(acts)
        if idle and acts[index + 1].kind == "remark" and acts[index + 1].joint == "and":
            act = replace(act, kind="remark", fields={}, found=None)  # "mix and match"
            reports = []
        if (
            reports
            and bare
            and act.found is not None
            and not _needs(act)
            and ((act.found.vague and not act.found.unknown) or not act.clause.core[0].verb)
            and acts.index(reports[-1]) > index
        ):
            continue
        if reports and act.bare and act.clause.words.startswith("no need"):
            continue
        result.append(act)
    return result


def _needs(act: HeardAct) -> bool:
    """ "I need a plate", "someone get a towel": a request, whatever else is done."""
    asking = ("I", "WE", "PLEASE", "SOMEONE")
    return any(c.of("NEED") or c.of("WANT") or c.kind in asking for c in act.clause.chunks)


def _verbless(acts: list[HeardAct], refs: Refs) -> list[HeardAct]:
    """ "Lettuce in, yes": next to a yes it is accepted, not reported."""
    for index, act in enumerate(acts):
        if act.kind != "done" or [c.kind for c in act.clause.core] != ["O", "in"]:
            continue
        yes = next(
            (a for a in acts if a.kind == "accept" and a.bare and a.sentence == act.sentence), None
        )
        ids = tuple(
            p.id
            for p in refs.context.proposals
            if p.subtask in cast("list[str]", act.fields["subtasks"])
        )
        behind = acts[index + 1] if index + 1 < len(acts) else None
        if yes is None and ids and behind is not None and behind.kind == "request":
            has_copula = {"is", "are", "already", "now"} & set(act.clause.words.split())
            if behind.sentence == act.sentence and behind.joint == "then" and not has_copula:
                acts[index] = replace(act, kind="accept", fields={}, ids=ids)
                continue  # "cream in, and then stir"
        if yes is not None and ids:
            acts[index] = replace(act, kind="accept", fields={}, ids=ids)
            acts = [a for a in acts if a is not yes]
    return acts


def _resolve_that(acts: list[HeardAct]) -> list[HeardAct]:
    """ "I'd prefer that R2 does that. R2, get the salt": the order resolves "that"."""
    result: list[HeardAct] = []
    for index, act in enumerate(acts):
        behind = acts[index + 1] if index + 1 < len(acts) else None
        words = set(act.clause.words.split())
        points = act.kind in ("accept", "request") and words & {"prefer", "rather"}
        if (
            behind is not None
            and points
            and any(c.kind == "IT" for c in act.clause.core)
            and not act.clause.has("O")
            and behind.kind == "request"
            and behind.fields["agent"] in {a for c in act.clause.core for a in c.agents}
        ):
            continue
        result.append(act)
    return result


def _asked_about(acts: list[HeardAct], refs: Refs) -> list[HeardAct]:
    """ "Do I have to do the lettuce? No way": a bare answer is to the preceding question."""
    for index, act in enumerate(acts[1:], 1):
        before = acts[index - 1]
        if not act.bare or act.kind not in ("accept", "decline") or before.kind != "ask":
            continue
        core = before.clause.core
        near = before.clause.asks and before.sentence == act.sentence - 1
        own = len(core) == 1 and core[0].kind == "I"
        is_echo = core[:1] and core[0].key == "me" and len(core) < 4  # "me boiling rice?"
        has_reference = before.clause.has("O") or all(c.kind == "A" for c in core) or own
        if not near or not core or core[0].kind in _ASKING or not has_reference:
            continue
        agents = () if before.clause.has("O") else core[0].agents
        agents = (refs.user,) if own else agents
        if own or is_echo or (len(core) == 1 and core[0].kind in ("O", "A", "ORD")):
            before.kind, before.fields = "remark", {}  # "me? you must be joking", "pepper? yes"
        proposals = refs.proposals(replace(refs.read(core), loose=0, agents=agents, tasks=()))
        if proposals:
            act.ids, act.bare = proposals, False
    return acts


def _one_dish(acts: list[HeardAct]) -> list[HeardAct]:
    """Of several wishes the last that names a dish counts; a question about one is none."""
    wishes = [a for a in acts if a.kind == "choose"]
    if not wishes:
        return acts
    _narrow_wishes(wishes)
    naming = [a for a in wishes if a.fields["recipe"] is not None]
    last = (naming or wishes)[-1]
    at = acts.index(last)
    if last.weak and any(a.kind == "ask" and a.sentence == last.sentence for a in acts[at + 1 :]):
        last.fields["recipe"] = None  # "I'd like a soup, what do you have?"
    question = next((a for a in acts[at + 1 :] if a.kind == "ask"), None)
    if (
        question is not None
        and question.sentence == last.sentence
        and question.joint == ","
        and len(last.clause.core) <= 2
        and not any(c.kind in ("V", "let's", "I", "WE") for c in last.clause.core)
    ):
        return [a for a in acts if a.kind != "choose"]
    return [a for a in acts if a.kind != "choose" or a is last]


def _narrow_wishes(wishes: list[HeardAct]) -> None:
    """ "Soup today, the mushroom one": two wishes that one recipe fits."""
    for before, behind in pairwise(wishes):
        if behind.sentence > before.sentence + 1 or {"instead"} & set(behind.clause.words.split()):
            continue
        both = [d for d in before.dishes if d in behind.dishes]
        if len(both) == 1 and len(before.dishes) > 1:
            behind.fields["recipe"] = both[0]


def _opens(act: HeardAct, behind: list[HeardAct]) -> bool:
    """Whether a bare "yes", "ok" or "no" only opens what follows: "OK, what is left?"."""
    if not act.bare or act.kind not in ("accept", "decline"):
        return False
    next_act = next((a for a in behind if a.kind != "remark"), None)
    if next_act is None or next_act.sentence != act.sentence:
        return False
    if act.clause.words in ("right", "right then") and next_act.kind == "request":
        return True  # "right, I'll fetch the tomatoes"
    if next_act.joint == "and" and act.clause.words.startswith("go ahead"):
        return next_act.kind == "request"
    if next_act.joint in JOINED:
        return False
    if act.kind == "decline":
        return act.clause.saying == "WAIT" and next_act.kind in ("accept", "done", "choose")
    if next_act.kind == "ask" and next_act.joint == "but":
        is_agreement = act.clause.saying in ("YES", "GOOD") or act.clause.words.startswith("fine")
        return not (is_agreement and act.kind == "accept")  # "fine, but where is R2?"
    if next_act.kind == "done" and next_act.joint == "but":
        return False  # "ok, but I've already chopped the onions"
    if next_act.kind in ("ask", "done", "stop", "resume", "choose", "drop"):
        return True
    return next_act.kind in ("accept", "decline") and next_act.ids is not None and act.weak


def _proposals_of(found: TaskMatch, agent: str | None, refs: Refs) -> tuple[TalkProposal, ...]:
    """The proposals of this task; "cut" is "chop" or "slice", whichever is proposed."""
    exact = refs.proposal_of(found, (agent,))
    is_cut = found.task in ("chop", "slice")
    return exact or (refs.proposal_like(found, (agent,)) if is_cut else ())


def _requests_as_answers(acts: list[HeardAct], refs: Refs) -> list[HeardAct]:
    """A request for what is proposed is a yes to it."""
    result: list[HeardAct] = []
    for act in acts:
        if (
            act.kind == "request"
            and act.found is not None
            and not act.found.unknown
            and not act.fields.get("first")
        ):
            ids = tuple(
                p.id
                for p in _proposals_of(act.found, cast("str | None", act.fields["agent"]), refs)
                if not ((act.others or _yourself(act)) and p.agent == refs.user)
            )
            if ids:
                yes = result[-1] if result else None
                plain = yes is not None and yes.kind == "accept" and yes.ids is None
                if (
                    plain
                    and yes is not None
                    and not (act.sentence == yes.sentence and act.joint not in JOINED)
                ):
                    continue
                if plain and yes is not None:
                    result.pop()
                    act = replace(act, start=yes.start)
                act = replace(act, kind="accept", fields={}, ids=ids, bare=False)
        last = result[-1] if result else None
        if last is not None and last.kind == act.kind == "accept" and act.bare and last.ids:
            trails = act.joint == "," and act.sentence == last.sentence and last is acts[0]
            if trails and act.clause.words in ("yes", "sure", "ok", "yes please", "fine"):
                continue  # "R2 should fetch the salmon, yes, and …"
        result.append(act)
    return result


def _postponements(acts: list[HeardAct], refs: Refs) -> list[HeardAct]:
    """ "Let's do that another time", "I'll wash it later": a postponing yes is a no."""
    for index, act in enumerate(acts):
        before = acts[index - 1] if index else None
        words = f" {act.clause.words} "
        is_waiting = before is not None and before.kind in ("remark", "decline") and act.bare
        if act.kind == "accept" and is_waiting and before is not None:
            own = before.clause.words.startswith(("let me", "i ", "first i", "we "))
            you = act.clause.words.startswith("you ") and before.clause.has("FIRST")
            if own and (you or act.joint == "then") and before.sentence == act.sentence:
                act.kind = "decline"  # "let me read it first, then you start"
        if act.kind == "accept" and any(f" {late} " in words for late in _LATE):
            act.kind = "decline"
        if act.kind == "drop" and {"yet", "for now", "right now", "just now"} & {
            c.key for c in act.clause.chunks
        }:
            excluded = cast("list[str]", act.fields["subtasks"])
            ids = tuple(p.id for p in refs.context.proposals if p.subtask in excluded)
            if ids:  # "don't bother with the tomatoes yet"
                act.kind, act.fields, act.ids = "decline", {}, ids
    return acts


def _yourself(act: HeardAct) -> bool:
    """ "Wash it yourself": not for the speaker."""
    return bool({"yourself", "yourselves"} & set(act.clause.words.split()))


def _last_word(acts: list[HeardAct], every: tuple[str, ...]) -> list[HeardAct]:
    """ "No to both. Oh all right, yes.": of two general answers the last counts."""
    answers = [a for a in acts if a.kind in ("accept", "decline")]
    whole = bool(answers) and answers[-1].bare
    plain = [a for a in answers if a.bare or (whole and set(a.ids or ()) == set(every))]
    plain = [a for a in plain if not _says_which(a, acts)]
    if len({a.kind for a in plain}) < 2:
        return acts
    last = plain[-1]
    acts = [a for a in acts if a not in plain or a.kind == last.kind]
    if last.kind == "decline" and every:  # a retraction counts, whatever its reason
        acts = [replace(a, ids=every, bare=False) if a is last else a for a in acts]
    return acts


def _says_which(act: HeardAct, acts: list[HeardAct]) -> bool:
    """ "Yes stir, no leave the sauce": an answer whose object follows."""
    at = acts.index(act) + 1
    if not act.bare or at >= len(acts) or acts[at].sentence != act.sentence:
        return False
    kinds = ("decline", "drop") if act.kind == "decline" else ("accept",)
    return acts[at].kind in kinds and not acts[at].bare and acts[at].joint in ("", ",")


def _deduplicate(acts: list[HeardAct]) -> list[HeardAct]:
    for kind in ("stop", "resume"):
        sentences = {a.sentence for a in acts if a.kind == kind and a.fields.get("agent")}
        acts = [
            a
            for a in acts
            if a.kind != kind or a.fields.get("agent") or a.sentence not in sentences
        ]
    stops: set[object] = set()
    result = []
    for act in acts:
        if act.kind in ("stop", "resume"):
            who = (act.kind, act.fields.get("agent"))
            if who in stops or (act.kind, None) in stops:
                continue
            stops.add(who)
        result.append(act)
    return result
