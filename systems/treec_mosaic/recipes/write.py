"""Write a recipe file from the items of a list, in a form that people can edit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from treec.frozen import frozen
from treec_mosaic.recipes.details import NOTHING, Details
from treec_mosaic.recipes.ingredients import IngredientLine
from treec_mosaic.recipes.link import SubtaskLink
from treec_mosaic.recipes.nested_list import Item
from treec_mosaic.recipes.page import DishFacts

WIDTH = 100
NOTHING_SAID = DishFacts()
_PLAIN = re.compile(r"[A-Za-z][\w'()/-]*(?: [\w'()/-]+)*")
_WORDS = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


@frozen
class RecipeText:
    """A recipe's text and the first line of each subtask in it."""

    text: str
    lines: Mapping[str, int]

    def subtask_at(self, line: int) -> str | None:
        """Return the subtask that a line belongs to; None above the first."""
        found = None
        for id, start in self.lines.items():
            if start <= line:
                found = id
        return found


def recipe_text(
    name: str,
    items: Sequence[Item],
    source: str,
    links: Iterable[SubtaskLink],
    taken: bool,
    facts: DishFacts = NOTHING_SAID,
    details: Mapping[str, Details] | None = None,
    ingredients: Iterable[IngredientLine] = (),
) -> RecipeText:
    """Render a recipe file; links are added to `after` if ``taken``, else written as comments."""
    by_id: dict[str, list[SubtaskLink]] = {}
    for link in links:
        by_id.setdefault(link.id, []).append(link)
    where = " ".join(source.split())
    lines = [
        f"# Read from {where} by 'treec recipe import'. Look it through, then run",
        f"# treec check {json.dumps(name, ensure_ascii=False)}",
        f"recipe: {scalar(name)}",
        *([f"about: {scalar(facts.about)}"] if facts.about else ()),
        *([f"serves: {facts.serves}"] if facts.serves else ()),
        *([f"language: {scalar(facts.language)}"] if facts.language else ()),
        *_ingredients(ingredients),
        "subtasks:",
    ]
    starts: dict[str, int] = {}
    for item in items:
        starts[item.id] = len(lines) + 1
        own = by_id.get(item.id, [])
        after = list(item.after)
        if taken:
            after += [link.before for link in own if link.before not in after]
        lines += _subtask(item, after, [] if taken else own, (details or {}).get(item.id, NOTHING))
    return RecipeText("\n".join(lines) + "\n", starts)


def _ingredients(ingredients: Iterable[IngredientLine]) -> Iterator[str]:
    for number, one in enumerate(ingredients):
        if not number:
            yield "parts:"
        values = {"name": one.name, "amount": one.amount, "note": one.note, "group": one.group}
        parts = [f"{key}: {scalar(value)}" for key, value in values.items() if value]
        yield f"  - {{{', '.join([*parts, *(['optional: true'] if one.optional else [])])}}}"


def _subtask(
    item: Item, after: Sequence[str], proposed: Sequence[SubtaskLink], details: Details
) -> list[str]:
    key = f"  {scalar(item.id)}:"
    parts = []
    if item.words != item.id:
        parts.append(f"do: {scalar(item.words)}")
    plain = ("optional", "takes")
    parts += [f"{k}: {v if k in plain else scalar(v)}" for k, v in details.written()]
    if after:
        parts.append(f"after: [{', '.join(scalar(id) for id in after)}]")
    line = f"{key} {{{', '.join(parts)}}}"
    if len(line) <= WIDTH and not proposed:
        return [line]
    lines = [key if parts else f"{key} {{}}"]
    lines += [f"    {part}" for part in parts[:-1]]
    if after and len(f"    {parts[-1]}") > WIDTH:
        lines += ["    after:", *(f"      - {scalar(id)}" for id in after)]
    elif parts:
        lines.append(f"    {parts[-1]}")
    lines += [f"    # proposed: after {link.before}, for {link.thing}" for link in proposed]
    return lines


def scalar(text: str) -> str:
    """Render a text as a YAML scalar, quoted unless it is plain words."""
    closed = text.count("(") == text.count(")")  # else a comma behind it ends no value
    if closed and _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)
