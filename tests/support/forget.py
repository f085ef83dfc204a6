"""Forgets what a process knows of libraries and packages, between two tests."""

from __future__ import annotations

import sys

from treec import installed
from treec.files import own_package, packs


def withdraw_packages() -> None:
    """Remove every package that a library has provided, and its modules."""
    provided = own_package._finder.provided
    for name in provided:
        for module in [m for m in sys.modules if f"{m}.".startswith(f"{name}.")]:
            del sys.modules[module]
    provided.clear()


def forget_installed() -> None:
    """Packages may have been installed."""
    installed._installed.cache_clear()


def forget_packs() -> None:
    """Packages with packs may have been installed."""
    forget_installed()
    packs._points.cache_clear()
    packs._open_pack.cache_clear()
