"""Rank recipes by what a person said: by name, ingredients and description.

Only words that occur in some recipe count. Refusals ("not soup", "something else") exclude recipes
for the rest of the conversation. The result is a ranking to offer; the person chooses.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from treec.frozen import frozen
from treec.team.entities import Recipe, Utterance
from treec.team.knowledge import Knowledge

KIND, NAME, LIKE, THING, ABOUT = 5.0, 4.0, 3.5, 3.0, 2.0
"""Weights of words: the name's last word (its kind), the rest of the name, a similar dish, an
ingredient, the description."""

MIN_SIMILARITY = 80.0
"""Minimum similarity (0-100) of a misspelt word to a known one."""

SCORE_RATIO = 0.6
"""Recipes that score below this fraction of the best score are not offered."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CLAUSE = re.compile(
    r"[.,;:!?…–—]|\.\.\.|\b(?:(?<!thing )(?<!all )but|rather|instead)\b|\bsomething(?! else)\b"
)
_NOT = re.compile(
    r"\b(?:(?:any|every)thing but|all but|other than|apart from|aside from|besides|"
    r"not|no|non|without|never|hate|dislike|except|neither|nor|nothing with|instead of|"
    r"rather than|allergic to|sick of|tired of|had enough of|\w+n't|dont|cannot)\b"
)
_DIETS = {
    "vegetarian": "meat beef pork lamb ham bacon sausage turkey chicken fish tuna salmon shrimp",
    "vegan": "meat beef pork lamb ham bacon sausage turkey chicken fish tuna salmon shrimp egg "
    "milk cheese cream butter yoghurt honey mayonnaise feta parmesan",
}
"""What somebody does not eat who is one."""
_ELSE = re.compile(
    r"\b(?:else|another|others?|neither|none of|different)\b|^(?:no|nope|nah)\b", re.IGNORECASE
)
_COMMON = re.compile(
    r"a|an|and|any|are|as|at|be|can|could|dish|dishes|do|eat|food|for|from|have|i|in|into|is|it|"
    r"like|make|me|my|of|on|or|please|some|something|the|then|there|to|want|we|what|with|you|"
    r"your|hello|recipes?|cook|cooked|put|prepare|get|finished|meal|today"
)


@frozen(slots=False, eq=False)
class Profile:
    """The weight of each word for a recipe."""

    recipe: Recipe
    weights: Mapping[str, float]
    like: tuple[frozenset[str], ...]
    """Similar dishes as sets of stems; one counts only if all of its words were said."""

    def score(self, wanted: Mapping[str, float]) -> float:
        """Score the recipe for wanted words with their weights."""
        near = (min(wanted[w] for w in dish) for dish in self.like if dish <= wanted.keys())
        own = sum(value * self.weights.get(word, 0.0) for word, value in wanted.items())
        return own + LIKE * max(near, default=0.0)

    @property
    def words(self) -> set[str]:
        """All words of the profile."""
        return {*self.weights, *(word for dish in self.like for word in dish)}


@lru_cache(maxsize=4)
def profiles(knowledge: Knowledge) -> tuple[Profile, ...]:
    """Build the profile of each recipe."""
    found = []
    for name in knowledge.recipes:
        recipe = knowledge.recipe(name)
        model = knowledge.recipe_file(name)
        if recipe is None or model is None:
            continue
        weights: dict[str, float] = {}
        _weigh(weights, stems(recipe.about), ABOUT)
        for said in knowledge.recipe_words(model.subtasks).values():
            bound = knowledge.words.match(said)
            for thing in bound.args.values() if bound else ():
                spoken = knowledge.view.objects.get(thing)
                if spoken is None or spoken.type == "Item":
                    _weigh(weights, stems(thing), THING)
        name_stems = stems(name)
        _weigh(weights, name_stems, NAME)
        _weigh(weights, name_stems[-1:], KIND)
        like = tuple(words for dish in model.like if (words := frozenset(stems(dish))))
        found.append(Profile(recipe, weights, like))
    return tuple(found)


def _weigh(weights: dict[str, float], words: Iterable[str], value: float) -> None:
    for word in words:
        weights[word] = max(value, weights.get(word, 0.0))


def stems(text: str) -> list[str]:
    """Return the content words of a text, in lower case, singular and without accents."""
    marked = unicodedata.normalize("NFKD", text.lower())
    folded = "".join(letter for letter in marked if not unicodedata.combining(letter))
    return [_stem(w) for w in _WORD.findall(folded) if len(w) > 2 and not _COMMON.fullmatch(w)]


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("oes", "o"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending):
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _nearest(word: str, vocabulary: Collection[str]) -> list[str]:
    """Return the known word that is most similar to a misspelt one, or nothing."""
    from rapidfuzz import fuzz, process  # not imported by `treec check`

    found = process.extractOne(
        word, sorted(vocabulary), scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY
    )
    return [found[0]] if found else []


@frozen(slots=False)
class RecipeWish:
    """Stems that a person wants and stems that they refuse."""

    wanted: tuple[str, ...]
    refused: tuple[str, ...]


def parse_wish(text: str, known: Iterable[str]) -> RecipeWish:
    """Parse a wish clause by clause; the words after a negation are refused."""
    vocabulary = frozenset(known)
    wanted: dict[str, None] = {}
    refused: dict[str, None] = {}
    for clause in _CLAUSE.split(text.lower()):
        no = _NOT.search(clause)
        cut = no.start() if no else len(clause)
        for diet, without in _DIETS.items():
            if re.search(rf"\b{diet}s?\b", clause[:cut]):
                refused.update(dict.fromkeys(w for w in without.split() if w in vocabulary))
        wanted.update(dict.fromkeys(_vocabulary_words(clause[:cut], vocabulary)))
        refused.update(dict.fromkeys(_vocabulary_words(clause[cut:], vocabulary)))
    return RecipeWish(tuple(w for w in wanted if w not in refused), tuple(refused))


def _vocabulary_words(text: str, vocabulary: Collection[str]) -> list[str]:
    found = []
    for word in stems(text):
        if word in vocabulary:
            found.append(word)
        elif len(word) > 4:
            found += _nearest(word, vocabulary)
    return found


def find_recipes(knowledge: Knowledge, said: object) -> tuple[Recipe, ...]:
    """Return the recipes that fit, best first; if nothing is wished for, all that are not refused.

    ``said`` is a text or a conversation. In a conversation a person's last words count most, and
    refusals persist, including those of recipes offered to somebody who asks for another.
    """
    candidates = profiles(knowledge)
    known = {word for profile in candidates for word in profile.words}
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
            names = [p.recipe.name for p in candidates]
            offered = {name for name in names if name.lower() in line.text.lower()}
            continue
        if _ELSE.search(line.text):
            named = {n for n in offered if n.lower() in line.text.lower()}
            turned_down |= offered - named
        wish = parse_wish(line.text, known)
        if not (wish.wanted or wish.refused or _ELSE.search(line.text)) and stems(line.text):
            wanted = {}  # the line is about something that no recipe has
        wanted = {word: value / 4 for word, value in wanted.items() if word not in wish.refused}
        refused = (refused | set(wish.refused)) - set(wish.wanted)
        wanted.update(dict.fromkeys(wish.wanted, 1.0))
    left = [
        p
        for p in candidates
        if p.recipe.name not in turned_down and not any(word in p.weights for word in refused)
    ]
    scored = [(p.score(wanted), p) for p in left]
    best = max((score for score, _ in scored), default=0.0)
    if best <= 0:
        return _alternate_kinds([profile.recipe for _, profile in scored])
    near = sorted((-s, p.recipe.name, p) for s, p in scored if s >= SCORE_RATIO * best)
    found = [profile for _, _, profile in near]
    if any(dish <= wanted.keys() for dish in found[0].like):  # no such recipe: offer three
        found += _similar(found[0], [p for p in left if p not in found])[: max(0, 3 - len(found))]
    return tuple(profile.recipe for profile in found)


def other_dishes(knowledge: Knowledge, chat: Iterable[object], chosen: str) -> tuple[Recipe, ...]:
    """Return the recipes that a person's last words fit as well as the one that they chose.

    None do if the words have its whole name, or nothing of it ("the second one"). After an offer
    only the names of what was offered count.
    """
    said, offer = "", ""
    for line in reversed([line for line in chat if isinstance(line, Utterance)]):
        by_person = line.who in knowledge.people
        if said and not by_person:
            offer = line.text.lower()
            break
        if by_person:
            said = said or line.text
    candidates = profiles(knowledge)
    name = frozenset(stems(chosen))
    known = {word for profile in candidates for word in profile.words}
    named = name & {*parse_wish(said, known).wanted}
    if not named or named == name:
        return ()
    least, rivals = THING, [p for p in candidates if p.recipe.name != chosen]
    if chosen.lower() in offer:
        least, rivals = NAME, [p for p in rivals if p.recipe.name.lower() in offer]
    fits = (p for p in rivals if all(p.weights.get(word, 0.0) >= least for word in named))
    return tuple(profile.recipe for profile in fits)


def _similar(to: Profile, others: Iterable[Profile]) -> list[Profile]:
    """Rank other recipes by the weights that they share with one."""
    shared = [
        (sum(min(weight, p.weights.get(word, 0.0)) for word, weight in to.weights.items()), p)
        for p in others
    ]
    order = sorted((-s, p.recipe.name, p) for s, p in shared if s > ABOUT)
    return [profile for _, _, profile in order]


def _alternate_kinds(recipes: Sequence[Recipe]) -> tuple[Recipe, ...]:
    """Order recipes so that the first ones are of different kinds."""
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


def has_wish(knowledge: Knowledge, text: str) -> bool:
    """Whether a text wishes for something that some recipe has."""
    known = {word for profile in profiles(knowledge) for word in profile.weights}
    return bool(parse_wish(text, known).wanted)
