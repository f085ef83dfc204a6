"""`treec recipe import`: from a list or a page to a recipe's file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.docs.pages import ROOT, Typed, Written, agrees, run, steps
from treec.files.library import load_library
from treec.files.view import views_of
from treec.team.knowledge import knowledge_of
from treec.team.words import Words

HERE = Path(__file__).parent
SOUP = HERE / "soup.txt"
LIST = """\
- get pepper
   * pour pepper into bowl
- get ranch sauce
- get cream
- pour ranch sauce into bowl
   * stir bowl
- gett salt
"""


def after(library: Path, name: str) -> dict[str, list[str]]:
    entry = load_library(library).find("recipe", name)
    assert entry is not None
    return {id: list(spec.after) for id, spec in entry.model.subtasks.items()}


@pytest.mark.thorough
def test_import_warns_of_what_is_used_before_it_is_prepared(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    file = tmp_path / "soup.txt"
    text = (
        "# Subtasks:\n"
        "- get onions\n"
        "- chop onions, after: [get onions]\n"
        "- pour onions into pot, after: [get onions]\n"
        "- stir pot, after: [pour onions into pot]\n"
    )
    file.write_text(text, "utf-8")
    result = treec("recipe", "import", file, "-L", library)
    assert result.status == 0, result
    found = "'pour onions into pot' uses onions, but does not wait for 'chop onions'"
    assert f"{file}:4:3: warning TC528: {found}" in result.out
    assert after(library, "Soup")["pour onions into pot"] == ["get onions"]
    file.write_text(text.replace("pot, after: [get onions]", "pot, after: [chop onions]"), "utf-8")
    result = treec("recipe", "import", file, "--name", "Onion Soup", "-L", library)
    assert "TC528" not in result.out
    assert after(library, "Onion Soup")["pour onions into pot"] == ["chop onions"]


@pytest.mark.thorough
def test_import_says_what_is_odd_at_its_place_in_the_list(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    file = tmp_path / "spring_salad.txt"
    file.write_text(LIST, "utf-8")
    result = treec("recipe", "import", file, "-L", library)
    assert result.status == 1
    for told in (
        f"{file}:4:3: warning TC515: 'get cream' fetches cream, which no other subtask uses",
        f"{file}:7:3: error TC503: no task matches 'gett salt'",
        "did you mean 'get salt'?",
        f"{file}:5:3: 'pour ranch sauce into bowl' after 'get ranch sauce'",
        "1 edge from an item to its use proposed, none added",
        "'Spring Salad', 7 subtasks, 1 join; 1 error",
    ):
        assert told in result.out
    text = (library / "trees/recipes/spring_salad.recipe.yaml").read_text("utf-8")
    assert "# proposed: after get ranch sauce, for ranch sauce" in text
    graph = after(library, "Spring Salad")
    assert graph["pour ranch sauce into bowl"] == []
    assert graph["stir bowl"] == ["get ranch sauce", "get cream", "pour ranch sauce into bowl"]


@pytest.mark.thorough
def test_import_takes_the_edges_when_told_to(treec: Treec, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "list.md"
    file.write_text(LIST.replace("gett", "get"), "utf-8")
    out = library / "trees/recipes/mine.recipe.yaml"
    result = treec(
        "recipe", "import", file, "--name", "It's: mine", "-o", out, "--link", "-L", library
    )
    assert result.status == 0, result.out
    assert after(library, "It's: mine")["pour ranch sauce into bowl"] == ["get ranch sauce"]
    assert "TC516" not in treec("check", "It's: mine", "-L", library).out


@pytest.mark.thorough
def test_the_soup_of_the_paper(treec: Treec, library: Path, tmp_path: Path) -> None:
    out = tmp_path / "soup.recipe.yaml"
    result = treec("recipe", "import", SOUP, "-o", out, "--link", "-L", library)
    assert "19 subtasks, 2 joins" in result.out
    assert "6 edges from an item to its use added to 'after':" in result.out
    assert "28:3: warning TC515: 'fetch basil'" in result.out
    text = out.read_text("utf-8")
    assert "  pour onion into pot: {after: [melt butter, fetch onion]}\n" in text
    assert "  stir pot (2):\n    do: stir pot\n" in text


def test_nothing_is_overwritten(treec: Treec, library: Path, tmp_path: Path) -> None:
    file = tmp_path / "caesar_salad.txt"
    file.write_text(LIST, "utf-8")
    there = library / "trees/recipes/caesar_salad.recipe.yaml"
    before = there.read_bytes()
    for more in ((), ("-o", there), ("-o", there, "--name", "Other")):
        result = treec("recipe", "import", file, *more, "-L", library)
        assert result.status == 2
        assert "already exists" in result.err
    result = treec("recipe", "import", file, "-o", tmp_path / "x.recipe.yaml", "-L", library)
    assert result.status == 2
    assert "specify another --name" in result.err
    assert there.read_bytes() == before
    assert not (tmp_path / "x.recipe.yaml").exists()


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("nothing but words", 1, "TC521"),
        ("", 1, "TC521"),
        ("<html><body>no recipe</body></html>", 2, "no recipe could be read"),
    ],
)
@pytest.mark.few(1)
def test_what_cannot_be_imported(
    treec: Treec, library: Path, tmp_path: Path, text: str, status: int, told: str
) -> None:
    file = tmp_path / "new_dish.txt"
    file.write_text(text, "utf-8")
    result = treec("recipe", "import", file, "-L", library)
    assert result.status == status
    assert told in result.out + result.err
    assert not list(library.rglob("new_dish*"))
    assert treec("recipe", "import", tmp_path / "none.txt", "-L", library).status == 2
    assert treec("recipe", "import", file, "-o", "x.yaml", "-L", library).status == 2


@pytest.mark.thorough
def test_a_page_becomes_the_input_of_a_model(treec: Treec, library: Path) -> None:
    result = treec("recipe", "import", HERE / "page.html", "-L", library)
    assert result.status == 0
    text = library / "trees/recipes/leek_and_barley_pot.txt"
    assert text.read_text("utf-8") in result.out
    assert "Import the page with --model" in result.out
    assert not list(library.rglob("leek*.yaml"))
    assert treec("recipe", "import", HERE / "page.html", "-L", library).status == 2
    result = treec("recipe", "import", text, "-L", library)
    assert result.status == 1
    assert "not its answer" in result.out


@pytest.mark.thorough
def test_the_page_on_recipes(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file docs/recipes.md writes and every command it types."""
    monkeypatch.chdir(library)
    monkeypatch.setenv("COLUMNS", "100")
    for step in steps(ROOT / "docs/recipes.md"):
        if isinstance(step, Written):
            Path(step.path).write_text(step.text, "utf-8")
            continue
        assert isinstance(step, Typed)
        _, printed = run(step.command)
        assert agrees(step.shows, printed), f"recipes.md:{step.line} printed\n{printed}"
    assert after(library, "Sunday Soup")["stir pot (2)"] == [
        "pour vegetable stock into pot",
        "season pot with salt",
    ]


@pytest.mark.parametrize(
    ("words", "task", "args"),
    [
        ("pour 200 ml milk into pot", "pour", ("milk", "pot")),
        ("pour 1½ cups of the milk into the pot", "pour", ("milk", "pot")),
        ("melt 4 tablespoons of butter", "melt", ("butter",)),
        ("melt half of the butter", "melt", ("butter",)),
        ("stir the pot for about 5 to 10 minutes", "stir", ("pot",)),
        ("stir pot at 80 °C for ten minutes", "stir", ("pot",)),
    ],
)
def test_amounts_and_times_stand_in_the_words_of_a_subtask(
    words: str, task: str, args: tuple[str, ...]
) -> None:
    found = _words().match(words)
    assert found is not None
    assert (found.task, tuple(found.args.values())) == (task, args)


@pytest.mark.parametrize("words", ["get 2 tomatoes", "stir pot until it is soft"])
def test_what_is_no_amount_stays_unknown(words: str) -> None:
    assert _words().match(words) is None  # a number of things is not dropped


def test_after_names_an_item_without_its_amount_and_a_mixture_is_told_once(
    treec: Treec, library: Path, tmp_path: Path
) -> None:
    file = tmp_path / "syrup.txt"
    items = (
        "get milk",
        "pour 200 ml milk into pot, after: [get milk]",
        "stir pot for 2 minutes, makes: syrup",
        "pour syrup into bowl",
        "pour batter into prepared pan. Bake until a toothpick comes out clean",
    )
    file.write_text("\n".join(f"- {item}" for item in items), "utf-8")
    result = treec("recipe", "import", file, "--link", "-L", library)
    assert result.status == 0, result.out
    assert "TC528" not in result.out
    assert "did you mean" not in result.out
    graph = after(library, "Syrup")
    assert graph["stir pot"] == ["pour milk into pot"]
    assert graph["pour syrup into bowl"] == ["stir pot"]


@cache
def _words() -> Words:
    view = next(view for view in views_of(load_library(ROOT)) if view.all("recipe"))
    return knowledge_of(view).words
