"""`treec env show`, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.cli import main

pytest.importorskip("trimesh")


def test_a_kitchen_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, start in ((".png", b"\x89PNG"), (".glb", b"glTF"), (".svg", b"<svg")):
        out = tmp_path / f"x{suffix}"
        assert main(["env", "show", "kitchen_2", "-o", str(out), "--no-robots"]) == 0
        assert out.read_bytes().startswith(start)
    assert capsys.readouterr().out.count("8 bodies and 0 robots") == 3


def test_robots_stand_in_the_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sapien")
    out = tmp_path / "x.svg"
    assert main(["env", "show", "kitchen_1", "-o", str(out)]) == 0
    assert "1 robots" in capsys.readouterr().out
    assert "<title>baxter</title>" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["kitchen_4", "-o", "x.png"], "did you mean 'kitchen_"),
        (["kitchen_1", "-o", "x.jpg"], "suffix must be one of .png, .glb, .svg"),
    ],
)
def test_what_cannot_be_drawn_says_why(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["env", "show", *arguments]) == 2
    assert says in capsys.readouterr().err
