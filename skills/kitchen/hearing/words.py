"""Tokenize and normalize an utterance: contractions, dictation, stretched words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or a break between words; `start` and `end` are offsets in the utterance.

    `key` is the word in lower case without accents, or the break's character.
    """

    key: str
    start: int
    end: int
    breaks: bool = False


_TOKEN = re.compile(
    r"(?P<word>[^\W_]+(?:[-'’][^\W_]+)*)"
    r"|(?P<break>[.!?;:,…\n()\"“”—–。！？，、；：]|--+|(?<=\s)-(?=\s))|(?P<and>[&+])"
)
_FULL_WIDTH = str.maketrans('。！？，、；：–…\n"“”()', ".!?,,;:—.." + "," * 5)
_SUFFIX = re.compile(r"(.+)'(s|ll|d|re|ve|m|t)")
_SUFFIXES = {"ll": "will", "d": "would", "re": "are", "ve": "have", "m": "am"}
_NOT = re.compile(
    r"(do|does|did|is|are|was|were|have|has|had|could|would|should|need|must|might)n'?t"
)
_IS_BEHIND = frozenset(
    [
        "he",
        "she",
        "it",
        "that",
        "this",
        "there",
        "here",
        "what",
        "who",
        "where",
        "how",
        "when",
        "which",
        "everything",
        "everyone",
        "nothing",
        "someone",
        "one",
        "something",
        "let",
    ]
)
_SAME: dict[str, str] = {}
for _line in """
don't dont: do not | can't cant cannot: can not | won't wont: will not | shan't shant: will not
ain't aint: is not | gonna: going to | wanna: want to | gotta: have to | hafta: have to
gimme: give me | lemme: let me | dunno: do not know | kinda sorta: kind of | outta: out of
cuz cos coz 'cause cause becuz: because | u ya: you | ur: you are | pls plz plse pleez: please
thx ty tnx thanx: thanks | w: with | r: are | im: i am | ive: i have | youre: you are
ya'll: you all | its: it is | youve: you have | youll: you will | theyre: they are
theyve: they have | theyll: they will | hes: he is | shes: she is | thats: that is
whats: what is | wheres: where is | whos: who is | hows: how is | theres: there is
heres: here is | itll: it will | thatll: that will | weve: we have | thatd: that would
itd: it would | theyd: they would | youd: you would | lets let's: let's | y'all yall: you all
c'mon cmon: come on | 'em em: them | 'til til: until | tho: though | thru: through
okay okey okie okeydoke ok'd k kk kay mkay oki: ok | yeah yep yup yea yeh ya-huh yah: yes
yess yepp yeahh yeahp ye aye: yes | nope nah naw nay noo noes: no | nevermind: never mind
alright allright aight alreet: ok | everybody: everyone | somebody: someone | anybody: anyone
uh-huh mhm mm-hmm mhmm uhuh: yes | uh-uh nuh-uh: no | o'clock: oclock | someone'd: someone would
shoulda: should have | coulda: could have | woulda: would have | tryna: try to | oughta: ought to
needa: need to | betta: better | lotta: lot of | info: information | veggies: vegetables
veg: vegetables | gd: good
tater taters: potatoes | toms: tomatoes | nana nanas: bananas | 'tis: it is
spud spuds tattie tatties: potatoes | shrooms: mushrooms | cuke cukes: cucumber
avo avos: avocado | caulis: cauliflower | evoo: olive oil | parm: cheese
yoghourt: yoghurt | whatcha: what are you | whaddya: what do you | didja: did you | bc: because
rn: right now | asap: immediately | atm: at the moment | btw: by the way | tbh: honestly
smth sth summat smthn: something | owt: anything | nowt: nothing | obvs: obviously
defo def: definitely | gie: give | gonnae: will you | ah: oh | ah'll: i will | haud: hold
oot: out | ye: you | masel maself meself: myself | nane: none | o': of | wee: little
dinnae: do not | cannae: can not | willnae: will not | isnae: is not | wasnae: was not
didnae: did not | wouldnae: would not | couldnae: could not | shouldnae: should not | hae: have
tae: to | fae: from | wi wi': with | aff: off | doon: down | noo: now | mair: more
jist jus: just | yer: your | bairn bairns weans: kids | och: oh | ye'll: you will | ma: my
a': all | th': the | o: of | till: until | n 'n: and | nae: no | dat: that | dis: this
dem: them | lil: little | bout: about | gon: going to | imma: i will | finna: going to
spag: spaghetti | bol: bolognese | guac: guacamole | omlet omlette omelet: omelette | 1st: first
2nd: second | 3rd: third | mins: minutes | secs: seconds | luv: love
seizure seizer cesare sezar ceasar caeser: caesar
sarnie: sandwich | butty: sandwich | ta: thanks | innit: right | idk: i do not know
un-pause: unpause | re-start: restart
imo: i think | np: no problem | nvm: never mind | omw: on my way | wdym: what do you mean
""".replace("\n", "|").split("|"):
    if _line.strip():
        _said, _plain = _line.split(": ", 1)
        _SAME.update(dict.fromkeys(_said.split(), _plain.strip()))
_JOINED_WITH = frozenset(["go", "goes", "get", "come", "work", "it", "them", "that", "put", "mix"])
_OWNING = frozenset(
    [
        "to",
        "in",
        "into",
        "on",
        "of",
        "from",
        "with",
        "at",
        "off",
        "by",
        "inside",
        "back",
        "under",
        "behind",
    ]
)
_LETTERS = {"y": "yes", "and": "no", "k": "ok"}
"""Single letters that are a whole answer; "n" has already been expanded to "and"."""
_STRETCHED = re.compile(r"([a-z])\1{2,}")
_AFTER_BE = frozenset(
    ["am", "is", "are", "feel", "feeling", "was", "were", "be", "got", "very", "so"]
)


def plainly(word: str) -> str:
    """The normalized spelling of a word: "somebody" for "someone"."""
    meaning = _SAME.get(word, word)
    return word if " " in meaning else meaning


def word_set(text: str) -> frozenset[str]:
    """The words of a line, for readable lists of words."""
    return frozenset(text.split())


def fold(word: str) -> str:
    """The word in lower case, without accents, with plain apostrophes."""
    plain = unicodedata.normalize("NFKD", word.replace("’", "'").casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def words_of(text: str) -> list[Word]:
    """The words and breaks of a text, with contractions expanded."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match["break"]:
            found.append(Word(match["break"][0].translate(_FULL_WIDTH), start, end, breaks=True))
            continue
        key = fold(match["word"]) if match["word"] else "and"
        if not key:
            continue
        if key == "ye" and not found:
            key = "yes"
        before = found[-1].key if found else ""
        found += [Word(part, start, end) for part in _spelt_out(key, before)]
    if len(found) == 1 and found[0].key in _LETTERS:
        found = [Word(_LETTERS[found[0].key], found[0].start, found[0].end)]
    return _let_us(found)


def _let_us(words: list[Word]) -> list[Word]:
    """ "Let us cook" as "let's cook", "no one" as "nobody"; "let us know" stays."""
    result: list[Word] = []
    for index, word in enumerate(words):
        behind = words[index + 1].key if index + 1 < len(words) else ""
        if (
            word.key == "us"
            and result
            and result[-1].key == "let"
            and behind not in ("have", "know", "see")
        ):
            before = result.pop()
            result.append(Word("let's", before.start, word.end))
        elif (
            word.key == "is"
            and behind == "got"
            and result
            and result[-1].key in ("someone", "somebody", "everyone", "one", "who")
        ):
            result.append(Word("has", word.start, word.end))
        elif (
            word.key == "right"
            and len(result) > 1
            and result[-1].key == "all"
            and result[-2].key in ("yes", "ok", "no", "well", "oh", "sure", "fine")
        ):
            before = result.pop()
            result.append(Word("ok", before.start, word.end))  # "yes all right"
        elif (
            word.key == "is"
            and len(result) > 1
            and (result[-1].key, result[-1].end) == ("it", word.end)
            and result[-2].key in _OWNING
        ):
            before = result.pop()
            result.append(Word("their", before.start, word.end))  # "to its place"
        elif word.key == "as" and [w.key for w in result[-2:]] == ["as", "well"]:
            result[-2:] = [Word("and", result[-2].start, word.end)]  # "salt as well as pepper"
        elif (
            word.key == "with"
            and len(result) > 1
            and result[-1].key in ("together", "along")
            and result[-2].key not in _JOINED_WITH
        ):
            before = result.pop()
            result.append(Word("and", before.start, word.end))
        elif word.key == "one" and result and result[-1].key == "no":
            before = result.pop()
            result.append(Word("nobody", before.start, word.end))
        else:
            result.append(word)
    return result


def _spelt_out(key: str, before: str) -> list[str]:
    if _STRETCHED.search(key):
        key = _STRETCHED.sub(r"\1", key)
    if key in _SAME:
        return _SAME[key].split()
    if key in ("ill", "id") and before not in _AFTER_BE:
        return ["i", "will" if key == "ill" else "would"]
    negation = _NOT.fullmatch(key)
    if negation is not None:
        return [negation[1], "not"]
    if "-" in key and key not in _HYPHENED:
        return [part for piece in key.split("-") if piece for part in _spelt_out(piece, "")]
    parts = _SUFFIX.fullmatch(key)
    if parts is None:
        return [key.strip("'") or key]
    if parts[2] == "t":
        return [parts[1] + "t"]
    stem = parts[1]
    if parts[2] == "s":
        return [*_spelt_out(stem, ""), "is" if stem in _IS_BEHIND else "'s"]
    return [*_spelt_out(stem, ""), _SUFFIXES[parts[2]]]


_HYPHENED = word_set("r-1 r-2 one-handed left-handed right-handed single-handed empty-handed")


@lru_cache(maxsize=4096)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name, as `words_of` splits them."""
    return tuple(word.key for word in words_of(name) if not word.breaks)


_IRREGULAR = {
    "get": "got gotten", "bring": "brought", "take": "took taken", "put": "put", "cut": "cut",
    "do": "did done", "make": "made", "give": "gave given", "hold": "held", "spread": "spread",
    "grind": "ground", "shake": "shook shaken", "throw": "threw thrown", "beat": "beat beaten",
    "set": "set", "go": "went gone", "find": "found", "freeze": "froze frozen", "lay": "laid",
    "leave": "left", "break": "broke broken", "sweep": "swept", "feed": "fed", "keep": "kept",
    "stick": "stuck", "tear": "tore torn", "begin": "began begun", "run": "ran run",
    "forget": "forgot forgotten", "cut up": "cut up", "quit": "quit", "stand": "stood",
    "sling": "slung", "eat": "ate eaten", "have": "had", "see": "saw seen", "say": "said",
    "hand": "handed", "send": "sent", "let": "let", "lose": "lost", "think": "thought",
    "choose": "chose chosen", "be": "was were been", "drain": "drained", "fling": "flung",
    "melt": "melted molten", "wring": "wrung", "hit": "hit", "bid": "bid", "drink": "drank drunk",
}  # fmt: skip
_DOUBLING = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]")


@lru_cache(maxsize=4096)
def gerunds(verb: str) -> tuple[str, ...]:
    """The -ing forms of a verb, with common misspellings."""
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return (verb[:-1] + "ing",)
    if _DOUBLING.fullmatch(verb) or verb in ("begin", "forget"):
        return (verb + verb[-1] + "ing", verb + "ing")
    return (verb + "ing",)


@lru_cache(maxsize=4096)
def pasts(verb: str) -> tuple[str, ...]:
    """The past forms of a verb."""
    if verb in _IRREGULAR:
        loose = verb + verb[-1] + "ed" if _DOUBLING.fullmatch(verb) else verb.rstrip("e") + "ed"
        return (*_IRREGULAR[verb].split(), loose)
    if verb.endswith("e"):
        return (verb + "d",)
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return (verb[:-1] + "ied",)
    if _DOUBLING.fullmatch(verb):
        return (verb + verb[-1] + "ed", verb + "ed")
    return (verb + "ed",)


def thirds(verb: str) -> str:
    """The third person singular of a verb."""
    if verb in ("do", "go"):
        return verb + "es"
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ch", "sh", "x", "ss", "zz")) else "s")


def plurals(noun: str) -> Iterator[str]:
    """The other number of a noun, approximately; nothing for very short words."""
    if len(noun) < 3:
        return
    if noun.endswith("ies"):
        yield noun[:-3] + "y"
    if noun.endswith("es"):
        yield noun[:-2]
    if noun.endswith("s"):
        yield f"{noun}es" if noun.endswith("ss") else noun[:-1]  # "glasses", "mugs"
        return
    if noun.endswith("y"):
        yield noun[:-1] + "ies"
    yield noun + ("es" if noun.endswith(("o", "ch", "sh", "x")) else "s")
