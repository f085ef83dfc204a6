"""The kind `judge`: its files, and the forms of their questions."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import ConfigDict, Field, model_validator

from treec.files.fields import ArgTypes, Duration, Expr, Model, Value
from treec.files.prompts import (
    DECISION_MODEL,
    DISTILLED,
    MODEL,
    PERSON,
    RULES,
    Answerers,
    Prompt,
)
from treec.files.skeletons import NoSkeleton
from treec.files.types import BOOL, NUMBER, TEXT, Misfit, Named, Names, Type, misfit, parse_type
from treec.files.view import View
from treec.frozen import frozen

YES_NO, PROBABILITY, CHOICE, SCORE, VALUE = "yes_no", "probability", "choice", "score", "value"
"""The forms of questions."""


class Threshold(Model):
    """What probability is a yes, and which a no; between the two the answer is passed on."""

    yes: float = Field(0.5, ge=0, le=1, description="From this probability on it is a yes.")
    no: float = Field(0.5, ge=0, le=1, description="Below this probability it is a no.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.no > self.yes:
            raise ValueError(f"'no' ({self.no:g}) is above 'yes' ({self.yes:g})")
        return self


EVEN = Threshold.model_validate({})
"""What is more likely than not."""


class QuestionSpec(Model):
    """One question, and how it is answered; without a form, by a value of the fact's type."""

    about: str | None = Field(None, description="What is asked (default: the file's `about`).")
    yes: str | None = Field(
        None, description="When it is a yes. The value of a number is the probability of a yes."
    )
    no: str | None = Field(None, description="When it is a no.")
    options: dict[str, str | None] = Field({}, description="A value, and when it is right.")
    scale: dict[str, str | None] = Field(
        {}, description="A level, and when it is right, from the lowest, which is 0, upwards."
    )
    threshold: Threshold | None = None

    @model_validator(mode="after")
    def _has_one_form(self) -> Self:
        forms = {"yes": self.yes or self.no, "options": self.options, "scale": self.scale}
        given = [name for name, value in forms.items() if value]
        if len(given) > 1:
            raise ValueError(f"a question has one form: {' and '.join(given)} are several")
        few = next((n for n in ("options", "scale") if len(forms[n] or "12") < 2), None)
        if few is not None:
            raise ValueError(f"'{few}' needs two or more, between which there is a choice")
        return self


class JudgeRule(Model):
    """A rule of a judge; the first whose condition holds answers."""

    when: Expr
    answer: dict[str, Value] = Field(description="The value of each fact or state that it sets.")


class JudgeAnswer(Model):
    """A judge's answer in an example: the value of each fact or state that it sets."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    reasoning: str = ""

    @property
    def values(self) -> dict[str, Any]:
        """The values by fact or state."""
        return dict(self.__pydantic_extra__ or {})


class JudgeExample(Model):
    """What is seen of a thing, and the answer about it."""

    about: str = ""
    given: dict[str, Value] = Field(default_factory=dict)
    answer: JudgeAnswer


class JudgeFile(Prompt):
    """Answers typed questions about facts, words or pictures, and commits facts or state."""

    answered_by = (RULES, MODEL, DECISION_MODEL, DISTILLED, PERSON)

    judge: str
    for_: ArgTypes = Field(
        {},
        alias="for",
        description="What it is asked about: a name, and a type of which each thing is meant. "
        "These are the arguments of the facts that it sets.",
    )
    when: Expr = Field("true", description="About which of them it is asked at all.")
    sees: dict[str, Expr] = Field(  # type: ignore[assignment]
        {},
        description="Names for what the prompt and the rules read of them. It is asked again when "
        "the prompt has changed.",
    )
    sets: dict[str, QuestionSpec] = Field(
        min_length=1,
        description="The facts or state that its answer sets, each with the question for it. "
        "Several are one record, which is committed as a whole.",
    )
    again: Duration | None = Field(
        None,
        gt=0,
        description="The age at which a question is asked again, though nothing changed.",
    )
    expires: Duration | None = Field(
        None,
        gt=0,
        description="The age at which an answer becomes unknown, if no other has come "
        "(default: `again`).",
    )
    answers: Answerers | None = None
    offline: list[JudgeRule] = Field([], description="Rules tried when nobody else answers.")
    examples: list[JudgeExample] = Field(default_factory=list)

    @property
    def args(self) -> dict[str, str]:
        """What it is asked about, as arguments of a question."""
        return self.for_

    @property
    def visible(self) -> dict[str, str]:
        """What it is asked about, and the names for what is seen of it, with their expressions."""
        return {**dict(zip(self.for_, self.for_, strict=True)), **self.sees}

    @property
    def assigns(self) -> dict[str, list[str] | None]:
        """What it sets, with the options as texts."""
        return {name: [*spec.options] or None for name, spec in self.sets.items()}

    @property
    def scores_cases(self) -> bool:
        """Whether it is meant for `scored_by` of cases, and not for a tree."""
        return not self.for_ and "decision" in self.sees

    @property
    def lasts(self) -> float | None:
        """How long an answer counts."""
        return self.again if self.expires is None else self.expires

    @model_validator(mode="after")
    def _sees_by_names(self) -> Self:
        if self.recalls:
            raise ValueError("a judge recalls nothing: what its prompt shows stands under 'sees'")
        if self.expires is not None and self.again is not None and self.expires < self.again:
            raise ValueError("'expires' is before 'again', when the question is asked again")
        if twice := sorted({*self.sees} & {*self.for_}):
            raise ValueError(f"'{twice[0]}' stands under 'for' and under 'sees'")
        return self


@frozen(slots=False)
class Form:
    """How a question is answered: its type, and what there is to choose, each with when."""

    kind: str
    type: Type
    options: Mapping[str, str]

    @property
    def takes(self) -> tuple[Type, ...]:
        """The types of values that can be spelled as an answer."""
        return {
            YES_NO: (BOOL, TEXT),
            PROBABILITY: (NUMBER, BOOL, TEXT),
            SCORE: (NUMBER, TEXT),
        }.get(self.kind, (self.type,))

    def spelled(self, value: object) -> object:
        """A value as it is committed: a yes or a level may be a number."""
        if self.kind in (YES_NO, PROBABILITY) and value in ("yes", "no", True, False):
            is_yes = value in ("yes", True)
            return is_yes if self.kind == YES_NO else float(is_yes)
        if self.kind == SCORE and isinstance(value, str) and value in self.options:
            return float([*self.options].index(value))
        return value

    def misfit(self, value: object) -> str:
        """Why a value, spelled, is no answer; '' if it is one."""
        from treec.source.diagnostics import unknown

        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        most = {PROBABILITY: 1, SCORE: len(self.options) - 1}.get(self.kind)
        if self.kind == SCORE and isinstance(value, str):
            return unknown("level", value, self.options)
        if most is not None and not (is_number and 0 <= float(str(value)) <= most):
            return f"it is a number from 0 to {most}, not {value!r}"
        if self.kind == CHOICE and not (isinstance(value, str) and value in self.options):
            return unknown("option", str(value), self.options)
        return ""

    def refusal(self, value: object, names: Names) -> Misfit | None:
        """Why a value, spelled, is no answer, nor one of the type; None if it is one."""
        why = self.misfit(value)
        return Misfit(why) if why else misfit(self.type, value, names)


def type_set(view: View, name: str) -> Type | None:
    """The type of the values of a fact or state; None if there is no such."""
    if name in view.facts:
        value = view.facts[name].value
        return BOOL if value is None else parse_type(value)
    return parse_type(view.state[name].type) if name in view.state else None


def form_of(view: View, names: Names, name: str, spec: QuestionSpec) -> Form:
    """The form of the question for a fact or state that the domain declares."""
    kind = type_set(view, name)
    assert kind is not None
    fact = view.facts.get(name)
    if spec.options:
        return Form(CHOICE, kind, {n: about or "" for n, about in spec.options.items()})
    if spec.scale:
        return Form(SCORE, kind, {n: about or "" for n, about in spec.scale.items()})
    criteria = {"yes": spec.yes or "", "no": spec.no or ""}
    if kind == BOOL:
        return Form(YES_NO, kind, criteria)
    if spec.yes or spec.no:
        return Form(PROBABILITY, kind, criteria)
    if fact is not None and kind == TEXT and len(fact.values) > 1:
        return Form(CHOICE, kind, dict.fromkeys(fact.values, ""))
    if isinstance(kind, Named) and names.types.is_thing(kind):
        known = names.things_of(kind)
        if len(known) > 1:
            return Form(CHOICE, kind, dict.fromkeys(known, ""))
    return Form(VALUE, kind, {})


def skeleton(view: View, name: str) -> str:
    """A yes or no about each thing of the first fact that is true or false and has one argument."""
    about_one = {n: f for n, f in view.facts.items() if len(f.args) == 1 and not f.sensed}
    fact = next((n for n, f in about_one.items() if f.value is None), None)
    if fact is None:
        raise NoSkeleton(
            "a judge sets a fact of one argument that is true or false, and the domain has none "
            "that is not sensed"
        )
    kind = about_one[fact].args[0]
    other = next(
        (n for n, f in view.facts.items() if n != fact and f.args == [kind] and f.value), None
    )
    sees = f"\nsees: {{{other}: {other}(thing)}}" if other else ""
    shown = f", of which is known: {other} {{{{ {other} }}}}" if other else ""
    return f"""judge: {name}
about: Say in one sentence what is asked.
for: {{thing: {kind}}}{sees}
sets:
  {fact}:
    yes: Say when it is a yes.
    no: Say when it is a no.
again: 1m
offline:
  - {{when: true, answer: {{{fact}: false}}}}
observation: |
  This is about {{{{ thing }}}}{shown}.
examples:
  - about: Say what is seen here.
    given: {{}}
    answer: {{{fact}: false}}
"""
