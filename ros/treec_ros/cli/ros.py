"""``treec ros``: what is missing on the ROS 2 side of a system, and treec as a node."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from treec.cli.common import LibraryOption, RunsOption, Stop, group, open_library

if TYPE_CHECKING:
    from treec_ros.robot import RobotProcess
    from treec_ros.serve import TreecNode

P = TypeVar("P", "RobotProcess", "TreecNode")


class WhenCut(StrEnum):
    """What becomes of a skill if its commander is cut off."""

    stop = "stop"
    finish = "finish"


app = group("ros", "Examine the ROS 2 side of a system, or offer treec as a node.")


@app.command()
def doctor(
    system: Annotated[str, typer.Argument(help="The system whose servers and topics are wanted.")],
    wait: Annotated[float, typer.Option(help="Seconds to wait for other nodes.")] = 3.0,
    library: LibraryOption = None,
) -> int:
    """Say what is missing before anything moves: ROS, types, servers, topics, clocks.

    Exit status 0 if nothing is missing, 1 otherwise.
    """
    from treec.api.errors import TreecError
    from treec.api.find import find_system
    from treec.files.view import View

    opened = open_library(library)
    try:
        view = View(opened, find_system(opened, system))
    except TreecError as error:
        raise Stop(str(error)) from None
    _require_ros()
    from treec_ros.doctor import examine

    problems = 0
    for finding in examine(view, wait):
        problems += not finding.is_fine
        print(f"{'ok     ' if finding.is_fine else 'MISSING'}  {finding.text}")
    print("" if problems else "nothing is missing", end="" if problems else "\n")
    return 1 if problems else 0


@app.command()
def serve(
    name: Annotated[str, typer.Argument(help="A system, which runs at once; or a tree.")],
    type: Annotated[
        str | None,
        typer.Option(
            metavar="PACKAGE/action/NAME",
            help="Offer a tree as this action: the goal's fields are its ports of the same names.",
        ),
    ] = None,
    env: Annotated[str | None, typer.Option(help="Environment of all agents.")] = None,
    node: Annotated[str, typer.Option(help="The node's name.")] = "treec",
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Run a system, or trees on demand, as a node: ~/words, ~/journal, ~/stop, and ~/run."""
    _require_ros()
    from treec_ros.serve import TreecNode

    opened = open_library(library)
    options: dict[str, Any] = {"env": env, "runs": runs or opened.runs, "action": type}
    return _wait(lambda left: TreecNode(opened, name, node, left=left, **options))


@app.command()
def robot(
    system: Annotated[str, typer.Argument(help="The system whose robots it has.")],
    agents: Annotated[str, typer.Option(help="Which of them, such as R1,R2 (default: all).")] = "",
    env: Annotated[str | None, typer.Option(help="Environment of all agents.")] = None,
    commander: Annotated[
        str | None,
        typer.Option(help="The node that may command them (default: the first that does)."),
    ] = None,
    when_cut: Annotated[
        WhenCut, typer.Option(help="What becomes of a skill if its commander is cut off.")
    ] = WhenCut.stop,
    silence: Annotated[
        float, typer.Option(help="Seconds without a sign of it after which it is.")
    ] = 2.0,
    speed: Annotated[float, typer.Option(help="Seconds of its world in a real one.")] = 1.0,
    clock: Annotated[
        bool, typer.Option("--clock", help="Publish /clock: the time of its world.")
    ] = False,
    node: Annotated[str, typer.Option(help="The node's name.")] = "robots",
    runs: RunsOption = None,
    library: LibraryOption = None,
) -> int:
    """Have robots whose skills another process commands, by `--env remote`."""
    _require_ros()
    from treec_ros.robot import RobotProcess

    opened = open_library(library)

    def make(left: threading.Event) -> RobotProcess:
        return RobotProcess(
            opened,
            system,
            [name.strip() for name in agents.split(",") if name.strip()],
            env=env,
            node=node,
            commander=commander,
            silence=silence,
            when_cut=when_cut.value,
            speed=speed,
            clock=clock,
            runs=runs or opened.runs,
            tell=lambda text: print(text, flush=True),
            left=left,
        )

    return _wait(make, lambda process: print(f"{', '.join(process.agents)}: ready", flush=True))


def _wait(
    make: Callable[[threading.Event], P], tell: Callable[[P], None] = lambda process: None
) -> int:
    """Make a process, and wait for its end or a signal, which stops all robots.

    Returns the exit status. Raises Stop where it cannot begin.
    """
    from treec.api.errors import TreecError
    from treec.cli.exits import UNCONFIRMED
    from treec.cli.interrupts import handle_interrupts
    from treec_ros.messages import UnknownType

    left = threading.Event()
    with handle_interrupts(left.set):
        try:
            process = make(left)
        except (TreecError, UnknownType) as error:
            raise Stop(str(error)) from None
        try:
            tell(process)
            process.wait()
        finally:
            unconfirmed = process.close()
    for sentence in unconfirmed:
        print(f"treec: {sentence}", file=sys.stderr)
    return UNCONFIRMED if unconfirmed else 0


def _require_ros() -> None:
    try:
        import rclpy  # noqa: F401
    except ImportError as error:
        raise Stop(
            f"ROS 2 cannot be used here ({error}): pip install 'treec[ros]', or install treec-ros "
            "into the environment of a ROS 2 from apt, and source its setup.bash"
        ) from None
