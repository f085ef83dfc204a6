"""The wheel, built once, and an environment that has it and not the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("pyproject.toml", "README.md", "treec.toml", "src", "engine", "envs", "prompts", "skills")
MORE = ("forecasting", "learning", "perception", "systems", "templates", "trees")


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    folder: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def site(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    def run(self, cwd: Path, *command: object) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with nothing of the checkout to be found."""
        return subprocess.run(
            [str(self.bin / str(command[0])), *map(str, command[1:])],
            cwd=cwd,
            env={"PATH": str(self.bin), "HOME": str(self.folder), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def install(self, wheel: Path) -> None:
        """Install a wheel without its dependencies."""
        python = ["--python", str(self.bin / "python")]
        pip(*python, "install", "--no-deps", "--no-index", str(wheel))


def pip(*args: str) -> None:
    """Run pip; it never needs the network."""
    quiet = ("--disable-pip-version-check", "--quiet")
    done = subprocess.run(
        [sys.executable, "-m", "pip", *args, *quiet],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PIP_NO_INDEX": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def build(source: Path, target: Path) -> Path:
    """The wheel of a project."""
    pip("wheel", "--no-deps", "--no-build-isolation", "-w", str(target), str(source))
    (wheel,) = target.glob("*.whl")
    return wheel


def _without(folder: str, names: Sequence[str]) -> set[str]:
    return {name for name in names if name == "__pycache__" or name.endswith(".egg-info")}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in (*PARTS, *MORE):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=_without)
        else:
            shutil.copy(ROOT / name, source / name)
    return build(source, folder / "built")


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    made = Installed(folder)
    made.install(wheel)
    paths = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    (made.site / "dependencies.pth").write_text("\n".join(paths) + "\n", "utf-8")
    return made
