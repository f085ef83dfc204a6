"""Commands and all that they print, compared with a file of both.

A line that begins with ``$`` is run; below it, indented, stand its exit status, if that is not 0,
and its output. The indented lines below ``> NAME`` are a file that is written. ``ROOT`` is the
checkout, ``RUN`` the run that was made. With `TREEC_REWRITE=1` outputs are written anew.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support import golden
from tests.support.library import ROOT

_CHANGES = (
    (re.compile(r"\d{8}-\d{6}-\w+(-\w+)?"), "RUN"),
    (re.compile(r'"seconds": [\d.]+'), '"seconds": …'),
    (re.compile(r"(ready|simulated|found|planned) in \d+(\.\d+)? m?s"), r"\1 in … s"),
)
"""What another run prints otherwise."""


def check(file: Path, folder: Path, treec: Callable[..., Any]) -> None:
    """Run what the file says, in a folder that is the working directory."""
    golden.check(file, "\n\n".join(_played(file.read_text("utf-8"), folder, treec)) + "\n")


def _played(text: str, folder: Path, treec: Callable[..., Any]) -> Iterator[str]:
    for block in re.split(r"^(?=[$>#])", text, flags=re.MULTILINE):
        head, *rest = block.rstrip().split("\n")
        if head.startswith("> "):
            (folder / head[2:]).write_text("".join(f"{line[2:]}\n" for line in rest), "utf-8")
            yield "\n".join([head, *rest])
        elif head.startswith("$ "):
            run = next((one.name for one in folder.glob("runs/*")), "RUN")
            done = treec(*shlex.split(head.replace("RUN", run).replace("ROOT", str(ROOT)))[2:])
            printed = f"{done.out}{done.err}".replace(str(folder), "FOLDER")
            printed = printed.replace(str(ROOT), "ROOT")
            for pattern, instead in _CHANGES:
                printed = pattern.sub(instead, printed)
            status = [f"({done.status})"] if done.status else []
            lines = [*status, *printed.rstrip().splitlines()]
            yield "\n".join([head, *(f"  {line}".rstrip() for line in lines)])
        elif head:
            yield head
