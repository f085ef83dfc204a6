"""`treec mcp` by the official client: what an agent can do with a library, and what it cannot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from tests.support.library import copy_warehouse
from treec_editor.mcp_process import TooLate, run_treec

if TYPE_CHECKING:  # imported by the tests: it takes most of a second
    from mcp import Client
    from mcp.types import CallToolResult

BROKEN = "tree: broken\nroot: {nothing: 1}\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return copy_warehouse(tmp_path / "warehouse")


def data(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


def error(result: CallToolResult) -> str:
    assert result.is_error
    (part,) = result.content
    assert part.type == "text"
    return part.text


def client(root: Path) -> Client:
    """A client of a server in this process."""
    from mcp import Client

    from treec_editor.mcp_server import make_server

    return Client(make_server(root, ("--offline",), 60))


@pytest.mark.thorough
@pytest.mark.asyncio
async def test_over_standard_input_and_output_errors_are_the_findings_of_the_check(
    root: Path,
) -> None:
    """A server process, which starts one for each call."""
    from mcp import Client, StdioServerParameters, stdio_client

    (root / "trees" / "broken.tree.yaml").write_text(BROKEN, "utf-8")
    command = ["-m", "treec", "mcp", f"--library={root}"]
    async with Client(
        stdio_client(StdioServerParameters(command=sys.executable, args=command))
    ) as it:
        tools = {tool.name for tool in (await it.list_tools()).tools}
        assert tools == {"list", "check", "render", "run", "ask", "replay"}
        ran = data(await it.call_tool("run", {"system": "warehouse"}))
    assert ran["exit_status"] == 1
    assert "does not run while its files have errors" in ran["errors"]
    (unknown,) = (one for one in ran["problems"] if one["code"] == "TC301")
    assert (unknown["path"], unknown["line"], unknown["column"]) == ("trees/broken.tree.yaml", 2, 8)
    assert unknown["help"].startswith("node types: ")


@pytest.mark.asyncio
async def test_nothing_outside_of_the_library_is_read(root: Path) -> None:
    (root.parent / "other.tree.yaml").write_text("tree: other\nroot: {log: secret}\n", "utf-8")
    (root / "linked.tree.yaml").symlink_to(root.parent / "other.tree.yaml")
    (root / "runs").mkdir()
    (root.parent / "run").mkdir()
    (root.parent / "run" / "journal.jsonl").write_text("secret", "utf-8")
    (root / "runs" / "linked").symlink_to(root.parent / "run")
    async with client(root) as it:
        contents = data(await it.call_tool("list"))["definitions"]
        assert contents["decision"] == {"Dispatch": "What to do next."}
        for path in (
            "../other.tree.yaml",
            f"{root.parent}/other.tree.yaml",
            "linked.tree.yaml",
            "",
        ):
            for tool, key in (("render", "name"), ("run", "system"), ("ask", "node")):
                said = error(await it.call_tool(tool, {key: path}))
                assert "is outside of the library" in said
        for run in ("linked", "../run", str(root.parent / "run")):
            assert "run" in error(await it.call_tool("replay", {"run": run}))
        said = error(await it.call_tool("ask", {"node": "Dispatch", "at": "../run:t=1"}))
        assert "unknown run '../run'" in said


@pytest.mark.thorough
@pytest.mark.asyncio
async def test_an_agent_draws_runs_asks_and_replays(root: Path) -> None:
    async with client(root) as it:
        assert data(await it.call_tool("check")) == {"exit_status": 0, "problems": []}
        drawn = data(await it.call_tool("render", {"name": "warehouse", "mermaid": True}))
        assert drawn["output"].startswith("flowchart")
        words = ["Scout, inspect crate 40."]
        ran = data(await it.call_tool("run", {"system": "warehouse", "say": words}))
        assert "inspect crate 40 done" in ran["output"]
        (run,) = data(await it.call_tool("list"))["runs"]
        replayed = data(await it.call_tool("replay", {"run": run, "at": "end"}))
        assert "scanned(crate 40)" in replayed["output"]
        given = {"node": "Dispatch", "given": {"acts": []}}
        asked = data(await it.call_tool("ask", given))["data"]
        assert asked["decision"] == {"choose": "Wait_For_Work"}
        assert asked["request"]["messages"]


@pytest.mark.asyncio
async def test_what_takes_too_long_or_is_cancelled_ends(root: Path) -> None:
    """By a command that has no end of its own."""

    async def tell(seconds: float) -> None: ...

    with pytest.raises(TooLate):
        await run_treec(("watch",), root, 0.05, tell)
    with anyio.move_on_after(0.05) as scope:
        await run_treec(("watch",), root, 60, tell)
    assert scope.cancelled_caught
