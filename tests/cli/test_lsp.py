"""`treec lsp` before it speaks the protocol (tests/editor has the rest)."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Treec


def test_without_its_package_the_command_says_what_to_install(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.companions._is_found", lambda module: False)
    done = treec("lsp")
    assert (done.status, done.out) == (2, "")
    assert "unknown command 'lsp': it is in the package treec-editor" in done.err
    assert "pip install 'treec[lsp]'" in done.err
