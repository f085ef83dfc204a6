"""`treec schema`: what editors complete and underline, without an editor."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from tests.cli.conftest import Treec
from tests.support.library import PARTS, ROOT
from treec.files.kinds import MODELS
from treec.files.schema import FOLDER, SETTINGS, schema_of
from treec.source.text import SourceFile
from treec.source.yaml import plain, read_documents

FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for part in PARTS
    for path in (ROOT / part).rglob("*.yaml")
    if path.name.count(".") > 1  # graphs and layouts of arms are of no kind
)


@cache
def _validator(kind: str) -> Draft7Validator:
    return Draft7Validator(schema_of(kind))


def errors(kind: str, text: str) -> list[str]:
    """What a validator says of a file."""
    documents, problems = read_documents(SourceFile("x.yaml", text))
    assert not problems
    return [e.message for d in documents for e in _validator(kind).iter_errors(plain(d.root))]


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_no_file_of_the_library_is_underlined() -> None:
    assert len(FILES) > 150
    texts = {name: (ROOT / name).read_text("utf-8") for name in FILES}
    underlined = {name: errors(name.split(".")[-2], text) for name, text in texts.items()}
    assert {name: found for name, found in underlined.items() if found} == {}


def test_a_slip_is_underlined() -> None:
    for kind, text in (
        ("task", "task: x\nabout: y\nsay: [z]\n"),
        ("decision", "decision: x\nabout: y\nofline: []\n"),
        ("tree", "tree: x\nroot:\n  - chek: a\n"),
        ("tree", "tree: x\nroot:\n  - wait: {untl: a}\n"),
        ("skill", "skill: x\nabout: y\ntakes: soon\n"),
        ("scene", "scene: x\nobjects: {}\n"),
    ):
        assert errors(kind, text), text


@pytest.mark.needs_system("mosaic")
def test_writing_is_complete_and_what_the_repository_holds(treec: Treec, library: Path) -> None:
    result = treec("schema", "--write", "--library", library)
    assert result.status == 0
    for kind in MODELS:
        made = (library / FOLDER / f"{kind}.schema.json").read_text("utf-8")
        assert made == (ROOT / FOLDER / f"{kind}.schema.json").read_text("utf-8"), (
            "run 'treec schema --write'"
        )
    settings = json.loads((library / SETTINGS).read_text("utf-8"))
    assert settings["yaml.schemas"] == {
        f"./{FOLDER}/{kind}.schema.json": f"**/*.{kind}.yaml" for kind in MODELS
    }
    assert (ROOT / SETTINGS).read_text("utf-8") == (library / SETTINGS).read_text("utf-8")


def test_the_editor_settings_of_others_stay(treec: Treec, library: Path) -> None:
    file = library / SETTINGS
    file.parent.mkdir()
    file.write_text('{"editor.rulers": [100], "yaml.schemas": {"./mine.json": "*.mine.yaml"}}')
    treec("schema", "--write", "--library", library)
    settings = json.loads(file.read_text("utf-8"))
    assert settings["editor.rulers"] == [100]
    assert settings["yaml.schemas"]["./mine.json"] == "*.mine.yaml"


def test_settings_that_cannot_be_read_are_left_alone(treec: Treec, library: Path) -> None:
    file = library / SETTINGS
    file.parent.mkdir()
    file.write_text("{ // mine\n}")
    result = treec("schema", "--write", "--library", library)
    assert result.status == 2
    assert "settings.json" in result.err
    assert file.read_text("utf-8") == "{ // mine\n}"


def test_one_schema_is_printed(treec: Treec) -> None:
    assert json.loads(treec("schema", "task").out)["title"] == "treec task"
    wrong = treec("schema", "tsk")
    assert wrong.status == 2
    assert "did you mean 'task'" in wrong.err
