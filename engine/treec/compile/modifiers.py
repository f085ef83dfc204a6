"""Wraps a node in its modifiers, always in the same order, from the inside out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour

from treec.compile.expressions import condition
from treec.compile.place import BuildPlace
from treec.files.nodes import NodeBase
from treec.nodes.cooldown import Cooldown
from treec.nodes.fail_if import FailIf
from treec.nodes.force_failure import force_failure
from treec.nodes.force_success import force_success
from treec.nodes.frame import Cell, Frame
from treec.nodes.invert import invert
from treec.nodes.keep_running_until_failure import keep_running_until_failure
from treec.nodes.on_failure import OnFailure
from treec.nodes.once import once
from treec.nodes.repeat import Repeat
from treec.nodes.retry import Retry
from treec.nodes.skip_if import SkipIf
from treec.nodes.timeout import Timeout
from treec.nodes.while_ import While

if TYPE_CHECKING:
    from treec.compile.build import Compiler


def modify(
    compiler: Compiler, core: Behaviour, node: NodeBase, place: BuildPlace, path: str
) -> Behaviour:
    """Wrap a node in its modifiers."""
    clock = compiler.runtime.clock
    name = core.name

    def wrap(around: Behaviour, what: str) -> Behaviour:
        return compiler.ready(around, f"{path}:{what}")

    if node.cooldown is not None:
        core = wrap(Cooldown(name, node.cooldown, clock, core), "cooldown")
    if node.keep_running_until_failure:
        core = wrap(keep_running_until_failure(name, core), "keep_running_until_failure")
    if node.once:
        core = wrap(once(name, core), "once")
    if node.force_failure:
        core = wrap(force_failure(name, core), "force_failure")
    if node.force_success:
        core = wrap(force_success(name, core), "force_success")
    if node.invert:
        core = wrap(invert(name, core), "invert")
    if node.repeat is not None:
        core = wrap(Repeat(name, node.repeat, core), "repeat")
    if node.retry is not None:
        core = wrap(Retry(name, node.retry, core), "retry")
    if node.timeout is not None:
        core = wrap(Timeout(name, node.timeout, clock, core), "timeout")
    if node.on_failure is not None:
        core = wrap(_on_failure(compiler, core, node, place, path), "on_failure")
    if node.while_ is not None:
        holds = condition(compiler.runtime, node.while_, place.below("while"))
        core = wrap(While(name, holds, core), "while")
    if node.fail_if is not None:
        holds = condition(compiler.runtime, node.fail_if, place.below("fail_if"), otherwise=True)
        core = wrap(FailIf(name, holds, core), "fail_if")
    if node.skip_if is not None:
        holds = condition(compiler.runtime, node.skip_if, place.below("skip_if"))
        core = wrap(SkipIf(name, holds, core), "skip_if")
    return core


def _on_failure(
    compiler: Compiler, core: Behaviour, node: NodeBase, place: BuildPlace, path: str
) -> Behaviour:
    reason = Cell("")
    frame = Frame(place.frame, compiler.runtime.team, {"reason": reason})
    inner = replace(place, frame=frame).below("on_failure")
    handler = compiler.node(node.on_failure, inner.inside(path), f"{path}/on_failure")

    def bind(text: str) -> None:
        reason.value = text

    return OnFailure(core.name, core, handler, bind)
