"""The behaviour of the node `ask`: a decision (see :mod:`treec.nodes.leaves.ask`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.prompts import PERSON, DecisionAnswer, DecisionFile, Offer
from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.asked import OFFLINE
from treec.nodes.base import Control
from treec.nodes.events import Decided, Overruled
from treec.nodes.expressions import expression
from treec.nodes.node_place import TreeBuilder
from treec.nodes.observation import Observation, key_sum, observe
from treec.nodes.place import BuildPlace, CompileError
from treec.nodes.runtime import NodeError, Runtime, heard_ids
from treec.source.errors import EvaluationProblem, LocatedError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.source.template import TextTemplate
from treec.world.journal import Record
from treec_asking.act import Action
from treec_asking.ahead import ask_ahead, drop_ahead
from treec_asking.answerers import CHOOSE, Answers, Sureness, read_choice
from treec_asking.asking import ONLY, AnyExchange, AskingNode, NodeContext, RecordedDecision
from treec_asking.marks import escape_text
from treec_asking.override_policy import REST, OverridePolicy
from treec_asking.prompt import PersonChoice, Question, answer_json, messages, object_schema


@frozen(slots=False)
class Wakeup:
    """An offer's condition; when its value changes, this decision and those above choose again."""

    name: str
    when: Expression


class ChosenOption(Behaviour):
    """A placeholder for an option in the world of a case."""

    def update(self) -> Status:
        """SUCCESS."""
        return Status.SUCCESS


def _weight(option: Behaviour | None) -> int:
    """What the rules would do in an option (`Action.rules_weigh`); a tree does more than speak."""
    if option is None or isinstance(option, ChosenOption):
        return 0
    return option.rules_weigh() if isinstance(option, Decision | Action) else 2


def _offers_and_options(
    entry: Entry[DecisionFile], view: View
) -> tuple[dict[str, Offer], list[str]]:
    """The offers to a decision by name, and the names of all that it may choose."""
    offers: dict[str, Offer] = {e.name: e.model.offer for e in view.offers_to(entry.name)}
    names = dict.fromkeys((*entry.model.options, *offers, entry.model.fallback))
    return offers, [name for name in names if name is not None]


def _decisions(node: Behaviour) -> Iterator[Decision]:
    """The topmost decisions of a subtree."""
    if isinstance(node, Decision):
        yield node
        return
    for child in node.children:
        yield from _decisions(child)


class Decision(AskingNode[Mapping[str, Any]], Control):
    """Chooses one of its children."""

    KIND = "decision"
    LEADS = True

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[DecisionFile],
        options: Mapping[str, Behaviour],
        offers: Mapping[str, Offer],
        wakeups: tuple[Wakeup, ...] = (),
    ) -> None:
        super().__init__(name, list(options.values()))
        self.path = name
        self.runtime = runtime
        self.scope = scope
        self.entry = entry
        self.options = options
        self.offers = offers
        self.wakeups = wakeups
        self.override = OverridePolicy(runtime, name, entry.model.patience)
        self.chosen: str | None = None
        self._acted: tuple[object, ...] | None = None
        self._acted_sum: str | None = None  # of what it last acted on
        self._heard: frozenset[str] = frozenset()
        self._asked_below = False
        self._late = False  # the choice answers a question about an older state
        self._gives_way = False  # the rules choose at the next tick
        self._last = ""
        model = entry.model
        self._ahead = Expression.parse(model.ahead)
        self._always = [(Expression.parse(r.when), r.choose) for r in model.always]
        self._only_when = {to: Expression.parse(when) for to, when in model.only_when.items()}
        self._offered = {to: Expression.parse(offer.when) for to, offer in offers.items()}
        self._own_offline = [(Expression.parse(r.when), r.choose) for r in model.offline]
        self._offline = [*((when, to) for to, when in self._offered.items()), *self._own_offline]

    @classmethod
    def as_option(
        cls,
        builder: TreeBuilder,
        entry: Entry[DecisionFile],
        place: BuildPlace,
        path: str,
        args: Mapping[str, object],
    ) -> Behaviour:
        """The decision in a tree, with its options. Raises CompileError."""
        if entry.name in place.parents:
            trail = " → ".join((*place.parents, entry.name))
            raise CompileError(f"the decision '{entry.name}' leads back to itself: {trail}")
        inner = replace(place, parents=(*place.parents, entry.name))
        offers, names = _offers_and_options(entry, builder.view)
        inside = inner.inside(path)
        options = {name: builder.option(name, inner, inside) for name in names}
        wakeups = [
            Wakeup(f"offer {name}", expression(offer.when, place)) for name, offer in offers.items()
        ]
        for child in options.values():
            for nearest in _decisions(child):
                wakeups.extend(nearest.wakeups)
        made = cls(path, builder.runtime, place.frame, entry, options, offers, tuple(wakeups))
        own = offers, [(wakeup.name, wakeup.when.text) for wakeup in wakeups]
        builder.use(own)
        return builder.option_ready(made, entry, path, own, place)

    def begin(self) -> Behaviour | None:
        """Choose if necessary, and tick the chosen child."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.feedback_message = ""
            self.status = Status.RUNNING
        try:
            self._choose_if_needed()
        except (LocatedError, EvaluationProblem, NodeError) as error:
            self._give_up(str(error))
        if self.status is Status.FAILURE or self.chosen is None:
            return None
        self.current_child = self.options[self.chosen]
        return self.current_child

    def after(self, child: Behaviour) -> Behaviour | None:
        """Take over its status, unless it has to choose again."""
        if child.status is not Status.RUNNING:
            self._drop_request()
            self.chosen = None
            if child.status is Status.FAILURE:
                self.drop_kept()
            if child.feedback_message:
                self.feedback_message = child.feedback_message
            if self._late and child.status is Status.SUCCESS:
                self._late = False  # what it sees now has had no answer: it chooses again
            elif child.status is Status.SUCCESS and self._led_nowhere():
                self.runtime.wake()
            else:
                self.stop(child.status)
        return None

    def stop(self, new_status: Status = Status.INVALID) -> None:
        """End the round; when halted, cancel the request and forget the choice."""
        if new_status is Status.INVALID:
            self._drop_request()
            if self.chosen is not None:
                self._act_on(None)
            self.chosen = None
        self._late = False
        super().stop(new_status)

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Choose among the new ones."""
        self.options = {name: by.get(child, child) for name, child in self.options.items()}

    @property
    def memory(self) -> object:
        """What it last acted on and chose, and what has come of a model's answers."""
        if self._acted is not None and self._acted_sum is None:
            self._acted_sum = key_sum(self._acted)
        if self._acted_sum is None:
            return self.override.memory
        last = {"last": self._last} if self.override.by_model else None
        return {"acted": self._acted_sum, **(last or {}), **(self.override.memory or {})}

    def recall(self, memory: object) -> bool:
        """Go on with the option that was running, or wait until something changes."""
        if isinstance(memory, Mapping):
            self._acted_sum = memory.get("acted")
            self._last = str(memory.get("last") or "")
            self.override.recall(memory)
        running = (name for name, child in self.options.items() if child is self.current_child)
        self.chosen = next(running, None) if self.status is Status.RUNNING else None
        self._last = self._last or self.chosen or ""
        return True

    def _has_acted_on(self, now: Observation) -> bool:
        """Whether it sees what it last acted on; after a resume known by its check sum alone."""
        if self._acted is None and self._acted_sum is not None:
            return self._acted_sum == key_sum(now.key)
        return now.key == self._acted

    def _act_on(self, key: tuple[object, ...] | None) -> None:
        self._acted, self._acted_sum = key, None

    # When to choose

    def _choose_if_needed(self) -> None:
        if self._gives_way:
            self._gives_way = False
            if (ruled := self._by_rules()) is not None:
                self._drop_request()
                self._overrule(self._last, self.by, ruled)
                return
        if self.chosen is not None and not self.entry.model.reactive:
            self._apply_certain_rules()
            return
        now = self._look()
        if self.exchange is not None:
            self._look_at_answer(self.exchange, now)
            return
        if self._has_acted_on(now):
            self.drop_prepared()
            ruled = self._by_rules() if self.chosen is None and self._led_nowhere() else None
            if ruled is not None:
                self._overrule(self._last, self.by, ruled)
            return
        self.seen = now
        certain = self._certain()
        if certain is not None:
            self._take(*certain)
        else:
            self.ask()

    def _apply_certain_rules(self) -> None:
        """Apply `always` rules to new utterances while the child runs."""
        if heard_ids(self.runtime) <= self._heard:
            return
        certain = self._first_always()
        if certain is not None and certain != self.chosen:
            self.seen = self._look()
            self._take(certain, "always")
        self._heard |= heard_ids(self.runtime)

    def rules_in_order(self) -> Iterator[tuple[str, int, Expression, str]]:
        """Yield its rules as they are tried: kind, number of that kind, condition, choice.

        The kinds are always, offer and offline; numbers count from 1.
        """
        offered = [(when, to) for to, when in self._offered.items()]
        ordered = {"always": self._always, "offer": offered, OFFLINE: self._own_offline}
        for kind, rules in ordered.items():
            for number, (when, to) in enumerate(rules, 1):
                yield kind, number, when, to

    def _certain(self) -> tuple[str, str] | None:
        """A choice for which no model is asked, and by what it is certain."""
        certain = self._first_always()
        if certain is not None:
            return certain, "always"
        if not self.asks_if_needed:
            return None
        left = self._listed()
        if not left and self.entry.model.fallback is not None:
            return self.entry.model.fallback, "fallback"
        return (left[0], ONLY) if len(left) == 1 else None

    def _first_always(self) -> str | None:
        """The choice of the first `always` rule that holds."""
        return next((to for when, to in self._always if when.evaluate(self.scope)), None)

    def _look(self) -> Observation:
        """What it sees; the key includes which offers hold."""
        observation = observe(self.entry.model.sees, self.scope)
        if not self.wakeups:
            return observation
        offers = "".join("1" if w.when.evaluate(self.scope) else "0" for w in self.wakeups)
        return Observation(observation.values, (*observation.key, offers))

    def _look_at_answer(self, exchange: AnyExchange, now: Observation) -> None:
        if self.outdated(exchange):
            self._drop_request()
            self._choose_if_needed()
            return
        certain = self._certain() if now.key != self.seen.key else None
        if certain is not None:  # no need to wait for the answer
            self._drop_request()
            self.seen = now
            self._take(*certain)
            return
        late = now.key != self.seen.key
        self.look(exchange)
        self._late = late and self.chosen is not None

    # Asking

    def question(self) -> Question:
        """Ask which of the options to choose; those whose conditions do not hold are none."""
        names = self._listed()
        about = self._about(names)
        extra = {"options": names, "about": about}
        choose = {"type": "string", "enum": names}
        schema = object_schema({"reasoning": {"type": "string"}, "choose": choose})

        def fits(answer: DecisionAnswer) -> bool:
            return answer.choose in names

        prompt = messages(self.runtime, self.entry, self.scope, extra, answer_json, fits=fits)
        typed = {"type": "choice", "instructions": self.entry.model.about, "criteria": about}
        if len(names) < 2:
            return Question(prompt, schema, self.seen)
        choice = PersonChoice(self.entry.model.about, about, CHOOSE)
        return Question(prompt, schema, self.seen, typed={CHOOSE: typed}, choice=choice)

    def _listed(self) -> list[str]:
        return [name for name in self.options if self._is_listed(name)]

    def _is_listed(self, name: str) -> bool:
        model = self.entry.model
        if name in model.options:
            return not self.asks_if_needed or self._can_be_right(name)
        if name not in self._offered:
            return bool(name != model.fallback)
        return bool(self._offered[name].evaluate(self.scope))

    def _about(self, names: list[str]) -> dict[str, str]:
        found = {}
        for name in names:
            text = self.entry.model.options.get(name)
            if text is None and name in self.offers:
                text = self.offers[name].because
            found[name] = (
                TextTemplate.parse(text).render(self.scope, show=escape_text) if text else ""
            )
        return found

    def read_typed(self, answers: Answers, question: Question) -> tuple[dict[str, Any], Sureness]:
        """The choice, and the probabilities of all options."""
        choice, sureness = read_choice(answers, question, CHOOSE)
        return {CHOOSE: choice}, sureness

    def rules_pass_on(self) -> str:
        """Whether no rule holds."""
        return "no rule holds" if self._by_rules() is None else ""

    def parse(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The data itself: the schema allows only options."""
        return data

    def accept(self, parsed: Mapping[str, Any], by: str) -> Status:
        """Take the choice, if the model does not insist on what leads nowhere."""
        choice, ruled = parsed["choose"], None
        if by == PERSON:
            return self._take(choice, by)
        with suppress(LocatedError, EvaluationProblem):  # reported when the rules are applied
            ruled = self._by_rules()
        if ruled is not None and not self.override.stands(differs=ruled != choice):
            return self._overrule(choice, by, ruled)
        leaves = ruled not in (None, choice) and _weight(self.options.get(ruled or "")) > 1
        return self._take(choice, by, parsed["reasoning"], by_model=True, leaves=leaves)

    def offline(self, because: str) -> Status:
        """Choose by the offers and the `offline` rules."""
        return self._choose_by_rules("no rule holds")

    def fallback(self, error: Exception, because: str) -> Status:
        """Choose as without a model."""
        return self._choose_by_rules(because)

    def _choose_by_rules(self, reason: str) -> Status:
        choice = self._by_rules()
        return self._fall_back(reason) if choice is None else self._take(choice, OFFLINE)

    def rules_answer(self) -> dict[str, Any]:
        """The choice of the rules, or the fallback."""
        return {"choose": self._by_rules() or self.entry.model.fallback}

    def _by_rules(self) -> str | None:
        """The choice of the first offer or rule that holds."""
        return next((to for when, to in self._offline if when.evaluate(self.scope)), None)

    def _fall_back(self, reason: str) -> Status:
        fallback = self.entry.model.fallback
        if fallback is None:
            if self.chosen is not None:
                self.options[self.chosen].stop(Status.INVALID)
                self.chosen = None
            self._act_on(self.seen.key)
            raise NodeError(f"{self.entry.name}: {reason}, and it has no fallback")
        return self._take(fallback, "fallback")

    def _take(
        self,
        choice: str,
        by: str,
        reasoning: str = "",
        *,
        by_model: bool = False,
        leaves: bool = False,
    ) -> Status:
        if choice not in self.options:
            raise NodeError(f"unknown option '{choice}' of {self.entry.name}")
        self.override.note(by_model=by_model, leaves=leaves)
        self._last = choice
        self._act_on(self.seen.key)
        self._heard = heard_ids(self.runtime)
        self.drop_prepared()
        self._drop_below(choice)
        if choice == self.chosen:
            return Status.RUNNING  # the same choice never restarts it
        sureness = self.sureness.rounded() if by_model else {}
        rule = self._rule_of(choice, by)
        decided = Decided(self.path, choice, by, reasoning, rule, **sureness)
        self.runtime.world.emit(decided, self.path)
        if self.chosen is not None:
            self.options[self.chosen].stop(Status.INVALID)
        self.chosen, self.by = choice, by
        return Status.RUNNING

    def _rule_of(self, choice: str, by: str) -> int | None:
        """The number of the rule that has made a choice."""
        rules = {"always": self._always, OFFLINE: self._own_offline}.get(by, ())
        holds = (n for n, (when, to) in enumerate(rules, 1) if to == choice)
        return next((n for n in holds if rules[n - 1][0].evaluate(self.scope)), None)

    # Insisting

    def _led_nowhere(self) -> bool:
        """Whether the model's last choice changed nothing, and it cannot be left at that.

        What was said is still to be answered, or the option was one that cannot be right.
        """
        if not self.override.by_model or isinstance(self.options[self._last], ChosenOption):
            return False
        with suppress(LocatedError, EvaluationProblem):  # reported when the rules are applied
            if self._has_acted_on(self._look()) and self._by_rules() not in (None, self._last):
                return self._leaves_acts_open() or not self._can_be_right(self._last)
        return False

    @property
    def goes_on(self) -> bool:
        """Whether its option is RUNNING."""
        return self.chosen is not None

    def falls_short(self) -> float:
        """Whether nothing came of a model's choice, here or in a decision below it.

        The rules would choose another option, and there they would do or say something; or what it
        was offered for is still to be done.
        """
        return self._falls_short() if self.status is Status.RUNNING else 0.0

    def _falls_short(self) -> float:
        if rest := self.override.rest:
            return rest
        with suppress(LocatedError, EvaluationProblem):  # reported when the rules are applied
            ruled = self._by_rules()
            if ruled is not None and ruled != self._last:
                is_more = self.override.by_model and _weight(self.options.get(ruled))
                return REST if is_more else 0.0
            below = self.options.get(self._last)
            if isinstance(below, Decision):
                return below._falls_short()
            if isinstance(below, Action) and ruled in self._offered:  # it is still called for
                return REST if below.override.led_nowhere else 0.0
        return 0.0

    def rules_weigh(self) -> int:
        """0 if the rules would do nothing now, 1 if they would say something, 2 for more."""
        with suppress(LocatedError, EvaluationProblem):
            return _weight(self.options.get(self._by_rules() or ""))
        return 0

    def give_way(self) -> None:
        """Choose by the rules at the next tick; what people said before is open again."""
        self._gives_way = True
        self.override.take_up()
        self.override.give_way()
        below = self.options.get(self._last)
        if isinstance(below, Decision) and self._by_rules() == self._last:
            below.give_way()
        self.runtime.wake()

    def follow_below(self) -> None:
        """Choose by the rules, as soon as what it sees leads there."""
        super().follow_below()
        self._act_on(None)

    def _leaves_acts_open(self) -> bool:
        return "acts" in self.seen.values and bool(self.runtime.team.now.acts)

    def _can_be_right(self, option: str) -> bool:
        when = self._only_when.get(option)
        return when is None or bool(when.evaluate(self.scope))

    def _overrule(self, choice: str, by: str, ruled: str) -> Status:
        """Choose by the rules, not as the model did."""
        self.seen = self._look()
        self.runtime.world.emit(Overruled(self.path, by, choice), self.path)
        return self._take(ruled, OFFLINE)

    def _give_up(self, reason: str) -> None:
        self._drop_request()
        if self.chosen is not None:  # it was stopped: decide again
            self._act_on(None)
            self.chosen = None
        self.feedback_message = reason
        self.runtime.record_node_failure(self.path, reason, __name__)
        self.stop(Status.FAILURE)

    # Asking ahead

    def ask_ahead(self) -> Iterable[Behaviour]:
        """Ask ahead here and below; where the choice is certain already, only below it."""
        if self.status is Status.RUNNING or not self.asks:
            return ()
        self.seen = self._look()
        if self._has_acted_on(self.seen):
            return ()
        certain = self._certain()
        if certain is None:
            self.prepare()
        self._asked_below = True
        return self._likely() if certain is None else (self.options[certain[0]],)

    def on_new_question(self) -> None:
        """Drop outdated requests below; where `ahead` holds, ask the nodes below again."""
        self._drop_below()
        if self._ahead.evaluate(self.scope):
            self._asked_below = True
            ask_ahead(self._likely())

    def _likely(self) -> list[Behaviour]:
        """The option that the rules would choose; where they choose none, all that can be right."""
        names = list(self.options)
        with suppress(LocatedError, EvaluationProblem):  # reported when the rules are applied
            likely = self._by_rules()
            names = [likely] if likely else [n for n in self._listed() if self._can_be_right(n)]
        return [self.options[name] for name in names]

    def drop_ahead(self) -> None:
        """Close what was asked ahead, here and below."""
        self.drop_prepared()
        self._drop_below()

    def _drop_below(self, choice: str | None = None) -> None:
        """Cancel what was asked ahead below, except below ``choice``."""
        if self._asked_below:
            drop_ahead(o for name, o in self.options.items() if name != choice)
            self._asked_below = choice is not None

    def _drop_request(self) -> None:
        self.cancel()
        self._drop_below()

    # Cases and recorded runs

    @classmethod
    def for_case(cls, entry: Entry[DecisionFile], around: NodeContext) -> Decision:
        """With placeholders for the options."""
        offers, names = _offers_and_options(entry, around.runtime.view)
        options: dict[str, Behaviour] = {name: ChosenOption(name=name) for name in names}
        return cls(entry.name, around.runtime, around.scope, entry, options, offers)

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """What was chosen."""
        event = record.event
        if not isinstance(event, Decided):
            return None
        return RecordedDecision(event.node, event.by, {"choose": event.choose})

    @classmethod
    def answers_offline(cls, entry: Entry[DecisionFile], view: View) -> bool:
        """By its rules, or by offers to it."""
        return super().answers_offline(entry, view) or bool(view.offers_to(entry.name))
