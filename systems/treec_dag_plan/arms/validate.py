"""Validate a plan in its world: every stage must be feasible, and the end must reach the goal.

The sub-tasks of a stage are concurrent: each must be possible when the stage begins and in any
order within the stage, with the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec_dag_plan.arms.check_rules import CANNOT, MISSED
from treec_dag_plan.arms.commands import action_of
from treec_dag_plan.arms.finding_kinds import WRONG_ARMS
from treec_dag_plan.arms.layout import ArmLayout, Point
from treec_dag_plan.arms.validate_read import PlanPart, StageStep
from treec_dag_plan.arms.world import ArmWorld, GroundAction
from treec_dag_plan.arms.world_logic import FactValue, Key, State
from treec_kitchen.graph_findings import GraphFinding

AT = "at"
"""The fact that says where a thing is."""


@frozen
class PlanViolation:
    """The first violation: stage (from 1; 0: the end), arms, sub-task and reason."""

    stage: int
    label: str
    arms: tuple[str, ...]
    name: str
    reason: str
    part: PlanPart | None = None
    help: str | None = None

    @property
    def text(self) -> str:
        """The violation's place and reason."""
        if not self.stage:
            return self.reason
        who = f", {' and '.join(self.arms)}" if self.arms else ""
        what = f"{self.name}: " if self.name and not self.reason.startswith(self.name) else ""
        return f"{self.label}{who}: {what}{self.reason}"

    def __str__(self) -> str:
        return f"{self.text} ({self.help})" if self.help else self.text

    def finding(self, steps: Sequence[StageStep], source: SourceFile) -> Diagnostic:
        """Return the violation as a diagnostic at its place in the plan."""
        rule = CANNOT if self.stage else MISSED
        step = steps[self.stage - 1] if steps else None
        span = None if self.part is None else self.part.span
        span = span or (None if step is None else step.span) or source.span(0)
        return rule.at(span, self.text, self.help)


@frozen
class PlanValidation:
    """The result of a validation; a plan is valid without a violation."""

    stages: int
    violation: PlanViolation | None

    @property
    def good(self) -> bool:
        """Whether the plan is valid."""
        return self.violation is None


def validate(
    steps: Sequence[StageStep], world: ArmWorld, layout: ArmLayout | None = None
) -> PlanValidation:
    """Simulate a plan in a world up to the first violation."""
    state: State = world.start
    done: dict[str, str] = {}
    for number, step in enumerate(steps, 1):
        actions: list[GroundAction] = []
        violation = _read(number, step, world, actions)
        violation = violation or _possible(number, step, actions, world, state)
        if violation is not None and violation.part is not None:
            before = done.get(violation.part.node or "")
            again = f"{before} has done {violation.part.node} already: leave it out here"
            violation = replace(violation, help=again if before else violation.help)
        if violation is None and layout is not None:
            violation = _apart(number, step, actions, world, state, layout)
        if violation is not None:
            return PlanValidation(len(steps), violation)
        for action in actions:
            state = action.apply(state)
        done |= {part.node: step.label for part in step.parts if part.node is not None}
    missed = world.unmet_goals(state)
    if missed:
        told = missed if len(missed) < 5 else (*missed[:3], f"and {len(missed) - 3} more")
        reason = f"the goal is missed: {'; '.join(told)}"
        return PlanValidation(len(steps), PlanViolation(0, "the end", (), "", reason))
    return PlanValidation(len(steps), None)


def _read(
    number: int, step: StageStep, world: ArmWorld, actions: list[GroundAction]
) -> PlanViolation | None:
    """Parse a stage's sub-tasks into `actions`; each arm may have one."""
    busy: dict[str, str] = {}
    for part in step.parts:
        for arm in part.arms:
            if arm in busy:
                reason = f"the arm does {busy[arm]} in this stage already"
                return PlanViolation(number, step.label, (arm,), part.name, reason, part)
            busy[arm] = part.name
        found = action_of(world, part.name, part.arms)
        if isinstance(found, GraphFinding):
            help = _help(found, part, world)
            return PlanViolation(
                number, step.label, part.arms, part.name, found.message, part, help
            )
        actions.append(found)
    return None


def _help(found: GraphFinding, part: PlanPart, world: ArmWorld) -> str | None:
    """Return the help in a plan's terms, which name arms instead of counting them."""
    if found.kind is not WRONG_ARMS:
        return found.help
    needs = found.args["needs"]
    one, other = world.arms[0], world.arms[-1]
    if part.node is not None:
        whom = "one arm alone" if needs == 1 else f"{needs} arms"
        return f"let it stand with {whom}"
    return f"write ({one}) or ({other})" if needs == 1 else "write (both)"


def _possible(
    number: int, step: StageStep, actions: Sequence[GroundAction], world: ArmWorld, state: State
) -> PlanViolation | None:
    for part, action in zip(step.parts, actions, strict=True):
        reason = world.refusal(action, state)
        if reason is not None:
            return PlanViolation(number, step.label, part.arms, part.name, reason, part)
    return _one_after_another(number, step, actions, world, state)


def _one_after_another(
    number: int, step: StageStep, actions: Sequence[GroundAction], world: ArmWorld, state: State
) -> PlanViolation | None:
    """Check that all orders of a stage's sub-tasks are possible with the same outcome."""
    outcome: Mapping[Key, FactValue] | None = None
    for order in _orders(len(actions)):
        after: State = state
        for place, index in enumerate(order):
            reason = world.refusal(actions[index], after)
            if reason is not None:
                part, other = step.parts[index], step.parts[order[place - 1]]
                reason = f"not at the same time as {other.name}: {reason}"
                return PlanViolation(number, step.label, part.arms, part.name, reason, part)
            after = actions[index].apply(after)
        if outcome is not None and after != outcome:
            first, second = step.parts[0], step.parts[-1]
            reason = f"not at the same time as {second.name}: the outcome depends on their order"
            return PlanViolation(number, step.label, first.arms, first.name, reason, first)
        outcome = dict(after)
    return None


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Yield all orders of up to four actions; of more, each pair in both orders."""
    if count <= 4:
        yield from permutations(range(count))
        return
    forward = tuple(range(count))
    yield from (forward, forward[::-1])


def _apart(
    number: int,
    step: StageStep,
    actions: Sequence[GroundAction],
    world: ArmWorld,
    state: State,
    layout: ArmLayout,
) -> PlanViolation | None:
    """Check the distance limit and that arms do not cross."""
    places: dict[str, tuple[Point, int]] = {}
    for index, action in enumerate(actions):
        target = target_of(action)
        where = position(target, world, state, layout)
        part = step.parts[index]
        if where is None:
            reason = f'the layout does not say where "{target}" is'
            return PlanViolation(number, step.label, part.arms, part.name, reason, part)
        places.update(dict.fromkeys(action.arms, (where, index)))
    order = [arm for arm in (layout.hands or world.arms) if arm in places]
    for place, left in enumerate(order):
        for right in order[place + 1 :]:
            (one, first), (other, second) = places[left], places[right]
            conflict = None if first == second else layout.conflict(one, other)
            if conflict is not None:
                arms, name = (left, right), step.parts[first].name
                than = " than that of " if "further right" in conflict else ": "
                reason = f"{conflict}{than}{step.parts[second].name}"
                return PlanViolation(number, step.label, arms, name, reason, step.parts[first])
    return None


def target_of(action: GroundAction) -> str:
    """Return the object that the hand moves to: the destination, or what is cut, taken or used."""
    objects = [action.names[arg] for arg in action.skill.objects]
    if action.skill.type == "release":
        return objects[-1]
    if action.skill.type == "tool use":
        other = [a for a in action.skill.objects if a != action.skill.tool]
        return action.names[other[0]] if other else objects[0]
    return objects[0]


def position(thing: str, world: ArmWorld, state: State, layout: ArmLayout) -> Point | None:
    """Return an object's position: that of the layout, or of where it was put."""
    for _ in range(len(world.things) + 1):
        moved = state.get((AT, thing)) != world.start.get((AT, thing))
        names = [name for name, other in world.names.items() if other == thing]
        found = next((layout.objects[n] for n in (thing, *names) if n in layout.objects), None)
        if found is not None and not moved:
            return found
        here = state.get((AT, thing))
        if here is None or here == thing:
            return found
        thing = str(here)
    return None
