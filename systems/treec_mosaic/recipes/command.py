"""``treec recipe import``: write a recipe from a list, or from a page with a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library, wants_colour
from treec.cli.model_options import ApiBaseOption, MaxCostOption, MaxTokensOption, ModelOption
from treec.world.spec import ModelOptions

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec.files.view import View
    from treec.source.diagnostics import Diagnostic
    from treec.source.text import SourceFile
    from treec_mosaic.recipes.link import Links, SubtaskLink
    from treec_mosaic.recipes.nested_list import Item
    from treec_mosaic.recipes.page import Page
    from treec_mosaic.recipes.write import RecipeText

ENDING = ".recipe.yaml"
_OTHER_LANGUAGE = "subtasks are understood in the words of the kitchen's tasks and things alone"


def command(
    file: Annotated[
        Path,
        typer.Argument(help="List of subtasks (text), or a saved recipe page (HTML)."),
    ],
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name of the recipe (default: from the file's name)."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Output: NAME.recipe.yaml (default: beside the other recipes)."
        ),
    ] = None,
    link: Annotated[
        bool, typer.Option("--link", help="Add the proposed edges, from an item to its use.")
    ] = False,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    library: LibraryOption = None,
) -> int:
    """Import a recipe from a list or a page. Exit status 0 without errors in it, 1 with errors.

    Each item of a list names what it waits for (`after: [...]`), or stands below it (MOSAIC's
    nested form: siblings are parallel, children wait for all consecutive siblings above them).
    With --model, a model turns a page into a list; review the recipe before you use it. Existing
    files are never overwritten.
    """
    from treec.source.yaml import read_file
    from treec_mosaic.recipes.page import looks_like_html

    found = open_library(library)
    source, problems = read_file(file, file.as_posix())
    if source is None:
        raise Stop(f"{file}: {problems[0].message}")
    view = _view(found)
    if file.suffix.lower() in (".html", ".htm") or looks_like_html(source.text):
        if model is None:
            return _page(source, view, name, output)
        options = ModelOptions(model, api_base, False, max_cost, max_tokens)
        return _page_by_model(source, view, name, output, link, options)
    if model is not None:
        raise Stop(f"{file} is not a saved page: import it without --model")
    title = name or _title(file)
    target = _free_target(view, title, output)
    return _list(source, view, title, target, link)


def _list(source: SourceFile, view: View, title: str, target: Path, take: bool) -> int:
    """Read a list, print its diagnostics and write the recipe."""
    from treec.source.diagnostics import format_summary, format_text
    from treec.team.knowledge import Knowledge
    from treec.team.language import language_of
    from treec_mosaic.recipes.details import (
        detailed,
        subtasks_of,
        with_amounts,
        without_details,
    )
    from treec_mosaic.recipes.ingredients import read_ingredients
    from treec_mosaic.recipes.link import Links
    from treec_mosaic.recipes.nested_list import read_list
    from treec_mosaic.recipes.page import read_facts
    from treec_mosaic.recipes.subtask_reader import SubtaskReader
    from treec_mosaic.recipes.write import recipe_text

    knowledge = Knowledge(view)
    read = read_list(source, without_details(knowledge))
    problems = list(read.problems)
    if not read.items:
        print(format_text(problems, {source.path: source}, colour=wants_colour()))
        return 1
    items, details = detailed(read.items, knowledge)
    ingredients = read_ingredients(source.text)
    details = with_amounts(items, details, ingredients, knowledge)
    links = Links(SubtaskReader(knowledge), subtasks_of(items, details))
    missing = links.missing()
    proposed = [link for link in missing if not link.reversed]
    facts = read_facts(source.text)
    if facts.language == language_of(view).language:
        facts = replace(facts, language=None)
    written = recipe_text(title, items, source.path, proposed, take, facts, details, ingredients)
    problems += _odd(links.with_edges(proposed), items)
    problems += _check(view, target, written, items)
    problems = sorted(set(problems))
    if problems:
        print(format_text(problems, {source.path: source}, colour=wants_colour()))
        print()
    _write(target, written.text)
    if proposed:
        _print_links(proposed, items, take)
    joins = sum(len(item.after) > 1 for item in items)
    print(
        f"{_near(target)}: '{title}', {_count(len(items), 'subtask')}, "
        f"{_count(joins, 'join')}; {format_summary(problems)}"
    )
    print(f'review it, then run: treec check "{title}"')
    return 1 if any(problem.severity == "error" for problem in problems) else 0


def _print_links(proposed: Sequence[SubtaskLink], items: Sequence[Item], taken: bool) -> None:
    spans = {item.id: item.span for item in items}
    if taken:
        print(f"{_count(len(proposed), 'edge')} from an item to its use added to 'after':")
    else:
        print(f"{_count(len(proposed), 'edge')} from an item to its use proposed, none added:")
    for link in proposed:
        print(f"  {spans[link.id]}: '{link.id}' after '{link.before}', {link.reason}")
    if not taken:
        print("they are in the file as comments; --link adds them all")
    print()


def _odd(links: Links, items: Sequence[Item]) -> list[Diagnostic]:
    """Report unused, missing, duplicate and unordered items at their positions in the list."""
    from treec.source.diagnostics import Diagnostic
    from treec_mosaic.check import (
        tc515_unused_thing,
        tc516_missing_fetch,
        tc517_duplicate_subtask,
        tc528_use_unprepared,
    )
    from treec_mosaic.recipes.fetching import (
        find_fetched_late,
        find_never_fetched,
        find_unused,
    )
    from treec_mosaic.recipes.findings import find_repeated, find_use_unprepared

    spans = {item.id: item.span for item in items}
    found = [
        *((tc515_unused_thing.CODE, finding) for finding in find_unused(links)),
        *((tc516_missing_fetch.CODE, finding) for finding in find_fetched_late(links)),
        *((tc516_missing_fetch.CODE, finding) for finding in find_never_fetched(links)),
        *((tc517_duplicate_subtask.CODE, finding) for finding in find_repeated(links)),
        *((tc528_use_unprepared.CODE, finding) for finding in find_use_unprepared(links)),
    ]
    return [Diagnostic(c, "warning", spans[f.node], f.message, f.help) for c, f in found]


def _check(
    view: View, target: Path, written: RecipeText, items: Sequence[Item]
) -> list[Diagnostic]:
    """Run `treec check` on the recipe; diagnostics point into the list."""
    from treec.check import check_library
    from treec.files.validate import read_entry
    from treec.source.text import SourceFile
    from treec.source.yaml import read_documents
    from treec_mosaic.check import (
        tc515_unused_thing,
        tc516_missing_fetch,
        tc517_duplicate_subtask,
        tc528_use_unprepared,
    )

    library = view.library
    odd = (tc515_unused_thing, tc516_missing_fetch, tc517_duplicate_subtask, tc528_use_unprepared)
    codes = {module.CODE for module in odd}
    path = f"{_recipes(view)}/{target.name}"  # checked with its system
    file = SourceFile(path, written.text)
    documents, problems = read_documents(file)
    for document in documents:
        entry, more = read_entry(document, "recipe")
        problems += more
        library.add([entry] if entry is not None else [])
    library.sources[path] = file
    library.diagnostics += problems
    spans = {item.id: item.span for item in items}
    return [
        replace(problem, span=spans.get(written.subtask_at(problem.span.line) or "", items[0].span))
        for problem in check_library(library)
        if problem.span.path == path and problem.code not in codes
    ]


def _page_by_model(
    source: SourceFile,
    view: View,
    name: str | None,
    output: Path | None,
    take: bool,
    options: ModelOptions,
) -> int:
    """Let a model turn a page into a list, save the list and import it."""
    from treec.source.text import SourceFile
    from treec_mosaic.recipes.model import ask_for_list, list_file

    page = _read_page(source, whole=True)
    title = name or page.title or _title(Path(source.path))
    target = _free_target(view, title, output)
    list_path = _list_path(target)
    if list_path.exists():  # before a request costs money
        raise Stop(_exists(list_path))
    answer = ask_for_list(view, page, title, options)
    text = list_file(title, answer, Path(source.path), page)
    _write(list_path, text)
    print(f"{_near(list_path)}: the list, by {answer.by}")
    if not answer.accepted:
        print("its last answer was refused for the problems below and is written all the same")
    print()
    return _list(SourceFile(_near(list_path), text), view, title, target, take)


def _read_page(source: SourceFile, whole: bool = False) -> Page:
    """Read a page; with `whole` its text where no recipe can be found in it. Raises Stop."""
    from treec_mosaic.recipes.page import PageError, read_page

    try:
        return read_page(source.text)
    except PageError as error:
        if whole and error.rest is not None:
            print(f"{source.path}: {error}: the model reads all of its text")
            return error.rest
        help = "import it with --model, or write its subtasks as a list and import that"
        more = f"; {help}" if error.rest is not None else ""
        raise Stop(f"{source.path}: {error}{more}") from None


def _list_path(target: Path) -> Path:
    return target.with_name(target.name.removesuffix(ENDING) + ".txt")


def _page(source: SourceFile, view: View, name: str | None, output: Path | None) -> int:
    """Write the page as plain text, the input of a model."""
    from treec.team.language import language_of
    from treec_mosaic.recipes.nested_list import HEADING

    page = _read_page(source)
    title = name or page.title or _title(Path(source.path))
    target = _target(view, title, output)
    text = _list_path(target)
    _write(text, page.text)
    print(page.text)
    print(
        f"{_near(text)}: '{title}', {_count(len(page.ingredients), 'ingredient')}, "
        f"{_count(len(page.instructions), 'instruction')}"
    )
    if page.language not in ("", language_of(view).language):
        print(f"The page's language is '{page.language}': {_OTHER_LANGUAGE}.")
    print("This is not a recipe yet: without --model it is not turned into a list of subtasks.")
    print(f"Import the page with --model, or write the list yourself under '{HEADING}'.")
    return 0


def _view(library: Library) -> View:
    """Return the view of the first system with recipes, or of the whole library."""
    from treec.files.view import View, views_of

    views = views_of(library)
    return next(
        (view for view in views if view.all("recipe")), views[0] if views else View(library)
    )


def _recipes(view: View) -> str:
    """Return the folder with the most recipes."""
    folders = view.own_folders("recipe")
    return max(sorted(set(folders)), key=folders.count) if folders else "trees/recipes"


def _target(view: View, title: str, output: Path | None) -> Path:
    """Return the path of the recipe. Raises Stop if it exists."""
    stem = "_".join(re.findall(r"\w+", title.lower())) or "recipe"
    target = output or view.library.root / _recipes(view) / f"{stem}{ENDING}"
    if output is not None and output.is_dir():
        target = output / f"{stem}{ENDING}"
    if not target.name.endswith(ENDING) or target.name == ENDING:
        raise Stop(f"'{target.name}': a recipe's file name ends in {ENDING}")
    if target.exists():
        raise Stop(_exists(target))
    return target


def _free_target(view: View, title: str, output: Path | None) -> Path:
    """Return the path of a new recipe. Raises Stop if its name is in use."""
    target = _target(view, title, output)
    if (there := view.find("recipe", title)) is not None:
        raise Stop(f"recipe '{title}' already exists, in {there.path}; specify another --name")
    return target


def _exists(path: Path) -> str:
    return f"{_near(path)} already exists and is not overwritten; specify another path with -o"


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise Stop(_exists(path)) from None
    except OSError as error:
        raise Stop(f"{_near(path)} cannot be written: {error.strerror}") from None


def _near(path: Path) -> str:
    """Return a path relative to the working directory, if it is below it."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _title(file: Path) -> str:
    words = re.findall(r"[^\W_]+(?:'\w+)?", file.name.partition(".")[0])
    return " ".join(word[:1].upper() + word[1:] for word in words) or "Recipe"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
