"""A saved recipe page, made ready for a model: ingredients and instructions as plain text.

The package recipe-scrapers knows what recipe sites look like, and the schema.org data that most of
them carry; it is imported here alone and asks no network. What comes out is the input of MOSAIC's
prompt (appendix I.2). Turning it into a nested list takes a model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

INSTALL = "pip install 'treec[recipes]'"
_ADDRESSES = (
    re.compile(
        r"<link[^>]{0,200}rel=[\"']?canonical[\"']?[^>]{0,200}href=[\"']?(https?://[^\"'\s>]+)"
    ),
    re.compile(r"<meta[^>]{0,200}og:url[^>]{0,200}content=[\"']?(https?://[^\"'\s>]+)"),
)
_UNKNOWN = "https://page.invalid/"


class NoPage(Exception):
    """A page from which no recipe can be read; its text says why."""


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says of its recipe."""

    title: str
    ingredients: tuple[str, ...]
    instructions: tuple[str, ...]

    @property
    def text(self) -> str:
        """The input of the prompt that makes a nested list of it."""
        ingredients = "".join(f"- {line}\n" for line in self.ingredients)
        steps = "".join(f"{n}. {line}\n" for n, line in enumerate(self.instructions, 1))
        return f"# Ingredients\n{ingredients}\n# Raw recipe instruction list.\n{steps}"


def looks_like_html(text: str) -> bool:
    """Whether a text is a page and no list."""
    return (
        re.match(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--|<!doctype\s+html|<html)", text, re.I) is not None
    )


def read_page(html: str) -> Page:
    """Read a saved page. Raises NoPage."""
    try:
        from recipe_scrapers import scrape_html
    except ImportError:
        raise NoPage(f"reading a page needs the package recipe-scrapers: {INSTALL}") from None
    found = (pattern.search(html[:200_000]) for pattern in _ADDRESSES)
    address = next((match[1] for match in found if match), _UNKNOWN)
    try:
        scraper: Any = scrape_html(html, org_url=address, online=False, supported_only=False)
        ingredients = _clean(scraper.ingredients())
        instructions = _clean(scraper.instructions_list())
    except Exception as error:  # pages are of any shape, and so is what breaks while reading them
        raise NoPage(f"no recipe could be read from it ({_said(error)})") from None
    if not ingredients or not instructions:
        lacks = "instructions" if ingredients else "ingredients"
        raise NoPage(f"no recipe could be read from it: it has no {lacks}")
    try:
        title = " ".join(str(scraper.title()).split())
    except Exception:
        title = ""
    return Page(title, ingredients, instructions)


def _clean(lines: list[str]) -> tuple[str, ...]:
    kept = (
        " ".join("".join(c if c.isprintable() else " " for c in line).split()) for line in lines
    )
    return tuple(line for line in kept if line)


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:120] if lines else type(error).__name__
