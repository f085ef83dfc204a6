"""Saved pages made to hurt: each is read, or given up with words, and never for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec_mosaic.recipes.page import PageError, read_page

PAGE = (Path(__file__).parent / "page.html").read_text("utf-8")
SCRIPT = '<script type="application/ld+json">'

CASES = {
    "40,000 elements in each other": "<html>" + "<div>" * 40_000,
    "an attribute that never ends": "<html><a " + 'a="' * 200_000,
    "JSON of 200,000 brackets": f"<html>{SCRIPT}{'[' * 200_000}</script>",
    "20,000 recipes without anything": "<html>"
    + f'{SCRIPT}{{"@type": "Recipe"}}</script>' * 10_000,
    "300,000 entities": "<html>" + "&#" * 300_000,
    "recipes in recipes": '<html><div itemscope itemtype="http://schema.org/Recipe">' * 2_000,
    "half a character": "<html>\ud83e</html>",
}

LONG = ("40,000", "an attribute", "20,000", "recipes in")


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(html, id=name, marks=[pytest.mark.thorough] * name.startswith(LONG))
        for name, html in CASES.items()
    ],
)
@pytest.mark.few(1)
def test_it_is_refused_in_words(html: str) -> None:
    with pytest.raises(PageError, match="no recipe could be read from it"):
        read_page(html)


@pytest.mark.thorough
def test_a_recipe_among_much_else_is_found() -> None:
    assert read_page(PAGE.replace("<body>", "<body>" + "<p>" * 20_000)).title


@pytest.mark.thorough
def test_a_page_that_the_parser_goes_through_again_and_again_is_given_up() -> None:
    html = "<html>" + "<link rel=canonical " * 40_000
    with pytest.raises(PageError, match="timeout"):
        read_page(html, limit=1)
