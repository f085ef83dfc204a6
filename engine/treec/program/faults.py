"""Faults: what goes wrong in a run, one a line, written ``[WHEN: ]FAULT[: REASON]``.

    fail pick(parcel): slipped              the next call of this skill with these arguments fails
    fail go_to x3 at 50%                    the next three calls do, half way
    fail pick always chance 20%             each call does with this probability, by the seed
    take pick(parcel) in 40s                the next call takes so long, if it does not fail before
    set at(parcel) == none, fallen(parcel)  somebody else changes facts
    unknown at(parcel)                      nobody knows any more: its tracking is lost
    out R1                                  an agent drops out; ``back R1``: it works again
    model silent                            no answer comes; also down, garbled, and back
    lose sapien                             an environment breaks down; ``back sapien``: it is there
    back pick                               what was to fail of this skill does not
    mock */drive=RRS                        scripted statuses in place of nodes; ``unmock */drive``

WHEN is a time of the run (``30s``), ``when CONDITION`` or ``3s after CONDITION``; ``then`` before
it counts from when the fault before in the list happened: ``then 30s: back R1``. Without it, a
fault is there from the beginning.

Scenarios list such lines in ``faults:``, where YAML may make a mapping of their colons; so do
``treec run --inject``, :class:`treec.RunSpec` and the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from treec.files.systems import SYMBOLIC
from treec.files.types import TEXT, misfit, read_type
from treec.files.view import View, names_of
from treec.frozen import frozen
from treec.program.binding import ArgumentMismatch, bind, signature
from treec.program.effects import parse_effect
from treec.source.diagnostics import suggestion
from treec.source.durations import parse_duration
from treec.source.errors import LocatedError
from treec.source.expression import Expression

REASON = "injected"
"""Why a skill fails if nothing else is given."""

SKILL_FAULTS = ("fail", "take")
"""The words for what happens to calls of skills."""

MODEL_STATES = ("silent", "down", "garbled", "back")
"""What a model can be; ``back`` is well again."""

MAX_TIMES = 1000
"""How many calls a fault may make fail, unless it is all."""

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|.", re.DOTALL)
_WHEN = re.compile(
    r"(?P<then>then\b)?\s*(?:when\s+(?P<when>.+)"
    r"|(?P<time>\d[\w.]*)(?:\s+after\s+(?P<after>.+))?)?",
    re.DOTALL,
)
_FAIL = re.compile(r"(?P<skill>[^\s(]*)\s*(?:\((?P<args>[^()]*)\))?")
_HOW = re.compile(
    r"\s*(?:x\s*(?P<times>\d+)|(?P<always>always)\b"
    r"|chance\s+(?P<chance>\d+(?:\.\d+)?)%|at\s+(?P<part>\d+(?:\.\d+)?)%|in\s+(?P<takes>\d[\w.]*))"
)
_MOCK = re.compile(r"(?P<pattern>\S.*?)\s*=\s*(?P<script>[^=]*)", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")
_CONSTANTS = ("none", "true", "false")


class InvalidFault(LocatedError):
    """A line that is not a fault; the help says what would be right."""

    unknown: tuple[str, str] | None = None
    """The kind and name of what no file declares."""

    def __str__(self) -> str:
        return _with_help(self)


@frozen
class Part:
    """A part of a line, with its offset."""

    text: str
    offset: int = field(default=0, compare=False)


@frozen
class Fault:
    """A fault as it was written. Only what its word needs is set."""

    text: str
    """Without the time, in single spaces."""
    word: str
    name: str = ""
    """The skill, agent, environment, state of the model, or pattern of nodes."""
    time: float = 0.0
    """Seconds: after the condition, the fault before, or the beginning of the run."""
    when: Part | None = None
    """The condition that has to hold first."""
    then: bool = False
    """Whether it waits for the fault before it in the list."""
    reason: str = ""
    args: Mapping[str, object] = field(default_factory=dict)
    """Arguments of failing calls; any value fits one that is left out."""
    times: int | None = 1
    """How many calls fail; None for all."""
    chance: float = 1.0
    at: float = 1.0
    """When a call fails, as a fraction of the skill's duration."""
    takes: float | None = None
    """How long a call takes, in seconds, instead of what its file says."""
    facts: tuple[Part, ...] = ()
    script: str = ""
    """Statuses of a mock, a letter for each tick."""

    @property
    def is_standing(self) -> bool:
        """Whether it is there from the beginning of the run."""
        return self.when is None and not self.then and self.time == 0


Set = Callable[[Fault, Part, View], Fault]


@frozen(slots=False)
class _Word:
    read: Set
    form: str
    about: str


def read_faults(texts: Iterable[str], view: View) -> tuple[Fault, ...]:
    """The faults of a list. Raises InvalidFault, whose message names the line."""
    faults = []
    for text in texts:
        try:
            faults.append(read_fault(text, view))
        except LocatedError as error:
            message = f"the fault '{text.strip()}': {_with_help(error)}"
            raise InvalidFault(message, error.offset, error.length) from None
    return tuple(faults)


def read_fault(text: str, view: View) -> Fault:
    """A fault as it was written. Raises LocatedError with places in the text."""
    when, what, reason = _parts(text)
    name = what.text.partition(" ")[0]
    word = WORDS.get(name)
    if word is None:
        forms = "; ".join(one.form for one in WORDS.values())
        if not name:
            raise InvalidFault("the fault is missing", what.offset, 1, f"write {forms}")
        hint = suggestion(name, WORDS, "write one of")
        raise InvalidFault(f"unknown fault '{name}'", what.offset, len(name), hint)
    rest = _strip(Part(what.text[len(name) :], what.offset + len(name)))
    said = " ".join(what.text.split()) + (f": {' '.join(reason.split())}" if reason else "")
    fault = Fault(said, name, reason=reason)
    if not rest.text:
        help = f"write {word.form}: {word.about}"
        raise InvalidFault(f"'{name}' of what", what.offset, len(name), help)
    fault = fault if when is None else _timed(fault, when)
    if fault.when is not None:
        with _at(fault.when):
            Expression.parse(fault.when.text)
    return word.read(fault, rest, view)


def condition_of(text: str) -> Part | None:
    """The condition of a fault, if it has one that can be read."""
    when = _parts(text)[0]
    try:
        return None if when is None else _timed(Fault("", ""), when).when
    except LocatedError:
        return None


def _with_help(error: LocatedError) -> str:
    if not error.help:
        return error.message
    return f"{error.message}; {error.help}"


def _parts(text: str) -> tuple[Part | None, Part, str]:
    """When, what, and the reason: at colons outside of quotes and brackets."""
    cuts, depth = [], 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        behind = text[token.end() : token.end() + 1]
        if token[0] == ":" and depth == 0 and (not behind or behind.isspace()):
            cuts.append(token.start())
    when, begin = None, 0
    if cuts and re.match(r"\s*(\d|then\b|when\b)", text):
        when, begin = _strip(Part(text[: cuts[0]])), cuts.pop(0) + 1
    end = cuts[0] if cuts else len(text)
    return when, _strip(Part(text[begin:end], begin)), text[end + 1 :].strip()


def _strip(part: Part) -> Part:
    text = part.text.strip()
    return Part(text, part.offset + len(part.text) - len(part.text.lstrip()))


def _timed(fault: Fault, when: Part) -> Fault:
    match = _WHEN.fullmatch(when.text)
    if match is None:
        help = "write 30s, 'when CONDITION' or '3s after CONDITION', with 'then' before it or not"
        raise InvalidFault("not a time", when.offset, len(when.text), help)
    time = 0.0
    if match["time"]:
        time = _seconds(match["time"], when.offset + match.start("time"))
    group = "when" if match["when"] else "after"
    condition = None
    if match[group]:
        condition = Part(match[group], when.offset + match.start(group))
    return replace(fault, time=time, when=condition, then=match["then"] is not None)


def _seconds(text: str, offset: int) -> float:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise InvalidFault(str(error), offset, len(text)) from None


class _at:
    """Moves the places of errors to where a part stands in its line."""

    def __init__(self, part: Part) -> None:
        self._offset = part.offset

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, LocatedError):
            error.offset += self._offset


# The words


def _fail(fault: Fault, rest: Part, view: View) -> Fault:
    match = _FAIL.match(rest.text)
    assert match is not None
    skill = match["skill"]
    entry = view.find("skill", skill)
    if entry is None:
        raise _unknown("skill", skill, view.all("skill"), rest.offset)
    fault = replace(fault, name=skill, reason=fault.reason or REASON)
    end = match.end()
    while end < len(rest.text):
        how = _HOW.match(rest.text, end)
        if how is None:
            wrong = rest.text[end:].lstrip()
            place = rest.offset + len(rest.text) - len(wrong)
            help = f"write {WORDS['fail'].form}"
            raise InvalidFault(f"'{wrong}' is not a way to fail", place, len(wrong), help)
        end = how.end()
        if how["times"] and not 1 <= int(how["times"][:9]) <= MAX_TIMES:
            message = f"between 1 and {MAX_TIMES} calls can be made to fail, or 'always'"
            raise InvalidFault(message, rest.offset + how.start("times"), len(how["times"]))
        if how["times"] or how["always"]:
            fault = replace(fault, times=int(how["times"]) if how["times"] else None)
        elif how["takes"]:
            fault = replace(fault, takes=_seconds(how["takes"], rest.offset + how.start("takes")))
        else:
            key = "chance" if how["chance"] else "part"
            if float(how[key]) > 100:
                place = rest.offset + how.start(key)
                raise InvalidFault("more than 100%", place, len(how[key]))
            share = round(float(how[key]) / 100, 9)
            fault = replace(fault, chance=share) if how["chance"] else replace(fault, at=share)
    if (fault.word == "take") == (fault.takes is None):
        raise InvalidFault("a call takes a time", rest.offset, len(rest.text), "write take … in 7s")
    if match["args"] is None:  # any call is meant
        return fault
    args = Part(match["args"], rest.offset + match.start("args"))
    return replace(fault, args=_args(skill, entry.model.args, args, view))


def _args(skill: str, types: Mapping[str, str], text: Part, view: View) -> dict[str, object]:
    """Arguments by name; those that are left out may be any."""
    given: list[tuple[str, Part]] = []
    offset = text.offset
    for part in text.text.split(","):
        key, equals, value = part.rpartition("=")
        given.append((key.strip(), _strip(Part(value, offset + len(key) + len(equals)))))
        offset += len(part) + 1
    plain = [value for key, value in given if not key]
    named = {key: value for key, value in given if key}
    bound = bind(skill, list(types), len(plain), [key for key in named if key != "agent"])
    names: Sequence[str] = ()
    if not isinstance(bound, ArgumentMismatch):
        names = bound
    elif plain or bound.keyword is not None:
        help = f"it is {signature(skill, list(types))}"
        raise InvalidFault(bound.message, text.offset, max(1, len(text.text)), help)
    args = {**dict(zip(names, plain, strict=False)), **named}
    return {name: _value(types.get(name, "Agent"), value, view) for name, value in args.items()}


def _value(kind: str, value: Part, view: View) -> object:
    if value.text in view.things or read_type(kind) == TEXT:
        return value.text
    try:
        plain = json.loads(value.text)
    except ValueError:
        plain = None
    if not isinstance(plain, int | float):
        raise _unknown("thing", value.text, view.things, value.offset)
    return plain


def _set(fault: Fault, rest: Part, view: View) -> Fault:
    facts = tuple(_facts(rest))
    for fact in facts:
        with _at(fact):
            _check_fact(fact.text, view)
    return replace(fault, facts=facts)


def _facts(rest: Part) -> Iterator[Part]:
    """The facts of a list, whose own commas stand in brackets."""
    depth, begin = 0, 0
    for token in _TOKEN.finditer(rest.text):
        depth += (token[0] in "([{") - (token[0] in ")]}")
        if token[0] == "," and depth == 0:
            yield _strip(Part(rest.text[begin : token.start()], rest.offset + begin))
            begin = token.end()
    yield _strip(Part(rest.text[begin:], rest.offset + begin))


def _check_fact(text: str, view: View) -> None:
    """Raise LocatedError if this sets no fact of known things."""
    effect = parse_effect(text)
    spec = view.facts.get(effect.fact)
    if spec is None:
        raise _unknown("fact", effect.fact, view.facts, effect.offset)
    if len(effect.args) != len(spec.args):
        form = f"{effect.fact}({', '.join(spec.args)})"
        message = f"'{effect.fact}' is about {len(spec.args)} and not {len(effect.args)} things"
        raise InvalidFault(message, effect.offset, len(effect.fact), f"write {form}")
    parts = [*effect.call.parts, *([effect.wanted] if effect.wanted is not None else [])]
    for kind, part in zip((*spec.args, spec.value or "bool"), parts, strict=False):
        name = part.text.strip("'\"")
        is_name = part is not effect.wanted or _NAME.fullmatch(part.text)
        if is_name and name not in view.things and name not in _CONSTANTS:
            raise _unknown("thing", name, view.things, part.offset)
        value: object = name
        if name not in view.things:
            constant = Expression.parse(part.text)
            value = constant.constant_value() if constant.is_constant else None
        wrong = None if value is None else misfit(read_type(kind), value, names_of(view))
        if wrong is not None:
            raise InvalidFault(wrong.message, part.offset, len(part.text), wrong.help)


def _forget(fault: Fault, rest: Part, view: View) -> Fault:
    for fact in _facts(rest):
        with _at(fact):
            spec = parse_effect(fact.text)
            if spec.value is not None or spec.negated:
                message = f"'{fact.text}' says what its value is"
                raise InvalidFault(message, 0, len(fact.text), "leave that out")
    return _set(fault, rest, view)


def _agent(fault: Fault, rest: Part, view: View) -> Fault:
    return _named(fault, "agent", rest, list(view.agents))


def _back(fault: Fault, rest: Part, view: View) -> Fault:
    known = [*view.agents, *_environments(view), *view.all("skill")]
    return _named(fault, "agent, environment or skill", rest, known)


def _model(fault: Fault, rest: Part, view: View) -> Fault:
    return _named(fault, "state of a model", rest, MODEL_STATES)


def _lose(fault: Fault, rest: Part, view: View) -> Fault:
    known = _environments(view)
    if not known:
        message = "no robot of this run acts in an environment that can be lost"
        raise InvalidFault(message, rest.offset, len(rest.text))
    return _named(fault, "environment", rest, known)


def _named(fault: Fault, kind: str, rest: Part, known: Sequence[str]) -> Fault:
    if rest.text not in known:
        raise _unknown(kind, rest.text, known, rest.offset)
    return replace(fault, name=rest.text)


def _mock(fault: Fault, rest: Part, view: View) -> Fault:
    match = _MOCK.fullmatch(rest.text)
    if match is None:
        help = f"write {WORDS['mock'].form}"
        raise InvalidFault("a mock has statuses", rest.offset, len(rest.text), help)
    script = match["script"]
    if not script or set(script) - set("SFR"):
        place = rest.offset + match.start("script")
        help = "S success, F failure, R running, one for each tick"
        message = f"'{script}' is not of the letters S, F and R"
        raise InvalidFault(message, place, max(1, len(script)), help)
    return replace(fault, name=match["pattern"], script=script)


def _unmock(fault: Fault, rest: Part, view: View) -> Fault:
    return replace(fault, name=rest.text)


WORDS = {
    "fail": _Word(
        _fail, "fail SKILL(ARGUMENTS) xN|always chance P% at P%: REASON", "the next N calls fail"
    ),
    "take": _Word(_fail, "take SKILL(ARGUMENTS) in 7s", "the next call takes so long"),
    "set": _Word(_set, "set FACT, FACT", "somebody else changes these facts"),
    "unknown": _Word(_forget, "unknown FACT", "nobody knows its value any more"),
    "out": _Word(_agent, "out AGENT", "it drops out"),
    "back": _Word(_back, "back AGENT|ENVIRONMENT|SKILL", "it works again"),
    "model": _Word(_model, f"model {'|'.join(MODEL_STATES)}", "what its model does from then on"),
    "lose": _Word(_lose, "lose ENVIRONMENT", "it breaks down"),
    "mock": _Word(_mock, "mock NODE=STATUSES", "scripted statuses in place of nodes"),
    "unmock": _Word(_unmock, "unmock NODE", "the nodes are themselves again"),
}
"""The kinds of faults by their first word."""


def suggest(view: View) -> list[str]:
    """What can go wrong in a run of a system, each with the names that it has."""
    skills = sorted(e.name for e in view.all("skill").values())
    facts = (f"{name}({', '.join(spec.args)})" for name, spec in view.facts.items())
    agents = list(view.agents)
    return [
        *(f"fail {name}" for name in skills),
        *(f"take {name} in 1m" for name in skills),
        *(f"{word} {fact}" for fact in sorted(facts) for word in ("set", "unknown")),
        *(f"{word} {name}" for name in agents for word in ("out", "back")),
        *(f"model {name}" for name in MODEL_STATES),
        *(f"{word} {name}" for name in _environments(view) for word in ("lose", "back")),
    ]


def _environments(view: View) -> list[str]:
    """The environments that robots of a system act in, but for the symbolic one."""
    if view.system is None:
        return []
    return sorted({*view.system.model.runs_on.values()} - {SYMBOLIC})


def _unknown(kind: str, name: str, known: Iterable[str], offset: int) -> InvalidFault:
    help = suggestion(name, list(known))
    error = InvalidFault(f"unknown {kind} '{name}'", offset, max(1, len(name)), help)
    error.unknown = kind, name
    return error
