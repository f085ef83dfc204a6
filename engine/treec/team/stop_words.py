"""Recognizes utterances that say nothing but stop, so that a stop depends on no parser.

A stop may be misspelt by a letter ("stpo"), drawn out ("stoooop") or stuttered ("s-stop"): a word
too many that stops a robot does less harm than one that does not. A stop for somebody who is not
there ("stop R3") stops everybody, since nobody knows whose name was mistaken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.team.talk import TalkAgent

STOP = "stop"
"""The kind of act; a reading that has it, with the field `agent` alone, hears these words."""

STOPS = frozenset({"stop", "halt", "freeze", "e-stop"})
UNLIKE = frozenset(
    {
        *(
            "step",
            "shop",
            "stow",
            "slop",
            "swop",
            "strop",
            "stomp",
            "stops",
            "sop",
            "top",
            "to",
            "atop",
        ),
        *("half", "hall", "halo", "hale", "hart", "haft", "hat", "hast", "halts", "hal"),
        *("salt", "malt", "shalt", "alt"),
        *("freezer", "freezes", "frieze", "breeze"),
    }
)
"""Words that are a letter away from a stop and are none."""
FILLERS = frozenset(
    {
        *("please", "now", "right", "immediately", "at", "once", "there", "here", "just"),
        *("and", "it", "hey", "oh", "whoa", "emergency", "moving", "working"),
        *("everybody", "everyone", "everything", "all", "both", "two", "of", "you", "them"),
        *("the", "robots", "robot", "arm", "machine", "number", "one", "three", "four", "five"),
        *("first", "second", "third", "fourth", "fifth", "other"),
    }
)
"""Words that may stand beside a stop and do not change it; not "no" and "ok", which are acts."""
ACTS = frozenset({"no", "not", "yes", "ok", "okay", "sure", "right", "fine", "thanks", "but"})
"""Words that can stand before a stop with a comma, as a name does, and are none."""

EMPHASIS = re.compile(
    r"\bi (?:just |already )?(?:said|say|mean|meant|told you(?: to)?)\b"
    r"|\bfor \w+['’]?s sakes?\b|\b(?:god ?)?damn?(?:ed|[ -]?it)?\b|\bnoo+\b"
)
"""Phrases with which a stop is cried again: "I said stop", "for heaven's sake, stop"."""
_SPELT = re.compile(r"(?<![\w'’])(?:\w[ .\-]+){2,}\w(?![\w'’])")
"""Letter by letter: "s t o p", "S.T.O.P"."""

_GLUED = re.compile(r"(?<=\d)-?(?=(?:stop|halt|freeze)\b)|(?<=\bstop)-?(?=\w*\d)", re.IGNORECASE)
"""Where a stop runs into a name: "R2stop"."""
_NUMBERED = re.compile(r"(?<![\w'’-])(?=[\w-]{2,16}(?![\w'’-]))[^\W\d_]{1,8}-?\d[\w-]*")
"""A name such as robots have: "R3", "arm2", "R2-D2"."""
_CALLED = re.compile(r"^\W*([A-Z][^\W\d_]+)\s*,|(?<=[\w,])\s+([A-Z][^\W\d_]+)\W*$")
"""Who is spoken to: a word with a capital and a comma at the beginning, or one at the end."""

NEGATIONS = frozenset({"not", "never", "without", "cannot", "nor"})
REACH = 3
"""How many words after a negation are negated by it."""

_CARRIES = frozenset(
    {
        *("you", "he", "she", "it", "we", "they", "i", "that", "ever", "even", "just", "yet", "so"),
        *("to", "need", "want", "have", "has", "dare", "let", "make", "think", "please", "really"),
        *("should", "must", "will", "would", "can", "could", "may", "shall", "be", "under", "any"),
    }
)
"""Words through which a negation reaches a stop: "I do not think you should stop"."""
_CRIES = frozenset(
    {
        *("no", "nope", "oh", "ah", "ouch", "ow", "wait", "god", "gosh", "my", "ok", "okay", "yes"),
        *("well", "but", "hang", "hold", "on", "careful", "watch", "out", "quick", "quickly"),
    }
)
"""Words that may stand before a cried stop in its clause."""
_NO_CRY = frozenset(
    {
        *("a", "an", "the", "this", "that", "next", "last", "first", "every", "no", "bus"),
        *("tram", "train", "truck", "full", "pit", "non", "to", "will", "would", "shall", "should"),
        *("must", "may", "might", "can", "could", "did", "does", "do", "i", "we", "they", "he"),
        *("she", "it", "you", "and", "or", "then", "word", "say", "says", "said", "saying", "not"),
    }
)
"""A stop right behind one of these, without a pause, is a noun or is told, not cried."""
_BEFORE_LATER = re.compile(
    r"\b(?:if|when|whenever|once|unless|until|till|after|before|as soon as|in case|while|because"
    r"|says|saying|sign|label|reads|written|song)\b"
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_CLAUSE = re.compile(r"[^,:()\u2013\u2014]+")
_NO_DOING = (
    *("thing", "morning", "evening", "worrying", "laughing", "talking", "asking", "complaining"),
    *("joking", "kidding", "crying", "smiling", "thinking", "wondering", "raining", "apologizing"),
)
"""What no robot does, though it ends like what one does."""
_WITH_STOP = frozenset({"that", "this", "what", "are", "is", "going", "on", "doing", "me", "us"})


def stop_acts(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The acts of an utterance such as "R2, stop!": one for each robot named, or one for all.

    Empty if the utterance contains anything else, or is a question; the parser reads it then.
    """
    spaced = _GLUED.sub(" ", text)
    robots, rest = _mentions(spaced, agents)
    spelt = _SPELT.sub(lambda match: re.sub(r"\W", "", match[0]), rest)
    words = _words(EMPHASIS.sub(" ", spelt))
    stops = [word for word in words if word not in FILLERS and _is_stop(word)]
    strangers = [name.lower() for name in unknown_names(spaced, agents)] if stops else []
    if "?" in rest or not stops or not {*stops, *FILLERS, *strangers}.issuperset(words):
        return []
    return _acts(text, [] if strangers else robots)


def unknown_names(text: str, agents: Sequence[TalkAgent]) -> list[str]:
    """Who is spoken to or of by a name that nobody has: "stop R3", "Robbie, stop!".

    A name has a number in it, or stands with a capital at the beginning or the end of the text.
    """
    known = {
        word
        for agent in agents
        for name in agent.names()
        for word in (name.lower(), *name.lower().split())
    }
    text = _GLUED.sub(" ", text)
    found = [*_NUMBERED.findall(text)]
    if text != text.upper():
        found += [name for match in _CALLED.finditer(text) for name in match.groups() if name]
    return [
        name
        for name in dict.fromkeys(found)
        if (word := name.lower()) not in known | FILLERS | ACTS and not _is_stop(word)
    ]


def stop_acts_in(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The same for any utterance in which "stop" is a word that is not negated.

    For words that nothing else can read: a stop that nobody meant costs a moment.
    """
    robots, rest = _mentions(text, agents)
    words = _words(rest)
    for place, word in enumerate(words):
        if word in STOPS and not any(map(_negates, words[max(place - REACH, 0) : place])):
            return _acts(text, robots)
    return []


def cried_stop(text: str, agents: Sequence[TalkAgent]) -> tuple[int, int] | None:
    """Where a stop stands for itself, whatever else is said: its clause.

    "No, stop", "that is wrong stop", "get the salt. Wait, stop it!": in a clause of its own, or at
    the end of one. Not where it is denied ("do not stop"), asked for, told, or for later ("if it
    boils, stop"), or where more follows than who or what is to stop.
    """
    lower = text.lower()
    names = {word for one in agents for name in one.names() for word in name.lower().split()}
    for sentence in _SENTENCE.finditer(lower):
        if "?" in sentence[0] or not any(word in sentence[0] for word in STOPS):
            continue
        for clause in _CLAUSE.finditer(lower, sentence.start(), sentence.end()):
            words = _words(clause[0])
            at = next((n for n, word in enumerate(words) if word in STOPS), None)
            if at is None or _BEFORE_LATER.search(lower, sentence.start(), clause.end()):
                continue
            before, after = words[:at], words[at + 1 :]
            known = FILLERS | STOPS | _WITH_STOP | names
            rest = [word for word in after if word not in known]
            is_cried = {*before} <= FILLERS | _CRIES | names or before[-1] not in _NO_CRY
            carried = [*before]
            while carried and carried[-1] in _CARRIES | names:
                carried.pop()
            denied = bool(carried) and _negates(carried[-1])
            told = all(word.endswith("ing") and not word.endswith(_NO_DOING) for word in rest)
            if is_cried and told and not denied:
                start = clause.start() + len(clause[0]) - len(clause[0].lstrip())
                return start, clause.start() + len(clause[0].rstrip(" .!;\n"))
    return None


def cried_stop_acts(text: str, agents: Sequence[TalkAgent]) -> list[dict[str, object]]:
    """The acts of a cried stop: for the robots that its sentence names, or for all."""
    span = cried_stop(text, agents)
    if span is None:
        return []
    sentence = next(one for one in _SENTENCE.finditer(text) if one.end() > span[0])
    return _acts(text[slice(*span)], _mentions(sentence[0], agents)[0])


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


def _negates(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


def _acts(text: str, robots: Sequence[str]) -> list[dict[str, object]]:
    quote = text.strip(" \t\n.!,;:")
    named: list[str | None] = [*dict.fromkeys(robots)]
    return [{"kind": STOP, "quote": quote, "agent": name} for name in named or [None]]


def _is_stop(word: str) -> bool:
    """Whether the word is a stop, as it is or as somebody in a hurry types or cries it."""
    if word in STOPS:
        return True
    *stutter, last = word.split("-")
    if stutter:
        return _is_stop(last) and all(last.startswith(piece) for piece in stutter)
    from rapidfuzz.distance import OSA  # what only checks needs no distances

    plain = re.sub(r"(.)\1+", r"\1", word)
    if word in UNLIKE or plain in UNLIKE:
        return False
    return any(
        len(word) > 2 and OSA.distance(one, of, score_cutoff=1) <= 1
        for stop in STOPS
        for one, of in ((word, stop), (plain, re.sub(r"(.)\1+", r"\1", stop)))
    )
