"""What installs is one package, `treec`: src/treec has a link to every room and module."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/treec"
FOLDERS = (
    "envs",
    "forecasting",
    "learning",
    "perception",
    "prompts",
    "skills",
    "systems",
    "templates",
    "trees",
)
"""What installs besides the engine's rooms."""


def rooms() -> set[str]:
    return {
        path.name
        for path in (ROOT / "engine").iterdir()
        if path.name != "__pycache__" and not path.name.startswith(".")
    }


def test_every_room_and_module_has_its_link() -> None:
    links = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert links == rooms() | {*FOLDERS, "treec.toml"}


def test_each_link_leads_to_what_it_is_named_after() -> None:
    for path in PACKAGE.iterdir():
        if path.name == "__pycache__":
            continue
        assert path.is_symlink(), path
        assert not path.readlink().is_absolute()
        there = ROOT / "engine" / path.name if path.name in rooms() else ROOT / path.name
        assert path.resolve() == there


def test_the_editable_install_imports_all_of_them_by_one_name() -> None:
    for name in ("files.library", "envs.symbolic", "skills.pick.sapien", "systems"):
        module = import_module(f"treec.{name}")
        assert Path(str(module.__file__)).resolve().is_relative_to(ROOT)
