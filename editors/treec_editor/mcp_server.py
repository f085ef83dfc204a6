"""The tools of ``treec mcp``: commands of treec, each in a process of its own, on one library.

A process keeps what the library's code prints, hangs or breaks away from the protocol, and ends
with its call: cancelled, too late, or because the server itself has ended.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

import treec
from treec.api.errors import TreecError
from treec.cli.overview import version
from treec.files.kinds import MODELS
from treec.run.folder import JOURNAL
from treec_editor.mcp_process import TooLate, run_treec

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

MOST = 60_000
"""Characters of an answer's text: what is longer is cut in the middle."""

SHOWN_RUNS = 20
"""Runs that are listed, the latest first."""

ABOUT = """Work on a treec library: YAML files of robots that decide by rules and language models.
List what there is; check after every edit (each finding has its place, its rule and what would be
right); draw; run scenarios on virtual time; ask one node what it decides; replay what happened."""

Name = Annotated[str, Field(description="A name in the library")]
Limit = Annotated[
    float | None, Field(gt=0, description="Seconds after which it is stopped, below the server's")
]


def make_server(root: Path, model: tuple[str, ...], limit: float) -> MCPServer[None]:
    """A server of the library in ``root``.

    ``model``: the options of the model that `run` and `ask` may use. ``limit``: seconds of a call.
    """
    server: MCPServer[None] = MCPServer(
        "treec", instructions=ABOUT, version=version().removeprefix("treec "), log_level="WARNING"
    )
    library = _Library(root.resolve(), limit)

    @server.tool("list", annotations=READS)
    async def list_(
        kind: Annotated[str | None, Field(description="Such as tree, decision, system")] = None,
    ) -> dict[str, Any]:
        """List definitions by kind, with what each is about, and the latest runs."""
        return await to_thread.run_sync(library.contents, kind, abandon_on_cancel=True)

    @server.tool(annotations=READS)
    async def check(
        context: Context,
        which: Annotated[
            str | None, Field(description="A file, folder or definition; the library is read whole")
        ] = None,
    ) -> dict[str, Any]:
        """Check all files: findings with file, line, column, rule and what would be right."""
        return await library.call(context, ("check", "--output-format=json"), (which,))

    @server.tool(annotations=READS)
    async def render(context: Context, name: Name, mermaid: bool = False) -> dict[str, Any]:
        """Draw a tree, a system's decisions, a recipe or a task graph as text or Mermaid."""
        if not mermaid:
            return await library.call(context, ("render",), (name,))
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "picture.mmd"
            result = await library.call(context, ("render", f"--output={picture}"), (name,))
            return {**result, "output": picture.read_text("utf-8")} if picture.exists() else result

    @server.tool(annotations=RUNS)
    async def run(
        context: Context,
        system: Annotated[str, Field(description="A system or a tree")],
        scenario: str | None = None,
        task: str | None = None,
        seed: int | None = None,
        say: Annotated[list[str] | None, Field(description="What the user says, in turn")] = None,
        inject: Annotated[
            list[str] | None, Field(description="Faults, such as '20s: fail pick(crate 12)'")
        ] = None,
        seconds: Limit = None,
    ) -> dict[str, Any]:
        """Run a system or a tree on virtual time; exit status 0 if all is as expected."""
        options = {"scenario": scenario, "task": task, "seed": seed}
        given = [f"--{name}={value}" for name, value in options.items() if value is not None]
        given += [f"--dialogue={words}" for words in say or ()]
        given += [f"--inject={fault}" for fault in inject or ()]
        library.refuse_outside(scenario)
        return await library.call(
            context, ("run", "--fast", *model, *given), (system,), seconds=seconds
        )

    @server.tool(annotations=RUNS)
    async def ask(
        context: Context,
        node: Name,
        given: Annotated[
            dict[str, Any] | None,
            Field(description="What it sees, as in the `given` of an example; else the start"),
        ] = None,
        at: Annotated[
            str | None, Field(description="Instead, a moment of a run: RUN:t=12.5 or RUN:u3")
        ] = None,
        system: str | None = None,
    ) -> dict[str, Any]:
        """Ask one node for a decision: its prompt, every answer with its verdict, the decision."""
        library.refuse_outside(system)
        options = ["--output-format=json", *([] if system is None else [f"--system={system}"])]
        if at is not None:
            name, _, moment = at.rpartition(":")
            options.append(f"--at={library.run_folder(name)}:{moment}")
        with tempfile.TemporaryDirectory() as folder:
            if given is not None:
                if "case" in given:
                    raise ToolError("given: names and their values, not a whole case")
                file = Path(folder) / "given.yaml"
                file.write_text(json.dumps(given), "utf-8")
                options.append(f"--given={file}")
            return await library.call(context, ("ask", *model, *options), (node,))

    @server.tool(annotations=READS)
    async def replay(
        context: Context,
        run: Annotated[str | None, Field(description="Name of a run (default: the latest)")] = None,
        at: Annotated[
            str | None, Field(description="12.5 (seconds), 1:05, #14 (a tick) or end")
        ] = None,
    ) -> dict[str, Any]:
        """Replay a run: at one moment its tree, agents, facts and talk; else all that happened."""
        options = () if at is None else (f"--at={at}",)
        folder = str(library.run_folder(run)) if run is not None else None
        return await library.call(context, ("replay", *options), (folder,))

    return server


class _Library:
    """One library's folder, and what may be asked of it."""

    def __init__(self, root: Path, limit: float) -> None:
        self._root = root
        self._limit = limit

    def contents(self, kind: str | None) -> dict[str, Any]:
        """The names of all kinds, or one, with what they are about; the runs. Raises ToolError."""
        try:
            opened = treec.open(self._root)
            kinds = sorted(MODELS) if kind is None else [kind]
            found = {
                one: {name: self._about(opened, one, name) for name in opened.names(one)}
                for one in kinds
            }
        except TreecError as error:
            raise ToolError(str(error)) from None
        runs = [] if kind is not None else self._runs()[:SHOWN_RUNS]
        return {"definitions": {k: names for k, names in found.items() if names}, "runs": runs}

    @staticmethod
    def _about(opened: treec.Workspace, kind: str, name: str) -> str:
        return str(getattr(opened[kind, name].model, "about", "") or "")

    def _runs(self) -> list[str]:
        journals = self._root.glob(f"runs/*/{JOURNAL}")
        return sorted((one.parent.name for one in journals), reverse=True)

    def run_folder(self, name: str) -> Path:
        """The folder of a run of this library. Raises ToolError."""
        if name not in self._runs():
            known = ", ".join(self._runs()[:5]) or "there are none yet"
            raise ToolError(f"unknown run '{name}': {known}")
        self.refuse_outside(f"runs/{name}")  # it may be a link
        return self._root / "runs" / name

    def refuse_outside(self, name: str | None) -> None:
        """Raise ToolError if a name is the path of something that is not in the library."""
        if name is None:
            return
        try:
            is_inside = (self._root / name).resolve().is_relative_to(self._root)
        except (OSError, ValueError):  # such as a null byte
            is_inside = False
        if not is_inside or not name:
            raise ToolError(f"'{name}' is outside of the library: give a name or a path in it")

    async def call(
        self,
        context: Context,
        options: tuple[str, ...],
        names: tuple[str | None, ...],
        *,
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """What a command gives; where it fails in a library with errors, also its findings.

        Raises ToolError: it is too late, or names something that is not in the library.
        """
        given = [name for name in names if name is not None]
        for name in given:
            self.refuse_outside(name)
        limit = min(seconds or self._limit, self._limit)

        async def tell(passed: float) -> None:
            await context.report_progress(passed, limit, f"treec {options[0]}: {passed:.0f} s")

        command, *rest = options
        try:
            status, printed, errors = await run_treec(
                (command, f"--library={self._root}", *rest, "--", *given), self._root, limit, tell
            )
        except TooLate as error:
            raise ToolError(f"treec {command} was stopped after {limit:g} s{error}") from None
        result: dict[str, Any] = {"exit_status": status}
        if "--output-format=json" in options and printed.lstrip()[:1] in ("[", "{"):
            name = "problems" if command == "check" else "data"
            result[name] = json.loads(printed)
        else:
            result["output"] = _cut(printed)
        if errors.strip():
            result["errors"] = _cut(errors)
        if status and command != "check":
            checked = await self.call(context, ("check", "--output-format=json"), ())
            found = checked.get("problems", ())
            if any(one["severity"] == "error" for one in found):
                result["problems"] = found
        return result


def _cut(text: str) -> str:
    if len(text) <= MOST:
        return text
    left = len(text) - MOST
    return f"{text[: MOST // 2]}\n… {left:,} characters …\n{text[-MOST // 2 :]}"
