"""Why a run did what it did, in its report: what was said and heard, who decided what, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from treec.nodes.events import (
    Answered,
    AnswerRefused,
    Decided,
    Overruled,
    PassedOn,
    SkillForbidden,
    Unsaid,
)
from treec.render.page import PagePart
from treec.source.text import shorten
from treec.team.events import ActsRead, Said
from treec.world.events import ActionTaken, Commit, Event
from treec.world.journal import Record

HEAD = ("when", "who", "what", "why")
NOTE = (
    "A decision that repeats the one before it at the same node is left out. The numbers of rules "
    "count those of 'always' or 'offline' in the node's file."
)
RULES = {"always", "offline", "fallback", "only option"}


def decision_parts(records: Iterable[Record]) -> Iterator[PagePart]:
    """Yield the table of talk and decisions, unless nobody spoke and nothing was decided."""
    if rows := tuple(_rows(records)):
        yield PagePart("Talk and decisions", rows, HEAD, note=NOTE)


def _rows(records: Iterable[Record]) -> Iterator[tuple[str, ...]]:
    last: dict[str, Decided] = {}
    for record in records:
        event = record.event
        if isinstance(event, Decided):
            before, last[event.node] = last.get(event.node), event
            if before == event:
                continue
        for row in _of(event):
            yield f"{record.t:.1f} s", *row


def _of(event: Event) -> Iterator[tuple[str, str, str]]:
    match event:
        case Said(who, text):
            yield who, text, ""
        case Decided(node, choose, reasoning=reasoning, rule=rule):
            more = reasoning or _chances(event.probabilities)
            yield _name(node), choose, _by(event.who, rule) + (f": {more}" if more else "")
        case PassedOn(node, _, by, why):
            yield _name(node), f"{by} passes on", why
        case Commit(events=events, by=by, actions=actions, node=node) if node:
            for inner in events:
                if isinstance(inner, ActsRead):
                    yield from ((_name(node), _heard(act), by or "") for act in inner.acts)
            for taken in actions or ():
                if taken.action != "say":  # its words follow
                    why = _because(taken.args.get("because"))
                    yield _name(node), _call(taken), _by(by or "", taken.rule) + why
            yield from (row for inner in events if isinstance(inner, Said) for row in _of(inner))
        case Answered(node, refused=str(why), by=by, text=text):
            yield _name(node), f"refused: {shorten(text or '')}", f"{by}: {why}"
        case AnswerRefused(node, by, reason):
            yield _name(node), "nothing was done", f"{by}: {reason}"
        case Overruled(node, by, answer):
            yield _name(node), "the rules decide", f"{by} came to nothing: {shorten(answer)}"
        case Unsaid(node, by, why):
            yield _name(node), "not said", f"{by}: {why}"
        case SkillForbidden(contract, skill, agent, reason):
            yield agent, f"{skill} was stopped", f"contract '{contract}': {reason}"


def _name(node: str) -> str:
    return node.rpartition("/")[2]


def _by(by: str, rule: int | None) -> str:
    if by in RULES:
        return by if rule is None else f"{by}, rule {rule}"
    return by


def _chances(probabilities: Mapping[str, float] | None) -> str:
    """Probabilities in words, the highest first: `Wait 0.81, Go 0.19`."""
    ordered = sorted((probabilities or {}).items(), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {chance:.2f}" for name, chance in ordered)


def _heard(act: Mapping[str, object]) -> str:
    fields = {k: v for k, v in act.items() if k not in ("id", "kind", "quote", "utterance")}
    return f"heard {act['kind']}({_arguments(fields)}) in '{act['quote']}'"


def _call(taken: ActionTaken) -> str:
    return f"{taken.action}({_arguments({k: v for k, v in taken.args.items() if k != 'because'})})"


def _because(reason: object) -> str:
    if isinstance(reason, Mapping):  # an act: a part of what was said
        return f", because of '{reason['quote']}'"
    return f", because of {reason}" if reason else ""


def _arguments(args: Mapping[str, object]) -> str:
    return ", ".join(f"{k}: {_words(v)}" for k, v in args.items() if v is not False or k == "value")


def _words(value: object) -> str:
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(_words, value)) + "]"
    return str(value)
