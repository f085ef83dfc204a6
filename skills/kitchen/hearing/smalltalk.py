"""Small talk: utterances that are clearly not about the work, and request nothing.

For clauses that no rule explains: the topic is life outside the kitchen, several words are
unrelated to the work, a thing is described, or finished work is praised. The linear model is not
consulted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.words import plurals, word_set

_LIFE = word_set(
    "football soccer tennis golf rugby cricket match goal referee league olympics player champion "
    "film movie cinema theatre concert song singer band music guitar piano opera novel book poem "
    "author actor actress series episode telly tv television radio newspaper news headline "
    "podcast weather rain rains raining rained snow snowing snowed storm thunder lightning "
    "sunshine sunny cloudy windy foggy sky cloud clouds stars sunset sunrise winter autumn spring "
    "summer school teacher homework exam exams university college lecture lesson student degree "
    "class office boss colleague meeting deadline salary career interview shift overtime "
    "retirement holiday holidays vacation trip flight airport hotel beach island mountains "
    "passport luggage train bus tram taxi traffic motorway bike bicycle garage petrol parking car "
    "cars driving test wedding birthday christmas easter anniversary funeral party divorce "
    "engaged pregnant baby doctor dentist hospital surgery diet medicine tablets headache "
    "toothache flu fever pressure bank mortgage rent tax taxes bill bills price prices cost costs "
    "euros pounds dollars money expensive cheap cheaper sale discount lottery insurance politics "
    "politician president minister mayor election government war king queen police crime plumber "
    "electrician builder postman parcel letter email facebook internet website laptop computer "
    "password printer charger battery wifi app selfie garden lawn roses tulips balcony attic "
    "basement bathroom bedroom sofa curtains carpet hairdresser haircut shoes trousers dress "
    "jacket jumper scarf coat jeans handbag umbrella horse dog dogs puppy kitten cat cats rabbit "
    "hamster parrot bird birds spider mouse church sunday monday tuesday wednesday thursday "
    "friday saturday january february march april june july august september october november "
    "december paris london berlin rome italy france spain germany japan china america africa "
    "texas england spanish french german italian japanese chinese dream dreams dreamt dreamed "
    "childhood grandmother grandfather youth memories ghost ghosts invented discovered century "
    "history museum ancient romans gossip rumour scandal secret joke jokes wine beer coffee "
    "cocktail whisky cuppa walk nap swim jog yoga gym"
)
_KITCHEN = word_set(
    "yes no ok okay ay back something else soup salad pinch bit fridge changed change mind phone "
    "later keen ring belongs full plenty time times list safe beside loose happy breakfast "
    "station stations tell miss splendid easiest easy yet fruit meal dinner lunch starter dessert "
    "hungry starving thirsty eyes eye burning burn burns towel plate tongs spoon knife fork glass "
    "cup sink tap table counter cupboard drawer board hob stove oven cold hot warm wet dry dirty "
    "clean empty heavy wrong right mistake accident danger dangerous hurt hurts blood bleeding "
    "finger fingers hand hands cut fire smoke floor slippery spilled spilt spill dropped drop "
    "fell fallen brake whoa watch careful look listen first last second half enough much many "
    "more less another other same everything anything nothing job work task part share turn "
    "little while moment minute hour hurry quick fast slow sorry please thanks good bad great "
    "nice fine perfect excellent idea plan choice choices suggestion agree deny refuse accept "
    "reject proposal proposals offer mine yours way out off down up round ready sounds sound "
    "works work sure certainly fan fond touch touching allergic allergy intolerant vegan "
    "vegetarian hates hate likes like love eat eats eating cook cooking cooks recipe dish menu "
    "taste tastes flavour season seasoning oil vinegar lemon sugar bread cheese egg eggs butter "
    "milk flour rice pasta noodles chicken meat fish leaves leaf slices pieces chunks cubes water "
    "steam steaming broken stuck blocked jammed busy tired free alone help needed need needs "
    "worth bother point use useless pass skip skipped bin rubbish waste stinks mouldy rotten tip "
    "pour chop slice stir get fetch bring hold keep stand still quiet noise there here now then "
    "soon next finished done sorted washed chopped peeled sliced poured mixed tossed tipped added "
    "fetched brought found mission accomplished bowl pot pan ladle bottle jar packet bag box lid "
    "thing things one ones only just also too very quite really rather instead actually though "
    "anyway maybe perhaps robot robots machine machines arm guys folks team mate boy girl man "
    "love dear friend friends children kids family guest guests people everyone stomach belly "
    "throat mouth cry tears glasses arrived landed appeared delivered missing lost gone wash "
    "washing rinse rinsed dice diced apron stairs door chair foot feet toe leg way path corner "
    "edge side near close far away past"
)
_LINKS = word_set("is are was were 's looks look smells smell tastes taste feels seems seem sounds")
_LIKE_THAT = word_set(
    "delicious tasty lovely fresh crisp crunchy heavy light thick thin ripe sweet sour bitter "
    "salty creamy juicy green red yellow golden pretty beautiful gorgeous huge tiny enormous nice "
    "divine heavenly wonderful amazing fantastic brilliant perfect tender soft aromatic fragrant "
    "colourful posh fancy old modern shiny pale odd weird funny strange lush organic local"
)
_PRAISE = word_set(
    "beautiful lovely great good nice brilliant fantastic super marvellous wonderful amazing "
    "smooth excellent perfect splendid superb impressive impressed clever smart elegant graceful "
    "fabulous terrific neat magnificent outstanding incredible awesome stunning gorgeous glad "
    "proud best natural genius star hero heroes wizard artist angel champ legend treasure gem "
    "expert experts pro pros professional professionals delightful remarkable masterful flawless "
    "sterling"
)
_STORED = re.compile(
    r"(?!.*\bback\b).* (?:in|inside|into) (?:the |a |my |our )?(?:"
    r"sink|colander|sieve|bag|fridge|freezer|shop|car|garden|cellar|water|oven|cupboard|drawer|box|shopping|basket|market|supermarket)\b.*"
)
_HABITS = re.compile(
    r"\b(?:do|does|did|will|can)(?: not)? \w+ (?:well|badly|better|best|much|easily|forever|"
    r"for (?:weeks|days|months|years|ages)|like (?:that|anything))$"
)
_UNSURE = word_set(
    "thought believed imagined expected assumed hoped wished supposed wish wrong dropped should"
)
_EATEN = word_set(
    "ate had made cooked burnt burned ordered tried bought sold served baked spilled dropped ruined"
)
_BECOMING = word_set(
    "getting becoming turning growing warming heating cooling thickening softening starting "
    "beginning coming going"
)
_NOT_YET = re.compile(
    r"\b(?:is|are|has|have|was|were) (?:still )?not (?:\w+ )+(?:yet|properly|still)$"
)
_FLATTERY = re.compile(
    r"(?:r[12] |arm )?you (?:really |always |never |would |could |do |certainly )*(?:"
    r"(?:have|have got|make|deserve) (?:a|an|such|the|quite)|are (?:a|an|so|such|faster|better|"
    r"quicker|cleverer|smarter|the)|remind|look|sound|seem|let me down|deserve|impress)\b"
)
_ROBOTS = ("A", "ALL", "YOU", "WE")
_WORK = ("O", "A", "R", "ORD", "DONE", "OTHERONE", "PLEASE", "SOMEONE")
_STOPS = ("STOP", "WAIT", "DROP", "HOLDOFF")
_COURTEOUS = ("THANKS", "HELLO", "UM", "PLEASE", "NEVERMIND", "GOOD")
_UNSAID = ("no", "not", "never", "without", "if", "until", "unless", "PLEASE", "DONE")


def small_talk(
    acts: Sequence[HeardAct], parts: Sequence[Clause], *, idle: bool, choosing: bool
) -> bool:
    """Whether a whole utterance is small talk.

    `idle`: nothing is proposed; `choosing`: no dish is chosen.
    """
    rest = [p for p in parts if p.saying not in _COURTEOUS]
    if any(a.kind != "remark" for a in acts) or any(p.asks for p in rest):
        return False
    if idle and any(p.core and p.core[0].of("GO", "base") for p in rest):
        return True  # "please keep going, everyone", while nobody has stopped
    long = [p for p in rest if len(p.core) > 1]
    if long and all(map(unfinished, long)):
        return True
    if any(p.has("PLEASE") or p.has("SOMEONE") for p in rest):
        return False
    if any(c.of(name) for p in rest for c in p.chunks for name in _STOPS if c.kind == "V"):
        return bool(rest) and all(
            p.has("TALE") or _is_everyday_life(p) or _is_about_others(p) for p in rest
        )
    if idle and not choosing and not any(map(_may_be_work, rest)):
        return True  # "la la la", with nothing open
    if choosing and rest and any(map(_ate, rest)):
        return all(map(_ate, rest)) or not any(p.has("R") for p in rest if not _ate(p))
    alive = {p.sentence for p in rest if _is_everyday_life(p)}
    odd = {
        s for s in {p.sentence for p in rest} if _is_unrelated([p for p in rest if p.sentence == s])
    }
    if not any(p.has(kind) for p in rest for kind in _WORK) and not (idle and choosing):
        odd |= {p.sentence for p in rest if len(p.core) > 3 and _unrelated_words(p) and _tells(p)}
    apart = [p for p in rest if p.sentence in alive | odd or _apart(p) or (idle and _praises(p))]
    return bool(apart) and all(p in apart or _beside(p) for p in rest)


def unfinished(clause: Clause) -> bool:
    """ "I've started on the onions", "nearly through with them": unfinished work."""
    if clause.asks or (clause.core and clause.core[0].kind in ("is", "are", "do", "have")):
        return False
    is_begun = any(c.key.startswith(("started", "begun", "began")) for c in clause.core)
    kinds = [c.kind for c in clause.core]
    is_progressive = kinds[1:2] in (["am"], ["is"], ["are"]) and kinds[0] in (
        "I",
        "WE",
        "A",
        "THEY",
    )
    forms = [f for c in clause.core[2:3] for _, f in (*c.verb, *c.classes)]
    if is_progressive and "ing" in forms:
        return True  # "I'm washing the lettuce now"
    still = kinds[1:2] in (["is"], ["are"], ["'s"]) and kinds[0] in ("O", "IT", "THEY")
    if still and any(c.key in _BECOMING for c in clause.core[2:3]):
        return True  # "the pot's getting hot"
    past = clause.has("DONE") or any(f == "past" for c in clause.core for _, f in c.verb)
    if past and (_UNSURE & set(clause.words.split()) or _NOT_YET.search(clause.words)):
        return True  # "I thought the bananas were sliced", "they aren't sliced yet"
    if past and re.search(r"\b(?:could|should|would|might) (?:not )?have\b", clause.words):
        return True  # "I could have chopped ten by now"
    return clause.has("NEARLY") or (is_begun and clause.core[0].kind in ("I", "WE", "A", "THEY"))


def _ate(clause: Clause) -> bool:
    """ "I ate three tacos at lunch": a dish of another day."""
    core = clause.core
    eater = core[:1] and core[0].kind in ("I", "WE", "THEY", "OTHERS", "YOU")
    return bool(eater) and any(c.key in _EATEN for c in core[1:3])


def _beside(clause: Clause) -> bool:
    """Whether a part is a vocative, a tag or a single word."""
    return len(clause.core) < 2 or all(c.kind in (*_ROBOTS, "OTHERS") for c in clause.core)


def _apart(clause: Clause) -> bool:
    return clause.has("TALE") or unfinished(clause) or _describes(clause)


def _is_about_others(clause: Clause) -> bool:
    """Whether a clause is about others, in words unrelated to the work."""
    return bool(_unrelated_words(clause)) and clause.core[0].kind in ("THEY", "OTHERS")


def _may_be_work(clause: Clause) -> bool:
    """Whether anything in a clause may refer to work, a stop or a resume."""
    return any(
        c.kind in (*_WORK, "V", "no", "not", "never", "there", "here", "IT", "TALE")
        or c.key in _KITCHEN - _PRAISE
        for c in clause.core
    )


def _is_unrelated(parts: Sequence[Clause]) -> bool:
    """Whether a sentence has more than one word that is unrelated to the work."""
    return len(set[str]().union(*map(_unrelated_words, parts))) > 1


def _tells(clause: Clause) -> bool:
    """Whether a clause has a subject and a predicate: no exclamation, no order."""
    return clause.core[0].kind in ("I", "WE", "THEY", "OTHERS", "DET", "there", "W", "IT")


def _is_everyday_life(clause: Clause) -> bool:
    """Whether a clause is about life outside the kitchen."""
    words = set(clause.words.split())
    return bool(_LIFE & (words | {w.removesuffix("s") for w in words}))


def _unrelated_words(clause: Clause) -> set[str]:
    """The words of a clause that are unrelated to the work."""
    loose = {c.key for c in clause.core if c.kind == "W" and not c.key.isdigit()}
    return {
        w for w in loose - _KITCHEN if len(w) > 2 and not any(p in _KITCHEN for p in plurals(w))
    }


def _describes(clause: Clause) -> bool:
    """ "This lettuce is full of sand", "the cream looks nice and thick": a description."""
    core = clause.core
    if core and core[0].kind == "O" and _HABITS.search(clause.words):
        return True  # "lettuce doesn't freeze well"
    cut = next((i for i, c in enumerate(core) if c.key in _LINKS and i), None)
    if cut is None or any(c.kind in _UNSAID for c in clause.chunks):
        return False
    subject, tail = core[:cut], set(" ".join(c.key for c in clause.chunks[cut:]).split())
    if subject[-1].kind == "O" and _STORED.fullmatch(clause.words):
        return True  # "the lettuce is in the sink"
    if subject[0].kind == "YOU" and core[cut].key in ("look", "sound", "smell", "seem"):
        return len(subject) == 1  # "you look shiny today, R1"
    gerund = any(form == "ing" for _, form in subject[0].verb) and len(subject) < 3
    thing = (subject[-1].kind in ("O", "R", "W", "IT") or gerund) and subject[0].kind != "I"
    behind = [c for c in core[cut + 1 :] if c.kind == "W"]
    odd = bool(tail & _LIKE_THAT) or bool({c.key for c in behind} & _unrelated_words(clause))
    return thing and odd and not any(c.kind == "V" for c in core[cut:])


def _praises(clause: Clause) -> bool:
    """ "Nice moves, arm", "beautiful work so far": praise of an agent at work."""
    if any(c.kind in _UNSAID for c in clause.chunks) or clause.has("O"):
        return False
    if _FLATTERY.match(clause.words):
        return True
    verbs = [c for c in clause.core if c.kind == "V" and not _harmless(c)]
    return bool(_PRAISE & set(clause.words.split())) and not verbs


def _harmless(verb: Chunk) -> bool:
    """Whether a verb is a noun or describes finished work: "moves", "stirring"."""
    forms = {form for _, form in (*verb.verb, *verb.classes)}
    return "base" not in forms or verb.of("WANT") or verb.of("COOK")
