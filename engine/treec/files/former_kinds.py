"""Files of kinds that are other kinds now: what a check says of them, and `--fix` makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from treec.extensions import FormerKind, registry
from treec.frozen import frozen

DECISIONS = "tests/decisions"
"""Where a library's cases are, which are read even if `tests` is excluded."""

EXCHANGES = "tests/exchanges"
"""Where exchanges were."""


@frozen(slots=False)
class FormerFile:
    """A file whose name ends in a former kind; paths are relative to the library."""

    path: str
    was: str
    now: FormerKind

    @property
    def new_path(self) -> str:
        """Where it belongs."""
        stem = self.path.removesuffix(f".{self.was}.yaml")
        if stem.startswith(f"{EXCHANGES}/"):
            stem = stem.replace(EXCHANGES, DECISIONS, 1)
        return f"{stem}.{self.now.kind}.yaml"

    @property
    def message(self) -> str:
        """What is wrong with it."""
        form = f" with 'answers: {self.now.form}'" if self.now.form else ""
        article = "an" if self.was[0] in "aeiou" else "a"
        return f"{article} {self.was} is a {self.now.kind}{form} now"

    @property
    def help(self) -> str:
        """What to do with it."""
        form = f" and 'answers: {self.now.form}'" if self.now.form else ""
        begin = f"begin with '{self.now.kind}: NAME'{form}"
        return f"rename it to '{self.new_path}', and {begin}: 'treec check --fix' does"

    def converted(self, text: str) -> str:
        """Its text as a file of the new kind."""
        form = rf"answers: {self.now.form}\2" if self.now.form else ""
        new = rf"{self.now.kind}:\1\2{form}"
        return re.sub(rf"(?m)^{self.was}:(.*?)(\r?\n)", new, text)


def former_file(path: str) -> FormerFile | None:
    """The file at a path below a library, if its kind is a former one."""
    stem, _, kind = path.removesuffix(".yaml").rpartition(".")
    now = registry().former_kinds.get(kind)
    return FormerFile(path, kind, now) if now and stem and path.endswith(".yaml") else None


def case_files(root: Path) -> Iterator[Path]:
    """Cases, and exchanges where they were before they were cases; most libraries exclude tests."""
    for folder, kind in ((root / DECISIONS, "case"), (root / EXCHANGES, "exchange")):
        yield from sorted(folder.rglob(f"*.{kind}.yaml")) if folder.is_dir() else ()
