"""Acts weighed against each other: what only opens a sentence, what was said last, what is one."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from skills.kitchen.hearing.acts import Act
from skills.kitchen.hearing.refs import Refs
from skills.kitchen.hearing.words import word_set

_JOINED = ("and", "plus", "then")
COMMON_TALK = word_set(
    "too very good much hands hand dirty wet full busy ready time hungry thank "
    "help work great job nice need idea plan"
)
_LATE = ("later", "another time", "some other time", "tomorrow")
_ASKING = ("what", "where", "who", "how", "which", "why", "when")
_OTHERS = word_set("she he they her his mom dad remember bye hello")


def weigh(acts: list[Act], refs: Refs) -> list[Act]:
    """The acts that stand beside each other, their answers settled on proposals."""
    every = tuple(p.id for p in refs.context.proposals)
    acts = _reported(_mended(acts))
    kept = [a for i, a in enumerate(acts) if not _opens(a, acts[i + 1 :])]
    kept = _one_dish(_asked_about(kept, refs))
    kept = _postponed(_agreed(_explained(kept), refs))
    kept = _last_word(kept)
    kept = _chatter(kept)
    return _once(_settled(kept, every))


def _mended(acts: list[Act]) -> list[Act]:
    """ "Bring the pepper, no wait, the salt": what was said before a repair does not count."""
    for index, act in enumerate(acts[:-1]):
        behind = acts[index + 1]
        if (
            act.bare
            and behind.bare
            and act.kind == behind.kind == "decline"
            and act.sentence == behind.sentence
            and index
        ):
            return _mended(acts[:index] + acts[index + 1 :])
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
            return _mended(acts[: index - 1] + acts[index + (not keeps) :])
    return acts


def _reported(acts: list[Act]) -> list[Act]:
    """ "Onions, fine dice, done": what a report speaks of is not asked for beside it."""
    result = []
    for index, act in enumerate(acts):
        vague = act.found is not None and act.found.vague
        done = [
            a
            for a in acts
            if a.kind == "done"
            and (a.sentence == act.sentence or (vague and a.sentence > act.sentence))
        ]
        bare = act.kind == "request" and act.found is not None and act.fields["agent"] is None
        idle = bare and act.found is not None and act.found.vague and index + 1 < len(acts)
        if idle and acts[index + 1].kind == "remark" and acts[index + 1].joint == "and":
            act = replace(act, kind="remark", fields={}, found=None)  # "mix and match"
            done = []
        if (
            done
            and bare
            and act.found is not None
            and (act.found.vague or not act.clause.core[0].verb)
            and acts.index(done[-1]) > index
        ):
            continue
        if done and act.bare and act.clause.words.startswith("no need"):
            continue
        result.append(act)
    return result


def _explained(acts: list[Act]) -> list[Act]:
    """ "I'd prefer that R2 does that. R2, get the salt": the order says what "that" is."""
    result: list[Act] = []
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


def _asked_about(acts: list[Act], refs: Refs) -> list[Act]:
    """ "Do I have to do the lettuce? No way": a plain answer is to what was asked just before."""
    for index, act in enumerate(acts[1:], 1):
        before = acts[index - 1]
        if not act.bare or act.kind not in ("accept", "decline") or before.kind != "ask":
            continue
        core = before.clause.core
        near = before.clause.asks and before.sentence == act.sentence - 1
        if not near or not core or core[0].kind in _ASKING or not before.clause.has("O"):
            continue
        meant = refs.proposals(replace(refs.read(core), loose=0, agents=(), tasks=()))
        if meant:
            act.ids, act.bare = meant, False
    return acts


def _one_dish(acts: list[Act]) -> list[Act]:
    """Of several wishes the last that names a dish counts; one that is asked about is none."""
    wishes = [a for a in acts if a.kind == "choose"]
    if not wishes:
        return acts
    named = [a for a in wishes if a.fields["recipe"] is not None]
    last = (named or wishes)[-1]
    at = acts.index(last)
    if last.weak and any(a.kind == "ask" and a.sentence == last.sentence for a in acts[at + 1 :]):
        last.fields["recipe"] = None  # "I'd like a soup, what do you have?"
    asked = next((a for a in acts[at + 1 :] if a.kind == "ask"), None)
    if (
        asked is not None
        and asked.sentence == last.sentence
        and asked.joint == ","
        and len(last.clause.core) <= 2
        and not any(c.kind in ("V", "let's", "I", "WE") for c in last.clause.core)
    ):
        return [a for a in acts if a.kind != "choose"]
    return [a for a in acts if a.kind != "choose" or a is last]


def _opens(act: Act, behind: list[Act]) -> bool:
    """Whether a plain "yes", "ok" or "no" only opens what follows: "OK, what is left?"."""
    if not act.bare or act.kind not in ("accept", "decline"):
        return False
    following = next((a for a in behind if a.kind != "remark"), None)
    if following is None or following.sentence != act.sentence:
        return False
    if following.joint == "and" and act.clause.words.startswith("go ahead"):
        return following.kind == "request"
    if following.joint in _JOINED:
        return False
    if act.kind == "decline":
        return act.clause.saying == "WAIT" and following.kind in ("accept", "done", "choose")
    if following.kind in ("ask", "done", "stop", "resume", "choose", "drop"):
        return True
    return following.kind in ("accept", "decline") and following.ids is not None and act.weak


def _agreed(acts: list[Act], refs: Refs) -> list[Act]:
    """A request for what is proposed is a yes to it."""
    result: list[Act] = []
    for act in acts:
        if (
            act.kind == "request"
            and act.found is not None
            and not act.found.unknown
            and not act.fields.get("first")
        ):
            ids = tuple(
                p.id
                for p in refs.proposal_of(act.found, (cast("str | None", act.fields["agent"]),))
                if not ((act.others or _yourself(act)) and p.agent == refs.user)
            )
            if ids:
                yes = result[-1] if result else None
                plain = yes is not None and yes.kind == "accept" and yes.ids is None
                if (
                    plain
                    and yes is not None
                    and not (act.sentence == yes.sentence and act.joint not in _JOINED)
                ):
                    continue
                if plain and yes is not None:
                    result.pop()
                    act = replace(act, start=yes.start)
                act = replace(act, kind="accept", fields={}, ids=ids, bare=False)
        result.append(act)
    return result


def _postponed(acts: list[Act]) -> list[Act]:
    """ "Let's do that another time", "I'll wash it later": a yes that puts off is a no."""
    for act in acts:
        words = f" {act.clause.words} "
        if act.kind == "accept" and any(f" {late} " in words for late in _LATE):
            act.kind = "decline"
    return acts


def _yourself(act: Act) -> bool:
    """ "Wash it yourself": not the person is to do it."""
    return bool({"yourself", "yourselves"} & set(act.clause.words.split()))


def _last_word(acts: list[Act]) -> list[Act]:
    """ "Yes. No, wait.": of two plain answers that contradict each other the last counts."""
    plain = [a for a in acts if a.bare and a.kind in ("accept", "decline")]
    if len({a.kind for a in plain}) < 2:
        return acts
    last = plain[-1]
    return [a for a in acts if a not in plain or a.kind == last.kind]


def _chatter(acts: list[Act]) -> list[Act]:
    """ "Great, I love pepper": praise before chatter of something else agrees to nothing."""
    result: list[Act] = []
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
            and behind is not None
            and _other(act, behind)
        ):
            act = replace(act, kind="remark", bare=False)
        result.append(act)
    return result


def _other(yes: Act, behind: Act) -> bool:
    if behind.kind != "remark" or behind.sentence != yes.sentence:
        return False
    words = behind.clause.words.split()
    if len(words) == 2 and words[1] in ("is", "are", "does", "did") and words[0] != "i":
        return True  # "Yes, you are!"
    if behind.clause.saying:
        return words[0] == "hello"
    loose = [c for c in behind.clause.core if c.kind == "W" and c.key not in COMMON_TALK]
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
    return yes.weak and len(words) > 2


def _settled(acts: list[Act], every: tuple[str, ...]) -> list[Act]:
    """Each yes and no with the proposals that it is to."""
    no_all = any(a.kind == "decline" and a.ids is None for a in acts)
    yes = {i for a in acts if a.kind == "accept" for i in a.ids or ()}
    no = {i for a in acts if a.kind == "decline" for i in a.ids or ()}
    taken: set[tuple[str, str]] = set()
    result: list[Act] = []
    for act in acts:
        if act.kind not in ("accept", "decline"):
            result.append(act)
            continue
        if act.ids is None and _specified(act, acts):
            continue
        if act.kind == "accept" and act.ids is None and no_all:
            continue
        ids = act.ids if act.ids is not None else every
        if any(c.ref in ("rest", "other") for c in act.clause.chunks):
            ids = tuple(i for i in ids if i not in (no if act.kind == "accept" else yes))
        if act.ids is None:
            ids = tuple(i for i in ids if i not in (no if act.kind == "accept" else yes))
        elif act.kind == "accept":
            later = {
                i for a in acts[acts.index(act) + 1 :] if a.kind == "decline" for i in a.ids or ()
            }
            ids = tuple(i for i in ids if i not in later)
        else:
            later = {
                i for a in acts[acts.index(act) + 1 :] if a.kind == "accept" for i in a.ids or ()
            }
            ids = tuple(i for i in ids if i not in later)
        ids = tuple(i for i in ids if (act.kind, i) not in taken)
        taken |= {(act.kind, i) for i in ids}
        if ids:
            act.fields = {"proposals": list(ids)}
            result.append(act)
    return result


def _specified(plain: Act, acts: list[Act]) -> bool:
    """ "R2 may go, yes", "no, don't stir", "nah, skip it": one of them is meant."""
    dropped = any(
        a.kind == "drop" and a.sentence == plain.sentence and a.joint in ("", ",") for a in acts
    )
    return (dropped and plain.kind == "decline") or any(
        other is not plain
        and other.kind == plain.kind
        and other.sentence == plain.sentence
        and other.ids is not None
        and other.joint not in _JOINED
        for other in acts
    )


def _once(acts: list[Act]) -> list[Act]:
    for kind in ("stop", "resume"):
        named = {a.sentence for a in acts if a.kind == kind and a.fields.get("agent")}
        acts = [
            a for a in acts if a.kind != kind or a.fields.get("agent") or a.sentence not in named
        ]
    stopped: set[object] = set()
    result = []
    for act in acts:
        if act.kind in ("stop", "resume"):
            who = (act.kind, act.fields.get("agent"))
            if who in stopped or (act.kind, None) in stopped:
                continue
            stopped.add(who)
        result.append(act)
    return result
