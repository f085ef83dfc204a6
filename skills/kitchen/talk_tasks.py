"""Tasks in words: the `says` patterns of tasks, found in a clause in any form of their verb."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from engine import TalkContext, TalkTask
from skills.kitchen.talk_clauses import Clause, clauses
from skills.kitchen.talk_names import Mention, Names
from skills.kitchen.talk_words import gerunds, name_words, pasts

DETERMINER = (
    r"(?:(?:the|a|an|some|more|my|our|your|this|that|these|those|another|extra|all|of|bit|little|"
    r"pinch|few|bunch|bottle|bag|jar|cup|bowl|piece|one|two|three|four|five|six|\d+) )*+"
)
_PARTICLES = frozenset({"away", "up", "down", "back", "over", "off", "out", "in", "on"})
_ALIKE = {"into": "(?:into|in to|in)", "onto": "(?:onto|on to|on)", "in": "(?:in|into|in to)",
          "on": "(?:on|onto|on to)", "to": "(?:to|over to)"}  # fmt: skip
# How people also say a verb, where no task of the kitchen has it for its own.
_ALSO_SAID = {
    "get": "grab fetch bring collect retrieve take",
    "put": "pop bung chuck toss throw stick drop place tip dump",
    "pour": "tip empty dump",
    "add": "throw tip",
    "chop": "dice cut hack",
    "slice": "cut",
    "prepare": "prep preps",
    "wash": "rinse clean",
    "stir": "mix toss blend",
    "return": "take put",
    "hand": "pass give",
    "put away": "clear",
}
_ARTICLES = frozenset({"the", "a", "an"})
_SLOT = re.compile(r"<\s*(\w+)\s*>")


@dataclass(frozen=True, slots=True)
class Found:
    """A task's pattern in a clause: what it says, in which form, and what stands around it."""

    task: str
    args: tuple[tuple[str, str], ...]
    form: str  # "base", "ing" or "past"
    before: str
    behind: str

    @property
    def what(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The task with its arguments, to compare."""
        return self.task, self.args


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to say a task; `slots` are its arguments in order of the groups s0, s1, …"""

    task: TalkTask
    regex: re.Pattern[str]
    slots: tuple[str, ...]
    verb: str
    heads: frozenset[str]


class Tasks:
    """All patterns of a context."""

    def __init__(self, context: TalkContext, names: Names) -> None:
        self._context = context
        self._names = names
        self._types = {thing.name: frozenset(thing.types) for thing in context.objects}
        self._said: dict[str, Found | None] = {}
        parts = [(task, _with_names(says, names)) for task in context.tasks for says in task.says]
        own = {said[0] for _, said in parts if said}
        self._patterns = [
            Pattern(task, regex, slots, verb, frozenset((verb, *gerunds(verb), *pasts(verb))))
            for task, said in parts
            for form in (said, *_also(said, own))
            for regex, slots, verb in _compiled(form)
        ]
        # Verbs by their kin: those that the same task is said with, "fetch" and "bring".
        self.kin: dict[str, set[str]] = {}
        for task in context.tasks:
            verbs = {p.verb for p in self._patterns if p.task is task}
            for verb in verbs:
                self.kin.setdefault(verb, set()).update(verbs)
        for subtask in context.subtasks:
            for verb in name_words(subtask.words)[:1]:
                self.kin.setdefault(verb, {verb})

    def find(self, clause: Clause) -> Iterator[Found]:
        """Every place where a task is said, the longest first for each pattern's start."""
        if clause.too_long:
            return
        line = clause.line
        words = set(line.split())
        hits: list[tuple[int, int, Found]] = []
        for pattern in self._patterns:
            if pattern.heads.isdisjoint(words):
                continue
            for match in pattern.regex.finditer(line):
                args = self._arguments(pattern, match, clause)
                if args is not None:
                    form = next(f for f in ("base", "ing", "past") if match[f] is not None)
                    found = Found(
                        pattern.task.name, args, form, line[: match.start()], line[match.end() :]
                    )
                    hits.append((match.start(), -match.end(), found))
        hits.sort(key=lambda hit: hit[:2])
        yield from (hit[2] for hit in hits)

    def meaning(self, words: str) -> Found | None:
        """The task that a subtask's words say, when they say one from end to end."""
        if words not in self._said:
            parts = clauses(words, self._names)
            hits = self.find(parts[0]) if len(parts) == 1 else iter(())
            self._said[words] = next(
                (hit for hit in hits if not hit.before and not hit.behind and hit.form == "base"),
                None,
            )
        return self._said[words]

    def said_with(self, verbs: Iterable[str]) -> frozenset[str]:
        """The tasks that one of these verbs says."""
        wanted = set(verbs)
        return frozenset(p.task.name for p in self._patterns if p.verb in wanted)

    def fetch(self, mention: Mention) -> Found | None:
        """The task of getting a thing, if the kitchen has one."""
        for task in self._context.tasks:
            if task.name == "get" and len(task.args) == 1:
                (slot,) = task.args
                return self.with_thing(Found("get", ((slot, ""),), "base", "", ""), mention)
        return None

    def with_thing(self, found: Found, mention: Mention) -> Found | None:
        """The same task with its only argument replaced, if the thing is of the right type."""
        task = next(task for task in self._context.tasks if task.name == found.task)
        ((slot, _),) = found.args
        wanted = {part.strip() for part in task.args[slot].split(" or ")}
        fitting = [thing for thing in mention.objects if wanted & self._types[thing]]
        return replace(found, args=((slot, fitting[0]),)) if len(fitting) == 1 else None

    def _arguments(
        self, pattern: Pattern, match: re.Match[str], clause: Clause
    ) -> tuple[tuple[str, str], ...] | None:
        found: list[tuple[str, str]] = []
        for index, slot in enumerate(pattern.slots):
            key = match[f"s{index}"]
            if slot.startswith("="):  # a name that the pattern itself spells out
                if slot[1:] not in clause.mention(key).objects:
                    return None
                continue
            value = self._fits(key, pattern.task.args.get(slot), clause)
            if value is None:
                return None
            found.append((slot, value))
        return tuple(sorted(found))

    def _fits(self, key: str, type_text: str | None, clause: Clause) -> str | None:
        """The one thing of the slot's type that the words name, or None."""
        if type_text is None:
            return None
        wanted = {part.strip() for part in type_text.split(" or ")}
        agents = {agent.name: agent for agent in self._context.agents}
        name = self._context.user if key in ("me", "us") else None
        if key.startswith("@"):
            mention = clause.mention(key)
            fitting = [thing for thing in mention.objects if wanted & self._types[thing]]
            if len(fitting) == 1:
                return fitting[0]
            name = mention.agent
        if name is None or name not in agents:
            return None
        kinds = {"Agent", "Person" if agents[name].person else "Robot"}
        return name if wanted & kinds else None


def _with_names(says: str, names: Names) -> tuple[str, ...]:
    """A pattern's parts: words, `<slot>`, and `=name` for an object that it spells out."""
    parts: list[str] = []
    for piece in re.split(r"(<\s*\w+\s*>)", says):
        if slot := _SLOT.fullmatch(piece):
            parts.append(f"<{slot[1]}>")
            continue
        for clause in clauses(piece, names):
            for word in clause.words:
                if not word.key.startswith("@"):
                    parts.append(word.key)
                elif things := clause.mention(word.key).objects:
                    parts.append(f"={things[0]}")
    return tuple(part for part in parts if part not in _ARTICLES)


def _also(parts: tuple[str, ...], own: set[str]) -> Iterator[tuple[str, ...]]:
    """The pattern with its verb as people also say it."""
    if not parts or parts[0][0] in "<=":
        return
    if parts[:2] == ("pass", "me"):
        yield ("pass", *parts[2:])
    away = parts[0] == "put" and "away" in parts
    verbs = _ALSO_SAID.get("put away" if away else parts[0], "").split()
    for verb in dict.fromkeys(verbs):
        if away:
            yield (verb, *(part for part in parts[1:] if part != "away"))
        elif verb not in own:
            yield (verb, *parts[1:])
    if away and parts[1] != "away":
        yield ("put", *(part for part in parts[1:] if part != "away"), "back")
        yield ("pop", *(part for part in parts[1:] if part != "away"), "back")
        yield ("put", "back", *(part for part in parts[1:] if part != "away"))


@lru_cache(maxsize=2048)
def _compiled(parts: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...]:
    """The regular expressions of a pattern: as written, and with its particle behind the object."""
    if not parts or parts[0][0] in "<=":
        return ()
    orders = [parts]
    if len(parts) > 2 and parts[1] in _PARTICLES and parts[2][0] in "<=":
        orders.append((parts[0], parts[2], parts[1], *parts[3:]))
    return tuple(_regex(order) for order in orders)


def _regex(parts: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...], str]:
    verb = parts[0]
    source = (
        rf"(?<!\S)(?:(?P<base>{re.escape(verb)})"
        rf"|(?P<ing>{'|'.join(map(re.escape, gerunds(verb)))})"
        rf"|(?P<past>(?!{re.escape(verb)}(?!\S))(?:{'|'.join(map(re.escape, pasts(verb)))})))"
    )
    slots: list[str] = []
    for part in parts[1:]:
        if part[0] in "<=":
            if not slots and part == parts[1]:
                source += r"(?: (?:me|us|him|her|them)(?= \S))?"
            source += rf" {DETERMINER}(?P<s{len(slots)}>@[ao]\d+|me|us)"
            slots.append(part if part[0] == "=" else part[1:-1])
        else:
            source += rf" {DETERMINER}{_ALIKE.get(part, re.escape(part))}"
    return re.compile(source + r"(?!\S)"), tuple(slots), verb
