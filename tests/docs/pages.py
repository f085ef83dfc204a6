"""Pages whose commands are run: what stands in their blocks, and whether it is what is printed."""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from tests.support.library import ROOT, copy_library
from treec.cli import main

__all__ = ["ROOT", "Typed", "Written", "agrees", "copy_library", "run", "steps"]

_BLOCK = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Written:
    """A block that is a file's whole text."""

    path: str
    text: str


@dataclass(frozen=True)
class Typed:
    """A command of a console block, what the page shows below it, and the page's line."""

    command: str
    shows: str
    line: int


def steps(page: Path) -> Iterator[Written | Typed]:
    """What a reader of a page does, in order: files written, commands typed."""
    text = page.read_text("utf-8")
    for block in _BLOCK.finditer(text):
        if block["file"]:
            yield Written(block["file"], block["text"])
        elif block["kind"] == "console":
            line = text.count("\n", 0, block.start("text")) + 1
            for part in re.split(r"^(?=\$ )", block["text"], flags=re.MULTILINE):
                if part.startswith("$ "):
                    command, _, shows = part[2:].partition("\n")
                    yield Typed(command, shows, line)
                line += part.count("\n")


def run(command: str) -> tuple[int, str]:
    """Type a `treec` command; its status and all it prints."""
    name, *args = shlex.split(command)
    if name == "cd":
        os.chdir(args[0])
        return 0, ""
    assert name == "treec", f"a page's console has only treec and cd, not {command!r}"
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        status = main(args)
    return status, out.getvalue()


def agrees(shows: str, printed: str) -> bool:
    """Whether a page shows what is printed: `…` stands for any text, alone for any lines."""
    pattern = ""
    for line in shows.rstrip().split("\n"):
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += re.escape(line.rstrip()).replace("…", ".*") + r"\n"
    told = "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))
    return re.fullmatch(pattern, told + "\n") is not None
