"""`treec lsp` over the protocol, by the client of pytest-lsp."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.support.library import copy_warehouse

CHARGE = "trees/charge_when_low.tree.yaml"
pytestmark = pytest.mark.thorough


@pytest_lsp.fixture(config=ClientServerConfig([sys.executable, "-m", "treec", "lsp"]))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A server that has been greeted, and is told to go."""
    about = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(lsp.InitializeParams(capabilities=about))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_warehouse(tmp_path / "warehouse")


async def opened(client: LanguageClient, path: Path, text: str) -> str:
    """Open a file with a text that is not saved, and wait until it has been checked."""
    item = lsp.TextDocumentItem(path.as_uri(), "yaml", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return path.as_uri()


def at(text: str, before: str) -> lsp.Position:
    """The position after some words, in UTF-16."""
    head = text[: text.index(before) + len(before)]
    line = head.rpartition("\n")[2]
    return lsp.Position(head.count("\n"), len(line.encode("utf-16-le")) // 2)


@pytest.mark.asyncio
async def test_problems_are_told_while_one_types_and_corrected(
    client: LanguageClient, root: Path
) -> None:
    saved = (root / CHARGE).read_text("utf-8")
    text = saved.replace("skill: drive", "skill: drve  # 🤖")
    uri = await opened(client, root / CHARGE, text)
    (problem,) = client.diagnostics[uri]
    assert problem.code == "TC302"
    assert problem.message == "unknown skill 'drve'\nhelp: did you mean 'drive'?"
    assert (problem.range.start, problem.range.end) == (at(text, "skill: "), at(text, "drve"))
    document = lsp.TextDocumentIdentifier(uri)
    (action,) = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, problem.range, lsp.CodeActionContext([problem]))
    )
    assert action.title == "change 'drve' to 'drive'"
    (edit,) = action.edit.changes[uri]
    assert (edit.range, edit.new_text) == (problem.range, "drive")
    change = lsp.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(2, uri), [change])
    )
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert client.diagnostics[uri] == ()
    assert (root / CHARGE).read_text("utf-8") == saved


@pytest.mark.asyncio
async def test_columns_are_counted_as_the_client_counts_them(
    client: LanguageClient, root: Path
) -> None:
    saved = (root / CHARGE).read_text("utf-8")
    text = saved.replace("value: = battery(agent)", "value: \"= ['🤖🤖', batery(agent)]\"", 1)
    uri = await opened(client, root / CHARGE, text)
    (problem,) = [one for one in client.diagnostics[uri] if "unknown function" in one.message]
    assert problem.range.start == at(text, "'🤖🤖', ")
    document = lsp.TextDocumentIdentifier(uri)
    items = await client.text_document_completion_async(
        lsp.CompletionParams(document, at(text, "'🤖🤖', bat"))
    )
    assert "battery" in [item.label for item in items]


@pytest.mark.asyncio
async def test_names_are_described_found_and_changed(client: LanguageClient, root: Path) -> None:
    text = (root / CHARGE).read_text("utf-8")
    uri = await opened(client, root / CHARGE, text)
    document = lsp.TextDocumentIdentifier(uri)
    where = at(text, "skill: dri")
    hover = await client.text_document_hover_async(lsp.HoverParams(document, where))
    assert hover.contents.value == "**drive**: skill\n\nDrive to a place."
    (declared,) = await client.text_document_definition_async(lsp.DefinitionParams(document, where))
    assert declared.uri == (root / "skills/drive/drive.skill.yaml").as_uri()
    context = lsp.ReferenceContext(include_declaration=False)
    used = await client.text_document_references_async(
        lsp.ReferenceParams(context, document, where)
    )
    assert len(used) == 8
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["charge_when_low"]
    may = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, where))
    assert (may.start, may.end) == (at(text, "skill: "), at(text, "skill: drive"))
    edit = await client.text_document_rename_async(lsp.RenameParams(document, where, "ride"))
    assert len(edit.changes) == 9
    with pytest.raises(Exception, match="cannot become 'pick'"):
        await client.text_document_rename_async(lsp.RenameParams(document, where, "pick"))


@pytest.mark.asyncio
async def test_files_outside_of_a_library_and_of_other_kinds_are_left_alone(
    client: LanguageClient, root: Path, tmp_path: Path
) -> None:
    for path in (tmp_path / "alone.tree.yaml", root / "notes.yaml"):
        item = lsp.TextDocumentItem(path.as_uri(), "yaml", 1, "tree: [")
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        found = await client.text_document_completion_async(
            lsp.CompletionParams(lsp.TextDocumentIdentifier(path.as_uri()), lsp.Position(0, 3))
        )
        assert not found


DISPATCH = "prompts/dispatch.decision.yaml"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        (CHARGE, "  - skill: drive", "  - ski|", "skill"),  # keys
        (CHARGE, "skill: drive", "skill: |", "drive"),  # names
        (CHARGE, "{agent: $agent, place: dock}", "{agent: $agent, |}", "place"),  # arguments
        (CHARGE, "= battery(agent)", "= batt|", "battery"),  # facts
        ("trees/warehouse_main.tree.yaml", "with: {agent: $agent}", "with: {|}", "agent"),  # ports
        (DISPATCH, "when: suggestions,", "when: sugg|,", "suggest"),  # functions of expressions
        (DISPATCH, "{{ recipe_name or", "{{ reci| or", "recipe_name"),  # inside templates
        (DISPATCH, "| join(', ')", "| jo|(', ')", "join"),
    ],
)
async def test_all_that_can_be_written_is_completed(
    client: LanguageClient, root: Path, path: str, old: str, new: str, expected: str
) -> None:
    saved = (root / path).read_text("utf-8")
    before, _, after = new.rpartition("|")
    place = saved.index(old) + len(before)
    text = saved.replace(old, before + after, 1)
    uri = (root / path).as_uri()
    item = lsp.TextDocumentItem(uri, "yaml", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    line = text[:place].count("\n")
    where = lsp.Position(line, place - text.rfind("\n", 0, place) - 1)
    document = lsp.TextDocumentIdentifier(uri)
    found = await client.text_document_completion_async(lsp.CompletionParams(document, where))
    assert expected in [one.label for one in found]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("path", "before", "new", "files"),
    [
        ("trees/orders/morning_orders.recipe.yaml", "\n  inspect crate 1", "scan crate 12", 1),
        ("tasks/fetch.task.yaml", "task: fe", "grab", 3),
        ("envs/warehouse.domain.yaml", "\n  batt", "charge_level", 9),
        ("envs/hauler.agent.yaml", "agent: Hau", "Forklift", 5),
        (DISPATCH, "decision: Dis", "Direct", 3),
    ],
)
async def test_names_of_every_kind_are_changed_across_files(
    client: LanguageClient, root: Path, path: str, before: str, new: str, files: int
) -> None:
    text = (root / path).read_text("utf-8")
    uri = await opened(client, root / path, text)
    document = lsp.TextDocumentIdentifier(uri)
    edit = await client.text_document_rename_async(
        lsp.RenameParams(document, at(text, before), new)
    )
    assert len(edit.changes) == files
    assert all(one.new_text == new for edits in edit.changes.values() for one in edits)
