"""Requests for things without a verb: "salt, please", "we're out of pepper", and vocatives."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.addressees import bids
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import SUBORDINATE, Clause
from treec.skills.kitchen.hearing.exclusions import Exclusions
from treec.skills.kitchen.hearing.orders import is_understatement
from treec.skills.kitchen.hearing.reader_state import commands
from treec.skills.kitchen.hearing.swaps import assign
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.utensils import UTENSILS, utensil
from treec.skills.kitchen.hearing.words import word_set

_WISH = re.compile(
    r"(?:(?:I|WE) (?:would|will) (?:be|W) (?:\w+ )?(?:grateful|glad|thankful|pleased|happy|W) "
    r"(?:for|of|about|to have|to get) O|(?:I|WE) would (?:appreciate|welcome) O|"
    r"(?:I|WE) would (?:be|feel) (?:happier|better|happy|good|ok|fine|better off) with O"
    r"(?: on IT| in IT)?|"
    r"(?:I|WE) would not (?:mind|say no to|turn down|refuse) O|"
    r"(?:I|WE) (?:are going to|am going to|will|might|may|should|would) "
    r"(?:need|require|be needing|be wanting|want) O|"
    r"O (?:wanted|needed|required|requested)(?: here)?|"
    r"(?:I|WE) have (?:got )?need of O|there (?:should|ought to|must) be O|"
    r"(?:IT )?would be (?:W|ADJ|kind|nice|good|great|lovely) (?:to have|to get|if (?:I|WE) had) O|"
    r"what (?:I|WE) (?:need|want) is O) $"
)
_LACKING = re.compile(
    r"(?:(?:I|WE) (?:have (?:got )?no|do not have(?: W| ORD| no)?|have not (?:got )?(?:W |ORD )?|"
    r"am out of|are (?:all )?out of|am missing|are missing|"
    r"(?:am|are) (?:short of|W (?:on|out of|short of)))|"
    r"there is (?:no|not W|not ORD|W no)|IT is (?:no|not)) (?:DET )?O (?:W |here |there |on IT )*"
)
_HAVE = re.compile(r"(?:let (?:I|WE)|let's) have (?:DET |ADJ )*(?P<what>O|\w+) $")
_NEXT = word_set("next up for job task 's is the step one now thing and then order errand trip to")
_URGENT = word_set("quick quickly fast hurry urgent urgently pronto chop")
_JOINING = frozenset({"and", "then", ",", "plus", "", "or"})


def _thinglike(chunk: Chunk) -> Chunk:
    """A common kitchen thing as if it were in the scene: it is requested in the same ways."""
    return replace(chunk, kind="O") if chunk.kind == "W" and chunk.key in UTENSILS else chunk


class FetchRequests(Exclusions):
    """Reads clauses that consist of little more than the name of a thing or an agent."""

    def _vocative(self, clause: Clause, behind: Clause | None) -> bool:
        """A name alone addresses an agent, for the following clause or for the previous one."""
        core = [c for c in clause.core if c.kind not in ("YOU",)]
        if behind is not None and behind.joint == ":" and sum(c.kind == "A" for c in core) == 1:
            others = set(clause.words.split()) - {
                w for c in core if c.kind == "A" for w in c.key.split()
            }
            if others <= _NEXT:
                core = [c for c in core if c.kind == "A"]  # "next for R2: the cream"
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
            and (
                last.fields.get("agent") is None
                or (behind is None and self._address_last(last, clause))
            )
            and (behind is None or not commands(behind))
        ):
            last.fields["agent"], last.end = names[0], clause.end
            self._address_all(last, names[0])
            return True
        trails = behind is not None and behind.sentence == clause.sentence
        trails = (
            trails
            and behind is not None
            and (
                not behind.core
                or behind.joint in SUBORDINATE
                or all(c.kind in ("ADJ", "W") and c.key in _URGENT for c in behind.core)
            )
        )
        spoken = last is not None and last.sentence == clause.sentence and last.kind == "remark"
        if trails and spoken and last is not None and names and clause.joint == ",":
            self._thing_called(last, names, clause)  # "tongs from the shelf, R2, next trip"
            return True
        bare = last is not None and last.bare and last.sentence == clause.sentence
        if bare and last is not None and names and not clause.joint and behind is not None:
            ids = tuple(p.id for p in self.context.proposals if p.agent in names)
            between = self.text[clause.end : behind.start].split()
            if ids and (behind.joint in ("and", "but", ",") or {",", "and"} & set(between)):
                last.ids, last.bare, last.end = ids, False, clause.end
                self._called = names if self._called or bids(behind) else ()
                return True  # "yes please R2, and …"
        if behind is not None and behind.sentence == clause.sentence and behind.joint != "but":
            called_before = self._called if clause.joint == "," else ()  # "R1, R2, stop!"
            self._called, self._everyone = tuple(dict.fromkeys((*called_before, *names))), not names
            return True
        if (
            behind is not None
            and (last is None or last.sentence != clause.sentence)
            and clause.joint in ("", ".")
        ):
            # "R1! Stop." calls the next sentence
            self._called = self._hailed = names
            self._hailed_at = clause.sentence
        if last is not None and last.sentence == clause.sentence and names:
            if last.kind in ("request", "stop", "resume") and last.fields.get("agent") is None:
                last.fields["agent"], last.end = names[0], clause.end
                self._address_all(last, names[0])
                for name in names[1:]:
                    self.acts.append(act(last.kind, clause, **{**last.fields, "agent": name}))
            elif last.kind in ("accept", "decline") and last.ids is None:
                ids = tuple(p.id for p in self.context.proposals if p.agent in names)
                if ids:
                    last.ids, last.bare, last.end = ids, False, clause.end
                elif last.kind == "accept" and len(names) == 1 == len(self.context.proposals):
                    self._readdress(last, names[0])
            elif last.kind in ("remark", "decline", "drop") and clause.joint == ",":
                self._thing_called(last, names, clause)
            return True
        return False

    def _readdress(self, last: HeardAct, name: str) -> None:
        """ "Would you do it, R1?": gives R1 what was proposed to somebody else."""
        core = last.clause.core
        if any(c.kind == "IT" for c in core) and any(c.of("DO") for c in core):
            meaning = self.refs.proposed[self.context.proposals[0].id]
            self.acts[-1:] = assign(last.clause, [(name, meaning)]) or [last]

    def _address_all(self, last: HeardAct, name: str) -> None:
        """ "Bring bowls and spoons, R2": addresses every request of the sentence to R2."""
        joint = last.joint
        for other in reversed(self.acts[:-1]):
            apart = other.clause is not last.clause and joint not in ("and", ",", "then")
            if other.kind != "request" or other.sentence != last.sentence or apart:
                break
            if last.kind == "request" and other.fields.get("agent") is None:
                other.fields["agent"] = name
            last, joint = other, other.joint

    def _address_last(self, last: HeardAct, clause: Clause) -> bool:
        """ "R1 wait, and bring me the salt R2": addresses only the last request to R2."""
        has_agent = any(c.kind in ("A", "I") and c.agents for c in last.clause.core)
        return last.kind == "request" and not clause.joint and not has_agent and len(self.acts) > 1

    def _thing_called(self, last: HeardAct, names: tuple[str, ...], clause: Clause) -> None:
        """ "Cream, R2": requests the thing that was just named."""
        as_things = last.clause.but([_thinglike(c) for c in last.clause.chunks])
        if last.kind != "remark" and not _LACKING.fullmatch(as_things.line):
            return
        ref = replace(self.refs.read(last.clause.core), agents=names)
        ids = self.refs.proposals(ref) if ref.things and not ref.loose else ()
        if ids:
            self.acts[-1] = act("accept", last.clause)
            self.acts[-1].ids = ids
            return  # "the cream, R1, but slowly"
        requests = self._thing(replace(last.clause, addressees=names))
        if requests is not None:
            requests.end = clause.end
            self.acts[-1] = requests

    def _more(self, clause: Clause, last: HeardAct | None) -> HeardAct | None:
        """ "… and the pepper", "and R1 the bowl": repeats the last request for another thing."""
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
        proposals = self.refs.proposals(self.refs.read(core)) if core[0].kind == "O" else ()
        if here and proposals and clause.joint == "then":
            answer = act("accept", clause)  # "first get salt, then the cream"
            answer.ids = proposals
            return answer
        found = None
        is_fetch = last.found.task in ("get", "hand over")
        if core[0].kind == "W" and core[0].key in UTENSILS and is_fetch:
            ((slot, _),) = last.fields["args"].items()  # type: ignore[attr-defined]
            name = utensil(core[0].key)
            found = TaskMatch(last.found.task, ((slot, name),), unknown=name)
        elif core[0].kind == "W":
            return None
        elif len(last.found.args) == 1 or (last.found.unknown and is_fetch):
            fetched = self.refs.kitchen.fetch(core[0].things[0])
            if fetched is not None:
                ((slot, _),) = last.fields["args"].items()  # type: ignore[attr-defined]
                found = replace(last.found, args=((slot, fetched.args[0][1]),))
        if found is None:
            return None
        request = act(
            "request",
            clause,
            agent=agent,
            task=found.task,
            args=dict(found.args),
            first=clause.has("FIRST"),
        )
        request.found = found
        return request

    def _fetch(self, clause: Clause, last: HeardAct | None) -> list[HeardAct]:
        """A thing alone, and the rest of its list."""
        more = self._more(clause, last)
        if more is not None:
            return [more]
        first = self._thing(clause)
        if first is None:
            return []
        requests = [first]
        next_thing = next((c for c in clause.core if c.kind == "O"), None)
        for names in next_thing.things[1:] if next_thing is not None else ():
            found = self.refs.kitchen.fetch(names)
            if found is not None:
                requests.append(
                    replace(first, fields={**first.fields, "args": dict(found.args)}, found=found)
                )
        return requests

    def _may_have(self, clause: Clause) -> HeardAct | None:
        """ "Can I have the salt?", "might I trouble you for the salt?": a request."""
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

    def _is_exclaimed(self, thing: Chunk, agent: str | None) -> bool:
        """ "Plates!", "ladle.": requests a tool by its name alone."""
        chunks = [c for c in self.heard if c.kind != "BRK"]
        if not self.context.recipe_name or agent or any(c.key != thing.key for c in chunks):
            return False
        if thing.kind == "W":
            return True
        tool = all("Tool" in self.refs.kitchen.type_of(name) for name in thing.names)
        found = self.refs.subtasks(
            self.refs.read([thing]), (("ready", "queued", "running", "waiting"),)
        )
        return tool or (self.text.rstrip().endswith("!") and not found)

    def _thing(self, clause: Clause, whole: Clause | None = None) -> HeardAct | None:
        """ "Salt, please", "we need the cream", "R2, the bowl": requests a thing without a verb."""
        core = list(clause.core)
        if not core or (clause.asks and whole is None):
            return None
        agent = (clause.addressees or (None,))[0]
        lets = core[0].key == "let's"
        here = {"here", "over here", "out here", "over"} & {c.key for c in clause.chunks}
        if _HAVE.match(clause.line) and (not lets or (here and self.context.recipe_name)):
            # "let me have the ladle", "let's have the pot over here"
            core = [Chunk("PLEASE", "", clause.start, clause.start), *core[3 - lets :]]
            clause = clause.but(core)
            core = core[1:]
        as_things = clause.but([_thinglike(c) for c in clause.chunks])
        lacks = bool(agent) and _LACKING.fullmatch(as_things.line) is not None
        needed = lacks or _WISH.match(as_things.line) is not None or is_understatement(as_things)
        if needed:  # "salt would be nice", "I'd be grateful for some pepper"
            core = [c for c in core if _thinglike(c).kind == "O"]
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
        core = [c for c in core if c.kind not in ("DET", "ADJ", "SOMEONE")]
        inside = needed and len(core) > 2 and core[1].kind in ("in", "on", "with", "into")
        food = all(c.kind in ("IT", "R", "there") or c.key in self.refs.dish for c in core[2:])
        if inside and food:
            core = core[:1]  # "we need tomatoes in this salad"
        if [c.kind for c in core[1:3]] == ["from", "O"]:
            core = [core[0], *core[3:]]  # "tongs from the shelf"
        there = len(core) == 3 and core[1].kind in ("to", "on", "onto") and core[2].kind == "O"
        if there and all("Place" in self.refs.kitchen.type_of(name) for name in core[2].names):
            core = core[:1]  # "soy sauce to the table, R2"
        is_request = (
            needed or clause.has("PLEASE") or (agent and core[1:2] and core[1].kind == "for")
        )
        purpose = len(core) > 2 and core[1].kind in ("for", "to") and is_request
        if purpose and (core[1].kind == "for" or core[0].key in UTENSILS):
            core = core[:1]  # "a towel for my hands", "a cloth to wipe this"
        core = [c for c in core if c.kind != "for"]
        if len(core) != 1 or core[0].either or len(clause.core) > 6 + 4 * needed:
            return None
        is_list = clause.joint in ("and", "plus") and all(a.kind == "remark" for a in self.acts)
        needed = needed or clause.has("ALSO") or is_list  # "oh, and salt"
        if not (
            self._is_exclaimed(core[0], agent)
            or needed
            or clause.has("PLEASE")
            or agent
            or clause.has("FIRST")
            or clause.has("SOMEONE")
        ):
            return None
        found = None
        if core[0].kind == "O":
            found = self.refs.kitchen.fetch(core[0].things[0])
        elif core[0].kind == "W" and core[0].key in UTENSILS:
            name = utensil(core[0].key)
            found = TaskMatch("get", (("item", name),), unknown=name)
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
