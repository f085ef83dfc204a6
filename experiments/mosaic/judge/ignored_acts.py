"""Promise 3, do not ignore the user: every act has an effect or a reply in time."""

from __future__ import annotations

from collections.abc import Iterator

from .ledger import ledger_at
from .story import Data, SaidWords, Story
from .text import about, calls, denies, is_question, sentences
from .verdict import IGNORING, BrokenPromise


def find_ignored(story: Story) -> Iterator[BrokenPromise]:
    """Find utterances with an act that had neither an effect nor a reply."""
    for utterance in story.said:
        missed = [
            why for act in utterance.acts if (why := _find_missed_acts(story, utterance, act))
        ]
        if missed:
            yield BrokenPromise(IGNORING, utterance.t, f"“{utterance.text}”: {'; '.join(missed)}")


def find_misunderstood(story: Story) -> Iterator[BrokenPromise]:
    """Find utterances that had a reply but not the effect that was possible.

    "Sorry, I did not get that" breaks no promise, but it is annoying. Impossible requests and
    questions are not counted.
    """
    for utterance in story.said:
        missed = [
            why
            for act in utterance.acts
            if not _is_out_of_reach(story, act)
            and (why := _find_missed_acts(story, utterance, act, replies=False))
        ]
        if missed:
            yield BrokenPromise(
                "misunderstood", utterance.t, f"“{utterance.text}”: {'; '.join(missed)}"
            )


def _is_out_of_reach(story: Story, act: Data) -> bool:
    if act["do"] == "request":
        requested_agent = story.agents if act.get("agent") is None else [str(act["agent"])]
        return not any(story.able(agent, act.get("task")) for agent in requested_agent)
    return act["do"] not in ("accept", "done", "choose")


def _find_missed_acts(story: Story, utterance: SaidWords, act: Data, replies: bool = True) -> str:
    """Why an act came to nothing; ``replies``: an explanation or a question counts, too."""
    match act["do"]:
        case "accept":
            missing = [
                p for p in act["proposals"] if not _is_accept_answered(story, utterance, p, replies)
            ]
            return ", ".join(f"{p['agent']} was not given “{p['subtask']}”" for p in missing)
        case "request":
            met = _is_request_answered(story, utterance, act, replies)
            return "" if met else f"“{act['words']}” came to nothing"
        case "done":
            missing = [
                id
                for id in act["subtasks"]
                if not _is_report_answered(story, utterance, id, replies)
            ]
            return ", ".join(f"“{id}” was not noted as done" for id in missing)
        case "choose":
            met = _is_choice_answered(story, utterance, str(act["recipe"]), replies)
            return "" if met else f"{act['recipe']} was not set"
        case "remark":
            return ""
    return "" if story.replies(utterance) else "no reply"


def _is_accept_answered(story: Story, utterance: SaidWords, offer: Data, replies: bool) -> bool:
    agent, id = str(offer["agent"]), str(offer["subtask"])
    before = ledger_at(story, utterance.t)
    if offer.get("drop"):
        return _is_drop_answered(story, utterance, id, replies)
    if before.has(agent, id) or (id in before.subtasks and before.subtasks[id].status == "done"):
        return True
    for event in story.until(utterance):
        if event.kind == "assigned" and event.data["agent"] == agent:
            if id in event.data["subtasks"]:
                return True
        elif event.kind == "subtask.done" and event.data["subtask"] == id:
            return True
    words = before.subtasks[id].words if id in before.subtasks else id
    return replies and _spoken_to(story, utterance, agent, words)


def _is_drop_answered(story: Story, utterance: SaidWords, id: str, replies: bool) -> bool:
    before = ledger_at(story, utterance.t).subtasks.get(id)
    if before is not None and before.status in ("done", "dropped"):
        return True
    if any(
        e.kind == "subtask.dropped" and id in e.data["subtasks"] for e in story.until(utterance)
    ):
        return True
    return replies and _spoken_to(story, utterance, None, before.words if before else id)


def _is_request_answered(story: Story, utterance: SaidWords, act: Data, replies: bool) -> bool:
    requested_agent = act.get("agent")
    for event in story.until(utterance):
        if event.kind != "assigned":
            continue
        matches = set(ledger_at(story, event.t).same(act)) & set(event.data["subtasks"])
        if matches and requested_agent in (None, event.data["agent"]):
            return True
    now = ledger_at(story, utterance.t)
    for id in now.same(act):
        if now.subtasks[id].status == "done" or (
            requested_agent and now.has(str(requested_agent), id)
        ):
            return True
    agent = str(requested_agent) if requested_agent else None
    return replies and _spoken_to(story, utterance, agent, str(act["words"]))


def _is_report_answered(story: Story, utterance: SaidWords, id: str, replies: bool) -> bool:
    if any(e.kind == "subtask.done" and e.data["subtask"] == id for e in story.until(utterance)):
        return True
    before = ledger_at(story, utterance.t).subtasks.get(id)
    if before is not None and before.status == "done":
        return True
    return replies and _spoken_to(story, utterance, None, before.words if before else id)


def _is_choice_answered(story: Story, utterance: SaidWords, recipe: str, replies: bool) -> bool:
    if any(e.kind == "recipe.set" and e.data["name"] == recipe for e in story.until(utterance)):
        return True
    if ledger_at(story, utterance.t).recipe == recipe:
        return True
    reply_sentences = [s for reply in story.replies(utterance) for s in sentences(reply.text)]
    return replies and any(_explains(sentence) for sentence in reply_sentences)


def _spoken_to(story: Story, utterance: SaidWords, agent: str | None, words: str) -> bool:
    """Whether a reply explains or asks about what was wanted: of whom, of what, or of all."""
    for reply in story.replies(utterance):
        for sentence in sentences(reply.text):
            if not _explains(sentence):
                continue
            named = agent is not None and calls(story, sentence, agent)
            general = any(p in sentence.lower() for p in ("sorry", "get that", "mean", "which"))
            if named or general or about(sentence, words):
                return True
    return False


def _explains(sentence: str) -> bool:
    return denies(sentence) or is_question(sentence) or " already" in sentence.lower()
