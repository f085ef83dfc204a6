"""Leaving work out: "skip the ranch", "we can do without stirring"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.moods import Opening
from treec.skills.kitchen.hearing.order_base import OPEN, ORDERS
from treec.skills.kitchen.hearing.references import GONE, Ref
from treec.skills.kitchen.hearing.stops import Stops

_SPLIT_DROP = {
    "leave": "out off", "take": "off out", "cross": "off out", "strike": "off out from",
    "cut": "out", "keep": "out off", "rule": "out", "call": "off", "write": "off",
    "scratch": "off", "leaving": "out", "get": "off", "miss": "out", "count": "out",
    "kick": "out", "put": "aside",
}  # fmt: skip


class Omissions(Stops):
    """Reads requests to leave work out."""

    def _drop(
        self, clause: Clause, opening: Opening, before: tuple[str, ...]
    ) -> list[HeardAct] | None:
        head, tail = opening.rest[0], opening.rest[1:]
        split = _SPLIT_DROP.get(head.key, "").split()
        particle = next((c for c in tail if c.key in split), None)
        if head.key == "get" and (particle is tail[0] if tail else True):
            particle = None  # "get off that phone"
        leaves = head.key == "leave" and opening.form == "base"
        if not head.of("DROP", opening.form) and particle is None and not leaves:
            return None
        places = ("here", "over here", "there", "over there", "off", "right here")
        if head.key == "drop" and any(c.key in places for c in clause.chunks):
            return [act("remark", clause)]  # "drop the cream here"
        if head.key == "hold" and any(c.key in ("for me", "for us") for c in clause.chunks):
            return None  # "hold this for me"
        if opening.mood == "ban" and head.key.startswith("forget"):
            return self._dont_forget(clause, tail)
        skips = opening.mood == "report ing" and opening.who is not None
        if head.key.endswith("without") and not tail and before:
            return self.drop(clause, [replace(head, kind="O", verb=(), things=(before,))])
        if skips and opening.who is not None and opening.who.kind in ("WE", "I"):
            return self.drop(clause, tail, sum(c.kind == "W" for c in tail), before)
        if opening.mood not in (*ORDERS, "offer", "habit") or (clause.asks and not opening.direct):
            return None
        if head.key == "leave" and particle is None:
            return self._leave(clause, tail) if opening.mood == "order" else None
        vessel = [c for c in tail if c.kind == "O"]
        if head.key == "hold" and vessel and self._vessel(vessel[0]):
            return None  # "hold the pot still"
        into = any(c.kind in ("into", "in", "away", "back", "onto", "on") for c in tail)
        if (
            particle is None
            and head.verb
            and (into or head.key.startswith("cut") or head.key == "take")
        ):
            return None
        is_passing = head.key == "pass on" and opening.mood in ("offer", "refusal")
        if is_passing or head.key == "hard pass on":
            refusal = self._refuse(clause, self._refs.read(tail))
            if refusal:
                return refusal
        loose = [
            c
            for c in tail
            if c.kind == "W"
            and c.key
            not in (
                "list",
                "menu",
                "recipe",
                "it",
                "out",
                "off",
                "step",
                "soup",
                "salad",
                "altogether",
                "entirely",
                "completely",
                "today",
                "dish",
            )
        ]
        return self.drop(clause, tail, len(loose), before)

    def _again(self, clause: Clause, ids: list[str]) -> list[str]:
        """ "No need to stir again": only the second time of the same task."""
        again = {"again", "twice", "second"} & set(clause.words.split())
        return ids[1:] if again and len(ids) > 1 else ids

    def _vessel(self, chunk: Chunk) -> bool:
        return all("Container" in self._kitchen.type_of(name) for name in chunk.names)

    def _leave(self, clause: Clause, tail: Sequence[Chunk]) -> list[HeardAct] | None:
        """ "Leave the salt", which was still to be fetched; "leave it in the fridge"."""
        things = [c for c in tail if c.kind == "O"]
        there = len(tail) > 1 and tail[1].kind in ("in", "on", "at", "where")
        if (
            not tail
            or tail[0].kind != "O"
            or not (len(tail) == 1 or there)
            or not things
            or "drop" not in self._context.acts
        ):
            return None
        found = self._refs.subtasks(Ref(things=tail[0].things), (("queued", "ready"),))
        return [act("drop", clause, subtasks=[found[0].id])] if len(found) == 1 else None

    def drop(
        self,
        clause: Clause,
        chunks: Sequence[Chunk],
        loose: int = 0,
        before: tuple[str, ...] = (),
    ) -> list[HeardAct] | None:
        """Drops the open subtasks about what is named; None if the clause refers to none."""
        verb = next((i for i, c in enumerate(chunks) if c.kind == "V" and c.verb), None)
        has_ordinal = any(c.kind == "ORD" for c in chunks)
        if verb is not None and not has_ordinal and "drop" in self._context.acts:
            for form in ("ing", "base"):
                founds = self._kitchen.find(
                    [c for c in chunks[verb:] if c.kind != "of"], form, before
                )
                ids = [i for f in founds for i in self._left_of(f)]
                ids = self._again(clause, ids) if len(founds) == 1 else ids
                if ids and all(f.loose <= 1 for f in founds):
                    return [act("drop", clause, subtasks=ids[:1])]
        ref = self._refs.read(c for c in chunks if c.kind not in ("I", "WE", "A", "THEY"))
        whole = (ref.pronoun and {"off", "all"} & set(clause.words.split())) or "all" in ref.counts
        if whole and not ref.things and not ref.tasks and not self._context.proposals:
            every = [s.id for s in self._context.subtasks if s.status not in GONE]
            return [act("drop", clause, subtasks=every)] if every else None
        if ref.pronoun and not ref.things and before:
            ref = replace(ref, things=(before,), pronoun=False)
        if loose > 1 or (not ref.things and not ref.tasks):
            if ref.counts or (ref.pronoun and loose == 0):
                return self._refuse(clause, ref)
            return None
        counts = ref.counts
        ref = replace(ref, counts=(), pronoun=False, agents=())
        ids = []
        for names in tuple(self._refs.resolve_names(names) for names in ref.things) or ((),):
            one = replace(ref, things=(names,) if names else ())
            found = self._refs.subtasks(one, (OPEN,))
            if not found and one.tasks:
                found = self._refs.subtasks(replace(one, tasks=()), (OPEN,)) if names else ()
            again = {"again", "twice", "second"} & set(clause.words.split())
            alike = {m.task for s in found if (m := self._refs.meanings[s.id]) is not None}
            if one.tasks and again and not counts and len(found) > 1 and len(alike) == 1:
                found = found[1:2]
            if one.tasks and {"second", "last"} & set(counts) and len(found) > 1:
                found = found[1:2] if "second" in counts else found[-1:]
            order = sorted(
                found,
                key=lambda s: ["interrupted", "running", "ready", "queued", "waiting"].index(
                    s.status
                ),
            )
            if order:
                ids.append(order[0].id)
        if not ids:
            return None
        if "drop" not in self._context.acts:
            return self._refuse(clause, replace(ref, counts=()))
        return [act("drop", clause, subtasks=list(dict.fromkeys(ids)))]

    def _dont_forget(self, clause: Clause, tail: Sequence[Chunk]) -> list[HeardAct] | None:
        """ "Don't forget the salt": fetches it, unless somebody is going to."""
        things = [names for c in tail if c.kind == "O" for names in c.things]
        found = self._kitchen.fetch(things[0]) if len(things) == 1 else None
        if found is None or any(c.kind in ("W", "V") for c in tail):
            return None
        asked = act(
            "request",
            clause,
            agent=(clause.addressees or (None,))[0],
            task="get",
            args=dict(found.args),
            first=False,
        )
        asked.found = found
        return [asked]
