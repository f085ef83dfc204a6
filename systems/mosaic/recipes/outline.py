"""A recipe in the words of a page, made a nested list of subtasks by a model: asked, and judged.

A list is sent back for what a model can mend: its form, things that are nearly called so, things
that are used and never fetched, or fetched too late. That no task has some words, or that the
scene lacks a thing, is for the person who reviews the recipe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from py_trees.common import Status

from treec.ask.transport import Answer
from treec.files.entry import Entry
from treec.files.view import View
from treec.nodes.asking import NodeContext, RecordedDecision
from treec.nodes.draft import SCHEMA, DraftLeaf, DraftRefused, draft_question, draft_text
from treec.nodes.prompt import Question, read_answer
from treec.plan.findings import find_fetched_late, find_never_fetched
from treec.plan.link import Links
from treec.plan.meaning import SubtaskReader
from treec.source.diagnostics import did_you_mean
from treec.source.graph_findings import FindingKind, GraphFinding, file_finding
from treec.source.text import SourceFile
from treec.systems.mosaic.files import OutlineFile
from treec.systems.mosaic.recipes.nested_list import Item, read_list
from treec.team.knowledge import knowledge_of
from treec.world.journal import Record

FILE = "list.txt"
"""What a model's list is called in findings about it."""

UNKNOWN_THING = FindingKind("unknown_thing", None, "'{words}': did you mean '{near}'?", quotes=True)

_THE = re.compile(r"\bthe ")


class Outline(DraftLeaf[Sequence[Item]]):
    """Asks for the nested list of a recipe's subtasks.

    SUCCESS: there is a list that need not be sent back. FAILURE: there is none. RUNNING: it is
    asked for.
    """

    KIND = "outline"
    GIVEN = ("task", "objects", "description")
    OUTCOMES = ("list",)
    UNORDERED = ("list",)
    _items: Sequence[Item] = ()

    def work(self) -> Status:
        """Ask, and look at what comes back."""
        return self.ask() if self.exchange is None else self.look(self.exchange)

    def question(self) -> Question:
        """The list for the text of a page."""
        words = {**list_words(self.runtime.view), **self.args}
        return draft_question(self.runtime, self.entry, self.scope, words)

    def in_words(self, text: str) -> Mapping[str, Any] | None:
        """A list in the midst of prose."""
        return list_in_words(text)

    def parse(self, data: Mapping[str, Any]) -> Sequence[Item]:
        """The subtasks. Raises Refused, with findings."""
        return judge_list(list_text(data), self.runtime.view)

    def accept(self, parsed: Sequence[Item], by: str) -> Status:
        """SUCCESS: there is a list."""
        self._items, self.by = parsed, by
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """FAILURE: without a model nobody reads a page."""
        told = because or "no model is there to make one"
        return self.fail(f"there is no plan for '{self.args.get('task', '')}': {told}")

    def decided(self, told: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """Each subtask with what comes right before it."""
        return ({"list": list_lines(self._items)} if self._items else None), self.by

    @classmethod
    def for_case(cls, entry: Entry[OutlineFile], around: NodeContext) -> Outline:
        """It is asked about what the case gives."""
        return cls(entry.name, around.runtime, around.scope, entry, around.given)

    @classmethod
    def made(cls, record: Record) -> RecordedDecision | None:
        """None: no run makes outlines."""
        return None

    @classmethod
    def world_of(cls, entry: Entry[OutlineFile], views: Sequence[View]) -> View | None:
        """The first with recipes."""
        return next((view for view in views if view.all("recipe")), None)


def list_words(view: View) -> dict[str, object]:
    """What the texts of such a prompt are given: the ways in which tasks are asked for, things."""
    knowledge = knowledge_of(view)
    commands = []
    for task in knowledge.tasks.values():
        plain = next((says for says in task.says if not _THE.search(says)), None)
        if plain is not None or task.says:
            commands.append(f"{plain or task.says[0]}: {task.about}")
    by_type: dict[str, list[str]] = {}
    for name, spec in view.objects.items():
        by_type.setdefault(spec.type, []).append(name)
    things = [f"{kind}: {', '.join(names)}" for kind, names in by_type.items()]
    return {"constraints": [], "objects": things, "description": "", "commands": commands}


def list_in_words(text: str) -> Mapping[str, str] | None:
    """The data of an answer that holds a list and no JSON; None if there is no list in it."""
    return {"plan": text} if read_list(SourceFile(FILE, text)).items else None


def list_text(data: Mapping[str, Any]) -> str:
    """The list in an answer. Raises DraftRefused."""
    return draft_text(data, "list").rstrip() + "\n"


def readable_list(answer: str) -> str | None:
    """The list in an answer, whatever is wrong with its subtasks; None where there is none."""
    try:
        text = list_text(read_answer(Answer(answer, ""), SCHEMA, in_words=list_in_words))
    except ValueError:
        return None
    return text if read_list(SourceFile(FILE, text)).items else None


def judge_list(text: str, view: View) -> Sequence[Item]:
    """The subtasks of a list that need not be sent back. Raises DraftRefused."""
    file = SourceFile(FILE, text)
    read = read_list(file)
    wrong = [file_finding(problem) for problem in read.problems]
    if read.items:
        wrong += _wrong(read.items, view)
    if wrong:
        raise DraftRefused(wrong, file)
    return read.items


def list_lines(items: Sequence[Item]) -> list[str]:
    """Each subtask with what comes right before it."""
    return [
        f"{item.id}, after {' and '.join(sorted(item.after))}" if item.after else item.id
        for item in items
    ]


def _wrong(items: Sequence[Item], view: View) -> Iterator[GraphFinding]:
    knowledge = knowledge_of(view)
    things = [name for name, spec in view.objects.items() for name in (name, *spec.also)]
    for item in items:
        nearly = knowledge.words.nearly(item.words)
        if knowledge.words.match(item.words) is not None or nearly is None:
            continue
        near = did_you_mean(nearly[1].removeprefix("the "), things)
        if near is not None:
            yield UNKNOWN_THING.at(item.id, span=item.span, words=item.words, near=near)
    links = Links(
        SubtaskReader(knowledge),
        {item.id: item.words for item in items},
        {item.id: item.after for item in items},
    )
    spans = {item.id: item.span for item in items}
    for found in (*find_fetched_late(links), *find_never_fetched(links)):
        yield replace(found, span=spans[found.node])
