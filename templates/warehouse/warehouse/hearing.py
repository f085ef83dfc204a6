"""What the operator did with their words, without a model: a few patterns.

This hears orders in the words of the tasks' files (`says`), names of orders, yes and no, stop and
go on, and questions. What fits nothing is a remark, and the assistant asks back.
"""

from __future__ import annotations

import re

from treec import TalkContext

ACTS = ("accept", "decline", "request", "release", "stop", "resume", "choose", "ask", "remark")
"""The kinds of acts that it can give, for `treec check`."""

ARTICLES = r"(?:the |a |an )?"
YES = r"(?:yes|yeah|ok|okay|sure|go ahead|do it|please do)\b"
NO = r"(?:no|not now|not yet|don't|rather not)\b"
STOP = r"\b(?:stop|halt|freeze)\b"
RESUME = r"\b(?:go on|carry on|continue|resume)\b"
RELEASE = r"\bleave (?:it|that|this)\b.*\b(?:somebody|someone) else\b"
QUESTION = r"^(?:what|who|where|how|which|when|is|are|can)\b|\?$"
SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]?")


def read(text: str, context: TalkContext) -> list[dict[str, object]]:
    """The acts in a text, in order; each quotes the sentence that it rests on."""
    acts: list[dict[str, object]] = []
    for sentence in SENTENCE.findall(text[:2000]):
        quote = sentence.strip()
        if quote:
            act = _act(quote.lower(), context) or {"kind": "remark"}
            acts.append({"quote": quote, **act})
    return acts


def _act(words: str, context: TalkContext) -> dict[str, object] | None:
    agent = _agent(words, context)
    if re.search(STOP, words):
        return {"kind": "stop", "agent": agent}
    if re.search(RESUME, words) and any(a.stopped for a in context.agents):
        return {"kind": "resume", "agent": agent}
    if agent is not None and re.search(RELEASE, words):
        theirs = [s.id for s in context.subtasks if s.agent == agent and s.status == "running"]
        return {"kind": "release", "subtasks": theirs} if theirs else None
    open_proposals = [p.id for p in context.proposals]
    if open_proposals and re.match(YES, words):
        return {"kind": "accept", "proposals": open_proposals}
    if open_proposals and re.match(NO, words):
        return {"kind": "decline", "proposals": open_proposals}
    if re.search(QUESTION, words):
        return {"kind": "ask", "about": words}
    for name in context.recipes:
        if name.lower() in words:
            return {"kind": "choose", "recipe": name}
    return _request(words, agent, context)


def _agent(words: str, context: TalkContext) -> str | None:
    """The robot that is named, if one is."""
    for agent in context.agents:
        names = (agent.name.lower(), *(name.lower() for name in agent.also))
        if not agent.person and any(re.search(rf"\b{re.escape(n)}\b", words) for n in names):
            return agent.name
    return None


def _request(words: str, agent: str | None, context: TalkContext) -> dict[str, object] | None:
    """An order in the words of a task, with the things that it names."""
    first = bool(re.search(r"\bfirst\b", words))
    for task in context.tasks:
        for says in sorted(task.says, key=len, reverse=True):
            found = re.search(_pattern(says), words)
            if found is None:
                continue
            named = found.groupdict().items()
            args = {name: _thing(said, task.args[name], context) for name, said in named}
            if None not in args.values():
                act = {"kind": "request", "agent": agent, "task": task.name}
                return {**act, "args": args, "first": first}
    return None


def _pattern(says: str) -> str:
    """A task's words as a regular expression; an argument may have an article."""
    words = re.escape(says).replace("\\ ", " ")
    arguments = re.sub(r"<(\w+)>", rf"{ARTICLES}(?P<\1>.+?)", words)
    return rf"\b{arguments}(?: first)?[.!;]?$"


def _thing(said: str, kind: str, context: TalkContext) -> str | None:
    """The object of a type that goes by this name."""
    for thing in context.objects:
        if kind in thing.types and said in (thing.name.lower(), *(n.lower() for n in thing.also)):
            return thing.name
    return None
