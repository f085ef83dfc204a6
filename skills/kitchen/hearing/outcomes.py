"""Finished work reported by its result: "it's on the plates", "all the water is out".

Each line of the table has the results of one task, as patterns for a whole clause. What is only
nearly the case, in the future, or a question is no report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from treec import TalkSubtask
from treec.skills.kitchen.hearing.chunks import Chunk
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.references import Ref, Refs

_THE = r"(?:the |my |our |their |your |his |her |this |that |these |those )?"
_ALL = r"(?:all |all of |every last |every single |the whole |the last of )?"
_IT = r"(?:it|that|this|they|everything|all|all of it|all of them|them|the lot|the whole lot|tis)"
_BE = (
    r"(?:is|are|'s|was|has|have|has been|have been|has gone|have gone|has come|have come|has got|"
    r"have got|went|came|looks|look|feels|seems|has turned|have turned|has become|have become|"
    r"have all|are all|have all got|have all been|is all|has all|has all been)"
)
_B = rf"(?:{_BE} )?"
_WE = r"(?:i|we|i have|we have|i just|we just|have|just)"
_W = rf"(?:{_WE} )?"
_VERY = (
    r"(?:(?:all|nice and|lovely and|good and|really|very|so|well|quite|nicely|beautifully|"
    r"perfectly|properly|completely|totally|thoroughly|fully|piping|steaming|nice|lovely|now|"
    r"already|finally|just|safely|sitting|lying|waiting|standing|resting|and|quite|rather) )*"
)
_FOOD = (
    r"(?:dinner|lunch|supper|breakfast|tea|food|meal|grub|nosh|dish|pasta|spaghetti|soup|rice|"
    r"noodles|stew|salad|macaroni|portions|bowl|pot|pan)"
)
_PEOPLE = (
    r"(?:everyone|everybody|(?:all|each|both|all \w+) of (?:us|them|you)|they|we|each|"
    r"everyone here|the (?:kids|guests|children|boys|girls|family|lot of them)|my family|"
    r"our guests|all)"
)
_SERVED = (
    r"(?:plate|plates|plateful|platefuls|bowl|bowls|bowlful|portion|portions|helping|helpings|"
    r"share|serving|food|dinner|lunch|supper|meal|dish|tea|some|something)"
)
_CARRIED = (
    r"(?:put|set|laid|got|placed|spooned|ladled|scooped|shared|divided|split|dished|plated|"
    r"portioned|forked|heaped|piled|loaded|poured|brought|carried|taken|took|distributed|doled)"
)
_ONTO = (
    rf"(?:on|onto|on to|to|in|into|over|among|between|across) {_ALL}{_THE}"
    r"(?:\w+ )?(?:plates?|tables?|bowls?|dishes|dish|everyone|everybody|guests)"
)

_TABLE = rf"""
drain: {_ALL}water {_B}{_VERY}(?:out|off|gone|away|poured|run off|run out|down|down the (?:sink|
  drain|plughole)|drained|
  in the sink)
drain: (?:that|it|this|there) is (?:all )?{_ALL}water (?:out|gone|off|away|poured)(?: of (?:it|
  her|him|them|there|pot|
  pan|pasta|spaghetti))?
drain: {_W}(?:have )?(?:all )?(?:tipped|poured|got|let|emptied|strained|thrown|threw|run|shaken|
  gotten|
  shook|ditched|dumped|drained) {_ALL}water (?:all )?(?:out|off|away|down|go)
drain: {_W}(?:have )?(?:got rid of|thrown out|threw out|poured off|poured away|poured out|
  tipped out|
  ditched|dumped|strained|drained|drained off|strained off|let out) {_ALL}water
drain: (?:not (?:a |one |a single )?(?:a drop|drop|drip)|(?:there is )?(?:no|no more|
  not any) (?:more )?
  (?:water|liquid|drips?)) (?:of water )?(?:is )?(?:left|any more|to be seen|remaining|
  coming out)(?: in (?:it|there|pot|pan|here))?
drain: {_THE}(?:pot|pan) {_B}{_VERY}(?:empty|emptied|empty now)(?: of (?:all )?(?:the )?water)?
drain: (?:every|the|each|that was the)? ?(?:last |single )*drop (?:of water )?{_B}{_VERY}(?:out|
  gone|off)
drain: (?:there is )?(?:no|no more|not any) (?:more )?(?:water|liquid) (?:in|inside) (?:it|pot|
  there|here)
drain: {_W}(?:have )?(?:drained|strained|tipped|poured|emptied) (?:{_IT}|it all|water|
  pot) (?:all |out |away )*
  (?:down|into|in) the (?:sink|drain|plughole)
drain: (?:{_IT}|{_FOOD}|water) {_B}{_VERY}(?:in the (?:colander|sieve|strainer)|strained|dry|
  bone dry|water free|free of water|as dry as a bone|dripped dry|drained)
drain: {_W}(?:have )?(?:tipped|poured|put|got|drained|strained|emptied) (?:{_IT}|
  {_FOOD}) (?:all )?
  (?:into|in|through) (?:the |a )?(?:colander|sieve|strainer|sink)
serve: (?:{_IT}|{_FOOD}) {_B}{_VERY}(?:\w+ )?{_ONTO}
serve: (?:{_IT}|{_FOOD}) {_B}{_VERY}(?:served|dished|dished up|dished out|plated|plated up|ladled|
  portioned|spooned|shared|doled|handed|divvied|divided)(?: up| out| round)?
serve: {_PEOPLE} {_B}(?:(?:all|already|now|got|been given|
  been served|received|had|just|each|their|finally) )*(?:a |an |some )?{_THE}
  (?:\w+ )?{_SERVED}(?: in front of (?:them|us|him|her)| on table| of (?:it|pasta|spaghetti|
  rice))?
serve: {_PEOPLE} {_B}{_VERY}(?:been )?(?:served|fed|eating|tucking in|munching|sorted with food)
serve: (?:that is|i have got|we have got) (?:{_PEOPLE}) {_VERY}(?:served|fed|sorted with food)
serve: (?:dinner|lunch|supper|breakfast|tea|food|grub|nosh|meal) {_B}{_VERY}
  (?:served|up|out|plated|dished|dished up|out there|dished out)
serve: {_W}(?:have )?(?:all )?{_CARRIED} (?:{_IT}|{_FOOD}|it all) (?:all )?(?:out |up )?{_ONTO}
serve: {_W}(?:have )?(?:all )?(?:served|plated|dished|dished up|ladled|portioned|spooned|shared)
  (?: (?:{_IT}|{_FOOD}|it all))?(?: all)?(?: out| up| round)?
serve: {_W}(?:have )?(?:filled|loaded|laid out|set out|handed out|given out|handed round|
  passed round|
  passed out|put out|brought out|carried out|taken out) {_ALL}{_THE}(?:plates|bowls|portions|
  dishes)
serve: {_ALL}{_THE}(?:plates|bowls|portions) {_B}{_VERY}(?:full|filled|loaded|out|served|
  on table|handed out|ready on table)
serve: {_W}(?:have )?(?:dished|dished up|dished out|plated|plated up|served|served up|put out|
  ladled)
   (?:(?:a|an|one|some) )?(?:\w+ )?{_SERVED} (?:for|to) {_PEOPLE}
serve: {_W}(?:have )?(?:given|gave|served|fed) (?:{_PEOPLE}|them|us|you)(?: all| each|
   both)?(?: (?:a |an |some )?{_THE}{_SERVED})?
heat: {_ALL}(?:pots?|pans?|water|hob|stove|oil|bowl) {_B}{_VERY}(?:hot|hot enough|boiling|
  bubbling|simmering|
  steaming|sizzling|smoking|warm|warm enough|up to temperature|at temperature|to temperature|on
  the boil|at the boil|at a boil|to the boil|heated|warmed|heated through|warmed through|scalding|
  red hot|bubbling away|boiling away|steaming away|warmed up|heated up)
heat: {_IT} {_B}{_VERY}(?:piping hot|boiling|bubbling|bubbling away|up to temperature|
  at temperature|
  on the boil|at a boil|sizzling|hot enough|boiling away|heated through|warmed through|
  smoking hot)
boil: (?:{_IT}|rice|sticky rice|grains|water|eggs|potatoes|pasta|noodles) {_B}{_VERY}
  (?:cooked|cooked through|boiled|soft|tender|fluffy|al dente|done|finished boiling|
  boiled through|
  ready to eat|plump|swollen|done boiling|done cooking|finished cooking|stopped boiling)
simmer: (?:{_IT}|{_FOOD}|vegetables|veg|broth) (?:has|have|'s|is) {_VERY}(?:simmered|stewed|
  bubbled|
  cooked|thickened|reduced|simmered down|had (?:its|enough|plenty of) ?(?:simmer|time)?|
  done simmering|finished simmering|thick)
  (?: enough| long enough| for long enough| long| down| away| through)*
simmer: {_W}(?:have )?(?:let|left|given|had|kept|gave) (?:{_IT}|
  {_FOOD}) (?:to )?(?:a )?(?:simmer|simmering|
  bubble|bubbling|stew|stewing|cook|its simmer|its time)(?: (?:for|on|over|down|away|long) ?.*)?
simmer: (?:{_ALL}(?:vegetables|veg|carrots|celery)) {_B}{_VERY}(?:soft|tender|cooked|
  cooked through)
whisk: (?:{_IT}|eggs|egg|mixture|mix) {_B}{_VERY}(?:frothy|foamy|fluffy|beaten|mixed|smooth|
  whipped|bubbly|pale|combined|runny|one colour|scrambled up|all one colour|airy|lump free)
whisk: (?:yolks and whites|whites and yolks|yolks?) {_B}{_VERY}(?:mixed|combined|broken|blended)
wash: (?:{_IT}|{_FOOD}|lettuce|leaves|salad leaves) {_B}{_VERY}(?:clean|spotless|squeaky clean|
  free of (?:dirt|sand|grit|mud)|washed|rinsed|clean as a whistle|sparkling|been under the tap|
  had (?:its|their|a) (?:wash|rinse|bath|shower)|washed and dried)
wash: (?:there is |there are )?(?:no|no more|not any) (?:more )?(?:dirt|sand|grit|mud|soil)
   (?:left )?(?:on|in) (?:it|them|lettuce|leaves|salad)
wash: (?:there is |there are )?(?:no|no more|not any) (?:more )?(?:dirt|sand|grit|mud|bugs|slugs)
  (?:left|on it|on them|in it|any more)?
grate: (?:{_IT}|cheese|{_ALL}cheese|(?:the |whole )*(?:bl[ao]ck|wedge|
  piece)(?: of cheese)?) {_B}{_VERY}(?:in (?:shreds|flakes|curls|crumbs|a heap|
  a pile)|
  a (?:big |nice |lovely )?(?:heap|pile|mound|mountain)|down to the (?:rind|wax)|grated|shredded|
  gone)
grate: (?:there is|that is|here is|i have|i have got|i have made|look at) (?:a|an|one|my)
   (?:\w+ )?(?:heap|pile|mound|mountain|bowl|plate|bowlful|plateful|
  hill) of (?:\w+ )?cheese(?: .*)?
grate: (?:only |just |nothing but )*(?:{_THE}rind|{_THE}stump|{_THE}crust) (?:is )?(?:left|
  remains)
chop: {_W}(?:have )?(?:made|cut|turned) (?:\w+ )*(?:cubes|pieces|bits|chunks|dice|rings|
  strips) (?:from|of|out of)
   {_THE}(?P<item7>[\w ]+?)
slice: {_W}(?:have )?(?:made|cut) (?:\w+ )*(?:slices|rounds|coins|strips|discs|pieces) (?:from|
  of|out of)
   {_THE}(?P<item8>[\w ]+?)
peel: (?:{_ALL}{_THE}(?:skin|skins|peel|peels|peelings)) {_B}{_VERY}(?:off|gone|removed|
  in the bin|
  in the compost|peeled off|come off|off it|off mango)(?: it| them)?
peel: (?:{_IT}|mango|potatoes|carrots) {_B}{_VERY}(?:naked|bare|skinless|out of (?:its|
  their) skins?)
mash: (?:{_IT}|potatoes|avocado) {_B}{_VERY}(?:smooth|lump free|mush|a mush|a paste|mushy|creamy|
  squashed)
melt: (?:{_IT}|butter|cheese) {_B}{_VERY}(?:runny|liquid|melted|molten|melted down|a puddle)
toast: (?:{_IT}|bread|toast|slices) {_B}{_VERY}(?:golden|brown|crisp|crispy|toasted|popped up|
  golden brown)
crack: {_ALL}{_THE}(?:shells?) {_B}{_VERY}(?:off|in the bin|open|removed|broken)
crack: {_ALL}{_THE}eggs {_B}{_VERY}(?:open|broken|out of (?:the |their )?shells?|opened|cracked)
bake: (?:{_IT}|bread) {_B}{_VERY}(?:out of the oven|golden|golden brown|baked through|
  cooked through)
fry: (?:{_IT}|\w+) {_B}{_VERY}(?:golden|golden brown|crispy|crisp|browned|brown|fried through)
stir: (?:{_IT}|{_FOOD}) {_B}{_VERY}(?:mixed|combined|blended|smooth|stirred|mixed through|
  blended in)
stir: (?:there is |there are )?(?:no|no more|not any) (?:more )?lumps(?: left| in it| any more)?
spread: (?:{_ALL}{_THE}(?:bread|slices|both slices|slice)) {_B}{_VERY}(?:covered|spread|smeared|
  coated|
  slathered|buttered|painted)(?: (?:in|with) \w+)?
spread: (?:there is )?mustard (?:is )?{_VERY}(?:on|on it|on (?:both|all|every|each|
  the) (?:slices?|bread))
stack: (?:{_IT}|ham|lettuce) {_B}{_VERY}(?:on top|on top of it|layered on|on there)
season: (?:{_IT}|{_FOOD}) {_B}{_VERY}(?:salted|seasoned|salty enough|spiced)
season: {_W}(?:have )?(?:salted|seasoned|spiced) (?:{_IT}|{_FOOD})
season: {_ALL}salt {_B}{_VERY}in(?: {_FOOD}| it)?
fill: {_ALL}(?:{_THE}(?P<vessel>pot|pan|bowl|glass|mug)) {_B}{_VERY}(?:full|filled|filled up|
  topped up)(?:
   (?:of|with) (?:the )?(?:water|milk|stock))?
fill: (?:there is )?{_ALL}water (?:is |'s )?{_VERY}in (?:the )?(?P<vessel3>pot|pan|
  bowl)(?: from before)?
fill: {_W}(?:have )?(?:filled|topped up|filled up) (?:the )?(?P<vessel2>pot|pan|bowl|glass|mug)
  (?: up)?(?: (?:with|from|at) (?:the )?(?:water|tap|sink|jug))?
assemble: (?:{_IT}|bowl) {_B}{_VERY}(?:put together|built|arranged|assembled|laid out|composed)
hand over: {_W}(?:have )?(?:got|took|taken|received|have|been given|been handed|had|accepted|
  grabbed)
  {_THE}(?P<item>[\w ]+?) (?:from|off|out of) (?:the )?(?:arm|r1|robot|arm hand|gripper|claw)
hand over: {_THE}(?P<item2>[\w ]+?) {_B}{_VERY}in my (?:hands?|palm|grasp|fingers)
hand over: {_W}(?:am |are )?holding {_THE}(?P<item3>[\w ]+?)(?: in my hands?)?
hand over: {_THE}(?P<item6>[\w ]+?) {_B}{_VERY}(?:received|handed over|accepted|obtained|
  passed over)
hand over: (?:the )?(?:arm|r1|robot|machine|it|he|she) (?:has |just |has just )*(?:gave|given|
  handed|passed) (?:me|it to me|us|
  it to us|me it|me {_THE}(?P<item4>[\w ]+?)|{_THE}(?P<item5>[\w ]+?) to me)
"""
_UNSURE = frozenset(
    {"if", "until", "when", "will", "would", "should", "could", "can", "must", "may", "might",
     "unless", "PLEASE", "YOU", "to_be", "shall", "let's", "not_yet", "why", "how", "going"}
)  # fmt: skip
_BESIDE = ("FLOAT", "HEDGE", "UM", "FINE")
_TAIL = re.compile(
    r"(?: (?:in there|there|enough|now|then|already|at last|ok|here|up|finally|done|today|there))+$"
)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found: list[tuple[str, re.Pattern[str]]] = []
    for line in re.sub(r"\n {2}", "", _TABLE.strip()).splitlines():
        task, _, source = line.partition(": ")
        found.append((task, re.compile(source)))
    return tuple(found)


def subtask_of_outcome(clause: Clause, refs: Refs) -> str | None:
    """The subtask whose result a clause states."""
    if clause.asks or clause.has("NEARLY") or clause.has("TALE"):
        return None
    if any(c.kind in _UNSURE or c.key == "going" for c in clause.chunks):
        return None
    words = _plain_words(clause.chunks)
    for task, pattern in _patterns():
        match = pattern.fullmatch(words) or pattern.fullmatch(_TAIL.sub("", words))
        if match is None:
            continue
        items = {v for name, v in match.groupdict().items() if v and name.startswith("item")}
        vessel = [v for name, v in match.groupdict().items() if v and name.startswith("vessel")]
        things = [t for c in clause.core if c.kind == "O" for t in c.things]
        about = {n for t in things for n in t} if items or vessel else set[str]()
        if items and not about:
            continue
        one = _open_subtask(refs, "pour" if task == "fill" else task, about, own=not things)
        if one is not None and _fits(one, things, refs, task):
            return one.id
    return None


def _plain_words(chunks: Sequence[Chunk]) -> str:
    """The words without floating ones, except those that state a place."""
    words = [c for c in chunks if c.kind not in _BESIDE or c.key in ("up", "over", "well")]
    return " ".join(c.key for c in words)


def _open_subtask(refs: Refs, task: str, about: set[str], *, own: bool) -> TalkSubtask | None:
    """The only subtask of this task that is running, proposed or ready.

    `own`: the clause names nothing, so the subtask must be the speaker's or proposed.
    """
    every = [
        s
        for s in refs.context.subtasks
        if (m := refs.meanings[s.id]) is not None
        and m.task == task
        and (not about or about & {v for _, v in m.args})
    ]
    running = [s for s in every if s.status in ("running", "interrupted", "queued")]
    mine = [s for s in running if s.agent == refs.user]
    meanings = {m for p in refs.context.proposals if (m := refs.proposed[p.id]) is not None}
    ready = [s for s in every if s.status == "ready"]
    ready = [s for s in ready if not own or refs.meanings[s.id] in meanings]
    for group in (mine, running, ready):
        if group:
            return group[0] if len(group) == 1 else None
    return None


def _fits(one: TalkSubtask, things: Sequence[tuple[str, ...]], refs: Refs, task: str) -> bool:
    """Whether the named things are the object of the work, or may be in its vessel."""
    meaning = refs.meanings[one.id]
    values = {v for _, v in meaning.args} if meaning is not None else set[str]()
    if task == "fill":
        return "water" in values  # other contents of a bowl are unknown
    if task in ("drain", "serve", "heat", "simmer", "stir", "fill", "season"):
        return True
    contents = [t for t in things if not any("Container" in refs.kitchen.type_of(n) for n in t)]
    return not contents or any(set(t) & values for t in contents)


def in_vessel(tasks: frozenset[str], things: Sequence[tuple[str, ...]], refs: Refs) -> str | None:
    """ "The pasta is drained", which is in the pot: the only such subtask at hand."""
    soon = (("running",), ("interrupted", "queued", "ready"))
    subtasks = refs.subtasks(Ref(tasks=(tasks,)), soon)
    meanings = [m for s in subtasks if (m := refs.meanings[s.id]) is not None]
    if len(meanings) != 1 or len(meanings[0].args) != 1:
        return None
    vessel = meanings[0].args[0][1]
    if "Container" not in refs.kitchen.type_of(vessel) or any(vessel in t for t in things):
        return None
    return subtasks[0].id
