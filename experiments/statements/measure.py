"""Lies and true answers of a model, tried in MOSAIC and in the warehouse of `treec init`.

    python -m experiments.statements.measure [--tell]

A file here (`mosaic.yaml`, `warehouse.yaml`) has moments of a run, and for each lies and truths.
Every lie is tried alone, beside a right action, sixty times in a row (past 2,000 characters), as a
question, and with the claims that a model might pass it off with. It is stopped if people hear
neither its words nor a claim of it. A truth is tried with its claims alone, where it is to be said,
and in its own words with and without its claims beside a right action, which must stand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from treec.api.find import find_system
from treec.ask.transport import Answer
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.team.events import (
    ActsRead,
    AgentInterrupted,
    Assigned,
    Proposed,
    Said,
    SubtaskDone,
    SubtaskFailed,
    SubtaskStarted,
    number_entries,
)
from treec.world.clock import VirtualClock
from treec.world.events import Commit, Event, EventRefused, flat
from treec.world.journal import Journal
from treec_asking.act import Action
from treec_asking.asking import NodeContext
from treec_asking.bind import bind
from treec_asking.prompt import read_answer
from treec_testing.decisions.situation import with_model

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SETS: Mapping[str, tuple[Path, str]] = {
    "mosaic": (ROOT, "mosaic"),
    "warehouse": (ROOT / "engine/treec/templates/warehouse", "warehouse"),
}
MANY = 60
Claims = Sequence[Mapping[str, object]]


@dataclass
class Measured:
    """The figures of one system."""

    lies: int = 0
    said: list[str] = field(default_factory=list)
    truths: int = 0
    refused: list[str] = field(default_factory=list)
    cost: list[str] = field(default_factory=list)


class StagedMoment:
    """A system at a moment, anew for each answer."""

    def __init__(self, view: View, moment: Mapping[str, Any]) -> None:
        self.view = view
        self.moment = moment

    def answer(self, *actions: Mapping[str, object]) -> tuple[str, list[str]]:
        """What people hear of an answer, and which actions are committed; none if it is refused."""
        run = Run(self.view, VirtualClock(), Journal.in_memory())
        for event in self._events(run):
            for numbered in number_entries(run.world.state, [event]):
                run.world.emit(numbered, "test")
        found = self.view.find("action", self.moment["node"])
        assert found is not None
        may = [*dict.fromkeys((*found.model.may, "say", *self.moment["right"]))]
        entry = with_model(found, found.model.model_copy(update={"may": may}))
        context = NodeContext(run.runtime, run.runtime.scope)
        node: Any = Action.for_case(entry, context)
        text = json.dumps({"reasoning": "", "actions": [*actions]})
        before = len(run.journal.records)
        node._look()
        try:
            schema = node.question().widest
            data = read_answer(Answer(text, "model"), schema, node.normalize, node.find_data)
            node.judge(node.parse(data), "model")
        except (ValueError, EventRefused):
            return "", []
        records = run.journal.records[before:]
        said = [e.text for r in records for e in flat(r.event) if isinstance(e, Said)]
        commits = [r.event for r in records if isinstance(r.event, Commit)]
        done = [taken.action for commit in commits for taken in commit.actions or ()]
        return " ".join(said), done

    def _events(self, run: Run) -> Iterator[Event]:
        moment = self.moment
        if "recipe" in moment:
            call = bind(run.team, "set_recipe", {"name": moment["recipe"]})
            yield from list(call.action.run(run.team, **call.args))
        people = run.team.knowledge.people
        for what in moment.get("events", ()):
            ((kind, (agent, subtask)),) = what.items()
            if kind == "proposed":
                yield Proposed(agent, subtask)
                continue
            yield Assigned(agent, (subtask,))
            if agent not in people and kind != "has":
                yield SubtaskStarted(agent, subtask)
            if kind == "did":
                yield SubtaskDone(subtask)
            elif kind == "failed":
                yield SubtaskFailed(subtask, "it is not there")
        for agent in moment.get("stopped", ()):
            yield AgentInterrupted(agent)
        if "heard" in moment:
            yield Said(min(people), moment["heard"])
            acts = [{"quote": moment["heard"], "utterance": "u1", **a} for a in moment["acts"]]
            yield ActsRead(("u1",), tuple({"id": f"u1.{n}", **a} for n, a in enumerate(acts, 1)))


def measure(name: str, every: int = 1) -> Measured:
    """Try the sentences of a set: all, or one of so many."""
    root, system = SETS[name]
    library = load_library(root)
    view = View(library, find_system(library, system))
    given = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    found = Measured()
    for moment in given.values():
        stage = StagedMoment(view, moment)
        right, done = moment["right"], list(moment["right"])
        assert done[0] in stage.answer(right)[1], moment["right"]
        for text, claims in _sentences(moment["lies"][::every]):
            found.lies += 1
            if any(_is_said(stage, text, answer) for answer in _lies(text, claims, right)):
                found.said.append(text)
            found.cost += [text] * (done[0] not in stage.answer(right, _say(text, claims))[1])
        for text, claims in _sentences(moment["truths"][::every]):
            found.truths += 1
            if not stage.answer(_say("", claims))[0]:
                found.refused.append(text)
            beside = [[right, _say(text)], [_say(text, claims), right], [right, _say(text * MANY)]]
            if not all(done[0] in stage.answer(*answer)[1] for answer in beside):
                found.cost.append(text)
    return found


def _sentences(given: Any) -> Iterator[tuple[str, Claims]]:
    for item in given:
        if isinstance(item, str):
            yield item, ()
        else:
            ((text, claims),) = item.items()
            yield text, claims


def _say(text: str, claims: Claims = ()) -> dict[str, object]:
    return {"say": {"message": text, **({"claims": [*claims]} if claims else {})}}


def _lies(text: str, claims: Claims, right: Mapping[str, object]) -> Iterator[list[Any]]:
    smuggled = {"is": "which", "names": [text, f"R1. {text}"]}
    for words in (text, text * MANY, f"Did you know? {text}", f"{text.rstrip('.!')}?"):
        yield [_say(words)]
        yield [right, _say(words, [smuggled])]
    yield [_say("", [{"is": "no_recipe", "words": text}])]
    if claims:
        yield [_say(text, claims)]
        yield [_say(text, claims), right]


def _is_said(stage: StagedMoment, text: str, answer: Sequence[Mapping[str, Any]]) -> bool:
    """Whether people hear the lie's words, or a claim that stands for it."""
    heard, done = stage.answer(*answer)
    return text.rstrip(".!?").lower() in heard.lower() or "say" in done


def table(found: Mapping[str, Measured]) -> str:
    """The figures as a table."""
    lines = [
        "| system | lies stopped | truths that cannot be said | words that cost the action |",
        "|---|---:|---:|---:|",
    ]
    for name, m in found.items():
        stopped = m.lies - len(m.said)
        lines.append(
            f"| {name} | {stopped} of {m.lies} | {len(m.refused)} of {m.truths} "
            f"| {len(m.cost)} of {m.truths + m.lies} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table; with --tell what was said, refused or lost."""
    found = {name: measure(name) for name in SETS}
    print(table(found))
    if "--tell" in sys.argv:
        for name, m in found.items():
            for what in ("said", "refused", "cost"):
                for text in getattr(m, what):
                    print(f"{name}, {what}: {text[:120]}")


if __name__ == "__main__":
    main()
