"""Extract a saved recipe page's ingredients and instructions as plain text, the input of a model.

Uses recipe-scrapers, which knows the layouts of recipe sites and schema.org data; it is imported
only here and never uses the network. The text is the input of MOSAIC's prompt for lists
(appendix I.2).

Pages are untrusted: each is read in a process of its own with a limit of time and memory.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from typing import Any

from treec import child
from treec.frozen import frozen

INSTALL = "pip install 'treec[recipes]'"
_TAG = re.compile(r"<(?:link|meta)\s[^<>]{0,500}>", re.IGNORECASE)
_OWN = re.compile(r"rel=[\"']?canonical|og:url", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:href|content)=[\"']?(https?://[^\"'\s>]+)", re.IGNORECASE)
_SAVED = re.compile(r"<!-- saved from url=\(\d+\)(https?://\S+)")
_HOST = re.compile(r"href=[\"']?https?://([\w.-]+)")
_UNKNOWN = "https://page.invalid/"

LIMIT = 30.0
"""Timeout in seconds for reading a page."""
MEMORY = 2 << 30
"""Memory limit in bytes, on platforms that support one."""

_CHILD = "from treec_mosaic.recipes.page import read_in_child; read_in_child()"


class PageError(Exception):
    """No recipe can be read from a page; `rest` is its visible text, for a model."""

    def __init__(self, message: str, rest: Page | None = None) -> None:
        self.rest = rest
        super().__init__(message)


Group = tuple[str, tuple[str, ...]]
"""What some ingredients are for (``For the frosting``), or nothing, and the ingredients."""


@frozen
class Page:
    """The recipe of a page; `minutes` is the total time, None if the page does not say.

    `language` is the code that the page gives, such as ``de``; empty if it gives none.
    """

    title: str
    ingredients: tuple[str, ...]
    instructions: tuple[str, ...]
    yields: str = ""
    minutes: int | None = None
    groups: tuple[Group, ...] = ()
    language: str = ""

    @property
    def text(self) -> str:
        """Render the input of the prompt for lists."""
        facts = f"{self.facts}\n\n" if self.facts else ""
        if not self.ingredients:  # no recipe was found in it
            lines = "".join(f"{line}\n" for line in self.instructions)
            return f"{facts}# Text of the page\n{lines}"
        steps = "".join(f"{n}. {line}\n" for n, line in enumerate(self.instructions, 1))
        return f"{facts}{self.ingredients_text}\n# Raw recipe instruction list.\n{steps}"

    @property
    def ingredients_text(self) -> str:
        """Render the ingredients by their groups, which `read_ingredients` reads again."""
        parts = self.groups or (("", self.ingredients),)
        return "# Ingredients\n" + "".join(
            (f"## {purpose}\n" if purpose else "") + "".join(f"- {line}\n" for line in lines)
            for purpose, lines in parts
        )

    @property
    def facts(self) -> str:
        """Render yield, total time and language as a line, which `read_facts` reads again."""
        made = f"Makes: {self.yields}" if self.yields else ""
        took = f"Total time: {self.minutes} min" if self.minutes else ""
        language = f"Language: {self.language}" if re.fullmatch("[a-z]{2}", self.language) else ""
        return "; ".join(filter(None, (made, took, language)))


@frozen
class DishFacts:
    """For how many a dish is, what else a page says of it in words, and in which language."""

    serves: int | None = None
    about: str = ""
    language: str | None = None


_FACTS = re.compile(
    r"^(?:Makes: (?P<made>[^;\n]+))?(?:(?:; |^)Total time: (?P<minutes>\d+) min)?"
    r"(?:(?:; |^)Language: (?P<language>[a-z]{2}))?$",
    re.MULTILINE,
)
_SERVES = re.compile(r"(\d+) (?:servings?|people|persons?|portions?)\b", re.IGNORECASE)


def read_facts(text: str) -> DishFacts:
    """Read the line of a page's facts in a text; all is unknown if there is none."""
    found = next((m for m in _FACTS.finditer(text) if m[0]), None)
    if found is None:
        return DishFacts()
    made, minutes = found["made"] or "", found["minutes"]
    serves = _SERVES.fullmatch(made)
    about = [] if serves or not made else [f"makes {made}"]
    about += [f"{minutes} min in all"] if minutes else []
    number = int(serves[1]) or None if serves else None
    return DishFacts(number, ", ".join(about), found["language"])


def looks_like_html(text: str) -> bool:
    """Whether a text is an HTML page, not a list."""
    return (
        re.match(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--|<!doctype\s+html|<html)", text, re.I) is not None
    )


def read_page(html: str, limit: float = LIMIT) -> Page:
    """Read a saved page in a child process. Raises PageError, also after ``limit`` seconds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = child.run([sys.executable, "-c", _CHILD], input=html, timeout=limit, env=environment)
    except subprocess.TimeoutExpired:
        raise PageError(f"reading it took longer than {limit:g} s (timeout)") from None
    try:
        data: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise PageError("no recipe could be read from it (the reader crashed)") from None
    if "error" in data:
        rest = Page(data["title"], (), tuple(data["lines"]), language=data["language"])
        raise PageError(data["error"], rest if rest.instructions else None)
    return Page(
        data["title"],
        tuple(data["ingredients"]),
        tuple(data["instructions"]),
        data["yields"],
        data["minutes"],
        tuple((purpose, tuple(lines)) for purpose, lines in data["groups"]),
        data["language"],
    )


def read_in_child() -> None:
    """Entry point of the child process: HTML on stdin, JSON of the page or an error on stdout."""
    try:
        import resource
    except ImportError:  # Windows
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    html = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    data: dict[str, object]
    try:
        page = scrape(html)
        data = {
            "title": page.title,
            "ingredients": page.ingredients,
            "instructions": page.instructions,
            "yields": page.yields,
            "minutes": page.minutes,
            "groups": page.groups,
            "language": page.language,
        }
    except PageError as error:
        rest = error.rest or Page("", (), ())
        data = {"error": str(error), "title": rest.title, "lines": rest.instructions}
        data["language"] = rest.language
    print(json.dumps(data))


def scrape(html: str) -> Page:
    """Read a page in this process, without limits. Raises PageError."""
    try:
        from recipe_scrapers import scrape_html
    except ImportError:
        raise PageError(f"reading a page needs the package recipe-scrapers: {INSTALL}") from None
    scraper: Any = None
    why = ""
    for address in _addresses(html):
        try:
            scraper = scrape_html(html, org_url=address, online=False, supported_only=False)
            ingredients = _clean(scraper.ingredients())
            instructions = _clean(scraper.instructions_list())
        except Exception as error:  # a malformed page can raise anything
            why = why or f" ({_reason(error)})"
            continue
        if ingredients and instructions:
            break
        why = why or f": it has no {'instructions' if ingredients else 'ingredients'}"
    else:
        raise PageError(f"no recipe could be read from it{why}", _visible(html))
    title, yields = (_line(scraper, name) for name in ("title", "yields"))
    minutes = _line(scraper, "total_time")
    took = int(minutes) if minutes.isdecimal() and len(minutes) < 6 else None
    groups = _groups(scraper, ingredients)
    language = _line(scraper, "language")[:2].lower()
    yields = yields.replace(";", ",")
    return Page(title, ingredients, instructions, yields, took or None, groups, language)


def _visible(html: str) -> Page | None:
    """Return the text that a page shows, line by line."""
    from bs4 import BeautifulSoup  # a dependency of recipe-scrapers

    soup = BeautifulSoup(html, "html.parser")
    title = "".join(_clean([soup.title.get_text() if soup.title else ""]))
    for tag in soup(("script", "style", "noscript", "template", "nav", "header", "footer")):
        tag.decompose()
    lines = _clean(soup.get_text("\n").split("\n"))
    root = soup.html
    language = str(root.get("lang") or "")[:2].lower() if root is not None else ""
    return Page(title, (), lines, language=language) if lines else None


def _line(scraper: Any, name: str) -> str:
    """Return what a page says of one thing; nothing if it does not."""
    try:
        return "".join(_clean([str(getattr(scraper, name)() or "")]))
    except Exception:
        return ""


def _groups(scraper: Any, ingredients: tuple[str, ...]) -> tuple[Group, ...]:
    """Return the groups of ingredients, if the page names any and none is lost by it."""
    try:
        found = [
            ("".join(_clean([group.purpose or ""])).rstrip(":"), _clean(group.ingredients))
            for group in scraper.ingredient_groups()
        ]
    except Exception:
        return ()
    named = any(purpose for purpose, _ in found)
    whole = sorted(line for _, lines in found for line in lines) == sorted(ingredients)
    return tuple(found) if named and whole else ()


def _addresses(html: str) -> list[str]:
    """Return the addresses that select a site's layout: what the page gives, then its own links.

    A page may name another site as the source of its recipe.
    """
    head = html[:200_000]
    given = [
        found[1]
        for tag in _TAG.findall(head)
        if _OWN.search(tag) and (found := _ADDRESS.search(tag)) is not None
    ]
    saved = _SAVED.search(head[:2000])
    hosts = Counter(_HOST.findall(html[:2_000_000])).most_common(1)
    given += [saved[1]] if saved else []
    given += [f"https://{host}/" for host, _ in hosts]
    return list(dict.fromkeys(given)) or [_UNKNOWN]


def _clean(lines: list[str]) -> tuple[str, ...]:
    kept = (
        " ".join("".join(c if c.isprintable() else " " for c in line).split()) for line in lines
    )
    return tuple(line for line in kept if line)


_WHY = {
    "NoSchemaFoundInWildMode": "it has no usable recipe data",
    "RecipeSchemaNotFound": "it has no usable recipe data",
    "WebsiteNotImplementedError": "the layout of its site is unknown",
    "ElementNotFoundInHtml": "its ingredients or instructions were not found",
    "SchemaOrgException": "its recipe data lack ingredients or instructions",
    "FieldNotProvidedByWebsiteException": "its site gives no ingredients or no instructions",
}
"""Messages for the exceptions of recipe-scrapers, by name."""


def _reason(error: Exception) -> str:
    """Return why a page could not be read, in the user's terms."""
    names = (kind.__name__ for kind in type(error).__mro__)
    why = next((_WHY[name] for name in names if name in _WHY), None)
    return why or "its recipe data are malformed"
