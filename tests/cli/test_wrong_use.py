"""Every command × a missing folder, an unknown name, an empty input, a package not installed.

The commands are those of the registry, so that a new one is here by itself. Each must end with
status 1 or 2, say in few lines which thing is wrong and what would be right, and lose nothing.
"""

from __future__ import annotations

import inspect
import signal
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.main import get_command

from tests.cli.conftest import Treec
from tests.support import base_only
from tests.support.library import copy_warehouse
from treec.cli.application import application

OUTPUTS = {"output", "out", "to", "keep", "figure", "write", "wheel", "film"}
"""Options that name what is made."""

FREE = {"data", "model", "api_base", "because", "answer", "says", "about", "participant", "port"}
"""Options that take more than names of things."""

BESIDES = {
    "ask": ["--given", "given.yaml"],
    "camera show": ["-o", "out.png"],
    "forecast evaluate": ["--data", "nosuch.npz"],
    "learn train": ["--out", "out"],
}
"""What a command is told first if it is not there."""

ALLOWED = {
    ("init", "a missing folder"): "it makes the folder",
    ("init", "an unknown name"): "it makes the folder",
}
"""What is nothing wrong, and why."""

INSTEAD = ("memory.db", "of this library", "pip install", "--fetch")
"""What a message names instead if that is missing, too."""

LINES = 12
"""How long a message is at most: a problem of a file has its excerpt and a help."""


@cache
def commands() -> dict[str, Any]:
    """Words → the command; the registry's, as typer parses them."""

    def walk(group: Any, words: str) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from walk(command, f"{words}{name} ")
            else:
                yield f"{words}{name}", command

    return dict(walk(get_command(application()), ""))


class Inputs:
    """A command line with something wrong in it."""

    def __init__(self, words: str, how: str, library: Path, empty: Path) -> None:
        self.line = [*words.split(), *BESIDES.get(words, ())]
        self.wrong: list[str] = []
        """What the message may name."""
        arguments = []
        params = [p for p in commands()[words].params if p.name != "help"]
        needed = [p for p in params if _is_argument(p) or p.required]
        for param in params:
            if getattr(param, "is_flag", False) or _is_given(param, words):
                continue
            value = self._value(param, how, library, empty, alone=not needed)
            if value is None:
                continue
            if _is_argument(param):
                arguments.append(value)
            else:
                self.line += [param.opts[0], value]
        self.line += arguments

    def _value(self, param: Any, how: str, library: Path, empty: Path, alone: bool) -> str | None:
        kind = _type(param)
        is_needed = _is_argument(param) or param.required
        if param.name == "library":
            where = {"a missing folder": Path("gone/library"), "an empty input": empty.parent}
            return self._noted(str(where.get(how, library)), how == "a missing folder")
        if kind is Path and param.name in OUTPUTS:
            return "out.svg" if is_needed else None
        if param.name in ("runs", "memory") and kind is Path and not _is_argument(param):
            return self._noted(f"gone/{param.name}" if how == "a missing folder" else None)
        if not is_needed and not (alone and how == "an unknown name" and param.name not in FREE):
            return None
        if kind is Path:
            paths = {"a missing folder": f"gone/{param.name}", "an empty input": str(empty)}
            return self._noted(paths.get(how, f"nosuch_{param.name}"))
        if kind is str:
            return self._noted("" if how == "an empty input" else f"nosuch_{param.name}")
        if not is_needed:
            return None
        return next(iter(kind)).value if issubclass(kind, Enum) else "1"

    def _noted(self, value: str | None, is_wrong: bool = True) -> str | None:
        if value is not None and is_wrong:
            self.wrong.append(value)
        return value


def _is_given(param: Any, words: str) -> bool:
    return not set(BESIDES.get(words, ())).isdisjoint(param.opts)


def _is_argument(param: Any) -> bool:
    return "Argument" in type(param).__name__


def _type(param: Any) -> Any:
    found = param.type_descriptor.annotation
    inner = [it for it in get_args(found) if it is not type(None)]
    found = inner[0] if inner else found
    return found if inspect.isclass(found) else str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a library, an empty one and an empty file."""
    monkeypatch.chdir(tmp_path)
    copy_warehouse(tmp_path / "library")
    (tmp_path / "given.yaml").write_text("{}\n", "utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "treec.toml").touch()
    (tmp_path / "empty" / "empty.yaml").touch()
    return tmp_path


@pytest.fixture(autouse=True)
def no_command_goes_on() -> Iterator[None]:
    """A command that serves, trains or evaluates instead has found nothing wrong."""

    def end(number: int, frame: object) -> None:
        pytest.fail("the command goes on")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def inputs(words: str, how: str, folder: Path) -> Inputs:
    return Inputs(words, how, folder / "library", folder / "empty" / "empty.yaml")


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def judge(text: str, wrong: list[str]) -> str | None:
    """What is wrong with a message, if anything."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or len(lines) > LINES:
        return f"{len(lines)} lines"
    for slip in ("Traceback", "[Errno", "bug in treec", "there are: \n"):
        if slip in f"{text}\n":
            return f"it says {slip!r}"
    if not any(it in text.casefold() for it in (*wrong, *INSTEAD)):
        return f"it names none of {wrong}"
    return None


@pytest.mark.few(40)
@pytest.mark.parametrize("how", ["a missing folder", "an unknown name", "an empty input"])
@pytest.mark.parametrize("words", sorted(commands()))
def test_wrong_use(words: str, how: str, folder: Path, treec: Treec) -> None:
    used = inputs(words, how, folder)
    if not used.wrong:
        pytest.skip("there is nothing that could be wrong")
    before = contents(folder)
    done = treec(*used.line)
    text = done.out + done.err
    if (words, how) in ALLOWED:
        assert done.status == 0, text
        return
    assert done.status in (1, 2), text
    assert not (slip := judge(text, used.wrong)), f"{slip}: {text}"
    assert before.items() <= contents(folder).items()


@pytest.mark.thorough
def test_without_packages(folder: Path) -> None:
    """What needs a package that `pip install treec` does not bring names it, and the command."""
    lines = {
        words: ["treec", *inputs(words, "an unknown name", folder).line]
        for words in commands()
        if words == "lsp" or inputs(words, "an unknown name", folder).wrong
    }
    found = dict(zip(lines, base_only.commands(folder, lines.values()), strict=True))
    assert {words: end for words, end in found.items() if end[0] not in (1, 2)}.keys() <= {"init"}
    for words, (_, text) in found.items():
        assert "No module named" not in text, f"{words}: {text}"
        assert "Traceback" not in text, f"{words}: {text}"
        if "needs" in text and "install" in text:
            assert "pip install" in text, f"{words}: {text}"
    assert "pip install 'treec[lsp]'" in found["lsp"][1]
