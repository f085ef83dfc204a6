"""treec: robots that think with language models, as files.

What skills, environments, perception and forecasting use of the engine is exported here; the
names are looked up when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ask.recordings_transport import NotRecorded as NotRecorded
    from engine.ask.recordings_transport import RecordedTransport as RecordedTransport
    from engine.ask.recordings_transport import Recorder as Recorder
    from engine.ask.transport import NEVER as NEVER
    from engine.ask.transport import Answer as Answer
    from engine.ask.transport import Request as Request
    from engine.ask.transport import Scripted as Scripted
    from engine.ask.transport import ScriptedTransport as ScriptedTransport
    from engine.ask.transport import Transport as Transport
    from engine.ask.transport import TransportError as TransportError
    from engine.nodes.environment import Environment as Environment
    from engine.nodes.environment import EnvironmentSetup as EnvironmentSetup
    from engine.nodes.environment import Sensor as Sensor
    from engine.nodes.worker import Effect as Effect
    from engine.nodes.worker import FaultHit as FaultHit
    from engine.nodes.worker import Host as Host
    from engine.nodes.worker import Outcome as Outcome
    from engine.nodes.worker import Worker as Worker
    from engine.nodes.worker import WorkOrder as WorkOrder
    from engine.run.film import FilmOfRun as FilmOfRun
    from engine.run.film import Shot as Shot
    from engine.run.film import Still as Still
    from engine.team.talk import TalkAgent as TalkAgent
    from engine.team.talk import TalkContext as TalkContext
    from engine.team.talk import TalkObject as TalkObject
    from engine.team.talk import TalkProposal as TalkProposal
    from engine.team.talk import TalkSubtask as TalkSubtask
    from engine.team.talk import TalkTask as TalkTask
    from engine.world.clock import Clock as Clock
    from engine.world.clock import Timer as Timer

_EXPORTS = {
    "Environment": "engine.nodes.environment",
    "EnvironmentSetup": "engine.nodes.environment",
    "Sensor": "engine.nodes.environment",
    "Effect": "engine.nodes.worker",
    "FaultHit": "engine.nodes.worker",
    "Host": "engine.nodes.worker",
    "Outcome": "engine.nodes.worker",
    "Worker": "engine.nodes.worker",
    "WorkOrder": "engine.nodes.worker",
    "FilmOfRun": "engine.run.film",
    "Shot": "engine.run.film",
    "Still": "engine.run.film",
    "Clock": "engine.world.clock",
    "Timer": "engine.world.clock",
    "TalkAgent": "engine.team.talk",
    "TalkContext": "engine.team.talk",
    "TalkObject": "engine.team.talk",
    "TalkProposal": "engine.team.talk",
    "TalkSubtask": "engine.team.talk",
    "TalkTask": "engine.team.talk",
    "Request": "engine.ask.transport",
    "Answer": "engine.ask.transport",
    "Transport": "engine.ask.transport",
    "TransportError": "engine.ask.transport",
    "ScriptedTransport": "engine.ask.transport",
    "Scripted": "engine.ask.transport",
    "NEVER": "engine.ask.transport",
    "Recorder": "engine.ask.recordings_transport",
    "RecordedTransport": "engine.ask.recordings_transport",
    "NotRecorded": "engine.ask.recordings_transport",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> object:
    """Import an exported name when it is first used."""
    module = _EXPORTS.get(name)
    if module is None:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(module), name)
