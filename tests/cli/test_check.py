"""`treec check` and `treec explain`: everything that is wrong, in one run, where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from treec.cli import app


def edit(library: Path, path: str, old: str, new: str) -> None:
    file = library / path
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


@pytest.fixture
def broken(library: Path) -> Path:
    """Slips of three kinds in three files."""
    edit(library, "trees/robot_worker.tree.yaml", "queue(agent)", "quue(agent)")
    edit(library, "prompts/dispatch.decision.yaml", "offline:", "ofline:")
    edit(
        library, "trees/orders/morning_orders.recipe.yaml", "inspect crate 12:", "inspekt crate 12:"
    )
    return library


@pytest.mark.thorough
def test_the_projects_own_library_is_right(treec: Treec) -> None:
    result = treec("check", "--library", ROOT)
    assert result.status == 0, result.out
    assert "nothing is wrong" in result.out


def test_all_slips_in_one_run_sorted_each_at_its_place(treec: Treec, broken: Path) -> None:
    result = treec("check", "--library", broken)
    assert result.status == 1
    heads = [line for line in result.out.splitlines() if ": error TC" in line]
    places = [head.split(": ")[0].split(":") for head in heads]
    assert places == sorted(places, key=lambda p: (p[0], int(p[1]), int(p[2])))
    paths = {place[0] for place in places}
    assert {
        "trees/robot_worker.tree.yaml",
        "prompts/dispatch.decision.yaml",
        "trees/orders/morning_orders.recipe.yaml",
    } <= paths
    assert "did you mean 'queue'?" in result.out
    assert "did you mean 'offline'?" in result.out
    line = next(x for x in result.out.splitlines() if "quue(agent)" in x and "|" in x)
    under = result.out.splitlines()[result.out.splitlines().index(line) + 1]
    assert line[under.index("^") :].startswith("quue")


@pytest.mark.thorough
def test_the_same_as_json(treec: Treec, broken: Path) -> None:
    result = treec("check", "--library", broken, "--output-format", "json")
    assert result.status == 1
    items = json.loads(result.out)
    keys = {"code", "severity", "path", "line", "column", "end_line", "end_column"}
    assert all(set(item) == keys | {"message", "help"} for item in items)
    (slip,) = [item for item in items if "ofline" in item["message"]]
    text = (broken / slip["path"]).read_text("utf-8").splitlines()[slip["line"] - 1]
    assert text[slip["column"] - 1 : slip["end_column"] - 1] == "ofline"
    assert slip["code"] == "TC101"
    assert treec("check", "--library", ROOT, "--output-format", "json").out.strip() == "[]"


def test_only_some_files_are_shown(treec: Treec, broken: Path) -> None:
    result = treec("check", broken / "trees/orders", "--library", broken)
    assert result.status == 1
    assert "morning_orders.recipe.yaml" in result.out
    assert "robot_worker" not in result.out
    assert treec("check", broken / "envs", "--library", broken).status == 0


def _codes(out: str) -> set[str]:
    return {line.split(": ")[1].split()[1] for line in out.splitlines() if ": error TC" in line}


def test_rules_are_selected_and_ignored(treec: Treec, broken: Path) -> None:
    every = _codes(treec("check", "--library", broken).out)
    assert {"TC101", "TC204", "TC505"} <= every
    selected = treec("check", "--library", broken, "--select", "TC2")
    assert _codes(selected.out) == {code for code in every if code.startswith(("TC1", "TC2"))}
    ignored = treec("check", "--library", broken, "--ignore", "TC2", "--ignore", "tc505")
    assert _codes(ignored.out) == every - {"TC204", "TC505"}
    unknown = treec("check", "--library", broken, "--ignore", "TC999")
    assert unknown.status == 2
    assert "no rule's code begins with 'TC999'" in unknown.err


def test_codes_of_no_rule_in_treec_toml_are_reported_each_at_its_place(
    treec: Treec, broken: Path
) -> None:
    settings = broken / "treec.toml"
    lines = len(settings.read_text("utf-8").splitlines())
    codes = 'ignore = ["TC2", "TC998", "TC5", "TC999"]\n'
    settings.write_text(f"{settings.read_text('utf-8')}\n[check]\n{codes}", "utf-8")
    out = treec("check", "--library", broken).out
    for column, code in ((18, "TC998"), (34, "TC999")):
        place = f"treec.toml:{lines + 3}:{column}: "
        (line,) = (line for line in out.splitlines() if line.startswith(place))
        assert line.endswith(f": no rule's code begins with '{code}'")


def test_treec_toml_selects_rules_and_options_replace_it(treec: Treec, broken: Path) -> None:
    settings = broken / "treec.toml"
    settings.write_text(
        settings.read_text("utf-8") + '\n[check]\nignore = ["TC2", "TC5"]\n', "utf-8"
    )
    assert "TC204" not in treec("check", "--library", broken).out
    assert "TC204" in treec("check", "--library", broken, "--ignore", "TC5").out


def test_a_system_runs_when_its_only_error_is_suppressed(treec: Treec, library: Path) -> None:
    path = "trees/robot_worker.tree.yaml"
    edit(library, path, "retry: 2", "retry: 0")
    refused = treec("run", "warehouse", "--scenario", "morning_shift", "--library", library)
    assert refused.status != 0
    assert "TC310" in refused.err + refused.out
    edit(library, path, "retry: 0", "retry: 0  # treec: ignore TC310 nobody drives today")
    assert treec("check", "--library", library).status == 0
    runs = treec("run", "warehouse", "--scenario", "morning_shift", "--library", library)
    assert "TC310" not in runs.err + runs.out


def test_what_cannot_be_checked(treec: Treec, tmp_path: Path) -> None:
    assert treec("check", "--library", tmp_path).status == 2
    assert treec("check", "--library", tmp_path / "none").status == 2
    assert treec("check", "--output-format", "xml").status == 2


def test_explain(treec: Treec) -> None:
    told = treec("explain", "tc203")
    assert told.status == 0
    assert told.out.startswith("TC203: ")
    assert "Wrong:" in told.out
    assert "Right:" in told.out
    every = treec("explain", "all").out.splitlines()
    assert len(every) > 50
    wrong = treec("explain", "TC999")
    assert wrong.status == 2
    assert "unknown rule 'TC999'" in wrong.err


def test_every_rule_says_what_is_wrong_and_what_is_right(treec: Treec) -> None:
    for line in treec("explain", "all").out.splitlines():
        text = treec("explain", line.split()[0]).out
        assert "rong" in text, line
        assert "ight" in text, line


def test_an_error_in_one_system_does_not_stop_the_others(treec: Treec, library: Path) -> None:
    text = (library / "trees/warehouse.system.yaml").read_text("utf-8")
    other = text.replace("system: warehouse", "system: night").replace("[trees,", "[night,")
    (library / "night").mkdir()
    (library / "night/night.system.yaml").write_text(other, "utf-8")
    (library / "night/broken.tree.yaml").write_text("tree: broken\nroot: {chekc: true}\n", "utf-8")
    assert treec("check", "--library", library).status == 1
    day = treec("run", "warehouse", "--scenario", "morning_shift", "--library", library)
    assert day.status == 0, day.err
    night = treec("run", "night", "--library", library)
    assert night.status != 0
    assert "'night' does not run while its files have errors" in night.err


@pytest.mark.parametrize(
    "words",
    [[], ["trees"], ["nowhere"], ["--library"], ["--librari", "x"], ["-L", "."], ["-", "-x"]],
)
def test_what_is_read_without_typer_means_what_typer_reads(
    treec: Treec, broken: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(broken)
    plain = treec("check", *words)
    monkeypatch.setattr(app, "_check", lambda args: None)
    assert treec("check", *words) == plain
