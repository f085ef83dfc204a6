"""The command line and a copy of the library, as the tests of the commands have them."""

from __future__ import annotations

from tests.cli.conftest import library, treec

__all__ = ["library", "treec"]
