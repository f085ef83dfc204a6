"""Faults that are injected into a run, as somebody writes them: ``[TIME: ]FAULT``.

    fail pick(parcel)                  the next call of this skill with these arguments fails
    fail go_to x3: jammed           the next three calls do, with this reason
    set at(parcel) == none, fallen(parcel)    somebody else changes facts
    unknown at(parcel)                 nobody knows any more: its tracking is lost
    out R1, back R1                 an agent drops out, works again
    model silent                    no answer comes; also down, garbled, and back
    lose sapien                     an environment breaks down

What a scenario can script (`faults:`, `happens:`) can so be tried in any run, at any time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from treec.ask.model_fault import ModelFault
from treec.files.systems import Fault
from treec.files.view import View
from treec.nodes.environment import SYMBOLIC
from treec.program.binding import ArgumentMismatch, bind, signature
from treec.program.effects import parse_effect
from treec.run.disturbances import check_fact, split_facts, unknown
from treec.source.diagnostics import did_you_mean, suggestion
from treec.source.durations import parse_duration
from treec.source.errors import LocatedError

REASON = "injected"
"""Why a skill fails if nothing else is given."""

BACK = "back"
"""The word for a model that is well again."""

_TIME = re.compile(r"\s*(\d[\w.]*)\s*:(.*)", re.DOTALL)
_FAIL = re.compile(
    r"(?P<skill>[^\s(:]+)\s*(?:\((?P<args>[^()]*)\))?\s*(?:x\s*(?P<times>\d+))?\s*"
    r"(?::\s*(?P<reason>.*))?",
    re.DOTALL,
)
_MOST = 1000
"""How many calls may be made to fail at once."""


class InvalidInjection(Exception):
    """A fault that cannot be injected; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Injection:
    """A fault as it was written, and when it is due; only what its word needs is set."""

    text: str
    word: str
    at: float = 0.0
    """Seconds of the run."""
    fault: Fault | None = None
    facts: tuple[str, ...] = ()
    name: str = ""
    """An agent, an environment or what is wrong with the model."""


@dataclass(frozen=True)
class _Word:
    read: Callable[[str, View], Mapping[str, object]]
    form: str
    about: str


def read_injections(texts: Iterable[str], view: View) -> tuple[Injection, ...]:
    """The faults in order of time. Raises InvalidInjection."""
    found = [read_injection(text, view) for text in texts]
    return tuple(sorted(found, key=lambda one: one.at))


def read_injection(text: str, view: View) -> Injection:
    """A fault as it was written. Raises InvalidInjection."""
    timed = _TIME.fullmatch(text)
    said = (timed[2] if timed else text).strip()
    name, _, rest = said.partition(" ")
    try:
        at = parse_duration(timed[1]) if timed else 0.0
        word = WORDS.get(name)
        if word is None:
            near = did_you_mean(name, WORDS)
            forms = "; ".join(one.form for one in WORDS.values())
            hint = f"did you mean '{near}'?" if near else f"write {forms}"
            raise ValueError(f"there is no fault '{name}': {hint}" if name else f"write {forms}")
        if not rest.strip():
            raise ValueError(f"write {word.form}: {word.about}")
        return Injection(" ".join(said.split()), name, at, **word.read(rest.strip(), view))  # type: ignore[arg-type]
    except (LocatedError, ValueError) as error:
        raise InvalidInjection(f"the fault '{text.strip()}': {error}") from None


def suggest(view: View) -> list[str]:
    """What can be injected into a run of a system, each with the names that it has."""
    skills = (e.name for e in view.all("skill").values())
    facts = (f"{name}({', '.join(spec.args)})" for name, spec in view.facts.items())
    agents = list(view.agents)
    return [
        *(f"fail {name}" for name in sorted(skills)),
        *(f"{word} {fact}" for fact in sorted(facts) for word in ("set", "unknown")),
        *(f"{word} {name}" for name in agents for word in ("out", "back")),
        *(f"model {name}" for name in (*ModelFault, BACK)),
        *(f"lose {name}" for name in _environments(view)),
    ]


def _fail(text: str, view: View) -> Mapping[str, object]:
    parts = _FAIL.fullmatch(text)
    if parts is None:
        raise ValueError(f"write {WORDS['fail'].form}")
    name = parts["skill"]
    entry = view.find("skill", name)
    if entry is None:
        raise ValueError(unknown("skill", name, view.all("skill")))
    reason = (parts["reason"] or "").strip() or REASON
    times = int(parts["times"] or 1)
    if not 1 <= times <= _MOST:
        raise ValueError(f"between 1 and {_MOST} calls can be made to fail")
    args = _args(name, list(entry.model.args), parts["args"], view)
    told = {"skill": name, "args": args, "reason": reason, "times": times}
    return {"fault": Fault.model_validate(told)}


def _args(skill: str, parameters: Sequence[str], text: str | None, view: View) -> dict[str, str]:
    """Arguments by name; without brackets there are none, and any call is meant."""
    if text is None:
        return {}
    given = [part.rpartition("=")[::2] for part in text.split(",")]
    plain = [value.strip() for key, value in given if not key]
    named = {key.strip(): value.strip() for key, value in given if key}
    bound = bind(skill, parameters, len(plain), list(named))
    if isinstance(bound, ArgumentMismatch) and (plain or bound.keyword is not None):
        raise ValueError(f"{bound.message}: it is {signature(skill, parameters)}")
    names = bound if not isinstance(bound, ArgumentMismatch) else ()
    args = {**dict(zip(names, plain, strict=False)), **named}
    known = {**view.things, **view.agents}
    for value in args.values():
        if value not in known:
            raise ValueError(unknown("thing", value, known))
    return args


def _set(text: str, view: View) -> Mapping[str, object]:
    facts = split_facts(text)
    for fact in facts:
        check_fact(fact, view)
    return {"facts": tuple(facts)}


def _unknown(text: str, view: View) -> Mapping[str, object]:
    for fact in split_facts(text):
        spec = parse_effect(fact)
        if spec.value is not None or spec.negated:
            raise ValueError(f"'{fact}' says what its value is: leave that out")
    return _set(text, view)


def _agent(text: str, view: View) -> Mapping[str, object]:
    if text not in view.agents:
        raise ValueError(
            f"there is no agent '{text}': {suggestion(text, view.agents, 'there are')}"
        )
    return {"name": text}


def _model(text: str, view: View) -> Mapping[str, object]:
    known = (*ModelFault, BACK)
    if text not in known:
        raise ValueError(f"a model cannot be '{text}': {suggestion(text, known, 'it can be')}")
    return {"name": text}


def _lose(text: str, view: View) -> Mapping[str, object]:
    known = _environments(view)
    if text not in known:
        if not known:
            raise ValueError("no robot of this run acts in an environment that can be lost")
        hint = suggestion(text, known, "there are")
        raise ValueError(f"there is no environment '{text}': {hint}")
    return {"name": text}


def _environments(view: View) -> list[str]:
    """The environments that robots of a system act in, but for the symbolic one."""
    if view.system is None:
        return []
    return sorted({*view.system.model.runs_on.values()} - {SYMBOLIC})


WORDS = {
    "fail": _Word(_fail, "fail SKILL(ARGUMENTS) xN: REASON", "the next N calls of it fail"),
    "set": _Word(_set, "set FACT, FACT", "somebody else changes these facts"),
    "unknown": _Word(_unknown, "unknown FACT", "nobody knows its value any more"),
    "out": _Word(_agent, "out AGENT", "it drops out"),
    "back": _Word(_agent, "back AGENT", "it works again"),
    "model": _Word(_model, "model silent|down|garbled|back", "what its model does from then on"),
    "lose": _Word(_lose, "lose ENVIRONMENT", "it breaks down"),
}
"""The kinds of faults by their first word."""
