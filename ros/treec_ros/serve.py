"""treec as a node: a system that runs, or trees as an action; words in, the journal out.

`~/words` (std_msgs/msg/String) is what a person says. `~/journal` (std_msgs/msg/String) has each
record from the first tick on, as its line in the journal; who comes late gets the last hundred.
`~/stop` (std_srvs/srv/Trigger) stops all robots. `~/run` is the action of a tree, of any type:
fields of the goal are the ports of the same names, and its status says how the tree ended.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future
from std_msgs.msg import String
from std_srvs.srv import Trigger

from treec.api.errors import TreecError
from treec.api.started_run import StartedRun
from treec.api.workspace import Workspace
from treec.files.library import Library
from treec.world.journal import Record
from treec_ros.files import Qos
from treec_ros.messages import MessageView, find_type
from treec_ros.node import RosNode, profile

KEPT = 100
"""Records of the journal that a late subscriber gets."""


class TreecNode:
    """The node. Raises TreecError where its system cannot begin."""

    def __init__(
        self,
        library: Library,
        name: str,
        node: str = "treec",
        *,
        env: str | None = None,
        runs: Path | None = None,
        action: str | None = None,
        left: threading.Event | None = None,
    ) -> None:
        """``left``, once it is set, ends :meth:`wait`; the end of the system sets it."""
        self._workspace = Workspace(library)
        self._name, self._env, self._runs = name, env, runs
        self._is_system = action is None
        self._run: StartedRun | None = None
        self._over = threading.Event()
        """Whether the run has ended."""
        self._left = left or threading.Event()
        self._early: list[str] = []
        self.ros = RosNode(node)
        with ExitStack() as broken_off:
            broken_off.callback(self.ros.close)
            self.ros.ask(lambda: self._open(action))
            if self._is_system:
                self._run = self._start(system=name)
                self.ros.call(self._say_early)
            broken_off.pop_all()

    def _open(self, action: str | None) -> None:
        node = self.ros.node
        late = Qos(durability="transient_local", depth=KEPT)
        self._journal = node.create_publisher(String, "~/journal", profile(late))
        node.create_subscription(String, "~/words", self._hear, 10)
        node.create_service(Trigger, "~/stop", self._stop)
        if action is not None:
            self._server = ActionServer(
                node,
                find_type(action),
                "~/run",
                self._run_tree,
                goal_callback=self._is_free,
                cancel_callback=lambda goal: CancelResponse.ACCEPT,
            )
            self._result = find_type(action).Result

    def _start(self, **what: Any) -> StartedRun:
        if self._env is not None:
            what["env"] = self._env
        run = self._workspace.start(folder=self._runs, on_record=self._tell, **what)
        threading.Thread(target=self._wait_for, args=(run,), daemon=True).start()
        return run

    def _wait_for(self, run: StartedRun) -> None:
        try:
            run.wait()
        except TreecError as error:
            self.ros.node.get_logger().error(str(error))
        self._over.set()
        if self._is_system:
            self._left.set()

    def _tell(self, record: Record) -> None:
        line = record.line().strip()
        self.ros.call(lambda: self._journal.publish(String(data=line)))

    def _hear(self, words: Any) -> None:
        if self._run is None and self._is_system:
            self._early.append(words.data)
        elif self._run is not None and not self._run.is_over:
            self._run.say(words.data)

    def _say_early(self) -> None:
        """Say what was heard before the run had begun."""
        if self._run is not None and not self._run.is_over:
            for words in self._early:
                self._run.say(words)
        self._early.clear()

    def _stop(self, request: Any, response: Any) -> Any:
        run = self._run
        response.success = run is not None and not run.is_over
        if run is not None and response.success:
            run.stop()
        response.message = "" if response.success else "nothing runs"
        return response

    # A tree as an action

    def _is_free(self, goal: Any) -> GoalResponse:
        """One goal at a time: two runs would command the same robots."""
        is_busy = self._run is not None and not self._run.is_over
        return GoalResponse.REJECT if is_busy else GoalResponse.ACCEPT

    async def _run_tree(self, goal: Any) -> Any:
        fields, done = MessageView(goal.request), Future()
        opening = threading.Thread(target=self._begin, args=(goal, fields, done), daemon=True)
        opening.start()
        ok = await done
        if goal.is_cancel_requested:
            goal.canceled()
        elif ok:
            goal.succeed()
        else:
            goal.abort()
        return self._result()

    def _begin(self, goal: Any, fields: MessageView, done: Future) -> None:
        """Run the tree to its end, or until the goal is cancelled; in a thread of its own."""
        ok = False
        try:
            (tree,) = [e for e in self._workspace.library.of_kind("tree") if e.name == self._name]
            ports = {name: fields[name] for name in tree.model.ports if name in fields}
            with self._start(tree=self._name, ports=ports) as run:
                self._run = run
                while not run.is_over and not goal.is_cancel_requested:
                    self._over.wait(0.05)
                ok = not goal.is_cancel_requested and bool(run.wait().ok)
        except (TreecError, ValueError) as error:
            self.ros.node.get_logger().error(str(error))
        finally:
            self._over.clear()
            self.ros.call(lambda: done.set_result(ok))

    def wait(self) -> None:
        """Wait until its system has ended, or its event ``left`` is set."""
        self._left.wait()

    def close(self) -> tuple[str, ...]:
        """Stop all robots, and end the node; returns what did not confirm that it stopped."""
        try:
            run = self._run
            return () if run is None or run.is_over else run.close().unconfirmed
        finally:
            self.ros.close()
