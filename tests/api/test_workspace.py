"""``treec.open``: what it says of a library, and of names that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

import treec
from tests.api.conftest import WAREHOUSE


def test_a_library_is_opened_by_its_folder_and_names_what_it_holds(lib: treec.Workspace) -> None:
    assert lib.root == WAREHOUSE
    assert lib.names("system") == ["warehouse"]
    assert "Dispatch" in lib.names("decision")


def test_the_folder_may_be_left_out_inside_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(WAREHOUSE / "trees")
    assert treec.open().root == WAREHOUSE


def test_a_folder_that_is_no_library_is_said(tmp_path: Path) -> None:
    with pytest.raises(treec.TreecError, match=r"is not a library: it has no treec\.toml"):
        treec.open(tmp_path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "treec-kitchen/mosaic",
            "'treec-kitchen/mosaic' is part of the pack 'treec-kitchen': "
            "open the pack, 'treec-kitchen'",
        ),
        ("tree", "unknown folder or pack 'tree'; did you mean 'treec'?"),
        ("nowhere", "unknown folder or pack 'nowhere'; known: treec"),
    ],
)
def test_a_name_that_is_no_folder_and_no_pack(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(treec.TreecError) as raised:
        treec.open(name)
    assert str(raised.value).startswith(said)


def test_a_check_tells_what_treec_check_prints(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").touch()
    (tmp_path / "main.tree.yaml").write_text("tree: main\nroot: {tree: man}\n", "utf-8")
    (tmp_path / "mine.system.yaml").write_text(
        "system: mine\nabout: Nothing.\nuses: ['.']\nroot: main\ndomain: d\nscene: s\n", "utf-8"
    )
    (tmp_path / "d.domain.yaml").write_text("domain: d\n", "utf-8")
    (tmp_path / "s.scene.yaml").write_text("scene: s\ndomain: d\nobjects: {}\n", "utf-8")
    lib = treec.open(tmp_path)
    found = lib.check()
    assert not found.ok
    assert [p.code for p in found.problems if p.severity == "error"] == ["TC302"]
    assert "did you mean 'main'?" in str(found)
    with pytest.raises(treec.CheckFailed, match="TC302"):
        lib.run("mine")


def test_a_library_without_problems_is_ok(lib: treec.Workspace) -> None:
    assert lib.check().ok
    assert str(lib.check()) == "nothing is wrong"


def test_a_definition_knows_its_file_and_its_model(lib: treec.Workspace) -> None:
    decision = lib["decision", "Dispatch"]
    assert decision.path == WAREHOUSE / "prompts/dispatch.decision.yaml"
    assert decision.model.fallback == "Answer_Operator"


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("decision", "Dispach", "unknown decision 'Dispach'; did you mean 'Dispatch'"),
        ("decison", "Dispatch", "unknown kind 'decison'; did you mean 'decision'"),
    ],
)
def test_a_name_that_is_none_offers_the_nearest(
    lib: treec.Workspace, kind: str, name: str, told: str
) -> None:
    with pytest.raises(treec.NotFound, match=told):
        lib[kind, name]


def test_a_recipe_is_a_graph(lib: treec.Workspace) -> None:
    networkx = pytest.importorskip("networkx")
    graph = lib["recipe", "Morning Orders"].graph()
    assert networkx.ancestors(graph, "fetch crate 31") == {"inspect crate 31"}
    assert graph.nodes["inspect crate 40"] == {"words": "inspect crate 40"}
    with pytest.raises(
        treec.TreecError, match=r"^Dispatch: a decision has no graph; these have one: recipe, "
    ):
        lib["decision", "Dispatch"].graph()


def test_what_is_exported_fits_on_a_screen() -> None:
    assert len(treec.__all__) <= 61
