"""Reports that something is done, and which subtasks they speak of."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine import TalkContext, TalkSubtask
from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_tasks import DETERMINER
from skills.kitchen.talk_words import forms, gerunds, name_words, pasts, word_set

_OPEN = frozenset({"waiting", "ready", "queued", "running", "interrupted"})
_SOFT = (
    r"(?:(?:now|already|just|ok|well|also|finally|yes|hey|so|and|right|thoroughly|completely|all|"
    r"properly|myself|nicely|really|oh|there|no|please note|fyi|great|"
    r"that 's|that is|here 's|here is|i (?:do )?(?:think|believe|reckon|see)|looks like|"
    r"seems like|it looks like) )*+"
)
_END = (
    r"(?: (?:now|already|too|as well|for you|for us|by the way|here|thanks|myself|earlier|before|"
    r"i think|i believe|so|thank you|this morning|yesterday|today|a while ago|just now|all|"
    r"everyone|robots|@a\d+|for now|since (?:one|an|two|\d+) (?:hours?|minutes?)|at last|"
    r"finally))*+"
)
_HAVE = r"(?:i (?:have|'ve)|we (?:have|'ve)|i|we)"
_BARE = re.compile(
    rf"{_SOFT}(?:(?:i (?:am|'m)|we (?:are|'re)|it (?:is|'s)|that (?:is|'s)|this is|all) {_SOFT})?"
    rf"(?:done|finished)(?: with (?:it|that|this|my (?:task|part|job|work)))?{_END}"
    rf"|{_SOFT}{_HAVE} {_SOFT}(?:done|did|finished|completed)"
    rf"(?: (?:it|that|this|my (?:task|part|job|work)))?{_END}"
)
_FINISHED = re.compile(
    rf"{_SOFT}(?:{_HAVE} {_SOFT}(?:finished|done|completed|did)|"
    rf"(?:(?:i (?:am|'m)|we (?:are|'re)) {_SOFT})?(?:done|finished)) {_SOFT}(?:with )?(?P<what>.+)"
)
_IS_DONE = re.compile(
    rf"{_SOFT}(?P<what>.+?) (?:(?:is|are|'s|has been|have been|were|got|"
    rf"came(?: ready)?) )?{_SOFT}(?:all )?"
    rf"(?P<how>\S+){_END}"
)
_IN_IT = re.compile(
    rf"{_SOFT}(?P<what>@o\d+|.+?) (?:is|are|'s|went|has gone|have gone) {_SOFT}(?:in|into|"
    rf"inside)(?: {DETERMINER}(?:@o\d+|it|there))?{_END}"
)
_TOOK = re.compile(
    rf"{_SOFT}(?:i took (?:the liberty|care) of |i got round to |i managed to |i went ahead and )"
    rf"(?P<verb>\S+) (?P<what>.+?){_END}"
)
_I_HAVE = re.compile(
    rf"(?P<what>{DETERMINER}@o\d+) (?:i|we) (?:have|got|have got) (?:already|here)"
)
_MY_PART = re.compile(
    rf"{_SOFT}(?:i|we) {_SOFT}(?P<verb>\S+) (?:it|them|that|those)(?: all)?{_END}"
)
_IT_IS = re.compile(rf"{_SOFT}(?:it|that|they) (?:'s|is|are) {_SOFT}(?P<verb>\S+){_END}")
_IS_HERE = re.compile(
    rf"{_SOFT}(?P<what>.+?) (?:is|are|'s) (?:(?:already |now |right )*"
    rf"(?:here|on (?:the|my|our) \S+|in my hands?|with me)|already there|here already){_END}"
)
_HAVE_IT = re.compile(
    rf"{_SOFT}(?P<who>{_HAVE}) (?P<soft>{_SOFT})(?P<got>got )?(?P<what>.+?)(?P<end>{_END})"
)
_VERBED = re.compile(
    rf"{_SOFT}(?:(?:{_HAVE}|(?P<agent>@a\d+)(?: has|"
    rf" 's)?) )?{_SOFT}(?P<verb>\S+) (?P<what>.+?){_END}"
)
_THING = re.compile(rf"{DETERMINER}(?P<words>.+?){_END}")
_FETCHING = frozenset({"get", "fetch", "bring", "grab", "take", "hand", "pass"})
_COMMON_VERBS = word_set(
    "chop cut slice dice wash peel prepare mix stir pour get fetch bring put boil cook fry "
    "bake heat clean rinse grate crack whisk toss season add spread stack drain mash set "
)
_COMPLETE = word_set("done finished ready complete completed sorted finito check ticked settled")
_PREPARING = frozenset({"prepare", "wash", "clean"})
_PREPARED = word_set("clean washed peeled chopped cut sliced prepped prepared ready diced")


class Done:
    """Finds the subtasks that a report of something done speaks of."""

    def __init__(self, context: TalkContext, kin: Mapping[str, set[str]]) -> None:
        self._user = context.user
        self._open = [s for s in context.subtasks if s.status in _OPEN]
        self._done = [s for s in context.subtasks if s.status == "done"]
        self._kin = kin
        verbs = _COMMON_VERBS | set(kin)
        self._bases = {form: verb for verb in sorted(verbs) for form in (*pasts(verb), verb)}
        self._pasts = {form: verb for verb in sorted(verbs) for form in pasts(verb)}
        self._gerunds = {form: verb for verb in sorted(verbs) for form in gerunds(verb)}
        self._names = {
            thing.name: tuple(name_words(name) for name in (thing.name, *thing.also))
            for thing in context.objects
        }

    def report(self, clause: Clause, *, told: bool = False) -> tuple[str, ...] | None:
        """The subtasks that a clause says are done; None when it says no such thing.

        `told`: a report goes before in its sentence, so that "put" is a past.
        """
        line = clause.line
        if clause.asks or clause.too_long or not self._open:
            return None
        if _BARE.fullmatch(line):
            return self._own()
        if (match := _MY_PART.fullmatch(line)) is not None and match["verb"] in self._pasts:
            return self._of_it(self._pasts[match["verb"]])
        if (match := _IT_IS.fullmatch(line)) is not None and match["verb"] in self._pasts:
            return self._of_it(self._pasts[match["verb"]])
        if (match := _TOOK.fullmatch(line)) is not None:
            verb = self._gerunds.get(match["verb"]) or self._bases.get(match["verb"])
            if verb is not None:
                wanted = _FETCHING if verb in _FETCHING else frozenset({verb})
                return self._about(clause, match["what"], wanted)
        if (match := _I_HAVE.fullmatch(line)) is not None:
            return self._about(clause, match["what"], _FETCHING)
        if (match := _IN_IT.fullmatch(line)) is not None:
            return self._about(clause, match["what"], frozenset({"put", "pour", "add"}))
        if (match := _IS_HERE.fullmatch(line)) is not None:
            return self._about(clause, match["what"], _FETCHING)
        if (match := _IS_DONE.fullmatch(line)) is not None:
            how = match["how"]
            if how in _COMPLETE:
                found = self._about(clause, match["what"], None)
            elif (verb := self._pasts.get(how)) is not None:
                found = self._about(clause, match["what"], frozenset({verb}))
            elif how in _PREPARED:
                found = self._about(clause, match["what"], _PREPARING)
            else:
                found = None
            if found is not None:
                return found
        if (match := _FINISHED.fullmatch(line)) is not None:
            return self._finished(clause, match["what"])
        if (match := _HAVE_IT.fullmatch(line)) is not None:
            sure = match["got"] or "already" in (match["soft"] + match["end"]).split()
            having = "have" in match["who"] or "'ve" in match["who"]
            got = match["got"] or (having and sure)
            if got and (ids := self._about(clause, match["what"], _FETCHING)):
                return ids
        if (match := _VERBED.fullmatch(line)) is not None:
            verb = self._bases.get(match["verb"])
            plain = not told and line.startswith(
                match["verb"]
            )  # "put the salt away" orders, "I put" tells
            past = verb is not None and match["verb"] in pasts(verb)
            past = past and not (plain and match["verb"] == verb)
            if verb is not None and past:
                wanted = _FETCHING if verb in _FETCHING else frozenset({verb})
                agent = clause.mention(match["agent"]).agent if match["agent"] else None
                return self._about(clause, match["what"], wanted, agent)
        return None

    def _finished(self, clause: Clause, what: str) -> tuple[str, ...] | None:
        first, _, rest = what.partition(" ")
        verb = self._gerunds.get(first)
        if verb is None:
            return self._about(clause, what, None)
        if rest:
            return self._about(clause, rest, frozenset({verb}))
        alike = self._kin.get(verb, {verb})
        return self._only([s for s in self._open if alike & set(name_words(s.words))])

    def _own(self) -> tuple[str, ...] | None:
        mine = [s for s in self._open if s.agent == self._user]
        for status in ("running", "queued"):
            if found := [s for s in mine if s.status == status]:
                return (found[0].id,) if len(found) == 1 else None
        return None

    def _of_it(self, verb: str) -> tuple[str, ...] | None:
        """ "I washed it": what is in hand, if it is said so."""
        alike = self._kin.get(verb, {verb})
        found = [s for s in self._open if alike & set(name_words(s.words)[:1])]
        return self._only([s for s in found if s.status in ("running", "ready")])

    def _about(
        self, clause: Clause, what: str, verbs: frozenset[str] | None, agent: str | None = None
    ) -> tuple[str, ...] | None:
        """The subtask about a thing, done by one of `verbs` if they are given."""
        match = _THING.fullmatch(what)
        if match is None:
            return None
        keys = match["words"].split()
        found = [s for s in self._open if self._speaks_of(s, clause, keys)]
        said_again = any(self._speaks_of(s, clause, keys) for s in self._done)
        if verbs is None and said_again and not any(s.agent for s in found):
            return None  # "done with the onions" once they are chopped, and nobody has the next
        if agent is not None:
            found = [s for s in found if s.agent == agent]
        if verbs is not None:
            alike = verbs.union(*(self._kin.get(verb, ()) for verb in verbs))
            same = [s for s in found if alike & set(name_words(s.words))]
            # Somebody says "chopped" of what the recipe calls "prepare": only of their own work.
            own = [s for s in found if s.agent == self._user and not verbs & _FETCHING]
            found = same or own
        return self._only(found)

    def _speaks_of(self, subtask: TalkSubtask, clause: Clause, keys: list[str]) -> bool:
        words = frozenset(form for word in name_words(subtask.words) for form in forms(word))
        for key in keys:
            if key.startswith("@"):
                names = [n for thing in clause.mention(key).objects for n in self._names[thing]]
                if not any(name and all(word in words for word in name) for name in names):
                    return False
            elif key not in words and key not in ("the", "a", "in", "into", "to", "on"):
                return False
        return True

    def _only(self, found: list[TalkSubtask]) -> tuple[str, ...] | None:
        """The likeliest if it is one: the user's own first, then who runs, then what is ready."""
        ranks = [
            [s for s in found if s.agent == self._user and s.status == "running"],
            [s for s in found if s.agent == self._user],
            [s for s in found if s.status in ("running", "interrupted")],
            [s for s in found if s.status in ("ready", "queued")],
            found,
        ]
        for rank in ranks:
            if rank:
                return (rank[0].id,) if len(rank) == 1 else None
        return None
