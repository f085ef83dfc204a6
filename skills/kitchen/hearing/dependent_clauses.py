"""Clauses that depend on others: topics, conditions, temporal clauses, alternatives."""

from __future__ import annotations

from dataclasses import replace

from treec.skills.kitchen.hearing import ingredients
from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.common import COMMON
from treec.skills.kitchen.hearing.dishes import DISHES, MEALS
from treec.skills.kitchen.hearing.fetch_requests import FetchRequests
from treec.skills.kitchen.hearing.permissions import is_before_other_work, is_permissive_condition
from treec.skills.kitchen.hearing.questions import (
    is_indirect_question,
    is_narrative,
    is_question,
    wants_to_know,
)
from treec.skills.kitchen.hearing.reader_state import commands
from treec.skills.kitchen.hearing.reasons import threatens
from treec.skills.kitchen.hearing.report_parts import is_past
from treec.skills.kitchen.hearing.side_talk import FAMILY, TITLES, make_remark
from treec.skills.kitchen.hearing.words import word_set

_COURTESY = word_set(
    "mind minds trouble work bother possible ok right helps help like may fine please convenient "
    "going way passing free near use worth matters suits wish want same all ask "
    "rude easier hurry objection objects could can would willing kind must insist"
)
_BEGINNING = word_set("begin start go proceed")
_MODALS = word_set("will can could would shall should must may might do am need have")
_DID_IT = ("i did it", "i did that", "i have done it", "i have done that", "i did")


class DependentClauses(FetchRequests):
    """Reads clauses that have a meaning only together with another clause."""

    def _status(self, clause: Clause, behind: Clause | None) -> Clause | None:
        """ "Slice the lettuce: done", "Done: slice the lettuce": a report, whatever the verb's
        form.
        """
        if behind is None or behind.sentence != clause.sentence:
            return None
        if behind.joint == "," and behind.words in _DID_IT and not clause.has("W") and clause.core:
            status = Chunk("DONE", "done", behind.start, behind.end)
            past = tuple(_as_past(c) for c in clause.chunks)
            return replace(clause, chunks=(*past, status), saying="")
        if behind.joint != ":":
            return None
        both = (clause, behind)
        if not any(_is_status(part) for part in both) or all(_is_status(part) for part in both):
            return None
        chunks = (*(c for c in clause.chunks), *behind.chunks)
        status = next(
            c for part in both if _is_status(part) for c in part.chunks if c.kind == "DONE"
        )
        remaining = tuple(c for c in chunks if c.kind != "DONE" and c.key != "status")
        past = tuple(_as_past(c) for c in remaining)
        return replace(clause, chunks=(*past, status), saying="", begin=clause.start)

    def _topic(self, clause: Clause, behind: Clause | None) -> Clause | None:
        """ "The yoghurt, yes": a topic before its answer."""
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
        if not core or behind.asks:
            return None
        before = self.acts[-1] if self.acts else None
        if before is not None and before.bare and not clause.joint:
            return None  # "yes stir, no leave the sauce"
        is_verb = len(core) == 1 and core[0].kind == "V" and bool(core[0].verb)
        tasks = {m.task for m in self.refs.proposed.values() if m is not None}
        if is_verb and self.refs.kitchen.tasks_of(core[0]) & tasks:
            yes = "yes" if behind.saying in ("YES", "OK", "GOOD") else "later"
            as_gerund = replace(core[0], verb=tuple((w, "ing") for w, _ in core[0].verb))
            answer = Chunk("W", yes, behind.start, behind.end)
            return replace(clause, chunks=(as_gerund, answer), saying="")  # "stir, no"
        if core[0].kind not in ("O", "ORD"):
            return None
        small = ("from", "by", "to", "away", "back")  # "the sauce away, yes"
        if any(c.kind not in ("O", "ORD", "A") and c.key not in small for c in core[1:]):
            return None
        core = [c for c in core if c.key not in small]
        yes = "yes" if behind.saying in ("YES", "OK", "GOOD") else "later"
        answer = replace(core[0], kind="W", key=yes, start=behind.start, end=behind.end, things=())
        return replace(clause, chunks=(*core, answer), saying="")

    def _undo_fronting(self, parts: list[Clause], index: int) -> tuple[Clause, int] | None:
        """ "The second, I'm afraid, I must refuse": moves a fronted object behind its verb.

        Returns the reordered clause and the index of the clause that it is made of.
        """
        clause = parts[index]
        core = [c for c in clause.core if c.kind != "DET"]
        all_references = all(
            c.kind in ("O", "ORD") or any(f == "ing" for _, f in c.verb) for c in core
        )
        if not core or not all_references or clause.asks or clause.saying:
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
        if behind.words.startswith(("i am in a ", "we are in a ")):
            return None  # "salt, I'm in a hurry"
        if kinds[0] not in ("I", "WE", "YOU", "A") or {"O", "ORD", "R"} & set(kinds):
            return None
        pronouns = [c for c in behind.chunks if c.key in ("it", "them", "that", "those", "this")]
        if not pronouns and kinds[-1] not in ("V", "W", "do", "not") and len(kinds) > 5:
            return None
        if not pronouns and not any(k in _MODALS for k in kinds):
            return None
        remaining = tuple(c for c in behind.chunks if c not in pronouns)
        return replace(behind, chunks=(*remaining, *clause.chunks), begin=clause.start), stop

    def _stranger(self, clause: Clause, parts: list[Clause], index: int) -> bool:
        """ "Mia, yes, you can", "No, Tom, not now": addressed to somebody outside the team."""
        if clause.chunks[0].key in TITLES and len(clause.chunks) <= 3 and clause.joint == ",":
            for other in self.acts:
                if other.sentence == clause.sentence:
                    make_remark(other)
            return True
        keys = [c.key for c in clause.chunks]
        kin = len(keys) == 2 and keys[0] in ("no", "yes", "ok") and keys[1] in FAMILY
        if kin and not clause.addressees:
            self._greeted = True  # "no papa, it isn't far"
            return True
        if len(clause.chunks) != 1 or clause.chunks[0].kind not in ("W", "OTHERS") or clause.saying:
            return False
        chunk = clause.chunks[0]
        name = self.text[chunk.start : chunk.end]
        family = chunk.key in FAMILY
        is_name = name.istitle() and not (
            chunk.key in COMMON
            or chunk.key in DISHES | MEALS | self._dish_words
            or ingredients.is_known_word(chunk.key.removesuffix("s"))
        )
        if not family and not is_name:
            return False
        around = [p for p in parts if p.sentence == clause.sentence and p is not clause]
        is_greeting = index > 0 and parts[index - 1].saying == "HELLO" and clause.joint in ("", ",")
        is_greeting &= clause.joint == "," or parts[index - 1].sentence == clause.sentence
        apart = index + 1 < len(parts) and parts[index + 1].joint == ","
        if clause.joint != "," and not apart and not is_greeting:
            return False
        if not (
            family
            or (clause.joint == "," and apart)
            or is_greeting
            or any(p.saying in ("YES", "NO", "OK", "PUTOFF", "WAIT") or commands(p) for p in around)
        ):
            return False
        for other in self.acts:
            if other.sentence == clause.sentence and other.kind != "ask":
                make_remark(other)
        if is_greeting or (family and len(around) <= 1):
            self._greeted = True
        return True

    def _judge(self, clause: Clause, last: HeardAct | None) -> list[HeardAct]:
        """The acts of one clause by itself."""
        raise NotImplementedError

    def _subordinate(self, clause: Clause, parts: list[Clause], index: int) -> list[HeardAct]:
        last = self.acts[-1] if self.acts else None
        same = last is not None and last.sentence == clause.sentence
        if clause.joint == "before" and (
            answer := self._blocked_before(clause, last if same else None)
        ):
            return [answer]
        if clause.joint == "before":
            if same and last is not None and last.kind == "request":
                before = is_before_other_work(clause) and not _spoils(clause)
                last.fields["first"] = before or last.fields["first"]
                last.end = clause.end
            elif not same and any(clause.has(k) for k in ("O", "V", "A")):
                self._first = clause.sentence  # "before the lettuce, put in the tomatoes"
            return []
        begins = same and last is not None and last.kind == "accept" and last.bare
        late = clause.joint in ("after", "when", "until") and begins and last is not None
        if late and last is not None and _BEGINNING & set(last.clause.words.split()):
            last.kind = "decline"  # "we shall begin after the news"
            return []
        perception = {"hear", "see", "meet", "taste", "try"} & set(clause.words.split())
        if (
            perception
            and same
            and last is not None
            and clause.core[:1]
            and is_warning(clause, last)
        ):
            make_remark(last)  # "wait till you hear this"
            return []
        if clause.joint in ("if", "unless"):
            if _courtesy(clause):
                return []
            eager = [c for c in clause.core[:1] if c.kind == "A"]
            if clause.joint == "if" and eager and not same and is_permissive_condition(clause):
                self._called = eager[0].agents  # "if R2 wants to get it, let it"
                return []
            if (
                last is not None
                and same
                and last.kind in ("ask", "remark")
                and asks_to_be_told(last.clause)
            ):
                last.end = clause.end
                return []
            if last is not None and same and is_narrative(last.clause):
                last.end = clause.end  # "my sister cries if she looks at one"
                return []
            if not same or (last is not None and last.kind == "remark"):
                self._guarded.add(clause.sentence)
                return [act("ask", clause)]
            return self._divided_work(clause) or self._conditional(clause)
        if (
            clause.joint in ("when", "until")
            and same
            and last is not None
            and (
                (last.kind == "done" and not _was(clause))
                or (last.kind == "stop" and clause.joint == "when")
            )
        ):
            again = self._as_later_order(last) if last.kind == "done" else []
            self.acts[-1:] = again or [act("ask", last.clause)]
            return []
        return [] if same or index + 1 < len(parts) else [self._leftover(clause)]

    def _as_later_order(self, last: HeardAct) -> list[HeardAct]:
        """ "Onions in, once they're chopped": an order, although it looks like a report."""
        clause, hint = last.clause, last.clause.end
        if any(c.kind in ("is", "are", "has", "have", "was", "DONE", "I") for c in clause.core):
            return []
        polite = clause.but((*clause.chunks, Chunk("PLEASE", "please", hint, hint)))
        return self._orders.read(polite, self._antecedents) or self._orders.verbless(
            polite, self._antecedents
        )

    def _blocked_before(self, clause: Clause, last: HeardAct | None) -> HeardAct | None:
        """ "Let me taste it before you add the cream": declines the later work."""
        tries = (
            last is not None
            and last.kind == "request"
            and bool({"try", "taste", "check"} & {c.key for c in last.clause.core})
        )
        if last is None or last.clause.asks or not clause.core:
            return None
        if last.kind != "remark" and not tries:
            return None
        if last.clause.core[:1] and last.clause.core[0].kind not in ("let", "I", "WE", "let's"):
            return None
        after = self._judge(replace(clause, joint=""), None)
        ids = tuple(
            i for one in after for i in (
                one.ids or () if one.kind == "accept" else
                tuple(p.id for p in self.refs.proposal_of(one.found, (None,))) if one.found else ()
            )
        )  # fmt: skip
        if not ids:
            return None
        if tries:
            self.acts.remove(last)
        made = act("decline", clause)
        made.ids = tuple(dict.fromkeys(ids))
        return made

    def _divided_work(self, clause: Clause) -> list[HeardAct]:
        """ "I'll whisk if R1 chops": a division of work."""
        core, last = clause.core, self.acts[-1]
        ids, user = last.ids or (), self.refs.user
        mine = last.fields.get("agent") == user or any(
            p.id in ids and p.agent == user for p in self.context.proposals
        )
        if clause.joint != "if" or not mine or len(core) < 3 or core[0].kind != "A":
            return []
        if not any(form == "s" for _, form in core[1].verb):
            return []
        found = self._judge(replace(clause, joint="and", asks=False), last)
        return found if {a.kind for a in found} <= {"request", "accept"} else []

    def _conditional(self, clause: Clause) -> list[HeardAct]:
        """A condition after an order turns it into a question."""
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

    def _alternative(self, clause: Clause, last: HeardAct | None) -> list[HeardAct]:
        would = clause.core[1:2] and clause.core[1].kind in ("will", "would", "may", "might")
        if last is not None and would and clause.core[0].kind in ("OTHERS", "IT", "O", "THEY", "R"):
            return []  # "I'll tidy it away, or the kids will find it"
        if (
            last is not None
            and last.sentence == clause.sentence
            and last.kind in ("request", "choose", "accept")
        ):
            kind = "ask" if clause.asks else "remark"
            if not clause.asks and threatens(clause):
                return []  # "… or it will burn"
            if last.kind == "choose":
                last.fields["recipe"] = None
            elif len(clause.core) > 1:
                self.acts[-1] = act(kind, last.clause)
            return []
        found = self._judge(clause, None)
        is_negated = (
            last is not None
            and last.sentence == clause.sentence
            and any(c.kind in ("not", "no", "never", "neither") for c in last.clause.chunks)
        )
        if is_negated and any(a.kind == "choose" for a in found):
            return []  # "not in the mood for leaves or soup"
        return [a for a in found if a.kind in ("decline", "ask", "remark")] or [
            self._leftover(clause)
        ]

    def _to_come(self, clause: Clause) -> bool:
        """ "… so I spread", "I cut it": work that is only proposed to the speaker."""
        mine = [m for p in self.context.proposals if p.agent == self.context.user
                or clause.joint == "so" if (m := self.refs.proposed[p.id]) is not None]  # fmt: skip
        verb = clause.core[1:2]
        has_verb = bool(verb) and clause.core[0].kind == "I" and bool(verb[0].verb)
        return has_verb and any(m.task in self.refs.kitchen.tasks_of(verb[0]) for m in mine)

    def _leftover(self, clause: Clause) -> HeardAct:
        asks = (
            clause.asks
            or is_question(clause)
            or wants_to_know(clause)
            or is_indirect_question(clause)
        )
        return act("ask" if asks else "remark", clause)

    def _dishlike(self, clause: Clause) -> bool:
        """Whether a clause is about a dish rather than an ingredient."""
        return not any(c.kind == "O" and not c.recipe for c in clause.core)


def _was(clause: Clause) -> bool:
    """Whether a temporal clause is about the past: "when I came in"."""
    past = ("was", "were", "had", "did")
    return any(
        c.kind in past
        or c.key in ("came", "got", "arrived", "woke", "looked")
        or (is_past(c) and not any(b.kind in ("is", "are") for b in clause.core))
        for c in clause.core
    )


def _spoils(clause: Clause) -> bool:
    """ "Before it burns", "before I forget": a process that is none of the work."""
    core = clause.core
    if len(core) < 2 or core[0].kind not in ("IT", "THEY", "OTHERS", "there", "I", "R", "O", "DET"):
        return False
    if core[0].kind == "I":
        return core[1].key in ("forget", "explode", "faint", "starve", "lose")
    is_change = core[1].key in ("gets", "get", "turns", "goes", "go", "is", "are") and len(core) > 2
    alone = core[0].kind in ("IT", "THEY", "R") and len(core) == 2
    if alone and any(form == "s" for _, form in (*core[1].verb, *core[1].classes)):
        return True  # "before it sticks"
    own = [c for c in core[1:] if c.kind not in ("ADJ", "W", "DET", "out", "off", "over", "to")]
    return all(c.key in ("gets", "get", "turns", "goes", "go", "is", "are") for c in own) and (
        is_change or not own
    )


def is_warning(clause: Clause, last: HeardAct) -> bool:
    """Whether a clause only raises expectations: "… until you see this"."""
    waits = last.kind in ("stop", "decline") and len(last.clause.core) == 1
    return waits and clause.joint in ("until", "when") and clause.core[0].kind in ("YOU", "THEY")


def _courtesy(clause: Clause) -> bool:
    """ "If nobody minds", "if that helps": a polite phrase, no condition."""
    has_reference = any(clause.has(kind) for kind in ("O", "A", "DONE"))
    return not has_reference and any(c.key in _COURTESY for c in clause.core)


def asks_to_be_told(clause: Clause) -> bool:
    """ "Tell me if …", "let me know when …": asks for a later message."""
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
