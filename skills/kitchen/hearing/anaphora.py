"""Anaphora and ellipsis: "… so leave it out", "not the pepper, the sauce"."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.dependent_clauses import DependentClauses
from treec.skills.kitchen.hearing.questions import narrates
from treec.skills.kitchen.hearing.references import GONE, Ref
from treec.skills.kitchen.hearing.swaps import TRADING
from treec.skills.kitchen.hearing.utensils import UTENSILS
from treec.skills.kitchen.hearing.words import word_set

_NOT_HERE = re.compile(
    r"(?:(?:absolutely|definitely|certainly|oh|please) )?(?:not|never|no way|not ever) "
    r"(?:in|on|into|near|for|with) (?:\w+ ?){1,3}"
)
_ONCE = re.compile(
    r"(?:(?:just |only )?(?:one|a single|that one) (?P<noun>\w+)|(?P<verb>\w+ing) (?:it |the \w+ )?"
    r"once|once(?: \w+ed)?) (?:is|was|will be|has been|ought to be|should be) "
    r"(?:quite |more than |surely |already )?"
    r"(?:enough|plenty|sufficient|fine|all (?:it|we) needs?|ok)(?: .*)?"
)
_MUST = ("should", "can", "could", "shall", "may", "must", "will")
_LETS = re.compile(
    r"(?:let's|we (?:should|could|can|will|had better|might as well)) (?:\w+ )?(?:make|do|have|"
    r"cook|go for|go with|try|switch to|take) "
    r"(?:that|it|that one|this|that instead|it instead)(?: .*)?"
)
_NO = ("NO", "UM", "HELLO")
_SENDING = word_set("let have send ask tell get make")
_ASKED = re.compile(
    r"OTHERS (?:have |has |are |is |been |always |all |keep |keeps )*(?:asked|asking|begged|"
    r"begging|voted|voting|ask|asks|screaming|crying|shouting|clamouring|pleading|nagging|pestering|dying|"
    r"longing|desperate|crazy|mad|starving|hoping|wishing|moaning)(?: I| WE)? (?:out )?for "
)
_GOES_IN = re.compile(
    r"(?:so |then |and |now )*(?:in (?:it|they|that) (?:goes|go)|in with (?:it|them)|"
    r"(?:it|they|that|those|these|you can (?:put|tip|pop|throw) (?:it|them)) (?:(?:can|may|should|"
    r"could|must|needs to|"
    r"need to|has to|have to|might as well) )?(?:now )?(?:go |goes |be )?in)(?: now| then| please|"
    r" next)*"
)
_THAT_DISH = re.compile(
    r"(?:so |then |and )*(?:"
    r"(?:that|this|it|those|these|which|the one)(?: one)? (?:is|are|has to be|will be|would be) "
    r"(?:what|the one|the one that) (?:we|i|you|us) .*|"
    r"(?:let's|let us|we will|i will|we shall|we should|we could|we can|i want to|why not|please|"
    r"can we|i would like to|"
    r"we are going to|i say we|shall we)? ?(?:have|make|do|cook|try|eat|go with|go for|take|choose|"
    r"pick|start) "
    r"(?:that|it|those|them|some|one|this)(?: one)?(?: .*)?|"
    r"(?:so |then )*(?:that|those|these|it|this)(?: one)? (?:it is|please|then)"
    r")(?: (?:then|please|today|tonight|again|now))*"
)
JOINING = frozenset({"and", "then", ",", "plus", "", "or"})


class Anaphora(DependentClauses):
    """Reads clauses that refer back to what was just said."""

    def _wanted_by_others(self, clause: Clause) -> HeardAct | None:
        """ "The children want pancakes", before a dish is chosen."""
        wants = any(c.of("WANT", "base", "s") for c in clause.core)
        is_wish = _ASKED.match(clause.line) is not None
        wants = wants or is_wish
        changes = "instead" in clause.words.split() or not self.context.recipe_name
        if clause.has("TALE") or not changes or not wants or (narrates(clause) and not is_wish):
            return None
        wish = self._wishes.read(clause)
        recipe = self._wishes.spoken_of(clause) if is_wish and wish is None else None
        if recipe is not None:
            return act("choose", clause, recipe=recipe)
        return wish if wish is not None and wish.fields["recipe"] is not None else None

    def _narrows(self, clause: Clause) -> list[HeardAct]:
        """ "Soup, broccoli if you have it": selects among the dishes that were just meant."""
        before = self.acts[-1] if self.acts else None
        if before is None or before.kind != "choose" or before.fields["recipe"] is not None:
            return []
        if len(before.dishes) < 2 or before.sentence < clause.sentence - 1 or clause.asks:
            return []
        if any(c.kind in ("not", "no", "V", "A", "R", "without") for c in clause.core):
            return []
        words = [w for c in clause.core for w in (*c.spoken, *c.key.split())]
        one = self._wishes.of_these(words, before.dishes) if len(clause.core) < 4 else None
        return [act("choose", clause, recipe=one)] if one is not None else []

    def _own_wish(self, clause: Clause) -> bool:
        """Whether the speaker names a dish of their own, before one is chosen."""
        mine = bool(clause.core) and clause.core[0].kind in ("I", "WE", "let's")
        return mine and self._wishes.spoken_of(clause) is not None

    def _instead(self, clause: Clause) -> Clause:
        """ "Forget the salad, the kids want soup": the alternative to a dish that is given up."""
        core = clause.core
        given_up = any(
            c.of("DROP", "base") or c.kind in ("not", "no", "never") for c in core[:2]
        ) and not any(c.kind in ("O", "I", "A", "YOU") for c in core)
        last = [c for c in core[-1:] if c.recipe or c.key in self.refs.dish]
        dish = any(c.recipe in (None, self.context.recipe_name) for c in last)
        if self.context.recipe_name and dish and given_up and len(core) < 6:
            self._given_up = clause.sentence
        elif self._given_up in (clause.sentence, clause.sentence - 1) and not clause.asks:
            has_dish = any(c.kind == "R" or c.key in self._dish_words for c in clause.core)
            if has_dish and not clause.saying:
                rather = Chunk("FLOAT", "instead", clause.end, clause.end)
                return clause.but((*clause.chunks, rather))
        return clause

    def _named_again(self, clause: Clause) -> Clause:
        """ "R1 is better at washing, let it do that": the agent that was just named."""
        core = clause.core
        has_swap = TRADING & set(self._words_before.split())
        if (
            core[:1]
            and core[0].kind == "YOU"
            and has_swap
            and self._last_agent
            and not clause.addressees
        ):
            return replace(clause, addressees=(self._last_agent,))  # "let's trade R1, you wash it"
        has_task = len(core) > 3 and core[1].kind in _MUST and bool(core[2].verb)
        has_task = has_task and any(c.kind == "O" or c.key in UTENSILS for c in core[3:])
        if has_task and core[0].key in ("it", "he", "she") and self._last_agent and not clause.asks:
            subject = replace(core[0], kind="A", agents=(self._last_agent,))
            return clause.but([subject if c is core[0] else c for c in clause.chunks])
        if len(core) < 3 or core[0].key not in _SENDING or core[1].key not in ("it", "him", "her"):
            return clause
        if not self._last_agent or (
            core[0].key != "let" and core[2].kind not in ("to", "for", "V")
        ):
            return clause
        subject = replace(core[1], kind="A", agents=(self._last_agent,))
        return clause.but([subject if c is core[1] else c for c in clause.chunks])

    def _there_already(self, fetched: list[HeardAct]) -> list[HeardAct]:
        """ "A drop of cream, then": a thing that is already there is used as proposed."""
        requests = []
        for one in fetched:
            args = tuple(one.found.args) if one.found is not None else ()
            things = {v for _, v in args}
            here = any(
                s.status == "done" and (m := self.refs.meanings[s.id]) is not None
                and m.task == "get" and things & {v for _, v in m.args}
                for s in self.context.subtasks
            )  # fmt: skip
            ids = [
                p.id for p in self.context.proposals
                if (m := self.refs.proposed[p.id]) is not None
                and m.task == "pour" and things & {v for _, v in m.args}
            ]  # fmt: skip
            portion = any(c.kind == "O" and c.ref == "more" for c in one.clause.core)
            if here and ids and portion and one.fields.get("task") == "get":
                one = act("accept", one.clause)
                one.ids = tuple(ids)
            requests.append(one)
        return requests

    def _goes_in(self, clause: Clause) -> list[HeardAct]:
        """ "Onions done, they can go in": what was just mentioned goes into the bowl."""
        if not self._antecedents or clause.asks or _GOES_IN.fullmatch(clause.words) is None:
            return []
        if self.refs.proposals(Ref(things=(self._antecedents,))):
            return []
        begins = clause.chunks[0]
        into = Chunk("in", "in", begins.start, begins.start)
        thing = Chunk("O", "", begins.start, clause.end, things=(self._antecedents,))
        return self._orders.verbless(replace(clause, chunks=(thing, into), saying=""), ())

    def _other_way(self, clause: Clause) -> list[HeardAct]:
        """ "The pepper can wait, but the lettuce can't": the opposite answer, with an ellipsis."""
        last = self.acts[-1] if self.acts else None
        if last is None or last.kind != "decline" or not last.clause.words.endswith("wait"):
            return []
        core = clause.core
        if clause.asks or len(core) < 3 or [c.kind for c in core[-2:]] != ["can", "not"]:
            return []
        ids = self.refs.proposals(replace(self.refs.read(core[:-2]), loose=0))
        if not ids:
            return []
        answer = act("accept", clause)
        answer.ids = ids
        return [answer]

    def _from_antecedent(self, clause: Clause) -> list[HeardAct]:
        """What is dropped or wished for, by its antecedent."""
        left_out = self._that_one(clause) or self._once(clause) or self._who_needs(clause)
        dish = self._that_dish(clause) or self._this_dish(clause) or self._narrows(clause)
        return left_out or dish

    def _that_dish(self, clause: Clause) -> list[HeardAct]:
        """ "The kids adore pancakes, so that's what we'll make": the dish just mentioned."""
        before = self.acts[-1] if self.acts else None
        if before is None or before.kind not in ("remark", "ask") or clause.asks:
            return []
        if self.context.recipe_name or before.sentence < clause.sentence - 1:
            return []
        if clause.saying and clause.saying != "YES":
            return []
        if _THAT_DISH.fullmatch(clause.words) is None or self._wishes.spoken_of(clause):
            return []
        recipe = self._wishes.spoken_of(before.clause)
        return [act("choose", clause, recipe=recipe)] if recipe is not None else []

    def _that_one(self, clause: Clause) -> list[HeardAct]:
        """ "Nobody likes pepper, so leave it out": the thing just mentioned."""
        acts = [a for a in self.acts if a.kind != "remark" or a.clause.saying not in _NO]
        before = acts[-1] if acts else None
        was_question = before is not None and before.kind == "ask"
        was_question = (
            was_question and before is not None and all(c.kind == "O" for c in before.clause.core)
        )
        was_remark = before is not None and before.kind == "remark"
        if (
            before is None
            or not (was_remark or was_question)
            or before.sentence < clause.sentence - 1
        ):
            return []
        none = (
            clause.words.startswith("none")
            and (was_remark or was_question)
            and len(clause.core) < 5
        )
        if none and sum(c.kind == "O" for c in before.clause.core) == 1 and not clause.asks:
            names = [c for c in before.clause.core if c.kind == "O"]
            return self._orders.drop(clause, names, 0) or []  # "… so none for me"
        if was_question and _NOT_HERE.fullmatch(clause.words):
            self.acts.remove(before)  # "pepper? not in my salad"
            return self._orders.drop(clause, before.clause.core, 0) or []
        if not any(c.kind == "IT" for c in clause.core):
            return []
        head = clause.core[0]
        there = head.key == "leave" and clause.words.startswith("leave it where")
        if clause.asks or len(clause.core) > 3 + 2 * there:
            return []
        split = any(c.kind in ("out", "off") for c in clause.core)
        if not (head.of("DROP", "base") or (head.key == "leave" and split) or there):
            return []
        spoken = [c for c in before.clause.core if c.kind == "O" or (c.verb and not c.classes)]
        names = [c for c in spoken if c.kind == "O"] or spoken
        return (self._orders.drop(clause, names, 0) or []) if len(names) == 1 else []

    def _this_dish(self, clause: Clause) -> list[HeardAct]:
        """ "Everyone wants soup, so let's make that": the dish just mentioned."""
        before = self.acts[-1] if self.acts else None
        if before is None or before.kind != "remark" or _LETS.fullmatch(clause.words) is None:
            return []
        recipes = {c.recipe for c in before.clause.chunks if c.recipe}
        if len(recipes) != 1 or before.sentence < clause.sentence - 1:
            return []
        dish = recipes.pop()
        return [act("choose", clause, recipe=dish)] if dish != self.context.recipe_name else []

    def _once(self, clause: Clause) -> list[HeardAct]:
        """ "One stir is enough": drops the second time."""
        if clause.asks or _ONCE.fullmatch(clause.words) is None:
            return []
        verbs = [c for c in clause.core if c.verb]
        task_names = [m.task for m in self.refs.meanings.values() if m is not None]
        twice = frozenset(
            t
            for t in task_names
            if t not in ("get", "pour", "put away") and task_names.count(t) > 1
        )
        tasks = self.refs.kitchen.tasks_of(verbs[0]) if verbs else twice
        same = [
            s
            for s in self.context.subtasks
            if (m := self.refs.meanings[s.id]) is not None and m.task in tasks
        ]
        remaining = [s for s in same if s.status not in GONE]
        if len(same) < 2 or not remaining or "drop" not in self.context.acts:
            return []
        return [act("drop", clause, subtasks=[remaining[-1].id])]

    def _rather(self, clause: Clause, last: HeardAct | None) -> list[HeardAct]:
        """ "Not the pepper, the sauce": the replacement."""
        words = [c for c in clause.core if c.kind not in ("DET", "ADJ")]
        if last is None or clause.asks or [c.kind for c in words] != ["O"]:
            return []
        if last.kind == "accept" and last.bare and clause.joint == ",":
            ids = self.refs.proposals(self.refs.read(words))
            choice = act("accept", clause)  # "yes, the salt"
            choice.ids = ids
            return [choice] if ids else []
        has_antecedent = last.clause.has("O") or last.clause.has("ORD")
        was_refused = last.kind in ("decline", "drop") and last.clause.core[0].kind in ("not", "no")
        only = {"just", "only"} & {c.key for c in clause.chunks}
        if not (was_refused and has_antecedent) and not (last.kind == "done" and only):
            return []
        polite = Chunk("PLEASE", "", clause.end, clause.end)
        request = clause.but((*clause.chunks, polite))
        answer = self._answers.read(request, ())
        return [answer] if answer is not None else self._fetch(request, None)

    def _spoken_of(self, last: HeardAct | None) -> bool:
        """Whether "it" refers to a name in this sentence, or in a bare question before it."""
        before = self.acts[-1] if self.acts else None
        return last is not None or (
            before is not None
            and before.kind == "ask"
            and all(c.kind == "O" for c in before.clause.core)
        )

    def _inherit_addressee(self, clause: Clause, last: HeardAct | None) -> Clause:
        """A clause without an addressee inherits it from the previous request."""
        if clause.addressees or last is None:
            return clause
        if last.kind not in ("request", "stop", "drop", "accept", "remark"):
            return clause
        agent = last.fields.get("agent")
        first = last.clause.core[:1]
        if first and first[0].key in ("give", "leave", "hand", "pass") and clause.has("I"):
            return clause  # "give them to the arm and get me the salt"
        if last.kind == "remark" and first and first[0].kind == "A" and clause.joint == "and":
            pass  # "R2 can leave the dressing by the bowl and get plates"
        elif last.kind == "remark":
            return clause
        if last.kind != "request":  # "R2, stop and get the salt", "R2 forget that bring the salt"
            ends = (*last.clause.core[:1], *last.clause.core[-1:])
            ends = ends if last.kind == "stop" else ends[:1]  # "stop bringing it R2 and stir"
            agents = last.clause.addressees or tuple(
                dict.fromkeys(a for c in ends for a in c.agents)
            )
            agent = agents[0] if len(agents) == 1 else None
        follows = clause.joint in JOINING and last.sentence == clause.sentence
        opening = {c.key for c in last.clause.core[:1]}
        if opening & {"leave", "give", "entrust"} or clause.has("A"):
            return clause  # "leave the stirring to me and fetch a plate"
        if agent == self.context.user and any(c.kind == "I" for c in clause.core):
            return clause  # "I'll get the yoghurt, get me a banana"
        if follows and isinstance(agent, str) and clause.core and clause.core[0].kind == "V":
            return replace(clause, addressees=(agent,))
        return clause
