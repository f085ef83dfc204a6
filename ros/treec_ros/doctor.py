"""What is missing on the ROS 2 side of a system, in words, before anything moves."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rclpy.action import get_action_names_and_types
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.utilities import get_rmw_implementation_identifier

from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.sensing import sensors_of
from treec.source.diagnostics import did_you_mean
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec_ros.facts import ASKED
from treec_ros.files import RosFact, RosSkill
from treec_ros.frames import FrameTree
from treec_ros.messages import UnknownType, find_type
from treec_ros.node import RosNode, profile


@frozen
class RosFinding:
    """Something that was looked at."""

    is_fine: bool
    text: str


def examine(view: View, wait: float) -> Iterator[RosFinding]:
    """Look at all that a system's skills and facts want of ROS 2."""
    ros = RosNode("treec_doctor")
    try:
        yield from _surroundings(ros)
        wanted = list(_wanted(view))
        names = frozenset(one.name for one in wanted)
        wanted = [replace(one, others=names) for one in wanted]
        frames = None
        with suppress(UnknownType):
            frames = ros.ask(lambda: FrameTree(ros.node)) if _has_frames(wanted) else None
        until = time.monotonic() + wait
        findings = [_look(ros, frames, one) for one in wanted]
        while not all(one.is_fine for one in findings) and time.monotonic() < until:
            time.sleep(0.05)
            findings = [_look(ros, frames, one) for one in wanted]
        yield from findings
        yield from _clocks(ros)
        if not wanted:
            yield RosFinding(False, "no skill and no fact of the system is bound to ROS 2")
    finally:
        ros.close()


@frozen
class _Wanted:
    """A name that skills or facts of a system use; `what` is their way, or fact for a topic's."""

    what: str
    name: str
    type: str
    by: str
    binding: RosSkill | RosFact
    others: frozenset[str] = frozenset()
    """All names that are wanted."""
    frame: str = ""
    """In which frame another one is wanted."""


def _wanted(view: View) -> Iterator[_Wanted]:
    seen: set[tuple[str, str]] = set()
    for skill, entry in view.all("skill").items():
        binding = entry.model.runs.get("ros")
        if not isinstance(binding, RosSkill):
            continue
        text = getattr(binding, binding.way)
        for agent in view.robots:
            own = view.agents[agent].skills
            if own and skill not in own:
                continue
            name = _render(text, {"agent": agent})
            if name is not None and (skill, name) not in seen:
                seen.add((skill, name))
                yield _Wanted(binding.way, name, binding.type, skill, binding)
    for sensor in sensors_of(view, "ros"):
        if not isinstance(sensor.binding, RosFact):
            continue
        for args in sensor.args:
            binding = sensor.binding
            values: dict[str, object] = dict(zip(sensor.names, args, strict=True))
            name, frame = _render(binding.source, values), _render(binding.frame, values)
            if name is not None and (sensor.fact, name) not in seen:
                seen.add((sensor.fact, name))
                what = "fact" if binding.way == "topic" else binding.way
                yield _Wanted(what, name, binding.type, sensor.fact, binding, frame=frame or "")


def _render(text: str, values: dict[str, object]) -> str | None:
    """A name; None for one that depends on what is known only in a run."""
    try:
        return TextTemplate.parse(text).render(MappingScope(values))
    except (LocatedError, EvaluationProblem):
        return None


def _surroundings(ros: RosNode) -> Iterator[RosFinding]:
    domain = ros.context.get_domain_id()
    reach = os.environ.get("ROS_AUTOMATIC_DISCOVERY_RANGE", "SUBNET")
    rmw = get_rmw_implementation_identifier()
    yield RosFinding(True, f"domain {domain}, discovery {reach}, {rmw}")


def _clocks(ros: RosNode) -> Iterator[RosFinding]:
    clocks = len(ros.node.get_publishers_info_by_topic("/clock"))
    if ros.uses_sim_time and not clocks:
        yield RosFinding(
            False, "use_sim_time is set and nobody publishes /clock: time stands still"
        )
    elif clocks and not ros.uses_sim_time:
        how = 'TREEC_ROS_ARGS="-p use_sim_time:=true"'
        yield RosFinding(False, f"/clock is published and treec takes real time: set {how}")
    else:
        yield RosFinding(True, f"time is {'that of /clock' if ros.uses_sim_time else 'real'}")


def _has_frames(wanted: list[_Wanted]) -> bool:
    return any(one.what == "tf" for one in wanted)


def _look(ros: RosNode, frames: FrameTree | None, one: _Wanted) -> RosFinding:
    if one.what in ASKED:
        service, type_ = ASKED[one.what]
        one = replace(one, what="service", name=f"{one.name}/{service}", type=type_)
    try:
        find_type(one.type or "tf2_msgs/msg/TFMessage")
    except UnknownType as error:
        return RosFinding(False, f"{one.by}: {error}")
    if one.what == "tf" and frames is not None:
        return _frame(frames, one)
    finder = {"action": _action, "service": _service}.get(one.what, _topic)
    return finder(ros, one)


def _frame(frames: FrameTree, one: _Wanted) -> RosFinding:
    if frames.look_up(one.frame, one.name) is not None:
        return RosFinding(True, f"{one.by}: the frame {one.name} in {one.frame}")
    for name in (one.name, one.frame):
        if name not in frames.names:
            help = _help(name, sorted(frames.names))
            return RosFinding(False, f"{one.by}: no transform of the frame {name}{help}")
    return RosFinding(False, f"{one.by}: no transforms connect {one.name} and {one.frame}")


def _action(ros: RosNode, one: _Wanted) -> RosFinding:
    servers = len(ros.node.get_publishers_info_by_topic(f"{one.name}/_action/status"))
    offered = dict(get_action_names_and_types(ros.node))
    if servers > 1:
        return RosFinding(False, f"{one.by}: {servers} servers answer to {one.name}: both act")
    return _offered(one, servers, offered, "server of the action")


def _service(ros: RosNode, one: _Wanted) -> RosFinding:
    offered = dict(ros.node.get_service_names_and_types())
    return _offered(one, int(one.name in offered), offered, "server of the service")


def _topic(ros: RosNode, one: _Wanted) -> RosFinding:
    node, is_fact = ros.node, one.what == "fact"
    ends = node.get_publishers_info_by_topic if is_fact else node.get_subscriptions_info_by_topic
    found = ends(one.name)
    offered = dict(node.get_topic_names_and_types())
    finding = _offered(one, len(found), offered, "publisher of" if is_fact else "subscriber of")
    own = profile(one.binding.qos)
    for end in found if finding.is_fine else ():
        pair = (end.qos_profile, own) if is_fact else (own, end.qos_profile)
        policy = _misfit(*pair)
        if policy:
            why = f"the quality of service of {one.name} does not fit (policy {policy})"
            return RosFinding(False, f"{one.by}: {why}: see `qos`")
    return finding


def _misfit(publisher: QoSProfile, subscription: QoSProfile) -> str:
    """The policy of which a subscription wants more than a publisher offers, or nothing."""
    wants, has = subscription.reliability, publisher.reliability
    if wants == ReliabilityPolicy.RELIABLE and has == ReliabilityPolicy.BEST_EFFORT:
        return "reliability"
    wants, has = subscription.durability, publisher.durability
    is_late = wants == DurabilityPolicy.TRANSIENT_LOCAL
    return "durability" if is_late and has == DurabilityPolicy.VOLATILE else ""


def _offered(one: _Wanted, number: int, offered: dict[str, Any], what: str) -> RosFinding:
    types = offered.get(one.name, [])
    if number and types and one.type not in types:
        why = f"{one.name} is {' and '.join(types)}, not {one.type}"
        return RosFinding(False, f"{one.by}: {why}")
    if not number:
        free = [name for name, of in offered.items() if one.type in of and name not in one.others]
        help = _help(one.name, free)
        return RosFinding(False, f"{one.by}: no {what} {one.name} ({one.type}){help}")
    return RosFinding(True, f"{one.by}: {one.name} ({one.type})")


def _help(name: str, known: list[str]) -> str:
    near = did_you_mean(name, known)
    return f"; did you mean '{near}'?" if near is not None else ""
