"""A parallel: all children at every tick, until enough have succeeded or too many have failed.

SUCCESS: `success` children have returned SUCCESS in this round.

FAILURE: `failure` children have returned FAILURE in this round, or so many that `success` can no
longer be reached.

RUNNING: neither yet. With `until: never` always, whatever the children return; also when there is
no child.

With `until: all` every child is ticked to its end: then it is FAILURE if `failure` of them have
failed, otherwise SUCCESS. This is BehaviorTree.CPP's ParallelAll.

Children that are skipped count as successes if `success` is negative, and are asked again at the
next tick; if all are skipped and that is not enough, the whole is.

A negative count is counted from the end: -1 is all children, -2 all but one. The defaults are those
of BehaviorTree.CPP: all must succeed, and one failure is enough to fail. Children are ticked in
order and the counts are checked after each, SUCCESS first; once the result is decided, the
remaining children are not ticked. A count above the number of children is an error.

Memory: which children have finished in this round, and how. They are not ticked again in it. The
next round begins with all of them. With `until: never` none: a child that finished, with SUCCESS or
FAILURE, is started again at the next tick. That tick is requested at once if the child had been
running; a child that finishes in the tick in which it started waits for the next regular tick, so
that it cannot keep the loop spinning.

Halting: once the result is decided, the children that are still running are halted in the same
tick. When halted, the running children are halted, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from treec.files.fields import Model
from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlWriter
from treec.files.nodes import Node, NodeBase, mapping_or
from treec.nodes.base import Control, Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ParallelBody(Model):
    """Thresholds and children of a parallel."""

    children: list[Node]
    success: int = Field(-1, description="Successes for SUCCESS; negative counts from the end.")
    failure: int = Field(1, description="Failures for FAILURE; negative counts from the end.")
    until: Literal["all", "never"] | None = Field(
        None, description="all: until all have ended. never: RUNNING forever."
    )


class ParallelNode(NodeBase):
    """Ticks all children at every tick."""

    parallel: Annotated[
        Annotated[ParallelBody, Tag("mapping")] | Annotated[list[Node], Tag("list")],
        Discriminator(mapping_or("list")),
    ]

    @property
    def never_ends(self) -> bool:
        """Whether it has `until: never`."""
        return isinstance(self.parallel, ParallelBody) and self.parallel.until == "never"


class Parallel(Control):
    """BehaviorTree.CPP's Parallel."""

    def __init__(
        self,
        name: str,
        children: Sequence[Behaviour],
        success_count: int = -1,
        failure_count: int = 1,
    ) -> None:
        super().__init__(name, children)
        self.success_threshold = threshold("success", success_count, len(children))
        self.failure_threshold = threshold("failure", failure_count, len(children))
        self._counts_none = 0 in (self.success_threshold, self.failure_threshold)
        self._counts_skipped = success_count < 0
        self._successes = self._failures = self._skipped = 0
        self._due: Iterator[Behaviour] = iter(())

    def begin(self) -> Behaviour | None:
        """Tick every child that has not finished in this round."""
        children = due = self.children
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            if not children:
                self.stop(Status.SUCCESS)
                return None
            self._successes = self._failures = 0
            self.status = Status.RUNNING
        else:  # `clear` reset all statuses, so a child with a result finished in this round
            finished = Status.SUCCESS, Status.FAILURE
            due = [child for child in children if child.status not in finished]
            if len(due) < len(children):
                statuses = [child.status for child in children]
                self._successes, self._failures = map(statuses.count, finished)
        self.current_child = children[-1]
        self._skipped = 0
        self._due = iter(due)
        return next(self._due, None)

    def after(self, child: Behaviour) -> Behaviour | None:
        """Count the children as they finish."""
        status = child.status
        if status is not Status.RUNNING or self._counts_none:
            self._successes += status is Status.SUCCESS
            self._failures += status is Status.FAILURE
            self._skipped += status is Status.INVALID
            if (result := self._result()) is not None:
                self.current_child = child
                self.stop(result)
                return None
        child_due = next(self._due, None)
        if child_due is None and (result := self._result_at_end()) is not None:
            self.stop(result)
        return child_due

    def _result_at_end(self) -> Status | None:
        return Status.INVALID if self._skipped == len(self.children) else None

    def _result(self) -> Status | None:
        failures = self._failures
        skipped = self._skipped if self._counts_skipped else 0
        if self._successes + skipped >= self.success_threshold:
            return Status.SUCCESS
        most = len(self.children) - self.success_threshold
        return Status.FAILURE if failures > most or failures == self.failure_threshold else None


def threshold(what: str, count: int, children: int) -> int:
    """The number of children that `count` means; ValueError if there are not so many."""
    if count > children:
        raise ValueError(f"{what} count {count} can never be reached by {children} children")
    return count if count >= 0 else max(children + count + 1, 0)


class ParallelAll(Parallel):
    """BehaviorTree.CPP's ParallelAll: a parallel with `until: all`."""

    def _result(self) -> Status | None:
        return None

    def _result_at_end(self) -> Status | None:
        ended = self._successes + self._failures
        if not ended or ended + self._skipped < len(self.children):
            return super()._result_at_end()
        return Status.FAILURE if self._failures >= self.failure_threshold else Status.SUCCESS


class ParallelNever(Control):
    """A parallel with `until: never`: the root of a system, a planner beside its workers."""

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)
        self._due: Iterator[Behaviour] = iter(())
        self._was_running = False

    def begin(self) -> Behaviour | None:
        """Tick every child."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.status = Status.RUNNING
        self._due = iter(self.children)
        return self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Request a tick if it has ended after it was running."""
        self.current_child = child
        if self._was_running and child.status is not Status.RUNNING:
            self.wake()
        return self._next()

    def _next(self) -> Behaviour | None:
        child = next(self._due, None)
        self._was_running = child is not None and child.status is Status.RUNNING
        return child


def build(at: NodePlace, node: ParallelNode) -> Behaviour:
    """The node with its children."""
    body = node.parallel
    if not isinstance(body, ParallelBody):
        return Parallel(at.name, at.children(body, "parallel"))
    children = at.children(body.children, "parallel", "children")
    if node.never_ends:
        return ParallelNever(at.name, children)
    if body.until == "all":
        return ParallelAll(at.name, children, failure_count=body.failure)
    return Parallel(at.name, children, body.success, body.failure)


def detail(node: ParallelNode) -> str:
    """Its thresholds."""
    body = node.parallel
    if not isinstance(body, ParallelBody):
        return ""
    if body.until == "never":
        return "never ends"
    return f"all / {body.failure}" if body.until else f"{body.success} / {body.failure}"


_POLICIES = {1: "success_on_one", -1: "success_on_all"}
_COUNTS = ("success", "failure")


def write_xml(data: Data, to: XmlWriter) -> Any:
    """`Parallel` with the counts of BehaviorTree.CPP, or a policy of py_trees."""
    body = data["parallel"]
    is_body = isinstance(body, dict)
    body = body if is_body else {"children": body}
    inside = to.nodes(body["children"], "parallel", *(("children",) if is_body else ()))
    if body.get("until") == "never":
        return to.added("parallel_never", {}, *inside)
    given = {key: body[key] for key in _COUNTS if body.get(key) is not None}
    if body.get("until") == "all":
        most = body.get("failure", 1)
        if to.target == "btcpp":
            return to.element("ParallelAll", {"max_failures": most}, *inside)
        return to.added("parallel_all", {"failure": most}, *inside)
    if to.target == "btcpp":
        return to.element("Parallel", {f"{key}_count": n for key, n in given.items()}, *inside)
    policy = _POLICIES.get(given.get("success", -1))
    if policy is not None and given.get("failure", 1) == 1:
        return to.element("Parallel", {"policy": policy}, *inside)
    return to.added("parallel", given, *inside)


def read_parallel(element: XmlReader) -> Data:
    """`Parallel`, with counts or a policy."""
    body: Data = {}
    given = element.attributes
    policy = given.get("policy")
    if policy is not None:
        counts = [count for count, name in _POLICIES.items() if name == policy]
        if counts:
            body["success"] = counts[0]
        else:
            element.lose(f"the policy '{policy}' has no counterpart")
    for key in _COUNTS:
        if f"{key}_count" in given:
            body[key] = element.number(f"{key}_count")
    children = element.nodes()
    return {"parallel": {**body, "children": children} if body else children}


def read_all(element: XmlReader) -> Data:
    """`ParallelAll`."""
    name = "max_failures" if "max_failures" in element.attributes else "failure"
    most = element.number(name) if name in element.attributes else 1
    given = {} if most == 1 else {"failure": most}
    return {"parallel": {"until": "all", **given, "children": element.nodes()}}


def read_own(element: XmlReader) -> Data:
    """The element of treec's own."""
    counts = {key: element.value(key) for key in _COUNTS if key in element.attributes}
    return {"parallel": {**counts, "children": element.nodes()}}


def read_never(element: XmlReader) -> Data:
    """The element of treec's own for `until: never`."""
    return {"parallel": {"until": "never", "children": element.nodes()}}


NODE = NodeSpec(
    key="parallel",
    model=ParallelNode,
    build=build,
    waits=lambda node: node.never_ends,
    resume=lambda node: "below" if node.never_ends else "children",
    swap=lambda node: "list" if node.never_ends else "whole",
    detail=detail,
    drawing=Drawing(
        "control", "⇉", "M2 4.8H14M11 1.8L14 4.8L11 7.8M2 11.2H14M11 8.2L14 11.2L11 14.2"
    ),
    xml=Xml(
        write=write_xml,
        read={
            "": read_own,
            "Parallel": read_parallel,
            "ParallelAll": read_all,
            "TreecParallelAll": read_all,
            "TreecParallelNever": read_never,
        },
    ),
)
