"""Ask a model for a recipe as a list of subtasks, and validate its answer.

A list is refused for what a model can repair: its form, misspelt things, and things that are used
but fetched never or too late, or prepared in no fixed order with their use. Words without a task
and things that the scene lacks are left to the person who reviews the recipe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from py_trees.common import Status

from treec.ask.transport import Answer
from treec.check.task_words import spared_words
from treec.files.entry import Entry
from treec.files.view import View
from treec.source.diagnostics import likely_meant
from treec.source.text import SourceFile
from treec.team.knowledge import knowledge_of
from treec.world.journal import Record
from treec_asking.asking import NodeContext
from treec_asking.prompt import Question, read_answer
from treec_kitchen.draft import SCHEMA, DraftLeaf, DraftRefused, draft_question, draft_text
from treec_kitchen.graph_findings import FindingKind, GraphFinding, file_finding
from treec_mosaic.files import OutlinePlan
from treec_mosaic.recipes.details import detailed, subtasks_of, without_details
from treec_mosaic.recipes.fetching import find_fetched_late, find_never_fetched
from treec_mosaic.recipes.findings import find_use_unprepared
from treec_mosaic.recipes.ingredients import read_ingredients
from treec_mosaic.recipes.link import Links
from treec_mosaic.recipes.nested_list import Item, read_list
from treec_mosaic.recipes.page import read_facts
from treec_mosaic.recipes.subtask_reader import SubtaskReader

FILE = "list.txt"
"""The name of a model's list in findings."""

UNKNOWN_THING = FindingKind("unknown_thing", None, "'{words}': did you mean '{near}'?", quotes=True)

_THE = re.compile(r"\bthe ")


class Outline(DraftLeaf[Sequence[Item]]):
    """Asks for the list of a recipe's subtasks.

    SUCCESS: a list was accepted. FAILURE: none was. RUNNING: a request is in progress.
    """

    GIVEN = ("task", "objects", "description")
    OUTCOMES = ("list",)
    UNORDERED = ("list",)
    _items: Sequence[Item] = ()

    def work(self) -> Status:
        """Send the request, or process its response."""
        return self.ask() if self.exchange is None else self.look(self.exchange)

    def question(self) -> Question:
        """Return the question for the text of a page."""
        words = {**list_words(self.runtime.view), **self.args}
        return draft_question(self.runtime, self.entry, self.scope, words)

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """Return the data of a list in prose, or None."""
        return find_list(text)

    def parse(self, data: Mapping[str, Any]) -> Sequence[Item]:
        """Return the subtasks. Raises DraftRefused."""
        page = str(self.args.get("description", ""))
        return judge_list(list_text(data), self.runtime.view, page)

    def accept(self, parsed: Sequence[Item], by: str) -> Status:
        """SUCCESS: a list was accepted."""
        self._items, self.by = parsed, by
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """FAILURE: pages are read by models only."""
        reason = because or "there is no model to make one"
        return self.fail(f"no plan for '{self.args.get('task', '')}': {reason}")

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """Return each subtask with its predecessors."""
        return ({"list": list_lines(self._items)} if self._items else None), self.by

    @classmethod
    def for_case(cls, entry: Entry[OutlinePlan], around: NodeContext) -> Outline:
        """Build the leaf for a decision test."""
        return cls(entry.name, around.runtime, around.scope, entry, around.given)

    @classmethod
    def world_of(cls, entry: Entry[OutlinePlan], views: Sequence[View]) -> View | None:
        """Return the first view with recipes."""
        return next((view for view in views if view.all("recipe")), None)


def list_words(view: View) -> dict[str, object]:
    """Return the prompt's variables: the commands of tasks, and the objects by type."""
    knowledge = knowledge_of(view)
    commands = []
    for task in knowledge.tasks.values():
        plain = next((says for says in task.says if not _THE.search(says)), None)
        if plain is not None or task.says:
            commands.append(f"{plain or task.says[0]}: {task.about}")
    things = [*knowledge.thing_lines()]
    return {"constraints": [], "objects": things, "description": "", "commands": commands}


def find_list(text: str) -> Mapping[str, str] | None:
    """Return the data of an answer without JSON that contains a list, else None."""
    return {"plan": text} if read_list(SourceFile(FILE, text)).items else None


def list_text(data: Mapping[str, Any]) -> str:
    """Return the list in an answer. Raises DraftRefused."""
    return draft_text(data, "list").rstrip() + "\n"


def readable_list(answer: str) -> str | None:
    """Return the list in an answer, valid or not; None if there is none."""
    try:
        text = list_text(read_answer(Answer(answer, ""), SCHEMA, find_data=find_list))
    except ValueError:
        return None
    return text if read_list(SourceFile(FILE, text)).items else None


def judge_list(text: str, view: View, page: str = "") -> Sequence[Item]:
    """Validate a list of the recipe on a page and return its subtasks. Raises DraftRefused."""
    file = SourceFile(FILE, text)
    read = read_list(file, without_details(knowledge_of(view)))
    wrong = [file_finding(problem) for problem in read.problems]
    if read.items:
        wrong += _wrong(read.items, view, page)
    if wrong:
        raise DraftRefused(wrong, file)
    return read.items


def list_lines(items: Sequence[Item]) -> list[str]:
    """Return each subtask with its predecessors, as text."""
    return [
        f"{item.id}, after {' and '.join(sorted(item.after))}" if item.after else item.id
        for item in items
    ]


def _wrong(items: Sequence[Item], view: View, page: str) -> Iterator[GraphFinding]:
    names = [one.name for one in read_ingredients(page)]
    spared = spared_words(view, read_facts(page).language, names)
    knowledge = knowledge_of(view)
    things = [name for name, spec in view.objects.items() for name in (name, *spec.also)]
    items, details = detailed(items, knowledge)
    for item in items:
        nearly = knowledge.words.nearly(item.words)
        if knowledge.words.match(item.words) is not None or nearly is None or spared(nearly[1]):
            continue
        near = likely_meant(nearly[1].removeprefix("the "), things)
        if near is not None and ". " not in item.words:
            yield UNKNOWN_THING.at(item.id, span=item.span, words=item.words, near=near)
    links = Links(SubtaskReader(knowledge), subtasks_of(items, details))
    spans = {item.id: item.span for item in items}
    late = (*find_fetched_late(links), *find_never_fetched(links), *find_use_unprepared(links))
    for found in late:
        yield replace(found, span=spans[found.node])
