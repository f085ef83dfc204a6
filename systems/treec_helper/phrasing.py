"""Rewrites what people say into plain orders: wishes, states that are wanted, second thoughts.

"I need the plant watered" is "water the plant", "make sure all cups are clean" is "clean all cups",
"the cup, no, the mug" is "the mug".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache

from treec.source.filters_text import gerund
from treec_helper.mentions import ThingMention, any_of, mentions, words

_SPELLED = {
    "u": "you",
    "n": "and",
    "em": "them",
    "pls": "please",
    "plz": "please",
    "teh": "the",
    "dont": "don't",
}
_END = r"(?=[.;!?]|$)"
_REST = r"(?P<what>[^.;!?]+?)"
_USE = re.compile(rf"\buse (?P<tool>(?:the|a|my) [a-z ]+?) to (?P<order>[^.;!?,]+){_END}")
_GIVE = re.compile(
    r"\bgive (?P<what>[a-z ]+?) an? (?:good |quick )?(?P<verb>wash|rinse|scrub|clean)\b"
)
_NEEDS_WATER = re.compile(
    r"(?P<what>\b(?:the|my|our|all|both|every)\b[a-z ]+?) needs? (?:some )?water\b"
)
_SLICE = re.compile(r"\b(?P<toast>toast (?:an? |\d+ |[a-z]+ )?slices?)\b(?! of\b)")
_CUT = re.compile(r"\b(?:slice|cut|chop)(?: up)? (?:the |an? |my |one )?(?P<what>[a-z]+)")
_SLICES = re.compile(r"\b(?:an?|the|one|two|three|four|five|six|\d+) slices?\b(?! of\b)")
_CLEAR = re.compile(r"\b(?:clear|clear off|clear out) (?=(?:the|my|our)\b)")
_MIND = re.compile(r"\b(?:would|do) you mind (?P<verb>[a-z]+ing)\b")
_OR_ELSE = (
    r"[,.;:]?(?: -+| –| —)? (?:(?:no|oh|sorry|actually|wait|hmm|i mean|i meant|scratch that|"
    r"make that|or rather|on second thoughts?|correction)[, ]+)+"
    r"(?:(?:put|make|move) (?:it|that|them) )?"
)
_SECOND_THOUGHT = re.compile(
    rf"(?P<marker>{_OR_ELSE})(?=(?:the|a|an|my|in|on|into|onto|two|three|four)\b)"
)
_IN_OR_ON = re.compile(r"\b(?:in|into|on|onto|inside|to)(?: top of)? (?:the |a |an |my )?$")


def plain_orders(text: str, kinds: Collection[str]) -> str:
    """A request with its wishes and second thoughts as plain orders, in lower case."""
    text = " ".join(text.replace("’", "'").lower().split())
    text = re.sub(r"\b[a-z]+\b", lambda word: _SPELLED.get(word[0], word[0]), text)
    text = _without_second_thoughts(text, kinds)
    text = _USE.sub(r"\g<order> with \g<tool>", text)
    text = _GIVE.sub(r"\g<verb> \g<what>", text)
    text = _of_what_is_cut(text, kinds)
    text = _which_is().sub(r"\g<the> \g<how> \g<what>", text)
    text = _SLICE.sub(r"\g<toast> of bread", text)
    text = _CLEAR.sub("take everything off ", text)
    text = _NEEDS_WATER.sub(r"water \g<what>", text)
    text = _MIND.sub(lambda match: _gerunds().get(match["verb"], match[0]), text)
    text = _and_sure().sub(r" and make sure ", text) if "make sure" in text else text
    text = _wanted_state().sub(_order_for_state, text)
    text = _wish().sub(_order_for_wish, text)
    return _switched(text)


def _without_second_thoughts(text: str, kinds: Collection[str]) -> str:
    """ "The cup, no, the mug" as "the mug": the last thing or place is the one that is meant."""
    for _ in range(3):
        match = _SECOND_THOUGHT.search(text)
        before = mentions(text[: match.start()], kinds) if match is not None else []
        if match is None or not before:
            break
        start = before[-1].start
        place = _IN_OR_ON.search(text[:start])
        if re.match(r"(?:in|on)(?:to)?\b", text[match.end() :]):
            if place is None:
                break
            start = place.start()
        text = text[:start] + text[match.end() :]
    return text


def _of_what_is_cut(text: str, kinds: Collection[str]) -> str:
    """ "Slice an apple, put two slices on a plate" with "two slices of apple"."""
    cut = _CUT.search(text)
    named = mentions(cut["what"], kinds)[:1] if cut is not None else []
    if cut is None or not named or named[0].start > 0:
        return text
    word = cut["what"][named[0].start : named[0].end].split()[-1]
    rest = _SLICES.sub(rf"\g<0> of {word}", text[cut.end() :])
    return text[: cut.end()] + rest


@cache
def _which_is() -> re.Pattern[str]:
    how = any_of([*words()["which"], *words()["looks"]])
    return re.compile(
        rf"\b(?P<the>the|all|every|both) (?P<what>[a-z]+)(?: (?:that|which) (?:is|are)|"
        rf" that's) (?P<how>{how})\b"
    )


@cache
def _and_sure() -> re.Pattern[str]:
    """An "and" before another state that is wanted: "and the door is open"."""
    return re.compile(
        rf",? and (?=(?:the|my|all|both|every) (?:(?!and\b)[a-z]+ ){{1,3}}?"
        rf"(?:is|are|stays?) (?:{any_of(_states())}|in|on)\b)"
    )


@cache
def _states() -> Mapping[str, str]:
    """The order that brings about each state that people name."""
    return {state: verb for verb, states in words()["wanted_states"].items() for state in states}


@cache
def _wanted_state() -> re.Pattern[str]:
    wish = r"i want|i need|i would like|i'd like"
    sure = rf"(?:(?:make|be) sure|see to it|ensure|check|{wish})(?: that)? "
    must = r"(?:(?:has|have|needs?|ought) to be|(?:should|must|shall) be)"
    be = r"(?:is|are|be|stays?|gets?)"
    where = r"(?P<where>(?:in|on|into|onto|at) (?:the|a|an|my) [^.;!?,]+?)"
    what = r"(?P<what{n}>(?:(?!(?:and|then|if|whether)\b)[a-z]+ ){{1,6}}?)"
    state = any_of(_states())
    how = rf"(?:(?P<state>{state})\b(?! (?:in|on|into|onto|the|an?|my)\b)|{where}{_END})"
    first = rf"\b{sure}{what.format(n=1)}(?:all |both )?(?:{be}|{must})"
    belongs = r"(?:goes|go|belongs?)(?= (?:in|on|into|onto|at) )"
    second = rf"{what.format(n=2)}(?:all )?(?:{must}|{belongs})"
    return re.compile(rf"(?:{first}|{second}) (?:all |really |nice and )?{how}")


def _order_for_state(match: re.Match[str]) -> str:
    what = (match["what1"] or match["what2"]).strip()
    if match["where"]:
        return f"put {what} {match['where']}"
    return f"{_states()[match['state']]} {what}"


@cache
def _wish() -> re.Pattern[str]:
    wishes = any_of(words()["having"])
    return re.compile(rf"\b{wishes} (?!(?:you |to )){_REST}{_END}")


def _order_for_wish(match: re.Match[str]) -> str:
    what = match["what"]
    state = re.fullmatch(
        rf"(.+?) (?:please )?({any_of(_states())})(?: (?:and [a-z]+|please|today|now))*", what
    )
    if state is not None:
        return f"{_states()[state[2]]} {state[1]}"
    return f"make {what}"


def _switched(text: str) -> str:
    """ "Turn the tv on and the lamp off" as "turn on the tv and turn off the lamp"."""
    thing = r"(?:all |both )?(?:the |my |all the )(?:[a-z]+ ){1,3}?"
    one = re.compile(
        rf"\b(?:turn|switch) ({thing})(on|off)(?:,? and|,? then|,) ({thing})(on|off)\b"
    )
    text = one.sub(lambda m: f"turn {m[2]} {m[1]}and turn {m[4]} {m[3].strip()}", text)
    return re.sub(
        r"\bleave (?:the |my )(?P<what>[a-z ]+?) (?P<how>on|off)\b(?! (?:the|a|an|my)\b)",
        r"turn \g<how> the \g<what>",
        text,
    )


@cache
def _gerunds() -> Mapping[str, str]:
    verbs = (verb for of in words()["orders"].values() for verb in of if " " not in verb)
    return {gerund(verb): verb for verb in verbs}


def is_bare(clause: str, found: list[ThingMention]) -> bool:
    """Whether a clause only names things, and where: "two coffees, please", "a cup in the sink"."""
    if not found:
        return False
    left, end = [], 0
    for one in found:
        left.append(clause[end : one.start])
        end = one.end
    left.append(clause[end:])
    known = {*words()["polite"], *words()["into"], "and", "as", "well", "too", "also", "top", "of"}
    is_first = left[0].strip() in ("", "and", "also")
    return is_first and known.issuperset(re.findall(r"[a-z']+", " ".join(left)))
