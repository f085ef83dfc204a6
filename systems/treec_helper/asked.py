"""What a request asks for by its words, as goal conditions: things, numbers, states, places.

Rules that judge what was done, whoever wrote the program; they write none. What they do not
understand is no condition. A clause counts only if it begins with an order ("put", "make"), or says
what a routine has; where people say things are is no goal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from treec.frozen import frozen
from treec_helper.goals import GoalFact, GoalThing, RequestGoal
from treec_helper.mentions import ThingMention, another_one, any_of, is_taught, mentions, words
from treec_helper.phrasing import is_bare, plain_orders

MOST = 20
"""The most things of a class that are counted."""
PieceClasses = Mapping[str, str]
"""The class of the pieces of each class that can be cut."""

_SPEAKER = re.compile(r"<Driver>[^<]*|<\w+>")
_ENDS = re.compile(r"[.;!?:](?:\s|$)|\n|\bfor example\b")
_HAS = re.compile(
    r"^(?:the |this )?(?:\w+ )?\w+ (?:also )?"
    r"(?:has|have|consists of|contains|includes|is made of)\b"
)
_IT_HAS = re.compile(r", (?:it|which|that)(?= (?:has|contains|includes|consists of)\b)")
_ALL_OF_IT = re.compile(r"\b(?:all components|everything|all of it|them all|them|it|both)\b")
_TAKES_BACK = re.compile(
    r"(?:(?:no|oh|please|sorry|actually|wait|never mind|could you|can you) )*"
    r"(?:(?:undo|revert|reverse|take back|put back)(?: {what})?|return {what}|"
    r"(?:take|put|bring|move) {what} back)"
    r"(?: (?:to )?where (?:it|they|that) (?:was|were|came from|belongs?)(?: before)?|"
    r" (?:in|on|to) (?:its|their|the) (?:(?:old|former|original|own) )?places?)?"
    r"(?: (?:again|please|now|thanks|thank you))*".replace(
        "{what}",
        r"(?:that|it|this|(?P<whole{n}>them(?: all)?|(?:it|that) all|everything|"
        r"all of (?:it|that|them)|both(?: of them)?)|what you (?:did|have done)|"
        r"the last (?:one|thing|step|change|correction)|(?:the|those|my) (?P<named{n}>"
        r"{noun}(?: {noun})*?))".replace(
            "{noun}", r"(?!(?:to|in|into|on|onto|at|from|out|off|with|back)\b)[a-z]+"
        ),
    )
    .replace("{n}", "1", 2)
    .replace("{n}", "2", 2)
    .replace("{n}", "3", 2)
)
_VESSELS = ("Mug", "Cup", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle", "WateringCan")
_DISHES = (*_VESSELS, "Plate", "Pan")
"""What a drink is not put on with the food beside which it is named."""
_STATES = {
    "clean": ("dirty", False),
    "cooked": ("cooked", True),
    "toasted": ("cooked", True),
    "boiled": ("boiled", True),
}
_OF_VERB: Mapping[str, tuple[str, object]] = {
    "clean": ("dirty", False),
    "slice": ("sliced", True),
    "toast": ("cooked", True),
    "cook": ("cooked", True),
    "boil": ("boiled", True),
    "water": ("filled", "water"),
    "fill": ("filled", "water"),
    "empty": ("filled", False),
    "open": ("opened", True),
    "close": ("opened", False),
    "turn_on": ("running", True),
    "light": ("running", True),
    "turn_off": ("running", False),
}
_THINGS_TOO = ("toast", "water", "light", "bin", "trash")
"""Orders that are things as well: "coffee and toast"."""
_OF_ALL = (
    "clean",
    "open",
    "close",
    "turn_off",
    "turn_on",
    "water",
    "put",
    "throw",
    "slice",
    "take",
    "fetch",
    "cook",
    "boil",
)
"""Orders after which "the plants" are all of them."""
_TAKES_PLACE = ("put", "make", "fetch", "take")
"""Orders after which "on the table" says where things go."""
_FROM_PLACE = ("throw", "hold", "slice")
"""Orders after which "on the table" says which thing is meant."""
_ORIGIN = re.compile(r"\b(?:(?:that|which)(?: is|'s| are)|from|off|out of)\b")
_ANYTHING = re.compile(
    r"(?:everything|anything|all (?:of )?(?:the )?(?:things|stuff|objects|items)) "
    r"(?:(?:that|which) (?:is|are) )?(?:that's )?(?:off|from|on|in|out of|inside)\b"
)
_THE_SAME = re.compile(r"\b(?:the|that|this|same)\b")
_AFTERWARDS = re.compile(
    r"(?:, | (?:that|which)(?: is|'s| are) )(?P<state>clean|cooked|toasted|boiled)\b"
)
_IN = re.compile(r"\b(?:in|on|inside)(?: top of)?\s*$")
_TOO = re.compile(r"\b(?:too|as well|also)\b")
_DETERMINED = re.compile(r"\b(?:the|a|an|my|\d+|two|three|four)\b")
_LEFT = re.compile(
    r"^(?P<what>.+?) (?:(?:where|as) (?:it|they) (?:is|are)|alone|whole|untouched)\b"
)


@dataclass
class RequestedThing:
    """One thing of a request: how many, what shall hold of it, and where it goes."""

    kinds: tuple[str, ...]
    count: int = 1
    every: bool = False
    new: bool = False
    facts: dict[str, object] = field(default_factory=dict)
    place: RequestedThing | None = None
    away: bool = False
    was: dict[str, object] = field(default_factory=dict)


@frozen(slots=False)
class HouseholdWords:
    """The classes of a household, and the pieces of those that can be cut."""

    kinds: Collection[str]
    pieces: PieceClasses


def asked(request: str, vocabulary: HouseholdWords) -> RequestGoal:
    """The goal conditions that the words of a request state; corrections change them.

    A correction stands on a line after the robot's question, as the robot writes dialogues.
    """
    first, *later = turns(standing(request)) or [""]
    if first.count("<Commander>") > 1:
        first = ""  # a conversation: what it names is mostly where things are
    plain = plain_orders(_SPEAKER.sub(" ", first), vocabulary.kinds)
    described = _OrderReader(vocabulary, []).read(what_a_routine_has(plain))
    items = described or _OrderReader(vocabulary, []).read(plain)
    firsts = {id(item): item.count for item in items}
    for said in later:
        if named := what_is_taken_back(said):
            kinds = {one.kind for one in mentions(named, vocabulary.kinds)}
            items = [item for item in items if kinds.isdisjoint(item.kinds)]
        else:
            _correct(items, said, vocabulary, firsts)
        items += _OrderReader(vocabulary, items).read(said)
    return _goal(items)


def turns(request: str) -> list[str]:
    """A request as it was first said, and what was said in each correction."""
    first, *later = request.split("\n<Driver>")
    return [first, *(turn.partition("<Commander>")[2] for turn in later)]


def corrected_by(request: str, said: str) -> str:
    """A request with one more correction."""
    return f"{request}\n<Driver> ?\n<Commander> {said}"


def standing(request: str) -> str:
    """A request without what was taken back; empty if all was."""
    left: list[str] = []
    for turn, said in zip(request.split("\n<Driver>"), turns(request), strict=True):
        if not is_taken_back(said) or what_is_taken_back(said):
            left.append(turn)  # of what is named, the rest still stands
        elif is_all_taken_back(said):
            left.clear()
        elif left:
            left.pop()
    return "\n<Driver>".join(left)


def is_taken_back(said: str) -> bool:
    """Whether words take back what was done last, and say nothing more: "undo that"."""
    return _taken_back(said) is not None


def is_all_taken_back(said: str) -> bool:
    """Whether words take back all that was done for a request: "put them back"."""
    match = _taken_back(said)
    return match is not None and any(match[f"whole{n}"] for n in (1, 2, 3))


def what_is_taken_back(said: str) -> str:
    """The words for the things that are put back, if they are named: "put the mug back"."""
    match = _taken_back(said)
    return next(filter(None, (match[f"named{n}"] for n in (1, 2, 3))), "") if match else ""


def _taken_back(said: str) -> re.Match[str] | None:
    return _TAKES_BACK.fullmatch(" ".join(re.findall(r"[a-z]+", said.lower())))


def what_a_routine_has(text: str) -> str:
    """What is listed after the name of a routine, which says again what was ordered before it."""
    start = re.compile(any_of(words()["taught"])).search(text.lower())
    return text[start.start() :] if start else ""


def orders_in(text: str) -> Iterator[tuple[str, str]]:
    """The orders of a text: what kind each is, and the words after it."""
    polite = any_of([*words()["polite"], *words()["before"]])
    start = re.compile(
        rf"(?:{polite}[ ,]+)*+(?P<never>(?:do not|don't|never) )?(?P<verb>{_verb_words()})\b ?"
    )
    rest = _IT_HAS.sub(". it", " ".join(text.lower().split()))
    before = ""  # whose things a colon begins to list: "make breakfast: a mug of coffee"
    for sentence in _ENDS.split(rest.replace(": ", ". :")):
        for clause in _clauses(sentence.strip(" ,")):
            listed = clause.startswith(":")
            clause = clause.removeprefix(":").strip()
            match = start.match(clause)
            if match is not None:
                before = _verbs()[match["verb"]]
                yield (_NEVER if match["never"] else "") + before, clause[match.end() :]
            elif listed:
                yield before, clause
            elif _HAS.match(clause):
                yield "make", clause[_HAS.match(clause).end() :]  # type: ignore[union-attr]
            elif clause:
                before = "make" if is_taught(clause) else before
                yield "", clause


_NEVER = "never "
"""What stands before an order for something that is not to be done."""


def _clauses(sentence: str) -> Iterator[str]:
    """A sentence's clauses: an "and" before an order begins one."""
    lead = "(?:(?:please|just|also|do not|don't|finally|last|lastly) )?"
    before = rf"(?:,? ?\b(?:and then|and|then|but)\b,?|,) (?={lead}{_verb_words()}\b)"
    yield from re.split(before, sentence)


@cache
def _verbs() -> Mapping[str, str]:
    return {word: kind for kind, of in words()["orders"].items() for word in of}


@cache
def _verb_words() -> str:
    things = [word for word in _verbs() if word in _THINGS_TOO]
    orders = any_of([word for word in _verbs() if word not in _THINGS_TOO])
    determined = any_of([*words()["numbers"], *words()["every"], "the", "my", "some", "it", "them"])
    return rf"(?:{orders}|{any_of(things)}(?= (?:\d|{determined}\b)))"


class _OrderReader:
    """Reads one turn; ``before`` are the things that were spoken of."""

    def __init__(self, vocabulary: HouseholdWords, before: Sequence[RequestedThing]) -> None:
        self._vocabulary = vocabulary
        self._last = list(before)

    def read(self, turn: str) -> list[RequestedThing]:
        found: list[RequestedThing] = []
        for verb, rest in orders_in(_separable(turn)):
            if (
                not verb
                and not self._last
                and is_bare(rest, mentions(rest, self._vocabulary.kinds))
            ):
                verb = "make"  # two coffees, please
            left = _LEFT.match(rest) if verb == "put" else None
            if verb.startswith(_NEVER) or left is not None:
                found += self._kept(verb.removeprefix(_NEVER), left["what"] if left else rest)
            elif verb not in ("", "other"):
                items = self._read(verb, rest)
                found += [one for one in items if one not in self._last]
                self._last = [*self._last, *items]
        return found

    def _kept(self, verb: str, rest: str) -> list[RequestedThing]:
        """What is to be left as it is."""
        named = mentions(rest, self._vocabulary.kinds)
        if verb in _TAKES_PLACE and any(_role(rest[: one.start]) == "into" for one in named[1:]):
            return []  # only there it is not to be
        if any(one.start == 0 or rest[: one.start].strip() in ("all", "any") for one in named[:1]):
            return [self._left_alone(verb, one) for one in named[:1] if one.kind]
        return []

    def _left_alone(self, verb: str, one: ThingMention) -> RequestedThing:
        fact = _OF_VERB[verb][0] if verb in _OF_VERB else "at"
        return RequestedThing((one.kind, *one.others), 1, every=True, facts={"kept": fact})

    def _anything(self, rest: str) -> list[RequestedThing]:
        """All that is somewhere: "everything off the table"."""
        source, *others = [
            self._item("", one, "") for one in mentions(rest, self._vocabulary.kinds)
        ]
        item = RequestedThing((), 1, every=True, was={"at": source.kinds[0]})
        if others:
            item.place = others[0]
        else:
            item.place, item.away = source, True
        return [item]

    def _read(self, verb: str, rest: str) -> list[RequestedThing]:
        items: list[RequestedThing] = []
        rest, which = _which(rest, self._vocabulary.kinds)
        found = mentions(rest, self._vocabulary.kinds)
        if verb == "toss":
            leads = (rest[a.end : b.start] for a, b in pairwise(found))
            if not any(_role(lead) == "into" for lead in leads):
                return []
            verb = "put"
        if _ANYTHING.match(rest) and verb in ("put", "take", "fetch") and found:
            is_there = verb != "put" or len(found) > 1  # else it is where all is to go
            return self._anything(rest) if is_there else []
        group: list[RequestedThing] = []
        end, left_out = 0, False
        for number, one in enumerate(found):
            lead, end = rest[end : one.start], one.end
            article = rest[one.start : one.end]
            was = which.get(one.end, {})
            role = _role(lead)
            if role == "by" and verb == "make" and self._is_part(lead, one):
                role = ""
            if role == "leave_out":
                left_out = True
            elif lead.strip(" ,") not in ("", "and", "or"):
                left_out = False
            if left_out:
                if verb in ("slice", "open", "close", "turn_on", "turn_off") and one.kind:
                    items.append(self._left_alone(verb, one))
                continue
            later = rest[one.end : found[number + 1].start] if number + 1 < len(found) else ""
            origin = (
                verb in _TAKES_PLACE and bool(group) and self._is_origin(role, verb, lead, later)
            )
            handed = verb == "fetch" and role == "into" and re.match(r"(?:me|us) ", rest)
            if handed and _IN.search(lead) and not (one.kind in _DISHES or group[-1:] == []):
                origin = not group[-1].new  # "pass me the pen on the desk"
            if origin or (role == "into" and verb in _FROM_PLACE):
                for item in group:
                    item.was["at"] = one.kind
                continue
            if role == "into" and verb in _TAKES_PLACE:
                if not group and items:
                    continue  # a second place: "on the table in the kitchen"
                if not group:
                    group = self._meant(lead, verb)
                    items += [item for item in group if item not in items]
                place = self._known(self._item("", one, article, was), lead + article, items)
                after = _AFTERWARDS.match(rest[one.end :])
                if after is not None:
                    place.facts.update([_STATES[after["state"]]])
                place.every = False  # "an egg in each bowl" is in one at least
                for item in group:
                    for passing in ("moved", "holding"):
                        item.facts.pop(passing, None)
                    if item.away and item.place is not None:
                        item.was["at"], item.away = item.place.kinds[0], False
                    if _is_drink(item) and one.kind in _VESSELS:  # coffee in a clean mug
                        item.kinds, item.facts = place.kinds, {**place.facts, **item.facts}
                        item.was.update(place.was)
                    elif len(group) == 1 or "filled" not in item.facts or one.kind not in _DISHES:
                        item.place = place
                group = []
            elif role == "from" and verb == "take":
                for item in group:
                    item.place, item.away = self._item("", one, article), True
            elif (
                role in ("from", "by")
                or (role == "into" and verb != "pour")
                or (verb == "pour" and role != "into")
            ):
                continue
            else:
                item = self._item(
                    "make" if verb == "pour" and one.liquid else verb, one, article, was
                )
                if lead.strip() == "or" and group:
                    group[-1].kinds = (*group[-1].kinds, *item.kinds)
                    continue
                after = _AFTERWARDS.match(rest[one.end :])
                if after is not None:
                    item.facts.update([_STATES[after["state"]]])
                if lead.strip() == "and" and not _DETERMINED.search(article) and group:
                    item.every = item.every or group[-1].every
                item = self._known(item, lead + article, items)
                if item not in items:
                    items.append(item)
                group.append(item)
        if not items and verb in _OF_VERB:
            fact, value = _OF_VERB[verb]
            for item in self._meant(rest, verb):
                item.facts[fact] = value
        if verb == "throw" and items:
            for item in items:
                item.place = RequestedThing(("GarbageCan",))
        return items

    def _is_origin(self, role: str, verb: str, lead: str, later: str) -> bool:
        """Whether a place is where a thing is, before the one where it is to go."""
        goes_on = re.match(r" (?:into|onto|to|in|on)\b", later) is not None
        if role == "from":
            return verb != "take" or goes_on
        return role == "into" and goes_on and _IN.search(lead) is not None

    def _known(
        self, item: RequestedThing, text: str, now: Sequence[RequestedThing]
    ) -> RequestedThing:
        """The thing that was spoken of before, if "the bowl" is that one, with what is said now."""
        if item.new or not _THE_SAME.search(text):
            return item
        spoken_of = [one for of in (*self._last, *now) for one in (of, of.place) if one is not None]
        for one in reversed(spoken_of):
            same = one.kinds == item.kinds and item.count in (1, one.count) and not one.new
            if (
                same
                and item.every == one.every
                and item.was in ({}, one.was)
                and "kept" not in one.facts
            ):
                one.facts.update(item.facts)
                return one
        return item

    def _is_part(self, lead: str, one: ThingMention) -> bool:
        """Whether a thing is made of another: "a salad with a slice of tomato"."""
        pieces = self._vocabulary.pieces
        is_food = one.kind in pieces or one.kind in pieces.values() or bool(one.liquid)
        return is_food and lead.rstrip().endswith("with")

    def _meant(self, text: str, verb: str) -> list[RequestedThing]:
        """What "it" or "them" is."""
        if not _ALL_OF_IT.search(text) or not self._last:
            return []
        if verb == "light":
            return self._last[-1:]
        if verb in ("open", "close", "turn_on", "turn_off"):
            last = self._last[-1]
            return [last.place or last]
        made = [item for item in self._last if item.place is None or item.away]
        return made if re.search(r"\b(?:all|them|everything|both)\b", text) else made[-1:]

    def _item(
        self, verb: str, one: ThingMention, text: str, was: Mapping[str, object] | None = None
    ) -> RequestedThing:
        item = self._plain_item(verb, one, text)
        item.was.update(was or {})
        return item

    def _plain_item(self, verb: str, one: ThingMention, text: str) -> RequestedThing:
        count = min(one.count or 1, MOST)
        facts: dict[str, object] = {}
        for state in one.states:
            fact, value = _STATES[state]
            facts[fact] = value
        kinds = (
            (one.kind, *one.others)
            if one.kind
            else tuple(kind for kind in _VESSELS if kind in self._vocabulary.kinds)
        )
        if one.liquid:
            facts["filled"] = one.liquid
        plural = one.plural and "the " in text and one.kind not in self._vocabulary.pieces.values()
        if one.kind == "SinkBasin":
            kinds = (*kinds, "Sink")
        every = one.every or (plural and verb in _OF_ALL)
        if verb == "toast" and one.kind == "Bread":
            kinds = ("BreadSliced",)
        if verb == "pour":
            return RequestedThing(kinds, count, every, facts={"filled": True})
        if verb == "empty" and not set(kinds).intersection(_VESSELS):
            return RequestedThing(kinds, count, every)
        if verb == "fetch" and one.kind not in self._vocabulary.pieces.values() and not one.liquid:
            facts["moved"] = True
        if verb == "hold":
            return RequestedThing(kinds, count, every, facts={"holding": "robot"})
        piece = self._vocabulary.pieces.get(one.kind)
        if verb in ("cook", "toast", "boil") and piece:
            kinds = (*kinds, piece)
        if verb in _OF_VERB:
            facts.update([_OF_VERB[verb]])
        made = one.kind in self._vocabulary.pieces.values() or bool(one.liquid)
        new = verb in ("make", "fetch", "toast", "cook") and made
        if verb == "slice":
            whole = {p: w for w, p in self._vocabulary.pieces.items()}.get(one.kind)
            kinds = (whole,) if whole else kinds
            count = 1
        return RequestedThing(kinds, count, every, new, facts)


def _which(rest: str, kinds: Collection[str]) -> tuple[str, dict[int, dict[str, object]]]:
    """A text without the adjectives that say which thing is meant, and what they say of the things.

    They are by the end of the words for a thing.
    """
    found: list[tuple[int, str, object]] = []
    pattern = re.compile(rf"\b({any_of([*words()['which'], *words()['looks']])}) (?=[a-z])")
    plain, end = "", 0
    for match in pattern.finditer(rest):
        plain += rest[end : match.start()]
        end = match.end()
        fact, value = words()["which"].get(match[1], ("word", match[1]))
        found.append((len(plain), fact, value))
    plain += rest[end:]
    which: dict[int, dict[str, object]] = {}
    for one in mentions(plain, kinds):
        own = {fact: value for at, fact, value in found if one.start <= at < one.end}
        if own:
            which[one.end] = own
    return plain, which


def _is_drink(item: RequestedThing) -> bool:
    return "filled" in item.facts and len(item.kinds) > 1


def _is_drink_in(item: RequestedThing) -> bool:
    """Whether a thing is asked for because of what is in it: a mug of coffee."""
    return "filled" in item.facts and item.new


def _separable(text: str) -> str:
    """ "Turn the stove off" and "turn it on" as "turn off the stove", "turn on it"."""
    text = re.sub(
        r"\b(turn|switch) ((?:it|them|the (?:\w+ ){0,2}\w+)) (on|off)\b", r"\1 \3 \2", text.lower()
    )
    text = re.sub(
        r"\b(throw|pick) ((?:the |that |my )?(?:\w+ )?\w+) (away|out|up)\b", r"\1 \3 \2", text
    )
    return re.sub(r"\bleave (.+?) open\b", r"open \1", text)


def _role(lead: str) -> str:
    """What the words before a thing make of it: the last of them counts."""
    best, place = "", (-1, 0)
    for role in ("into", "from", "by", "leave_out"):
        for phrase in words()[role]:
            for match in re.finditer(rf"\b{re.escape(phrase)}\b", lead):
                here = (match.end(), len(phrase))  # "next to" is no "to"
                if here > place or (here[0] == place[0] and role == "leave_out"):
                    best, place = role, here
    if best == "into" and re.search(rf"\b{any_of(words()['leave_out'])}\b", lead):
        return "leave_out"
    return best


def is_repeated(turn: str) -> bool:
    """Whether all of a request is asked for once more: "again"."""
    return re.search(rf"\b{any_of(words()['again'])}\b", turn.lower()) is not None


def _correct(
    items: list[RequestedThing],
    turn: str,
    vocabulary: HouseholdWords,
    firsts: Mapping[int, int],
) -> None:
    """Change what a request asks for by what is said of it afterwards.

    ``firsts`` are the counts of what was asked for at first.
    """
    if another_one(turn, vocabulary.kinds) is not None:
        return  # another thing of the same kind
    turn = " ".join(plainly(turn).lower().split()).rstrip(".!")
    text = re.sub(r"^(?:no|sorry|actually|wait),? (?=in|on)", "", turn)
    counted = [item for item in items if not item.every and (item.new or item.count > 1)]
    placed = [item for item in items if item.place is not None]
    said = mentions(text, vocabulary.kinds)
    named = {kind for one in said for kind in _kinds(one, vocabulary)}
    named |= {vocabulary.pieces[kind] for kind in named if kind in vocabulary.pieces}
    of = [item for item in items if named.intersection(item.kinds)]
    places = {kind for item in placed if item.place is not None for kind in item.place.kinds}
    is_more = re.search(r"\b(?:more|another|extra)\b", text) is not None
    others = bool(said) and not (of or is_more or named <= places)
    if others and _TOO.search(text) and is_bare(text, said):
        where = {id(item.place): item.place for item in placed if not item.away}
        if len(where) == 1:  # there, too
            for one in said if all(one.kind for one in said) else ():
                there = next(iter(where.values()))
                kinds = (one.kind, *one.others)
                items.append(RequestedThing(kinds, one.count or 1, one.every, place=there))
        return
    if not of and not named <= places:
        counted, placed = [], []  # "one more coffee" is no more toast
    number_word = rf"(\d+|{any_of(words()['numbers'])})"
    if re.search(r"\b(?:double|twice)\b", text):
        for item in of or counted or placed:
            item.count = min(2 * item.count, MOST)
    elif is_repeated(text) and not said:
        for item in counted or placed:
            item.count = min(item.count + firsts.get(id(item), 0), MOST)
    elif number := re.fullmatch(
        r"(?:no,? |please )*(?:(?:make|i (?:said|meant|need|want)) (?:it |that |them )?)?"
        r"(?:only |just |all )?"
        rf"{number_word}(?:,? (?:of (?:it|them|those)|please|instead|thanks))*",
        text,
    ):
        several = counted or placed
        for item in several if len(several) == 1 else ():
            item.count = min(_number(number[1]), MOST)
    elif number := re.search(rf"\b{number_word} (?:less|fewer)\b", text):
        for item in of or counted[-1:] or placed[-1:]:
            item.count = max(item.count - _number(number[1]), 0)
    elif re.search(r"\bhalf (?:of )?(?:it|that|them|the|as)\b", text):
        for item in of or counted:
            item.count -= item.count // 2 if item.count % 2 == 0 else 0
    elif more := re.search(
        rf"\b(?:another(?: {number_word})?|{number_word} (?:more|extra))\b", text
    ) or re.fullmatch(r"(?:(?:and|also|please) )*one for [a-z]+(?: (?:please|too|as well))*", text):
        added = next(filter(None, more.groups()), "one")
        for item in of or counted[-1:] or placed[-1:]:
            item.count = min(item.count + _number(added), MOST)
    elif "instead" in text and said:
        lead = text[: said[0].start]
        if _role(lead) == "into":
            for item in items:
                if item.place is not None:
                    item.place = replace(item.place, kinds=_kinds(said[0], vocabulary))
    elif re.match(rf"(?:no, )?(?:\w+, )?{any_of(words()['leave_out'])}\b(?! more\b)", text):
        drinks = any(one.liquid for one in said)  # "without the mug" leaves out no coffee
        for item in of:
            if drinks or not _is_drink_in(item):
                item.count, item.every = 0, False
    elif said and said[0].count and not any(verb for verb, _ in orders_in(text)):
        for item in of:
            item.count = min(said[0].count, MOST)


def plainly(said: str) -> str:
    """A correction of a place or a number in plain words.

    "No, on the desk", "I'd rather have it on a plate" and "not on the shelf, on the desk" are "on
    the desk instead"; "put one of them back" and "that is two too many" are "two less".
    """
    words_said = " ".join(said.replace("’", "'").split()).rstrip(".!")
    if match := _OTHER_PLACE.fullmatch(words_said):
        return f"{match['place']} instead"
    number = any_of(words()["numbers"])
    for pattern in _TOO_MANY:
        if match := re.fullmatch(pattern.format(number=rf"\d+|{number}"), words_said, re.I):
            return f"{match['number']} less{match.groupdict().get('of') or ''}"
    return said


_OTHER_PLACE = re.compile(
    r"(?:(?:no|oh|sorry|actually|wait|please)[ ,]+)*"
    r"(?:not (?:in|on|into|onto|inside) (?:the|a|an|my|your) [a-z ]+?,? (?:but )?"
    r"|i(?:'d| would) (?:rather|prefer to) have (?:it|them|that) "
    r"|i (?:said|meant|mean|wanted) (?:it |them )?|(?:put|make|move) (?:it|them|that) )?"
    r"(?P<place>(?:in|on|into|onto|inside) (?:the|a|an|my|your) [a-z ]+?)"
    r"(?:,? (?:please|instead|thanks|rather))*",
    re.IGNORECASE,
)
_TOO_MANY = (
    r"(?:please )?(?:put|take) (?P<number>{number})(?P<of> of (?:them|those|it)| [a-z]+)? "
    r"(?:back|away|off|out)(?: (?:again|please))*",
    r"(?:(?:no|oh)[ ,]+)*(?:(?:that|it|there)(?:'s| is| are) )?(?P<number>{number}) too many",
)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else int(words()["numbers"][word])


def _kinds(one: ThingMention, vocabulary: HouseholdWords) -> tuple[str, ...]:
    if one.kind:
        return (one.kind,)
    return tuple(kind for kind in _VESSELS if kind in vocabulary.kinds)


def _goal(items: Sequence[RequestedThing]) -> RequestGoal:
    things: dict[str, GoalThing] = {}
    conditions: list[GoalFact] = []

    def add(item: RequestedThing, name: str) -> None:
        was = tuple(item.was.items())
        things[name] = GoalThing(item.kinds, new=item.new, every=item.every, was=was)
        conditions.extend(GoalFact(fact, name, value) for fact, value in item.facts.items())

    numbers = {id(item): number for number, item in enumerate(items, 1) if item.count == 1}
    places = {one: f"{number}.1" for one, number in numbers.items()}
    for number, item in enumerate(items, 1):
        if not item.count:
            continue
        where = ""
        if item.place is not None and item.away:
            item.facts["away"] = item.place.kinds[0]
        elif item.place is not None:
            where = places.setdefault(id(item.place), f"place {len(places) - len(numbers) + 1}")
            if where not in things and id(item.place) not in numbers:
                add(item.place, where)
        is_place = any(other.place is item for other in items)
        if not item.facts and not where and not item.new and not is_place:
            continue  # nothing is said of it that could be judged
        for n in range(1 if item.every else item.count):
            name = f"{number}.{n + 1}"
            add(item, name)
            if where:
                conditions.append(GoalFact("at", name, where))
    return RequestGoal(things, tuple(conditions))
