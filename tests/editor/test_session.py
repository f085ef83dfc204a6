"""A library that is being edited: its check is that of the files as they would be saved."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.support.library import copy_warehouse
from treec import check
from treec.files.library import load_library
from treec_editor.features import make_server
from treec_editor.requests import RequestFailed
from treec_editor.session import EditorSession

CHARGE = "trees/charge_when_low.tree.yaml"
EDITS = (
    (CHARGE, "skill: drive", "skill: drve"),
    ("envs/warehouse.domain.yaml", "\n  battery:", "\n  charge_level:"),
    ("envs/hauler.agent.yaml", "agent: Hauler", "agent: Forklift"),
    ("trees/contracts/operator_decides.contract.yaml", "about: ", "abuot: "),
    ("trees/warehouse.system.yaml", "domain: warehouse", "domain: depot"),
    (CHARGE, "tree: charge", "tree:: charge"),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_warehouse(tmp_path / "warehouse")


@pytest.mark.thorough
def test_after_each_edit_it_finds_what_a_check_of_the_saved_files_finds(root: Path) -> None:
    session = EditorSession(root)
    assert session.check() == []
    for path, old, new in EDITS:
        file = root / path
        saved = file.read_text("utf-8")
        assert old in saved
        session.edit(path, saved.replace(old, new, 1))
        reached = session.check_reached()
        found = session.check()
        assert reached == found, path
        file.write_text(saved.replace(old, new, 1), "utf-8")
        assert found == check.check_library(load_library(root), verdicts={})
        assert found, path
        file.write_text(saved, "utf-8")
        session.close(path)
        assert session.check() == []


def test_a_text_that_is_tried_changes_nothing(root: Path) -> None:
    session = EditorSession(root)
    text = (root / CHARGE).read_text("utf-8")
    assert len(session.check_with({CHARGE: text.replace("skill: drive", "skill: drve")})) == 1
    assert session.check() == []
    assert session.library.sources[CHARGE].text == text


def test_a_new_file_that_is_not_saved_yet_is_one_of_the_library(root: Path) -> None:
    session = EditorSession(root)
    session.edit("trees/new.tree.yaml", "tree: new\nabout: New.\nroot:\n  - skil: drive\n")
    found = [(problem.code, problem.span.path) for problem in session.check()]
    assert ("TC301", "trees/new.tree.yaml") in found
    assert [session.shown(root / name) for name in ("trees/new.tree.yaml", "a.py")] == [
        "trees/new.tree.yaml",
        None,
    ]
    assert session.shown(root.parent / "b.tree.yaml") is None


def test_only_the_systems_that_an_edit_touches_are_judged_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = (root / "trees/warehouse.system.yaml").read_text("utf-8")
    other = first.replace("system: warehouse", "system: second")
    (root / "trees/second.system.yaml").write_text(other, "utf-8")
    judged: list[str] = []
    judge = check.judge

    def noted(rule, run, view):  # type: ignore[no-untyped-def]
        judged.append(view.system.name if view.system else "")
        return judge(rule, run, view)

    monkeypatch.setattr("treec_editor.judging.judge", noted)
    session = EditorSession(root)
    session.check()
    assert set(judged) >= {"warehouse", "second"}
    judged.clear()
    session.check()
    assert judged == []
    session.forget()
    session.check()
    assert set(judged) >= {"warehouse", "second"}


def test_of_a_system_that_is_renamed_only_what_names_it_is_judged(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, path = EditorSession(root), "trees/warehouse.system.yaml"
    session.check()
    sizes: list[int] = []
    judge = check.judge

    def noted(rule, run, view):  # type: ignore[no-untyped-def]
        sizes.append(len(view.own))
        return judge(rule, run, view)

    monkeypatch.setattr("treec_editor.judging.judge", noted)
    text = (root / path).read_text("utf-8").replace("system: warehouse", "system: depot", 1)
    found = session.check_with({path: text})
    session.edit(path, text)
    assert 0 < min(sizes) < len(session.library.entries) // 2
    assert found == session.check()


def test_only_a_system_that_uses_other_folders_has_the_library_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, path = EditorSession(root), "trees/warehouse.system.yaml"
    text, read = session.library.sources[path].text, []
    monkeypatch.setattr(
        "treec_editor.reload.load_library",
        lambda *given: read.append(given) or load_library(*given),  # type: ignore[func-returns-value]
    )
    session.edit(path, text.replace("about: ", "about: New "))
    session.edit(scenario := "trees/scenarios/morning_shift.scenario.yaml", "a: b\n")
    session.close(scenario)
    assert session.library.sources[path].text != text
    assert not read
    session.edit(path, text.replace("skills, ", ""))
    assert session.library.entries
    assert len(read) == 1


def test_a_request_that_is_refused_leaves_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    server, sent = make_server(), []
    server.protocol.set_writer(type("Writer", (), {"write": lambda _, data: sent.append(data)})())
    for error in (RequestFailed("it is taken"), ValueError("a bug")):
        future: Future[None] = Future()
        future.set_exception(error)
        server.protocol._send_handler_result(future, msg_id=1)
    (logged,) = (one.exc_info[1] for one in caplog.records if one.exc_info)
    assert str(logged) == "a bug"
    assert b'"code": -32803, "message": "it is taken"' in sent[0]


def test_a_check_that_is_given_up_can_still_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    server, answer = make_server(), Future[None]()
    able = lsp.ClientCapabilities(window=lsp.WindowClientCapabilities(work_done_progress=True))
    monkeypatch.setattr(type(server), "client_capabilities", able)
    monkeypatch.setattr(
        server.work_done_progress, "create_async", lambda token: asyncio.wrap_future(answer)
    )

    async def give_up() -> None:
        begun = asyncio.ensure_future(server._progress().__aenter__())
        await asyncio.sleep(0)
        begun.cancel()
        await asyncio.wait([begun])

    asyncio.run(give_up())
    assert not answer.cancelled(), "pygls raises where the client answers"
