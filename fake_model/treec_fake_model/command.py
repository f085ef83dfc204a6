"""``treec fake-model``: a local model server that answers from a script."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import Stop


def command(
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port; 0 chooses a free one.")
    ] = 8080,
    script: Annotated[
        Path | None,
        typer.Option(
            "--script", help="YAML file with `cases:` (default: the simplest valid answers)."
        ),
    ] = None,
) -> int:
    """Serve a scripted model on this machine until Ctrl-C.

    It has the interfaces of OpenAI, Anthropic and Ollama: `treec run … --model openai/fake
    --api-base URL`, with the URL that it prints.
    """
    import asyncio

    from treec_fake_model.script import Script, ScriptError, read_script
    from treec_fake_model.server import FakeModel

    try:
        played = read_script(script) if script is not None else Script.model_validate({})
    except ScriptError as error:
        raise Stop(str(error)) from None

    async def serve() -> None:
        model = FakeModel(played, log=lambda line: print(line, flush=True))
        try:
            await model.start(port)
        except OSError as error:
            raise Stop(f"cannot listen on port {port}: {error.strerror or error}") from None
        print(f"a fake model answers at {model.url} (Ctrl-C ends it)", flush=True)
        await asyncio.Event().wait()

    try:
        asyncio.run(serve())
    except KeyboardInterrupt:
        print()
    return 0
