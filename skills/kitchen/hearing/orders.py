"""Orders from mood and verb: requests, stops, resumes, omissions, prohibitions."""

from __future__ import annotations

import re
from dataclasses import replace

from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.additions import seasoning_requests, topping_requests
from treec.skills.kitchen.hearing.allocation import Allocation
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.common import COMMON
from treec.skills.kitchen.hearing.moods import Opening, openings
from treec.skills.kitchen.hearing.order_base import ORDERS
from treec.skills.kitchen.hearing.tasks import TaskMatch
from treec.skills.kitchen.hearing.words import word_set

_ON_IT = re.compile(
    r"I (?:am|will be) (?:on|onto|on to|down_for|W on|W onto) O |leave O (?:to|with|for) I |"
    r"O is on I |I have got O "
)
_HELD = ("hang on", "hold on", "wait", "hold your", "hold the", "hang fire", "hold fire", "go slow")
_LIGHT = word_set("give giving gave have do need get")
_UNDERSTATED = re.compile(
    r"(?<=\w )would (?:not )?(?:be (?:nice|good|great|lovely|perfect|helpful|handy|W)|go amiss|"
    r"be (?:bad|wrong|amiss|out of place)(?: either| ORD)?|(?:be )?DET W(?: W)?|"
    r"hurt|harm|help|do|come in handy|go down W|do no harm|(?:W )+W) $"
)
_MAY_ASK = word_set("might can could will would mind why how what is are do")


class OrderReader(Allocation):
    """Reads clauses by their verbs."""

    def read(self, clause: Clause, before: tuple[str, ...] = ()) -> list[HeardAct]:
        """The acts that the mood and the verb of a clause make; empty if none."""
        asks = clause.asks
        enough = any(c.ref == "enough" for c in clause.core) and not asks
        if enough and all(c.kind in ("O", "IT", "is", "A") for c in clause.core):
            doers = self._doers(self._refs.read(clause.core))
            halts = [act("stop", clause, agent=agent) for agent in doers]
            return (
                halts
                or self._refuse(clause, self._refs.read(clause.core))
                or [act("remark", clause)]
            )
        if _ON_IT.fullmatch(clause.line):
            ref = self._refs.read(clause.core)
            mine = Opening("offer", "base", None, clause.core[-1:], False)
            if ref.things and not asks:
                return self._by_thing(clause, mine, ref, (self._context.user,)) or []
        if not asks and (allocation := self._allocation(clause)):
            return allocation
        noun = [c for c in _understatement_core(clause) if c.kind != "ADJ"]
        polite = clause.addressees or clause.has("PLEASE") or is_understatement(clause)
        if not asks and polite and [c.kind for c in noun] == ["DET", "V"]:
            noun_opening = Opening("order", "base", None, (noun[1],), False)  # "a stir, please"
            if acts := self._event(clause, noun_opening, before):
                return acts
        if clause.core and (lacking := seasoning_requests(clause, self._refs)):
            return lacking
        for opening in openings(clause):
            if asks and not _is_request(opening, clause):
                continue
            acts = self._event(clause, opening, before)
            if acts is not None:
                return acts
        keys = [c.key for c in clause.core]
        is_begging = asks and keys[0] == "could" and "be" in keys
        is_begging |= (
            asks and keys[0] in ("can", "could") and keys[1:2] == ["we"] and "not" not in keys
        )
        return self._passive(clause) if not asks or is_begging else []

    def _event(
        self, clause: Clause, opening: Opening, before: tuple[str, ...]
    ) -> list[HeardAct] | None:
        head = opening.rest[0]
        mood, form = opening.mood, opening.form
        if head.key in _LIGHT and (plain := _resolve_light_verb(opening)) is not None:
            opening, head, form = plain, plain.rest[0], "base"
        if self._moves(clause, opening):
            return self.resume(clause, self._who(opening, clause))
        if not head.verb and not head.classes:
            return None
        has_gerund = len(opening.rest) > 1 and any(f == "ing" for _, f in opening.rest[1].verb)
        if (
            head.of("DO", form)
            and has_gerund
            and len(head.key.split()) > 1
            and opening.who is not None
        ):
            opening = replace(opening, rest=opening.rest[1:], form="ing")  # "have a go at whisking"
            head, form = opening.rest[0], "ing"
        stays = mood == "ban" and head.key == "move" and len(opening.rest) == 1
        if stays and self._robots_at_work:
            return self._stop(clause, opening)  # "R2 mustn't move"
        acts_of_release = self._release(clause, opening)
        if acts_of_release is not None:
            return acts_of_release
        if head.of("STOP", form) and mood in ORDERS and (found := self._stop(clause, opening)):
            return found
        if head.of("GO", form) and mood in ORDERS and (found := self._go(clause, opening)):
            return found
        is_hold = head.of("HOLDOFF", form) and head.key.startswith(_HELD)
        if (
            (head.of("WAIT", form) or is_hold)
            and mood in ORDERS
            and not (form == "ing" and head is clause.core[0])  # "washed and waiting"
            and (found := self._wait(clause, opening))
        ):
            return found
        acts_of_drop = self._drop(clause, opening, before)
        if acts_of_drop is not None:
            return acts_of_drop
        founds = self._kitchen.find(opening.rest, form, before)
        if not founds or _reluctant(founds, head):
            deputy = self._do(clause, opening, before)
            if deputy is not None:
                return deputy
        if founds:
            return self._task(clause, opening, founds, before)
        who = self._who(opening, clause)
        ref = self._refs.read(opening.rest[1:])
        at_it = self._doers(ref, (("running",), ("interrupted",)))
        at_it = at_it if ref.things or ref.tasks else tuple(a for a in self._stopped if a)
        others = mood in ORDERS and who != (None,) and not set(who) & set(at_it)
        if head.of("FINISH", form) and (mood == "offer" or others):  # "R1 can finish the onions"
            do = replace(head, classes=frozenset({("DO", form)}))
            return self._do(clause, replace(opening, rest=(do, *opening.rest[1:])), before)
        ready = self._context.proposals and not self._working and len(opening.rest) == 1
        if head.of("FINISH", form) and mood in ORDERS and (self._stopped or ready):
            return self._go(clause, opening)
        return None

    def verbless(self, clause: Clause, before: tuple[str, ...]) -> list[HeardAct]:
        """ "Onions into the pot", "a little more pepper in there", "in with the cream"."""
        core = [
            c
            for c in _understatement_core(clause)
            if c.kind
            not in ("I", "WE", "DET", "ADJ", "let's", "have", "can", "could", "will", "would")
        ]
        if len(core) > 2 and core[-2].kind in ("in", "on") and core[-1].ref in ("mine", "yours"):
            core = [*core[:-2], replace(core[-2], kind="in", key="in")]  # "pepper in mine"
        while core and (core[0].of("NEED") or core[0].of("WANT")):
            core = core[1:]
        if (
            len(core) > 2
            and core[0].kind == "O"
            and core[1].kind in ("may", "must", "should", "to", "can")
        ):
            core = [core[0], *core[2:]]
        if (
            len(core) > 2
            and core[0].kind == "O"
            and core[1].key in ("go", "come", "be", "belongs", "goes")
        ):
            core = [core[0], *core[2:]]
        put_in = False
        if len(core) == 3 and core[0].kind == "in" and core[1].key in ("goes", "go"):
            core = [core[2], core[0]]  # "in goes the cheese"
        if len(core) > 2 and core[1].key in ("goes on", "go on"):
            core[1] = Chunk("on", "on", core[1].start, core[1].end)  # "cheese goes on the bread"
        if onto := topping_requests(clause, core, self._refs):
            return onto
        if core and core[0].kind == "in" and len(core) > 2 and core[1].kind == "with":
            core = [core[2], core[0]]
        if len(core) > 1 and core[0].kind == "O" and core[1].key in ("go back to", "go back"):
            back = replace(core[1], kind="W", key="back", verb=(), classes=frozenset())
            core = [core[0], back, replace(back, kind="to", key="to"), *core[2:]]
        goes = len(core) == 3 and core[2].key in ("goes", "go")
        if goes and [c.kind for c in core[:2]] in (["in", "IT"], ["in", "O"]):
            core, put_in = [core[1], core[0]], True  # "in it goes"
        cut = next((i for i, c in enumerate(core) if c.kind == "with"), 0)
        if cut and core[0].key in ("into", "in", "away", "back") and len(core) == cut + 2:
            core = [core[-1], *core[:cut]]  # "into the bowl with the lettuce"
        odd = core[0] if core else None
        if (
            odd is not None
            and odd.kind == "W"
            and odd.key not in COMMON
            and [c.kind for c in core[1:3]] in (["IT", "in"], ["O", "in"], ["O", "into"])
            and len(core) < 6
            and self._context.proposals
        ):
            core = core[1:]  # "yeet it in": an unknown verb of throwing
            cut = 1
            pours = [m for m in self._refs.proposed.values() if m is not None and m.task == "pour"]
            before = tuple(v for m in pours for k, v in m.args if k == "item")[:1]
        if (
            clause.asks
            or len(core) < 2
            or core[0].kind not in ("O", "IT")
            or (core[0].kind == "IT" and not cut and not (put_in and before))
            or core[1].kind not in ("in", "into", "away", "back", "W", "inside")
        ):
            return []
        if core[1].kind == "W" and core[1].key not in ("away", "back"):
            return []
        if any(
            c.kind
            not in (
                "O",
                "in",
                "into",
                "IT",
                "there",
                "W",
                "on",
                "to",
                "A",
                "inside",
                "R",
                "THEY",
                "where",
            )
            for c in core
        ):
            return []
        put = Chunk("V", "put", core[0].start, core[0].start, verb=((("put",), "base"),))
        agent = (clause.addressees or (None,))[0]
        acts = []
        for found in self._kitchen.find((put, *core), "base", before):
            if found.loose or found.vague or found.either or not found.args:
                return []
            asked = act(
                "request",
                clause,
                agent=found.addressee or agent,
                task=found.task,
                args=dict(found.args),
                first=clause.has("FIRST"),
            )
            asked.found = found
            acts.append(asked)
        return acts

    def _passive(self, clause: Clause) -> list[HeardAct]:
        """ "The lettuce should be chopped", "the bowl needs a stir", "I want it chopped"."""
        core = clause.core
        is_causative = core[0].key in ("see to", "see", "make", "ensure") and len(core) > 4
        if is_causative:  # "see to it that the cream is brought"
            core = tuple(c for c in core[1:] if c.kind not in ("IT", "W"))
        things = [c for c in core if c.kind in ("O", "IT", "R")]
        verbs = [c for c in core if c.kind in ("V", "ADJ") and c.verb]
        if not things or not verbs or len(core) > 12:
            return []
        if any(c.of("STOP") and not c.verb for c in core):
            return []  # "it should stop pouring"
        keys = [c.key for c in core]
        if (
            "have" in {c.key for c in core}
            and core[0].kind not in ("have", "do")
            and not {
                "will",
                "should",
                "can",
                "could",
                "let's",
                "must",
                "want",
                "would like",
                "would",
            }
            & {c.key for c in core}
        ):
            return []
        if verbs[-1].key in ("got", "get", "had", "put", "taken", "set", "left", "given", "made"):
            return []
        wants = {
            "could do with",
            "could use",
            "needs",
            "need",
            "should",
            "must",
            "to",
            "wants",
            "deserves",
            "could",
            "give",
            "giving",
            "requires",
            "want",
            "would like",
            "like",
            "get",
            "have",
            "can",
            "may",
            "ought",
            "use",
        }
        if (
            not (set(keys) & wants or is_causative)
            or {"not", "never", "no"} & set(keys)
            or any(
                c.kind in ("W", "DONE") and core[i - 1].kind not in ("into", "in")
                for i, c in enumerate(core)
            )
        ):
            return []
        verb = verbs[-1]
        agent = (
            next((c.agents[0] for c in core if c.kind == "A"), None)
            or (clause.addressees or (None,))[0]
        )
        if any(c.key == "by me" for c in clause.chunks):
            agent = self._context.user  # "the eggs should be cracked by me"
        for thing in things:
            if core.index(thing) > core.index(verb):
                continue  # "I like to stir the pot": nothing is done to what stands behind
            for form in ("past", "ing", "base"):
                founds = self._kitchen.find((verb, thing, *core[core.index(verb) + 1 :]), form)
                founds = tuple(f for f in founds if f.loose <= 1 and not f.either)
                if any(f.vague and len(self._slots(f.task)) > 1 for f in founds):
                    continue
                if founds:
                    acts = []
                    for found in founds:
                        asked = act(
                            "request",
                            clause,
                            agent=agent,
                            task=found.task,
                            args=dict(found.args),
                            first=clause.has("FIRST"),
                        )
                        asked.found = found
                        acts.append(asked)
                    return acts
        return []


def is_understatement(clause: Clause) -> bool:
    """ "Some salt would be nice": a request phrased as an understatement."""
    return _UNDERSTATED.search(clause.line) is not None


def _understatement_core(clause: Clause) -> tuple[Chunk, ...]:
    match = _UNDERSTATED.search(clause.line)
    return clause.core[: clause.line[: match.start()].count(" ")] if match else clause.core


def _resolve_light_verb(opening: Opening) -> Opening | None:
    """ "Give it a stir" as "stir it", "do a chop of the onions" as "chop the onions"."""
    rest = [c for c in opening.rest[1:] if c.kind not in ("DET", "ADJ", "of", "after")]
    verbs = [c for c in rest if any(form == "base" for _, form in c.verb)]
    rest = [replace(c, kind="IT") if c.key in ("her", "him") else c for c in rest]
    things = [c for c in rest if c.kind in ("O", "IT", "R") or c.key in ("soup", "salad")]
    if len(verbs) != 1 or len(things) != 1 or len(rest) != 2:
        return None
    is_double_object = rest[0] is things[0]
    noun = any(c.kind == "DET" for c in opening.rest)
    if not noun or (opening.rest[0].key not in ("give", "giving", "gave") and is_double_object):
        return None
    return replace(opening, rest=(verbs[0], things[0]), form="base")


def _is_request(opening: Opening, clause: Clause) -> bool:
    """Whether a question with this opening is a request."""
    first = clause.core[0].key
    if clause.core[0].kind == "A" and opening.who is clause.core[0] and opening.mood in ORDERS:
        is_offer = clause.core[1].kind in ("can", "could", "will", "would") and any(
            c.kind == "I" for c in opening.rest
        )
        polite = clause.has("PLEASE") or {"perhaps", "maybe"} & set(clause.words.split())
        return bool(polite) or is_offer  # "R2 can bring me the towel?"
    if opening.mood == "offer" and first in ("why", "how", "what"):
        return clause.core[1].key in ("about", "if") or clause.core[2].kind == "not"
    if first == "does" and "mind" in clause.words.split():
        return opening.mood in ORDERS  # "does anybody mind getting plates?"
    if first not in _MAY_ASK or opening.mood not in ORDERS:
        return False
    if opening.who is not None and opening.who.kind == "I":
        return False
    if "even" in clause.words.split():
        return False  # "can R1 even stir?"
    if first in ("what", "how"):
        return clause.core[1].key in ("about", "if") if len(clause.core) > 1 else False
    if first == "why":
        return any(c.kind == "not" for c in clause.core[:4])
    return True


def _reluctant(founds: tuple[TaskMatch, ...], head: Chunk) -> bool:
    """Whether a verb that may be a pro-verb ("take", "do", "get") is tried as one first."""
    return head.key in ("take", "have", "do", "start", "cover", "run", "manage", "work") or (
        founds[0].vague and head.of("DO")
    )
