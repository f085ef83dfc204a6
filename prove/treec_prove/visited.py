"""What an exploration has visited, in a file, so that the same command goes on with it.

States are objects of a process and have no names outside of it. Kept is which state each was come
to from and by what, and the steps between those of which all that can happen was tried. Who goes on
comes to each state once more by one step, and tries only what was not tried.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treec.atomic import write_atomic
from treec.extensions import registry
from treec.run.origin import Origin
from treec.source.errors import TreecError
from treec_prove.happenings import Happening
from treec_prove.past import texts_in

if TYPE_CHECKING:
    from treec.files.view import View
    from treec.run.run import Run

_MAY_BE_FILE = re.compile(r"[\w./-]{1,200}\.\w+")

_DAMAGED = (gzip.BadGzipFile, zlib.error, EOFError)

FORM = 1
"""The form of the file."""

OWN = {"treec", "treec_asking", "treec_hearing", "treec_program", "treec_prove"}
"""Packages whose code decides what happens in every run."""


@dataclass
class Visited:
    """States by their numbers, in the order in which they were found; number 0 is the first."""

    parents: array[int] = field(default_factory=lambda: array("q"))
    """The state that each was come to from; -1: none."""
    by: list[Happening] = field(default_factory=list)
    """By what; () for the first."""
    expanded: set[int] = field(default_factory=set)
    """Those of which all that can happen was tried."""
    before: array[int] = field(default_factory=lambda: array("q"))
    after: array[int] = field(default_factory=lambda: array("q"))
    has_to: array[int] = field(default_factory=lambda: array("q"))
    """The steps from these, as in a ``StateGraph``."""
    broken: list[list[Any]] = field(default_factory=list)
    """Of each property that is broken all ways there that are kept, the shortest first."""
    known: dict[str, Any] = field(default_factory=dict)
    """What was come across: nodes that were ticked, notes, answers that were cut or refused."""

    def write(self, path: Path) -> None:
        """Write it. Raises OSError."""
        happenings = {one: number for number, one in enumerate(dict.fromkeys(self.by))}
        data = {
            "form": FORM,
            "happenings": list(happenings),
            "by": _packed(happenings[one] for one in self.by),
            "parents": _packed(self.parents),
            "expanded": _packed(sorted(self.expanded)),
            "before": _packed(self.before),
            "after": _packed(self.after),
            "has_to": _packed(self.has_to),
            "broken": self.broken,
            "known": self.known,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, gzip.compress(json.dumps(data).encode(), 3, mtime=0))

    @classmethod
    def read(cls, path: Path) -> Visited:
        """Read it. Raises TreecError where it is damaged, OSError."""
        try:
            data = json.loads(gzip.decompress(path.read_bytes()))
            if data["form"] != FORM:
                raise ValueError("of another version of treec")
            happenings = [as_happening(one) for one in data["happenings"]]
            numbers = ("parents", "before", "after", "has_to")
            found = cls(
                by=[happenings[number] for number in _unpacked(data["by"])],
                expanded=set(_unpacked(data["expanded"])),
                broken=data["broken"],
                known=data["known"],
                **{name: _unpacked(data[name]) for name in numbers},
            )
            if any(not -1 <= parent < number for number, parent in enumerate(found.parents)):
                raise ValueError("states come from later ones")
        except (*_DAMAGED, ValueError, KeyError, IndexError, TypeError) as error:
            raise TreecError(
                f"{path}: cannot be gone on with ({error}); remove it to begin anew"
            ) from None
        return found


def as_happening(data: Any) -> Any:
    """What was a tuple before it was written."""
    return tuple(map(as_happening, data)) if isinstance(data, list) else data


def _packed(numbers: Iterable[int]) -> str:
    return b64encode(array("q", numbers).tobytes()).decode()


def _unpacked(text: str) -> array[int]:
    found = array("q")
    found.frombytes(b64decode(text))
    return found


def file_of(folder: Path, run: Run, *what: object) -> Path:
    """The file for a proof of a run: another one if the system's files or code have changed.

    The name's first part tells what is proved, the second of which files and code.
    """
    view, modules = run.view, {type(node).__module__ for node in run.root.iterate()}
    for _, extension in registry().extensions:  # of functions, environments and workers, too
        modules.update(target.partition(":")[0] for target in extension.targets())
    origin = asdict(Origin.of(view, None, ()))
    about = _sum([str(view.library.root.resolve()), *map(repr, what)])
    return folder / f"visited_{about}_{_sum([origin, _named_files(view), _code(modules)])}.json.gz"


def remove_outdated(file: Path) -> None:
    """Remove what the same proof has visited of other files or code: nobody goes on with it."""
    about = file.name.rpartition("_")[0]
    for other in file.parent.glob(f"{about}_*.json.gz"):
        if other != file:
            other.unlink(missing_ok=True)


def _sum(data: object) -> str:
    return sha256(json.dumps(data).encode()).hexdigest()[:12]


def _named_files(view: View) -> list[tuple[str, int, int]]:
    """Files that a library's files name, such as task graphs: sizes, and when they were written."""
    root, names = view.library.root, set()
    for entry in view.entries:
        texts = texts_in(entry.model.model_dump(by_alias=True, exclude={"about"}))
        names |= {text for text in texts if _MAY_BE_FILE.fullmatch(text)}
    found = ((name, os.stat(root / name)) for name in sorted(names) if (root / name).is_file())
    return [(name, about.st_size, about.st_mtime_ns) for name, about in found]


def _code(modules: Iterable[str]) -> Sequence[tuple[str, int, int]]:
    """The code of treec and of some modules' packages: sizes, and when it was written."""
    names = {module.partition(".")[0] for module in modules} | OWN
    packages = [sys.modules[one] for one in sorted(names) if one in sys.modules]
    roots = [str(root) for package in packages for root in getattr(package, "__path__", ())]
    files = [path for root in roots for path in Path(root).rglob("*.py")]
    alone = (one.__file__ for one in packages if not hasattr(one, "__path__"))
    files += [Path(file) for file in alone if file is not None]
    return [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(files)]
