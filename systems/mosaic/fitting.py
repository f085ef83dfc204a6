"""Which recipes fit what somebody said: by name, by what goes into them, by words about them.

Only words that some recipe has count, and what is refused ("not soup", "something else") leaves
recipes out for good. Nothing here is chosen: the user is offered what fits best.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from treec.team.entities import Recipe, Utterance
from treec.team.knowledge import Knowledge

KIND, NAME, LIKE, THING, ABOUT = 5.0, 4.0, 3.5, 3.0, 2.0
"""What a word is worth: the name's last word (its kind), the name, a dish that comes near, a thing,
the description."""

ALIKE = 80.0
"""Of 100: how much a word must be like a known one to be meant for it."""

NEARLY = 0.6
"""Of the best worth; what has less is not offered beside it."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CLAUSE = re.compile(r"[.,;:!?…–—]|\.\.\.|\b(?:but|rather|instead)\b|\bsomething(?! else)\b")
_NOT = re.compile(
    r"\b(?:not|no|non|without|never|hate|dislike|except|neither|nor|nothing with|instead of|"
    r"rather than|allergic to|sick of|tired of|had enough of|\w+n't|dont|cannot)\b"
)
_ELSE = re.compile(
    r"\b(?:else|another|others?|neither|none of|different)\b|^(?:no|nope|nah)\b", re.IGNORECASE
)
_COMMON = re.compile(
    r"a|an|and|any|are|as|at|be|can|could|dish|dishes|do|eat|food|for|from|have|i|in|into|is|it|"
    r"like|make|me|my|of|on|or|please|some|something|the|then|there|to|want|we|what|with|you|"
    r"your|hello|recipes?|cook|cooked|put|prepare|get|finished|meal|today"
)


@dataclass(frozen=True, eq=False)
class Profile:
    """What each word is worth for a recipe."""

    recipe: Recipe
    worth: Mapping[str, float]
    like: tuple[frozenset[str], ...]
    """The dishes that come near, each as its words: a wish only when all of them are said."""

    def score(self, wanted: Mapping[str, float]) -> float:
        """What it is worth for wanted words with their weights."""
        near = (min(wanted[w] for w in dish) for dish in self.like if dish <= wanted.keys())
        own = sum(value * self.worth.get(word, 0.0) for word, value in wanted.items())
        return own + LIKE * max(near, default=0.0)

    @property
    def words(self) -> set[str]:
        """All words that tell something about it."""
        return {*self.worth, *(word for dish in self.like for word in dish)}


@lru_cache(maxsize=4)
def profiles(knowledge: Knowledge) -> tuple[Profile, ...]:
    """What there is to say of every recipe of the library."""
    found = []
    for name in knowledge.recipes:
        recipe = knowledge.recipe(name)
        model = knowledge.recipe_file(name)
        if recipe is None or model is None:
            continue
        worth: dict[str, float] = {}
        _weigh(worth, stems(recipe.about), ABOUT)
        for id, spec in model.subtasks.items():
            bound = knowledge.words.match(spec.do or id)
            for thing in bound.args.values() if bound else ():
                spoken = knowledge.view.objects.get(thing)
                if spoken is None or spoken.type == "Item":
                    _weigh(worth, stems(thing), THING)
        named = stems(name)
        _weigh(worth, named, NAME)
        _weigh(worth, named[-1:], KIND)
        like = tuple(found_ for dish in model.like if (found_ := frozenset(stems(dish))))
        found.append(Profile(recipe, worth, like))
    return tuple(found)


def _weigh(worth: dict[str, float], words: Iterable[str], value: float) -> None:
    for word in words:
        worth[word] = max(value, worth.get(word, 0.0))


def stems(text: str) -> list[str]:
    """The words of a text that tell something, without their plural and their accents."""
    marked = unicodedata.normalize("NFKD", text.lower())
    folded = "".join(letter for letter in marked if not unicodedata.combining(letter))
    return [_stem(w) for w in _WORD.findall(folded) if len(w) > 2 and not _COMMON.fullmatch(w)]


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("oes", "o"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending):
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _nearest(word: str, vocabulary: Collection[str]) -> list[str]:
    """The known word that a word is most like, misspelt perhaps."""
    from rapidfuzz import fuzz, process  # heavy: `treec check` reads no wishes

    found = process.extractOne(word, sorted(vocabulary), scorer=fuzz.ratio, score_cutoff=ALIKE)
    return [found[0]] if found else []


@dataclass(frozen=True)
class WordPattern:
    """Words wanted and words refused."""

    wanted: tuple[str, ...]
    refused: tuple[str, ...]


def wish_of(text: str, known: Iterable[str]) -> WordPattern:
    """What words wish for: clause by clause, what stands behind a negation is refused."""
    vocabulary = frozenset(known)
    wanted: dict[str, None] = {}
    refused: dict[str, None] = {}
    for clause in _CLAUSE.split(text.lower()):
        no = _NOT.search(clause)
        cut = no.start() if no else len(clause)
        wanted.update(dict.fromkeys(_known(clause[:cut], vocabulary)))
        refused.update(dict.fromkeys(_known(clause[cut:], vocabulary)))
    return WordPattern(tuple(w for w in wanted if w not in refused), tuple(refused))


def _known(text: str, vocabulary: Collection[str]) -> list[str]:
    found = []
    for word in stems(text):
        if word in vocabulary:
            found.append(word)
        elif len(word) > 4:
            found += _nearest(word, vocabulary)
    return found


def fitting(knowledge: Knowledge, said: object) -> tuple[Recipe, ...]:
    """The recipes that fit, best first; all that are not refused when the words wish for none.

    ``said`` is a text or the conversation: then the last words of a person count most, and what
    was refused before stays refused, also the recipes named to somebody who wants another.
    """
    all_ = profiles(knowledge)
    known = {word for profile in all_ for word in profile.words}
    people = knowledge.people
    lines = (
        said if isinstance(said, list | tuple) else (Utterance("", "", str(said), 0, True, True),)
    )
    wanted: dict[str, float] = {}
    refused: set[str] = set()
    turned_down: set[str] = set()
    offered: set[str] = set()
    for line in lines:
        if not isinstance(line, Utterance):
            continue
        if line.who not in people and line.who:
            offered = {p.recipe.name for p in all_ if p.recipe.name.lower() in line.text.lower()}
            continue
        if _ELSE.search(line.text):
            named = {n for n in offered if n.lower() in line.text.lower()}
            turned_down |= offered - named
        wish = wish_of(line.text, known)
        if not (wish.wanted or wish.refused or _ELSE.search(line.text)) and stems(line.text):
            wanted = {}  # they speak of something that no recipe has
        wanted = {word: value / 4 for word, value in wanted.items() if word not in wish.refused}
        refused = (refused | set(wish.refused)) - set(wish.wanted)
        wanted.update(dict.fromkeys(wish.wanted, 1.0))
    left = [
        p
        for p in all_
        if p.recipe.name not in turned_down and not any(_has(p, word) for word in refused)
    ]
    scored = [(p.score(wanted), p) for p in left]
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0:
        return _varied([profile.recipe for _, profile in scored])
    near = sorted((-s, p.recipe.name, p) for s, p in scored if s >= NEARLY * best)
    found = [profile for _, _, profile in near]
    if any(dish <= wanted.keys() for dish in found[0].like):  # a dish that nobody has: three, then
        found += _akin(found[0], [p for p in left if p not in found])[: max(0, 3 - len(found))]
    return tuple(profile.recipe for profile in found)


def _akin(to: Profile, others: Iterable[Profile]) -> list[Profile]:
    """The recipes that share most with one: its kind, what goes into it, what it is like."""
    shared = [
        (sum(min(worth, p.worth.get(word, 0.0)) for word, worth in to.worth.items()), p)
        for p in others
    ]
    order = sorted((-s, p.recipe.name, p) for s, p in shared if s > ABOUT)
    return [profile for _, _, profile in order]


def _has(profile: Profile, word: str) -> bool:
    return word in profile.worth


def _varied(recipes: Sequence[Recipe]) -> tuple[Recipe, ...]:
    """One of each kind first, so that five of many tell what there is."""
    seen: dict[str, int] = {}
    order = []
    for index, recipe in enumerate(recipes):
        kind = recipe.name.rpartition(" ")[2].lower()
        order.append((seen.get(kind, 0), index, recipe))
        seen[kind] = seen.get(kind, 0) + 1
    many = {kind for kind, count in seen.items() if count > 1}

    def rank(item: tuple[int, int, Recipe]) -> tuple[int, bool, int]:
        round_, index, recipe = item
        return round_, recipe.name.rpartition(" ")[2].lower() not in many, index

    return tuple(recipe for _, _, recipe in sorted(order, key=rank))


def wishes(knowledge: Knowledge, text: str) -> bool:
    """Whether words wish for something that some recipe has."""
    known = {word for profile in profiles(knowledge) for word in profile.worth}
    return bool(wish_of(text, known).wanted)
