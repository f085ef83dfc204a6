"""Answers to proposals: "yes to the pepper", "R1 can wait", "all but the last".

References are removed; the remaining words must all be words of answering. A word of refusal or
postponement makes it a no, unless the objection itself is negated ("nothing against R2").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.appraisal import PLANS
from treec.skills.kitchen.hearing.chunks import FLOATS, Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.frames import frame
from treec.skills.kitchen.hearing.lexicon import sayings
from treec.skills.kitchen.hearing.polarity import (
    FIRM,
    GRANTING,
    NOT,
    OBJECTION,
    ORDERING,
    TAKING,
    main_clause,
    polarity,
)
from treec.skills.kitchen.hearing.references import Ref, Refs

_NAMES = ("O", "ORD", "A", "ALL", "OTHERONE", "HEAD")


class Answers:
    """Finds the proposals that a clause accepts or declines."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._proposals = refs.context.proposals

    def read(self, clause: Clause, before: tuple[str, ...] = ()) -> HeardAct | None:
        """The answer that a clause gives to something it names, if it gives one.

        `before` are the things named earlier in the sentence, as antecedents of "it".
        """
        if not self._proposals:
            return None
        clause = _without_objection(clause)
        found = self._whole(clause, before)
        return found or self._refusal_with_reason(clause, before)

    def _refusal_with_reason(self, clause: Clause, before: tuple[str, ...]) -> HeardAct | None:
        """ "Can't do onions only 1 hand": a no, followed by its reason without a conjunction."""
        core = clause.core
        if clause.asks or not any(c.kind in ("not", "no", "never") for c in core[:4]):
            return None
        cut = next((i for i, c in enumerate(core) if c.kind == "O"), len(core)) + 1
        tail = core[cut:]
        if not tail or tail[0].kind not in ("W", "I", "V", "my", "DET", "THEY"):
            return None
        found = self._whole(clause.but(core[:cut]), before)
        return found if found is not None and found.kind == "decline" and found.ids else None

    def _whole(self, clause: Clause, before: tuple[str, ...]) -> HeardAct | None:
        exception = self._all_but(clause)
        if exception is not None:
            return exception
        core = clause.core
        if any(c.kind == "never" for c in core[1:]) and core[0].kind in ("O", "A", "THEY", "IT"):
            return None  # "onions never make me cry"
        crowd = core and core[0].key in (
            "people",
            "folk",
            "folks",
            "everyone",
            "everybody",
            "friends",
        )
        if crowd and len(core) > 2 and any(c.of("WANT") or c.of("NEED") for c in core[1:3]):
            return None  # "people will want more of it"
        free = {"no", "not"} & {c.kind for c in core} and OBJECTION & {c.key for c in core}
        if (
            free
            and core[0].kind in ("I", "WE")
            and not clause.asks
            and any(
                c.ref == "neither" or (c.kind == "SOMEONE" and c.key.startswith("either"))
                for c in core
            )
        ):
            return self._answer("accept", clause, Ref(), None)  # "no problem with any of it"
        none = core and core[0].key.startswith(("neither", "none"))
        none = none and [c.kind for c in core[1:4]] != ["of", "DET", "W"]  # "none of my sons"
        if none and not clause.asks and not clause.has("OTHERS"):
            return self._answer("decline", clause, Ref(), None)
        still_needed = self._still_needed(clause)
        if still_needed is not None:
            return still_needed
        unable = self._unable(clause) or self._stays(clause)
        if unable is not None:
            return unable
        agents = tuple(a for c in clause.core for a in c.agents)
        theirs = self._refs.proposals(Ref(things=(before,))) if before else ()
        if agents and theirs and clause.has("IT") and not self._of(agents, theirs):
            return None  # "no lettuce for me, R1 do it"
        clause = main_clause(clause)
        beside = self._beside(clause) or self._permission(clause)
        if beside is not None:
            return beside
        found = frame(clause)
        if not found.parts:
            return None
        ref = self._refs.read(c for c in found.named if c.kind not in ("DET", "ADJ"))
        ref = self._robots(ref, found.named)
        if ref.agents and len(ref.things) == 1 and self._is_place(ref.things[0]):
            ref = replace(ref, things=())  # "R2 mustn't go near the shelf"
        if ref.empty and ref.pronoun and before:
            about = replace(ref, things=(before,))
            ref = about if self._refs.proposals(about) else ref
        ids = self._refs.proposals(ref)
        if ids == () or ref.loose:
            return None
        spoken = Ref(things=(before,))
        other = ref.pronoun and before and not ref.things and self._refs.proposals(spoken) == ()
        left = (("ready", "queued", "waiting", "interrupted"),)
        if other and self._refs.subtasks(spoken, left):
            return None  # "stock should come, too, R2 can do it": no proposal is meant
        codes = {c.code for c in clause.core if c.of("HOLDOFF")}
        words = ["postpone" if w in codes else w for w in found.line.split() if w != "X"]
        pair = any(self._refs.robots_of(c) for c in found.named)
        if pair and not set(words) & GRANTING:
            return None  # "you two make a good team"
        if not words:
            return self._alone(clause, ref, ids)
        has_reference = bool(ref.things or ref.agents)
        verbs = frozenset(c.code for c in clause.core if c.kind == "V")
        kind = polarity(words, found.line, has_reference, verbs)
        if kind is None or (clause.asks and kind == "accept"):
            return None
        if kind == "accept" and clause.addressees and ids and not self._of(clause.addressees, ids):
            return None  # "R1, can you do the onions": they were proposed to somebody else
        if self._is_uncertain(clause, [w for w in found.line.split() if w != "X"], ref, kind):
            return None
        return self._answer(kind, clause, ref, ids)

    def _is_place(self, names: tuple[str, ...]) -> bool:
        kinds = [self._refs.kitchen.type_of(name) for name in names]
        return all("Place" in kind and "Item" not in kind for kind in kinds)

    def _robots(self, ref: Ref, chunks: Sequence[Chunk]) -> Ref:
        """ "Yes to the robots": the proposals to robots."""
        agents = tuple(a for c in chunks for a in self._refs.robots_of(c))
        return replace(ref, agents=agents) if agents and not ref.agents else ref

    def _stays(self, clause: Clause) -> HeardAct | None:
        """ "The pepper is fine where it is": declines fetching it."""
        core = clause.core
        at = next((i for i, c in enumerate(core) if c.kind == "where" and i), None)
        if at is None or core[0].kind != "O" or not any(c.kind in ("is", "are") for c in core[:at]):
            return None
        if any(c.kind not in ("where", "IT", "THEY", "is", "are") for c in core[at:]):
            return None
        ref = self._refs.read(core[:1])
        ids = self._refs.proposals(ref)
        return self._answer("decline", clause, ref, ids) if ids and not clause.asks else None

    def _still_needed(self, clause: Clause) -> HeardAct | None:
        """ "We still need the sauce": declines putting it away."""
        core = clause.core
        cut = next(
            (i for i, c in enumerate(core) if c.kind in ("on", "at", "in", "for") and i > 2), 0
        )
        core = core[:cut] if cut and core[cut - 1].kind == "O" else core
        if clause.asks or len(core) < 3 or core[0].kind not in ("I", "WE") or core[-1].kind != "O":
            return None
        needs = any(
            c.of("NEED") or c.of("WANT") or c.key in ("using", "use", "not done with") for c in core
        )
        if not needs or any(c.kind in ("not", "no", "to") for c in core):
            return None
        ids = self._refs.proposals(Ref(things=core[-1].things)) or ()
        away = [i for i in ids if (m := self._refs.proposed[i]) and m.task == "put away"]
        if not away:
            return None
        return self._answer("decline", clause, Ref(), tuple(away))

    def _unable(self, clause: Clause) -> HeardAct | None:
        """ "My hands are too shaky for slicing": declines the speaker's own task."""
        keys = [c.key for c in clause.chunks]
        own = {"i", "my", "me"} & set(clause.words.split())
        at = next((i for i, k in enumerate(keys) if k == "too"), None)
        if at is None or not own or clause.asks:
            return None
        behind = clause.chunks[at + 1 :]
        cut = next((i for i, c in enumerate(behind) if c.kind in ("for", "to")), None)
        if cut is None:
            return None
        ref = self._refs.read(behind[cut + 1 :])
        if ref.loose or ref.empty or not (ref.things or ref.tasks):
            return None
        ids = self._refs.proposals(replace(ref, agents=(self._refs.user,)))
        return self._answer("decline", clause, ref, ids) if ids else None

    def _of(self, agents: tuple[str, ...], ids: tuple[str, ...]) -> bool:
        """Whether one of these proposals is to one of these agents."""
        return any(p.id in ids and p.agent in agents for p in self._proposals)

    def _is_uncertain(self, clause: Clause, words: list[str], ref: Ref, kind: str) -> bool:
        """Whether the words of an answer may describe a thing, or offer to do the work."""
        if kind == "accept" and (OBJECTION - {"mind"}) & set(words):
            return False
        taking = bool(
            {"I", "WE"} & set(words)
            and set(words) & (ORDERING | {"let", "leave", "allow"})
            and set(words) & TAKING
        )
        mine = any(c.ref in ("mine", "yours") for c in clause.core)
        if mine and any(c.agents or c.kind == "ALL" for c in clause.core):
            return True  # "let R1 do my job"
        me = clause.core[0].kind == "I" and not {"would", "will", "can"} & set(words)
        if me and kind == "accept" and TAKING & set(words) and ref.things:
            ids = self._refs.proposals(ref) or ()
            if not self._of((self._refs.user,), ids):
                return True  # "I take the yoghurt", which somebody else was to get
        mine = any(c.key in ("to me", "with me", "for me", "to us") for c in clause.chunks)
        given = any(
            c.kind in ("to", "with") and i + 1 < len(clause.core) and clause.core[i + 1].kind == "A"
            for i, c in enumerate(clause.core)
        )
        if "leave" in words and (mine or given or {"to", "with"} & set(words)):
            return True  # "leave the stirring to me"
        alone = {"myself", "alone", "by myself"} & {c.key for c in clause.chunks}
        if kind == "accept" and alone and clause.core[0].kind == "I" and not ref.things:
            return True  # "I'll do everything myself"
        several = {"both", "all"} & set(ref.counts) and ref.agents and not ref.things
        if kind == "accept" and several and set(words) & ORDERING and set(words) & TAKING:
            return True  # "R1 should do both"
        if words[:1] == ["keep"] and ref.counts and not ref.things:
            return False
        if "hold" in words and mine:
            return True  # "hold this for me"
        if "mind" in words and "I" in words and ref.tasks:
            return True
        if "go_for" in words and ref.things and set(words) & ORDERING:
            return True
        if (
            "go_for" in words
            and clause.core[0].kind == "I"
            and not self._of((self._refs.user,), self._refs.proposals(ref) or ())
        ):
            return True  # "… and I go for the salmon"
        if kind == "accept" and {"I", "WE"} & set(words) and {"might", "may"} & set(words):
            return True
        likes = {"love", "like", "loves", "likes", "prefer", "have"} & set(words)
        if (
            kind == "accept"
            and likes
            and (ref.things or ref.agents)
            and not {"would", "will", "can"} & set(words)
        ):
            return True
        wants = {"want", "would_like", "would_love", "like", "prefer", "rather"} & set(words)
        has_verb = {"get", "do", "take", "make", "put"} & set(words)
        if kind == "accept" and {"I", "WE"} & set(words) and wants and has_verb and ref.things:
            return True  # "I want to get the rice" takes it over
        if kind == "accept" and taking and not set(words) & {"say", "agree", "accept"}:
            return True
        heads = [c.key for c in clause.core if c.kind == "HEAD"]
        if heads and not any(key in PLANS for key in heads) and clause.core[0].kind == "IT":
            return True  # "that's the nice part"
        if not ref.empty:
            return False
        subject = clause.core[0].key
        if (
            any(c.key in ("for me", "by me", "for us", "to me") for c in clause.chunks)
            and subject == "it"
        ):
            return False
        if kind == "decline":
            return subject in ("it", "they", "them", "so", "i", "we") and not set(words) & FIRM
        return subject in ("it", "they", "them", "so") or not any(
            c.kind == "IT" and c.key.startswith(("that", "this", "the ", "those"))
            for c in clause.core
        )

    def _beside(self, clause: Clause) -> HeardAct | None:
        """ "Bananas in a tick", "me not yet", "no way to the pepper": an idiom next to a name."""
        core = clause.core
        size = next((i for i, c in enumerate(core) if c.kind not in (*_NAMES, "I", "DET")), 0)
        if not size:
            return self._before(clause)
        ref, rest = core[:size], core[size:]
        if not ref or not rest:
            return None
        behind = clause.chunks[clause.chunks.index(ref[-1]) + 1 :]
        ways = [tuple(" ".join(c.key for c in part).split()) for part in (rest, behind)]
        words = next((way for way in ways if way in sayings()), ways[0])
        kind = sayings().get(words, "")
        if kind not in ("YES", "OK", "NO", "PUTOFF", "WAIT", "GOOD") or clause.asks:
            return None
        if ref[0].kind == "I" and (
            len(ref) > 1
            or kind not in ("NO", "PUTOFF")
            or (words[0] not in ("not", "no") and kind != "PUTOFF")
        ):
            return None
        proposals = self._robots(self._refs.read(ref), ref)
        ids = self._refs.proposals(proposals)
        if not ids or (ref[0].kind == "IT" and kind == "GOOD"):
            return None
        yes = kind in ("YES", "OK", "GOOD")
        return self._answer("accept" if yes else "decline", clause, proposals, ids)

    def _permission(self, clause: Clause) -> HeardAct | None:
        """ "R2 can", "R1 may" without a complement: accepts what is proposed to them."""
        core = clause.core
        if [c.kind for c in core] not in (["A", "can"], ["A", "may"]) or clause.asks:
            return None
        ref = self._refs.read(core[:1])
        ids = self._refs.proposals(ref)
        return self._answer("accept", clause, ref, ids) if ids else None

    def _before(self, clause: Clause) -> HeardAct | None:
        """ "Not yet to both", "go ahead with the pepper": an idiom, then its object."""
        chunks = clause.chunks
        cut = next(
            (i for i, c in enumerate(chunks) if c.kind in ("to", "for", "with", "on", "about")), 0
        )
        names = [c for c in chunks[cut + 1 :] if c.kind not in FLOATS and c.kind != "DET"]
        kind = sayings().get(tuple(" ".join(c.key for c in chunks[:cut]).split()), "")
        if not names or kind not in ("YES", "OK", "NO", "PUTOFF", "WAIT") or clause.asks:
            return None
        if any(c.kind not in _NAMES for c in names):
            return None
        ref = self._robots(self._refs.read(names), names)
        ids = self._refs.proposals(ref)
        if not ids:
            return None
        return self._answer("accept" if kind in ("YES", "OK") else "decline", clause, ref, ids)

    def _answer(self, kind: str, clause: Clause, ref: Ref, ids: tuple[str, ...] | None) -> HeardAct:
        answer = act(kind, clause)
        answer.ids = ids
        answer.bare = ids is None
        answer.only = any(c.key in ("only", "just") for c in clause.chunks)
        return answer

    def _alone(self, clause: Clause, ref: Ref, ids: tuple[str, ...] | None) -> HeardAct | None:
        """ "Both", "just the pepper": a bare name is a yes if it selects among the proposals."""
        if not ids or clause.asks or any(c.ref == "more" for c in clause.core):
            return None
        if ref.counts:
            return self._answer(
                "decline" if "neither" in ref.counts else "accept", clause, ref, ids
            )
        if ref.agents and clause.has("ONLY"):
            return self._answer("accept", clause, ref, ids)
        if len(ref.things) > len(ids):
            return None  # "salt and pepper, please", when only one of them is proposed
        polite = any(clause.has(kind) for kind in ("PLEASE", "ONLY", "FIRST"))
        polite |= clause.chunks[0].key == "just"
        if (polite and (ref.things or ref.tasks)) or (
            clause.joint in ("and", "plus") and ref.things
        ):
            return self._answer("accept", clause, ref, ids)
        if ref.tasks and len(ids) == 1 and not ref.agents:
            return self._answer("accept", clause, ref, ids)
        return None

    def _all_but(self, clause: Clause) -> HeardAct | None:
        """ "All but R2", "everything except the salt": accepts the remaining proposals."""
        cut = next(
            (i for i, c in enumerate(clause.chunks) if c.kind == "ALLBUT" or c.key == "all but"),
            None,
        )
        if cut is None:
            return None
        remaining = [c for c in clause.chunks[:cut] if c.kind not in FLOATS]
        ids = self._refs.proposals(self._refs.read(clause.chunks[cut + 1 :]))
        if not ids:
            return None
        answer = act("decline" if any(c.key in NOT for c in remaining) else "accept", clause)
        answer.ids = tuple(p.id for p in self._proposals if p.id not in ids)
        answer.only = True
        return answer if answer.ids else None


def _without_objection(clause: Clause) -> Clause:
    """ "I have nothing against R2", reduced to a negation of the objection."""
    chunks = list(clause.chunks)
    for index, chunk in enumerate(chunks[:-1]):
        if chunk.key == "nothing" and chunks[index + 1].key in OBJECTION:
            chunks[index] = replace(chunk, kind="no", key="no", ref="")
    return clause.but(chunks)
