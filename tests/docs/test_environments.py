"""What docs/environments.md says about kinds, scenes and pictures."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
import yaml

from docs.make_environment_pictures import PICTURES
from treec_sapien.bodies import problems
from treec_sapien.bodies.kinds import kinds, make

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/environments.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_every_kind_is_in_the_table_and_every_part_of_it() -> None:
    table = PAGE[PAGE.index("## Kinds") : PAGE.index("## Your own kind of body")]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    for kind in kinds(("treec_sapien.bodies",)):
        row = next((line for line in rows if f"`{kind}`" in line.split("|")[1]), None)
        assert row is not None, kind
        body = make(kind, {}, ("treec_sapien.bodies",))
        for part in body.parts:
            assert f"`{part.name}`" in row or part.name.startswith("board_"), (kind, part.name)
    told = {word for line in rows for word in re.findall(r"`(\w+)`", line.split("|")[1])}
    assert told == set(kinds(("treec_sapien.bodies",)))


def test_the_scene_on_the_page_is_right() -> None:
    scene = yaml.safe_load(block("yaml"))
    assert list(problems(scene["objects"], scene["bodies"], {})) == []


def test_the_kind_on_the_page_can_be_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_lab").mkdir()
    (tmp_path / "my_lab/__init__.py").touch()
    (tmp_path / "my_lab/stool.py").write_text(block("python"), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    stool = {"pose": [0.0, 0.0, 0.0], "body": {"kind": "stool", "height": 0.5}}
    cup = {"pose": [0.0, 0.0, 0.5], "body": {"kind": "cup"}}
    assert list(problems({"stool": stool, "cup": cup}, ["my_lab", "treec_sapien.bodies"], {})) == []
    sys.modules.pop("my_lab.stool", None)


def test_the_pictures_are_there() -> None:
    shown = set(re.findall(r"\]\(pictures/(\w+)\.png\)", PAGE))
    assert shown == set(PICTURES)
    for name in shown:
        start = (ROOT / f"docs/pictures/{name}.png").read_bytes()[:8]
        assert start == b"\x89PNG\r\n\x1a\n"
