"""Read an utterance clause by clause, before its acts are compared."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.addressees import (
    addresses_hailed,
    before_us,
    bids,
    names_thing,
    to_anyone,
    urges,
)
from treec.skills.kitchen.hearing.anaphora import JOINING, Anaphora
from treec.skills.kitchen.hearing.answer_pairs import answer_with_name, pair_answers
from treec.skills.kitchen.hearing.appraisal import admires, appraise
from treec.skills.kitchen.hearing.causatives import normalize_causatives
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import SUBORDINATE, Clause, saying
from treec.skills.kitchen.hearing.delegation import delegate
from treec.skills.kitchen.hearing.dependent_clauses import asks_to_be_told
from treec.skills.kitchen.hearing.discourse import (
    DEAR,
    apply_neither,
    goes_on,
    is_explanation,
    is_tag,
    superseded_act,
)
from treec.skills.kitchen.hearing.disguised_orders import as_order, dishes_up
from treec.skills.kitchen.hearing.exhaustion import still_to_do
from treec.skills.kitchen.hearing.implicit_answers import implicit_answer, ready_for
from treec.skills.kitchen.hearing.permissions import permission, the_robot
from treec.skills.kitchen.hearing.postponement import asks_time, inability, not_yet, postponement
from treec.skills.kitchen.hearing.questions import (
    is_narrative,
    is_question,
    narrates,
    wants_to_know,
)
from treec.skills.kitchen.hearing.reasons import aims, of_the_room
from treec.skills.kitchen.hearing.report_parts import tells_of_robot
from treec.skills.kitchen.hearing.resumption import assign_stops, it_goes_on, resume_interrupted
from treec.skills.kitchen.hearing.segmentation import clauses
from treec.skills.kitchen.hearing.serving import resolve_dish_pronoun
from treec.skills.kitchen.hearing.side_talk import demote_side_talk, make_remark
from treec.skills.kitchen.hearing.smalltalk import small_talk
from treec.skills.kitchen.hearing.swaps import fill_gap, instead, swap
from treec.skills.kitchen.hearing.utensils import UTENSILS
from treec.skills.kitchen.hearing.word_order import normalize_word_order, remove_tags

_LONGEST = 40
_POSTPONES = re.compile(r"(?:can|could|shall|should|may|might) (?:not )?(?:WE|I) ")
_TAG = re.compile(
    r"(?:is|are|do|does|did|have|has|can|could|will|would|should|was|were) not "
    r"(?:IT|I|YOU|WE|THEY|A) |(?:would|can|could) YOU (?:believe|imagine) (?:IT )?|"
    r"did YOU know (?:IT )?|who (?:can|could|will|would) \w+ (?:IT |I )?|"
    r"(?:shall|should) WE "
)


class Reader(Anaphora):
    """Reads one utterance in one context; create a new one for each."""

    def read(self, text: str) -> list[HeardAct]:
        """The acts, in the order of their beginnings."""
        self.text, self.heard = text, self.chunks(text)
        parts = remove_tags(clauses(self.heard))
        sentence = -1
        pending: list[Clause] = []
        skip: Clause | None = None
        dealt = -1
        for index, clause in enumerate(parts):
            behind = parts[index + 1] if index + 1 < len(parts) else None
            if clause.sentence != sentence:
                sentence = clause.sentence
                self._called, self._everyone = (), False
            clause = normalize_word_order(clause)
            is_urged = behind is not None and urges(clause, behind)
            if behind is not None and (
                (is_urged and behind.sentence == clause.sentence + 1)  # "Plates. Now."
                or (
                    (behind.saying == "PLEASE" or is_urged)
                    and behind.sentence == clause.sentence
                    and behind.joint == ","
                )
            ):
                polite = Chunk("PLEASE", "please", behind.start, behind.end)
                chunks = behind.chunks if behind.saying == "PLEASE" else (polite,)
                clause = replace(clause, chunks=(*clause.chunks, *chunks))
                skip = behind
            lone = [c.kind for c in clause.core] == ["SOMEONE"] and behind is not None
            if lone and behind is not None and behind.joint == "," and behind.core and bids(behind):
                parts[index + 1] = behind.but((clause.core[0], *behind.chunks))
                continue  # "somebody, chop the onions"
            if behind is not None and to_anyone(clause, behind):
                clause = clause.but((behind.core[0], *clause.chunks))  # "chop them, somebody"
                skip = behind
            if behind is not None and behind.joint == "before" and before_us(clause, behind):
                already = Chunk("FLOAT", "already", clause.end, clause.end)
                clause = clause.but((*clause.chunks, already))  # "washed before you asked"
            apart = behind is not None and "," in text[clause.end : behind.start]
            apart = apart and clause.words.startswith("go ahead")
            if apart and behind is not None and behind.joint == "and":
                parts[index + 1] = replace(behind, joint="plus")  # "go ahead, and hand me a plate"
            lone = [c.kind for c in clause.core] == ["O"] and behind is not None
            if lone and behind is not None and behind.chunks[0].key == "then":
                then = Chunk("PLEASE", "please", clause.end, clause.end)
                clause = clause.but((*clause.chunks, then))  # "cream, then stir"
            if parts[index] is skip or index < self._dealt:
                continue
            if clause.sentence != dealt:
                dealt = clause.sentence
                answers, count = pair_answers(parts[index:], self.refs)
                if count:
                    self.acts += answers
                    self._dealt = index + count
                    continue
            reordered = self._undo_fronting(parts, index)
            if reordered is not None:
                clause, self._dealt = reordered[0], reordered[1] + 1
            topic = self._status(clause, behind) or self._topic(clause, behind)
            if topic is not None:
                clause = topic
                skip = behind
            if self._vocative(clause, behind):
                self._hailed = tuple(a for c in clause.core for a in c.agents)
                self._hailed_at = sentence
                pending.append(clause)
                continue
            if not self._called and clause.core and addresses_hailed(clause):
                self._called = self._hailed if self._hailed_at == sentence - 1 else ()
            if self._called or self._everyone:
                begin = pending[-1].start if pending and pending[-1].sentence == sentence else -1
                clause = replace(clause, addressees=self._called, begin=begin)
                clause = saying(clause)
            clause = self._instead(clause)
            found = self._clause(clause, parts, index)
            for one in found:
                if one.kind == "request" and self._first == sentence:
                    one.fields["first"], self._first = True, -1
                elif sentence in self._guarded and (
                    one.kind not in ("decline", "remark") or (one.bare and clause.joint == ",")
                ):
                    one.kind, one.fields, one.found = "ask", {}, None
            pending = []
            self.acts += found
            self._remember(clause)
            self._finished(clause, found)
        if parts and not self.acts:
            asks = any(c.asks for c in parts)
            kind = "ask" if asks else "remark"
            act_made = act(kind, parts[0])
            act_made.end = parts[-1].end
            self.acts.append(act_made)
        if any(a.kind == "request" and a not in self._traded for a in self.acts):
            self.acts = [
                a for a in self.acts if a not in self._traded
            ]  # replaced by an explicit assignment
        demote_side_talk(self.acts, parts, text)
        assign_stops(self.acts, parts, self.refs.robots)
        it_goes_on(self.acts, parts, self.refs.robots)
        self._small = self._unfinished_work or small_talk(
            self.acts,
            parts,
            idle=not self.context.proposals,
            choosing=not self.context.recipe_name,
        )
        return self.acts

    def _clause(self, clause: Clause, parts: list[Clause], index: int) -> list[HeardAct]:
        last = self.acts[-1] if self.acts else None
        same = last is not None and last.sentence == clause.sentence
        if clause.has("FIRST") and not clause.core:
            self._first = clause.sentence
        next_joint = parts[index + 1].joint if index + 1 < len(parts) else ""
        if (
            not clause.core
            and clause.has("ONLY")
            and next_joint in ("when", "after", "if", "until")
        ):
            return [self._answer("decline", clause)]  # "only once the sauce is in"
        if not clause.core and not clause.saying:
            return [act("ask" if clause.asks else "remark", clause)] if len(parts) == 1 else []
        if len(clause.core) > _LONGEST:
            return [act("ask" if clause.asks else "remark", clause)]
        if same and (_TAG.fullmatch(clause.line) or (clause.asks and is_tag(clause))):
            last.end = clause.end  # type: ignore[union-attr]
            return []
        dear = [c.key for c in clause.chunks] and all(c.key in DEAR for c in clause.chunks)
        if same and last is not None and dear and clause.asks and last.kind in ("request", "ask"):
            return []  # "might I have the ladle, dear?"
        behind = parts[index + 1].joint if index + 1 < len(parts) else ""
        theirs = clause.sentence in self._theirs and clause.joint != "so"
        if not theirs and clause.line == "not " and behind in ("until", "before", "while"):
            return [self._answer("decline", clause)]  # "not until I say so"
        asking = clause.joint in ("though", "although") and is_question(clause)
        if clause.joint == "before" or (
            clause.joint in SUBORDINATE and not is_narrative(clause) and not asking
        ):
            return self._subordinate(clause, parts, index)
        if clause.joint in ("instead", "than"):
            has_acts = any(a.sentence == clause.sentence for a in self.acts)
            return instead(clause, last if has_acts else None, self._called, self.refs)
        if clause.joint == "or":
            return self._alternative(clause, last)
        if same and last is not None and last.kind in ("request", "accept") and aims(clause):
            return []  # "…, so we can start"
        if theirs and clause.joint != "that" and self._own_wish(clause):
            theirs = False  # "been on the bus since five, I'm wanting porridge"
        if theirs or self._stranger(clause, parts, index):
            self._theirs.add(clause.sentence)
            return [act("ask" if clause.asks else "remark", clause)]
        if is_narrative(clause):
            cannot = inability(clause, self.refs) if "let me" in clause.words else None
            if cannot is not None:
                return [cannot]  # "my mum won't let me use knives"
            wish = self._wanted_by_others(clause)
            if wish is not None:
                return [wish]
            if narrates(clause):
                self._theirs.add(clause.sentence)
                for other in self.acts:  # "freeze, said the policeman"
                    if other.sentence == clause.sentence and not other.clause.asks:
                        make_remark(other)
            if (
                last is not None
                and same
                and (last.bare or last.kind in ("stop", "resume"))
                and clause.joint in ("", "until", "when", "that")
                and last.clause.saying != "PUTOFF"
                and (last.kind != "stop" or clause.joint or narrates(clause))
            ):
                make_remark(last)
            return [act("ask" if is_question(clause) else "remark", clause)]
        found = apply_neither(self._judge(clause, last if same else None), clause)
        if is_explanation(found, self.acts, clause, self.refs.user):
            return [act("remark", clause)]
        before = superseded_act(found, self.acts, clause)
        if before is not None:
            self.acts.remove(before)
        if same and last is not None and last.kind == "remark" and is_narrative(last.clause):
            for one in found:  # "that was the neighbour, not me"
                plain = one.bare or (clause.saying and one.kind in ("accept", "decline"))
                mine = clause.core[:1] and clause.core[0].kind == "I" and len(clause.core) > 2
                if mine and one.kind == "decline":
                    continue  # "my wife will wash it, I'm not doing it"
                head = clause.core[0].kind if clause.core else ""
                assign_stops = one.kind == "choose" and head in ("let's", "I", "WE")
                if clause.joint == "," and (plain or one.kind == "choose") and not assign_stops:
                    make_remark(one)
        opens = next((a for a in self.acts if a.sentence == clause.sentence), None)
        for one in found if opens is not None and goes_on(clause, opens) else ():
            make_remark(one)  # "they won't eat the crusts, neither of them"
        if self._greeted:
            self._greeted = not (clause.addressees or clause.has("A") or clause.has("O"))
            for one in found:
                if self._greeted and (one.bare or one.kind in ("choose", "stop", "resume")):
                    make_remark(one)
        return found or [self._leftover(clause)]

    def _judge(self, clause: Clause, last: HeardAct | None) -> list[HeardAct]:
        clause = the_robot(self._named_again(clause), self.refs)
        clause = resolve_dish_pronoun(normalize_causatives(clause, self.refs), self.refs)
        was_thanks = last is not None and last.clause.saying == "THANKS" and last.kind == "remark"
        if was_thanks and clause.joint == "" and clause.core[0].kind == "for":
            return [act("remark", clause)]  # "thanks for the stock, R2"
        timed = not self.context.proposals and asks_time(clause)
        if of_the_room(clause) or timed or still_to_do(clause):
            return [act("remark", clause)]
        if found := answer_with_name(clause, last, self.refs) or self._from_antecedent(clause):
            return found
        goes_in = clause.words in ("in it goes", "in they go") and not self.context.proposals
        if goes_in and self._antecedents:
            return self._orders.verbless(clause, self._antecedents)
        if acts_taken := self._goes_in(clause) or self._other_way(clause):
            return acts_taken
        onward = delegate(clause, self.acts, self.refs)
        if onward:
            return onward
        if clause.saying:
            return self._fixed(clause)
        swaps = swap(clause, self.refs)
        if swaps:
            self._traded = swaps
            return swaps
        clause = fill_gap(clause, last, self.refs)
        if clause.asks and clause.has("PLEASE") and bids(clause):
            clause = replace(clause, asks=False)  # "would you be so kind as to bring the cream?"
        is_cleft = clause.line.startswith(("what I ", "what WE ")) and not clause.asks
        if is_cleft and (wish := self._wishes.read(clause)) is not None:
            return [wish]  # "what I'd like is biryani"
        question = clause.asks or is_question(clause)
        if question and not clause.asks:
            clause = replace(clause, asks=True)
        follows = last is not None and last.kind == "request" and clause.joint in JOINING
        is_list = len(clause.core) == 1 and names_thing(clause.core[0])
        if clause.asks and follows and (clause.core[0].kind in ("V", "A") or is_list):
            clause = replace(clause, asks=False)  # "can you get the salt and stir the pot?"
        if asks_to_be_told(clause) and len(clause.core) <= 4:
            return [act("remark", clause)]
        if wants_to_know(clause):
            wish = self._wishes.read(clause) if not clause.asks else None
            return [wish] if wish else [act("ask", clause)]
        inherited = self._inherit_addressee(clause, last)
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
            inherited = clause  # "put the pepper away, someone"
        if clause.asks and _POSTPONES.match(clause.line):
            later = self._answers.read(replace(clause, asks=False), ())
            if later is not None and later.kind == "decline":
                return [later]  # "can we do that later?"
        core = clause.core
        away = [c.kind for c in core[1:3]] == ["from", "O"] and (
            core[0].kind == "O" or core[0].key in UTENSILS
        )
        if away and all(c.kind == "A" for c in core[3:]):
            clause = clause.but([c for c in clause.chunks if c not in core[1:3]])
            inherited = clause  # "tomatoes from the pantry, please"
        readiness = ready_for(clause, self.refs)
        if readiness is not None:
            return [readiness]
        report = self._reports.read(clause, self._antecedents, told_before=told_before)
        is_agreement = last is not None and last.kind == "accept" and clause.joint in ("", ",")
        if is_agreement and [c.kind for c in clause.core] == ["O", "in"]:
            report = None  # "yes, cream in"
        if report is not None and not_yet(clause, last):
            self._unfinished_work = True
            return [act("remark", clause)]
        ordering = last is not None and last.kind == "request" and clause.joint == "and"
        ordering = (ordering and "already" not in clause.words.split()) or as_order(
            clause, self.refs
        )
        ordering = ordering or self._to_come(clause)
        if ordering and any({f for _, f in c.verb} >= {"base", "past"} for c in clause.core):
            report = None
        if report is not None:
            report.sure |= tells_of_robot(clause)
            return [report]
        leave = permission(clause, self.refs) or implicit_answer(clause, self.refs)
        if leave is not None:
            return [leave]
        also = clause.has("ALSO") and len(core) == 1 and core[0].kind in ("O", "A", "ORD", "I")
        if also and self.acts and self.acts[-1].kind in ("accept", "decline"):
            ids = self.refs.proposals(self.refs.read(core))
            if ids:  # "R2's is fine. Mine too."
                same = act(self.acts[-1].kind, clause)
                same.ids = ids
                return [same]
        answer = (
            None
            if clause.asks or admires(clause)
            else self._answers.read(clause, self._antecedents if self._spoken_of(last) else ())
        )
        if answer is not None:
            return [self._restrict_to_addressee(answer)]
        later = postponement(clause, self.refs)
        if later is not None and clause.has("FIRST") and not clause.asks:
            later = None if self._orders.read(inherited, self._antecedents) else later
        if later is not None:
            return [self._restrict_to_addressee(later)]
        cannot = inability(clause, self.refs)
        if cannot is not None:
            return [cannot]
        praise = appraise(clause) if self.context.proposals else None
        if praise is not None:
            return [self._answer(praise, clause)]
        wish = self._wishes.read(clause)
        is_narrative = any(c.kind == "A" for c in clause.core)  # "R2 should get the pasta"
        is_narrative |= bool(self.context.recipe_name) and dishes_up(clause)  # "dish up the soup"
        cooking = self.context.recipe_name and wish is not None and not wish.fields["recipe"]
        cooking = bool(cooking) and bool(clause.addressees or is_narrative)
        if wish is not None and self._dishlike(clause) and not (is_narrative or cooking):
            return [wish]
        orders = self._orders.read(inherited, self._antecedents)
        if orders and [a.kind for a in orders] == ["remark"] and clause.core[0].of("GO"):
            return [self._choose_offered(act("accept", clause))]  # "go on then", of a dish
        if orders:
            return resume_interrupted(orders, clause, self.refs)
        if wish is not None and self.context.recipe_name and wish.fields["recipe"] is None:
            fetch = self._fetch(clause, last)  # "some cream with that", while something cooks
            if fetch:
                return fetch
        if wish is not None and not cooking:
            return [wish]
        if clause.asks:
            request = self._may_have(clause)
            return [request] if request is not None else [act("ask", clause)]
        exclusion = self._exclusion(clause)
        if exclusion and {"mood", "me"} & set(clause.words.split()):
            mine = self.refs.proposals(replace(self.refs.read(clause.core), loose=0))
            own = tuple(
                p.id for p in self.context.proposals
                if p.id in (mine or ()) and p.agent == self.refs.user
            )  # fmt: skip
            if own:  # "not in the mood for slicing"
                no = act("decline", clause)
                no.ids = own
                return [no]
        if exclusion:
            return exclusion
        return (
            self._orders.verbless(clause, self._antecedents)
            or self._there_already(self._fetch(clause, last))
            or self._rather(clause, last)
            or ([request] if (request := self._may_have(clause)) is not None else [])
        )
