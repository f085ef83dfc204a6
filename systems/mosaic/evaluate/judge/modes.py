"""Judge each planned interaction by the criterion of its mode (MOSAIC, appendix H)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .ledger import ledger_at
from .story import Data, SaidWords, Story, StoryEvent, recipe_chosen
from .text import about, calls, denies, is_question, recipes_named, sentences
from .verdict import InteractionResult

EXTRA_WITHIN = 60.0
"""Seconds for work outside the recipe: the planner may propose it first, and the user agree."""


def judge_interactions(story: Story) -> Iterator[InteractionResult]:
    """The planned interactions, each judged."""
    checks = {"A": _vague, "B": _unknown, "C": _other_agent, "D": _extra}
    for planned in story.head["interactions"]:
        id, mode = str(planned["id"]), str(planned["mode"])
        words = story.of(id)
        if not words:
            yield InteractionResult(id, mode, False, False, "it did not come to this")
            continue
        why = checks[mode](story, words[0])
        yield InteractionResult(
            id, mode, why == "", True, f"“{words[0].text}”: {why}" if why else ""
        )


def _vague(story: Story, said: SaidWords) -> str:
    """A: a fitting recipe is named, or a question asked; then what the user chose is set."""
    fitting = set(_act(said, "describe")["fitting"])
    replies = story.replies(said)
    set_at_once = _set_between(story, said, story.next_words(said))
    if set_at_once is not None:
        only = fitting == {set_at_once.data["name"]}
        return "" if only else f"{set_at_once.data['name']} was set and nobody chose it"
    if not replies:
        return "no reply"
    named = set(recipes_named(story, replies))
    asks = any(is_question(s) for reply in replies for s in sentences(reply.text))
    if not (named & fitting or asks):
        return f"no fitting recipe named and nothing asked: {_shown(replies)}"
    return _chosen(story, said)


def _unknown(story: Story, said: SaidWords) -> str:
    """B: it says that there is no such recipe and names one that exists; the choice is set."""
    dish = str(_act(said, "choose_unknown")["dish"])
    replies = story.replies(said)
    set_at_once = _set_between(story, said, story.next_words(said))
    if set_at_once is not None:
        return f"{set_at_once.data['name']} was set and nobody chose it"
    if not replies:
        return "no reply"
    if not any(_denies_dish(s, dish) for reply in replies for s in sentences(reply.text)):
        return f"it does not say that there is no {dish}: {_shown(replies)}"
    if not recipes_named(story, replies):
        return f"no recipe that exists was suggested: {_shown(replies)}"
    return _chosen(story, said)


def _chosen(story: Story, said: SaidWords) -> str:
    """Whether the first recipe that is set afterwards is the user's choice, in time."""
    first = next(
        (e for e in story.events[said.order :] if e.kind == "recipe.set"),
        None,
    )
    choices = [
        (s, dish)
        for s in story.said
        if s.person and s.order > said.order
        for act in s.acts
        for dish in recipe_chosen(act)
    ]
    if not choices:
        return "the user never came to choose"
    words, choice = choices[0]
    if any(e.kind == "recipe.set" and e.data["name"] == choice for e in story.until(words)):
        assert first is not None
        wrong = first.data["name"] != choice
        return f"{first.data['name']} was set before the choice" if wrong else ""
    return f"the choice “{words.text}” was not set: {_shown(story.replies(words)) or 'no reply'}"


def _set_between(story: Story, said: SaidWords, after: SaidWords | None) -> StoryEvent | None:
    end = after.order if after else len(story.events)
    events = story.events[said.order : end]
    return next((event for event in events if event.kind == "recipe.set"), None)


def _other_agent(story: Story, said: SaidWords) -> str:
    """C: whom the user asked for has it; if they cannot, it says so and offers somebody who can."""
    act = _act(said, "request")
    id, agent = str(act["subtask"]), str(act["agent"])
    given = [str(e.data["agent"]) for e in _assignments(story, said, id)]
    if story.able(agent, act.get("task")):
        if agent in given and given[-1] == agent:
            return ""
        if given:
            return f"{id} went to {given[-1]}, not to {agent}"
        return f"{id} was not given to {agent}: {_shown(story.replies(said)) or 'no reply'}"
    if agent in given:
        return f"{id} was given to {agent}, who cannot"
    replies = story.replies(said)
    told = [s for reply in replies for s in sentences(reply.text)]
    if not any(_denies_ability(story, sentence, agent, act) for sentence in told):
        return f"it does not say that {agent} cannot: {_shown(replies) or 'no reply'}"
    if not _offered(story, said, act, replies):
        return f"nobody who can was offered: {_shown(replies)}"
    return ""


def _offered(story: Story, said: SaidWords, act: Data, replies: list[SaidWords]) -> bool:
    """Whether somebody who can was proposed or named for a subtask."""
    for event in story.until(said):
        proposed = event.kind == "proposed" and not event.data.get("drop")
        fits = proposed and event.data["subtask"] == act["subtask"]
        if fits and story.able(str(event.data["agent"]), act.get("task")):
            return True
    able = [a for a in story.agents if story.able(a, act.get("task")) and a != act["agent"]]
    told = [s for reply in replies for s in sentences(reply.text)]
    return any(
        calls(story, sentence, agent)
        and (is_question(sentence) or " can" in sentence.lower())
        and not _elsewhere(story, said, sentence, str(act["words"]))
        for sentence in told
        for agent in able
    )


def _elsewhere(story: Story, said: SaidWords, sentence: str, words: str) -> bool:
    """Whether a sentence speaks of other work than this."""
    works = ledger_at(story, said.t).subtasks.values()
    return not about(sentence, words) and any(about(sentence, work.words) for work in works)


def _denies_ability(story: Story, sentence: str, agent: str, act: Data) -> bool:
    """'R1 cannot', 'no robot can', 'that is not possible'; to have understood nothing is none."""
    everybody = re.search(r"\b(?:no robot|nobody|no one|neither|none)\b", sentence, re.IGNORECASE)
    of_it = calls(story, sentence, agent) or everybody or about(sentence, str(act["words"]))
    return denies(sentence) and bool(of_it)


def _denies_dish(sentence: str, dish: str) -> bool:
    """'I don't know lasagne', 'no such recipe'; to have understood nothing is none."""
    named = dish.lower() in sentence.lower()
    known = re.search(r"\b(?:recipes?|dish|know|have|list|menu|make|cook)\b", sentence)
    return denies(sentence) and (named or known is not None)


def _extra(story: Story, said: SaidWords) -> str:
    """D: it is given to somebody who can; to whom the user named, when they can."""
    act = _act(said, "request")
    given: list[str] = []
    for event in story.until(said, EXTRA_WITHIN):
        if event.kind == "assigned":
            meant = set(ledger_at(story, event.t).same(act))
            if meant & set(event.data["subtasks"]):
                given.append(str(event.data["agent"]))
    if not given:
        return f"“{act['words']}” was given to nobody: {_shown(story.replies(said)) or 'no reply'}"
    unable = [agent for agent in given if not story.able(agent, act.get("task"))]
    if unable:
        return f"“{act['words']}” was given to {unable[0]}, who cannot"
    wanted = act.get("agent")
    if wanted is not None and given[0] != wanted and story.able(str(wanted), act.get("task")):
        return f"“{act['words']}” was given to {given[0]}, not to {wanted}"
    return ""


def _assignments(story: Story, said: SaidWords, id: str) -> Iterator[StoryEvent]:
    """Who was given a subtask before the user spoke again, in time."""
    after = story.next_words(said)
    for event in story.until(said):
        if after is not None and event.order > after.order:
            return
        if event.kind == "assigned" and id in event.data["subtasks"]:
            yield event


def _act(said: SaidWords, do: str) -> Data:
    return next(act for act in said.acts if act["do"] == do)


def _shown(replies: list[SaidWords]) -> str:
    return " ".join(f"“{reply.text}”" for reply in replies)
