"""`uses:` of packs: found by entry point, read as far as they are used, never imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.packs import PACK, SHED, distribution, installed, write
from treec.check import check_library
from treec.cli import main
from treec.files.library import Library, load_library
from treec.files.packs import PackError, find_pack, pack_names
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

SYSTEM = """system: mine
about: Dig in my garden.
uses: [USES]
root: garden
domain: shed
scene: shed
"""
GARDEN = """tree: garden
about: Dig in the garden.
root:
  - tree: digging
"""
USES = "sheds/tools/all, sheds/envs, ./trees"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    site = tmp_path / "site-packages"
    distribution(site, "garden-sheds", "sheds", "sheds_pack", SHED)
    with installed(monkeypatch, site):
        yield site


def mine(root: Path, uses: str, **more: str) -> Library:
    files = {"treec.toml": "", "trees/garden.tree.yaml": GARDEN}
    write(root, {**files, "trees/my.system.yaml": SYSTEM.replace("USES", uses), **more})
    return load_library(root)


def told(problems: list[Diagnostic]) -> list[str]:
    return [f"{p.span}: {p.code}: {p.message}; {p.help}" for p in problems]


def test_a_pack_is_found_by_its_entry_point_and_not_imported(site: Path) -> None:
    pack = find_pack("sheds")
    assert (pack.root, pack.distribution, pack.version) == (
        site / "sheds_pack",
        "garden-sheds",
        "2.1",
    )
    assert {"sheds", "treec"} <= set(pack_names())
    assert "sheds_pack" not in sys.modules


def test_the_version_is_the_distributions_where_the_pack_says_none(site: Path) -> None:
    text = PACK.replace('version = "2.1"\n', "")
    distribution(site, "garden-sheds", "sheds", "sheds_pack", {"treec.toml": text})
    assert find_pack("sheds").version == "1.0"


def test_a_part_of_a_pack_is_used_and_no_more_of_it_is_read(site: Path, tmp_path: Path) -> None:
    library = mine(tmp_path / "mine", "sheds/tools, ./trees")
    assert {path for path in library.sources if path.startswith("sheds/")} == {
        "sheds/skills/dig.skill.yaml"
    }


def test_a_library_with_a_pack_checks_and_compiles(site: Path, tmp_path: Path) -> None:
    library = mine(tmp_path / "mine", USES)
    assert told(check_library(library)) == []
    system = library.find_system("mine")
    assert system is not None
    view = View(library, system)
    assert {entry.path for entry in view.entries if entry.kind == "skill"} == {
        "sheds/skills/dig.skill.yaml"
    }


@pytest.mark.parametrize(
    ("uses", "problem"),
    [
        ("shed, ./trees", "unknown folder or pack 'shed' in the library; did you mean 'sheds'?"),
        (
            "sheds/tolls, ./trees",
            "unknown part 'tolls' of the pack 'sheds'; did you mean 'sheds/tools'?",
        ),
        (
            "sheds/xyz, ./trees",
            "unknown part 'xyz' of the pack 'sheds'; its parts: sheds/tools, sheds/tools/all, ",
        ),
        ("./sheds, ./trees", "unknown folder './sheds' in the library; known: trees"),
        ("../sheds, ./trees", "'../sheds' is outside the library"),
    ],
)
def test_what_is_wrong_with_a_use_is_told_at_its_place(
    site: Path, tmp_path: Path, uses: str, problem: str
) -> None:
    found = told(check_library(mine(tmp_path / "mine", uses)))
    (first,) = (it for it in found if it.startswith("trees/my.system.yaml:3:8: TC604: "))
    assert problem in first


def test_a_part_whose_folder_is_missing(site: Path, tmp_path: Path) -> None:
    toml = PACK + '"gone" = {folders = ["attic"]}\n'
    write(site / "sheds_pack", {"treec.toml": toml})
    found = told(check_library(mine(tmp_path / "mine", "sheds/gone, ./trees")))
    assert any("missing folder 'attic' of the pack 'sheds' in" in it for it in found)
    (problem,) = check_library(load_library(site / "sheds_pack"))
    assert told([problem])[0].startswith(
        f"treec.toml:{len(toml.splitlines())}:22: TC107: missing folder 'attic'"
    )


def test_a_folder_and_a_pack_of_one_name_are_told_apart_by_the_writer(
    site: Path, tmp_path: Path
) -> None:
    own = {"sheds/skills/dig.skill.yaml": SHED["skills/dig.skill.yaml"]}
    library = mine(tmp_path / "mine", "sheds/skills, ./trees", **own)
    (problem,) = (p for p in check_library(library) if "both" in p.message)
    assert problem.message == "'sheds' is both a folder of this library and an installed pack"
    assert problem.help is not None
    assert problem.help.startswith("write './sheds/skills' for the folder")
    library = mine(tmp_path / "mine", "./sheds/skills, ./trees")
    assert not any("both" in p.message for p in check_library(library))
    assert {p for p in library.sources if "dig" in p} == {"sheds/skills/dig.skill.yaml"}


def test_two_distributions_that_offer_one_pack(site: Path, tmp_path: Path) -> None:
    distribution(site, "other-sheds", "sheds", "other_sheds", SHED)
    found = told(check_library(mine(tmp_path / "mine", "sheds/tools, ./trees")))
    (first,) = (it for it in found if it.startswith("trees/my.system.yaml:3:8: "))
    assert "garden-sheds and other-sheds both offer a pack 'sheds'" in first
    assert "uninstall one of them" in first


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "cannot be used: no package 'broken_pack'"),
        ({"__init__.py": ""}, "cannot be used: no treec.toml in"),
        ({"treec.toml": "[library]\n"}, "treec.toml has no [pack]"),
        ({"treec.toml": '[pack]\nname = "x"\n'}, "says that its pack is 'x'"),
        ({"treec.toml": "[pack]\nnam = 3\n"}, "cannot be used: "),
    ],
)
def test_a_pack_that_cannot_be_used(site: Path, files: dict[str, str], problem: str) -> None:
    distribution(site, "broken", "broken", "broken_pack", files)
    with pytest.raises(PackError) as caught:
        find_pack("broken")
    assert problem in caught.value.message


def test_what_a_use_makes_wrong_in_a_file_of_the_pack_is_told_there(
    site: Path, tmp_path: Path
) -> None:
    """The pack's tree is right in the pack; here its skill is missing."""
    problems = check_library(mine(tmp_path / "mine", "sheds/trees, ./trees"))
    assert "sheds/trees/digging.tree.yaml:4:12" in [str(p.span) for p in problems]


def test_a_packs_own_problems_are_one_line_where_it_is_used(site: Path, tmp_path: Path) -> None:
    wrong = SHED["skills/dig.skill.yaml"].replace("takes: 2s", "tekes: 2s")
    write(site / "sheds_pack", {"skills/dig.skill.yaml": wrong})
    (problem,) = check_library(mine(tmp_path / "mine", USES))
    assert str(problem.span) == "trees/my.system.yaml:3:8"
    assert problem.message == "the pack 'sheds' has an error of its own in what is used here"
    assert problem.help == "'treec check --library sheds' shows it"


def test_what_a_pack_offers_and_nobody_reaches_is_no_problem(site: Path, tmp_path: Path) -> None:
    spare = "tree: spare\nabout: Wait.\nroot:\n  - wait: {for: 1s}\n"
    write(site / "sheds_pack", {"trees/spare.tree.yaml": spare})
    assert told(check_library(mine(tmp_path / "mine", USES))) == []


def test_names_reach_into_packs_that_are_not_used(site: Path, tmp_path: Path) -> None:
    garden = GARDEN.replace("tree: digging", "tree: sheds/digging")
    files = {"trees/garden.tree.yaml": garden}
    library = mine(tmp_path / "mine", "sheds/tools, sheds/envs, ./trees", **files)
    assert told(check_library(library)) == []


def test_a_name_that_a_pack_has_is_told_in_ones_own_file(site: Path, tmp_path: Path) -> None:
    own = {"trees/dig.skill.yaml": SHED["skills/dig.skill.yaml"]}
    (problem,) = (
        p
        for p in check_library(mine(tmp_path / "mine", "sheds/tools, ./trees", **own))
        if p.code == "TC605"
    )
    assert problem.span.path == "trees/dig.skill.yaml"


def test_a_scenario_of_ones_own_for_a_packs_system(site: Path, tmp_path: Path) -> None:
    scenario = "scenario: mine\nsystem: sheds/sheds_work\nexpect: {within: 2m}\n"
    library = mine(tmp_path / "mine", "./trees", **{"trees/mine.scenario.yaml": scenario})
    system = library.find_system("sheds/sheds_work")
    assert system is not None
    assert set(View(library, system).all("scenario")) == {"mine", "one_hole"}
    wrong = {"trees/mine.scenario.yaml": scenario.replace("sheds/", "")}
    (problem,) = (
        p for p in check_library(mine(tmp_path / "mine", "./trees", **wrong)) if p.code == "TC603"
    )
    assert problem.help == "did you mean 'sheds/sheds_work'?"


def test_a_packs_system_runs_in_an_empty_folder(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    for name in ("sheds_work", "sheds/sheds_work"):
        assert main(["run", name, "--scenario", "one_hole", "--fast"]) == 0, capsys.readouterr()
    assert len(list((empty / "runs").iterdir())) == 2
    assert main(["run", "sheds/sheds_wrk", "--fast"]) == 2
    assert "did you mean 'sheds/sheds_work'?" in capsys.readouterr().err


def test_a_system_that_two_packs_have_is_asked_about(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toml = PACK.replace('"sheds"', '"barns"')
    distribution(site, "barns", "barns", "barns_pack", {**SHED, "treec.toml": toml})
    monkeypatch.chdir(tmp_path)
    assert main(["run", "sheds_work", "--fast"]) == 2
    told = "several packs have a system 'sheds_work'; write barns/sheds_work or sheds/sheds_work"
    assert told in capsys.readouterr().err


def test_a_pack_that_cannot_be_used_hides_no_system_of_others(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    distribution(site, "a-broken", "a_broken", "broken_pack", {})
    monkeypatch.chdir(tmp_path)
    assert main(["run", "sheds/sheds_wrk", "--fast"]) == 2
    assert "unknown system 'sheds_wrk' in the pack 'sheds'" in capsys.readouterr().err
    assert main(["run", "sheds_wrk", "--fast"]) == 2
    assert "did you mean 'sheds_work'?" in capsys.readouterr().err


def test_a_pack_is_checked_by_its_name(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["check", "--library", "sheds"]) == 0, capsys.readouterr().out


def test_a_library_inside_a_library_is_another_one(tmp_path: Path) -> None:
    inner = {"inner/treec.toml": "", "inner/garden.tree.yaml": GARDEN}
    library = mine(tmp_path / "mine", "./trees", **inner)
    assert [entry.path for entry in library.of_kind("tree")] == ["trees/garden.tree.yaml"]


FORECASTER = "forecaster: NAME\nmodel: steady\n"


def test_one_forecaster_is_used_and_the_librarys_own_replaces_that_of_a_pack(
    site: Path, tmp_path: Path
) -> None:
    theirs = FORECASTER.replace("NAME", "theirs")
    write(site / "sheds_pack", {"envs/theirs.forecaster.yaml": theirs})
    own = {"trees/own.forecaster.yaml": FORECASTER.replace("NAME", "own")}
    library = mine(tmp_path / "one", USES, **own)
    assert told(check_library(library)) == []
    system = library.find_system("mine")
    assert system is not None
    assert list(View(library, system).all("forecaster")) == ["own", "theirs"]
    own["trees/second.forecaster.yaml"] = FORECASTER.replace("NAME", "second")
    (problem,) = check_library(mine(tmp_path / "two", USES, **own))
    assert (problem.code, problem.span.path) == ("TC612", "trees/second.forecaster.yaml")


def test_a_system_chooses_which_of_several_forecasters_is_used(site: Path, tmp_path: Path) -> None:
    both = {f"envs/{name}.forecaster.yaml": FORECASTER.replace("NAME", name) for name in "ab"}
    write(site / "sheds_pack", both)
    library = mine(tmp_path / "one", USES)
    assert told(check_library(library)) == [], "the pack's own check reports it"
    assert used_forecaster(library) == "a"
    own = {f"trees/{name}.forecaster.yaml": FORECASTER.replace("NAME", name) for name in "cd"}
    chosen = SYSTEM.replace("USES", USES) + "chooses: {forecaster: NAME}\n"
    for name in "abcd":
        own["trees/my.system.yaml"] = chosen.replace("NAME", name)
        library = mine(tmp_path / name, USES, **own)
        assert told(check_library(library)) == []
        assert used_forecaster(library) == name


def used_forecaster(library: Library) -> str:
    system = library.find_system("mine")
    assert system is not None
    entry = View(library, system).used("forecaster")
    assert entry is not None
    return entry.name
