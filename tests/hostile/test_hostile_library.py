"""A hostile file in a good library, through the command line: refused in its place, and at once.

Every case is a process of its own with a limit on memory; the deadline only guards against a hang.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.tiers import first_fast

BASE = Path(__file__).parents[1] / "check" / "base"
DEADLINE = 60


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))


def treec(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from treec.cli import main; raise SystemExit(main())",
            *args,
            "-L",
            str(folder),
        ],
        capture_output=True,
        timeout=DEADLINE,
        check=False,
        preexec_fn=_limit,
        encoding="utf-8",
        errors="replace",
    )
    assert done.returncode in (0, 1, 2), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BASE, tmp_path / "library"))


def _write(name: str, data: bytes | str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    return write


def _huge(folder: Path) -> None:
    with (folder / "huge.task.yaml").open("wb") as stream:
        stream.write(b"task: x\nabout: y\n")
        stream.truncate(50 * 2**20)


def _loop(folder: Path) -> None:
    (folder / "loop.task.yaml").symlink_to(folder / "loop.task.yaml")


def _unreadable(folder: Path) -> None:
    path = folder / "secret.task.yaml"
    path.write_text("task: x\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user reads everything")


def _nested(levels: int) -> str:
    lines = ["tree: deep", "root:"]
    lines += [f"{'  ' * n}- sequence:" for n in range(1, levels + 1)]
    return "\n".join([*lines, f"{'  ' * (levels + 1)}- check: true", ""])


OPTIONS = "decision: Many\nabout: x\nsees: []\noptions:\n" + "".join(
    f"  option{n}: x\n" for n in range(10_000)
)
CHAIN = "recipe: Chain\nsubtasks:\n  s0: {do: get pepper}\n" + "".join(
    f"  s{n}: {{do: get pepper, after: [s{n - 1}]}}\n" for n in range(1, 5000)
)
RING = CHAIN.replace("s0: {do: get pepper}", "s0: {do: get pepper, after: [s4999]}")
BOMB = "task: b\nabout: &a [x, x]\n" + "".join(
    f"k{n}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(20)
)
PATTERN = "task: w\nabout: x\nargs: {a: Item}\nsays: ['" + "<a> " * 5000 + "']\n"

REFUSED: dict[str, tuple[Callable[[Path], None], str]] = {
    "50 MB": (_huge, "huge.task.yaml:1:1: error TC009"),
    "a billion laughs": (_write("bomb.task.yaml", BOMB), "bomb.task.yaml:2:8: error TC007"),
    "1,000 levels": (_write("deep.task.yaml", "task: " + "[" * 1000), "deep.task.yaml:1:"),
    "an anchor in itself": (_write("ring.task.yaml", "task: &a [*a]\n"), "ring.task.yaml:1:"),
    "bad UTF-8": (_write("bad.task.yaml", b"task: \xff\xfe\n"), "bad.task.yaml:1:7: error"),
    "a NUL": (_write("nul.task.yaml", b"task: a\x00b\n"), "nul.task.yaml:1:8: error"),
    "a link to itself": (_loop, "loop.task.yaml:1:1: error TC001"),
    "nobody may read it": (_unreadable, "secret.task.yaml:1:1: error TC001"),
    "a folder": (lambda folder: (folder / "x.task.yaml").mkdir(), ""),
    "10,000 options": (_write("prompts/Many.decision.yaml", OPTIONS), "Many.decision.yaml:5:3"),
    "a tree of 190 levels": (_write("trees/deep.tree.yaml", _nested(190)), "deep.tree.yaml:"),
    "a tree of 500 levels": (_write("trees/deep.tree.yaml", _nested(500)), "deep.tree.yaml:"),
    "a pattern of 5,000 words": (
        _write("w.task.yaml", PATTERN),
        "w.task.yaml:4:",
    ),
    "treec.toml is garbage": (_write("treec.toml", b"\xff[[[["), "treec.toml"),
    "treec.toml of another shape": (_write("treec.toml", "library = 3\n"), "treec.toml"),
}


@pytest.mark.parametrize("name", first_fast(REFUSED, 6))
@pytest.mark.few(2)
def test_a_hostile_file_is_refused_in_its_place(name: str, library: Path) -> None:
    make, where = REFUSED[name]
    make(library)
    done = treec(library, "check")
    assert done.returncode in ((1, 2) if where else (0, 1, 2))
    assert where in done.stdout + done.stderr, (done.stdout + done.stderr)[:2000]


@pytest.mark.slow
def test_a_recipe_of_5000_subtasks_is_only_large(library: Path) -> None:
    _write("recipes/Chain.recipe.yaml", CHAIN)(library)
    assert treec(library, "check").returncode in (0, 1)


@pytest.mark.slow
def test_a_circle_of_5000_subtasks_is_refused(library: Path) -> None:
    _write("recipes/Ring.recipe.yaml", RING)(library)
    assert "error TC504" in treec(library, "check").stdout
