"""A saved recipe page becomes the input of a prompt."""

from __future__ import annotations

import builtins
from dataclasses import replace
from pathlib import Path

import pytest

from treec_mosaic.recipes import page as module
from treec_mosaic.recipes.page import (
    DishFacts,
    PageError,
    looks_like_html,
    read_facts,
    read_page,
    scrape,
)

PAGE = (Path(__file__).parent / "page.html").read_text("utf-8")


@pytest.mark.thorough
def test_a_page_with_schema_org_data() -> None:
    page = read_page(PAGE)
    assert page.title == "Leek and Barley Pot"
    assert page.text == (
        "Makes: 4 servings; Language: en\n\n"
        "# Ingredients\n- 2 leeks\n- 150 g pearl barley\n- 1 l vegetable stock\n- salt & pepper\n"
        "\n# Raw recipe instruction list.\n1. Cut the leeks and wash them.\n"
        "2. Simmer the barley in the stock for half an hour.\n"
        "3. Add the leeks, stir, and season with salt and pepper.\n"
    )


def test_what_a_page_says_of_its_dish_is_kept() -> None:
    lists = "<h2>Stew</h2><ul><li>2 leeks</li></ul><h2>Topping</h2><ul><li>salt</li></ul>"
    html = PAGE.replace('"recipeYield": "4', '"totalTime": "PT1H5M", "recipeYield": "6')
    html = html.replace("</body>", f"{lists}</body>")
    page = scrape(html)
    assert page.facts == "Makes: 6 servings; Total time: 65 min; Language: en"
    assert read_facts(f"Pot, by Ada\n{page.facts}\n\n- stir") == DishFacts(6, "65 min in all", "en")
    grouped = replace(page, groups=(("For the stew", ("2 leeks",)), ("", ("salt",))))
    assert "# Ingredients\n## For the stew\n- 2 leeks\n- salt\n" in grouped.text


@pytest.mark.parametrize(
    ("line", "serves", "about"),
    [
        ("Makes: 20 churros; Total time: 45 min", None, "makes 20 churros, 45 min in all"),
        ("Total time: 45 min", None, "45 min in all"),
        ("Makes: 8 servings", 8, ""),
        ("Makes: 8 servings; Total time: 5 min; Language: no", 8, "5 min in all"),
        ("1. Stir. Makes: 8 servings of soup", None, ""),
    ],
)
def test_the_facts_of_a_dish_are_read_from_its_list(
    line: str, serves: int | None, about: str
) -> None:
    assert read_facts(f"Soup\n{line}\n\n- stir pot\n") == DishFacts(
        serves, about, "no" if "Language" in line else None
    )


@pytest.mark.parametrize(
    "html",
    [
        "<html><body>nothing here</body></html>",
        "",
        PAGE.replace("recipeIngredient", "ingredientsOfSomeSort"),
        PAGE.replace('"@context"', "@@"),
    ],
)
@pytest.mark.few(1)
def test_a_page_without_a_recipe(html: str) -> None:
    with pytest.raises(PageError, match="no recipe could be read"):
        read_page(html)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith("recipe_scrapers"):
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PageError, match=r"pip install 'treec\[recipes\]'"):
        scrape(PAGE)


def test_a_page_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHILD", "while True: pass")
    with pytest.raises(PageError, match=r"longer than 0\.2 s \(timeout\)"):
        read_page(PAGE, limit=0.2)


def test_a_page_that_breaks_what_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHILD", "import os; os.abort()")
    with pytest.raises(PageError, match="the reader crashed"):
        read_page(PAGE)


def test_what_looks_like_a_page() -> None:
    assert looks_like_html(PAGE)
    assert looks_like_html("\n <html>")
    assert not looks_like_html("- fetch <html>")


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ('<link rel="canonical" href="https://a.example/leek">', "https://a.example/leek"),
        ("<link href='https://a.example/x' rel=canonical>", "https://a.example/x"),
        ('<meta property="og:url" content="http://b.example/y"/>', "http://b.example/y"),
        ("<!-- saved from url=(0017)https://a.example/y -->", "https://a.example/y"),
        ("<link rel=canonical", "https://page.invalid/"),
    ],
)
def test_where_a_page_is_from(head: str, address: str) -> None:
    assert module._addresses(f"<html><head>{head}</head></html>")[0] == address


def test_a_page_that_names_another_site_is_also_tried_as_one_of_its_own() -> None:
    head = '<link rel="canonical" href="https://source.example/a">'
    links = '<a href="https://own.example/b">b</a><a href="https://own.example/c">c</a>'
    found = module._addresses(f"<html><head>{head}</head><body>{links}</body></html>")
    assert found == ["https://source.example/a", "https://own.example/"]


def test_a_page_without_recipe_data_has_its_text_and_its_language() -> None:
    html = "<html lang=de><title>Brot</title><script>x</script><p>Mehl mischen.</p></html>"
    with pytest.raises(PageError) as caught:
        scrape(html)
    rest = caught.value.rest
    assert rest is not None
    assert (rest.title, rest.language) == ("Brot", "de")
    assert rest.text == "Language: de\n\n# Text of the page\nBrot\nMehl mischen.\n"


def test_a_title_is_one_line_and_does_nothing_to_a_terminal() -> None:
    named = PAGE.replace("Leek and Barley Pot", "Leek\\u001b[2J and\\nBarley")
    assert scrape(named).title == "Leek [2J and Barley"
