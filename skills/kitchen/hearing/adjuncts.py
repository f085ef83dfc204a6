"""Adjuncts of a request: source, path and purpose. They request nothing themselves.

"Back to its place" is reduced to "back"; the others may stand anywhere: "on your way over", "to
serve it with", "for the guests", "from the cupboard under the sink".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.utensils import UTENSILS
from treec.skills.kitchen.hearing.words import word_set

_ROOM = (
    r"(?:counter|counters|worktop|hob|stove|cooker|sideboard|bench|heat|burner|sink|window|fridge|"
    r"refrigerator|freezer|cupboard|cupboards|cabinet|drawer|cellar|larder|garden|rack|corner|"
    r"left|right|door|dishwasher|oven|shop|basket|bag|kitchen|cutting board|chopping board|shelf|"
    r"pantry|table|side table|tray|box|hook|fruit bowl)"
)
_HOME = re.compile(
    r"(?:(?:back )?(?:to|in|into|on|at) (?:its|their|the) (?:own |proper |right |usual |old |"
    r"normal |rightful )*(?:place|places|home|spot|position|corner|hook|box|drawer|cupboard|rack|"
    r"shelf)"
    r"|(?:back )?(?:to )?where (?:(?:it|they|that|this|he|she) )?(?:belongs?|goes?|came from|"
    r"comes? from|lives?|got it from|found it|was before|were before|it was|they were|it is kept)"
    r"|(?:back )?where (?:you|he|she|it|we|they|i) (?:got|found|took) (?:it|them)(?: from)?) "
)
_BESIDES = re.compile(
    r"(?:on (?:its|your|his|her|their|the) way (?:(?:back|over|out|here|home|past|in|there) )*"
    r"|(?:right |just |over )?(?:next to|beside|near|close to|in front of|along from|behind) "
    rf"(?:(?:the|my|that|this|your) )?(?:me|you|us|him|her|{_ROOM}) "
    rf"|(?:here |out here |over here |ready |out |over )?(?:on|onto) (?:the |my |this )?{_ROOM} "
    rf"|(?:from|out of|off) (?:the |my |that )?{_ROOM} "
    rf"|(?:over )?(?:at|by) (?:the |my |that )?{_ROOM} "
    r"|(?:from )?(?:over )?where (?:you|we|i) (?:are|am|is) (?:(?:standing|sitting|now) )?"
    r"|with (?:my|your|its|his|her|their) (?:own )?(?:two |bare |clean |free )*(?:hands?|arms?|"
    r"gripper) "
    r"|so (?:that )?(?:i|we|it|they|you|everyone|nobody|he|she) (?:can|could|have|has|do not|does "
    r"not|is|are|will not|may|get|gets|am|will be able) .*"
    r"|in time for .*"
    r"|for (?:the |my |our |all the )?(?:guests|visitors|kids|children|family|table|others|two|"
    r"three|four|five|six|serving|later|little (?:one|ones)|big (?:one|ones)|"
    r"dinner guests|top|topping|garnish|starters) )"
)
_BOARD = (
    r"(?:pieces|slices|cubes|chunks|strips|rings|rounds|wedges|sticks|bits|halves|half|quarters|"
    r"two|four|discs|matchsticks|batons|dice|florets|ribbons|flakes|shavings|crumbs|bite)"
)
_COOKED = re.compile(
    r"(?:in|inside|under|over|on|at|into) (?:a |the |my |our |some |this |that )*(?:very |nice )?"
    r"(?:low |high |medium |gentle |big |small |hot |open |full |moderate |slow |back |front |"
    r"cold |warm |running |lukewarm |salted |boiling |fresh |preheated |little |bit of )*"
    r"(?:oven|flame|heat|grill|microwave|hob|stove|fire|burner|ring|water|tap|sink|steam|"
    r"toaster|griddle|pan lid|lid|gas|temperature) "
    r"|(?:in|into) (?:very |really |nice |quite |some )*(?:(?:thin|thick|small|little|fine|tiny|"
    rf"big|large|even|equal|rough|neat|long|short|chunky|bite sized|bitesize) )*{_BOARD} "
    r"|with (?:a |the |my |your |that |this )(?:(?:big|small|sharp|good|little|wooden|large|bread|"
    r"paring|vegetable|potato|kitchen|plastic) )*(?:knife|fork|whisk|masher|peeler|grater|spatula|"
    r"brush|blade|balloon whisk|slicer|rolling pin|sponge) "
)
"""Manner of cooking: "over a low heat", "under cold water", "in thin slices", "with a fork"."""
_COOKING = word_set(
    "bake roast boil chop dice mince crack drain fry saute grate shred heat warm mash crush melt "
    "peel simmer cook slice cut toast wash rinse clean whisk beat stir mix prepare cube hack carve "
    "brown grill skin scrub strain reheat sear halve"
)
_PURPOSE = re.compile(
    r"(?:to|for) (?!be |have |get |go (?!with)|come |me |us |my |the |r1 |r2 |you |i )\w+ "
    r"(?:(?!would |will |could |might |is |are |was )\S+ )*"
)
_FETCHING = word_set(
    "get fetch bring grab pass hand give find need want take use have like slide reach send lend"
)
_PLACING = word_set("put set place leave lay pop stick move drop stay keep rest")
_SPOTS = ("at ", "by ", "on ", "onto ", "here on ", "out on ", "over on ")
_ASKING = ("going", "able", "recipe", "recipes")
_THINGS = ("O", "IT", "R", "W", "FLOAT", "PLEASE", "away", "back", "in", "out", "over", "up", "I",
           "DONE")  # fmt: skip


def absorb_adjuncts(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks, with adjuncts of a request marked as floating."""
    result: list[Chunk] = []
    index = begin = 0
    while index < len(chunks):
        chunk = chunks[index]
        if chunk.kind == "BRK":
            begin = len(result) + 1
        before = result[begin:] if begin <= len(result) else []
        size, home = _size(before, chunks[index:])
        if not size:
            result.append(chunk)
            index += 1
            continue
        last = chunks[index + size - 1]
        there = home and result[-1].key not in ("back", "away")
        words = " ".join(c.key for c in chunks[index : index + size])
        kind, key = ("W", "back") if there else ("FLOAT", words)
        result.append(Chunk(kind, key, chunk.start, last.end))
        index += size
    return result


def _size(before: Sequence[Chunk], behind: Sequence[Chunk]) -> tuple[int, bool]:
    """The number of chunks in an adjunct, and whether it says "back"."""
    if len(before) < 1 or before[-1].kind not in _THINGS or len(behind) < 2:
        return 0, False
    if behind[0].kind not in _HEADS and behind[0].key not in _HEADS:
        return 0, False
    ends = next((i for i, c in enumerate(behind) if c.kind in _ENDS), len(behind))
    part = behind[:ends]
    has_task_verb = any(c.kind == "V" and (c.verb or c.classes) for c in before)
    if before[0].kind in ("is", "are", "was", "what", "who", "where", "how", "when") or not part:
        return 0, False
    words = "".join(f"{c.key} " for c in part)
    copulas = {c.kind for c in before} & {"is", "are", "was", "were"}
    is_placement = any(set(c.key.split()) & _PLACING for c in before)
    is_staying = any(c.key.split()[0] in ("leave", "stay", "keep", "left", "stays") for c in before)
    home = None if copulas or is_staying else _HOME.match(words)
    if home is not None and (has_task_verb or any(c.key in ("back", "goes", "go") for c in before)):
        return _chunks(part, home.end()), True
    besides = _BESIDES.match(words)
    if besides is not None and not copulas and not (is_placement and words.startswith(_SPOTS)):
        if before[-1].kind == "IT" and words.startswith(_SPOTS):
            return 0, False  # "we'll want it on the table"
        size = _chunks(part, besides.end())
        is_complete = size == len(part) or part[size].kind not in ("is", "are", "was", "has", "'s")
        return (size if is_complete else 0), False
    manner = _COOKED.match(words)
    if manner is not None and not copulas and any(set(c.key.split()) & _COOKING for c in before):
        return _chunks(part, manner.end()), False
    thing = before[-1].kind in ("O", "W", "IT") and before[-1].key not in _ASKING
    alone = len(before) == 1 and (before[0].kind == "O" or before[0].key in UTENSILS)
    is_fetch = alone or any(_FETCHING & set(c.key.split()) for c in before)
    if thing and is_fetch and not copulas and part[0].kind in ("to", "for"):
        purpose = _PURPOSE.match(words)
        has_verb = len(part) > 1 and part[1].kind in ("V", "W", "do")
        if purpose is not None and has_verb and len(part) > (2 if part[0].kind == "to" else 1):
            return _chunks(part, purpose.end()), False
    return 0, False


_HEADS = word_set(
    "to in into on at back where next beside near close right just over from out off by with so "
    "for along behind here ready under over inside"
)
_ENDS = ("BRK", "and", "but", "or", "because", "when", "before", "after", "if", "while", "until")


def _chunks(part: Sequence[Chunk], end: int) -> int:
    """The number of whole chunks within the first `end` characters; 0 if none."""
    length = 0
    for size, chunk in enumerate(part, start=1):
        length += len(chunk.key) + 1
        if length == end:
            return size
        if length > end:
            return 0
    return 0
