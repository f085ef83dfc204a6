"""Answers to proposals without a word of answering.

"One last toss", "off with the sauce", "the leaves can join the party", "I'm your man for the
onions" and "the washing can't wait" accept exactly what is proposed; "I'd sooner the sauce stayed
out" and "the onions are no concern of mine" decline it. Work that is not proposed is not handled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Ref, Refs

_TASKS_OF = {"in": ("pour",), "into": ("pour",), "off": ("put away",), "away": ("put away",),
             "back": ("put away",), "over": ("get",), "here": ("get",)}  # fmt: skip
_JOINING = re.compile(
    r"O (?:can|may|could|might|(?:is|are) (?:allowed|free|welcome|clear|ready|fine|ok|good) to) "
    r"(?:now |then )?(?P<verb>join|go|hit|enter|meet|follow|hop|jump|dive|get|swim|slide|drop|be|"
    r"land|fall|come)"
    r"(?: (?:in|into|O|to|WE|DET|IT|THEY|party|others|OTHERS|ORD|next|R|W|rest|fun|on|added|poured|"
    r"wet))* "
)
_FOR_IT = re.compile(
    r"\bi am (?:all |so |totally |definitely |really |very |just )*(?:"
    r"(?:your|the|the right|just the|a) (?:\w+ )?(?:man|woman|girl|guy|person|one|cook|chef|boy|"
    r"lad|lass|gal|expert|pro|hand)"
    r" (?:for|with|at)|ready for|up for|down for|set for|game for|good at|great at|brilliant at|"
    r"an expert at|"
    r"a dab hand at|keen on|armed for|all set for|in for|prepared for|on board with|well up for|"
    r"in the mood for|"
    r"looking forward to|raring to|itching to|excited about|on)\b"
)
_READY = re.compile(
    r"(?:(?:[\w ]*\b)?(?:ready|all set|set|armed|poised|prepared|game|up|eager|keen) (?:for|to) .*)"
)
_STAYS = (
    "stay",
    "stays",
    "stayed",
    "staying",
    "remain",
    "remains",
    "remained",
    "left",
    "leave",
    "leaving",
    "kept",
    "keep",
)
_WHERE = ("out", "here", "on", "where", "nearby", "near", "at", "within", "there", "by", "in")
_NOUNS = ("DET", "ADJ", "ORD", "HEAD")
_KINDLY = (
    "last",
    "final",
    "more",
    "quick",
    "proper",
    "thorough",
    "light",
    "gentle",
    "another",
    "decent",
    "nice",
    "good",
    "little",
    "wee",
    "careful",
    "ok",
    "fine",
    "please",
    "now",
    "then",
    "time",
    "for",
)


def implicit_answer(clause: Clause, refs: Refs) -> HeardAct | None:
    """The answer that a clause amounts to; None if it is none."""
    if not refs.context.proposals or clause.asks or clause.has("TALE") or not clause.core:
        return None
    ways: tuple[Callable[[Clause, Refs], HeardAct | None], ...] = (
        _noun_of_work, _with_it, _joins, _for_it, _stays, _cannot_wait, _wont_touch, _urging,
        _not_itself, _without_them, _plenty,
    )  # fmt: skip
    work_answer = _goes_on(clause, refs)
    if work_answer is not None:
        return work_answer
    return next((answer for way in ways if (answer := way(clause, refs)) is not None), None)


def ready_for(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Ready for the bananas": no report, but a yes if that is proposed to the speaker."""
    core = clause.core
    early = _enough(clause, refs) or (
        _plenty(clause, refs) if refs.context.proposals and not clause.asks and core else None
    )
    if early is not None:
        return early
    at = next((i for i, c in enumerate(core) if c.kind == "DONE"), None)
    if at is None or clause.addressees or clause.asks or _READY.fullmatch(clause.words) is None:
        return None
    if at + 1 >= len(core) or core[at + 1].kind not in ("for", "to") or _is_negated(clause):
        return None
    if core[0].kind in ("IT", "R", "W") and core[at + 1].kind == "for" and at <= 2:
        dish = core[0].kind != "W" or core[0].key in refs.dish
        ref = refs.read(core[at + 2 :])
        ids = _of_tasks(refs, Ref(things=ref.things), ("pour",)) if dish and ref.things else ()
        return _yes(clause, ids)  # "it's ready for the cream"
    mine = all(c.kind in ("I", "am", "DET", "V", "in", "W", "WE", "are", "my") for c in core[:at])
    if not mine or any(c.kind == "O" for c in core[:at]):
        return None
    ref = refs.read(core[at + 2 :])
    if not (ref.things or ref.tasks):
        return None
    ids = refs.proposals(replace(ref, agents=(refs.user,), loose=0)) or ()
    return _yes(clause, ids) or act("remark", clause)


def _is_negated(clause: Clause) -> bool:
    return any(c.kind in ("not", "no", "never", "without", "nobody") for c in clause.chunks)


def _yes(clause: Clause, ids: tuple[str, ...], kind: str = "accept") -> HeardAct | None:
    if not ids:
        return None
    answer = act(kind, clause)
    answer.ids = ids
    return answer


def _of_tasks(refs: Refs, ref: Ref, tasks: tuple[str, ...]) -> tuple[str, ...]:
    ids = refs.proposals(replace(ref, loose=0)) or ()
    return tuple(i for i in ids if (m := refs.proposed[i]) is not None and m.task in tasks)


def _noun_of_work(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "One last toss", "a good stir then": the noun of exactly one proposed task."""
    core = clause.core
    if not 2 <= len(core) <= 5 or (core[0].kind != "DET" and core[0].key not in ("one", "another")):
        return None
    if core[0].key in ("the", "any", "my", "your"):
        return None
    verb = core[-1]
    if not any(form == "base" for _, form in verb.verb) or any(
        form == "ing" for _, form in verb.verb
    ):
        return None
    if any(c.kind not in _NOUNS and c.key not in _KINDLY for c in core[:-1]):
        return None
    tasks = refs.kitchen.tasks_of(verb)
    ids = tuple(i for i, m in refs.proposed.items() if m is not None and m.task in tasks)
    return _yes(clause, ids) if len(ids) == 1 else None


def _with_it(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Off with the sauce", "in with the leaves now", "back with that ranch"."""
    core = clause.core
    if (
        len(core) < 3
        or core[0].key not in _TASKS_OF
        or core[1].kind != "with"
        or core[2].kind != "O"
    ):
        return None
    if any(c.kind in ("V", "do", "I", "not", "no", "is") for c in core[3:]) or core[2].either:
        return None
    return _yes(clause, _of_tasks(refs, Ref(things=core[2].things), _TASKS_OF[core[0].key]))


def _joins(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "The leaves can join the party", "the cream may go in next"."""
    match = _JOINING.fullmatch(clause.line)
    if match is None or _is_negated(clause) or clause.core[0].either:
        return None
    if match["verb"] in ("be", "get", "come", "drop", "fall", "land", "follow", "go") and not any(
        c.key in ("in", "into", "added", "poured", "next") for c in clause.core[2:]
    ):
        return None
    return _yes(clause, _of_tasks(refs, Ref(things=clause.core[0].things), ("pour",)))


def _for_it(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "I'm your man for the onions", "I'm raring to chop": accepts the speaker's own task."""
    match = _FOR_IT.search(clause.words)
    if match is None or _is_negated(clause):
        return None
    behind = [c for c in clause.core if c.start >= clause.chunks[0].start and c.kind in ("O", "V")]
    ref = refs.read([c for c in behind if c.kind == "O" or c.verb])
    if not (ref.things or ref.tasks) or any(c.kind == "A" for c in clause.core):
        return None
    return _yes(clause, refs.proposals(replace(ref, agents=(refs.user,), loose=0)) or ())


def _stays(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "I'd sooner the dressing stayed out": declines putting it away, or fetching it."""
    core = clause.core
    if _is_negated(clause) or len(core) > 12:
        return None
    at = next((i for i, c in enumerate(core) if c.key.split()[0] in _STAYS), None)
    things = [c for c in core if c.kind == "O"]
    if at is None or not things or core[0].kind in ("V", "A") or things[0] not in core[:at]:
        return None
    if not any(c.key.split()[0] in _WHERE for c in clause.chunks if c.start > core[at].start):
        return None
    if any(c.kind in ("A", "YOU", "is", "are", "was", "has") for c in core[:at]):
        return None
    return _yes(
        clause, _of_tasks(refs, Ref(things=things[0].things), ("get", "put away")), "decline"
    )


def _cannot_wait(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "The washing can't wait": a yes, as "can wait" is a no."""
    core = clause.core
    if len(core) < 4 or core[-1].key not in ("wait", "hurt", "harm") or core[-2].kind != "not":
        return None
    if core[-3].kind not in ("can", "will", "should", "could", "must", "would"):
        return None
    ref = refs.read([c for c in core[:-3] if c.kind not in ("DET", "ADJ")])
    if core[0].kind in ("I", "WE", "YOU"):
        return None
    if ref.loose or not (ref.things or ref.tasks or ref.agents or ref.counts):
        return None
    return _yes(clause, refs.proposals(ref) or ())


_UNTOUCHED = re.compile(
    r"i (?:am|will|would|can|could|do|shall) not (?:be |going to |want to |like |even |really )*"
    r"(?:touch|touching|go near|going near|come near|coming near|lay a finger on|"
    r"laying a finger on|deal with|dealing with|"
    r"handle|handling|face|facing|going anywhere near|go anywhere near|have anything to do with|"
    r"having anything to do with|"
    r"getting involved (?:with|in)|risk|risking|bother with|bothering with|do|doing)\b"
)


def _wont_touch(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "I'm not touching the lettuce with this cut": declines the speaker's own task."""
    if _UNTOUCHED.match(clause.words) is None:
        return None
    ref = refs.read([c for c in clause.core if c.kind == "O"][:1])
    if not ref.things:
        return None
    ids = refs.proposals(replace(ref, agents=(refs.user,), loose=0)) or ()
    return _yes(clause, ids, "decline")


def _urging(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Fetch away", "wash on": accepts the one proposal of such work."""
    core = clause.core
    away = len(core) == 2 and core[1].key in ("away", "on", "ahead")
    alone = len(core) == 1 and core[0].key not in ("do", "have", "get", "take", "make", "go")
    if not (away or alone) or core[0].kind != "V":
        return None
    if not any(form == "base" for _, form in core[0].verb):
        return None
    tasks = refs.kitchen.tasks_of(core[0])
    matches = [
        p.id for p in refs.context.proposals
        if (m := refs.proposed[p.id]) is not None and m.task in tasks
        and (not clause.addressees or p.agent in clause.addressees)
    ]  # fmt: skip
    own = [p.agent for p in refs.context.proposals if p.id in matches] == [refs.user]
    return _yes(clause, tuple(matches)) if len(matches) == 1 and not own else None


def _not_itself(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Those tomatoes won't fetch themselves": urges somebody to do it."""
    core = clause.core
    if core[0].kind not in ("O", "V", "DET") or clause.chunks[-1].key not in (
        "itself",
        "themselves",
    ):
        return None
    verb = next((c for c in core[1:] if c.verb), None)
    if verb is None or not any(c.kind == "not" for c in core):
        return None
    ref = Ref(things=core[0].things, tasks=(refs.kitchen.tasks_of(verb),))
    return _yes(clause, refs.proposals(ref) or ()) or act("remark", clause)


def _without_them(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "We can do without R2's trip": declines what is proposed to them."""
    core = clause.core
    if len(core) < 3 or core[-1].kind != "A" or core[0].kind not in ("I", "WE"):
        return None
    if not core[-2].of("DROP", "base") or "without" not in core[-2].key:
        return None
    return _yes(clause, refs.proposals(Ref(agents=core[-1].agents)) or (), "decline")


def _plenty(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "We have plenty of pepper": declines fetching more."""
    core = clause.core
    if core[-1].kind != "O" or core[-1].ref != "enough" or _is_negated(clause):
        return None
    if not any(c.kind in ("have", "is", "are") or c.key in ("got", "have got") for c in core[:-1]):
        return None
    return _yes(clause, _of_tasks(refs, Ref(things=core[-1].things), ("get",)), "decline")


def _enough(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "It's been tossed enough already": declines doing it again."""
    words = clause.words.split()
    verb = next((c for c in clause.core if any(f == "past" for _, f in c.verb)), None)
    if "enough" not in words or verb is None or clause.asks or _is_negated(clause):
        return None
    if clause.core[0].kind not in ("IT", "O", "R", "THEY") or not refs.context.proposals:
        return None
    things = clause.core[0].things if clause.core[0].kind == "O" else ()
    ref = Ref(things=things, tasks=(refs.kitchen.tasks_of(verb),))
    return _yes(clause, refs.proposals(ref) or (), "decline")


def _goes_on(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Rice goes on now", "the pot is going on the hob": a yes by its agent."""
    core = clause.core
    words = " ".join(c.key for c in core[1:3])
    if core[0].kind != "O" or len(core) > 4 or _is_negated(clause) or core[0].either:
        return None
    if not words.startswith(("goes on", "going on", "is going on", "is going")):
        return None
    mine = Ref(things=core[0].things, agents=(refs.user,))
    return _yes(clause, _of_tasks(refs, mine, ("heat", "boil", "simmer", "fry", "bake", "melt")))
