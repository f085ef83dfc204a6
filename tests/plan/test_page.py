"""A saved recipe page becomes the input of a prompt."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest

from engine.plan.page import NoPage, looks_like_html, read_page

PAGE = (Path(__file__).parent / "page.html").read_text("utf-8")


def test_a_page_with_schema_org_data() -> None:
    page = read_page(PAGE)
    assert page.title == "Leek and Barley Pot"
    assert page.text == (
        "# Ingredients\n- 2 leeks\n- 150 g pearl barley\n- 1 l vegetable stock\n- salt & pepper\n"
        "\n# Raw recipe instruction list.\n1. Cut the leeks and wash them.\n"
        "2. Simmer the barley in the stock for half an hour.\n"
        "3. Add the leeks, stir, and season with salt and pepper.\n"
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
def test_a_page_without_a_recipe(html: str) -> None:
    with pytest.raises(NoPage, match="no recipe could be read"):
        read_page(html)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.startswith("recipe_scrapers"):
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(NoPage, match=r"pip install 'treec\[recipes\]'"):
        read_page(PAGE)


def test_what_looks_like_a_page() -> None:
    assert looks_like_html(PAGE)
    assert looks_like_html("\n <html>")
    assert not looks_like_html("- fetch <html>")
