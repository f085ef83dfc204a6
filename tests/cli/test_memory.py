"""`treec memory`: a memory of requests and programs that one can read, review and edit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Result, Treec


@pytest.fixture
def run(treec: Treec, tmp_path: Path) -> Treec:
    def command(name: str, *args: object) -> Result:
        return treec("memory", name, *args, "--memory", tmp_path / "memory.db")

    return command


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.txt"
    file.write_text("pick('crate 12')\nplace('crate 12', 'dock')\n", "utf-8")
    return file


def test_from_adding_to_removing(run: Treec, program: Path) -> None:
    assert run("add", "bring crate 12 to the dock", program).out.endswith("pair 1\n")
    assert run("add", "charge yourself over night", program).out.endswith("pair 2\n")
    assert (
        run("list").out == "    1  bring crate 12 to the dock\n    2  charge yourself over night\n"
    )
    assert "answer: |\n    pick('crate 12')" in run("show", 1).out
    found = run("search", "get crate 12 to the dock, please", "-k", 1).out
    assert found.endswith("    1  bring crate 12 to the dock\n")
    again = run("add", "Bring crate 12 to the dock!", program)
    assert again.out.endswith("pair 1, in place of: bring crate 12 to the dock\n")
    assert run("remove", 1).status == 0
    assert run("remove", 1).status == 1
    assert run("show", 1).status == 1
    assert [one["number"] for one in json.loads(run("list", "--output-format", "json").out)] == [2]


def test_search_for_tools(run: Treec, program: Path) -> None:
    run("add", "bring crate 12 to the dock", program)
    (found,) = json.loads(run("search", "crate 12", "--output-format", "json").out)
    assert found["number"] == 1
    assert 0 < found["distance"] < 1


def test_an_export_is_imported_again(
    run: Treec, treec: Treec, program: Path, tmp_path: Path
) -> None:
    run("add", "bring crate 12 to the dock", program, "--about", "checked")
    file = tmp_path / "pairs.yaml"
    assert run("export", file).out.endswith(": 1 pair\n")
    other = tmp_path / "other.db"
    assert treec("memory", "import", file, "--memory", other).out.endswith(
        "1 pair added, 0 replaced\n"
    )
    assert treec("memory", "import", file, "--memory", other).out.endswith(
        "0 pairs added, 1 replaced\n"
    )
    assert treec("memory", "export", "--memory", other).out == file.read_text("utf-8")


def test_a_wrong_import_adds_nothing(run: Treec, program: Path, tmp_path: Path) -> None:
    run("add", "bring crate 12 to the dock", program)
    file = tmp_path / "pairs.yaml"
    file.write_text("- {key: a, answer: b}\n- {key: c}\n", "utf-8")
    result = run("import", file)
    assert result.status == 2
    assert "pairs.yaml:2: this pair has no 'answer'" in result.err
    assert len(run("list").out.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["add", "fetch it", "gone.txt"], "gone.txt cannot be read: No such file or directory"),
        (["import", "gone.yaml"], "gone.yaml cannot be read: No such file or directory"),
        (["export", "gone/to.yaml"], "gone/to.yaml cannot be written: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(
    command: list[str], says: str, run: Treec, program: Path
) -> None:
    run("add", "bring crate 12 to the dock", program)
    result = run(*command)
    assert (result.status, result.out, result.err) == (2, "", f"treec: {says}\n")


def test_a_memory_that_is_not_there_is_told(run: Treec, tmp_path: Path) -> None:
    result = run("list")
    assert result.status == 2
    assert "no memory at" in result.err
    assert not (tmp_path / "memory.db").exists()


def test_a_file_that_is_no_memory_is_told(run: Treec, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("no database " * 100, "utf-8")
    result = run("list")
    assert result.status == 2
    assert "damaged or no memory" in result.err
    assert "Traceback" not in result.err
