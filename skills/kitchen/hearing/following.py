"""What follows from what was just said: "… so leave it out", "not the pepper, the sauce"."""

from __future__ import annotations

from dataclasses import replace

from skills.kitchen.hearing.acts import Act
from skills.kitchen.hearing.asks import narrates
from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.hanging import Hanging


class Following(Hanging):
    """Reads clauses that take up what is spoken of."""

    def _wanted_by_others(self, clause: Clause) -> Act | None:
        """ "The children want pancakes", while nothing is chosen."""
        wants = any(c.of("WANT", "base", "s") for c in clause.core)
        if clause.has("TALE") or self.context.recipe_name or not wants or narrates(clause):
            return None
        wish = self._wishes.read(clause)
        return wish if wish is not None and wish.fields["recipe"] is not None else None

    def _named_again(self, clause: Clause) -> Clause:
        """ "R1 is better at washing, let it do that": who was named just before."""
        core = clause.core
        if len(core) < 3 or core[0].kind != "let" or core[1].key not in ("it", "him", "her"):
            return clause
        before = self.acts[-1] if self.acts else None
        if before is None or before.sentence < clause.sentence - 1:
            return clause
        named = [c for c in before.clause.core if c.kind == "A" and len(c.agents) == 1]
        if len(named) != 1:
            return clause
        said = replace(core[1], kind="A", agents=named[0].agents)
        return clause.but([said if c is core[1] else c for c in clause.chunks])

    def _that_one(self, clause: Clause) -> list[Act]:
        """ "Nobody likes pepper, so leave it out": what was just spoken of is left out."""
        before = self.acts[-1] if self.acts else None
        asked = before is not None and before.kind == "ask"
        asked = asked and before is not None and all(c.kind == "O" for c in before.clause.core)
        told = before is not None and before.kind == "remark"
        if before is None or not (told or asked) or before.sentence < clause.sentence - 1:
            return []
        if not any(c.kind == "IT" for c in clause.core):
            return []
        if clause.asks or len(clause.core) > 3:
            return []
        head = clause.core[0]
        split = any(c.kind in ("out", "off") for c in clause.core)
        if not (head.of("DROP", "base") or (head.key == "leave" and split)):
            return []
        spoken = [c for c in before.clause.core if c.kind == "O" or (c.verb and not c.classes)]
        named = [c for c in spoken if c.kind == "O"] or spoken
        return (self._orders.drop(clause, named, 0) or []) if len(named) == 1 else []

    def _rather(self, clause: Clause, last: Act | None) -> list[Act]:
        """ "Not the pepper, the sauce": what is wanted in its stead."""
        if last is None or clause.asks or [c.kind for c in clause.core] != ["O"]:
            return []
        named = last.clause.has("O") or last.clause.has("ORD")
        refused = last.kind in ("decline", "drop") and last.clause.core[0].kind in ("not", "no")
        only = {"just", "only"} & {c.key for c in clause.chunks}
        if not (refused and named) and not (last.kind == "done" and only):
            return []
        polite = Chunk("PLEASE", "", clause.end, clause.end)
        wished = clause.but((*clause.chunks, polite))
        answer = self._answers.read(wished, ())
        return [answer] if answer is not None else self._fetch(wished, None)
