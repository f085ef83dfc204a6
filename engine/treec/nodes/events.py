"""Events of nodes that change no state; reports and snapshots read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from treec.frozen import frozen
from treec.source.text import shorten
from treec.world.events import Event, EventText, always, event
from treec.world.failures import Failure, failure_of


@event("node.failed")
@frozen
class NodeFailed(Event):
    """A leaf failed; ``module`` is the Python module that gave the reason."""

    node: str
    reason: str
    module: str = always("")

    @property
    def failure(self) -> Failure:
        """The reason as data."""
        return failure_of(self.reason)


@event("asked")
@frozen
class Asked(Event):
    """A request was sent to a model; ``ahead``: before the node was ticked.

    ``tokens`` is the length of its prompt, estimated: what a request costs that is closed.
    """

    node: str
    name: str = always("")
    attempt: int = always(1)
    ahead: bool = False
    tokens: int | None = None


@event("answer.kept")
@frozen
class AnswerKept(Event):
    """No model was asked, since the prompt is that of its last answer (``by``), which still holds.

    If that is refused in the world as it is now, the model is asked.
    """

    node: str
    name: str
    by: str


@event("answered")
@frozen
class Answered(Event):
    """An answer was used, or was ``refused`` for a reason, or the request ``failed``.

    ``by`` names the model, ``text`` is its answer, with its tokens, its cost in US dollars, its
    seconds, and the ``tries`` that were needed to get it; ``module`` is where it failed.
    ``gives_up``: the model is not asked again, though its answer was refused or is none.
    ``confidence`` is the model's own; a decision model has the ``probabilities`` of what it could
    answer, too.
    """

    node: str
    name: str = always("")
    attempt: int = always(1)
    refused: str | None = None
    gives_up: bool = False
    failed: str | None = None
    module: str | None = None
    by: str | None = None
    text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    tries: tuple[object, ...] = ()
    confidence: float | None = None
    probabilities: Mapping[str, float] | None = None


@event("answer.passed_on")
@frozen
class PassedOn(Event):
    """One of a node's answerers (``by``) gave no answer, and ``why``: the next one is asked."""

    node: str
    name: str
    by: str
    why: str

    def describe(self) -> EventText:
        """Who has passed on what, and why."""
        return EventText(f"{self.name}: {self.by} passes on: {shorten(self.why)}")


@event("skill.noted")
@frozen
class SkillNoted(Event):
    """A worker noted something on its way: in words, or a ``record`` of what it went by."""

    order: str
    text: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)

    def describe(self) -> EventText | None:
        """The words; a mere record is nothing to tell."""
        return EventText(self.text) if self.text else None


@event("need.answered")
@frozen
class NeedAnswered(Event):
    """A provider answered a skill's need: the ``value`` it gave, or ``why`` there is none.

    ``record`` is what it tells about how it came to it, such as scores and names of files beside
    the journal.
    """

    skill: str
    agent: str
    need: str
    provider: str
    args: Mapping[str, str]
    value: Mapping[str, Any] | None = None
    why: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)

    def describe(self) -> EventText:
        """What was asked, and whether there is an answer."""
        asked = f"{self.provider}({', '.join(self.args.values())})"
        if self.value is None:
            return EventText(f"{asked}: {self.why}", "warning")
        return EventText(f"{asked}: {self.record.get('summary', 'answered')}")


@event("programmed")
@frozen
class Programmed(Event):
    """A program starts to run: its text, who wrote it, and why no model did (``because``)."""

    node: str
    name: str
    agent: str
    by: str
    program: str
    because: str = ""


@event("step")
@frozen
class Step(Event):
    """A program reached a step: its line, from 1, and the skill that it calls."""

    node: str
    line: int
    skill: str


@event("step.lost")
@frozen
class StepLost(Event):
    """A step of a program failed, and the program goes on.

    ``assertion``: the step only states what should hold by now.
    """

    node: str
    line: int
    skill: str
    reason: str
    assertion: bool = False


@event("remembered")
@frozen
class Remembered(Event):
    """A pair was added to a memory, in place of ``replaced``; without an answer: was removed."""

    memory: str
    number: int
    key: str
    answer: str
    replaced: str | None = None

    def describe(self) -> EventText:
        """What is remembered."""
        key = " ".join(self.key.split())
        return EventText(f"{'remembered' if self.answer else 'forgot'}: {shorten(key)}", "success")


@event("model.lost")
@frozen
class ModelLost(Event):
    """A model does not answer: offline rules decide from now on, or who is asked after it.

    ``model`` is the name of another than the run's.
    """

    reason: str
    module: str
    model: str = ""


@event("model.slow")
@frozen
class ModelSlow(Event):
    """A node has waited for a model so many real seconds, and waits on: once until one answers."""

    node: str
    seconds: float

    def describe(self) -> EventText:
        """What people see meanwhile."""
        name = self.node.rpartition("/")[2]
        return EventText(f"{name} has waited {self.seconds:g} s for the model", "warning")


@event("model.back")
@frozen
class ModelBack(Event):
    """The model answers again, or the one that ``model`` names."""

    model: str = ""


@event("decided")
@frozen
class Decided(Event):
    """A decision chose a child.

    ``by`` is always, only option (no model was asked), offline, fallback, person, or a model's
    name. ``rule`` is the number, from 1, of the rule among those of `always` or `offline`; an offer
    has none. ``confidence`` and ``probabilities`` are those of the answer.
    """

    node: str
    choose: str
    by: str
    reasoning: str = ""
    rule: int | None = None
    confidence: float | None = None
    probabilities: Mapping[str, float] | None = None

    @property
    def who(self) -> str:
        """Who chose, and how sure of it."""
        return self.by if self.confidence is None else f"{self.by}, {self.confidence:.2f} sure"


@event("overruled")
@frozen
class Overruled(Event):
    """The rules decided instead of a model's ``answer``.

    No work had come of its answers, or it left something that was said unanswered.
    """

    node: str
    by: str
    answer: str

    def describe(self) -> EventText:
        """Who decides."""
        return EventText(f"rules decide, not {self.by}: {shorten(self.answer)}", "warning")


@event("unsaid")
@frozen
class Unsaid(Event):
    """Part of what a model wanted to say was not said, and ``why``; its actions stand."""

    node: str
    by: str
    why: str

    def describe(self) -> EventText:
        """Why it was not said."""
        return EventText(f"not said: {shorten(self.why)}", "warning")


@event("refused")
@frozen
class AnswerRefused(Event):
    """An action's last answer was refused."""

    node: str
    by: str = always("")
    reason: str = always("")


@event("skill.started")
@frozen
class SkillStarted(Event):
    """An agent started a skill.

    ``takes`` is its expected duration in seconds, ``touches`` the facts that it sets: for each, a
    list of its name and its arguments.
    """

    id: str
    skill: str
    agent: str
    args: Mapping[str, Any]
    takes: float = always(0.0)
    touches: tuple[tuple[str, ...], ...] = always(())


@event("skill.ended")
@frozen
class SkillEnded(Event):
    """A skill ended; what counts as a failure is ``failed``.

    ``skipped``: its effects held already, so it was not started (and has no id); ``cancelled``: it
    was stopped before its worker had ended (one that is stopped while its failure is described has
    failed); ``unconfirmed``, beside that: its worker did not confirm that it stopped;
    ``asked_again``, beside ``cancelled``: nobody stopped it, its worker had not begun, and it
    starts again after what its `if_unmet:` says; ``lost``: it was in progress when the run was
    interrupted.
    """

    skill: str
    agent: str
    args: Mapping[str, Any]
    ok: bool
    id: str | None = None
    skipped: bool = False
    cancelled: bool = False
    unconfirmed: bool = False
    asked_again: bool = False
    lost: bool = False
    reason: str = ""
    module: str | None = None

    @property
    def failed(self) -> bool:
        """Whether it neither came off nor was stopped; one that is asked again has not failed."""
        return not (self.ok or self.cancelled)

    @property
    def failure(self) -> Failure:
        """The reason as data."""
        return failure_of(self.reason)


@event("log")
@frozen
class Logged(Event):
    """A line that a `log` leaf wrote."""

    text: str


@event("skill.forbidden")
@frozen
class SkillForbidden(Event):
    """A skill in flight was stopped since it no longer met a contract."""

    contract: str
    skill: str
    agent: str
    reason: str

    def describe(self) -> EventText:
        """What was stopped, and by which contract."""
        return EventText(f"{self.agent}: {self.skill} stopped by '{self.contract}'", "warning")


@event("environment.lost")
@frozen
class EnvironmentLost(Event):
    """An alarm: an environment raised an exception in ``module``, and its skills were stopped."""

    name: str
    reason: str
    module: str

    def describe(self) -> EventText:
        """What is lost, and why."""
        return EventText(f"{self.name} is lost: {self.reason}", "failure")


@event("environment.back")
@frozen
class EnvironmentBack(Event):
    """A lost environment was opened again, at the attempt of that number.

    ``doing`` is what its robots said that they were still doing: each begins nothing before it is
    at rest.
    """

    name: str
    attempt: int
    doing: Mapping[str, str] = field(default_factory=dict)

    def describe(self) -> EventText:
        """What is there again, and what is still going on."""
        still = "".join(f"; {agent} still does {what}" for agent, what in self.doing.items())
        return EventText(f"{self.name} is there again{still}", "success")


@event("branch.restless")
@frozen
class BranchRestless(Event):
    """An alarm: a branch of the tree began again and again at one instant, and has failed.

    ``node`` is its topmost node. It is not ticked again before some time has passed.
    """

    node: str
    reason: str

    def describe(self) -> EventText:
        """The alarm."""
        return EventText(f"! {self.node} {self.reason}", "failure")


@event("in_vain")
@frozen
class InVain(Event):
    """An alarm: ``what`` has failed so many times in a row without time passing.

    It is tried again when the world has changed, or after ever longer pauses.
    """

    node: str
    what: str
    times: int
    reason: str

    def describe(self) -> EventText:
        """The alarm."""
        line = f"! {self.what} has failed {self.times} times in a row at once: {self.reason}"
        return EventText(line, "failure")


@event("external.overdue")
@frozen
class ExternalWorkOverdue(Event):
    """An alarm: announced work outside the loop was not done after so many real seconds."""

    name: str
    seconds: float

    def describe(self) -> EventText:
        """What is overdue."""
        return EventText(f"{self.name} has not answered for {self.seconds:g} s", "warning")


@event("stop.unconfirmed")
@frozen
class StopUnconfirmed(Event):
    """An alarm: code of others did not confirm its stop, so that what it drives may still move.

    Its `cancel`, `terminate` or `close` did not return within ``seconds``, or failed for a
    ``reason``. ``what`` is a skill of an ``agent``, a node, an environment, a provider.
    """

    what: str
    module: str
    agent: str = ""
    seconds: float | None = None
    reason: str = ""

    @property
    def sentence(self) -> str:
        """The alarm in words: "R1's pick did not confirm its stop within 1 s"."""
        how = f": {self.reason}" if self.seconds is None else f" within {self.seconds:g} s"
        return f"{self.what} did not confirm its stop{how}"

    def describe(self) -> EventText:
        """The alarm."""
        return EventText(f"! {self.sentence}", "failure", reason=self.reason)


@event("agent.not_at_rest")
@frozen
class AgentNotAtRest(Event):
    """An alarm: an agent still moves so many seconds after its skill was cancelled."""

    agent: str
    seconds: float
