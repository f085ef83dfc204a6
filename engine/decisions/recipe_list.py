"""A recipe in the words of a page, made a nested list of subtasks by a model: asked, and judged.

A list is sent back for what a model can mend: its form, things that are nearly called so, things
that are used and never fetched, or fetched too late. That no task has some words, or that the
kitchen lacks a thing, is for the person who reviews the recipe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treec.ask.transport import Answer
from treec.files.view import View
from treec.nodes.asking import parse_answer
from treec.plan.findings import not_fetched, turned
from treec.plan.link import Links
from treec.plan.meaning import Reader
from treec.plan.nested_list import Item, read_list
from treec.source.diagnostics import did_you_mean
from treec.source.text import SourceFile
from treec.systems.dag_plan.nodes.plan_ask import LONGEST, MOST_TOLD, SCHEMA, Refused, finding
from treec.team.knowledge import knowledge_of

FILE = "list.txt"
"""What a model's list is called in findings about it."""

_THE = re.compile(r"\bthe ")


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


def list_text(answer: Answer) -> str:
    """The list in an answer: of a JSON object, or in the midst of words. Raises Refused."""
    if len(answer.text) > LONGEST:
        raise Refused([f"the answer has {len(answer.text):,} characters: a list is shorter"])
    try:
        return str(parse_answer(answer, SCHEMA)["plan"]).rstrip() + "\n"
    except ValueError as error:
        if not read_list(SourceFile(FILE, answer.text)).items:
            raise Refused([str(error)]) from None
    return answer.text


def judge_list(text: str, view: View) -> Sequence[Item]:
    """The subtasks of a list that need not be sent back. Raises Refused."""
    file = SourceFile(FILE, text)
    read = read_list(file)
    wrong = [finding(problem, file) for problem in read.problems]
    if read.items:
        wrong += _wrong(read.items, file, view)
    if wrong:
        raise Refused(wrong[:MOST_TOLD])
    return read.items


def list_lines(items: Sequence[Item]) -> list[str]:
    """Each subtask with what comes right before it."""
    return [
        f"{item.id}, after {' and '.join(sorted(item.after))}" if item.after else item.id
        for item in items
    ]


def _wrong(items: Sequence[Item], file: SourceFile, view: View) -> Iterator[str]:
    knowledge = knowledge_of(view)
    things = [name for name, spec in view.objects.items() for name in (name, *spec.also)]
    for item in items:
        nearly = knowledge.words.nearly(item.words)
        if knowledge.words.match(item.words) is not None or nearly is None:
            continue
        near = did_you_mean(nearly[1].removeprefix("the "), things)
        if near is not None:
            yield f"line {item.span.line}, '{item.words}': did you mean '{near}'?"
    links = Links(
        Reader(knowledge),
        {item.id: item.words for item in items},
        {item.id: item.after for item in items},
    )
    spans = {item.id: item.span for item in items}
    for found in (*turned(links), *not_fetched(links, edges=False)):
        yield f"line {spans[found.id].line}, {found.message} ({found.help})"
