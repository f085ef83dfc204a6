"""Goals of actions, from the wish to send one until the robot is known to have ended it.

A goal outlives its order: a skill that is halted ends at once, and its goal is cancelled and looked
at until the server says that it has ended, or does not know it. All of it happens in the thread of
the node's executor.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from action_msgs.msg import GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from rclpy.action import ActionClient
from rclpy.qos import qos_profile_action_status_default
from unique_identifier_msgs.msg import UUID

from treec_ros.node import RosNode, has_other_version, steady_timer

GONE = 0.5
"""Seconds after which a server that is not there is gone."""

AGAIN = 0.5
"""Seconds after which a cancel that had no effect is sent again."""

RESULT = 2.0
"""Seconds that a result is waited for once the goal is known to have ended."""

STATUS = {
    GoalStatus.STATUS_SUCCEEDED: "succeeded",
    GoalStatus.STATUS_CANCELED: "canceled",
    GoalStatus.STATUS_ABORTED: "aborted",
}
"""How a goal can end."""

UNKNOWN = "unknown"
"""How one ended that its server does not know: never, or before it was started anew."""


class GoalListener(Protocol):
    """Whoever has sent a goal; called in the executor's thread."""

    def on_event(self, goal: RosGoal, what: str, words: str = "", **record: object) -> None:
        """Take note of something for the journal, with words if it is unusual."""

    def on_feedback(self, goal: RosGoal, message: Any) -> None:
        """Take feedback."""

    def on_end(self, goal: RosGoal, status: str, result: Any) -> None:
        """Take the end: `succeeded`, …, or a reason why nothing is waited for any more."""


@dataclass(eq=False)
class RosGoal:
    """One goal: over for whoever sent it, settled once its robot is known to be done with it."""

    order: str
    agent: str
    action: str
    type: str
    message: Any
    listener: GoalListener
    accept: float
    timeout: float | None
    id: bytes = field(default_factory=lambda: uuid.uuid4().bytes)
    state: str = "waiting"
    """waiting, sent, accepted, settled; lost: nobody knows."""
    since: float = field(default_factory=time.monotonic)
    is_over: bool = False
    wants_stop: bool = False
    why_stopped: str = ""
    cancelled_at: float = 0.0
    ended_at: float = 0.0
    missing_since: float = 0.0
    status: str = ""
    servers: frozenset[bytes] = frozenset()
    """The instances of its server that were there when it was accepted."""
    is_at_it: bool = False
    """Whether its server has said last that it has not ended: by its status, or to a cancel."""
    looked_at: float = 0.0
    was_there: bool = False
    """Whether its server has been there."""

    @property
    def short(self) -> str:
        """The first digits of its id."""
        return self.id.hex()[:8]

    @property
    def is_settled(self) -> bool:
        """Whether the robot is known not to be at it."""
        return self.state == "settled"


class ActionServerPeer:
    """What talks to one action server."""

    def __init__(self, ros: RosNode, name: str, type_: Any) -> None:
        self.name = name
        self._node = ros.node
        self.type = type_
        self.client = ActionClient(ros.node, type_, name)
        self.canceller = ros.node.create_client(CancelGoal, f"{name}/_action/cancel_goal")
        self.goals: dict[bytes, RosGoal] = {}
        self.agents: set[str] = set()
        """The agents whose goals they were."""
        self.own: set[bytes] = set()
        """The ids of all goals that it was sent from here."""
        self.foreign: frozenset[bytes] = frozenset()
        """Those of goals that other nodes have sent, and that have not ended."""
        self.watch: Callable[[RosGoal, str], None] = lambda goal, status: None
        self.on_running: Callable[[RosGoal], None] = lambda goal: None
        self.on_foreign: Callable[[], None] = lambda: None
        ros.node.create_subscription(
            GoalStatusArray,
            f"{name}/_action/status",
            self._on_status,
            qos_profile_action_status_default,
        )

    def servers(self) -> frozenset[bytes]:
        """The instances of the server that are there."""
        found = self._node.get_publishers_info_by_topic(f"{self.name}/_action/status")
        return frozenset(bytes(one.endpoint_gid) for one in found)

    @property
    def has_other_version(self) -> bool:
        """Whether a server has the action's type in another version."""
        return has_other_version(self._node, f"{self.name}/_action/feedback")

    @property
    def is_ready(self) -> bool:
        """Whether the server is there."""
        return bool(self.client.server_is_ready())

    def _on_status(self, array: GoalStatusArray) -> None:
        running = {
            bytes(one.goal_info.goal_id.uuid)
            for one in array.status_list
            if one.status not in STATUS
        }
        before, self.foreign = self.foreign, frozenset(running - self.own)
        if self.foreign - before:
            self.on_foreign()
        for one in array.status_list:
            goal = self.goals.get(bytes(one.goal_info.goal_id.uuid))
            if goal is None or goal.is_settled:
                continue
            if one.status in STATUS:
                self.watch(goal, STATUS[one.status])
            else:
                goal.is_at_it = True
                self.on_running(goal)


class Goals:
    """All goals of a run. ``record`` keeps on disk what was sent and what has ended.

    ``keep`` is given what is sent and what comes back, for a file beside the journal.
    """

    def __init__(
        self,
        ros: RosNode,
        find: Callable[[str], Any],
        record: Callable[[Mapping[str, Any]], None],
        keep: Callable[..., None],
    ) -> None:
        self._ros = ros
        self._find = find
        self._record = record
        self._keep = keep
        self._peers: dict[str, ActionServerPeer] = {}
        self._open: list[RosGoal] = []
        self._timer = steady_timer(ros.node, 0.05, self._look, autostart=False)

    @property
    def open(self) -> tuple[RosGoal, ...]:
        """The goals that are not settled."""
        return tuple(self._open)

    def begin(self, goal: RosGoal) -> None:
        """Send a goal once its server is there and those before it are settled."""
        self._add(goal)
        self._try(goal)

    def take_up(self, goal: RosGoal) -> None:
        """Ask about a goal of an earlier process, and stop it."""
        goal.state, goal.is_over, goal.wants_stop = "accepted", True, True
        self._add(goal)
        self._try(goal)

    def stop(self, goal: RosGoal, why: str = "") -> None:
        """Cancel a goal, now or when it is accepted, and see to it until it has ended."""
        if goal.is_settled:
            return
        goal.wants_stop, goal.why_stopped = True, why
        if goal.state == "waiting":
            self._settle(goal, "never sent")
        else:
            self._cancel(goal)

    def lose(self, goal: RosGoal, why: str) -> None:
        """End it for whoever has sent it; its server is asked about it once it is there again."""
        if goal.state in ("sent", "accepted"):
            goal.state, goal.cancelled_at, goal.is_at_it = "lost", 0.0, False
            self._tell(goal, "lost", f"{why}; what {goal.agent} does is not known")
            self._over(goal, why)

    def _add(self, goal: RosGoal) -> None:
        peer = self._peer(goal)
        peer.goals[goal.id] = goal
        peer.own.add(goal.id)
        peer.agents.add(goal.agent)
        self._open.append(goal)
        self._timer.reset()

    def _peer(self, goal: RosGoal) -> ActionServerPeer:
        if goal.action not in self._peers:
            peer = ActionServerPeer(self._ros, goal.action, self._find(goal.type))
            peer.watch, peer.on_running = self._on_terminal, self._on_running
            peer.on_foreign = lambda: self._on_foreign(peer)
            self._peers[goal.action] = peer
        return self._peers[goal.action]

    def _try(self, goal: RosGoal) -> None:
        """Do what its state asks for now."""
        peer, now = self._peer(goal), time.monotonic()
        is_ready = peer.is_ready
        if is_ready:
            goal.missing_since, goal.was_there = 0.0, True
        elif not goal.missing_since:
            goal.missing_since = now
        patience = GONE if goal.was_there else goal.accept
        is_gone = bool(goal.missing_since) and now >= goal.missing_since + patience
        if is_ready and goal.servers and now >= goal.looked_at + GONE / 2:
            goal.looked_at = now
            is_gone = goal.servers.isdisjoint(peer.servers())  # another one has its place
        if goal.state == "waiting":
            before = next((other for other in self._open if _is_before(other, goal)), None)
            if is_ready and before is None and peer.has_other_version:
                self._over(goal, f"the server of {goal.action} has {goal.type} of another version")
                self._settle(goal, "never sent")
            elif is_ready and before is None:
                self._send(goal, peer)
            elif now >= goal.since + goal.accept:
                why = f"no server of {goal.action} within {goal.accept:g} s"
                if peer.servers():
                    why = f"the server of {goal.action} is not ready within {goal.accept:g} s: "
                    why += "a part of it is missing, or another program reads its requests"
                if before is not None:
                    why = f"the goal before it ({before.action}) has not ended yet"
                self._over(goal, why)
                self._settle(goal, "never sent")
            return
        if goal.ended_at and now >= goal.ended_at + RESULT:
            self._over(goal, goal.status, None)
            self._settle(goal, goal.status)
            return
        if is_gone:
            self.lose(goal, f"the server of {goal.action} is gone")
        if goal.state == "sent" and now >= goal.since + goal.accept and not goal.is_over:
            self._over(goal, f"{goal.action} did not answer within {goal.accept:g} s")
            goal.wants_stop = True
        if goal.state == "accepted" and goal.timeout and now >= goal.since + goal.timeout:
            self._over(goal, f"{goal.action} did not finish within {goal.timeout:g} s")
            goal.wants_stop = True
        if (goal.wants_stop or goal.state == "lost") and is_ready:
            self._cancel(goal)

    def _look(self) -> None:
        for goal in self.open:
            self._try(goal)
        if not self._open:
            self._timer.cancel()

    def serves_others(self, agent: str) -> bool:
        """Whether a server that an agent was commanded by is at another node's goal."""
        return any(
            peer.foreign and agent in peer.agents and peer.is_ready for peer in self._peers.values()
        )

    # Sending

    def _send(self, goal: RosGoal, peer: ActionServerPeer) -> None:
        goal.state, goal.since = "sent", time.monotonic()
        self._record({"sent": goal.id.hex(), "goal": goal})
        servers = len(peer.servers())
        words = f"{servers} servers answer to {goal.action}: both act" if servers > 1 else ""
        self._tell(goal, "sent", words)
        id = UUID(uuid=list(goal.id))
        request = peer.type.Impl.SendGoalService.Request(goal_id=id, goal=goal.message)
        self._keep(f"{goal.action}/_action/send_goal", goal.type, request, "goal")
        answer = peer.client.send_goal_async(
            goal.message,
            feedback_callback=lambda message: self._on_feedback(goal, message),
            goal_uuid=id,
        )
        answer.add_done_callback(lambda future: self._on_answer(goal, future))

    def _on_answer(self, goal: RosGoal, future: Any) -> None:
        handle = future.result() if future.exception() is None else None
        if handle is None or (goal.is_settled and not handle.accepted):
            return
        if goal.is_settled:  # it was taken for lost
            goal.state, goal.wants_stop = "sent", True
            self._add(goal)
        if not handle.accepted:
            self._tell(goal, "rejected")
            self._over(goal, f"{goal.action} rejected the goal")
            self._settle(goal, "rejected")
            return
        self._on_running(goal)
        handle.get_result_async().add_done_callback(lambda future: self._on_result(goal, future))

    def _on_running(self, goal: RosGoal) -> None:
        """Its server says that it has accepted it, by an answer or by its status."""
        if goal.state in ("sent", "lost"):
            goal.state, goal.since = "accepted", time.monotonic()
            goal.servers = self._peer(goal).servers()
            late = f"{goal.agent}: {goal.action} accepted the goal too late, so it is cancelled"
            self._tell(goal, "accepted", late if goal.wants_stop else "")
        if goal.wants_stop:
            self._cancel(goal)

    def _on_foreign(self, peer: ActionServerPeer) -> None:
        """Its server says that it is at a goal that was not sent from here."""
        for goal in peer.goals.values():
            if goal.state != "waiting":
                words = f"{peer.name} has a goal of another node, too: {goal.agent} may not be free"
                self._tell(goal, "other client", words)

    def _on_feedback(self, goal: RosGoal, message: Any) -> None:
        self._keep(f"{goal.action}/_action/feedback", goal.type, message, "feedback")
        if not goal.is_over:
            goal.listener.on_feedback(goal, message.feedback)

    # Ending

    def _on_result(self, goal: RosGoal, future: Any) -> None:
        answer = future.result() if future.exception() is None else None
        if answer is not None:
            self._keep(f"{goal.action}/_action/get_result", goal.type, answer, "result")
        if goal.is_settled or answer is None:
            return
        status = STATUS.get(answer.status, UNKNOWN)
        self._over(goal, status, answer.result)
        self._settle(goal, status)

    def _on_terminal(self, goal: RosGoal, status: str) -> None:
        """Its status says that it has ended; the result is to come."""
        if goal.is_over:
            self._settle(goal, status)
        elif not goal.ended_at:
            goal.ended_at, goal.status = time.monotonic(), status

    def _over(self, goal: RosGoal, status: str, result: Any = None) -> None:
        if not goal.is_over:
            goal.is_over = True
            goal.listener.on_end(goal, status, result)

    def _settle(self, goal: RosGoal, status: str) -> None:
        if goal.is_settled:
            return
        was_sent, goal.state, goal.status = goal.state != "waiting", "settled", status
        self._open.remove(goal)
        self._peers[goal.action].goals.pop(goal.id, None)
        goal.is_over = True
        if was_sent:
            self._record({"ended": goal.id.hex(), "status": status})
        self._tell(goal, "ended", status=status)
        for other in self.open:
            if other.state == "waiting":
                self._try(other)

    # Cancelling

    def _cancel(self, goal: RosGoal) -> None:
        now, peer = time.monotonic(), self._peer(goal)
        if goal.cancelled_at and now < goal.cancelled_at + AGAIN:
            return
        if not peer.canceller.service_is_ready():
            return
        is_first = not goal.cancelled_at
        goal.cancelled_at = now
        request = CancelGoal.Request()
        request.goal_info.goal_id.uuid = list(goal.id)
        service = f"{goal.action}/_action/cancel_goal"
        self._keep(service, "action_msgs/srv/CancelGoal", request, "request")
        future = peer.canceller.call_async(request)
        future.add_done_callback(lambda future: self._on_cancelled(goal, future, is_first))
        if is_first:
            self._tell(goal, "cancel sent")

    def _on_cancelled(self, goal: RosGoal, future: Any, is_first: bool) -> None:
        answer = future.result() if future.exception() is None else None
        if answer is None or goal.is_settled:
            return
        if any(bytes(one.goal_id.uuid) == goal.id for one in answer.goals_canceling):
            goal.is_at_it = True
            if is_first:
                self._tell(goal, "cancel accepted")
        elif answer.return_code == CancelGoal.Response.ERROR_GOAL_TERMINATED:
            # Said of one that is being cancelled, too. The status tells how it ended, if at all.
            if not goal.ended_at and not goal.is_at_it:
                goal.ended_at, goal.status = time.monotonic(), goal.status or "ended"
        elif answer.return_code == CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID:
            if goal.state != "sent":  # else it may accept it yet
                self._over(goal, UNKNOWN)
                self._settle(goal, UNKNOWN)
        elif is_first:
            words = f"{goal.action} refuses to cancel: {goal.agent} goes on"
            self._tell(goal, "cancel refused", words)

    def _tell(self, goal: RosGoal, what: str, words: str = "", **record: object) -> None:
        goal.listener.on_event(goal, what, words, **record)


def _is_before(other: RosGoal, goal: RosGoal) -> bool:
    """Whether a goal is sent only when another one is settled: its robot may be at it still."""
    if other is goal or other.state == "waiting":
        return False
    return other.action == goal.action or (other.agent == goal.agent and other.wants_stop)
