"""A library that a program has written anew means what it meant, and nothing in it is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from treec.check import check_library
from treec.files.library import load_library
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


def read(path: Path) -> list[object]:
    documents, problems = read_documents(SourceFile(path.name, path.read_text("utf-8")))
    assert problems == []
    return [plain(document.root) for document in documents]


@pytest.mark.parametrize(
    "style",
    [
        {},
        {"allow_unicode": True, "indent": 4},
        {"width": 120},
        {"default_flow_style": False, "explicit_start": True},
        {"default_flow_style": True},
        {"width": 1000, "allow_unicode": True, "explicit_end": True},
    ],
    ids=["plain", "indented", "wide", "documents", "flow", "long"],
)
def test_yaml_that_a_program_writes_is_right(tmp_path: Path, style: dict[str, object]) -> None:
    root = Path(shutil.copytree(WAREHOUSE, tmp_path / "library"))
    for path in root.rglob("*.yaml"):
        if "tests" in path.relative_to(root).parts:
            continue
        before = read(path)
        path.write_text(yaml.safe_dump_all(before, sort_keys=False, **style), "utf-8")
        assert read(path) == before
    assert check_library(load_library(root)) == []
