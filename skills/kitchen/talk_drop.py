"""Words that call something off for good: "forget the pepper", "we don't need the salt"."""

from __future__ import annotations

import re

from engine import TalkContext, TalkSubtask
from skills.kitchen.talk_clauses import Clause
from skills.kitchen.talk_tasks import DETERMINER, Tasks
from skills.kitchen.talk_words import gerunds, name_words

_OPEN = frozenset({"waiting", "ready", "queued", "running", "interrupted"})
_SOFT = (
    r"(?:(?:please|ok|actually|just|oh|so|well|hey|and|let's|let us|yes|no|now|then|maybe|also|"
    r"we can|you can|we could|could you|can you|i think|i said|i want to|everyone|"
    r"@a\d+) )*+"
)
_VERB = (
    r"(?:forget(?: about)?|skip|drop|scratch|scrap|cancel|scrub|omit|lose|ditch|bin|leave out|"
    r"strike|never-mind|never mind|do without|remove|call off|forgo|sack off|nix|axe|"
    r"no more need for|there 's no need (?:for|to)|there is no need (?:for|to)|no need (?:for|to)|"
    r"(?:i|we) (?:don't|won't|no longer) (?:need|want)(?: to have)?(?: any)?(?: to)?|"
    r"you (?:don't|do not|needn't|need not) (?:have to |need to |bother to |bother with )?|"
    r"(?:don't|do not) (?:bother|worry)(?: about| with| to)?|(?:i|we) (?:make|do|"
    r"cook)(?: it)? without|"
    r"(?:let's )?(?:make|do|cook)(?: it)? without|(?:i|we) can do without|hold|keep out|"
    r"take out|without|"
    r"i (?:'ve|have) (?:changed my mind|thought better) (?:about|of)|not the|no second)"
)
_CALLED_OFF = re.compile(
    rf"{_SOFT}(?P<verb>{_VERB})(?: |(?<= )){DETERMINER}(?:the )?(?P<what>\S+(?: .*)?)"
)
_LEFT_OUT = re.compile(
    rf"{_SOFT}(?:leave|keep|take|call|miss|rule) {DETERMINER}(?P<what>@o\d+|it|that|them|"
    rf"\S+ing) (?:out|off)(?P<behind>.*)"
)
_OUT = re.compile(
    rf"{_SOFT}{DETERMINER}(?P<what>@o\d+|\S+ing) (?:is|are|'s) (?:off|cancelled|canceled|out|"
    rf"not needed|"
    r"no longer needed|unnecessary|not necessary)(?: the (?:list|menu|table))?"
)
_NO_THING = re.compile(
    r"(?:(?:please|ok|actually|oh|so|well|and) )*+no (?:more )?(?P<what>@o\d+|"
    r"second \S+)(?P<behind>.*)"
)
_DISLIKE = re.compile(
    r"(?: (?:please|at all|in it|in mine|for me|today|thanks|thank you|this time))*"
)
_LATER = re.compile(
    r"(?<!\S)(?:yet|now|later|first|until|till|before|so fast|for now|moment)(?!\S)"
)
_TAIL = re.compile(
    r"(?: (?:please|today|then|now|after all|altogether|entirely|completely|this time|for us|"
    r"anymore|any more|at all|from the (?:list|recipe|plan)|task|subtask|step|part|thing|stuff|too|"
    r"either|again|in it|thanks|thank you|instead|will you|up|away|back|in|out|with|any|"
    r"for me|myself))*+"
)
_ALL = re.compile(
    r"(?:it all|it off|that off|everything|all of it|the lot|the whole (?:thing|lot|recipe)|"
    r"all|the recipe|cooking)"
    r"(?: please| then| now)*"
)
_IT = frozenset({"it", "that", "this", "them"})
_NEEDS_OPEN = frozenset({"hold", "not the"})


class Drop:
    """Finds the subtasks that words call off."""

    def __init__(self, context: TalkContext, tasks: Tasks) -> None:
        self._open = [s for s in context.subtasks if s.status in _OPEN]
        self._proposed = {p.subtask for p in context.proposals}
        self._tasks = tasks
        self._names = {
            thing.name: [name_words(name) for name in (thing.name, *thing.also)]
            for thing in context.objects
        }
        self._gerunds = {form: verb for verb in tasks.kin for form in gerunds(verb)}

    def off(self, clause: Clause) -> tuple[str, ...] | None:
        """The subtasks that a clause calls off for good, or None."""
        line = clause.line
        if clause.asks or clause.too_long or not self._open or _LATER.search(line):
            return None
        for pattern in (_LEFT_OUT, _OUT, _NO_THING):
            match = pattern.fullmatch(line)
            if match is not None:
                behind = match.groupdict().get("behind") or ""
                if _DISLIKE.fullmatch(behind) is not None:
                    return self._what(clause, match["what"])
        match = _CALLED_OFF.fullmatch(line)
        if match is None or match["verb"] in _NEEDS_OPEN:
            return None
        own = match["verb"].startswith("i ") and "want" in match["verb"]
        return self._what(clause, match["what"], own=own)

    def _what(self, clause: Clause, what: str, *, own: bool = False) -> tuple[str, ...] | None:
        if _ALL.fullmatch(what):
            return tuple(s.id for s in self._open) if what != "cooking" else None
        first = what.removeprefix("to ").split()[0]
        if own and first in self._tasks.kin:
            return None  # "I don't want to chop onions" is a no, not an end of onions
        words = what.split()
        words = [w for w in words if w not in ("the", "a", "any", "to", "it", "all", "of")] or words
        if words[0] in ("second", "extra", "last") and len(words) > 1:
            again = [s for s in self._open if "again" in name_words(s.words)]
            return (again[0].id,) if len(again) == 1 else None
        verb = self._gerunds.get(words[0]) or (words[0] if words[0] in self._tasks.kin else None)
        things = [word for word in words if word.startswith("@o")]
        rest = [w for w in words if not w.startswith("@") and (verb is None or w != words[0])]
        rest = [w for w in rest if w not in ("into", "in", "on", "the", "for", "with")]
        if rest and _TAIL.fullmatch("".join(f" {word}" for word in rest)) is None:
            return None
        found = self._open
        if verb is not None:
            alike = self._tasks.kin.get(verb, {verb})
            found = [s for s in found if alike & set(name_words(s.words)[:1])]
            if words[-1] == "away" or "away" in words:
                found = [s for s in found if "away" in name_words(s.words)]
            if not things:
                return (found[0].id,) if len(found) == 1 or (found and verb == "stir") else None
        if not things:
            return None
        for key in things:
            found = [s for s in found if self._about(s, clause, key)]
        return tuple(s.id for s in found) or None

    def _about(self, subtask: TalkSubtask, clause: Clause, key: str) -> bool:
        words = set(name_words(subtask.words))
        names = [name for thing in clause.mention(key).objects for name in self._names[thing]]
        return any(bool(name) and set(name) <= words for name in names)
