"""`treec recipe import PAGE --model M`: a page, a model's list, a recipe's file to look through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result, Treec
from treec_fake_model.thread import FakeModelThread
from treec_mosaic.recipes import model as recipe_model

PAGE = Path(__file__).parent / "page.html"
CANARY = "sk-canary-0123456789abcdef"
LIST = """\
- get leeks
- wash leeks, after: [get leeks]
- get vegetable stock
- pour vegetable stock into pot, after: [get vegetable stock]
- simmer barley, after: [pour vegetable stock into pot]
- pour leeks into pot, after: [wash leeks, simmer barley]
- stir pot, after: [pour leeks into pot]
- season pot with salt, after: [stir pot]
- season pot with pepper, after: [stir pot]
- get barley
- get salt
- get pepper
"""


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)


def by_model(
    treec: Treec, library: Path, cases: list[dict[str, Any]], *more: object
) -> tuple[Result, list[str]]:
    with FakeModelThread({"model": "m-7", "cases": cases}) as server:
        model = ("--model", "openai/x", "--api-base", server.url)
        result = treec("recipe", "import", PAGE, *model, *more, "-L", library)
        return result, [asked.text for asked in server.model.asked]


def answer(plan: str) -> dict[str, str]:
    return {"reasoning": "so", "plan": plan}


@pytest.mark.thorough
def test_a_page_becomes_a_recipe_to_look_through(treec: Treec, library: Path) -> None:
    result, asked = by_model(treec, library, [{"answer": answer(LIST)}], "--link")
    assert result.status == 0, result
    recipe = library / "trees/recipes/leek_and_barley_pot.recipe.yaml"
    text = recipe.read_text("utf-8")
    assert "simmer barley: {after: [pour vegetable stock into pot, get barley]}" in text
    kept = recipe.with_name("leek_and_barley_pot.txt").read_text("utf-8")
    assert kept.startswith("Leek and Barley Pot, of page.html, by openai/x@m-7\n")
    assert LIST in kept
    assert 'review it, then run: treec check "Leek and Barley Pot"' in result.out
    (prompt,) = asked
    data = prompt.rpartition("<data>\n")[2]
    assert data.startswith("dish: Leek and Barley Pot\navailable things: Place: table, ")
    assert "\n# Ingredients\n- 2 leeks\n" in data
    assert data.endswith("season with salt and pepper.\n</data>")
    assert "- get <item>: Fetch something" in prompt
    assert treec("check", "Leek and Barley Pot", "-L", library).status == 0


@pytest.mark.thorough
def test_what_is_wrong_is_sent_back_with_the_reason(treec: Treec, library: Path) -> None:
    late = LIST.replace("season pot with salt", "season leeks with salt").replace(
        "- get salt\n", "- get salt, after: [season leeks with salt]\n"
    )
    cases: list[dict[str, Any]] = [
        {"times": 1, "answer": "I would rather not."},
        {"times": 1, "answer": answer(LIST.replace("vegetable stock", "vegetabel stock"))},
        {"times": 1, "answer": answer(late)},
        {"answer": answer(LIST), "wrap": "prose"},
    ]
    result, asked = by_model(treec, library, cases)
    assert result.status == 0, result
    assert len(asked) == 4
    assert "answer 1 was refused: " in result.out
    assert "it has no JSON object." in asked[1]
    assert "line 3, 'get vegetabel stock': did you mean 'vegetable stock'?" in asked[2]
    assert "comes before 'get salt', which fetches salt for it" in asked[3]


@pytest.mark.thorough
def test_a_thing_used_before_it_is_prepared_is_sent_back(treec: Treec, library: Path) -> None:
    unordered = LIST.replace("after: [wash leeks, simmer barley]", "after: [simmer barley]")
    cases = [{"times": 1, "answer": answer(unordered)}, {"answer": answer(LIST)}]
    result, asked = by_model(treec, library, cases)
    assert result.status == 0, result
    assert len(asked) == 2
    assert "'pour leeks into pot' uses leeks, but does not wait for 'wash leeks'" in asked[1]


@pytest.mark.thorough
def test_what_a_model_cannot_mend_is_left_to_the_person(treec: Treec, library: Path) -> None:
    wrong = LIST.replace("vegetable stock", "vegetabel stock")
    result, asked = by_model(treec, library, [{"answer": answer(wrong)}])
    assert len(asked) == 4  # three more tries, as the prompt's file says
    assert "its last answer was refused for the problems below" in result.out
    assert "leek_and_barley_pot.txt:13:3: " in result.out
    assert (library / "trees/recipes/leek_and_barley_pot.recipe.yaml").is_file()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("case", "status", "told"),
    [
        ({"answer": answer("")}, 1, "gave no readable list in 4 answers"),
        ({"status": 401}, 1, "openai/x gave no answer: the server answered 401"),
        (
            {"raw": "garbage"},
            1,
            "gave no answer: the server answered 200 with a body that is not JSON",
        ),
    ],
)
def test_without_a_list_nothing_is_written(
    treec: Treec, library: Path, case: dict[str, Any], status: int, told: str
) -> None:
    result, _ = by_model(treec, library, [case])
    assert (result.status, told in result.err) == (status, True), result
    assert not list(library.rglob("leek*"))
    assert CANARY not in result.out + result.err


@pytest.mark.thorough
def test_nobody_is_asked_in_vain(
    treec: Treec, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = library / "trees/recipes/leek_and_barley_pot.txt"
    there.write_text("mine", "utf-8")
    cases = [{"answer": answer(LIST)}]
    result, asked = by_model(treec, library, cases)
    assert (result.status, asked) == (2, [])
    assert "already exists" in result.err
    result, asked = by_model(treec, library, cases, "--name", "Caesar Salad")
    assert (result.status, asked) == (2, [])
    assert there.read_text("utf-8") == "mine"
    there.unlink()
    monkeypatch.setattr(recipe_model, "LONGEST", 20)
    result, asked = by_model(treec, library, cases)
    assert (result.status, asked) == (2, [])
    assert "at most 20 are sent to a model" in result.err
    listed = library.parent / "list.txt"
    listed.write_text(LIST, "utf-8")
    result = treec("recipe", "import", listed, "--model", "openai/x", "-L", library)
    assert (result.status, "is not a saved page" in result.err) == (2, True)
    (library / "prompts/recipes/recipe_list.plan.yaml").unlink()
    monkeypatch.undo()
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    result, asked = by_model(treec, library, cases)
    assert (result.status, "the library has no prompt for recipe lists" in result.err) == (2, True)


@pytest.mark.thorough
def test_the_limits_of_the_line_hold(treec: Treec, library: Path) -> None:
    cases = [{"answer": answer(""), "tokens": (900, 10)}]
    result, asked = by_model(treec, library, cases, "--max-tokens", "100")
    assert (result.status, len(asked)) == (1, 1)
    assert not list(library.rglob("leek*"))


@pytest.mark.parametrize(
    "page",
    [
        "<html><body>x</body></html>",
        '<html><script type="application/ld+json">{"@type":"Recipe","name":"x"}</script></html>',
        '<html><link rel="canonical" href="https://www.allrecipes.com/x"></html>',
        '<html><script type="application/ld+json">{"@type":"Recipe",</script></html>',
    ],
)
@pytest.mark.few(1)
def test_why_a_page_cannot_be_read_is_said_in_words(
    treec: Treec, library: Path, tmp_path: Path, page: str
) -> None:
    file = tmp_path / "page.html"
    file.write_text(page, "utf-8")
    result = treec("recipe", "import", file, "-L", library)
    assert result.status == 2
    assert "no recipe could be read from it (it has no usable recipe data)" in (result.err)
    for inside in ("recipe-scrapers", "exception", "Schema", "invalid", "15."):
        assert inside not in result.err
