"""The tree of a run as py_trees_ros shows its own: snapshots, streams, blackboards.

With `--monitor py_trees_ros[=NODE]`, where py_trees_ros is installed. Its `BehaviourTree` offers
the services and topics; the run ticks.
"""

from __future__ import annotations

import sys
from typing import Any

from py_trees.behaviours import Dummy

from treec.run.run import Run
from treec_ros.node import RosNode

SETUP = 20.0
"""Seconds within which the services are offered."""

PUBLISH = 1.0
"""Seconds that a tick may take longer, once, for a viewer."""


def open_monitor(run: Run, address: str) -> PyTreesRosView:
    """Show a run, as a node of this name (`tree`). Raises ValueError."""
    try:
        from py_trees_ros.trees import BehaviourTree
    except ImportError as error:
        why = "install ros-$ROS_DISTRO-py-trees-ros, and source ROS's setup.bash"
        raise ValueError(f"py_trees_ros cannot be used ({error}): {why}") from None
    return PyTreesRosView(run, BehaviourTree(Dummy("treec")), address or "tree")


class PyTreesRosView:
    """The run's tree, for viewers of py_trees_ros, while it is entered."""

    def __init__(self, run: Run, shown: Any, node: str) -> None:
        self._run, self._shown, self._is_left = run, shown, False
        self._ros = RosNode(node)
        self._ros.ask(lambda: shown.setup(node=self._ros.node), SETUP)  # of the dummy alone

    def __enter__(self) -> PyTreesRosView:
        tree = self._run.loop.tree
        tree.visitors.append(self._shown.snapshot_visitor)
        tree.pre_tick_handlers.append(self._before)
        tree.post_tick_handlers.append(self._after)
        return self

    def __exit__(self, *error: object) -> None:
        tree = self._run.loop.tree
        tree.visitors.remove(self._shown.snapshot_visitor)
        tree.pre_tick_handlers.remove(self._before)
        tree.post_tick_handlers.remove(self._after)
        self._ros.close()

    def __str__(self) -> str:
        return f"py_trees_ros: {self._ros.node.get_fully_qualified_name()}"

    def _before(self, tree: Any) -> None:
        self._shown.root, self._shown.count = tree.root, tree.count
        for handler in self._shown.pre_tick_handlers:
            handler(self._shown)

    def _after(self, tree: Any) -> None:
        """Publish in the executor's thread, which opens and closes streams; the run waits.

        A viewer that fails, or takes seconds, is left: robots depend on the run.
        """
        if self._is_left:
            return
        try:
            self._ros.ask(self._publish, PUBLISH)
        except Exception as error:
            self._is_left = True
            why = f"{type(error).__name__}: {error}"
            print(f"treec: py_trees_ros shows the run no longer: {why}", file=sys.stderr)

    def _publish(self) -> None:
        for handler in self._shown.post_tick_handlers:
            handler(self._shown)
