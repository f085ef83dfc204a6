"""`treec lsp` before it speaks the protocol (tests/editor has the rest)."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Treec


def test_without_its_extra_the_command_says_what_to_install(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.cli.lsp.find_spec", lambda name: None)
    done = treec("lsp")
    assert (done.status, done.out) == (2, "")
    assert "pip install 'treec[lsp]'" in done.err
