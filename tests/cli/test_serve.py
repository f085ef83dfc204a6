"""`treec serve` before it serves (tests/serve has the rest)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Treec


def test_without_its_extra_the_command_says_what_to_install(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.cli.serve.find_spec", lambda name: None)
    done = treec("serve")
    assert (done.status, done.out) == (2, "")
    assert "pip install 'treec[serve]'" in done.err


def test_a_folder_that_is_not_there_is_told(treec: Treec, tmp_path: Path) -> None:
    done = treec("serve", "--runs", tmp_path / "none")
    assert (done.status, "there is no folder" in done.err) == (2, True)


def test_it_serves_this_computer_under_a_random_address(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = []

    def run(self: object, sockets: list[object]) -> None:
        served.extend(one.getsockname() for one in sockets)  # type: ignore[attr-defined]

    monkeypatch.setattr("uvicorn.Server.run", run)
    first, second = (treec("serve", "--runs", tmp_path) for _ in range(2))
    assert first.status == 0
    assert [host for host, _ in served] == ["127.0.0.1", "127.0.0.1"]
    token = first.out.split("/")[3]
    assert len(token) >= 32
    assert token != second.out.split("/")[3]
