"""Agents, things, recipes and tasks that words mention by name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from treec.team.entities import Task
from treec.team.knowledge import Knowledge, talk_agents
from treec.team.language import language_of, stop_words_of
from treec.team.words import any_of
from treec_hearing.question_words import (
    QuestionLanguage,
    clause_ends,
    determiners_before,
    known_words,
    place_words,
    singulars,
)


def find_mentioned(knowledge: Knowledge, words: str) -> tuple[str, ...]:
    """Agents and things named in words, in order; a longer name hides those within it."""
    names: list[tuple[str, str]] = []
    spoken = {name: spec.also for name, spec in knowledge.agents.items()}
    spoken.update({name: spec.also for name, spec in knowledge.view.objects.items()})
    for name, also in spoken.items():
        names += [(word.lower(), name) for word in (name, *also)]
    return _find_names(names, words)


def find_recipes(recipes: Iterable[str], words: str) -> tuple[str, ...]:
    """Recipes named in words, in order; a longer name hides those within it."""
    return _find_names([(name.lower(), name) for name in recipes], words)


def _find_names(names: Iterable[tuple[str, str]], words: str) -> tuple[str, ...]:
    """What words name, in order, of pairs (name in lower case, what it names)."""
    text = words.lower()
    found: list[tuple[int, str]] = []
    for word, meant in sorted(names, key=lambda pair: (-len(pair[0]), pair)):
        at = re.search(rf"\b{re.escape(word)}\b", text)
        if at is not None:
            found.append((at.start(), meant))
            text = text[: at.start()] + "\0" * len(word) + text[at.end() :]
    return tuple(dict.fromkeys(meant for _, meant in sorted(found)))


_LEADING_WORDS = 5
"""How many words may stand before a request: ``R2, could you please get the juice``."""
_LONGEST_THING = 3
_NUMBER = re.compile(r"\d+")
_NEAR = 0.75
"""How alike two names are to be taken for each other: juice is no rice."""


def find_unknown_things(knowledge: Knowledge, words: str) -> tuple[str, ...]:
    """What tasks are asked to be done with and is the name of nothing: ``get the juice``."""
    asked = _asked_for(knowledge, words)
    return tuple(dict.fromkeys(thing for thing in asked if not is_no_name(knowledge, thing)))


def is_no_name(knowledge: Knowledge, phrase: str) -> bool:
    """Whether a phrase cannot be a thing's name: too long, a pronoun, or a word for several."""
    own, no_things = phrase.lower().split(), {*language_of(knowledge.view).no_things}
    numbers = {word for name in knowledge.view.objects for word in name.split() if word.isdigit()}
    if not 0 < len(own) <= _LONGEST_THING or not no_things.isdisjoint(own) or {*own} <= numbers:
        return True
    return is_kind(knowledge, own[-1]) or (len(own) == 1 and is_shared(knowledge, own[0]))


def is_shared(knowledge: Knowledge, word: str) -> bool:
    """Whether a word, in singular or plural, is part of the names of several things."""
    of = singulars(knowledge.view, word)
    return sum(not of.isdisjoint(name.lower().split()) for name in knowledge.view.objects) > 1


def find_unnamed_things(knowledge: Knowledge, words: str) -> tuple[str, ...]:
    """Words for things where tasks are asked to be done and none is named: ``get the items``."""
    asked = (thing.lower().split() for thing in _asked_for(knowledge, words))
    last = (own[-1] for own in asked if len(own) == 1)
    anything = {*language_of(knowledge.view).anything}
    return tuple(
        dict.fromkeys(
            w
            for w in last
            if not anything.isdisjoint(singulars(knowledge.view, w))
            or is_kind(knowledge, w)
            or is_shared(knowledge, w)
        )
    )


def _asked_for(knowledge: Knowledge, words: str) -> Iterator[str]:
    """The words that stand for a thing where a task is asked for, and are the name of none."""
    language = QuestionLanguage(knowledge.view)
    for clause in clause_ends(knowledge.view).split(words):
        parts = language.without_end(clause).split()
        for first in range(min(len(parts), _LEADING_WORDS + 1)):
            text = " ".join(parts[first:])
            near = knowledge.words.nearly(text)
            named = _begun_with(knowledge, text) if near is None else near[1]
            if named:
                yield determiners_before(knowledge.view).sub("", named)
                break


def is_kind(knowledge: Knowledge, word: str) -> bool:
    """Whether a word says of what type things are, in singular or plural, and there are some."""
    view = knowledge.view
    there = {kind for spec in view.objects.values() for kind in view.types.line(spec.type)}
    names = {name.lower() for kind in there for name in (kind, *_also(knowledge, kind))}
    return not names.isdisjoint(singulars(knowledge.view, word))


def _also(knowledge: Knowledge, kind: str) -> Iterable[str]:
    spec = knowledge.view.type_specs.get(kind)
    return () if spec is None else spec.also


def _begun_with(knowledge: Knowledge, text: str) -> str:
    """The phrase after the first words of a task's pattern that is no thing: ``fetch crate 99``."""
    for task in knowledge.tasks.values():
        for says in task.says:
            head, _, arguments = says.partition("<")
            if head.strip() and arguments and text.lower().startswith(head.lower()):
                phrase = place_words(knowledge.view).split(text[len(head) :])[0]
                return phrase if knowledge.words.thing(phrase) is None else ""
    return ""


def find_unknown_agents(knowledge: Knowledge, words: str) -> tuple[str, ...]:
    """Who is spoken to or of by a name that nobody has: ``stop R3``, ``Max should sweep``."""
    view, agents = knowledge.view, talk_agents(knowledge)
    verbs = any_of({said.split()[0] for task in knowledge.tasks.values() for said in task.says})
    found = stop_words_of(view).unknown_names(words, agents)
    found += QuestionLanguage(view).doers(words)
    found += re.findall(rf"(?:^|(?<=[.!?,] ))([A-Z]\w+) (?:{verbs})\b", words)
    own = {word for agent in agents for name in agent.names() for word in name.lower().split()}
    known = known_words(view) | own
    return tuple(n for n in dict.fromkeys(found) if known.isdisjoint(singulars(view, n.lower())))


def find_nearest_thing(knowledge: Knowledge, name: str) -> str:
    """The thing whose name is nearest to a name that nothing has; '' if none is near."""
    names = {word: thing for thing, spec in knowledge.view.objects.items() for word in spec.also}
    names |= {thing: thing for thing in knowledge.view.objects}
    near = find_nearest_name(name, names)
    return "" if near is None else names[near]


def find_nearest_name(name: str, names: Iterable[str]) -> str | None:
    """The name that is spelt nearly like another, with the same numbers; None if none is."""
    numbers = _NUMBER.findall(name)
    alike = [one for one in names if _NUMBER.findall(one) == numbers]
    near = difflib.get_close_matches(name.lower(), alike, 1, _NEAR)
    return near[0] if near else None


def find_tasks(knowledge: Knowledge, words: str) -> tuple[Task, ...]:
    """Tasks whose name or verb occurs in words."""
    found, articles = [], [[word] for word in language_of(knowledge.view).articles]
    for name, model in knowledge.tasks.items():
        verbs = {name, *(says.partition("<")[0].strip() for says in model.says)}
        verbs |= {verb.rpartition(" ")[0] for verb in verbs if verb.split()[-1:] in articles}
        if any(verb and re.search(rf"\b{re.escape(verb)}\b", words.lower()) for verb in verbs):
            task = knowledge.task(name)
            if task is not None:
                found.append(task)
    return tuple(found)
