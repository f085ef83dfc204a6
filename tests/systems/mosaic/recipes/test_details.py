"""Amounts, times, heat, notes and mixtures: from a list into the recipe, and to the people."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.support import dialogues
from tests.support.library import ROOT
from treec.files.entry import AnyEntry
from treec.files.library import load_library
from treec.files.tasks import RecipeFile
from treec.files.validate import read_entry
from treec.files.view import View, views_of
from treec.source.text import SourceFile
from treec.source.yaml import read_documents
from treec.team.knowledge import Knowledge, knowledge_of
from treec_kitchen.draft import DraftRefused
from treec_mosaic.functions import serves_in
from treec_mosaic.portions import scale, spoken_words
from treec_mosaic.recipes.details import detailed, subtasks_of, with_amounts
from treec_mosaic.recipes.ingredients import IngredientLine, read_ingredient, read_ingredients
from treec_mosaic.recipes.link import Links
from treec_mosaic.recipes.nested_list import read_list
from treec_mosaic.recipes.outline import judge_list
from treec_mosaic.recipes.page import DishFacts, read_facts
from treec_mosaic.recipes.schedule import graph_and_team
from treec_mosaic.recipes.subtask_reader import SubtaskReader
from treec_mosaic.recipes.write import recipe_text

LIST = Path(__file__).with_name("details.txt")


@cache
def view() -> View:
    return next(view for view in views_of(load_library(ROOT)) if view.all("recipe"))


@cache
def knowledge() -> Knowledge:
    return knowledge_of(view())


@cache
def imported() -> AnyEntry:
    """The recipe of the list, as `treec recipe import --link` writes it."""
    text = LIST.read_text("utf-8")
    items, details = detailed(read_list(SourceFile("details.txt", text)).items, knowledge())
    ingredients = read_ingredients(text)
    details = with_amounts(items, details, ingredients, knowledge())
    links = Links(SubtaskReader(knowledge()), subtasks_of(items, details))
    facts = read_facts(text)
    written = recipe_text(
        "Creamy Corn", items, "", links.missing(), True, facts, details, ingredients
    )
    return read(written.text)


def read(text: str) -> AnyEntry:
    path = "trees/recipes/of_a_test.recipe.yaml"
    (document,), problems = read_documents(SourceFile(path, text))
    entry, more = read_entry(document, "recipe")
    assert entry is not None
    assert not [*problems, *more]
    return entry


def recipe() -> RecipeFile:
    model: RecipeFile = imported().model
    return model


def test_what_a_list_says_is_kept_in_keys() -> None:
    kept = {id: spec.model_dump(exclude_defaults=True) for id, spec in recipe().subtasks.items()}
    stock = {"amount": "360 ml", "after": ["chop onions"]}
    assert kept == {
        "melt butter": {"amount": "4 tablespoons"},
        "chop onions": {"amount": "2"},
        "pour vegetable stock into pot": stock,
        "pour cream into the pot": {"amount": "half", "after": ["melt butter"]},
        "stir pot": {
            "takes": 600.0,
            "makes": "soup",
            "after": ["pour vegetable stock into pot", "pour cream into the pot"],
        },
        "simmer the soup": {
            "at": "90 °C",
            "takes": 900.0,
            "note": "until thick",
            "after": ["stir pot"],
        },
        "pour cream into the pot (2)": {
            "do": "pour cream into the pot",
            "amount": "the rest",
            "note": "slowly",
            "after": ["simmer the soup"],
        },
        "season soup with salt": {
            "amount": "1 tsp of salt",
            "after": ["pour cream into the pot (2)"],
        },
        "sprinkle pepper over soup": {
            "amount": "a pinch",
            "optional": True,
            "after": ["season soup with salt"],
        },
        "pour soup into bowl": {"after": ["stir pot"]},  # a mixture is made, not fetched
    }


def test_ingredients_keep_amount_group_note_and_whether_they_are_optional() -> None:
    first, *_, last = (one.model_dump(exclude_defaults=True) for one in recipe().parts)
    soup = {"amount": "4 tablespoons", "note": "softened", "group": "For the soup"}
    assert first == {"name": "unsalted butter", **soup}
    topping = {"amount": "a pinch", "group": "For the topping", "optional": True}
    assert last == {"name": "pepper", **topping}


@pytest.mark.parametrize(
    ("id", "said", "for_six"),
    [
        ("melt butter", "melt 4 tablespoons of butter", "melt 6 tablespoons of butter"),
        ("chop onions", "chop 2 onions", "chop 3 onions"),
        ("stir pot", "stir pot for 10 minutes", "stir pot for 10 minutes"),
        *[("pour cream into the pot", *["pour half of the cream into the pot"] * 2)],
        *[("simmer the soup", *["simmer the soup at 90 °C for 15 minutes (until thick)"] * 2)],
        (
            "season soup with salt",
            "season soup with 1 tsp of salt",
            "season soup with 1½ tsp of salt",
        ),
    ],
)
def test_people_hear_them_for_as_many_as_they_cook_for(id: str, said: str, for_six: str) -> None:
    assert spoken_words(view(), recipe(), id) == said
    assert spoken_words(view(), recipe(), id, 6) == for_six


@pytest.mark.parametrize(
    ("amount", "doubled"),
    [
        ("1/2 tsp", "1 tsp"),
        ("1 1/4 cups", "2½ cups"),
        ("1½ kg", "3 kg"),
        ("2-3", "4-6"),
        ("1⅛ cups", "2¼ cups"),
        ("1⁄2 cup", "1 cup"),
        ("1,000 ml", "2000 ml"),
        ("0,5 l", "1 l"),
        ("2 x 400 g tins", "4 x 400 g tins"),
        ("1 (14-15 oz) can", "2 (14-15 oz) can"),
        ("2 tins (400 g each)", "4 tins (400 g each)"),
        ("2 cups (480 ml)", "4 cups (960 ml)"),
        ("Two cups", "4 cups"),
        ("half an onion", "1 onion"),
        ("a third of the flour", "a third of the flour"),
        ("1/0 cup", "2/0 cup"),
        ("12-count box", "2 x 12-count box"),
        ("9x13 inch", "2 x 9x13 inch"),
        ('9"', '2 x 9"'),
        ("8 to 10 inch", "2 x 8 to 10 inch"),
        ("20 cm", "2 x 20 cm"),
        ("2 in all", "4 in all"),
        ("2 cups (1 inch cubes)", "4 cups (1 inch cubes)"),
        ("1-inch piece", "2 x 1-inch piece"),
        ("2 14-oz cans", "4 14-oz cans"),
        ("8- to 10-inch tortilla", "2 x 8- to 10-inch tortilla"),
        ("2-3-lb chicken", "2 x 2-3-lb chicken"),
        ("1 to 2 lb", "2 to 4 lb"),
    ],
)
def test_amounts_are_scaled(amount: str, doubled: str) -> None:
    assert scale(amount, Fraction(2)) == doubled


@pytest.mark.parametrize(
    ("words", "serves"),
    [
        ("soup for 8", 8),
        ("soup for the two of us", 2),
        ("simmer it for 30 minutes", None),
        ("simmer it for five more minutes", None),
        ("soup for twenty-five", 25),
        ("soup for all six of us", 6),
        ("soup for a dozen people", 12),
        ("soup for 4-6 people", 6),
        ("for my family of five", 5),
        ("a soup that serves eight", 8),
        ("we are six, let's make soup", 6),
        ("dinner for 1.5 people", None),
        ("soup for 7 pm", None),
        ("soup for 12:30", None),
    ],
)
def test_for_how_many_is_told_from_for_how_long(words: str, serves: int | None) -> None:
    assert serves_in(SimpleNamespace(knowledge=knowledge_of(view())), words) == serves  # type: ignore[arg-type]


def test_a_time_is_said_in_whole_or_half_units() -> None:
    entry = read("recipe: Stir\nsubtasks:\n  stir pot: {takes: 100s}\n  stir pan: {takes: 2.5h}\n")
    said = [spoken_words(view(), entry.model, id) for id in entry.model.subtasks]
    assert said == ["stir pot for 100 seconds", "stir pan for 2.5 hours"]
    entry = read("recipe: Chop\nsubtasks:\n  chop onions: {amount: 2 to 3}\n")
    assert spoken_words(view(), entry.model, "chop onions") == "chop 2 to 3 onions"


@pytest.mark.parametrize(
    ("line", "amount", "name", "note"),
    [
        ("1 (14 oz) can chickpeas, drained", "1 (14 oz) can", "chickpeas", "drained"),
        ("200g/7oz plain flour", "200g/7oz", "plain flour", ""),
        ("1 cup (8 ounces)sour cream", "1 cup (8 ounces)", "sour cream", ""),
        ("2-3 large eggs", "2-3", "large eggs", ""),
        ("1/2 tsp cloves", "1/2 tsp", "cloves", ""),
        ("2 to 3 cloves of garlic (minced)", "2 to 3 cloves", "garlic", "minced"),
        ("salt to taste", "", "salt", "to taste"),
        ("q.b. pangrattato", "", "pangrattato", "q.b."),
        ("1large egg", "1", "large egg", ""),
        ("2count Huevos", "2 count", "Huevos", ""),
        ("1” ginger, minced", "1”", "ginger", "minced"),
        ("~5 – 6 tomatoes", "~5 – 6", "tomatoes", ""),
        ("one third of an onion", "⅓", "onion", ""),
        ("two thirds cup sugar", "⅔ cup", "sugar", ""),
        ("an inch and a half of ginger", "1½ inches", "ginger", ""),
        ("½-inch piece of ginger", "½-inch piece", "ginger", ""),
        ("a dozen eggs", "12", "eggs", ""),
        ("2x400g tins tomatoes", "2x400g tins", "tomatoes", ""),
        ("1 14½-ounce can beans", "1 14½-ounce can", "beans", ""),
        ("1 in ginger, grated", "1 inch", "ginger", "grated"),
        ("1 in Ginger, grated", "1 inch", "Ginger", "grated"),
        ("1½ in piece ginger", "1½ inch piece", "ginger", ""),
        ("10 to 12 in tortillas", "10 to 12 inch", "tortillas", ""),
        ("2 in Scheiben", "2", "in Scheiben", ""),
        ("4 in Milch eingeweichte Brötchen", "4", "in Milch eingeweichte Brötchen", ""),
        ("2 in Rotwein marinierte Steaks", "2", "in Rotwein marinierte Steaks", ""),
        ("1 in dünne Ringe geschnittene Zwiebel", "1", "in dünne Ringe geschnittene Zwiebel", ""),
        ("60ml (¼ cup) milk", "60ml (¼ cup)", "milk", ""),
        ("½ cup 1 stick butter", "½ cup 1 stick", "butter", ""),
        ("⅔ Cup (180ml) - Stock", "⅔ Cup (180ml)", "Stock", ""),
        ("Small handful of cilantro", "Small handful", "cilantro", ""),
        ("a few sprigs of thyme", "a few sprigs", "thyme", ""),
        ("Zest and juice of 1/2 lemon", "Zest and juice of 1/2", "lemon", ""),
        ("water: 320 ml", "320 ml", "water", ""),
        ("Ground beef, 300 g", "300 g", "Ground beef", ""),
        ("Zucchero a velo 30 g", "30 g", "Zucchero a velo", ""),
        ("Weizenmehl 405, gesiebt", "", "Weizenmehl 405", "gesiebt"),
        ("Eggs (2)", "2", "Eggs", ""),
        ("Glaze: ½ cup sugar", "½ cup", "sugar", "Glaze"),
        ("▢ 1 packet (2 tsp dry yeast)", "1 packet (2 tsp dry yeast)", "dry yeast", ""),
        ("250 g d'eau", "250 g", "eau", ""),
        ("1 (8 oz) rib-eye steak", "1 (8 oz)", "rib-eye steak", ""),
        ("3 large, ripe tomatoes, diced", "3", "large, ripe tomatoes", "diced"),
        ("1/2 cup (packed) basil", "1/2 cup", "basil", "packed"),
        ("2 % milk", "", "2 % milk", ""),
        ("8x pomme de terre (1,76kg)", "8x", "pomme de terre", "1,76kg"),
        (
            "1 cup coconut cream (canned, unsweetened)",
            "1 cup",
            "coconut cream",
            "canned, unsweetened",
        ),
        ("2 carrots (, diced (or not))", "2", "carrots", "diced (or not)"),
        ("2 oz milk (2%, cold), or cream", "2 oz", "milk (2%, cold)", "or cream"),
        ("Juice of 1/2 a lemon", "Juice of 1/2", "lemon", ""),
    ],
)
def test_a_line_of_ingredients(line: str, amount: str, name: str, note: str) -> None:
    found = read_ingredient(line)
    assert (found.amount, found.name, found.note) == (amount, name, note)


def test_what_yaml_cannot_hold_plainly_is_written_so_that_it_is_read() -> None:
    """An open bracket before a comma, and a step that is longer than YAML's keys."""
    step = "make the layer: " + "melt it, " * 150
    source = SourceFile("list.txt", f"# Subtasks:\n1. {step}\n2. {step}\n3. stir pot\n")
    items, found = detailed(read_list(source).items, knowledge_of(view()))
    parts = [IngredientLine("bacon (lean", "1 oz", "cold)")]
    text = recipe_text("Layers", items, "list.txt", [], True, details=found, ingredients=parts).text
    (document,), problems = read_documents(SourceFile("layers.recipe.yaml", text))
    entry, more = read_entry(document, "recipe")
    assert not [*problems, *more]
    assert entry is not None
    assert entry.model.parts[0].name == "bacon (lean"
    first, second, last = entry.model.subtasks
    assert entry.model.subtasks[last].after == [second]
    assert entry.model.subtasks[second].after == [first]


def test_a_plan_has_the_recipes_times() -> None:
    graph, team = graph_and_team(view(), imported())
    assert team.takes(graph.by_id["stir pot"], "R1") == pytest.approx(610)  # with the ladle's way
    assert team.takes(graph.by_id["simmer the soup"], "user") == 900
    assert team.takes(graph.by_id["simmer the soup"], "R1") is None


def play(entry: AnyEntry, *lines: str) -> str:
    library = load_library(ROOT)
    library.add([entry])
    return dialogues.play([*lines], View(library, library.find("system", "mosaic")))


def test_they_are_said_in_a_run_for_as_many_as_the_people_want() -> None:
    heard = play(
        imported(), "> Let's make the creamy corn for 8", "> yes", "> The butter is melted"
    )
    assert "Would you melt 8 tablespoons of butter?" in heard
    assert "Thank you!" in heard  # though it is called by other words than were said


def test_a_skill_lasts_as_long_as_the_recipe_says() -> None:
    entry = read("recipe: Slow Stir\nsubtasks:\n  stir pot: {takes: 10m}\n")
    heard = play(entry, "> Let's make slow stir", "> yes", ". 500", "> what is R1 doing?", ". 200")
    assert "R1 will stir pot for 10 minutes." in heard
    assert "R1 is stirring pot for 10 minutes." in heard  # after 500 s, and has not timed out
    assert heard.endswith("The Slow Stir is ready. Enjoy your meal!")


def test_words_of_another_language_and_a_pages_own_are_no_slips() -> None:
    for page in ("Makes: 4 servings; Language: nl\n", "# Ingredients\n- 2 g peper\n"):
        assert [item.id for item in judge_list("- get peper", view(), page)] == ["get peper"]
    with pytest.raises(DraftRefused, match="did you mean 'pepper'"):
        judge_list("- get peper", view(), "Makes: 4 servings; Language: en\n")
    text = recipe_text("Soep", [], "", [], True, DishFacts(language="no")).text
    assert 'language: "no"\n' in text


def test_a_thing_whose_name_has_a_mixtures_in_it_is_another_one() -> None:
    text = "recipe: Trifle\nsubtasks:\n  get pudding mix: {}\n  stir bowl: {makes: pudding}\n"
    entry = read(f"{text}  pour the pudding into pot: {{}}\n")
    words = knowledge().recipe_words(entry.model.subtasks)
    assert [*words.values()] == ["get pudding mix", "stir bowl", "pour the bowl into pot"]
    links = Links(SubtaskReader(knowledge()), entry.model.subtasks)
    assert "get pudding mix" not in [link.id for link in links.missing()]


def test_people_speak_of_things_that_the_scene_lacks_and_robots_do_not_fetch_them() -> None:
    entry = read("recipe: Dip\nsubtasks:\n  get red onion: {}\n  get paprika: {}\n")
    heard = play(
        entry,
        *("> Let's make the dip", "> No problem, I'll get red onion.", "> I got red onion"),
        *("> no", "> R2, get the paprika"),
    )
    assert "Great, then you get red onion." in heard
    assert "Thank you!" in heard
    assert "There is no paprika here." in heard
