"""A process that has robots: it carries out skills of agents that another one commands.

Each agent is an action server, `/AGENT/skill`. It takes commands of one process alone, and one at a
time. Where that process is cut off, what is in progress is stopped, or goes on to its end, as told.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rclpy.action import ActionServer, CancelResponse
from rclpy.task import Future

from treec import Effect
from treec.api.environment_check import check_environments
from treec.api.errors import TreecError
from treec.api.find import find_system
from treec.api.prepare import require_no_errors
from treec.api.prepare_tree import UNREACHABLE
from treec.api.started_run import StartedRun
from treec.files.entry import Entry
from treec.files.library import Library
from treec.nodes.base import Status
from treec.nodes.runtime import NodeError
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.run.clocks import real_clock
from treec.run.folder import JOURNAL, new_folder
from treec.run.run import Run
from treec.run.task_view import view_for
from treec.source.errors import LocatedError
from treec.world.events import FactForget, FactSet, FactUnknown, flat
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_ros.link import SILENCE, TeamLink
from treec_ros.messages import find_type
from treec_ros.node import RosNode, steady_timer

IDLE = "treec-ros/idle"
CLOCK = "rosgraph_msgs/msg/Clock"
OTHERS = "link"
"""Who has changed a fact, in the journal, if another process has."""


class CommandedSkill:
    """A skill that was asked for. Raises ValueError if its arguments are no JSON object."""

    def __init__(self, goal: Any, agent: str, done: Future) -> None:
        request = goal.request
        self.goal, self.agent, self.done = goal, agent, done
        self.commander, self.process = request.commander, request.process
        self.skill = request.skill
        self.args: dict[str, Any] = json.loads(request.args or "{}")
        if not isinstance(self.args, dict):
            raise ValueError(f"arguments are a JSON object, not {request.args}")
        self.run: SkillRun | None = None
        self.why_stopped = "cancelled" if goal.is_cancel_requested else ""

    def tick(self, run: Run) -> tuple[bool, str] | None:
        """Go on; returns whether it succeeded, and why not, once it is over."""
        runtime = run.runtime
        try:
            if self.run is None and not self.why_stopped:
                given = {"agent": self.agent, **self.args}
                model = runtime.team.knowledge.skill(self.skill)
                if model is not None and "agent" not in model.args:
                    given.pop("agent")
                args = bind_arguments(runtime, self.skill, (), given, self.agent)
                path = f"{self.agent}/{self.skill}"
                self.run = SkillRun(runtime, path, self.agent, self.skill, args)
            if self.why_stopped:
                return self._stop(run)
            assert self.run is not None
            status = self.run.tick()
        except (NodeError, LocatedError) as error:
            return False, str(error)
        if status is Status.RUNNING:
            return None
        return status is Status.SUCCESS, "" if status is Status.SUCCESS else str(self.run.failure)

    def _stop(self, run: Run) -> tuple[bool, str] | None:
        if self.run is not None:
            self.run.cancel()
            self.run = None
        found = run.runtime.environments.find_open(run.runtime.runs_in(self.agent))
        is_at_rest = found is None or found.is_at_rest(self.agent)
        return (False, self.why_stopped) if is_at_rest else None


class RobotProcess:
    """The process. Raises TreecError where its system cannot begin."""

    def __init__(
        self,
        library: Library,
        system: str,
        agents: Sequence[str] = (),
        *,
        env: str | None = None,
        node: str = "robots",
        commander: str | None = None,
        silence: float = SILENCE,
        when_cut: Literal["stop", "finish"] = "stop",
        speed: float = 1.0,
        clock: bool = False,
        runs: Path | None = None,
        tell: Callable[[str], None] = print,
        left: threading.Event | None = None,
    ) -> None:
        """``left``, once it is set, ends :meth:`wait`; the end of its run sets it."""
        self._left = left or threading.Event()
        self._commander, self._silence, self._when_cut = commander, silence, when_cut
        self._tell, self._has_clock = tell, clock
        self._commands: dict[str, CommandedSkill] = {}
        self._calls: deque[Callable[[], None]] = deque()
        type_ = find_type("treec_msgs/action/Skill")
        self._result = type_.Result
        run = self._make_run(library, system, env, speed, runs)
        self.agents = tuple(agents) or tuple(run.view.robots)
        unknown = [name for name in self.agents if name not in run.view.robots]
        if unknown:
            known = ", ".join(run.view.robots)
            raise TreecError(f"unknown robot '{unknown[0]}'; the robots are {known}")
        self.ros = RosNode(node)
        self.link: TeamLink = self.ros.ask(lambda: TeamLink(self.ros, self.agents, self._take))
        run.loop.before_tick.append(self._tick)
        run.world.subscribe(self._on_record)
        self._run = run
        with ExitStack() as stack:
            stack.callback(self.ros.close)
            self.started = StartedRun(run)
            threading.Thread(target=self._tell_end, daemon=True).start()
            self.ros.ask(lambda: self._open(type_))
            stack.pop_all()

    def _make_run(
        self, library: Library, system: str, env: str | None, speed: float, runs: Path | None
    ) -> Run:
        found = find_system(library, system)
        uses = [*found.model.uses, IDLE]
        model = found.model.model_copy(update={"uses": uses})
        entry = Entry(found.kind, found.name, model, found.node, found.file)
        library.uses(entry)
        require_no_errors(library, found, but=(UNREACHABLE,))
        spec = RunSpec(system=found.name, tree="ros_robot", env=env, chat=True)
        view, spec = view_for(library, entry, spec, scripted=True)
        driven = check_environments(view)
        folder = None if runs is None else new_folder(runs, f"{system}-robots", datetime.now())
        journal = Journal.in_memory() if folder is None else Journal.create(folder / JOURNAL)
        clock = real_clock(driven.steps, speed)
        return Run(view, clock, journal, spec, folder=folder)

    def _open(self, type_: Any) -> None:
        for agent in self.agents:
            ActionServer(
                self.ros.node,
                type_,
                f"/{agent}/skill",
                partial(self._execute, agent),
                cancel_callback=self._cancel,
            )
        steady_timer(self.ros.node, 0.05, self._watch)
        if self._has_clock:
            self._clock = self.ros.node.create_publisher(find_type(CLOCK), "/clock", 10)
            steady_timer(self.ros.node, 0.02, self._tell_time)

    # In the executor's thread

    async def _execute(self, agent: str, goal: Any) -> Any:
        done: Future = Future()
        try:
            command = CommandedSkill(goal, agent, done)
            why = self._refuse(command)
        except ValueError as error:
            why = str(error)
        if why:
            goal.abort()
            return self._result(ok=False, reason=why)
        self.link.hear(command.process, command.commander)
        self._commands[agent] = command
        self._wake()
        ok, why = await done
        facts = json.dumps(self.link.facts)
        if ok:
            goal.succeed()
        elif goal.is_cancel_requested:
            goal.canceled()
        else:
            goal.abort()
        return self._result(ok=ok, reason=why, facts=facts)

    def _refuse(self, command: CommandedSkill) -> str:
        """Why a command is not carried out; the first who commands is obeyed from then on."""
        agent, commander = command.agent, command.commander
        if self._commander is None:
            self._commander = commander
            self._tell(f"{', '.join(self.agents)}: commanded by '{commander}'")
        if commander != self._commander:
            return f"{agent} takes commands of '{self._commander}' alone, not of '{commander}'"
        if self.link.has_namesake(commander):
            return f"two processes are named '{commander}': name one by TREEC_ROS_ARGS"
        busy = self._commands.get(agent)
        return "" if busy is None else f"{agent} is still at '{busy.skill}'"

    def _cancel(self, goal: Any) -> CancelResponse:
        for command in self._commands.values():
            if bytes(command.goal.goal_id.uuid) == bytes(goal.goal_id.uuid):
                command.why_stopped = command.why_stopped or "cancelled"
        self._wake()
        return CancelResponse.ACCEPT

    def _watch(self) -> None:
        """Stop what is in progress if whoever has commanded it is cut off."""
        commands = list(self._commands.values())
        for command in commands:
            is_cut = self.link.is_silent(command.process, self._silence)
            if is_cut and self._when_cut == "stop" and not command.why_stopped:
                why = f"nothing is heard of '{command.commander}' for {self._silence:g} s"
                command.why_stopped = why
                self._tell(f"{command.agent}: {command.skill} is stopped: {why}")
        if any(command.why_stopped for command in commands):
            self._wake()

    def _tell_time(self) -> None:
        message = find_type(CLOCK)()
        now = self._run.clock.now()
        message.clock.sec, message.clock.nanosec = int(now), int(now % 1 * 1e9)
        self._clock.publish(message)

    def _take(self, process: str, effects: tuple[Effect, ...]) -> None:
        self._calls.append(lambda: self._apply(effects))
        self._wake()

    def _wake(self) -> None:
        self._run.loop.inbox.wake()

    # In the loop's thread

    def _apply(self, effects: tuple[Effect, ...]) -> None:
        self._run.runtime.apply(effects, OTHERS)

    def _tick(self) -> None:
        while self._calls:
            self._calls.popleft()()
        for agent, command in list(self._commands.items()):
            over = command.tick(self._run)
            if over is not None:
                del self._commands[agent]
                self.ros.call(lambda command=command, over=over: command.done.set_result(over))  # type: ignore[misc]

    def _on_record(self, record: Record) -> None:
        if record.by in (OTHERS, "scene"):
            return
        effects = [
            Effect(event.fact, event.args, getattr(event, "value", None))
            for event in flat(record.event)
            if isinstance(event, FactSet | FactUnknown | FactForget)
        ]
        if effects:
            self.ros.call(lambda: self.link.set(effects))

    def _tell_end(self) -> None:
        with suppress(TreecError):  # which wait() raises
            self.started.wait()
        self._left.set()

    def wait(self) -> None:
        """Wait until its run has ended, or its event ``left`` is set. Raises TreecError."""
        self._left.wait()
        if self.started.is_over:
            self.started.wait()

    def close(self) -> tuple[str, ...]:
        """Stop all robots, and end the node; returns what did not confirm that it stopped."""
        try:
            return () if self.started.is_over else self.started.close().unconfirmed
        finally:
            self.ros.close()
