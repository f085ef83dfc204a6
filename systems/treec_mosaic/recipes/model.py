"""``treec recipe import PAGE --model M``: ask a model for the list of a page's recipe.

The page's text is marked as data in the prompt. A faulty answer is asked for again with its
findings; a list that still has faults is written all the same, for a person to review.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.cli.model_options import open_chosen
from treec.frozen import frozen
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.ask.transport import Transport
    from treec.files.entry import AnyEntry
    from treec.files.view import View
    from treec_mosaic.recipes.page import Page
    from treec_testing.decisions.situation import DecisionResult

LONGEST = 20_000
"""Maximum length in characters of a page's ingredients and instructions."""


@frozen
class RecipeAnswer:
    """A model's list, the model's name, and why each refused answer was refused."""

    text: str
    by: str
    verdicts: tuple[str, ...]
    accepted: bool


def ask_for_list(
    view: View, page: Page, title: str, options: ModelOptions, tell: Callable[[str], None] = print
) -> RecipeAnswer:
    """Ask the model of ``options`` for the list of a page. Raises Stop.

    ``tell`` is called with progress messages.
    """
    import asyncio

    from treec_mosaic.recipes.outline import readable_list

    if len(page.text) > LONGEST:
        length = f"{len(page.text):,} characters"
        raise Stop(f"the page's recipe has {length}; at most {LONGEST:,} are sent to a model")
    entry = _prompt(view)
    opened = open_chosen(view.library.root, None, options)
    assert opened is not None  # the options name a model
    tell(f"asking {opened.name} for the subtasks of '{title}' …")
    decided = asyncio.run(_ask(view, entry, page, title, opened.transport))
    refused = tuple(
        attempt.verdict.removeprefix("refused: ")
        for attempt in decided.attempts
        if attempt.verdict != "accepted"
    )
    for number, verdict in enumerate(refused, 1):
        tell(f"answer {number} was refused: {verdict}")
    if not decided.attempts:
        raise Stop(f"{opened.name} gave no answer: {decided.failed}", 1)
    last = decided.attempts[-1]
    text = readable_list(last.answer)
    if text is None:
        raise Stop(f"{opened.name} gave no readable list in {len(refused)} answers", 1)
    return RecipeAnswer(text, last.by, refused, decided.accepted)


def _prompt(view: View) -> AnyEntry:
    """Return the library's outline prompt. Raises Stop."""
    plans = view.library.of_kind("plan")
    found = next((plan for plan in plans if plan.model.answers == "outline"), None)
    if found is None:
        raise Stop("the library has no prompt for recipe lists (a plan with `answers: outline`)")
    return found


async def _ask(
    view: View, entry: AnyEntry, page: Page, title: str, transport: Transport
) -> DecisionResult:
    from treec_testing.decisions.cases import DecisionCase

    given = {"task": title, "description": page.text}
    case = DecisionCase(f"{entry.name}/asked", "", entry.path, view, entry, given=given)
    return await case.situation({}).decide(transport)


def list_file(title: str, answer: RecipeAnswer, source: Path, page: Page) -> str:
    """Render the list as a file that can be edited, and imported without a model."""
    from treec_mosaic.recipes.nested_list import HEADING

    body = answer.text if HEADING in answer.text else f"{HEADING}\n{answer.text}"
    facts = f"{page.facts}\n" if page.facts else ""
    head = f"{title}, of {source.name}, by {answer.by}\n{facts}"
    return f"{head}\n{page.ingredients_text}\n{body.rstrip()}\n"
