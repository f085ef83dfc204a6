"""A file that has not changed is parsed once in a process; any change is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.extensions import using
from treec.extensions import Extension
from treec.files import library as reading
from treec.files.library import load_library

SKILL = "skill: dig\nabout: Dig a hole.\nargs: {agent: Agent}\ntakes: 5s\n"


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are really parsed."""
    files: list[str] = []
    real = reading.read_documents
    reading._read_entries.cache_clear()

    def counted(file: reading.SourceFile) -> object:
        files.append(file.path)
        return real(file)

    monkeypatch.setattr(reading, "read_documents", counted)
    return files


def write(root: Path, text: str, name: str = "dig.skill.yaml") -> Path:
    (root / "treec.toml").write_text("")
    (root / name).write_text(text)
    return root


def test_a_file_is_parsed_once(tmp_path: Path, parses: list[str]) -> None:
    root = write(tmp_path, SKILL)
    first, second = load_library(root), load_library(root)
    assert parses == ["dig.skill.yaml"]
    assert [entry.name for entry in second.entries] == ["dig"]
    assert first.entries == second.entries
    assert first.entries is not second.entries


def test_a_change_is_read_whatever_the_time_of_the_file(tmp_path: Path, parses: list[str]) -> None:
    root = write(tmp_path, SKILL)
    before = os.stat(root / "dig.skill.yaml")
    load_library(root)
    write(root, SKILL.replace("dig", "hew"))
    os.utime(root / "dig.skill.yaml", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [entry.name for entry in load_library(root).entries] == ["hew"]
    assert len(parses) == 2


def test_findings_are_told_each_time(tmp_path: Path, parses: list[str]) -> None:
    root = write(tmp_path, SKILL + "colour: red\n")
    first, second = (load_library(root).diagnostics for _ in range(2))
    assert first == second
    assert "unknown key 'colour'" in str(second[0].message)
    assert parses == ["dig.skill.yaml"]


def test_the_same_text_in_another_file_has_its_own_positions(
    tmp_path: Path, parses: list[str]
) -> None:
    root = write(write(tmp_path, SKILL), SKILL, "hole.skill.yaml")
    spans = [entry.span("about").path for entry in load_library(root).entries]
    assert spans == ["dig.skill.yaml", "hole.skill.yaml"]


def test_other_extensions_read_anew(tmp_path: Path, parses: list[str]) -> None:
    root = write(tmp_path, SKILL)
    load_library(root)
    with using(Extension("other")):
        load_library(root)
    assert len(parses) == 2
