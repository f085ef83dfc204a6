"""A saved recipe page, made ready for a model: ingredients and instructions as plain text.

The package recipe-scrapers knows what recipe sites look like, and the schema.org data that most of
them carry; it is imported here alone and asks no network. What comes out is the input of MOSAIC's
prompt (appendix I.2). Turning it into a nested list takes a model.

A page is anybody's, and so is what reading it may take: it is read in a process of its own, which
is given so much time and so much memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

INSTALL = "pip install 'treec[recipes]'"
_TAG = re.compile(r"<(?:link|meta)\s[^<>]{0,500}>", re.IGNORECASE)
_OWN = re.compile(r"rel=[\"']?canonical|og:url", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:href|content)=[\"']?(https?://[^\"'\s>]+)", re.IGNORECASE)
_UNKNOWN = "https://page.invalid/"

LIMIT = 30.0
"""Seconds that reading a page may take."""
MEMORY = 2 << 30
"""Bytes that it may take, where the system can bound that."""

_CHILD = "from treec.systems.mosaic.recipes.page import child; child()"


class PageError(Exception):
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


def read_page(html: str, limit: float = LIMIT) -> Page:
    """Read a saved page. Raises NoPage, also when it takes longer than ``limit`` seconds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=html.encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=limit,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PageError(f"reading it takes longer than {limit:g} s: it is given up") from None
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise PageError("no recipe could be read from it (reading it broke off)") from None
    if "wrong" in told:
        raise PageError(told["wrong"])
    return Page(told["title"], tuple(told["ingredients"]), tuple(told["instructions"]))


def child() -> None:
    """The process that reads: a page comes in, and what it says, or what is wrong, goes out."""
    try:
        import resource
    except ImportError:  # not on this system
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    html = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    told: dict[str, object]
    try:
        page = scrape(html)
        told = {
            "title": page.title,
            "ingredients": page.ingredients,
            "instructions": page.instructions,
        }
    except PageError as error:
        told = {"wrong": str(error)}
    print(json.dumps(told))


def scrape(html: str) -> Page:
    """Read a page here and now, however long it takes. Raises NoPage."""
    try:
        from recipe_scrapers import scrape_html
    except ImportError:
        raise PageError(f"reading a page needs the package recipe-scrapers: {INSTALL}") from None
    try:
        scraper: Any = scrape_html(html, org_url=_address(html), online=False, supported_only=False)
        ingredients = _clean(scraper.ingredients())
        instructions = _clean(scraper.instructions_list())
    except Exception as error:  # pages are of any shape, and so is what breaks while reading them
        raise PageError(f"no recipe could be read from it ({_said(error)})") from None
    if not ingredients or not instructions:
        lacks = "instructions" if ingredients else "ingredients"
        raise PageError(f"no recipe could be read from it: it has no {lacks}")
    try:
        title = "".join(_clean([str(scraper.title())]))
    except Exception:
        title = ""
    return Page(title, ingredients, instructions)


def _address(html: str) -> str:
    """Where the page says that it is from, so that a site's own layout is known."""
    for tag in _TAG.findall(html[:200_000]):
        found = _ADDRESS.search(tag) if _OWN.search(tag) else None
        if found is not None:
            return found[1]
    return _UNKNOWN


def _clean(lines: list[str]) -> tuple[str, ...]:
    kept = (
        " ".join("".join(c if c.isprintable() else " " for c in line).split()) for line in lines
    )
    return tuple(line for line in kept if line)


_WHY = {
    "NoSchemaFoundInWildMode": "it carries no recipe data that can be used",
    "RecipeSchemaNotFound": "it carries no recipe data that can be used",
    "WebsiteNotImplementedError": "it is of a site whose layout is not known",
    "ElementNotFoundInHtml": "its ingredients or instructions are not where they should be",
    "SchemaOrgException": "its recipe data lack ingredients or instructions",
    "FieldNotProvidedByWebsiteException": "its site gives no ingredients or no instructions",
}
"""What the package's exceptions mean for somebody who saved a page, by their names."""


def _said(error: Exception) -> str:
    """Why a page could not be read; what the package says of itself helps nobody."""
    names = (kind.__name__ for kind in type(error).__mro__)
    why = next((_WHY[name] for name in names if name in _WHY), None)
    return why or "its recipe data are not as they should be"
