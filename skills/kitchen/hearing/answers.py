"""A yes or a no to what is proposed: "yes to the pepper", "R1 can wait", "all but the last".

What is referred to is set aside; the words that are left must all be words of answering. One that
refuses or puts off makes a no, unless an objection itself is denied ("nothing against R2").
"""

from __future__ import annotations

from dataclasses import replace

from skills.kitchen.hearing.acts import Act, act
from skills.kitchen.hearing.chunks import FLOATS, Chunk
from skills.kitchen.hearing.clauses import Clause
from skills.kitchen.hearing.frames import frame
from skills.kitchen.hearing.lexicon import sayings
from skills.kitchen.hearing.refs import Ref, Refs
from skills.kitchen.hearing.words import word_set

_NAMES = ("O", "ORD", "A", "OTHERONE", "HEAD")

_FINE = word_set(
    "yes ok sure fine good great perfect agreed right approved accepted granted confirmed nice "
    "absolutely certainly definitely cool lovely excellent wonderful brilliant super ideal deal "
    "acceptable best better welcome correct sensible affirmative aye splendid fantastic awesome "
    "terrific marvellous sound happy permitted authorized authorised amazing grand swell superb "
    "reasonable smart wise keeper green thumbs permission blessing favour favor keen game glad "
    "content satisfied board approval agreement first clever useful helpful"
)
_POOR = word_set(
    "bad terrible wrong unnecessary premature early pointless awful silly horrible rubbish stupid "
    "mistake overkill refused rejected denied declined vetoed forbidden nope "
    "negative soon nonsense "
    "crazy daft unwise risky needless useless nah"
)
_NOT = word_set("no not never neither nor without hardly nothing")
_LATER = word_set(
    "stay stays staying later tomorrow wait waits waiting patient hold holds rest "
    "rests postponed delayed paused"
)
_APPROVE = word_set(
    "agree agrees approve accept confirm take pick choose want like would_like go "
    "start begin proceed "
    "allow permit grant authorize authorise let vote support second endorse back "
    "welcome prefer fancy "
    "do have give say consent would_love love go_ahead_with go_with start_with "
    "begin_with proceed_with "
    "go_for opt_for settle_for go_ahead proceed get_going get_started carry_on "
    "continue go_on begins "
    "starts do_with crack_on get_cracking go_ahead_and_do works work suits suit "
    "start_on decide_on settle_on "
    "make select get_on_with let's sounds opt"
)
_REJECT = word_set(
    "refuse reject decline veto deny forbid object disagree against dislike hate "
    "oppose skip postpone "
    "delay defer hold_off_on wait_with hold_off_with wait_on hold_on_with "
    "hang_on_with hold_back_on "
    "put_off put_on_hold hold_off hold_on hang_on leave leave_for_later "
    "leave_for_now wait_for table "
    "save park keep_for_later leave_until_later wait_before hold_back keep "
    "hold_back_with leave_out wait "
    "hold waiting leave_alone"
)
_OBJECTION = word_set(
    "objection objections problem problems against issue issues complaint complaints doubts qualms "
    "reason mind object argue trouble fault reservations bad"
)
_PLAIN = word_set(
    "I WE YOU THEY IT is are am be was were being would will can could may should "
    "must shall might do does did "
    "has have had need needs to for with on about of in the a an by as that so at from go say "
    "sounds looks seems feels sound look seem works idea plan one HEAD DET ADJ call choice thing "
    "suggestion then if there here time not_yet turn up out get got who all what me my your his "
    "their let let's make think vote start begin off W green light ahead free allowed able please "
    "start until till touch into down doing making having going anywhere moving"
)
_SOFT = word_set(
    "minute moment second bit while idea plan light order go vote point need rush "
    "hurry list use way side part turn word call shout nod tick case sense"
)
_ORDERING = word_set("will can could shall might may should must would")
_FIRM = word_set(
    "want need necessary time idea rush hurry wait agree like would_like plan do early soon"
)
_TAKING = word_set("do take have start begin get go make proceed try")


class Answers:
    """Finds what a clause says yes or no to."""

    def __init__(self, refs: Refs) -> None:
        self._refs = refs
        self._proposals = refs.context.proposals

    def read(self, clause: Clause, before: tuple[str, ...] = ()) -> Act | None:
        """The yes or no that a clause is, if it is one to something that is named.

        `before` are the things named just before in its sentence, for "it".
        """
        if not self._proposals:
            return None
        excepted = self._all_but(clause)
        if excepted is not None:
            return excepted
        unable = self._unable(clause) or self._stays(clause)
        if unable is not None:
            return unable
        clause = _left_there(clause)
        beside = self._beside(clause)
        if beside is not None:
            return beside
        found = frame(clause)
        if not found.parts:
            return None
        ref = self._refs.read(c for c in found.named if c.kind not in ("DET", "ADJ"))
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
        words = [w for w in found.line.split() if w != "X"]
        if not words:
            return self._alone(clause, ref, ids)
        named = bool(ref.things or ref.agents)
        verbs = frozenset(c.code for c in clause.core if c.kind == "V")
        kind = _polarity(words, found.line, named, verbs)
        if kind is None or (clause.asks and kind == "accept"):
            return None
        if kind == "accept" and clause.called and ids and not self._of(clause.called, ids):
            return None  # "R1, can you do the onions": they were proposed to somebody else
        if self._unsure(clause, words, ref, kind):
            return None
        return self._answer(kind, clause, ref, ids)

    def _stays(self, clause: Clause) -> Act | None:
        """ "The pepper is fine where it is": a no to fetching it."""
        core = clause.core
        at = next((i for i, c in enumerate(core) if c.kind == "where" and i), None)
        if at is None or core[0].kind != "O" or not any(c.kind in ("is", "are") for c in core[:at]):
            return None
        if any(c.kind not in ("where", "IT", "THEY", "is", "are") for c in core[at:]):
            return None
        ref = self._refs.read(core[:1])
        ids = self._refs.proposals(ref)
        return self._answer("decline", clause, ref, ids) if ids and not clause.asks else None

    def _unable(self, clause: Clause) -> Act | None:
        """ "My hands are too shaky for slicing": a no to what the person is to do."""
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

    def _unsure(self, clause: Clause, words: list[str], ref: Ref, kind: str) -> bool:
        """Whether words that look like an answer may speak of a thing, or offer to do it."""
        taking = bool(
            {"I", "WE"} & set(words)
            and set(words) & (_ORDERING | {"let", "leave", "allow"})
            and set(words) & _TAKING
        )
        if "mind" in words and "I" in words and ref.tasks:
            return True
        if "go_for" in words and ref.things and set(words) & _ORDERING:
            return True
        if kind == "accept" and {"I", "WE"} & set(words) and {"might", "may"} & set(words):
            return True
        loving = {"love", "like", "loves", "likes", "prefer", "have"} & set(words)
        if (
            kind == "accept"
            and loving
            and (ref.things or ref.agents)
            and not {"would", "will", "can"} & set(words)
        ):
            return True
        wanting = {"want", "would_like", "would_love", "like", "prefer", "rather"} & set(words)
        doing = {"get", "do", "take", "make", "put"} & set(words)
        if kind == "accept" and {"I", "WE"} & set(words) and wanting and doing and ref.things:
            return True  # "I want to get the rice" takes it over
        if kind == "accept" and taking and not set(words) & {"say", "agree", "accept"}:
            return True
        if not ref.empty:
            return False
        subject = clause.core[0].key
        if (
            any(c.key in ("for me", "by me", "for us", "to me") for c in clause.chunks)
            and subject == "it"
        ):
            return False
        if kind == "decline":
            return subject in ("it", "they", "them", "so", "i", "we") and not set(words) & _FIRM
        return subject in ("it", "they", "them", "so") or not any(
            c.kind == "IT" and c.key.startswith(("that", "this", "the ", "those"))
            for c in clause.core
        )

    def _beside(self, clause: Clause) -> Act | None:
        """ "Bananas in a tick", "me not yet", "no way to the pepper": a saying beside a name."""
        core = clause.core
        size = next((i for i, c in enumerate(core) if c.kind not in (*_NAMES, "I", "DET")), 0)
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
            len(ref) > 1 or kind not in ("NO", "PUTOFF") or (words[0] != "not" and kind != "PUTOFF")
        ):
            return None
        meant = self._refs.read(ref)
        ids = self._refs.proposals(meant)
        if not ids or (ref[0].kind == "IT" and kind == "GOOD"):
            return None
        yes = kind in ("YES", "OK", "GOOD")
        return self._answer("accept" if yes else "decline", clause, meant, ids)

    def _answer(self, kind: str, clause: Clause, ref: Ref, ids: tuple[str, ...] | None) -> Act:
        made = act(kind, clause)
        made.ids = ids
        made.bare = ids is None
        made.only = any(c.key in ("only", "just") for c in clause.chunks)
        return made

    def _alone(self, clause: Clause, ref: Ref, ids: tuple[str, ...] | None) -> Act | None:
        """ "Both", "just the pepper": a name is a yes when it picks among what is proposed."""
        if not ids or clause.asks:
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
        if (polite and (ref.things or ref.tasks)) or (
            clause.joint in ("and", "plus") and ref.things
        ):
            return self._answer("accept", clause, ref, ids)
        if ref.tasks and len(ids) == 1 and not ref.agents:
            return self._answer("accept", clause, ref, ids)
        return None

    def _all_but(self, clause: Clause) -> Act | None:
        """ "All but R2", "everything except the salt": yes to what is left."""
        cut = next(
            (i for i, c in enumerate(clause.chunks) if c.kind == "ALLBUT" or c.key == "all but"),
            None,
        )
        if cut is None:
            return None
        left = [c for c in clause.chunks[:cut] if c.kind not in FLOATS]
        ids = self._refs.proposals(self._refs.read(clause.chunks[cut + 1 :]))
        if not ids:
            return None
        made = act("decline" if any(c.key in _NOT for c in left) else "accept", clause)
        made.ids = tuple(p.id for p in self._proposals if p.id not in ids)
        made.only = True
        return made if made.ids else None


def _left_there(clause: Clause) -> Clause:
    """ "Leave the sauce where it is": as "leave the sauce"."""
    chunks = clause.chunks
    at = next((i for i, c in enumerate(chunks) if c.kind in ("where", "as") and i), None)
    if (
        at is None
        or not (chunks[0].of("HOLDOFF") or chunks[0].key == "keep")
        or not clause.has("O")
    ):
        return clause
    if any(c.kind not in ("where", "as", "IT", "THEY", "is", "are", *FLOATS) for c in chunks[at:]):
        return clause
    return clause.but(chunks[:at])


def _polarity(words: list[str], line: str, named: bool, verbs: frozenset[str]) -> str | None:
    """Whether the words around a reference accept or decline it; None if they do neither."""
    said = set(words)
    loose = [
        w for w in words
        if w not in _FINE | _POOR | _NOT | _LATER | _APPROVE | _REJECT | _OBJECTION | _PLAIN | _SOFT
    ]  # fmt: skip
    negated = bool(said & _NOT)
    if len(loose) > (1 if negated and named and not any(w in verbs for w in loose) else 0):
        return None
    if said & {"PP", "DONE"} and not said & _FINE:
        return None
    if negated and said & _OBJECTION and not said & {"bad"}:
        return "accept"
    if negated or said & (_POOR | _LATER | _REJECT):
        return "decline"
    if said & {"PP", "DONE"}:
        return None
    if said & _FINE or (said & _APPROVE and _agrees(words, line)):
        return "accept"
    return None


def _agrees(words: list[str], line: str) -> bool:
    """Whether a verb of agreeing agrees: it has an object, or its subject is who is meant."""
    if line.endswith(" X") or " X " in f" {line} ":
        return not (words[0] in ("does", "did", "have", "has", "is", "are") and len(words) > 1)
    return False


def called(chunks: tuple[Chunk, ...]) -> bool:
    """Whether chunks are names of agents and nothing else."""
    return bool(chunks) and all(c.kind in ("A", "ALL") for c in chunks)
