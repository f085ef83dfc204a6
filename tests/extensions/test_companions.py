"""The packages that are developed beside the core: what the core knows of them is true."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import distribution, packages_distributions
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest

import treec
from tests.support.extensions import using
from treec import companions
from treec.api.errors import TreecError
from treec.check import check_library, extension_targets, load_rules
from treec.cli import main as cli
from treec.cli.display import RunDisplay
from treec.cli.make_display import make_display
from treec.companions import COMPANIONS, MOVED_MODULES, Companion, moved_module
from treec.extensions import registry
from treec.files.library import load_library, system_names
from treec.files.modules import find_module
from treec.files.packs import PackError, find_pack
from treec.files.templates import NoTemplate, find_template, templates_of
from treec.nodes.environment import (
    EnvironmentUnavailable,
    find_environment,
    unknown_environment,
)
from treec.nodes.runtime import NodeError
from treec_asking.open_model import CannotAsk, ModelChoice, open_model


def test_what_companions_name_exists_and_is_not_looked_for_in_each_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those of another version than treec's are read: 20 ms."""
    assert not list(extension_targets.missing_targets())
    looked: list[str] = []
    find = extension_targets.find_missing
    monkeypatch.setattr(
        extension_targets, "find_missing", lambda *args: looked.append(args[0]) or find(*args)
    )
    assert not list(extension_targets.missing_targets())
    assert not looked
    monkeypatch.setattr(extension_targets, "own_version", lambda: "0.0.1")
    assert not list(extension_targets.missing_targets())
    assert any(name.startswith("treec_ros") for name in looked)


@pytest.mark.needs_system("mosaic")
@pytest.mark.few(1, thorough=7)
@pytest.mark.parametrize("one", COMPANIONS, ids=lambda one: one.distribution)
def test_the_table_says_what_a_package_declares(one: Companion) -> None:
    """Where it is installed, as in the tests."""
    own = [e for source, e in registry().extensions if source.package == one.distribution]
    points = distribution(one.distribution).entry_points
    packs = [point.name for point in points if point.group == "treec.packs"]
    assert one.is_installed
    assert set(one.packs) == set(packs)
    assert set(one.templates) == {it.name for pack in packs for it in templates_of(find_pack(pack))}
    assert set(one.systems) == {it for pack in packs for it in system_names(find_pack(pack))}
    assert set(one.kinds) == {kind.name for e in own for kind in e.kinds}
    assert set(one.environments) == {name for e in own for name in e.environments}
    assert set(one.monitors) == {name for e in own for name in e.monitors}
    assert set(one.recordings) == {name for e in own for name in e.recordings}
    assert set(one.nodes) == {name for e in own for name in e.nodes}
    rules = {rule.code: check.__module__.partition(".")[0] for rule, check in load_rules()}
    assert set(one.rules) == {code for code, module in rules.items() if module in one.modules}
    assert set(one.asks) == {name for e in own for name in e.asks}
    assert set(one.memories) == {name for e in own for name in e.memories}
    assert set(one.pictures) == {name for e in own for name in e.pictures}
    assert set(one.tools) == {name for e in own for name in e.tools}
    assert set(one.scorers) == {name for e in own for name in e.scorers}
    assert set(one.models) == {name for e in own for name in e.models}
    assert set(one.providers) == {it.name for e in own for it in e.providers}
    first = {words.split()[0] for e in own for words in e.commands}
    core = {words.split()[0] for words in registry().extensions[0][1].commands}
    assert set(one.commands) == first - core
    modules = {name for name, of in packages_distributions().items() if one.distribution in of}
    assert not modules or set(one.modules) == modules


@pytest.mark.thorough
@pytest.mark.parametrize("old", MOVED_MODULES)
def test_a_module_that_moved_is_where_the_table_says(old: str) -> None:
    assert find_module(MOVED_MODULES[old], None)[1] is None
    assert find_module(old, None)[1] is not None
    assert moved_module(f"{old}.below") == f"{MOVED_MODULES[old]}.below"


def test_what_extensions_took_of_a_module_that_moved_is_found_there() -> None:
    moved = import_module(MOVED_MODULES["treec.team.warrants"])
    assert moved.allowed_by is import_module("treec.team.actions").allowed_by


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the core alone is installed."""
    monkeypatch.setattr(companions, "_is_found", lambda module: False)


@pytest.mark.needs_system("mosaic")
@pytest.mark.usefixtures("base")
def test_what_only_a_missing_package_has_is_named_with_its_install() -> None:
    kitchen = "treec-kitchen, which is not installed: pip install 'treec[kitchen]'"
    assert str(companions.missing_help("packs", "treec-kitchen")).endswith(kitchen)
    assert "pip install 'treec[sapien]'" in str(unknown_environment("sapien"))
    with pytest.raises(NoTemplate, match="did you mean 'mosaic'"):
        find_template("mosiac")
    with pytest.raises(PackError, match="unknown pack 'shed'") as unknown:
        find_pack("shed")
    assert "treec-kitchen" in str(unknown.value.help)


OLD = """system: shed
about: Dig.
uses: [trees, treec/kitchen, treec/mosaic/one_prompt]
root: dig
domain: shed
scene: shed
"""


def test_parts_of_packs_that_moved_are_reported_with_their_new_names(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    (tmp_path / "shed.system.yaml").write_text(OLD, "utf-8")
    helps = [problem.help for problem in check_library(load_library(tmp_path))]
    assert "write 'treec-kitchen/team_kitchen'" in helps
    assert "write 'treec-kitchen/mosaic/one_prompt'" in helps


@pytest.mark.usefixtures("base")
def test_a_model_is_not_asked_without_the_package_that_asks_models() -> None:
    with (
        using(without=("models",)),
        pytest.raises(CannotAsk, match=r"pip install 'treec\[models\]'"),
    ):
        open_model(ModelChoice("openai/x"))


@pytest.mark.usefixtures("base")
def test_an_environment_of_a_missing_package_is_refused_before_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = SimpleNamespace(environments={})
    monkeypatch.setattr("treec.nodes.environment.registry", lambda: nothing)
    with pytest.raises(EnvironmentUnavailable, match=r"pip install 'treec\[kitchen\]'"):
        find_environment("household")


@pytest.mark.usefixtures("base")
def test_trials_are_not_made_without_the_package_that_makes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with using(without=("testing",)):
        assert [cli(["check", "--deep", "charge"]), cli(["explain", "W05"])] == [2, 2]
    assert capsys.readouterr().err.count("pip install 'treec[testing]'") == 2


@pytest.mark.usefixtures("base")
def test_a_node_is_not_asked_without_the_package_that_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    (tmp_path / "tea.decision.yaml").write_text(
        "decision: Tea\nabout: Tea or not.\noptions: {Yes: Drink., No: Work.}\n", "utf-8"
    )
    with using(without=("testing",)):
        with pytest.raises(TreecError, match=r"pip install 'treec\[testing\]'"):
            treec.open(tmp_path)["decision", "Tea"].ask({})
        assert cli(["ask", "Tea", "--given", "tea.yaml"]) == 2
    assert "pip install 'treec[testing]'" in capsys.readouterr().err


REMEMBERS = {
    "treec.toml": "",
    "noted.tree.yaml": "tree: noted\nroot: {remember: {in: noted.db, key: a, answer: b}}\n",
}


@pytest.mark.usefixtures("base")
def test_a_node_of_a_missing_package_is_named_with_its_install(tmp_path: Path) -> None:
    for name, text in REMEMBERS.items():
        (tmp_path / name).write_text(text, "utf-8")
    with using(without=("memory",)):
        (problem,) = check_library(load_library(tmp_path))
    assert problem.message == "unknown node type 'remember'"
    assert str(problem.help).endswith("pip install 'treec[memory]'")


@pytest.mark.usefixtures("base")
def test_programs_of_models_take_the_package_that_reads_them(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    steps = "about: Work.\nargs: {agent: Robot, subtask: Subtask}\noffline: steps(subtask)\n"
    (tmp_path / "steps.program.yaml").write_text(f"program: Steps\n{steps}", "utf-8")
    written = f"program: Written\n{steps}instructions: Write it.\n"
    (tmp_path / "written.program.yaml").write_text(written, "utf-8")
    with using(without=("program",)):
        (problem,) = check_library(load_library(tmp_path))
        make = registry().load(registry().kinds["program"].asks)
        node = SimpleNamespace(entry=SimpleNamespace(name="Written"), KIND="program")
        with pytest.raises(NodeError, match=r"Written: 'offline' is .* 'treec\[programs\]'"):
            make.offline_text(node, "", "")
    assert str(problem.help).endswith("pip install 'treec[programs]'")


@pytest.mark.usefixtures("base")
def test_decisions_take_the_package_of_nodes_that_ask(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    (tmp_path / "go.decision.yaml").write_text("decision: Go\nabout: Where to.\n", "utf-8")
    with using(without=("asking", "hearing")):
        assert load_library(tmp_path).not_installed == {"treec-asking": ["go.decision.yaml"]}


@pytest.mark.usefixtures("base")
def test_words_are_not_read_without_the_package_that_hears(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    talk = "reading: Talk\nabout: Words.\nacts: {stop: {agent: Agent or none}}\n"
    (tmp_path / "talk.reading.yaml").write_text(talk, "utf-8")
    with using(without=("hearing",)):
        (problem,) = check_library(load_library(tmp_path))
    assert problem.message == "words cannot be read here"
    assert str(problem.help).endswith("pip install 'treec[hear]'")


UNTOLD = {
    "treec.toml": "[check]\nignore = ['TC88']\n",
    "tea.tree.yaml": "tree: tea  # treec: ignore TC420 it is told elsewhere\nroot: {wait: 1s}\n",
}


@pytest.mark.usefixtures("base")
def test_a_rule_of_a_missing_package_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in UNTOLD.items():
        (tmp_path / name).write_text(text, "utf-8")
    with using(without=("models",)):
        assert check_library(load_library(tmp_path)) == []
        assert cli(["explain", "tc420"]) == 2
    assert "pip install 'treec[models]'" in capsys.readouterr().err


@pytest.mark.usefixtures("base")
def test_a_picture_is_not_written_without_the_package_that_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = tmp_path / "noted.tree.yaml"
    tree.write_text("tree: noted\nroot: {wait: 1s}\n", "utf-8")
    with using(without=("drawing",)):
        assert cli(["render", str(tree)]) == 0
        assert cli(["render", str(tree), "-o", str(tmp_path / "noted.svg")]) == 2
    assert "pip install 'treec[drawing]'" in capsys.readouterr().err


def test_a_new_file_of_a_missing_package_is_named_with_its_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(companions, "_is_found", lambda module: module == "treec_editor")
    (tmp_path / "treec.toml").write_text("", "utf-8")
    with using(without=("learning", "dag_plan", "helper", "mosaic")):
        assert cli(["new", "reward", "Near", "--library", str(tmp_path)]) == 2
        assert cli(["new", "plan", "Way", "--library", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert "pip install 'treec[learn]'" in told
    assert "pip install 'treec[kitchen]'" in told


@pytest.mark.usefixtures("base")
def test_a_system_of_a_missing_package_is_named_with_its_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "treec.toml").write_text("", "utf-8")
    monkeypatch.setattr("treec.files.library.pack_names", lambda: ["treec"])
    with pytest.raises(PackError, match="unknown system 'mosaic'") as raised:
        load_library(tmp_path).resolve_system("mosaic")
    assert str(raised.value.help).endswith("pip install 'treec[kitchen]'")


@pytest.mark.usefixtures("base")
def test_a_run_prints_lines_without_the_package_that_draws_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.cli.make_display.is_terminal", lambda out: True)
    with using(without=("live",)):
        assert type(make_display(StringIO(), live=True, chat=False)) is RunDisplay
        stop = ["run", "trees/demos/parallel.tree.yaml", "--step"]
        assert cli(stop) == 2
    assert capsys.readouterr().err.count("pip install 'treec[live]'") == 2
