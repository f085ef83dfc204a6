"""``treec serve``: a local page of runs, and of one that it starts."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, RunsOption, Stop, open_library
from treec.cli.interrupts import handle_interrupts
from treec.cli.spec_options import MODEL, takes
from treec.cli.task_options import MonitorOption
from treec.world.spec import RunSpec

if TYPE_CHECKING:
    from treec.cli.session import Session
    from treec.run.live_run import LiveRun
    from treec_serve.process import PageProcess
    from treec_serve.server import PageServer

FIELDS = ("system", "scenario", "task", "scene", "env", "seed", "speed", "faults", *MODEL)
"""What can be said of the run that the page talks to."""


@takes(RunSpec, *FIELDS)
def command(
    spec: RunSpec,
    runs: RunsOption = None,
    library: LibraryOption = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
    monitor: MonitorOption = None,
    edit: Annotated[
        bool, typer.Option("--edit", help="Let trees be edited; the run takes saved ones up.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Reload edited files during the run.")
    ] = False,
) -> int:
    """Open a page that shows runs, and talks to one.

    The page has the talk, who does what, the tree, decisions with their prompts, and timelines.

    With a SYSTEM, or one that the page starts, words that are typed into the page go to the run,
    and a red button stops all its robots. Only this computer is served, and the address holds a
    random token.
    """
    from treec.cli.find_run import runs_folder
    from treec_serve.process import library_or_none
    from treec_serve.spec import models_of

    if not spec.system and (spec != models_of(spec) or monitor):
        raise Stop("specify the system to run, or start it on the page")

    if not spec.system:
        folder = runs or runs_folder(library)
        if not folder.is_dir() and (runs or library_or_none(library) is None):
            raise Stop(f"no folder {folder}: run something first, or specify one with --runs")
        with _listen(port, folder) as server:
            return _show(server, folder, library, spec, edit=edit, watch=watch or edit)
    from treec.cli.session import Session
    from treec_serve.process import PageProcess

    with PageProcess(
        port, runs or runs_folder(library)
    ) as page:  # it starts while the library is read
        session = Session(open_library(library, or_none=True), spec, runs=runs)
        return _run(page, page.address(), session, library, monitor or (), edit, watch or edit)


def _listen(port: int, runs: Path) -> PageServer:
    from treec_serve.server import PageServer

    try:
        return PageServer(port, runs)
    except OSError as error:
        raise Stop(f"port {port} cannot be used: {error.strerror}") from None


def _show(
    server: PageServer,
    folder: Path,
    library: Path | None,
    spec: RunSpec,
    *,
    edit: bool,
    watch: bool,
) -> int:
    """Serve recorded runs, and those that the page starts, until a signal comes."""
    from treec_serve.app import make_app
    from treec_serve.process import drafts_of, library_or_none
    from treec_serve.starter import RunStarter

    ended = threading.Event()
    starter = RunStarter(folder, library, lambda: library_or_none(library), spec, watch=watch)
    app = make_app(
        folder,
        server.token,
        server.hosts,
        starter.live,
        open_library=lambda: library_or_none(library),
        ending=server.ending,
        drafts=drafts_of(open_library(library).root if edit else None),
        starter=starter,
    )
    with handle_interrupts(ended.set):
        server.start(app)
        print(f"{server.url}\nCtrl-C ends it.", flush=True)
        ended.wait()
    starter.close()
    return 0


def _run(
    page: PageProcess,
    url: str,
    session: Session,
    library: Path | None,
    monitors: Sequence[str],
    edit: bool,
    watch: bool,
) -> int:
    """Run a system in this thread, which signals reach, and serve it from another process."""
    from treec_serve.display import ServeDisplay

    def begin(run: LiveRun, end: Callable[[], None], _: object) -> None:
        root = session.library.root if edit else None
        page.open(session.runs, library, run, end, session.spec, edited=root, watch=watch)
        print(f"{url}\nCtrl-C ends the run and closes the page.", flush=True)

    return session.run(
        show=lambda chat: ServeDisplay(sys.stdout, begin, chat=chat),
        monitors=monitors,
        watch=watch,
    )
