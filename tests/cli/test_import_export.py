"""`treec import`, `treec export`, and drawings for other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec

XML = '<root>{}<BehaviorTree ID="{}">{}</BehaviorTree></root>'
DELIVER = ROOT / "tests" / "interchange" / "files" / "deliver.xml"


def test_a_file_goes_in_and_out(treec: Treec, tmp_path: Path) -> None:
    done = treec("import", DELIVER, "-o", tmp_path / "deliver.tree.yaml")
    assert (done.status, done.out) == (0, f"{tmp_path / 'deliver.tree.yaml'}: 3 trees\n")
    assert "deliver.xml:6:9: warning import: unknown node 'PlannerSelector'" in done.err
    out = treec("export", tmp_path / "deliver.tree.yaml", "--to", "btcpp")
    assert out.status == 0
    assert '<RecoveryNode number_of_retries="4" name="Drive">' in out.out
    assert '<RateController hz="2.0" name="PlanRate">' in out.out
    drawn = treec("render", tmp_path / "deliver.tree.yaml")
    assert "Spin" in drawn.out


def test_what_cannot_be_read_is_told(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text("<root><BehaviorTree ID='a'>", "utf-8")
    done = treec("import", file)
    assert (done.status, done.out) == (1, "")
    assert "x.xml:1:28: error import: this is not XML: no element found" in done.err
    assert treec("import", tmp_path / "none.xml").status == 2
    wrong = treec("import", DELIVER, "-o", tmp_path / "x.yaml")
    assert (wrong.status, "x.tree.yaml" in wrong.err) == (2, True)


def test_what_has_no_counterpart_is_named_with_its_line(treec: Treec, library: Path) -> None:
    file = library / "worker.xml"
    done = treec("export", "robot_worker", "--to", "btcpp", "-L", library, "-o", file)
    assert done.status == 0
    assert (
        "trees/robot_worker.tree.yaml:10:11: warning export: 'wait' has no counterpart" in done.err
    )
    assert done.out.startswith(f"{file}: ")
    assert file.read_text("utf-8").startswith("<?xml")
    near = treec("export", "robot_workr", "--to", "py_trees", "-L", library)
    assert (near.status, "did you mean 'robot_worker'?" in near.err) == (2, True)


@pytest.mark.parametrize(
    ("to", "ending", "start"),
    [("mermaid", "mmd", "flowchart TD"), ("html", "html", "<!doctype html>")],
)
def test_drawings_for_pages(
    to: str, ending: str, start: str, treec: Treec, library: Path, tmp_path: Path
) -> None:
    done = treec("export", "dispatcher", "--to", to, "-L", library)
    assert done.out.startswith(start)
    file = tmp_path / f"x.{ending}"
    assert treec("render", "dispatcher", "-L", library, "-o", file).status == 0
    assert file.read_text("utf-8") == done.out


def test_the_command_reads_included_files_and_no_link_out_of_the_folder(
    treec: Treec, tmp_path: Path
) -> None:
    folder = tmp_path / "trees"
    (folder / "sub").mkdir(parents=True)
    (folder / "main.xml").write_text(
        XML.format('<include path="sub/a.xml"/>', "main", "<AlwaysSuccess/>"), "utf-8"
    )
    (folder / "sub" / "a.xml").write_text(XML.format("", "a", "<Dig/>"), "utf-8")
    done = treec("import", folder / "main.xml")
    assert (done.status, done.out.count("tree: ")) == (0, 2)
    assert f"{folder.as_posix()}/sub/a.xml:1:28: warning import: unknown node 'Dig'" in done.err
    assert "<Dig/>" in done.err  # the excerpt is of that file
    (tmp_path / "out.xml").write_text(XML.format("", "out", "<AlwaysSuccess/>"), "utf-8")
    (folder / "sub" / "a.xml").unlink()
    (folder / "sub" / "a.xml").symlink_to(tmp_path / "out.xml")
    done = treec("import", folder / "main.xml")
    assert (done.status, "a link to outside the folder" in done.err) == (1, True)


def test_what_would_not_come_back_is_told_for_many_files(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_text(XML.format("", "a", "<Drive go='{@b}'/>"), "utf-8")
    done = treec("import", DELIVER, file, "--compare")
    assert done.status == 1
    assert done.out.splitlines() == [
        f"{DELIVER}: 33 elements, all come back equal",
        f"{file}: 1 element, 1 difference",
    ]
    assert "x.xml:1:28: warning compare: <Drive> comes back as <AlwaysFailure>" in done.err
    assert treec("import", DELIVER, "--compare").status == 0
    assert treec("import", DELIVER, file).status == 2
    file.write_text("<root>", "utf-8")
    assert treec("import", file, "--compare").status == 1


BRING = """<root BTCPP_format="4"><BehaviorTree ID="main"><Sequence>
<Drive goal="{goal}" _skipIf="power < 1 && goal == 'home'"/>
<Fallback><Grasp/><Call loud="true"/></Fallback><Hold-it><Drive goal="{goal}"/></Hold-it>
</Sequence></BehaviorTree><TreeNodesModel><Action ID="Drive">
<inout_port name="goal" type="std::string"/><input_port name="speed" type="double" default="0.5"/>
</Action></TreeNodesModel></root>"""
MOCKS = [f"--inject=mock */{name}=S" for name in ("Drive", "Call", "Hold-it")]


def test_an_imported_tree_runs_at_once_with_mocks_in_place_of_unknown_nodes(
    treec: Treec, tmp_path: Path
) -> None:
    (tmp_path / "x.xml").write_text(BRING, "utf-8")
    tree = tmp_path / "x.tree.yaml"
    assert treec("import", tmp_path / "x.xml", "-o", tree).status == 0
    assert "speed: 0.5" in tree.read_text("utf-8")  # the default of its model
    run = ("run", tree, "power=5", "--fast", "--runs", tmp_path, *MOCKS)
    done = treec(*run, "--inject=mock */Grasp=RF")
    assert done.status == 0, done.err
    missing = treec(*run)
    assert missing.status != 0
    assert "x.tree.yaml:8:9: main/selector/Grasp: unknown node 'Grasp'" in missing.err


def test_stubs_are_classes_with_which_the_tree_is_right(treec: Treec, tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(BRING, "utf-8")
    (tmp_path / "depot").mkdir()
    (tmp_path / "depot" / "__init__.py").write_text("", "utf-8")
    stubs = tmp_path / "depot" / "stubs.py"
    tree = tmp_path / "x.tree.yaml"
    assert treec("import", tmp_path / "x.xml", "-o", tree, "--stubs", stubs).status == 0
    text = stubs.read_text("utf-8")
    assert "ports = {'goal': 'inout text', 'speed': 'in number'}" in text
    named = [line.strip().replace("package.", "depot.") for line in text.splitlines()]
    named = [line for line in named if '" = "depot' in line]
    settings = ["[library]", 'package = "depot"', "[nodes]", *named]
    (tmp_path / "treec.toml").write_text("\n".join(settings), "utf-8")
    checked = treec("check", "-L", tmp_path)
    assert (checked.status, "unknown" in checked.out) == (0, False), checked.out
    again = treec("import", tmp_path / "x.xml", "-o", tree, "--stubs", stubs)
    assert (again.status, "writes a new file" in again.err) == (2, True)
