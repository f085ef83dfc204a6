"""Names that may be said at the moment, and what was heard with them put right.

A recognizer that was told of names still writes "are to" for R2, and "wrench saw" for ranch sauce.
Words that name nothing are compared with all names by sound and by spelling. One that sounds the
same is put in their place; one that is only near is a question for the person who spoke.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from treec.files.view import View, per_view
from treec.frozen import frozen
from treec.team.knowledge import Knowledge
from treec_hearing.question_words import known_words
from treec_voice.sounds import all_sounds_of, is_spelt, likeness, sounds_of

SAME = 0.93
"""Likeness from which words are a name."""
NEAR = 0.78
"""Likeness from which they may be one."""
ORDINARY = 0.84
"""The same for words that mean something by themselves, where somebody is spoken to."""
NOTHING, ROUGH = 0.6, 0.25
"""Likeness that tells nothing, and share of equal sounds below which none is compared closely."""
MARGIN = 0.08
"""How much less alike another name may be that is as likely meant."""
MORE = 1
"""Words that a name may be heard in, beyond its own."""
_WORD = re.compile(r"[\w'’]+")
_AUXILIARY = re.compile(r"\b(can|could|will|would|should|shall|must|may|let)\s+$", re.IGNORECASE)
"""Behind these somebody is named who is to do something: "could our one wash it"."""
_ENDS = re.compile(r"[.!?,;:]")


@frozen
class Understood:
    """What was heard, with names put right: ``text``.

    ``is_sure``: no name was guessed. ``alternatives``: other names in the guessed ones' place.
    """

    text: str
    is_sure: bool = True
    alternatives: Sequence[str] = ()


def spoken_names(knowledge: Knowledge) -> dict[str, str]:
    """Each name as people say it → what it names, agents first, then recipes and things."""
    names: dict[str, str] = {}
    for name, also in _named(knowledge):
        for word in (name, *also):
            names.setdefault(word.replace("_", " "), name)
    return names


def _named(knowledge: Knowledge) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ((name, tuple(spec.also)) for name, spec in knowledge.agents.items())
    yield from ((name, ()) for name in knowledge.recipes)
    yield from ((name, tuple(spec.also)) for name, spec in knowledge.view.objects.items())


def hot_words(knowledge: Knowledge, now: Iterable[str] = ()) -> list[str]:
    """What a recognizer is told may be said, the likeliest first: it takes few.

    ``now`` is what is spoken of at the moment: subtasks and recipes. It comes after the agents, and
    the verbs of tasks before the names of things; where it is empty, all recipes come there.
    """
    names = spoken_names(knowledge)
    agents = [name for name, meant in names.items() if meant in knowledge.agents]
    says = (task.says[0] for task in knowledge.tasks.values() if task.says)
    verbs = [verb for it in says if (verb := it.partition("<")[0].strip().removesuffix(" the"))]
    now = tuple(now) or tuple(knowledge.recipes)
    return list(dict.fromkeys((*agents, *now, *verbs, *knowledge.view.objects, *names)))


def spoken_of(
    proposed: Iterable[str], subtasks: Iterable[str], recipe: str, recipes: Iterable[str]
) -> list[str]:
    """What is spoken of at a moment, the likeliest first: without a recipe, which one it may be."""
    return list(dict.fromkeys((*proposed, *subtasks, *([recipe] if recipe else recipes))))


def _verbs(knowledge: Knowledge) -> list[str]:
    says = (it for task in knowledge.tasks.values() for it in task.says)
    return [verb for it in says if (verb := it.partition("<")[0].strip())]


def names_anything(knowledge: Knowledge, text: str) -> bool:
    """Whether a text has a name or a task's verb in it: it may be an order."""
    words = (*spoken_names(knowledge), *_verbs(knowledge))
    return any(re.search(rf"\b{re.escape(it)}\b", text, re.IGNORECASE) for it in words)


def put_names_right(
    knowledge: Knowledge, text: str, now: Iterable[str] | None = None
) -> Understood:
    """Replace what sounds or is spelt like a name by the name, the likeliest first.

    ``now`` is what is spoken of at the moment, or None if that is unknown. Words of the dictionary
    are taken for the name of an agent, for one of those and, right behind the verb of a task, for
    any other: much of what people say sounds like some thing.
    """
    names, taken = _sounds(knowledge.view), _exact(knowledge, text)
    sure, changes, others = True, {}, []
    guesses: Iterable[_Guess] = _guesses(knowledge, text, names)
    if now is not None:
        said = "|".join(now).lower()
        guesses = (it for it in guesses if _is_likely(knowledge, text, it, said))
    for guess in sorted(guesses, key=lambda it: -it.gain):
        if any(guess.start < end and start < guess.end for start, end in taken):
            continue
        taken.append((guess.start, guess.end))
        changes[guess.start, guess.end] = guess.name
        sure = sure and guess.score >= SAME and not guess.others
        others += [((guess.start, guess.end), other) for other in guess.others]
    alternatives = tuple(_changed(text, {**changes, span: other}) for span, other in others)
    return Understood(_changed(text, changes), sure, alternatives)


@frozen
class _Guess:
    """Words that may be a name; ``others`` are names that they are nearly as much alike.

    ``gain`` is higher for longer names, which explain more of what was heard.
    """

    gain: float
    score: float
    start: int
    end: int
    name: str
    others: tuple[str, ...]


def _guesses(
    knowledge: Knowledge, text: str, names: Mapping[str, tuple[str, ...]]
) -> Iterator[_Guess]:
    known, meant = known_words(knowledge.view), spoken_names(knowledge)
    longest = max((len(name.split()) for name in names), default=0) + MORE
    agents = [name for name in names if meant[name] in knowledge.agents]
    verbs = _verb_behind(knowledge.view)
    words = list(_WORD.finditer(text))
    for first, begun in enumerate(words):
        for last in words[first : first + longest]:
            start, end = begun.start(), last.end()
            said = text[start:end].lower()
            if _ENDS.search(said):
                break
            is_ordinary = known.issuperset(re.findall(r"[^\W_]+", said))
            is_call = _is_call(text, start, end)
            is_asked = verbs and _AUXILIARY.search(text[:start]) and verbs.match(text[end:])
            if is_ordinary and not (is_call or is_asked):
                continue
            ways = all_sounds_of(said)
            scores = {name: _score(said, ways[0], name, own) for name, own in names.items()}
            for name in agents:
                others_said = (_score(said, way, name, names[name]) for way in ways[1:])
                scores[name] = max(scores[name], *others_said, 0.0)
            best = max(scores, key=lambda name: scores[name], default="")
            is_agent = meant.get(best) in knowledge.agents
            if is_ordinary and not is_call and not is_agent:
                continue
            is_lone = is_ordinary and begun is last and not is_agent
            limit = SAME if is_lone else ORDINARY if is_ordinary else NEAR
            if not best or scores[best] < limit:
                continue
            others = [
                name
                for name, score in scores.items()
                if score >= scores[best] - MARGIN and meant[name] != meant[best]
            ]
            others.sort(key=lambda name: -scores[name])
            gain = (scores[best] - NOTHING) * len(names[best])
            yield _Guess(gain, scores[best], start, end, best, tuple(others))


@per_view
def _any_verb(view: View) -> str:
    """A pattern of the verbs of tasks; empty if there are none."""
    return "|".join(map(re.escape, _verbs(Knowledge(view))))


@per_view
def _verb_behind(view: View) -> re.Pattern[str] | None:
    """Finds the verb of a task with which a text goes on, if there are any."""
    verbs = _any_verb(view)
    return re.compile(rf"[\s-]+({verbs})s?\b", re.IGNORECASE) if verbs else None


def _is_likely(knowledge: Knowledge, text: str, guess: _Guess, now: str) -> bool:
    """Whether a name may be meant by words that mean something else, where ``now`` is spoken of."""
    meant, said = spoken_names(knowledge), text[guess.start : guess.end].lower()
    if guess.name.lower() in (f"{said}s", f"the {said}"):
        return False  # it is understood as it is
    thing = meant[guess.name]
    if thing in knowledge.agents or any(
        name.lower() in now for name in meant if meant[name] == thing
    ):
        return True
    if not is_spelt(re.findall(r"[^\W\d_]+", said)):
        return True
    verbs = _any_verb(knowledge.view)
    return bool(verbs) and bool(
        re.search(rf"\b({verbs})( the| some| an?)?\s*$", text[: guess.start], re.IGNORECASE)
    )


def _changed(text: str, changes: Mapping[tuple[int, int], str]) -> str:
    for (start, end), name in sorted(changes.items(), reverse=True):
        text = text[:start] + name + text[end:]
    return text


def _is_call(text: str, start: int, end: int) -> bool:
    """Whether words stand where somebody is spoken to: at the beginning or end of a sentence."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return not before or before[-1] in ".!?,;:" or not after or after[0] in ".!?;"


def _exact(knowledge: Knowledge, text: str) -> list[tuple[int, int]]:
    """Where names stand as they are."""
    names = sorted((*spoken_names(knowledge), *_verbs(knowledge)), key=len, reverse=True)
    return [
        match.span()
        for name in names
        for match in re.finditer(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)
    ]


def _score(said: str, sounds: Sequence[str], name: str, own: Sequence[str]) -> float:
    """How alike words and a name are, by sound or by spelling."""
    by_letter = Levenshtein.normalized_similarity(said, name.lower()) if len(name) > 3 else 0.0
    if max(len(sounds), len(own)) > 2 * min(len(sounds), len(own)):
        return by_letter
    if Levenshtein.normalized_similarity(sounds, own) < ROUGH:  # quick, and right of most
        return by_letter
    return max(likeness(sounds, own), by_letter)


@per_view
def _sounds(view: View) -> Mapping[str, tuple[str, ...]]:
    """The sounds of each name."""
    return {name: sounds_of(name) for name in spoken_names(Knowledge(view))}
