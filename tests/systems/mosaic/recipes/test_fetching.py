"""What a recipe forgets to fetch, fetches late or for nothing is found; and the rules about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.test_fixtures import assert_prints_exactly
from tests.systems.mosaic.recipes.test_link import links, reader
from treec.cli import main
from treec_mosaic.recipes.fetching import find_not_fetched, find_unused
from treec_mosaic.recipes.subtask_reader import SubtaskReader

__all__ = ["reader"]

FIXTURES = sorted((Path(__file__).parents[1] / "files").glob("TC*.yaml"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixture_prints_exactly(path: Path, tmp_path: Path) -> None:
    assert_prints_exactly(path, tmp_path / "library")


def test_what_is_fetched_after_its_use_is_told(reader: SubtaskReader) -> None:
    found = links(reader, heat_kettle=[], get_kettle=["heat_kettle"])
    assert [f.node for f in find_not_fetched(found)] == ["heat kettle"]


def test_a_robot_that_goes_to_a_thing_needs_nobody_to_fetch_it(reader: SubtaskReader) -> None:
    found = links(reader, look_at_kettle=[], get_kettle=["look_at_kettle"])
    assert list(find_not_fetched(found)) == []


def test_to_set_it_upon_another_is_a_use(reader: SubtaskReader) -> None:
    found = links(reader, get_kettle=[], put_kettle_on_tea_pot=[])
    assert list(find_unused(found)) == []


def test_forgotten_and_missing(reader: SubtaskReader) -> None:
    found = links(
        reader, get_tea_pot=[], heat_kettle=[], wash_kettle=[], fetch_tea_pot=["get_tea_pot"]
    )
    assert [f.node for f in find_unused(found)] == ["get tea pot"]
    assert [(f.node, f.help) for f in find_not_fetched(found)] == [
        ("heat kettle", "add a subtask 'get kettle' and let it wait for that")
    ]


def test_the_rules_of_the_pack_have_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "TC515"]) == 0
    assert "fetches but does not use" in capsys.readouterr().out


UNUSED = "recipe: Tea\nabout: A pot of tea.\nsubtasks:\n  get kettle: {}"


@pytest.mark.parametrize(
    ("comment", "options", "codes"),
    [
        ("", (), ["TC515"]),
        ("  # treec: ignore TC515 it is for show", (), []),
        ("", ("--ignore", "TC515"), []),
        ("", ("--select", "TC515"), ["TC515"]),
        ("", ("--select", "TC517"), []),
    ],
)
def test_the_rules_of_the_pack_are_selected_and_suppressed(
    comment: str,
    options: tuple[str, ...],
    codes: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from tests.check.test_fixtures import write_files

    root = tmp_path / "library"
    write_files(f"# file: recipes/tea.recipe.yaml\n{UNUSED}{comment}\n", root)
    main(["check", "-L", str(root), *options])
    out = capsys.readouterr().out
    assert [code for code in ("TC108", "TC515", "TC517") if code in out] == codes


def test_a_recipe_that_only_brings_things_leaves_them_there(reader: SubtaskReader) -> None:
    assert not [*find_unused(links(reader, get_kettle=[], get_tea_pot=[]))]
