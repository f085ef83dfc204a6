"""Clauses that hang on others: topics, conditions, times, alternatives, words to strangers."""

from __future__ import annotations

from dataclasses import replace

from skills.kitchen.hearing.acts import Act, act
from skills.kitchen.hearing.asks import doubts, is_question, told, wants_to_know
from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.common import COMMON
from skills.kitchen.hearing.dishes import DISHES, MEALS
from skills.kitchen.hearing.elsewhere import FAMILY, TITLES, silenced
from skills.kitchen.hearing.fetching import Fetching
from skills.kitchen.hearing.listening import commands
from skills.kitchen.hearing.telling import is_past
from skills.kitchen.hearing.words import word_set

_COURTESY = word_set(
    "mind minds trouble work bother possible ok right helps help like may fine please convenient "
    "going way passing free near use worth matters suits wish want same all ask "
    "rude easier hurry objection objects could can would willing kind"
)
_BEGINNING = word_set("begin start go proceed")
_MODALS = word_set("will can could would shall should must may might do am need have")
_DID_IT = ("i did it", "i did that", "i have done it", "i have done that", "i did")


class Hanging(Fetching):
    """Reads what means something only beside another clause."""

    def _status(self, clause: Clause, behind: Clause | None) -> Clause | None:
        """ "Slice the lettuce: done", "Done: slice the lettuce": a report, whatever its verb."""
        if behind is None or behind.sentence != clause.sentence:
            return None
        if behind.joint == "," and behind.words in _DID_IT and not clause.has("W") and clause.core:
            done = Chunk("DONE", "done", behind.start, behind.end)
            past = tuple(_as_past(c) for c in clause.chunks)
            return replace(clause, chunks=(*past, done), saying="")
        if behind.joint != ":":
            return None
        both = (clause, behind)
        if not any(_is_status(part) for part in both) or all(_is_status(part) for part in both):
            return None
        chunks = (*(c for c in clause.chunks), *behind.chunks)
        done = next(c for part in both if _is_status(part) for c in part.chunks if c.kind == "DONE")
        kept = tuple(c for c in chunks if c.kind != "DONE" and c.key != "status")
        past = tuple(_as_past(c) for c in kept)
        return replace(clause, chunks=(*past, done), saying="", begin=clause.start)

    def _topic(self, clause: Clause, behind: Clause | None) -> Clause | None:
        """ "The yoghurt, yes": what a yes or a no is to may stand before it."""
        if (
            behind is None
            or behind.sentence != clause.sentence
            or behind.joint not in (",", "—", ":")
        ):
            return None
        if not self.context.proposals or behind.saying not in (
            "YES",
            "OK",
            "NO",
            "PUTOFF",
            "WAIT",
            "GOOD",
        ):
            return None
        core = [c for c in clause.core if c.kind not in ("DET", "as", "for")]
        if not core or core[0].kind not in ("O", "ORD") or behind.asks:
            return None
        if any(c.kind not in ("O", "ORD", "A", "from", "by", "to") for c in core[1:]):
            return None
        core = [c for c in core if c.kind not in ("from", "by", "to")]
        yes = "yes" if behind.saying in ("YES", "OK", "GOOD") else "later"
        answer = replace(core[0], kind="W", key=yes, start=behind.start, end=behind.end, things=())
        return replace(clause, chunks=(*core, answer), saying="")

    def _fronted(self, parts: list[Clause], index: int) -> tuple[Clause, int] | None:
        """ "The second, I'm afraid, I must refuse": the object before its clause, put back.

        The clause as it is meant, and the index of the one that it is made of.
        """
        clause = parts[index]
        core = [c for c in clause.core if c.kind != "DET"]
        named = all(c.kind in ("O", "ORD") or any(f == "ing" for _, f in c.verb) for c in core)
        if not core or not named or clause.asks or clause.saying:
            return None
        stop = index + 1
        while stop < len(parts) and not parts[stop].core and not parts[stop].saying:
            stop += 1  # "I'm afraid"
        if stop >= len(parts) or parts[stop].sentence != clause.sentence or parts[stop].asks:
            return None
        behind = parts[stop]
        kinds = [c.kind for c in behind.core]
        if behind.joint not in (",", "—") or len(kinds) < 2 or behind.saying:
            return None
        if kinds[0] not in ("I", "WE", "YOU", "A") or {"O", "ORD", "R"} & set(kinds):
            return None
        pointing = [c for c in behind.chunks if c.key in ("it", "them", "that", "those", "this")]
        if not pointing and kinds[-1] not in ("V", "W", "do", "not") and len(kinds) > 5:
            return None
        if not pointing and not any(k in _MODALS for k in kinds):
            return None
        kept = tuple(c for c in behind.chunks if c not in pointing)
        return replace(behind, chunks=(*kept, *clause.chunks), begin=clause.start), stop

    def _stranger(self, clause: Clause, parts: list[Clause], index: int) -> bool:
        """ "Mia, yes, you can", "No, Tom, not now": said to somebody who is not of the team."""
        if clause.chunks[0].key in TITLES and len(clause.chunks) <= 3 and clause.joint == ",":
            for other in self.acts:
                if other.sentence == clause.sentence:
                    silenced(other)
            return True
        if len(clause.chunks) != 1 or clause.chunks[0].kind not in ("W", "OTHERS") or clause.saying:
            return False
        chunk = clause.chunks[0]
        name = self.text[chunk.start : chunk.end]
        family = chunk.key in FAMILY
        named = name.istitle() and not (
            chunk.key in COMMON or chunk.key in DISHES or chunk.key in MEALS
        )
        if not family and not named:
            return False
        around = [p for p in parts if p.sentence == clause.sentence and p is not clause]
        hailed = index > 0 and parts[index - 1].saying == "HELLO" and clause.joint in ("", ",")
        hailed &= clause.joint == "," or parts[index - 1].sentence == clause.sentence
        apart = index + 1 < len(parts) and parts[index + 1].joint == ","
        if clause.joint != "," and not apart and not hailed:
            return False
        if not (
            family
            or (clause.joint == "," and apart)
            or hailed
            or any(p.saying in ("YES", "NO", "OK", "PUTOFF", "WAIT") or commands(p) for p in around)
        ):
            return False
        for other in self.acts:
            if other.sentence == clause.sentence and other.kind != "ask":
                silenced(other)
        if hailed or (family and len(around) <= 1):
            self._greeted = True
        return True

    def _judge(self, clause: Clause, last: Act | None) -> list[Act]:
        """The acts of one clause by itself."""
        raise NotImplementedError

    def _subordinate(self, clause: Clause, parts: list[Clause], index: int) -> list[Act]:
        last = self.acts[-1] if self.acts else None
        same = last is not None and last.sentence == clause.sentence
        if clause.joint == "before":
            if same and last is not None and last.kind == "request":
                last.fields["first"] = True
                last.end = clause.end
            elif not same and any(clause.has(k) for k in ("O", "V", "A")):
                self._first = clause.sentence  # "before the lettuce, put in the tomatoes"
            return []
        begins = same and last is not None and last.kind == "accept" and last.bare
        late = clause.joint in ("after", "when", "until") and begins and last is not None
        if late and last is not None and _BEGINNING & set(last.clause.words.split()):
            last.kind = "decline"  # "we shall begin after the news"
            return []
        seeing = {"hear", "see", "meet", "taste", "try"} & set(clause.words.split())
        if seeing and same and last is not None and clause.core[:1] and late_for(clause, last):
            silenced(last)  # "wait till you hear this"
            return []
        if clause.joint in ("if", "unless"):
            if _courtesy(clause):
                return []
            if (
                last is not None
                and same
                and last.kind in ("ask", "remark")
                and wonders(last.clause)
            ):
                last.end = clause.end
                return []
            if last is not None and same and told(last.clause):
                last.end = clause.end  # "my sister cries if she looks at one"
                return []
            if not same or (last is not None and last.kind == "remark"):
                self._guarded.add(clause.sentence)
                return [act("ask", clause)]
            return self._conditional(clause)
        if (
            clause.joint in ("when", "until")
            and same
            and last is not None
            and (
                (last.kind == "done" and not _was(clause))
                or (last.kind == "stop" and clause.joint == "when")
            )
        ):
            self.acts[-1] = act("ask", last.clause)
            return []
        return [] if same or index + 1 < len(parts) else [self._leftover(clause)]

    def _conditional(self, clause: Clause) -> list[Act]:
        """A condition behind an order makes it a question of whether."""
        last = self.acts[-1]
        if clause.joint in ("if", "unless") and last.kind in (
            "request",
            "accept",
            "stop",
            "done",
            "resume",
            "choose",
        ):
            self.acts[-1] = act("ask", last.clause)
            self.acts[-1].end = clause.end
        return []

    def _alternative(self, clause: Clause, last: Act | None) -> list[Act]:
        if (
            last is not None
            and last.sentence == clause.sentence
            and last.kind in ("request", "choose", "accept")
        ):
            kind = "ask" if clause.asks else "remark"
            if last.kind == "choose":
                last.fields["recipe"] = None
            elif len(clause.core) > 1:
                self.acts[-1] = act(kind, last.clause)
            return []
        found = self._judge(clause, None)
        return [a for a in found if a.kind in ("decline", "ask", "remark")] or [
            self._leftover(clause)
        ]

    def _leftover(self, clause: Clause) -> Act:
        asks = clause.asks or is_question(clause) or wants_to_know(clause) or doubts(clause)
        return act("ask" if asks else "remark", clause)

    def _dishlike(self, clause: Clause) -> bool:
        """Whether a clause speaks of a dish rather than of a thing to work with."""
        return not any(c.kind == "O" and not c.recipe for c in clause.core)


def _was(clause: Clause) -> bool:
    """Whether a clause of time tells of what has been: "when I came in"."""
    past = ("was", "were", "had", "did")
    return any(
        c.kind in past or c.key in ("came", "got", "arrived", "woke", "looked") or is_past(c)
        for c in clause.core
    )


def late_for(clause: Clause, last: Act) -> bool:
    """Whether a clause only says what to look forward to: "… until you see this"."""
    waits = last.kind in ("stop", "decline") and len(last.clause.core) == 1
    return waits and clause.joint in ("until", "when") and clause.core[0].kind in ("YOU", "THEY")


def _courtesy(clause: Clause) -> bool:
    """ "If nobody minds", "if that helps": a condition that sets none."""
    return (
        not clause.has("O")
        and not clause.has("A")
        and not clause.has("DONE")
        and any(c.key in _COURTESY for c in clause.core)
    )


def wonders(clause: Clause) -> bool:
    """ "Tell me if …", "let me know when …": to be told of something later."""
    return clause.line.strip().endswith(
        ("let I know", "tell I", "shout", "give I W", "call I", "ask I", "let WE know")
    )


def _as_past(chunk: Chunk) -> Chunk:
    if chunk.kind != "V":
        return chunk
    return replace(chunk, verb=tuple((w, "past") for w, _ in chunk.verb), classes=frozenset())


def _is_status(clause: Clause) -> bool:
    return clause.has("DONE") and all(
        c.kind == "DONE" or c.key in ("status", "all", "is") for c in clause.core
    )


def untagged(parts: list[Clause]) -> list[Clause]:
    """ "You couldn't add salt, could you": a request said as a denial, its tag left out."""
    result: list[Clause] = []
    skip = False
    if not parts:
        return []
    for clause, behind in zip(parts, [*parts[1:], None], strict=True):
        if skip:
            skip = False
            continue
        core = clause.core
        kinds = [c.kind for c in core[:3]]
        tag = [c.kind for c in behind.core] if behind is not None else []
        if len(core) > 3 and kinds[0] == "YOU" and kinds[2] == "not" and tag == [kinds[1], "YOU"]:
            clause = clause.but((core[1], core[0], *core[3:]))
            skip = True
        result.append(clause)
    return result


def rotated(clause: Clause) -> Clause:
    """ "Stirring I'll do", "the stirring may continue": the object put behind its verb."""
    core = clause.core
    if clause.saying or len(core) < 3 or clause.asks:
        return clause
    size = 0
    while size < len(core) and (
        core[size].kind in ("O", "DET", "ORD") or any(f == "ing" for _, f in core[size].verb)
    ):
        size += 1
    rest = core[size:]
    if len(rest) > 2 and rest[-1].key in ("it", "them") and rest[-2].kind == "V":
        rest = rest[:-1]  # "the cream I pour it"
    denied = any(c.kind in ("not", "no") for c in rest)
    if not size or len(rest) < 2 or (denied and not (rest[-1].of("DO", "base") and size > 1)):
        return clause
    named = core[:size]
    if denied and rest[0].kind in ("I", "WE", "A") and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *named), begin=clause.start)
    task = any(form in ("base", "s") for _, form in rest[-1].verb) and named[-1].kind == "O"
    doing = rest[-1].of("DO", "base") or (task and rest[0].kind != "YOU")
    if rest[0].kind in ("I", "A", "YOU") and doing and len(rest) <= 4:
        return replace(clause, chunks=(*rest, *named), begin=clause.start)
    verb = rest[-1]
    if (
        rest[0].kind in ("may", "can", "should", "must", "could")
        and len(rest) == 2
        and (any(c.kind == "V" for c in named) or (verb.of("GO", "base") and verb.key != "go"))
        and (verb.of("GO", "base") or verb.of("STOP", "base"))
    ):
        return replace(
            clause, chunks=(verb, *(c for c in named if c.kind != "DET")), begin=clause.start
        )
    return clause
