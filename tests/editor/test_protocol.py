"""`treec lsp` over the protocol, by the client of pytest-lsp."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.support.library import copy_warehouse

CHARGE = "trees/charge_when_low.tree.yaml"
pytestmark = pytest.mark.thorough


SERVER = (sys.executable, "-m", "treec", "lsp")
registered: list[lsp.Registration] = []


@pytest_lsp.fixture(config=ClientServerConfig([*SERVER]))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    """A server that has been greeted, and is told to go."""
    registered.clear()

    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        registered.extend(params.registrations)

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


def changes(edit: lsp.WorkspaceEdit) -> dict[str, list[lsp.TextEdit]]:
    """The edits of each file; those of open files name the version that they are of."""
    found = {it.text_document.uri: list(it.edits) for it in edit.document_changes}
    versions = [it.text_document.version for it in edit.document_changes]
    assert any(version is not None for version in versions)
    return found


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
    (edit,) = changes(action.edit)[uri]
    assert problem.code_description.href.endswith("/rules/TC302.md")
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
    assert len(changes(edit)) == 9
    with pytest.raises(JsonRpcException, match="cannot become 'pick'") as refused:
        await client.text_document_rename_async(lsp.RenameParams(document, where, "pick"))
    assert refused.value.code == lsp.LSPErrorCodes.RequestFailed


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
        ("envs/hauler.agent.yaml", "agent: Hau", "Forklift", 6),
        (DISPATCH, "decision: Dis", "Direct", 4),
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
    assert len(changes(edit)) == files
    assert all(one.new_text == new for edits in changes(edit).values() for one in edits)


@pytest.mark.asyncio
async def test_what_an_editor_shows_of_a_file_that_cannot_be_read_at_the_moment(
    client: LanguageClient, root: Path
) -> None:
    saved = (root / CHARGE).read_text("utf-8")
    text = saved.replace("with: {agent: $agent, place: dock}", "with: {agent: $agent,", 1)
    assert text != saved
    uri = await opened(client, root / CHARGE, text)
    assert [problem.code for problem in client.diagnostics[uri]] == ["TC003"]
    document = lsp.TextDocumentIdentifier(uri)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["charge_when_low"]
    where = at(text, "skill: dri")
    hover = await client.text_document_hover_async(lsp.HoverParams(document, where))
    assert hover.contents.value.startswith("**drive**")
    items = await client.text_document_completion_async(
        lsp.CompletionParams(document, at(text, "with: {agent: $agent,"))
    )
    assert "place" in [item.label for item in items]


@pytest.mark.asyncio
async def test_what_else_an_editor_asks_of_a_file(client: LanguageClient, root: Path) -> None:
    text = (root / CHARGE).read_text("utf-8").replace("skill: drive", "skill:  drve", 1)
    uri = await opened(client, root / CHARGE, text)
    assert [one.method for one in registered] == [lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    assert client.progress_reports
    document = lsp.TextDocumentIdentifier(uri)
    found = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("charge_when"))
    assert [(it.name, it.location.uri) for it in found] == [("charge_when_low", uri)]
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert folds
    asked = lsp.DocumentHighlightParams(document, at(text, "agent: $age"))
    lights = await client.text_document_document_highlight_async(asked)
    assert len(lights) > 2
    colours = await client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(document)
    )
    assert colours.data
    assert len(colours.data) % 5 == 0
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    (edit,) = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, options)
    )
    assert edit.new_text == text.replace("skill:  drve", "skill: drve")
    context = lsp.CodeActionContext([], only=[lsp.CodeActionKind.SourceFixAll])
    everywhere = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    (action,) = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, everywhere, context)
    )
    ((one,),) = changes(action.edit).values()
    assert (one.range.start, one.new_text) == (at(text, "skill:  dr"), "i")


@pytest.mark.asyncio
async def test_lenses_run_scenarios_and_count_uses(client: LanguageClient, root: Path) -> None:
    scenario = next(root.rglob("*.scenario.yaml"))
    for path, title in ((scenario, "▷ run this scenario"), (root / CHARGE, "used once")):
        uri = await opened(client, path, path.read_text("utf-8"))
        document = lsp.TextDocumentIdentifier(uri)
        lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
        made = [await client.code_lens_resolve_async(lens) for lens in lenses]
        assert title in [lens.command.title for lens in made]


def test_after_an_orderly_shutdown_the_exit_status_is_0() -> None:
    def message(**fields: object) -> bytes:
        text = json.dumps({"jsonrpc": "2.0", **fields})
        return f"Content-Length: {len(text)}\r\n\r\n{text}".encode()

    begin = message(id=1, method="initialize", params={"processId": None, "capabilities": {}})
    shut = message(id=2, method="shutdown")
    for messages, status in (((begin, shut), 0), ((begin,), 1)):
        told = b"".join((*messages, message(method="exit")))
        ended = subprocess.run([*SERVER], input=told, capture_output=True, timeout=60, check=False)
        assert (ended.returncode, ended.stderr) == (status, b"")
