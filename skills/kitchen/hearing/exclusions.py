"""What is not needed: "we don't need the pepper", "no onions", "soup without stock"."""

from __future__ import annotations

import re

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.appraisal import GOOD
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.polarity import OBJECTION
from treec.skills.kitchen.hearing.reader_state import ReaderState
from treec.skills.kitchen.hearing.references import GONE, Ref
from treec.skills.kitchen.hearing.words import word_set

_WHO_NEEDS = re.compile(r"who (?:even )?(?:needs|wants) O $")
_STAYING = word_set("stay stays out of it this will")
_CALL = word_set("call need use point reason room place sense")


class Exclusions(ReaderState):
    """Reads clauses that say that a thing or a task is not needed."""

    def _who_needs(self, clause: Clause) -> list[HeardAct]:
        """ "Who needs yoghurt anyway": a rhetorical question."""
        is_question = clause.asks and "anyway" not in clause.words.split()
        if is_question or _WHO_NEEDS.match(clause.line) is None:
            return []
        return self._orders.drop(clause, clause.core[-1:], 0) or []

    def _exclusion(self, clause: Clause) -> list[HeardAct]:
        """ "We don't need the pepper", "no onions", "without the stirring"."""
        core = clause.core
        keys = [c.key for c in core]
        negation = next(
            (
                i
                for i, c in enumerate(core)
                if c.kind in ("no", "not", "never", "without", "nothing", "neither")
                or c.key in ("neither", "nobody")
            ),
            None,
        )
        if negation is not None and OBJECTION & set(clause.words.split()):
            return []  # "I've got no problem with any of it"
        if negation is not None and core[negation].kind == "never":
            return []  # "I've never chopped an onion"
        if negation is not None and (back := self._stays_out(clause, negation)):
            return back
        if negation is None:
            kinds = [c.key for c in core[1:]]
            stays = {"stay", "stays"} & set(kinds) and "out" in kinds
            if stays and core[0].kind == "O" and set(kinds) <= _STAYING:
                return self._exclude(clause, core[0])
            drop_at = next((i for i, c in enumerate(core) if i and c.of("DROP", "past")), None)
            passive = drop_at is not None and core[drop_at - 1].kind in ("be", "is", "are", "been")
            own = (
                drop_at is not None
                and core[0].kind in ("I", "WE")
                and core[drop_at - 1].kind == "have"
            )
            if drop_at is not None and own:  # "we've decided against pepper"
                return self._orders.drop(clause, core[drop_at + 1 :], 0) or []
            if core[0].kind == "O" and any(c.key in ("stay", "remain") for c in core):
                polite = ("can", "may", "should", "could", "will")
                waiting = self.refs.subtasks(Ref(things=core[0].things), (("queued", "ready"),))
                if (
                    core[1].kind in polite and len(waiting) == 1
                ):  # "the cream can stay in the fridge"
                    return self._orders.drop(clause, core[:1], 0) or []
            if passive and core[0].kind in ("O", "ORD", "DET", "V") and drop_at == len(core) - 1:
                # "the sauce can be left out"
                chunks = [c for c in core[:drop_at] if c.kind in ("O", "V", "ORD")]
                return self._orders.drop(clause, chunks, 0) or []
            away = [c.kind for c in core[1:]] in (
                ["has", "to", "V"],
                ["have", "to", "V"],
                ["must", "V"],
            )
            if (
                away
                and core[0].kind == "O"
                and core[-1].key == "go"
                and clause.chunks[-1].key == "go"
            ):
                return self._orders.drop(clause, core[:1], 0) or []  # "the cream has to go"
            if len(core) <= 6 and _is_unneeded(keys):
                return (
                    self._orders.drop(clause, [c for c in core if c.kind in ("O", "V", "ORD")], 0)
                    or []
                )
            return []
        without = core[negation].kind == "without" and all(
            c.kind
            in (
                "I",
                "WE",
                "let's",
                "IT",
                "do",
                "have",
                "will",
                "would",
                "can",
                "should",
                "are",
                "V",
                "SOMEONE",
                "YOU",
                "DONE",
                "R",
                "DET",
                "is",
                "be",
                "there",
            )
            or c.key in self.refs.dish
            or c.key in GOOD
            for c in core[:negation]
        )
        if without and core[0].kind not in ("O", "without") and len(core) == negation + 1:
            chunks = [Chunk("O", "", clause.end, clause.end, things=(self._antecedents,))]
            return (self._orders.drop(clause, chunks, 0) or []) if self._antecedents else []
        # "I haven't finished the lettuce" tells of it, "I won't have the lettuce" refuses it
        behind = core[negation + 1 : negation + 2]
        perfect = (
            negation > 0
            and core[negation - 1].key in ("have", "has")
            and bool(behind and any(f == "past" for _, f in (*behind[0].verb, *behind[0].classes)))
        )
        wants = (
            without
            or ("for" in keys and bool(_CALL & set(keys)))
            or any(
                c.of("NEED")
                or c.of("WANT")
                or c.key in ("needed", "necessary", "required", "use", "having")
                or (c.key == "have" and not perfect)
                for c in core
            )
        )
        if any(
            c.kind == "V" and not (c.of("NEED") or c.of("WANT") or c.of("COOK") or c.verb)
            for c in core
        ):
            return []
        if any(k in ("yet", "now") for k in clause.words.split()):
            return []
        first = core[0].kind in ("no", "without", "not") and len(core) <= 6
        first |= core[0].key == "neither" and all(c.kind == "O" for c in core[1:])
        first |= [c.kind for c in core[:4]] == ["there", "will", "be", "no"]
        if not wants and not first:
            return []
        nobody = core[negation].key == "nobody"
        if nobody and not any(c.of("NEED", "s") or c.of("WANT", "s") for c in core):
            return []
        loose = sum(
            c.kind == "W"
            and c.key != "nobody"
            and c.key not in ("any", "anymore", "longer", "after", "all", "more", "much")
            for c in core[negation if without else 0 :]
        )
        return (
            self._orders.drop(
                clause,
                [
                    c
                    for c in core[negation if without else 0 :]
                    if (c.kind in ("O", "V", "R", "ORD") or (c.kind == "IT" and wants))
                    and not (c.of("NEED") or c.of("WANT"))
                ],
                loose,
                self._antecedents,
            )
            or []
        )

    def _exclude(self, clause: Clause, thing: Chunk) -> list[HeardAct]:
        """Excludes a thing from the dish."""
        found = [
            s.id
            for s in self.context.subtasks
            if s.status not in GONE
            and (m := self.refs.meanings[s.id]) is not None
            and m.task == "pour"
            and set(thing.things[0]) & {value for _, value in m.args}
        ]
        proposals = [p.id for p in self.context.proposals if p.subtask in found]
        if proposals:
            made = act("decline", clause)
            made.ids = tuple(proposals)
            return [made]
        return [act("drop", clause, subtasks=found[:1])] if found else []

    def _stays_out(self, clause: Clause, negation: int) -> list[HeardAct]:
        """ "The sauce doesn't have to go back": declines putting it away."""
        core = clause.core
        goes = any(c.key in ("go", "going", "be", "come", "belong") for c in core[negation:])
        if core[0].kind == "O" and goes and [c.kind for c in core[-1:]] == ["in"] and len(core) < 7:
            return self._exclude(clause, core[0])  # "the onions don't go in"
        back = any(c.key in ("back", "away") for c in clause.chunks[-2:])
        names = [c for c in core[:negation] if c.kind == "O"]
        goes = any(c.of("GO") or c.kind == "be" for c in core[negation:])
        if not back or not goes or len(names) != 1:
            return []
        found = [
            s.id
            for s in self.context.subtasks
            if s.status not in GONE
            and (m := self.refs.meanings[s.id]) is not None
            and m.task == "put away"
            and set(names[0].things[0]) & {value for _, value in m.args}
        ]
        return [act("drop", clause, subtasks=found[:1])] if found else []


def _is_unneeded(keys: list[str]) -> bool:
    """ "The stirring is unnecessary", "cream's off the menu"."""
    if set(keys) & {
        "unnecessary",
        "superfluous",
        "pointless",
        "needless",
        "redundant",
        "cancelled",
        "scrapped",
    }:
        return True
    off = next((i for i, k in enumerate(keys) if k in ("off", "out")), 0)
    return (
        off > 1
        and keys[off - 1] in ("is", "are")
        and set(keys[off + 1 :]) <= {"the", "list", "menu", "table", "recipe", "plan", "of", "it"}
        and (keys[off] == "off" or off + 1 < len(keys))  # "the yoghurt's out": it is there
    )
