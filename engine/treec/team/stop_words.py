"""Recognizes utterances that say nothing but stop, so that a stop depends on no parser.

A stop may be misspelt by a letter ("stpo"), drawn out ("stoooop") or stuttered ("s-stop"): a word
too many that stops a robot does less harm than one that does not. A stop for somebody who is not
there ("stop R3") stops everybody, since nobody knows whose name was mistaken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.files.hearing import HearingFile
from treec.team.talk import TalkAgent
from treec.team.words import any_of

STOP = "stop"
"""The kind of act; a reading that has it, with the field `agent` alone, hears these words."""

_SPELT = re.compile(r"(?<![\w'’])(?:\w[ .\-]+){2,}\w(?![\w'’])")
"""Letter by letter: "s t o p", "S.T.O.P"."""

_NUMBERED = re.compile(r"(?<![\w'’-])(?=[\w-]{2,16}(?![\w'’-]))[^\W\d_]{1,8}-?\d[\w-]*")
"""A name such as robots have: "R3", "arm2", "R2-D2"."""
_CALLED = re.compile(r"^\W*([A-Z][^\W\d_]+)\s*,|(?<=[\w,])\s+([A-Z][^\W\d_]+)\W*$")
"""Who is spoken to: a word with a capital and a comma at the beginning, or one at the end."""

REACH = 3
"""How many words after a negation are negated by it."""
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_CLAUSE = re.compile(r"[^,:()\u2013\u2014]+")


class StopWords:
    """The words by which a stop is heard, of a hearing file."""

    def __init__(self, file: HearingFile) -> None:
        words = {sort: frozenset(said) for sort, said in file.stops.items()}
        self.stops = words.get("stop", frozenset())
        self.beside = words.get("beside", frozenset())
        """Words that may stand beside a stop and do not change it."""
        self._unlike = words.get("unlike", frozenset())
        self._answers = words.get("answers", frozenset())
        negations = words.get("negations", frozenset())
        self.negations = {word for word in negations if not word.startswith("*")}
        self._negation_endings = tuple(word[1:] for word in negations - self.negations)
        self._through = words.get("through", frozenset())
        self._cries = words.get("cries", frozenset())
        self._nouns = words.get("nouns", frozenset())
        self._objects = words.get("objects", frozenset())
        self._undone = tuple(file.stops.get("undone", ()))
        self._doing = tuple(file.progressive)
        self._later = re.compile(rf"\b(?:{any_of(words.get('later', ()))})\b")
        self._emphasis = re.compile("|".join(file.stops.get("emphasis", ())) or r"(?!)")
        stop = "|".join(map(re.escape, self.stops))
        self._glued = re.compile(
            rf"(?<=\d)-?(?=(?:{stop})\b)|"
            + "|".join(rf"(?<=\b{re.escape(one)})-?(?=\w*\d)" for one in self.stops),
            re.IGNORECASE,
        )
        """Where a stop runs into a name: "R2stop"."""

    def stop_acts(self, text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
        """The acts of an utterance such as "R2, stop!": one for each robot named, or one for all.

        Empty if the utterance contains anything else, or is a question; the parser reads it then.
        """
        spaced = self._glued.sub(" ", text)
        robots, rest = _mentions(spaced, agents)
        spelt = _SPELT.sub(lambda match: re.sub(r"\W", "", match[0]), rest)
        words = _words(self._emphasis.sub(" ", spelt))
        stops = [word for word in words if word not in self.beside and self._is_stop(word)]
        strangers = [name.lower() for name in self.unknown_names(spaced, agents)] if stops else []
        if "?" in rest or not stops or not {*stops, *self.beside, *strangers}.issuperset(words):
            return []
        return _acts(text, [] if strangers else robots)

    def unknown_names(self, text: str, agents: Sequence[TalkAgent]) -> list[str]:
        """Who is spoken to or of by a name that nobody has: "stop R3", "Robbie, stop!".

        A name has a number in it, or stands with a capital at the beginning or the end of the text.
        """
        known = {
            word
            for agent in agents
            for name in agent.names()
            for word in (name.lower(), *name.lower().split())
        }
        text = self._glued.sub(" ", text)
        found = [*_NUMBERED.findall(text)]
        if text != text.upper():
            found += [name for match in _CALLED.finditer(text) for name in match.groups() if name]
        return [
            name
            for name in dict.fromkeys(found)
            if (word := name.lower()) not in known | self.beside | self._answers
            and not self._is_stop(word)
        ]

    def stop_acts_in(self, text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
        """The same for any utterance in which "stop" is a word that is not negated.

        For words that nothing else can read: a stop that nobody meant costs a moment.
        """
        robots, rest = _mentions(text, agents)
        words = _words(rest)
        for place, word in enumerate(words):
            if word in self.stops and not any(
                map(self._negates, words[max(place - REACH, 0) : place])
            ):
                return _acts(text, robots)
        return []

    def cried_stop(self, text: str, agents: Sequence[TalkAgent]) -> tuple[int, int] | None:
        """Where a stop stands for itself, whatever else is said: its clause.

        "No, stop", "that is wrong stop", "get the salt. Wait, stop it!": in a clause of its own, or
        at the end of one. Not where it is denied ("do not stop"), asked for, told, or for later
        ("if it boils, stop"), or where more follows than who or what is to stop.
        """
        lower = text.lower()
        names = {word for one in agents for name in one.names() for word in name.lower().split()}
        for sentence in _SENTENCE.finditer(lower):
            if "?" in sentence[0] or not any(word in sentence[0] for word in self.stops):
                continue
            for clause in _CLAUSE.finditer(lower, sentence.start(), sentence.end()):
                words = _words(clause[0])
                at = next((n for n, word in enumerate(words) if word in self.stops), None)
                if at is None or self._later.search(lower, sentence.start(), clause.end()):
                    continue
                before, after = words[:at], words[at + 1 :]
                known = self.beside | self.stops | self._objects | names
                rest = [word for word in after if word not in known]
                cries = self.beside | self._cries | names
                is_cried = {*before} <= cries or before[-1] not in self._nouns
                carried = [*before]
                while carried and carried[-1] in self._through | names:
                    carried.pop()
                denied = bool(carried) and self._negates(carried[-1])
                told = all(
                    word.endswith(self._doing) and not word.endswith(self._undone) for word in rest
                )
                if is_cried and told and not denied:
                    start = clause.start() + len(clause[0]) - len(clause[0].lstrip())
                    return start, clause.start() + len(clause[0].rstrip(" .!;\n"))
        return None

    def cried_stop_acts(self, text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
        """The acts of a cried stop: for the robots that its sentence names, or for all."""
        span = self.cried_stop(text, agents)
        if span is None:
            return []
        sentence = next(one for one in _SENTENCE.finditer(text) if one.end() > span[0])
        return _acts(text[slice(*span)], _mentions(sentence[0], agents)[0])

    def _negates(self, word: str) -> bool:
        return word in self.negations or word.endswith(self._negation_endings)

    def _is_stop(self, word: str) -> bool:
        """Whether the word is a stop, as it is or as somebody in a hurry types or cries it."""
        if word in self.stops:
            return True
        *stutter, last = word.split("-")
        if stutter:
            return self._is_stop(last) and all(last.startswith(piece) for piece in stutter)
        from rapidfuzz.distance import OSA  # what only checks needs no distances

        plain = re.sub(r"(.)\1+", r"\1", word)
        if word in self._unlike or plain in self._unlike:
            return False
        return any(
            len(word) > 2 and OSA.distance(one, of, score_cutoff=1) <= 1
            for stop in self.stops
            for one, of in ((word, stop), (plain, re.sub(r"(.)\1+", r"\1", stop)))
        )


def _mentions(text: str, agents: Sequence[TalkAgent]) -> tuple[list[str], str]:
    """The robots that are named, in order, and the words without their names."""
    whole = rest = text.lower()
    found: list[tuple[int, str]] = []
    for agent in agents:
        if agent.person:
            continue
        for name in agent.names():
            pattern = rf"(?<![\w-]){re.escape(name.lower())}(?!-?\w)"
            if re.search(pattern, rest) and (match := re.search(pattern, whole)):
                found.append((match.start(), agent.name))
                rest = re.sub(pattern, " ", rest)
    return [name for _, name in sorted(found)], rest


def _words(text: str) -> list[str]:
    words = (word.strip("'’-–—") for word in re.findall(r"[\w'’-]+", text))
    return [word for word in words if word]


def _acts(text: str, robots: Sequence[str]) -> list[dict[str, object]]:
    quote = text.strip(" \t\n.!,;:")
    named: list[str | None] = [*dict.fromkeys(robots)]
    return [{"kind": STOP, "quote": quote, "agent": name} for name in named or [None]]
