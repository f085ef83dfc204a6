"""Whether what models say about meals is so (the kinds are in :mod:`treec_mosaic.extension`)."""

from __future__ import annotations

from treec_asking.statements import Outlook, Statement
from treec_hearing.statement_checks import Found, all_done, how_about, listed


def meal_ready(claim: Statement, outlook: Outlook) -> Found:
    """The recipe, if all of its work is done."""
    return bool(outlook.recipe and all_done(claim, outlook)) and {"recipe": outlook.recipe}


def made_of(claim: Statement, outlook: Outlook) -> Found:
    """What is fetched, cut or poured in a recipe."""
    knowledge = outlook.team.knowledge
    recipe = knowledge.recipe_file(str(claim.name))
    if recipe is None:
        return False
    bound = map(knowledge.words.match, knowledge.recipe_words(recipe.subtasks).values())
    items = [task.args["item"] for task in bound if task is not None and "item" in task.args]
    return bool(items) and {"items": listed(items)}


def or_rather(claim: Statement, outlook: Outlook) -> Found:
    """Recipes other than the chosen one."""
    offered = how_about(claim, outlook)
    if not outlook.recipe or outlook.recipe in claim.names or not isinstance(offered, dict):
        return False
    return {**offered, "recipe": outlook.recipe}


def what_to_eat(claim: Statement, outlook: Outlook) -> Found:
    """A question, which claims nothing."""
    return True
