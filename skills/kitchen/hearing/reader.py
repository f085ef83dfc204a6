"""Reads an utterance clause by clause: what each says, before the acts are weighed."""

from __future__ import annotations

import re
from dataclasses import replace

from skills.kitchen.hearing.acts import Act, act
from skills.kitchen.hearing.appraisal import appraised
from skills.kitchen.hearing.asks import is_question, narrates, told, wants_to_know
from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import SUBORDINATE, Clause, saying
from skills.kitchen.hearing.cutting import clauses
from skills.kitchen.hearing.elsewhere import overhear, silenced
from skills.kitchen.hearing.following import Following
from skills.kitchen.hearing.hanging import rotated, untagged, wonders
from skills.kitchen.hearing.pairing import paired
from skills.kitchen.hearing.postponing import put_off, unable
from skills.kitchen.hearing.trading import gapped, instead, swapped
from skills.kitchen.hearing.words import word_set

_JOINING = frozenset({"and", "then", ",", "plus", "", "or"})
_TAGS = word_set("ok right yes no please huh eh correct true deal")
_LONGEST = 40
_DEAR = word_set("dear love darling honey sweetheart pet mate please")
_URGENT = word_set("quick quickly fast now please hurry pronto immediately")
_POSTPONES = re.compile(r"(?:can|could|shall|should) (?:not )?WE ")
_TAG = re.compile(
    r"(?:is|are|do|does|did|have|has|can|could|will|would|should|was|were) not "
    r"(?:IT|I|YOU|WE|THEY|A) |(?:would|can|could) YOU (?:believe|imagine) (?:IT )?|"
    r"did YOU know (?:IT )?"
)


class Reader(Following):
    """Reads one utterance in one context; made anew for each."""

    def read(self, text: str) -> list[Act]:
        """The acts in order of where they begin."""
        self.text, self.heard = text, self.chunks(text)
        parts = untagged(clauses(self.heard))
        sentence = -1
        waiting: list[Clause] = []
        skip: Clause | None = None
        dealt = -1
        for index, clause in enumerate(parts):
            behind = parts[index + 1] if index + 1 < len(parts) else None
            if clause.sentence != sentence:
                sentence = clause.sentence
                self._called, self._everyone = (), False
            clause = rotated(clause)
            if (
                behind is not None
                and (behind.saying == "PLEASE" or _urges(clause, behind))
                and behind.sentence == clause.sentence
                and behind.joint == ","
            ):
                polite = Chunk("PLEASE", "please", behind.start, behind.end)
                chunks = behind.chunks if behind.saying == "PLEASE" else (polite,)
                clause = replace(clause, chunks=(*clause.chunks, *chunks))
                skip = behind
            lone = [c.kind for c in clause.core] == ["O"] and behind is not None
            if lone and behind is not None and behind.chunks[0].key == "then":
                then = Chunk("PLEASE", "please", clause.end, clause.end)
                clause = clause.but((*clause.chunks, then))  # "cream, then stir"
            if parts[index] is skip or index < self._dealt:
                continue
            if clause.sentence != dealt:
                dealt = clause.sentence
                answers, count = paired(parts[index:], self.refs)
                if count:
                    self.acts += answers
                    self._dealt = index + count
                    continue
            fronted = self._fronted(parts, index)
            if fronted is not None:
                clause, self._dealt = fronted[0], fronted[1] + 1
            topic = self._status(clause, behind) or self._topic(clause, behind)
            if topic is not None:
                clause = topic
                skip = behind
            if self._call(clause, behind):
                self._hailed = tuple(a for c in clause.core for a in c.agents)
                self._hailed_at = sentence
                waiting.append(clause)
                continue
            if not self._called and clause.core and clause.core[0].kind == "YOU":
                self._called = self._hailed if self._hailed_at == sentence - 1 else ()
            if self._called or self._everyone:
                begin = waiting[-1].start if waiting and waiting[-1].sentence == sentence else -1
                clause = replace(clause, called=self._called, everyone=self._everyone, begin=begin)
                clause = saying(clause)
            found = self._clause(clause, parts, index)
            for one in found:
                if one.kind == "request" and self._first == sentence:
                    one.fields["first"], self._first = True, -1
                elif sentence in self._guarded and (
                    one.kind not in ("decline", "remark") or (one.bare and clause.joint == ",")
                ):
                    one.kind, one.fields, one.found = "ask", {}, None
            waiting = []
            self.acts += found
            self._remember(clause)
            self._finished(clause, found)
        if parts and not self.acts:
            asks = any(c.asks for c in parts)
            kind = "ask" if asks else "remark"
            made = act(kind, parts[0])
            made.end = parts[-1].end
            self.acts.append(made)
        if any(a.kind == "request" and a not in self._traded for a in self.acts):
            self.acts = [a for a in self.acts if a not in self._traded]  # who does what is said
        overhear(self.acts, parts, text)
        return self.acts

    def _clause(self, clause: Clause, parts: list[Clause], index: int) -> list[Act]:
        last = self.acts[-1] if self.acts else None
        same = last is not None and last.sentence == clause.sentence
        if clause.has("FIRST") and not clause.core:
            self._first = clause.sentence
        if not clause.core and not clause.saying:
            return [act("ask" if clause.asks else "remark", clause)] if len(parts) == 1 else []
        if len(clause.core) > _LONGEST:
            return [act("ask" if clause.asks else "remark", clause)]
        if same and (_TAG.fullmatch(clause.line) or (clause.asks and _tag(clause))):
            last.end = clause.end  # type: ignore[union-attr]
            return []
        dear = [c.key for c in clause.chunks] and all(c.key in _DEAR for c in clause.chunks)
        if same and last is not None and dear and clause.asks and last.kind in ("request", "ask"):
            return []  # "might I have the ladle, dear?"
        behind = parts[index + 1].joint if index + 1 < len(parts) else ""
        theirs = clause.sentence in self._theirs and clause.joint != "so"
        if not theirs and clause.line == "not " and behind in ("until", "before", "while"):
            return [self._answer("decline", clause)]  # "not until I say so"
        if clause.joint in SUBORDINATE and not told(clause):
            return self._subordinate(clause, parts, index)
        if clause.joint in ("instead", "than"):
            begun = any(a.sentence == clause.sentence for a in self.acts)
            return instead(clause, last if begun else None, self._called, self.refs)
        if clause.joint == "or":
            return self._alternative(clause, last)
        if theirs or self._stranger(clause, parts, index):
            self._theirs.add(clause.sentence)
            return [act("ask" if clause.asks else "remark", clause)]
        if told(clause):
            cannot = unable(clause, self.refs) if "let me" in clause.words else None
            if cannot is not None:
                return [cannot]  # "my mum won't let me use knives"
            wanted = self._wanted_by_others(clause)
            if wanted is not None:
                return [wanted]
            if narrates(clause):
                self._theirs.add(clause.sentence)
                for other in self.acts:  # "freeze, said the policeman"
                    if other.sentence == clause.sentence and not other.clause.asks:
                        silenced(other)
            if (
                last is not None
                and same
                and (last.bare or last.kind in ("stop", "resume"))
                and clause.joint in ("", "until", "when", "that")
                and last.clause.saying != "PUTOFF"
                and (last.kind != "stop" or clause.joint or narrates(clause))
            ):
                silenced(last)
            return [act("ask" if is_question(clause) else "remark", clause)]
        found = self._judge(clause, last if same else None)
        if same and last is not None and last.kind == "remark" and told(last.clause):
            for one in found:  # "that was the neighbour, not me"
                plain = one.bare or (clause.saying and one.kind in ("accept", "decline"))
                if clause.joint == "," and (plain or one.kind == "choose"):
                    silenced(one)
        if self._greeted:
            self._greeted = not (clause.called or clause.has("A") or clause.has("O"))
            for one in found:
                if self._greeted and (one.bare or one.kind in ("choose", "stop", "resume")):
                    silenced(one)
        return found or [self._leftover(clause)]

    def _judge(self, clause: Clause, last: Act | None) -> list[Act]:
        clause = self._named_again(clause)
        if dropped := self._that_one(clause):
            return dropped
        if clause.saying:
            return self._fixed(clause)
        traded = swapped(clause, self.refs)
        if traded:
            self._traded = traded
            return traded
        clause = gapped(clause, last, self.refs)
        question = clause.asks or is_question(clause)
        if question and not clause.asks:
            clause = replace(clause, asks=True)
        follows = last is not None and last.kind == "request" and clause.joint in _JOINING
        if clause.asks and follows and clause.core[0].kind == "V":
            clause = replace(clause, asks=False)  # "can you get the salt and stir the pot?"
        if wonders(clause) and len(clause.core) <= 4:
            return [act("remark", clause)]
        if wants_to_know(clause):
            wish = self._wishes.read(clause) if not clause.asks else None
            return [wish] if wish else [act("ask", clause)]
        carried = self._carried(clause, last)
        told_before = (
            last is not None
            and last.kind == "done"
            and (
                clause.joint in ("and", "then")
                or (clause.joint == "," and clause.core[0].kind != "V")
            )
        )
        if len(clause.core) > 2 and clause.core[-1].kind == "SOMEONE" and not clause.asks:
            clause = clause.but([c for c in clause.chunks if c is not clause.core[-1]])
            carried = clause  # "put the pepper away, someone"
        if clause.asks and _POSTPONES.match(clause.line):
            later = self._answers.read(replace(clause, asks=False), ())
            if later is not None and later.kind == "decline":
                return [later]  # "can we do that later?"
        core = clause.core
        away = [c.kind for c in core[:3]] == ["O", "from", "O"]
        if away and all(c.kind == "A" for c in core[3:]):
            clause = clause.but([c for c in clause.chunks if c not in core[1:3]])
            carried = clause  # "tomatoes from the pantry, please"
        report = self._reports.read(clause, self._said, told=told_before)
        agreed = last is not None and last.kind == "accept" and clause.joint in ("", ",")
        if agreed and [c.kind for c in clause.core] == ["O", "in"]:
            report = None  # "yes, cream in"
        if report is not None and _not_yet(clause, last):
            return [act("remark", clause)]
        ordering = last is not None and last.kind == "request" and clause.joint == "and"
        if ordering and any({f for _, f in c.verb} >= {"base", "past"} for c in clause.core):
            report = None  # "let R2 stir and R1 put the sauce away"
        if report is not None:
            return [report]
        also = clause.has("ALSO") and len(core) == 1 and core[0].kind in ("O", "A", "ORD")
        if also and self.acts and self.acts[-1].kind in ("accept", "decline"):
            ids = self.refs.proposals(self.refs.read(core))
            if ids:  # "R2's is fine. Mine too."
                same = act(self.acts[-1].kind, clause)
                same.ids = ids
                return [same]
        answer = (
            None
            if clause.asks
            else self._answers.read(clause, self._said if self._spoken_of(last) else ())
        )
        if answer is not None:
            return [self._to_called(answer)]
        later = put_off(clause, self.refs)
        if later is not None and clause.has("FIRST") and not clause.asks:
            later = None if self._orders.read(carried, self._said) else later
        if later is not None:
            return [self._to_called(later)]
        cannot = unable(clause, self.refs)
        if cannot is not None:
            return [cannot]
        praise = appraised(clause) if self.context.proposals else None
        if praise is not None:
            return [self._answer(praise, clause)]
        wish = self._wishes.read(clause)
        told = any(c.kind == "A" for c in clause.core)  # "R2 should get the pasta"
        if wish is not None and self._dishlike(clause) and not told:
            return [wish]
        orders = self._orders.read(carried, self._said)
        if orders:
            return orders
        if wish is not None and self.context.recipe_name and wish.fields["recipe"] is None:
            fetched = self._fetch(clause, last)  # "some cream with that", while something cooks
            if fetched:
                return fetched
        if wish is not None:
            return [wish]
        if clause.asks:
            asked = self._may_have(clause)
            return [asked] if asked is not None else [act("ask", clause)]
        dropped = self._dropped(clause)
        if dropped and {"mood", "me"} & set(clause.words.split()):
            mine = self.refs.proposals(replace(self.refs.read(clause.core), loose=0))
            own = tuple(
                p.id for p in self.context.proposals
                if p.id in (mine or ()) and p.agent == self.refs.user
            )  # fmt: skip
            if own:  # "not in the mood for slicing"
                no = act("decline", clause)
                no.ids = own
                return [no]
        if dropped:
            return dropped
        return (
            self._orders.verbless(clause, self._said)
            or self._fetch(clause, last)
            or self._rather(clause, last)
        )

    def _spoken_of(self, last: Act | None) -> bool:
        """Whether "it" is what was named: in this sentence, or in a bare question before it."""
        before = self.acts[-1] if self.acts else None
        return last is not None or (
            before is not None
            and before.kind == "ask"
            and all(c.kind == "O" for c in before.clause.core)
        )

    def _carried(self, clause: Clause, last: Act | None) -> Clause:
        """Who was asked just before is asked for what follows without a name."""
        if clause.called or last is None or last.kind not in ("request",):
            return clause
        agent = last.fields.get("agent")
        follows = clause.joint in _JOINING and last.sentence == clause.sentence
        if follows and isinstance(agent, str) and clause.core and clause.core[0].kind == "V":
            return replace(clause, called=(agent,))
        return clause


def _urges(clause: Clause, behind: Clause) -> bool:
    """ "A towel, somebody", "a plate, quick": a thing alone, and who is to be quick."""
    named = all(c.kind in ("O", "W", "DET", "ADJ", "and") for c in clause.core)
    urging = ("SOMEONE", "PLEASE", "ADJ", "FLOAT", "UM")
    return (
        named
        and clause.core[-1:] != ()
        and clause.core[-1].kind in ("O", "W")
        and not clause.saying
        and all(c.kind in urging or c.key == "fast" for c in behind.chunks)
        and any(c.kind == "SOMEONE" or c.key in _URGENT for c in behind.chunks)
    )


def _not_yet(clause: Clause, last: Act | None) -> bool:
    """ "Two more onions and I'm done": when something else is over."""
    if last is None or last.kind != "remark" or clause.joint != "and":
        return False
    left = last.clause.has("NEARLY") or {"more", "last", "another"} & set(last.clause.words.split())
    return bool(left) and not any(c.kind in ("is", "are", "have") for c in last.clause.core)


def _tag(clause: Clause) -> bool:
    """ "…, ok?", "…, would you?": asks nothing of its own."""
    keys = [c.key for c in clause.chunks if c.kind not in ("A", "YOU", "ALL")]
    if not keys:
        return True
    if len(keys) <= 2 and all(
        k
        in _TAGS
        | {
            "would",
            "will",
            "could",
            "can",
            "or",
            "not",
            "what",
            "please",
            "all right",
            "n't",
            "is",
            "it",
        }
        for k in keys
    ):
        return True
    return clause.saying in ("OK", "YES") and len(clause.chunks) <= 2
