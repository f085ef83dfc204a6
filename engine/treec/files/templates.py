"""Templates of `treec init`: folders of packs that are copied to make a new library.

A template is a folder with a ``treec.toml`` in the folder that ``[pack] templates`` names. It is a
valid library named ``my_robot``; that word is replaced by the new library's name in the names and
texts of all files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treec.companions import missing_help
from treec.files.packs import Pack, PackError, find_pack, pack_names
from treec.files.settings import SETTINGS
from treec.source.diagnostics import suggestion

PLACEHOLDER = "my_robot"

_SKIPPED = frozenset({"__pycache__", "runs", ".treec", ".pytest_cache"})
_NAME = re.compile(r"[a-z][a-z0-9_]*")


class NoTemplate(Exception):
    """The template does not exist, or cannot be copied there."""


@dataclass(frozen=True)
class Template:
    """A template folder of a pack."""

    name: str
    pack: str
    folder: Path

    @property
    def about(self) -> str:
        """The first line of text in its README."""
        try:
            lines = (self.folder / "README.md").read_text("utf-8").splitlines()
        except OSError:
            return ""
        return next((line.strip() for line in lines if line.strip() and line[0] not in "#<`"), "")

    def files(self) -> Iterator[Path]:
        """Its files, in order of path."""
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder)
            if path.is_file() and not _SKIPPED & set(inside.parts) and path.suffix != ".pyc":
                yield path

    def copy(self, target: Path) -> list[Path]:
        """Copy it to an absent or empty folder; return the new files. Raises NoTemplate."""
        name = library_name(target)
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise NoTemplate(f"{target} already exists and is not empty")
        written = []
        try:
            for path in self.files():
                inside = path.relative_to(self.folder).as_posix().replace(PLACEHOLDER, name)
                new = target / inside
                new.parent.mkdir(parents=True, exist_ok=True)
                new.write_text(path.read_text("utf-8").replace(PLACEHOLDER, name), "utf-8")
                written.append(new)
        except OSError as error:
            raise NoTemplate(f"{error.filename}: {error.strerror}") from None
        return written


def library_name(target: Path) -> str:
    """Return the library name for a folder. Raises NoTemplate if there is no valid one."""
    name = re.sub(r"[^a-z0-9]+", "_", target.resolve().name.lower()).strip("_")
    if not _NAME.fullmatch(name):
        raise NoTemplate(f"'{target.resolve().name}' is not a valid name: begin it with a letter")
    return name


def templates_of(pack: Pack) -> list[Template]:
    """Return the templates of a pack, in order of name."""
    folder = pack.templates
    if folder is None or not folder.is_dir():
        return []
    found = sorted(path for path in folder.iterdir() if (path / SETTINGS).is_file())
    return [Template(path.name, pack.name, path) for path in found]


def all_templates() -> list[Template]:
    """Return the templates of all usable installed packs."""
    found = []
    for name in pack_names():
        try:
            found += templates_of(find_pack(name))
        except PackError:
            continue
    return found


def find_template(name: str) -> Template:
    """Return a template by its name, or by PACK/NAME. Raises NoTemplate."""
    templates = all_templates()
    fitting = [one for one in templates if name in (one.name, f"{one.pack}/{one.name}")]
    if len(fitting) > 1:
        choices = " or ".join(f"{one.pack}/{one.name}" for one in fitting)
        raise NoTemplate(f"several packs have a template '{name}': write {choices}")
    if not fitting:
        hint = missing_help("templates", name.rpartition("/")[2])
        hint = hint or suggestion(name, [one.name for one in templates], "templates")
        raise NoTemplate(f"unknown template '{name}'; {hint}")
    return fitting[0]
