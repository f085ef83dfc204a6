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
    checks = {"A": _vague, "B": _unknown, "C": _other_agent, "D": _extra, "E": _interruption}
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


def _vague(story: Story, utterance: SaidWords) -> str:
    """A: a fitting recipe is named, or a question asked; then what the user chose is set."""
    fitting = set(_act(utterance, "describe")["fitting"])
    replies = story.replies(utterance)
    set_at_once = _set_between(story, utterance, story.next_words(utterance))
    if set_at_once is not None:
        only = fitting == {set_at_once.data["name"]}
        return "" if only else f"{set_at_once.data['name']} was set and nobody chose it"
    if not replies:
        return "no reply"
    named = set(recipes_named(story, replies))
    asks = any(is_question(s) for reply in replies for s in sentences(reply.text))
    if not (named & fitting or asks):
        return f"no fitting recipe named and nothing asked: {_quote(replies)}"
    return _check_chosen(story, utterance)


def _unknown(story: Story, utterance: SaidWords) -> str:
    """B: it says that there is no such recipe and names one that exists; the choice is set."""
    dish = str(_act(utterance, "choose_unknown")["dish"])
    replies = story.replies(utterance)
    set_at_once = _set_between(story, utterance, story.next_words(utterance))
    if set_at_once is not None:
        return f"{set_at_once.data['name']} was set and nobody chose it"
    if not replies:
        return "no reply"
    if not any(_denies_dish(s, dish) for reply in replies for s in sentences(reply.text)):
        return f"it does not say that there is no {dish}: {_quote(replies)}"
    if not recipes_named(story, replies):
        return f"no recipe that exists was suggested: {_quote(replies)}"
    return _check_chosen(story, utterance)


def _check_chosen(story: Story, utterance: SaidWords) -> str:
    """Whether the first recipe that is set afterwards is the user's choice, in time."""
    first = next(
        (e for e in story.events[utterance.order :] if e.kind == "recipe.set"),
        None,
    )
    choices = [
        (s, dish)
        for s in story.said
        if s.person and s.order > utterance.order
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
    return f"the choice “{words.text}” was not set: {_quote(story.replies(words)) or 'no reply'}"


def _set_between(story: Story, utterance: SaidWords, after: SaidWords | None) -> StoryEvent | None:
    end = after.order if after else len(story.events)
    events = story.events[utterance.order : end]
    return next((event for event in events if event.kind == "recipe.set"), None)


def _other_agent(story: Story, utterance: SaidWords) -> str:
    """C: whom the user asked for has it; if they cannot, it says so and offers somebody who can."""
    act = _act(utterance, "request")
    id, agent = str(act["subtask"]), str(act["agent"])
    assignees = [str(e.data["agent"]) for e in _assignments(story, utterance, id)]
    if story.able(agent, act.get("task")):
        if agent in assignees and assignees[-1] == agent:
            return ""
        if assignees:
            return f"{id} went to {assignees[-1]}, not to {agent}"
        return f"{id} was not given to {agent}: {_quote(story.replies(utterance)) or 'no reply'}"
    if agent in assignees:
        return f"{id} was given to {agent}, who cannot"
    replies = story.replies(utterance)
    sentences_said = [s for reply in replies for s in sentences(reply.text)]
    if not any(_denies_ability(story, sentence, agent, act) for sentence in sentences_said):
        return f"it does not say that {agent} cannot: {_quote(replies) or 'no reply'}"
    if not _is_offered(story, utterance, act, replies):
        return f"nobody who can was offered: {_quote(replies)}"
    return ""


def _is_offered(story: Story, utterance: SaidWords, act: Data, replies: list[SaidWords]) -> bool:
    """Whether somebody who can was proposed or named for a subtask."""
    for event in story.until(utterance):
        proposed = event.kind == "proposed" and not event.data.get("drop")
        fits = proposed and event.data["subtask"] == act["subtask"]
        if fits and story.able(str(event.data["agent"]), act.get("task")):
            return True
    able = [a for a in story.agents if story.able(a, act.get("task")) and a != act["agent"]]
    sentences_said = [s for reply in replies for s in sentences(reply.text)]
    return any(
        calls(story, sentence, agent)
        and (is_question(sentence) or " can" in sentence.lower())
        and not _elsewhere(story, utterance, sentence, str(act["words"]))
        for sentence in sentences_said
        for agent in able
    )


def _elsewhere(story: Story, utterance: SaidWords, sentence: str, words: str) -> bool:
    """Whether a sentence speaks of other work than this."""
    works = ledger_at(story, utterance.t).subtasks.values()
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


def _extra(story: Story, utterance: SaidWords) -> str:
    """D: it is given to somebody who can; to whom the user named, when they can."""
    act = _act(utterance, "request")
    assignees: list[str] = []
    for event in story.until(utterance, EXTRA_WITHIN):
        if event.kind == "assigned":
            matches = set(ledger_at(story, event.t).same(act))
            if matches & set(event.data["subtasks"]):
                assignees.append(str(event.data["agent"]))
    if not assignees:
        replies = _quote(story.replies(utterance)) or "no reply"
        return f"“{act['words']}” was given to nobody: {replies}"
    unable = [agent for agent in assignees if not story.able(agent, act.get("task"))]
    if unable:
        return f"“{act['words']}” was given to {unable[0]}, who cannot"
    target = act.get("agent")
    if target is not None and assignees[0] != target and story.able(str(target), act.get("task")):
        return f"“{act['words']}” was given to {assignees[0]}, not to {target}"
    return ""


def _interruption(story: Story, utterance: SaidWords) -> str:
    """E: the robot stops; and goes on when the user has said so. One that was done need not."""
    act, before = _act(utterance, "stop"), ledger_at(story, utterance.t)
    done = {e.data["subtask"] for e in story.until(utterance) if e.kind == "subtask.done"}
    stopped = {e.data["agent"] for e in story.until(utterance) if e.kind == "agent.interrupted"}
    for agent, subtask in before.current.items():
        if act.get("agent") in (None, agent) and not ({agent} & stopped or {subtask} & done):
            return f"{agent} was not stopped: {_quote(story.replies(utterance)) or 'no reply'}"
    for words in story.of(str(utterance.interaction))[1:]:
        stands = ledger_at(story, words.t).stopped
        wanted = str(_act(words, "resume").get("agent") or "")
        resumed = {e.data["agent"] for e in story.until(words) if e.kind == "agent.resumed"}
        for agent in ({wanted} & stands if wanted else stands) - resumed:
            return f"{agent} did not go on: {_quote(story.replies(words)) or 'no reply'}"
    return ""


def _assignments(story: Story, utterance: SaidWords, id: str) -> Iterator[StoryEvent]:
    """Who was given a subtask before the user spoke again, in time."""
    after = story.next_words(utterance)
    for event in story.until(utterance):
        if after is not None and event.order > after.order:
            return
        if event.kind == "assigned" and id in event.data["subtasks"]:
            yield event


def _act(utterance: SaidWords, do: str) -> Data:
    return next(act for act in utterance.acts if act["do"] == do)


def _quote(replies: list[SaidWords]) -> str:
    return " ".join(f"“{reply.text}”" for reply in replies)
