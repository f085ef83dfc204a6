"""treec: robots that think with language models, as files.

``treec.open(folder)`` gives a library to check, run, ask and compile; the rest of the names is what
skills, node classes, parsers, environments and transports of one's own are written with. Names are
looked up when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec.api.embedded_tree import EmbeddedTree as EmbeddedTree
    from treec.api.errors import CheckFailed as CheckFailed
    from treec.api.errors import NotFound as NotFound
    from treec.api.errors import StillRunning as StillRunning
    from treec.api.errors import TreecError as TreecError
    from treec.api.run_result import RunResult as RunResult
    from treec.api.started_run import AsyncStartedRun as AsyncStartedRun
    from treec.api.started_run import StartedRun as StartedRun
    from treec.api.workspace import CheckResult as CheckResult
    from treec.api.workspace import Definition as Definition
    from treec.api.workspace import Workspace as Workspace
    from treec.api.workspace import open as open
    from treec.arrays import read_arrays as read_arrays
    from treec.ask.transport import NEVER as NEVER
    from treec.ask.transport import Answer as Answer
    from treec.ask.transport import Request as Request
    from treec.ask.transport import Scripted as Scripted
    from treec.ask.transport import ScriptedTransport as ScriptedTransport
    from treec.ask.transport import Transport as Transport
    from treec.ask.transport import TransportError as TransportError
    from treec.atomic import atomic_writer as atomic_writer
    from treec.atomic import write_atomic as write_atomic
    from treec.extensions import Extension as Extension
    from treec.extensions import Filter as Filter
    from treec.extensions import Function as Function
    from treec.extensions import Kind as Kind
    from treec.extensions import Name as Name
    from treec.extensions import StateSlot as StateSlot
    from treec.files.fields import Model as Model
    from treec.files.node_spec import Drawing as Drawing
    from treec.files.node_spec import NodeSpec as NodeSpec
    from treec.files.node_spec import Xml as Xml
    from treec.files.node_spec import XmlTag as XmlTag
    from treec.nodes.environment import Environment as Environment
    from treec.nodes.environment import EnvironmentSetup as EnvironmentSetup
    from treec.nodes.environment import Sensor as Sensor
    from treec.nodes.python import NodePorts as NodePorts
    from treec.nodes.worker import Effect as Effect
    from treec.nodes.worker import FaultHit as FaultHit
    from treec.nodes.worker import Host as Host
    from treec.nodes.worker import NotingHost as NotingHost
    from treec.nodes.worker import Outcome as Outcome
    from treec.nodes.worker import Worker as Worker
    from treec.nodes.worker import WorkOrder as WorkOrder
    from treec.team.talk import TalkAgent as TalkAgent
    from treec.team.talk import TalkContext as TalkContext
    from treec.team.talk import TalkObject as TalkObject
    from treec.team.talk import TalkProposal as TalkProposal
    from treec.team.talk import TalkSubtask as TalkSubtask
    from treec.team.talk import TalkTask as TalkTask
    from treec.world.clock import Clock as Clock
    from treec.world.clock import Timer as Timer
    from treec.world.external import ExternalWork as ExternalWork
    from treec.world.facts import Evidence as Evidence
    from treec.world.failures import Raised as Raised
    from treec.world.failures import Reported as Reported
    from treec.world.spec import RunSpec as RunSpec

_EXPORTS = {
    "Workspace": "treec.api.workspace",
    "Definition": "treec.api.workspace",
    "CheckResult": "treec.api.workspace",
    "open": "treec.api.workspace",
    "RunResult": "treec.api.run_result",
    "RunSpec": "treec.world.spec",
    "StartedRun": "treec.api.started_run",
    "AsyncStartedRun": "treec.api.started_run",
    "EmbeddedTree": "treec.api.embedded_tree",
    "TreecError": "treec.api.errors",
    "NotFound": "treec.api.errors",
    "StillRunning": "treec.api.errors",
    "CheckFailed": "treec.api.errors",
    "read_arrays": "treec.arrays",
    "atomic_writer": "treec.atomic",
    "write_atomic": "treec.atomic",
    "Extension": "treec.extensions",
    "Filter": "treec.extensions",
    "Function": "treec.extensions",
    "Kind": "treec.extensions",
    "Name": "treec.extensions",
    "StateSlot": "treec.extensions",
    "Model": "treec.files.fields",
    "Drawing": "treec.files.node_spec",
    "NodeSpec": "treec.files.node_spec",
    "Xml": "treec.files.node_spec",
    "XmlTag": "treec.files.node_spec",
    "Environment": "treec.nodes.environment",
    "EnvironmentSetup": "treec.nodes.environment",
    "Sensor": "treec.nodes.environment",
    "NodePorts": "treec.nodes.python",
    "Effect": "treec.nodes.worker",
    "FaultHit": "treec.nodes.worker",
    "Host": "treec.nodes.worker",
    "NotingHost": "treec.nodes.worker",
    "Outcome": "treec.nodes.worker",
    "Evidence": "treec.world.facts",
    "Raised": "treec.world.failures",
    "Reported": "treec.world.failures",
    "Worker": "treec.nodes.worker",
    "WorkOrder": "treec.nodes.worker",
    "Clock": "treec.world.clock",
    "Timer": "treec.world.clock",
    "ExternalWork": "treec.world.external",
    "TalkAgent": "treec.team.talk",
    "TalkContext": "treec.team.talk",
    "TalkObject": "treec.team.talk",
    "TalkProposal": "treec.team.talk",
    "TalkSubtask": "treec.team.talk",
    "TalkTask": "treec.team.talk",
    "Request": "treec.ask.transport",
    "Answer": "treec.ask.transport",
    "Transport": "treec.ask.transport",
    "TransportError": "treec.ask.transport",
    "ScriptedTransport": "treec.ask.transport",
    "Scripted": "treec.ask.transport",
    "NEVER": "treec.ask.transport",
}

__all__ = list(_EXPORTS)


if not TYPE_CHECKING:  # a type checker then finds names that are not there

    def __getattr__(name: str) -> object:
        """Import an exported name when it is first used."""
        module = _EXPORTS.get(name)
        if module is None:
            raise AttributeError(f"module 'treec' has no attribute {name!r}")
        return getattr(import_module(module), name)
