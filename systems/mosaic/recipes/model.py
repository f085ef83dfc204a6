"""``treec recipe import PAGE --model M``: a page's recipe made a nested list by a model.

What the page says is data in the prompt, marked as such. The answer is judged, and asked for again
with what is wrong with it; a list that is left with faults is written all the same, since somebody
looks it through before it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.cli.model_options import open_chosen
from treec.run.model_choice import ModelOptions

if TYPE_CHECKING:
    from treec.ask.models import ModelTransport
    from treec.decisions.situation import DecisionResult
    from treec.files.entry import AnyEntry
    from treec.files.view import View
    from treec.systems.mosaic.recipes.page import Page

LONGEST = 20_000
"""Characters of a page's ingredients and instructions that a model is given."""


@dataclass(frozen=True, slots=True)
class RecipeAnswer:
    """The list that a model gave, who it was, and what each answer that was refused came to."""

    text: str
    by: str
    verdicts: tuple[str, ...]
    accepted: bool


def ask_for_list(
    view: View, page: Page, title: str, options: ModelOptions, tell: Callable[[str], None] = print
) -> RecipeAnswer:
    """Let the model that the options name make a list of a page. Raises Stop.

    ``tell`` hears of each answer that is asked for again.
    """
    import asyncio

    from treec.systems.mosaic.recipes.outline import readable_list

    if len(page.text) > LONGEST:
        told = f"its recipe has {len(page.text):,} characters, and a model is given {LONGEST:,}"
        raise Stop(f"{told}: shorten it, and save it again")
    entry = _prompt(view)
    opened = open_chosen(view.library.root, None, options)
    assert opened is not None  # the options name a model
    tell(f"asking {opened[0].name} for the subtasks of '{title}' …")
    decided = asyncio.run(_ask(view, entry, page, title, opened[1]))
    refused = tuple(
        attempt.verdict.removeprefix("refused: ")
        for attempt in decided.attempts
        if attempt.verdict != "accepted"
    )
    for number, verdict in enumerate(refused, 1):
        tell(f"answer {number} was sent back: {verdict}")
    if not decided.attempts:
        raise Stop(f"{opened[0].name} gave no answer: {decided.failed}", 1)
    last = decided.attempts[-1]
    text = readable_list(last.answer)
    if text is None:
        raise Stop(f"{opened[0].name} gave no list that can be read, in {len(refused)} answers", 1)
    return RecipeAnswer(text, last.by, refused, decided.accepted)


def _prompt(view: View) -> AnyEntry:
    """The library's prompt for it. Raises Stop."""
    found = list(view.library.of_kind("outline"))
    if not found:
        raise Stop("the library has no prompt for it: a file NAME.outline.yaml")
    return found[0]


async def _ask(
    view: View, entry: AnyEntry, page: Page, title: str, transport: ModelTransport
) -> DecisionResult:
    from treec.decisions.cases import DecisionCase

    given = {"task": title, "description": page.text}
    case = DecisionCase(f"{entry.name}/asked", "", entry.path, view, entry, given=given)
    return await case.situation({}).decide(transport)


def list_file(title: str, answered: RecipeAnswer, page: Path) -> str:
    """What is kept of the list: it can be edited, and imported without a model."""
    from treec.systems.mosaic.recipes.nested_list import HEADING

    text = answered.text
    body = text if HEADING in text else f"{HEADING}\n{text}"
    return f"{title}, of {page.name}, by {answered.by}\n\n{body.rstrip()}\n"
