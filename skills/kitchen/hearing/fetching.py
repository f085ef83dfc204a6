"""Things without a verb: "salt, please", "we're out of pepper", "no onions", and names called."""

from __future__ import annotations

import re
from dataclasses import replace

from skills.kitchen.hearing.acts import Act, act
from skills.kitchen.hearing.asking import UTENSILS, utensil
from skills.kitchen.hearing.chunks import Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.listening import commands
from skills.kitchen.hearing.needless import Needless
from skills.kitchen.hearing.orders import understated
from skills.kitchen.hearing.tasks import Found

_WISH = re.compile(
    r"(?:(?:I|WE) would (?:be|W) (?:grateful|glad|thankful|W) for O|"
    r"WE (?:are going to|will) need O|"
    r"IT would be (?:W|kind|nice|good|great|lovely) to have O|what (?:I|WE) (?:need|want) is O) $"
)
_HAVE = re.compile(r"let (?:I|WE) have (?:DET |ADJ )*(?P<what>O|\w+) $")
_JOINING = frozenset({"and", "then", ",", "plus", "", "or"})


class Fetching(Needless):
    """Reads clauses that name a thing or an agent and hardly more."""

    def _call(self, clause: Clause, behind: Clause | None) -> bool:
        """A name alone: it is spoken to, for what follows or for what came just before."""
        core = [c for c in clause.core if c.kind not in ("YOU",)]
        if not core or not all(c.kind in ("A", "ALL") for c in core):
            return False
        if clause.has("ONLY") and self.context.proposals:
            return False  # "only the arm, please"
        if clause.asks and behind is None and not self.acts:
            return False
        names = tuple(a for c in core for a in c.agents)
        last = self.acts[-1] if self.acts else None
        if (
            (
                names
                and last is not None
                and last.sentence == clause.sentence
                and last.kind in ("stop", "resume", "request")
            )
            and not (behind is not None and clause.joint in ("and", "but", "then", "so"))
            and last.fields.get("agent") is None
            and (behind is None or not commands(behind))
        ):
            last.fields["agent"], last.end = names[0], clause.end
            return True
        if behind is not None and behind.sentence == clause.sentence and behind.joint != "but":
            self._called, self._everyone = names, not names
            return True
        if (
            behind is not None
            and (last is None or last.sentence != clause.sentence)
            and clause.joint in ("", ".")
        ):
            # "R1! Stop." calls the next sentence
            self._called = names
        if last is not None and last.sentence == clause.sentence and names:
            if last.kind in ("request", "stop", "resume") and last.fields.get("agent") is None:
                last.fields["agent"], last.end = names[0], clause.end
                for name in names[1:]:
                    self.acts.append(act(last.kind, clause, **{**last.fields, "agent": name}))
            elif last.kind in ("accept", "decline") and last.ids is None:
                ids = tuple(p.id for p in self.context.proposals if p.agent in names)
                if ids:
                    last.ids, last.bare, last.end = ids, False, clause.end
            elif last.kind == "remark" and clause.joint == ",":
                self._thing_called(last, names, clause)
            return True
        return False

    def _thing_called(self, last: Act, names: tuple[str, ...], clause: Clause) -> None:
        """ "Cream, R2": the thing named just before is to be fetched."""
        asked = self._thing(replace(last.clause, called=names))
        if asked is not None:
            asked.end = clause.end
            self.acts[-1] = asked

    def _more(self, clause: Clause, last: Act | None) -> Act | None:
        """ "… and the pepper", "and R1 the bowl": one more of what was just asked."""
        if last is not None and last.kind == "decline" and last.bare and len(self.acts) > 1:
            last = self.acts[-2]  # "bring the pepper, no wait, the salt"
        if last is None or last.kind != "request" or last.found is None:
            return None
        if clause.joint not in _JOINING:
            return None
        core = list(clause.core)
        agent = last.fields["agent"]
        if core and core[0].kind == "A" and len(core) > 1:
            agent = core[0].agents[0]
            core = core[1:]
        if len(core) > 1 and core[0].kind == "DET":
            core = core[1:]
        one = len(core) == 1 and core[0].kind in ("O", "W") and not core[0].either
        if not one:
            return None
        here = any(
            s.status == "done" and (m := self.refs.meanings[s.id]) is not None and m.task == "get"
            and any(set(names) & {v for _, v in m.args} for names in core[0].things)
            for s in self.context.subtasks
        )  # fmt: skip
        proposed = self.refs.proposals(self.refs.read(core)) if core[0].kind == "O" else ()
        if here and proposed and clause.joint == "then":
            agreed = act("accept", clause)  # "first get salt, then the cream"
            agreed.ids = proposed
            return agreed
        found = None
        fetching = last.found.task in ("get", "hand over")
        if core[0].kind == "W" and core[0].key in UTENSILS and fetching:
            ((slot, _),) = last.fields["args"].items()  # type: ignore[attr-defined]
            name = utensil(core[0].key)
            found = Found(last.found.task, ((slot, name),), unknown=name)
        elif core[0].kind == "W":
            return None
        elif len(last.found.args) == 1:
            fetched = self.refs.kitchen.fetch(core[0].things[0])
            if fetched is not None:
                ((slot, _),) = last.found.args
                found = replace(last.found, args=((slot, fetched.args[0][1]),))
        if found is None:
            return None
        made = act(
            "request",
            clause,
            agent=agent,
            task=found.task,
            args=dict(found.args),
            first=clause.has("FIRST"),
        )
        made.found = found
        return made

    def _fetch(self, clause: Clause, last: Act | None) -> list[Act]:
        """A thing alone, and the others of its list."""
        more = self._more(clause, last)
        if more is not None:
            return [more]
        first = self._thing(clause)
        if first is None:
            return []
        made = [first]
        listed = next((c for c in clause.core if c.kind == "O"), None)
        for names in listed.things[1:] if listed is not None else ():
            found = self.refs.kitchen.fetch(names)
            if found is not None:
                made.append(
                    replace(first, fields={**first.fields, "args": dict(found.args)}, found=found)
                )
        return made

    def _may_have(self, clause: Clause) -> Act | None:
        """ "Can I have the salt?", "might I trouble you for the salt?": asked for, not about."""
        keys = [c.key for c in clause.core]
        if len(keys) < 4:
            return None
        if re.fullmatch(r"(?:would|is) IT (?:be )?possible to (?:have|get) O ", clause.line):
            polite = Chunk("PLEASE", "", clause.end, clause.end)
            return self._thing(clause.but((clause.core[-1], polite)), whole=clause)
        if keys[0] not in ("can", "could", "may", "might") or clause.core[1].kind not in (
            "I",
            "WE",
        ):
            return None
        if keys[2] not in ("have", "get", "trouble", "bother", "ask"):
            return None
        things = [
            c
            for c in clause.core
            if c.kind in ("O", "W") and c.key not in ("trouble", "bother", "ask")
        ]
        if len(things) != 1 or any(c.kind == "V" and c.key != "get" for c in clause.core):
            return None
        if keys[2] == "get" and clause.core[1].kind == "I" and things[0].kind == "O":
            return None
        return self._thing(
            clause.but((*things, Chunk("PLEASE", "", clause.end, clause.end))), whole=clause
        )

    def _thing(self, clause: Clause, whole: Clause | None = None) -> Act | None:
        """ "Salt, please", "we need the cream", "R2, the bowl": a thing alone is to be fetched."""
        core = list(clause.core)
        if not core or (clause.asks and whole is None):
            return None
        agent = (clause.called or (None,))[0]
        if _HAVE.match(clause.line):  # "let me have the ladle"
            core = [Chunk("PLEASE", "", clause.start, clause.start), *core[3:]]
            clause = clause.but(core)
            core = core[1:]
        wish = _WISH.match(clause.line)
        needed = wish is not None or understated(clause)
        if needed:  # "salt would be nice", "I'd be grateful for some pepper"
            core = [c for c in core if c.kind == "O"]
        while core and core[0].kind in (
            "I",
            "WE",
            "A",
            "will",
            "do",
            "also",
            "ALL",
            "can",
            "could",
            "are",
            "am",
        ):
            if core[0].kind == "A":
                agent = core[0].agents[0]
            core = core[1:]
        if core and (
            core[0].of("NEED", "base")
            or (
                core[0].of("WANT", "base")
                and core[0].key not in ("like", "love", "prefer", "choose", "pick", "could eat")
            )
            or core[0].key in ("could use", "could do with")
        ):
            needed = needed or clause.core[0].kind in ("I", "WE", "V")
            core = core[1:]
        if core and core[-1].kind == "A":
            agent = core[-1].agents[0]
            core = core[:-1]
        core = [c for c in core if c.kind not in ("DET", "ADJ", "SOMEONE", "for")]
        if len(core) != 1 or core[0].either or len(clause.core) > 6 + 4 * needed:
            return None
        listed = clause.joint in ("and", "plus") and all(a.kind == "remark" for a in self.acts)
        needed = needed or clause.has("ALSO") or listed  # "oh, and salt"
        if not (
            needed or clause.has("PLEASE") or agent or clause.has("FIRST") or clause.has("SOMEONE")
        ):
            return None
        found = None
        if core[0].kind == "O":
            found = self.refs.kitchen.fetch(core[0].things[0])
        elif core[0].kind == "W" and core[0].key in UTENSILS:
            name = utensil(core[0].key)
            found = Found("get", (("item", name),), unknown=name)
        if found is None:
            return None
        made = act(
            "request",
            whole or clause,
            agent=agent,
            task="get",
            args=dict(found.args),
            first=(whole or clause).has("FIRST"),
        )
        made.found = found
        return made
