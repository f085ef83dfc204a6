"""A recipe page imported by the command line, and what came of it."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.mosaic.recipe_trials import RecipeTrial, run_trial
from treec.files.entry import AnyEntry
from treec.files.library import load_library
from treec.files.tasks import RecipeFile
from treec.files.validate import read_entry
from treec.graph import descendants
from treec.source.text import SourceFile
from treec.source.yaml import read_documents
from treec_mosaic.recipes.ingredients import read_ingredients
from treec_mosaic.recipes.nested_list import HEADING
from treec_mosaic.recipes.numbers import in_digits
from treec_mosaic.recipes.page import Page, PageError, read_page

PAGES = (".html", ".htm", ".testhtml")
_DIGIT = re.compile(r"^[^(]*(?:\d|[½¼¾⅓⅔⅛])(?! ?[%°])")
_BESIDE = re.compile(r"\W*(?:meanwhile|in the meantime|at the same time)\b", re.IGNORECASE)
_SERVINGS = re.compile(r"^(\d+) (?:servings?|people|persons?|portions?)$")


@dataclass(frozen=True, slots=True)
class Kept:
    """How many of the things that a page says are in its recipe."""

    said: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of a page; `reference` is whether it agrees with what stands beside it.

    ``near`` are the words that were taken for others (errors TC503), of ``words``; ``ordered`` is
    whether each step waits for the one before. The rest is of the recorded list: ``errors`` and
    ``unknown`` subtasks of ``subtasks``, what became of cooking it, and what was not understood
    while it was cooked.
    """

    page: str
    failed: str = ""
    reference: bool | None = None
    near: int = 0
    words: int = 0
    ordered: bool | None = None
    kept: dict[str, Kept] = field(default_factory=dict)
    subtasks: int = 0
    errors: int = 0
    unknown: int = 0
    cooked: str = ""


def draw_pages(folder: Path, n: int, seed: int, lists: Path | None = None) -> list[Path]:
    """Draw pages; those with a recorded list are always among them."""
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in PAGES)
    named = {path.stem for path in lists.glob("*.txt")} if lists else set()
    first = [path for path in found if path.stem in named]
    rest = [path for path in found if path.stem not in named]
    more = max(0, min(n - len(first), len(rest)))
    return sorted([*first, *random.Random(f"pages {seed}").sample(rest, more)])


def try_page(library: Path, path: Path, lists: Path | None) -> ImportResult:
    """Import a page by its own instructions and by its recorded list, if there is one."""
    name = path.stem
    try:
        page = read_page(path.read_text("utf-8", "replace"))
    except PageError as error:
        return ImportResult(name, str(error))
    with tempfile.TemporaryDirectory(prefix="treec-") as temporary:
        folder = Path(temporary)
        says = _plain_import(library, page, folder)
        recorded = lists / f"{name}.txt" if lists else None
        listed: dict[str, Any] = {}
        if recorded is not None and recorded.exists():
            listed = _listed_import(library, page, recorded.read_text("utf-8"), folder)
        return ImportResult(name, reference=_agrees(path, page), **says, **listed)


def _plain_import(library: Path, page: Page, folder: Path) -> dict[str, Any]:
    """The page's own steps, numbered, with one `get` for each of its ingredients."""
    names = list(dict.fromkeys(one.name.lower() for one in read_ingredients(page.text)))
    gets = "".join(f"- get {name}\n" for name in names)
    steps = [" ".join(step.split()) for step in page.instructions]
    body = gets + "".join(f"{number}. {step}\n" for number, step in enumerate(steps, 1))
    entry, out, _ = _import(library, page, body, folder / "steps")
    words = len(names) + len(steps)
    near = len(re.findall(r": error TC503: ", out))
    if entry is None:
        return {"near": near, "words": words, "ordered": False}
    recipe: RecipeFile = entry.model
    after = {id: (*spec.after, *spec.after_any) for id, spec in recipe.subtasks.items()}
    chain = [*recipe.subtasks][len(gets.splitlines()) :]
    beside = {id for id, step in zip(chain, steps, strict=False) if _BESIDE.match(step)}
    ordered = all(
        a in descendants(after, b) for a, b in itertools.pairwise(chain) if b not in beside
    )
    return {"near": near, "words": words, "ordered": ordered, "kept": _kept(page, recipe)}


def _kept(page: Page, recipe: RecipeFile) -> dict[str, Kept]:
    """What the page says of its dish, and what of it stands in the recipe."""
    servings = _SERVINGS.match(page.yields)
    groups = {purpose for purpose, _ in page.groups if purpose}
    lines = [line.replace("⁄", "/") for line in page.ingredients]
    amounts = [line for line in lines if _DIGIT.match(line)]
    known = [(str(part.amount), part.name) for part in recipe.parts if part.amount is not None]
    about = recipe.about or ""
    return {
        "servings": Kept(
            int(bool(page.yields)),
            int(recipe.serves == int(servings[1]) if servings else page.yields in about)
            if page.yields
            else 0,
        ),
        "time": Kept(int(bool(page.minutes)), int(f"{page.minutes} min" in about)),
        "groups": Kept(len(groups), len(groups & {part.group for part in recipe.parts})),
        "amounts": Kept(
            len(amounts),
            sum(any(_is_in(a, line) and n in line for a, n in known) for line in amounts),
        ),
        "ingredients": Kept(len(page.ingredients), min(len(page.ingredients), len(recipe.parts))),
    }


def _is_in(amount: str, line: str) -> bool:
    """Whether a line of ingredients says an amount, which has number words and parts as digits."""
    return amount.lower() in line.lower() or amount.lower() in in_digits(line).lower()


def _listed_import(library: Path, page: Page, body: str, folder: Path) -> dict[str, Any]:
    """The page by its recorded list, cooked with a simulated user who agrees to everything."""
    entry, out, _ = _import(library, page, body, folder / "list")
    errors = len(re.findall(r": error TC", out))
    unknown = len(re.findall(r": (?:error|warning) TC503: ", out))
    if entry is None:
        return {"errors": errors, "unknown": unknown, "cooked": "not imported"}
    found = load_library(library)
    path = "trees/recipes/of_a_page.recipe.yaml"  # beside the recipes of its system
    entry = _entry(path, entry.file.text)
    assert entry is not None
    found.add([entry])
    trial = RecipeTrial(entry.name, 0, "symbolic")
    done = run_trial(found, "mosaic", trial, folder / "run")
    cooked = "cooked" if done.finished else done.ended
    return {
        "subtasks": len(entry.model.subtasks),
        "errors": errors,
        "unknown": unknown,
        "cooked": cooked,
    }


def _import(library: Path, page: Page, body: str, folder: Path) -> tuple[AnyEntry | None, str, int]:
    """Run `treec recipe import` on a list; return the recipe, what was printed and the status."""
    folder.mkdir()
    source = folder / "page.txt"
    head = f"{page.facts}\n\n{page.ingredients_text}" if page.facts else page.ingredients_text
    source.write_text(f"{page.title}\n{head}\n{HEADING}\n{body}", "utf-8")
    arguments = ("--name", f"Page {page.title}", "-o", folder.as_posix(), "--link")
    command = (sys.executable, "-m", "treec", "recipe", "import", str(source), *arguments)
    done = subprocess.run([*command, "-L", str(library)], capture_output=True, text=True)
    written = next(folder.glob("*.recipe.yaml"), None)
    entry = None if written is None else _entry(written.name, written.read_text("utf-8"))
    return entry, done.stdout + done.stderr, done.returncode


def _entry(path: str, text: str) -> AnyEntry | None:
    documents, _ = read_documents(SourceFile(path, text))
    return read_entry(documents[0], "recipe")[0] if documents else None


def _agrees(path: Path, page: Page) -> bool | None:
    """Whether a page is read as the file beside it says; None without one."""
    beside = path.with_suffix(".json")
    if not beside.exists():
        return None
    said = json.loads(beside.read_text("utf-8"))

    def words(lines: object) -> list[str]:
        return " ".join(map(str, lines if isinstance(lines, list) else [])).split()

    return words(said.get("ingredients")) == words([*page.ingredients]) and (
        words(said.get("instructions_list")) == words([*page.instructions])
    )
