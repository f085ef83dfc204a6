"""Try a single skill: its preconditions, its expected effects and the resulting facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from py_trees.common import Status

from treec.nodes.events import NodeFailed
from treec.nodes.leaves.skill import Skill
from treec.nodes.runtime import NodeError
from treec.nodes.skill_run import SkillRun, bind_arguments
from treec.run.run import Run
from treec.source.errors import EvaluationProblem, LocatedError
from treec.world.journal import Record
from treec.world.values import same

LIMIT = 600.0
"""Time limit of a trial in simulated seconds."""


@dataclass(frozen=True, slots=True)
class TriedCondition:
    """A precondition: whether it held at the start, and its repair."""

    text: str
    held: bool
    repair: str | None


@dataclass(frozen=True, slots=True)
class PromisedFact:
    """A fact promised by `after` and its value afterwards (None if unknown)."""

    fact: str
    args: tuple[str, ...]
    expected: object
    found: object
    source: str

    @property
    def holds(self) -> bool:
        """Whether the fact is as promised; facts never set count as false."""
        return same(self.found, self.expected) or (self.found is None and not self.expected)


@dataclass(frozen=True, slots=True)
class SkillTrialResult:
    """The result of a trial; on failure with the reason and the module it comes from.

    ``began`` and ``seconds`` are simulated seconds.
    """

    ok: bool
    reason: str
    module: str
    began: float
    seconds: float
    before: tuple[TriedCondition, ...]
    after: tuple[PromisedFact, ...]


class CannotTry(Exception):
    """An unknown skill or wrong arguments; the message says what would be right."""


def try_skill(
    run: Run, skill: str, args: Mapping[str, object], limit: float = LIMIT
) -> SkillTrialResult:
    """Let an agent (``args['agent']``) do one skill in a run, without ticking the run's own tree.

    The run stays open, so several skills can be tried in sequence. Raises CannotTry.
    """
    run.world.claim()
    runtime, path = run.runtime, f"try/{skill}"
    agent = str(args.get("agent", ""))
    try:
        runtime.environment(agent)
        bound = bind_arguments(runtime, skill, (), args, agent)
        preview = SkillRun(runtime, path, agent, skill, bound)
        before = tuple(TriedCondition(*condition) for condition in preview.conditions())
        promises = preview.promises()
    except (NodeError, LocatedError, EvaluationProblem) as error:
        raise CannotTry(getattr(error, "message", None) or str(error)) from None
    node = Skill(path, runtime, run.scope, skill, args)
    own = run.loop.root
    run.loop.replace_tree(node)
    failures: list[str] = []

    def note(record: Record) -> None:
        if isinstance(record.event, NodeFailed):
            failures.append(record.event.module)

    unsubscribe = run.world.subscribe(note)
    began = run.clock.now()
    try:
        reason = run.loop.run(lambda: node.status != Status.RUNNING, began + limit)
    finally:
        unsubscribe()
        ended = node.status
        node.stop(Status.INVALID)
        run.loop.replace_tree(own)
    why = node.feedback_message if ended is Status.FAILURE else ""
    if ended is Status.RUNNING:
        why = "stopped" if reason == "stopped" else f"it has not ended after {limit:g} s"
    facts = runtime.world.facts
    after = []
    for effect in promises:
        known = facts.get(effect.fact, effect.args)
        value = None if known is None or known.source == "unknown" else known.value
        source = "unknown" if known is None else known.source
        after.append(PromisedFact(effect.fact, effect.args, effect.value, value, source))
    module = failures[-1] if failures and ended is Status.FAILURE else ""
    seconds = run.clock.now() - began
    return SkillTrialResult(
        ended is Status.SUCCESS, why, module, began, seconds, before, tuple(after)
    )


def finish(run: Run) -> None:
    """End a run in which skills were tried, and close its environments."""
    run.loop.shutdown()
    run.runtime.environments.close()
    run.journal.close()
