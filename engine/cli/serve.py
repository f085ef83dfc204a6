"""``treec serve``: a local page of runs."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, RunsOption, Stop


def command(
    runs: RunsOption = None,
    library: LibraryOption = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
) -> int:
    """Open a page that shows runs.

    It has the tree with its statuses, talk, subtasks, decisions, facts.

    A run in progress is followed. Only this computer is served, and the address holds a random
    token; needs the extra `serve`.
    """
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise Stop("the page needs the extra 'serve': pip install 'treec[serve]'")
    import secrets
    import socket

    import uvicorn

    from treec.cli.find_run import runs_folder
    from treec.serve.app import make_app

    folder = runs or runs_folder(library)
    if not folder.is_dir():
        raise Stop(f"there is no folder {folder}: run something first, or name one with --runs")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError as error:
            raise Stop(f"port {port} cannot be used: {error.strerror}") from None
        at = listener.getsockname()[1]
        token = secrets.token_urlsafe(24)
        app = make_app(folder, token, (f"127.0.0.1:{at}", f"localhost:{at}"))
        print(f"http://127.0.0.1:{at}/{token}/\nCtrl-C ends it.", flush=True)
        config = uvicorn.Config(app, log_level="error", access_log=False, ws="none")
        uvicorn.Server(config).run(sockets=[listener])
    return 0
