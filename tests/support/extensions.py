"""A package with an extension, as pip would have installed it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from treec import extensions
from treec.extensions import Extension, Registry, Source, registry


def install(
    folder: Path,
    patch: pytest.MonkeyPatch,
    name: str,
    declares: str,
    *,
    metadata: str = "",
    module: str | None = None,
) -> Path:
    """Install the package ``name``, whose extension is what ``Extension(name, DECLARES)`` gives.

    ``module`` is the text of its module instead. Returns the folder that Python looks through.
    """
    site = folder / f"site_{name}"
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{metadata}")
    point = f"[treec.extensions]\n{name} = {name}_extension:EXTENSION\n"
    (info / "entry_points.txt").write_text(point)
    text = f"from treec import *\n\nEXTENSION = Extension({name!r}, {declares})\n"
    (site / f"{name}_extension.py").write_text(text if module is None else module)
    patch.syspath_prepend(str(site))
    patch.delitem(sys.modules, f"{name}_extension", raising=False)  # of another test
    importlib.invalidate_caches()
    discover(patch)
    return site


def discover(patch: pytest.MonkeyPatch) -> None:
    """Find the extensions anew, until the test ends."""
    patch.setattr(extensions, "_registry", None)
    _clear_caches()


@contextmanager
def using(*added: Extension, without: Sequence[str] = ()) -> Iterator[Registry]:
    """Use further extensions, or hide installed ones, within a `with` block."""
    before = registry()
    kept = [(source, one) for source, one in before.extensions if source.name not in without]
    try:
        made = Registry([*kept, *((Source(one.name), one) for one in added)])
        extensions._registry = made
        _clear_caches()
        yield made
    finally:
        extensions._registry = before
        _clear_caches()


def _clear_caches() -> None:
    for clear in extensions._caches:
        clear()
