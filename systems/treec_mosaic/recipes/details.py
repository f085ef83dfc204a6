"""What cooks write around the words of a subtask: amounts, times, heat, notes.

`read_details` takes them off an item of a list. They are kept in the recipe's keys, and said to
people by `treec_mosaic.portions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from unicodedata import numeric

from treec.files.tasks import SubtaskSpec
from treec.frozen import frozen
from treec.source.text import shorten
from treec.team.knowledge import Knowledge
from treec.team.words import BoundTask
from treec_hearing.question_words import determiners_before, place_words
from treec_mosaic.recipes.amounts import ASIDE, MEASURE, NUMBER, ONE, PARTS, WORDS
from treec_mosaic.recipes.ingredients import OPTIONAL, PLAIN, IngredientLine
from treec_mosaic.recipes.nested_list import Item
from treec_mosaic.recipes.numbers import in_digits

_PART = (
    r"(?:half|(?:the |a |one )?(?:(?:first|second|other|remaining) )?"
    r"(?:half|third|quarter|rest|remainder))"
)
_PORTION = re.compile(
    rf"(?:(?P<part>{_PART})(?: of)?|(?P<rest>the remaining|remaining)"
    rf"|(?P<amount>(?:(?:about|around|approximately) )?"
    rf"(?:{MEASURE}|{ONE}(?: ?(?:-|–|to) ?{ONE})?)(?: ?{ASIDE})?)(?: of)?)\s+",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"[\s,]+for (?:about |at least |another |a further |around |approximately )?"
    rf"(?:{NUMBER}(?: ?(?:-|–|to|or) ?))?(?P<number>{NUMBER}) ?(?:more )?"
    r"(?P<unit>s|sec(?:ond)?s?|min(?:ute)?s?|h|hrs?|hours?)\b\.?",
    re.IGNORECASE,
)
_HEAT = re.compile(
    r"[\s,]+(?:at|on|over|to) (?P<heat>\d{2,3} ?(?:°|degrees?)? ?(?:[CF]\b|celsius|fahrenheit)?"
    r"(?: ?[(/] ?\d{2,3} ?(?:°|degrees?)? ?[CF]\b\)?)?|(?:a )?(?:very )?(?:low|medium|high|gentle|"
    r"moderate)(?:[- ](?:low|high))? heat)",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*\((?P<aside>[^()]+)\)$|,?\s+(?P<until>until .+)$", re.IGNORECASE)
_MAKES = re.compile(r"[\s,;]+makes:\s*(?P<makes>[^,;()]+)", re.IGNORECASE)
_UNIT_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}
VALUES = {word: n for n, word in enumerate(WORDS.split("|")[:10], 1)} | {
    **{"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "a": 1, "an": 1},
    **{"half a": 0.5, "half an": 0.5},
}


@frozen
class Details:
    """What is said of a subtask beside its words; `takes` is in seconds."""

    amount: str | None = None
    at: str | None = None
    takes: float | None = None
    note: str | None = None
    optional: bool = False
    makes: str | None = None

    def written(self) -> Iterator[tuple[str, str]]:
        """Yield its keys in a recipe, with their values as texts."""
        values = {"amount": self.amount, "at": self.at, "takes": _duration(self.takes)}
        values |= {"note": self.note, "makes": self.makes}
        yield from ((name, value) for name, value in values.items() if value)
        if self.optional:
            yield "optional", "true"


NOTHING = Details()
_LONGEST_ID = 120
"""Characters of a subtask's id: YAML reads no key of more than 1,024."""
LONGEST_COMMAND = 7
"""Words of a subtask whose things nobody knows; longer ones are sentences."""


def detailed(
    items: Sequence[Item], knowledge: Knowledge
) -> tuple[Sequence[Item], Mapping[str, Details]]:
    """Return items with plain words, and by their ids what was said beside them."""
    matches = _matcher(items, knowledge)
    ids: dict[str, str] = {}
    found: dict[str, Details] = {}
    cleaned: list[Item] = []
    for item in items:
        words, details = read_details(_whole(item), knowledge, matches)
        id = words if item.words == item.id or item.words != words else item.id
        id = _free(id if len(id) <= _LONGEST_ID else shorten(id, _LONGEST_ID), found)
        ids[item.id], found[id] = id, details
        cleaned.append(replace(item, id=id, words=words, more=""))
    after = (tuple(dict.fromkeys(ids[other] for other in item.after)) for item in cleaned)
    return [replace(i, after=a) for i, a in zip(cleaned, after, strict=True)], found


def without_details(knowledge: Knowledge) -> Callable[[str], str]:
    """What takes amounts, times and notes off the words of an item."""
    match = knowledge.words.match
    return lambda words: read_details(words, knowledge, match)[0]


def _whole(item: Item) -> str:
    return f"{item.words}, {item.more}" if item.more else item.words


Matches = Callable[[str], BoundTask | None]
"""The task of words, which may name what a recipe makes."""


def _matcher(items: Iterable[Item], knowledge: Knowledge) -> Matches:
    """Match words that may name the mixtures of a list."""
    match = knowledge.words.match
    made: dict[str, str] = {}
    for item in items:
        words, details = read_details(_whole(item), knowledge, match)
        vessel = knowledge.made_in(words) if details.makes else None
        if vessel is not None and details.makes:
            made[details.makes.lower()] = vessel
    if not made:
        return match
    names = re.compile(rf"\b({'|'.join(map(re.escape, made))})\b", re.IGNORECASE)
    return lambda words: match(names.sub(lambda m: made[m[1].lower()], words)) or match(words)


def subtasks_of(items: Iterable[Item], details: Mapping[str, Details]) -> dict[str, SubtaskSpec]:
    """Return items as subtasks of a recipe."""
    return {
        item.id: SubtaskSpec.model_validate(
            {
                "do": item.words,
                "after": [*item.after],
                "amount": details[item.id].amount,
                "makes": details[item.id].makes,
            }
        )
        for item in items
    }


def _free(id: str, taken: Mapping[str, object]) -> str:
    known = {other.casefold() for other in taken}
    name, number = id, 1
    while name.casefold() in known:
        number += 1
        name = f"{id} ({number})"
    return name


def read_details(words: str, knowledge: Knowledge, matches: Matches) -> tuple[str, Details]:
    """Return the plain words of an item and its details.

    Words that no task knows, or a sentence, keep their amounts, times and notes.
    """
    whole, makes = _cut(_MAKES, words)
    whole, optional = _cut(OPTIONAL, whole)
    text, note = _cut(_NOTE, in_digits(whole))
    text, time = _cut(_TIME, text)
    text, heat = _cut(_HEAT, text)
    kept = Details(
        optional=optional is not None, makes=makes["makes"].strip(" .'\"") if makes else None
    )
    text, amount = _without_amount(text, knowledge, matches)
    text, amount, place = _without_place(text, amount, knowledge, matches)
    if not text or (matches(text) is None and not _is_command(text, knowledge)):
        return whole or words, kept
    return text, replace(
        kept,
        amount=amount,
        at=heat["heat"].strip() if heat else None,
        takes=_seconds(time) if time else None,
        note=", ".join(filter(None, (place, note and (note["aside"] or note["until"]).strip())))
        or None,
    )


def _without_place(
    text: str, amount: str | None, knowledge: Knowledge, matches: Matches
) -> tuple[str, str | None, str | None]:
    """Take the place off the words of a task that has none: melt butter, in the pan."""
    found = [*place_words(knowledge.view).finditer(text)]
    if matches(text) is not None or not found:
        return text, amount, None
    text, place = text[: found[-1].start()], text[found[-1].start() :].strip()
    own, inner = (text, amount) if amount else _without_amount(text, knowledge, matches)
    vessel = determiners_before(knowledge.view).sub("", place.partition(" ")[2])
    known = knowledge.words.thing(vessel) is not None
    if matches(own) is not None or (known and _is_command(own, knowledge)):
        return own, inner, place
    return f"{text} {place}", amount, None


def _is_command(text: str, knowledge: Knowledge) -> bool:
    """Whether words are a task's but for their things: fry tofu."""
    is_short = len(text.split()) <= LONGEST_COMMAND and not re.search(r"[.;:,]", text)
    return is_short and knowledge.words.nearly(text) is not None


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, re.Match[str] | None]:
    found = pattern.search(text)
    if found is None:
        return text, None
    return " ".join((text[: found.start()] + " " + text[found.end() :]).split()).strip(" ,"), found


def _without_amount(text: str, knowledge: Knowledge, matches: Matches) -> tuple[str, str | None]:
    portions = [(found, False) for found in _PORTION.finditer(text)]
    if matches(text) is None:  # "pour 1 tsp cumin into bowl", where the scene has no cumin
        portions += [(found, True) for found, _ in portions]
    for found, is_unknown in portions:
        before, after = text[: found.start()], text[found.end() :]
        plain = " ".join(f"{before}{determiners_before(knowledge.view).sub('', after)}".split())
        knows = _is_command(plain, knowledge) if is_unknown else matches(plain) is not None
        if not before or not after or not knows:
            continue
        amount = found["amount"] or found["part"] or "the rest"
        if len(before.split()) > 1:  # not of its first thing: named
            of = " of the" if found["amount"] is None else "" if _counted(amount) else " of"
            thing = determiners_before(knowledge.view).sub("", after)
            amount += f"{of} {place_words(knowledge.view).split(thing, maxsplit=1)[0]}"
        return plain, amount
    return text, None


def _counted(amount: str) -> bool:
    return re.fullmatch(rf"{ONE}(?: ?(?:-|–|to) ?{ONE})?", amount) is not None


def _seconds(time: re.Match[str]) -> float:
    text = time["number"].lower()
    value = VALUES.get(text)
    if value is None:
        value = 0.0
        for part in re.findall(rf"\d+\s?/\s?\d+|\d+(?:[.,]\d+)?|[{PARTS}]", text):
            above, slash, below = part.partition("/")
            number = numeric(part) if part in PARTS else float(above.replace(",", "."))
            value += number / float(below) if slash and float(below) else number
    return round(value * _UNIT_SECONDS[time["unit"][0].lower()], 1)


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    size, unit = (60, "m") if seconds >= 60 and seconds % 30 == 0 else (1, "s")
    return f"{seconds / size:g}{unit}"


def with_amounts(
    items: Sequence[Item],
    details: Mapping[str, Details],
    ingredients: Iterable[IngredientLine],
    knowledge: Knowledge,
) -> dict[str, Details]:
    """Give each ingredient's amount to the subtask that uses it first, where that is certain.

    Not where several lines or subtasks of one task use the same thing: these are portions.
    """
    lines: dict[str, list[IngredientLine]] = {}
    for line in ingredients:
        thing = knowledge.words.thing(line.name) or knowledge.words.thing(PLAIN.sub("", line.name))
        if thing is not None:
            lines.setdefault(thing, []).append(line)
    found = dict(details)
    words = knowledge.recipe_words(subtasks_of(items, details))
    for thing, own in lines.items():
        uses = list(_uses(words, thing, knowledge))
        tasks = [task for _, task, _ in uses]
        said = any(found[id].amount for id, _, _ in uses)
        if len(own) != 1 or not own[0].amount or not uses or said or len({*tasks}) < len(tasks):
            continue
        id, _, is_first = uses[0]
        amount = own[0].amount
        found[id] = replace(found[id], amount=amount if is_first else f"{amount} of {thing}")
    return found


def _uses(
    words: Mapping[str, str], thing: str, knowledge: Knowledge
) -> Iterator[tuple[str, str, bool]]:
    """The subtasks that use a thing, with their tasks, and whether it is their first one."""
    for id, said in words.items():
        bound = knowledge.words.match(said)
        goal = knowledge.tasks[bound.task].goal or "" if bound else ""
        if bound is not None and thing in bound.args.values() and "==" not in goal:
            yield id, bound.task, next(iter(bound.args.values())) == thing
