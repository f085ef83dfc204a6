"""Ways to change a phrase that leave its meaning as it is, for `tests.talk.vary`.

A change takes a phrase and a random source and gives the phrase anew, or nothing where it would not
be said so, or might mean something else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tests.talk.corpus import Act, Phrase, moment

Change = Callable[[Phrase, random.Random], "Phrase | None"]

_VERBS = [
    "get",
    "fetch",
    "grab",
    "bring",
    "hand",
    "pass",
    "give",
    "put",
    "pour",
    "add",
    "chop",
    "slice",
    "dice",
    "cut",
    "stir",
    "mix",
    "prepare",
    "wash",
    "return",
    "take",
]
_BARE = re.compile(
    rf"((?:Hey )?(?:R\d|Arm),? )?(?:{'|'.join(_VERBS)})\b(?! (?:care|it easy))", re.I
)
_NAMES = re.compile(r"(?:I|I'\w+|R\d|Caesar|Greek|Guacamole|[A-Z]{2,})\b")
_FILLERS = ("Um, ", "So, ", "Oh, ", "Listen, ", "Well, ", "Er, ", "Hey, ", "Uh ", "Right, so ")
_DEAR = ("mate", "dear", "my friend", "guys", "folks", "buddy", "love", "team", "pal", "everyone")
_KIND = (
    "Would you be so kind as to {}?",
    "Could you possibly {}?",
    "Would you please {}?",
    "Can you maybe {}?",
    "Would somebody please {}?",
    "I'd like you to {}.",
    "Could I ask you to {}?",
    "It'd be great if you could {}.",
    "Would it be possible to {}?",
    "I need you to {}.",
    "Any chance you could {}?",
)
_POLITE = (
    "thanks", "would you", "if you don't mind", "if that's all right", "if you would", "will you",
    "if it's not too much trouble", "when you get a chance", "thank you very much", "cheers",
    "if you'd be so kind", "when you have a moment",
)  # fmt: skip
_NAMING = re.compile(
    r"\b(?:R\d|arm|pepper|sauce|ranch|lettuce|bowl|pot|tomato\w*|stock|onions?|cream|salt|yogh?urt|"
    r"bananas?|stir\w*|chop\w*|wash\w*|slic\w+)\b", re.I,
)  # fmt: skip
_REASONS = (
    "my hands are wet", "because I'm busy", "I'm in a hurry", "my hands are full",
    "I can't reach it", "since you're closer", "I've got flour all over my fingers",
    "so that I can sit down", "my back hurts", "as I'm too tired",
)  # fmt: skip
_REMARKS = (
    "the kids are hungry", "we're in a hurry", "the guests will be here soon", "it smells great",
    "it's getting late", "I'm starving", "my sister is coming over", "I love this song",
    "what a day", "it's hot in here", "I'm so tired today", "the phone is ringing",
)  # fmt: skip
_SAME: Mapping[str, Sequence[str]] = {
    "get": ("fetch", "grab", "bring"),
    "fetch": ("get", "grab", "bring"),
    "grab": ("get", "fetch"),
    "maybe": ("perhaps",),
    "perhaps": ("maybe",),
    "ranch sauce": ("ranch", "ranch dressing", "dressing"),
    "ranch dressing": ("ranch sauce", "dressing"),
    "R2": ("the mobile robot",),
    "the mobile robot": ("R2",),
    "R1": ("the arm",),
    "the arm": ("R1",),
    "stock": ("vegetable stock", "broth"),
    "vegetable stock": ("stock", "vegetable broth"),
    "yoghurt": ("yogurt",),
    "yeah": ("yep", "yes", "yup"),
    "yes": ("yeah", "yep", "yup"),
    "nope": ("no", "nah"),
    "okay": ("ok", "alright"),
    "ok": ("okay", "alright"),
    "just": ("simply",),
    "finished": ("done",),
    "everything": ("all of it",),
    "right now": ("now", "straight away"),
    "hold on": ("hang on",),
    "can you": ("could you", "would you", "will you"),
    "could you": ("can you", "would you"),
    "don't want": ("do not want", "wouldn't want"),
    "let's": ("let us",),
    "cook": ("make", "prepare"),
    "would like": ("want",),
    "I'd like": ("I want", "I'd love", "I would like"),
}
_OPEN: Mapping[str, str] = {
    "I'm": "I am", "I've": "I have", "I'll": "I will", "I'd": "I would", "don't": "do not",
    "it's": "it is", "can't": "cannot", "doesn't": "does not", "won't": "will not",
    "let's": "let us", "that's": "that is", "you're": "you are", "isn't": "is not",
    "what's": "what is", "we're": "we are", "we'll": "we will", "didn't": "did not",
    "shouldn't": "should not", "haven't": "have not", "there's": "there is", "R1's": "R1 is",
}  # fmt: skip


def kinds(phrase: Phrase) -> frozenset[str]:
    """The kinds of acts in any of its readings."""
    return frozenset(act.kind for reading in phrase.readings for act in reading)


def said(phrase: Phrase, text: str) -> Phrase | None:
    """The phrase in these words; nothing if they are the same."""
    return replace(phrase, text=text) if text != phrase.text else None


def _small(text: str) -> str:
    return text if _NAMES.match(text) else text[:1].lower() + text[1:]


def _cut(text: str) -> str:
    return text.rstrip(" .!?…;,")


def _plain(phrase: Phrase) -> bool:
    """Not the words of others, nor to somebody else, nor a saying with a rhythm of its own."""
    return not re.search(r"[\"“”:(]|['‘]\w[^']*'(?!\w)", phrase.text) and len(phrase.text) > 1


def _proposed(phrase: Phrase) -> bool:
    return bool(moment(phrase.context).proposals or moment(phrase.context).offered)


def _order(phrase: Phrase) -> bool:
    """One bare imperative, in one sentence."""
    one = "request" in kinds(phrase) and kinds(phrase) <= {"request", "accept"}
    one = one and _BARE.match(phrase.text) is not None
    return one and not re.search(r"[.!?;—-] ?\w", phrase.text)


def _named(text: str) -> str:
    """Who a bare order is said to, with what follows the name."""
    found = _BARE.match(text)
    return (found[1] or "") if found else ""


def _lead(name: str, text: str) -> str:
    return _small(text) if name else text


def filler(phrase: Phrase, rng: random.Random) -> Phrase | None:
    word = rng.choice(_FILLERS)
    sighs = word == "Oh, " and len(phrase.text.split()) < 3  # "oh, stop"
    agrees = "Right" in word and _proposed(phrase) and bool(kinds(phrase) & {"remark", "ask"})
    calls = word in ("Hey, ", "Listen, ") and "remark" in kinds(phrase)
    if not _plain(phrase) or sighs or agrees or calls:
        return None
    return said(phrase, word + _small(phrase.text))


def please(phrase: Phrase, rng: random.Random) -> Phrase | None:
    if _order(phrase) and "please" not in phrase.text.lower():
        name, end = _named(phrase.text), rng.choice((" please.", ", please", " please!"))
        front = name + _lead(name, f"Please {_small(_cut(phrase.text[len(name) :]))}.")
        return said(phrase, rng.choice((front, _cut(phrase.text) + end)))
    found = re.sub(
        r"\b((?:can|could|would|will) (?:you|R1|R2))\b", r"\1 please", phrase.text, count=1
    )
    return said(phrase, found) if kinds(phrase) == {"request"} else None


def courteous(phrase: Phrase, rng: random.Random) -> Phrase | None:
    if not _order(phrase) or "please" in phrase.text.lower():
        return None
    name, form = _named(phrase.text), rng.choice(_KIND)
    if name and "somebody" in form:
        return None
    bare = _small(_cut(phrase.text[len(name) :]))
    if "," in bare or " im " in bare:  # more than the question follows
        form = form.replace("?", ".")
    return said(phrase, name + _lead(name, form.format(bare)))


def vocative(phrase: Phrase, rng: random.Random) -> Phrase | None:
    if not _plain(phrase) or "remark" in kinds(phrase) or len(phrase.text.split()) < 2:
        return None
    name, end = rng.choice(_DEAR), phrase.text[len(_cut(phrase.text)) :]
    if name in ("everyone", "team", "guys", "folks") and "stop" in kinds(phrase):
        name = "mate"
    if rng.random() < 0.3 and name not in ("dear", "love"):  # that may be said to somebody else
        return said(phrase, f"{name.capitalize()}, {_small(phrase.text)}")
    return said(phrase, _cut(phrase.text) + rng.choice((", ", " ")) + name + end)


def called(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """A bare order, said to a robot by name: its agent is that robot."""
    agents = {act.fields["agent"] for r in phrase.readings for act in r if act.kind == "request"}
    if (
        kinds(phrase) != {"request"}
        or not _order(phrase)
        or agents != {None}
        or re.search(r"\bR\d|\barm\b|robot", phrase.text)
    ):
        return None
    who = rng.choice(("R1", "R2"))
    form = rng.choice(("{0}, {1}", "{0} {1}", "Hey {0}, {1}", "{0} my dear, {1}", "{2}, {0}."))
    text = form.format(who, _small(phrase.text), _cut(phrase.text))
    own = [
        tuple(Act(a.kind, {**a.fields, "agent": who}) if a.kind == "request" else a for a in r)
        for r in phrase.readings
    ]
    return replace(phrase, text=text, readings=tuple(own))


def polite_end(phrase: Phrase, rng: random.Random) -> Phrase | None:
    if not _order(phrase):
        return None
    return said(phrase, _cut(phrase.text) + rng.choice((", ", " ")) + rng.choice(_POLITE) + ".")


def reason(phrase: Phrase, rng: random.Random) -> Phrase | None:
    own = any(a.fields.get("agent") == "user" for r in phrase.readings for a in r)
    if kinds(phrase) != {"request"} or own or not _plain(phrase):
        return None
    said_, joint = rng.choice(_REASONS), rng.choice((", ", ". ", " - ", " ", " — "))
    if joint == ". ":
        said_ = said_[0].upper() + said_[1:]
    return said(phrase, _cut(phrase.text) + joint + said_ + ".")


def remark_behind(phrase: Phrase, rng: random.Random) -> Phrase | None:
    end = phrase.text[len(_cut(phrase.text)) :]
    if not _plain(phrase) or kinds(phrase) & {"choose"} or len(phrase.text.split()) < 3:
        return None
    said_, joint = rng.choice(_REMARKS), rng.choice((", ", ". ", " - ", " "))
    if kinds(phrase) & {"accept", "decline"} and not _NAMING.search(phrase.text):
        joint = ". "  # a bare answer beside other matters may be to those
    if "?" in end or joint == ". ":
        joint, said_ = (end or ".") + " ", said_[0].upper() + said_[1:]
    return said(phrase, _cut(phrase.text) + joint + said_ + ".")


def remark_in_front(phrase: Phrase, rng: random.Random) -> Phrase | None:
    if not _plain(phrase) or kinds(phrase) & {"choose"} or len(phrase.text.split()) < 3:
        return None
    said_ = rng.choice(_REMARKS)
    said_ = said_[0].upper() + said_[1:]
    orders = kinds(phrase) <= {"request", "done", "stop"} and rng.random() < 0.5
    return said(phrase, said_ + (", " + _small(phrase.text) if orders else ". " + phrase.text))


def unpunctuated(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """As it is written down by a machine that hears: one sentence without its points."""
    one = not re.search(r"[.!?;:—…-]\s+\w", phrase.text) and _plain(phrase)
    commas = phrase.text.count(",")
    return said(phrase, re.sub(r"[,.!?]+(?=\s|$)", "", phrase.text)) if one and commas < 2 else None


def lower(phrase: Phrase, rng: random.Random) -> Phrase | None:
    return said(phrase, phrase.text.lower())


def capitals(phrase: Phrase, rng: random.Random) -> Phrase | None:
    return said(phrase, phrase.text.upper())


def loud(phrase: Phrase, rng: random.Random) -> Phrase | None:
    return said(phrase, re.sub(r"\.$|(?<=\w)$", rng.choice(("!", "!!", "...")), phrase.text))


def contraction(phrase: Phrase, rng: random.Random) -> Phrase | None:
    text = phrase.text.replace("’", "'")
    for short, long in _OPEN.items():
        if re.search(rf"\b{short}\b", text, re.I):
            text = re.sub(rf"\b{short}\b(?! \w+ed\b)", long, text, flags=re.I)
        elif short not in ("let's", "can't"):
            text = re.sub(rf"\b{long}\b(?=\s\w)", short, text, flags=re.I)
    return said(phrase, text[:1].upper() + text[1:] if phrase.text[:1].isupper() else text)


def slip(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """Two letters swapped, or one doubled, within a long ordinary word."""
    words = [m for m in re.finditer(r"\b[a-z]{6,}\b", phrase.text) if "robot" not in m[0]]
    if not words:
        return None
    word = rng.choice(words)
    at = rng.randrange(1, len(word[0]) - 2)
    one, two = word[0][at], word[0][at + 1]
    slipped = word[0][:at] + (two + one if rng.random() < 0.5 else one + one + two)
    return said(phrase, phrase.text[: word.start()] + slipped + word[0][at + 2 :]
                + phrase.text[word.end() :])  # fmt: skip


def synonym(phrase: Phrase, rng: random.Random) -> Phrase | None:
    text = phrase.text
    fits = [w for w in _SAME if re.search(rf"(?<![\w-]){re.escape(w)}(?![\w'-])", text)]
    if not fits or "remark" in kinds(phrase) or not _plain(phrase):
        return None
    word = rng.choice(fits)
    if word in ("get", "grab", "fetch") and re.search(
        rf"\b{word} (?:to|on|in|out|off|away|rid|it|back|the hang|go|going|started|ready|"
        rf"your|you)\b|"
        rf"(?:may|can|to|should) I {word}", text
    ):  # fmt: skip
        return None
    other = rng.choice(_SAME[word])
    return said(phrase, re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w'-])", other, text, count=1))


def stammer(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """A small word said twice."""
    words = list(re.finditer(r"\b(?:the|I|to|a|can|is|and|with|my|we|R1|R2)\b(?= \w)", phrase.text))
    if not words:
        return None
    word = rng.choice(words)
    again = word[0] if word[0] in ("I", "R1", "R2") else word[0].lower()
    return said(phrase, f"{phrase.text[: word.end()]} {again}{phrase.text[word.end() :]}")


def doubled(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """ "No no", "yes, yes", "stop stop"."""
    if not (kinds(phrase) & {"accept", "decline", "stop"}) or "remark" in kinds(phrase):
        return None
    form = rng.choice((r"\1 \2", r"\1, \2"))
    found = re.match(r"(no|yes|yeah|stop|wait|sure|nope)\b(?! \1)(?!, \1)", phrase.text, re.I)
    if not found:
        return None
    again = form.replace(r"\1", found[0]).replace(r"\2", found[0].lower())
    return said(phrase, again + phrase.text[found.end() :])


def hesitation(phrase: Phrase, rng: random.Random) -> Phrase | None:
    """A sound or a pause before a thing."""
    words = list(re.finditer(r"(?<=\w) the (?=\w)", phrase.text))
    if not words or not _plain(phrase):
        return None
    word = rng.choice(words)
    mark = rng.choice((" the uh ", " the, um, ", " uh the ", "... the ", " the… ", " — the "))
    return said(phrase, phrase.text[: word.start()] + mark + phrase.text[word.end() :])


CHANGES: Mapping[str, Change] = {
    change.__name__: change
    for change in (
        filler, please, courteous, vocative, called, polite_end, reason, remark_behind,
        remark_in_front, unpunctuated, lower, capitals, loud, contraction, slip, synonym, stammer,
        doubled, hesitation,
    )
}  # fmt: skip
"""By name."""
OFTEN: Mapping[str, int] = {"please": 3, "courteous": 8, "called": 6, "polite_end": 8, "doubled": 2}
"""How often a change that fits few phrases is made to each."""
