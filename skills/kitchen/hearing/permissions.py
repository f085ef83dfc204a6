"""Permissions and exemptions without a yes or a no, and work that is left.

"R2 has the green light for the pepper" and "the cream may come over here" accept; "let R2 off the
hook", "R1 can put its feet up", "I'll sit mine out" and "leave the sauce on the table" decline.
"The robot's bit" is what is proposed to the only robot with a proposal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Ref, Refs
from treec.skills.kitchen.hearing.words import word_set

_LEAVE = re.compile(
    r"\b(?P<how>give|gives|giving|has|have|got|gets|get|have got|has got)\b.*?\b(?:the|a|an|my|our|"
    r"your) "
    r"(?:big |full |official )?(?P<what>green light|go ahead|go|nod|all clear|thumbs up|ok|"
    r"blessing|permission|"
    r"approval|vote|consent|word|say so|leave|yes|clearance|clear)\b"
)
_SPARED = re.compile(
    r"\b(?:let \w+ off(?: the hook)?|excuse \w+|spare \w+|excused|off the hook|take a holiday|"
    r"have a holiday|take the day off|off duty|spared|"
    r"(?:sit|sits|sitting|skip|skips|skipping) (?:\w+ ){0,3}(?:out|mine|turn)|opt out|"
    r"bow out|bows out|(?:sit|sits|sitting) out|opting out|bowing out|backing out|back out|"
    r"put (?:its|it is|his|her|their|your|my) feet up|take it easy|relax|chill|put \w+ feet up|"
    r"have (?:a|the) (?:rest|break|breather|nap|day off)|has (?:a|the) (?:day off|break)|"
    r"take (?:a|the) (?:rest|break|breather|nap|day off)|(?:do|does|need|needs|must) not bother|"
    r"not required|not needed|(?:do|does) nothing|(?:stays?|sits?) (?:put|still|idle|here|there)|"
    r"stay out of (?:it|this)|stay parked|stays parked|stay where \w+ (?:is|are))\b"
)
_COMING = re.compile(
    r"(?:let O |O (?:can|may|could|must|(?:is|are) (?:allowed|free|welcome|fine|ok) to) )"
    r"(?:come|go|travel|make|join|arrive|head|move|roll|be (?:brought|fetched))"
    r"(?: (?:with|to|WE|I|over|on|off|its|DET|way|IT|THEY|out|from|O|round|across|along|here|of))* "
)
_LEFT_THERE = re.compile(
    r"(?:leave|keep|let) (?:O|ORD|IT) (?:(?:stay|be|sit|remain) )?(?:on|in|at|out|where|as|nearby|"
    r"near|here|there|by|"
    r"handy|close|around|ready|within|for (?!A|I|WE))\b.*|"
    r"(?:O|ORD) (?:can|may|should|could|must|has_to|needs_to|ought_to|might_as_well|stays?|"
    r"had_better) ?(?:stay|remain|stand|sit|be_left|stop|live|rest)?"
    r" (?:on|in|at|out|where|as|nearby|near|here|there|by|put)\b.*"
)  # fmt: skip


def the_robot(clause: Clause, refs: Refs) -> Clause:
    """ "The robot's bit is fine": the only robot with a proposal."""
    owners = [p.agent for p in refs.context.proposals if p.agent in refs.robots]
    if len(set(owners)) != 1:
        return clause
    words = tuple(
        replace(c, kind="A", agents=(str(owners[0]),)) if _one_robot(c, clause.chunks) else c
        for c in clause.chunks
    )
    result: list[Chunk] = []
    for index, chunk in enumerate(words):
        after = bool(result) and result[-1].kind == "A" and result[-1].key.endswith("robot")
        behind = words[index + 1].kind if index + 1 < len(words) else ""
        if after and chunk.kind == "'s" and behind == "HEAD":
            continue
        if after and chunk.kind == "HEAD" and words[index - 1].kind == "'s":
            continue
        result.append(chunk)
    return clause.but(result) if tuple(result) != clause.chunks else clause


def _one_robot(chunk: Chunk, chunks: Sequence[Chunk]) -> bool:
    return chunk.kind == "SOMEONE" and chunk.key in ("the robot", "our robot", "my robot",
                                                     "that robot")  # fmt: skip


def permission(clause: Clause, refs: Refs) -> HeardAct | None:
    """The answer of a clause that permits or exempts; None if it does neither."""
    if not refs.context.proposals or clause.asks or clause.has("TALE") or not clause.core:
        return None
    return (
        _permit(clause, refs)
        or _exempt(clause, refs)
        or _permission_to_leave(clause, refs)
        or _comes(clause, refs)
        or _sets_off(clause, refs)
        or _is_mine(clause, refs)
    )


def _is_negated(clause: Clause) -> bool:
    return any(c.kind in ("not", "no", "never", "without", "nobody") for c in clause.chunks)


def _proposals(clause: Clause, refs: Refs, *, own: bool = False) -> tuple[str, ...] | None:
    chunks = [c for c in clause.core if c.kind in ("A", "O", "ORD", "OTHERONE")]
    if own:
        chunks += [c for c in clause.core if c.kind == "I"]
    ref = replace(refs.read(chunks), loose=0)
    pair = tuple(a for c in clause.core for a in refs.robots_of(c))
    if pair and not ref.agents:
        ref = replace(ref, agents=pair)
    if clause.addressees and ref.empty:
        ref = replace(ref, agents=clause.addressees)
    return refs.proposals(ref)


def _answer(kind: str, clause: Clause, ids: tuple[str, ...] | None) -> HeardAct | None:
    if ids == ():
        return None
    made = act(kind, clause)
    made.ids, made.bare = ids, ids is None
    return made


def _permit(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Give R2 the nod", "the tomatoes have my blessing", "R1 gets the go-ahead"."""
    match = _LEAVE.search(clause.words)
    if match is None or len(clause.core) > 12:
        return None
    if any(c.kind in ("I", "WE") for c in clause.core[:1]) and match["how"] not in (
        "give",
        "gives",
    ):
        return None
    if match["what"] in ("go", "word", "yes", "ok", "leave") and match["how"] not in (
        "give", "gives", "has", "have", "gets",
    ):  # fmt: skip
        return None
    plain = ("give", "gives", "get", "gets", "got", "leave", "clear")
    verbs = [c for c in clause.core if c.kind == "V" and c.verb and c.key not in plain]
    if any(form != "ing" for c in verbs for _, form in c.verb):
        return None
    ids = _proposals(clause, refs)
    if clause.addressees and ids:  # "R1, have a go at whisking": to whom it was not proposed
        theirs = {p.agent for p in refs.context.proposals if p.id in ids}
        ids = ids if theirs & set(clause.addressees) else ()
    return _answer("decline" if _is_negated(clause) else "accept", clause, ids)


def _exempt(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Let R2 off", "R1 may put its feet up", "I'm sitting this out": a no to their proposals."""
    if _SPARED.search(clause.words) is None or len(clause.core) > 10:
        return None
    agents = tuple(a for c in clause.core for a in c.agents)
    own = any(c.kind == "I" or c.ref == "mine" for c in clause.core)
    if not agents and clause.addressees:
        agents = clause.addressees
    if not agents and not own and clause.core[0].kind == "O":
        return _answer("decline", clause, refs.proposals(Ref(things=clause.core[0].things)) or ())
    if own and not agents:
        agents = (refs.user,)
    pair = tuple(a for c in clause.core for a in refs.robots_of(c))
    agents = agents or pair
    working = {s.agent for s in refs.context.subtasks if s.status == "running"}
    if not agents or set(agents) & working:
        return None
    return _answer("decline", clause, refs.proposals(Ref(agents=agents)) or ())


def _permission_to_leave(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "Leave the sauce on the table": declines fetching it, or putting it away."""
    if _LEFT_THERE.match(clause.line) is None or _is_negated(clause):
        return None
    thing = next((c for c in clause.core if c.kind in ("O", "ORD")), None)
    if thing is None:
        return None
    ids = refs.proposals(replace(refs.read([thing]), loose=0)) or ()
    tasks = {"get", "put away"}
    if clause.core[0].kind == "O" and sum(c.kind == "O" for c in clause.core) == 1:
        tasks.add("pour")  # "the cream stays in the carton"
    moves = tuple(i for i in ids if (m := refs.proposed[i]) is not None and m.task in tasks)
    return _answer("decline", clause, moves)


def _comes(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "The pepper can come over here", "the sauce may be on its way": accepts fetching it."""
    if _COMING.fullmatch(clause.line) is None or _is_negated(clause):
        return None
    core = clause.core
    thing = next(c for c in core if c.kind == "O")
    if thing.ref in ("more", "enough") or thing.either:
        return None
    home = any(c.key in ("back", "away", "home") for c in clause.chunks)
    task = "put away" if home else "get"
    ids = refs.proposals(Ref(things=thing.things)) or ()
    found = tuple(i for i in ids if (m := refs.proposed[i]) is not None and m.task == task)
    return _answer("accept", clause, found)


_GETTING = word_set("gets get goes go set sets comes come turns turn is are melts burns")
_INWARD = ("in", "into", "to", "O", "on")


def is_before_other_work(clause: Clause) -> bool:
    """Whether "before" introduces other work; "before it gets cold" does not."""
    core = clause.core
    if not core or core[0].kind not in ("IT", "THEY", "R", "OTHERS", "W", "I", "WE", "O", "DET"):
        return True
    rest = core[1:]
    actions = [c for c in rest if (c.verb and c.key not in _GETTING) or c.of("DO") or c.of("GO")]
    only_references = all(c.kind in ("O", "IT", "ORD", "A", "DET", "HEAD") for c in core)
    moves = any(c.key in _GETTING for c in rest) and any(c.kind in _INWARD for c in rest)
    return bool(actions) or moves or only_references


_SETTING_OFF = re.compile(
    r"(?:set off|head (?:off|out|over|there)|roll(?:s)?(?: (?:off|out|along|on|away|in))?|take off|"
    r"move off|"
    r"drive off|hit the road|get (?:rolling|moving|going|cracking|weaving|busy|started|on with it|"
    r"to it|"
    r"a move on|stuck in)|go right ahead|knock (?:itself|himself|herself) out|fire away|"
    r"make a (?:start|move)|"
    r"have (?:its|it is|his|her|their) way|do (?:its|it is|his|her|their) (?:thing|magic|stuff|"
    r"worst|job|part|"
    r"bit|best|errand)|"
    r"go about (?:its|it is|his|her|their) (?:business|job|work)|be on (?:its|it is|his|her|"
    r"their) way|"
    r"trundle off|scoot off|pop off|"
    r"be off|run along|trot off|whizz off|zoom off|off you go|go and do (?:its|it is|his|"
    r"her) thing|"
    r"earn (?:its|it is|his) keep|"
    r"(?:do|have|take) the honou?rs?|have a (?:go|crack|turn)|have at it|have its turn|"
    r"take it away|"
    r"take the stage|be my guest|(?:good|clear|free|set|ready) to (?:go|start|begin)|give (?:it|"
    r"that|this) (?:a|its best|his best) (?:whirl|go|try|shot|bash|crack|stir|mix|turn))"
)
_SUBJECT = word_set(
    "can may should could must might to is are free welcome allowed clear good has ought "
    "needs just now then please let have and yes so"
)


def _sets_off(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "R2 may set off", "let the arm do its thing": accepts what is proposed to them."""
    match = re.search(
        rf"\b{_SETTING_OFF.pattern}(?: (?:now|then|please|for (?:me|us|now)|straight away|"
        rf"at once))*$",
        clause.words,
    )
    if match is None or _is_negated(clause):
        return None
    thing = [c for c in clause.chunks if c.kind == "A"]
    before = clause.words[: match.start()].split()
    names = {w for c in thing for w in c.key.split()}
    if len(thing) != 1 or not set(before) <= names | _SUBJECT:
        return None
    working = {s.agent for s in refs.context.subtasks if s.status in ("running", "interrupted")}
    if set(thing[0].agents) & working:
        return None
    return _answer("accept", clause, refs.proposals(Ref(agents=thing[0].agents)) or ())


def _is_mine(clause: Clause, refs: Refs) -> HeardAct | None:
    """ "The lettuce washing is mine": a yes, if it is proposed to the speaker."""
    core = clause.core
    if len(core) < 3 or core[-1].ref != "mine" or core[-2].kind not in ("is", "are", "'s", "be"):
        return None
    if _is_negated(clause) or any(
        c.kind not in ("O", "V", "DET", "is", "are", "'s", "will", "be") for c in core[:-1]
    ):
        return None
    ref = replace(refs.read(core[:-1]), agents=(refs.user,), loose=0)
    return _answer("accept", clause, (refs.proposals(ref) or ()) if ref.things or ref.tasks else ())


def is_permissive_condition(clause: Clause) -> bool:
    """ "If R2 wants to fetch it", "if the arm fancies a go": a condition that permits."""
    head = clause.core[1:2]
    return any(
        c.of("WANT") or c.key in ("insists", "must", "likes", "fancies", "offers") for c in head
    )
