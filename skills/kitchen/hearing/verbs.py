"""Verbs of a kitchen, and the tasks that they may mean.

`TASKS` gives synonyms of a task's own verb; the task's own pattern has priority. The `CLASSES` are
verbs about work: stopping, resuming, finishing, leaving out.
"""

from __future__ import annotations

from functools import cache

from treec.skills.kitchen.hearing.lexicon import Way, expand, inflections, table_entries

# Task's own verb: its synonyms, with a particle or preposition where needed.
TASKS: dict[str, str] = {
    "get": "'get my hands on' 'get hands on' 'lay my hands on' "
    "fetch bring grab retrieve collect obtain procure 'pick up' 'go for' 'run for' "
    "'nip for' "
    "'dash for' 'head for' find 'bring over' 'carry over' deliver pick take carry haul lug "
    "'go grab' transport transfer snatch seize 'get hold of' 'get a hold of' 'track down' acquire "
    "shift 'dig out' 'take out' 'get out' 'pull out' snag 'pop over for' 'go after' "
    "'hunt down' 'bring out' "
    "'bring back' 'bring round' 'bring along' 'lay hands on' 'reach for' move put "
    "set place lay leave stick pop drop deposit slide",
    "hand": "pass give 'hand over' 'pass over' 'reach' slide throw lend chuck sling toss "
    "fling lob bung fire shoot flick 'hand out' 'hand round' 'hand around' 'pass round' "
    "'pass around' 'give out' 'pass out' 'pass along'",
    "pour": "put tip add throw chuck toss drop dump empty stick pop scoop transfer place "
    "drizzle slide "
    "pour bung sling tumble fling plop plonk slip shake sprinkle grind scatter ladle splash squirt "
    "squeeze incorporate fold stir mix transfer slosh trickle dribble introduce lob shove dash "
    "scrape spoon crumble dust deposit set combine blend work whisk lay get bring move load",
    "chop": "dice mince cube hack quarter cut 'chop up' 'cut up' slice 'dice up' shred",
    "slice": "cut halve quarter fillet julienne segment carve 'cut up' 'slice up' chop "
    "'chop up' dice",
    "grate": "shred shave",
    "prepare": "prep wash rinse clean trim 'get ready' 'wash up' 'rinse off' 'wash off' "
    "'clean up' 'make ready' 'tear up' tear pick soak 'pull apart' dry spin wet",
    "wash": "rinse clean 'wash off' 'rinse off' 'clean off' scrub soak prep prepare sponge hose "
    "'wash up' 'clean up' 'rinse out' 'wash out' 'clean out' 'wipe out' wipe 'scrub out'",
    "put away": "return 'take back' 'put back' 'clear away' 'tidy away' 'tidy up' tidy store "
    "stow stash "
    "'bring back' 'carry back' 'stow away' 'pack away' 'clean up' 'take away' 'set back' clear "
    "remove 'put up' 'move back' 'run back' 'drop back' replace 'carry away' 'get rid of' "
    "'pop back' 'stick back' 'place back' 'bring away' 'clear off' 'send back' "
    "'get away' 'stick away' "
    "'shelve' 'deposit back' 'give back' 'park' 'haul back' 'pop away' put set "
    "place move leave stick pop drop deposit slide lay",
    "stir": "mix toss blend whisk combine swirl 'stir up' 'mix up' 'mix together' 'blend together' "
    "agitate fold turn 'stir through' 'toss together' 'mix through' work beat swish",
    "mix": "stir toss blend combine",
    "peel": "skin pare",
    "bake": "roast",
    "boil": "cook",
    "fry": "saute brown sear cook",
    "heat": "warm 'heat up' 'warm up' reheat preheat 'warm through'",
    "toast": "brown grill",
    "whisk": "beat whip",
    "season": "spice flavour flavor dust sprinkle",
    "serve": "'dish up' 'dish out' 'plate up' plate 'serve up' 'dole out'",
    "spread": "smear slather dollop daub dab put brush slap rub spoon plaster scrape lather "
    "'spread out' pop",
    "mash": "crush squash",
    "crack": "break",
    "drain": "strain",
    "melt": "liquefy",
    "simmer": "cook stew",
    "stack": "layer pile lay place set pop stick slap plonk drop bung chuck arrange put slide "
    "throw move add get top 'pile up' 'stack up' 'lay out' rest balance pack",
    "assemble": "arrange 'put together'",
    "run": "start 'switch on' 'turn on'",
}
PARTICLES = frozenset(
    [
        "away",
        "back",
        "over",
        "up",
        "out",
        "off",
        "in",
        "down",
        "on",
        "together",
        "apart",
        "through",
        "round",
        "around",
    ]
)

_CLASSES = """
STOP: stall it [there]; stall there; basta; arrete; alto; stopp; genug; aufhoren; easy (on|with);
  steady [on] (on|with); take it easy (on|with); go easy on; let go [of (it|that)]; ~shut
  (down|off); ~turn off; ~power off; ~stay where (you|it|he|she|they) (are|is); ~stay [well] away
  [from (it|there|me|that)]; ~take (a pause|a rest); ~make a (pause|stop|halt|break); ~have a
  (break|rest|pause|breather); do not come [any] (closer|nearer) [to me]; ~stop
  (moving|driving|working|rolling); ~get away from (there|here|me|it); ~keep away [from
  (me|it|there)]; ~back up; do not go any (further|farther); (leave|drop) everything; cancel what
  you are doing; abort [the] mission; ~power (down|off); ~switch off; ~turn (yourself|yourselves)
  off; ~switch (yourself|yourselves) off; that is far enough; put (it|that|everything) down; ~put
  everything on hold; ~hold everything; ~put (it|that|this) on hold; ~chill; brakes on; brakes;
  nobody moves; nobody move; ~stop; ~stop it; ~stop that; ~halt; ~freeze; ~pause; ~cease; ~desist;
  ~abort; ~quit; ~quit it; knock it off; cut it out; ~stand (still|by|down); ~hold still; ~stay
  still; ~stay put; ~stay where you are; ~stay there; ~stay right there; (do not|nobody) move [a
  muscle|another (inch|step|muscle)]; ~hold it [right there|there]; that is enough [of that]; that
  will be enough; that is quite enough; enough [of that|now|already]; time out; timeout; ~take (a
  break|five|a breather); ~back off; hands (off|up); emergency stop; red alert; ~interrupt;
  ~suspend; ~remain still; ~keep still; ~shut down; ~call a halt [to]; ~put (a stop|an end) to;
  ~bring to a halt; ~come to a (halt|stop); mayday; cease and desist; ~break off; ~stop where you
  are; ~kill it; ~leave off; ~hit the brakes; stop it right there; ~lay off; whoa stop; ~cease
  fire; all stop; full stop; not another (step|move|inch|drop); no (further|more); ~stop dead;
  ~rest; ~hold position; ~hold your position; ~stay in place; ~down tools; that will do; stop
  stop; stop stop stop; ~stop everything; ~stop all [of it|that|this]; ~pause everything; ~halt
  everything; ~freeze everything
WAIT: ~wait; ~hold on; ~hang on; ~hold up; ~hold off; ~hang back; ~hang fire; ~hold fire; ~sit
  tight; ~stand by; ~wait up; ~be patient; ~stay back; ~stay; ~hold your horses; ~hold back; ~slow
  down; ~wait a bit; ~wait there; ~wait here; ~hold
GO: ~come through [again]; on with; (~get back|~go back|~return|back) to [the] (business|normal);
  ~go back to; ~get back to; you are clear [to go]; ~walk again; ~drive again; ~run again; ~operate
  again; ~function again; go; off you (go|pop|trot) [again]; away you go [again|now]; ~come on
  through; you can move; ~keep; ~keep on; ~go on; ~go on (your|its|their|his|her) way; ~get moving
  again; unblock; release; ~carry on with it; ~carry on; ~continue; ~resume; ~keep going; ~keep at
  it; ~keep on; ~keep it up; ~press on; ~push on; ~crack on; ~plough on; ~move on; ~soldier on;
  (back|~get back|~go back|~return) to (work|it|what (you|they|he|she) (were|was) (doing|at)|your
  (work|job|jobs|tasks|task|duties|posts)); (back|~get back|~go back) (on|at) it; as you were; as
  (they|it) was; ~pick up (where (you|we|they|he|she) left off|again); ~unpause; ~unfreeze;
  ~restart; ~get (going|moving) again; ~get going; ~get moving; ~start [up] again; ~start
  (moving|working) again; ~begin again; ~move again; ~finish what (you|they|he|she) (were
  doing|started|began|had started|was doing); on you go; on we go; on with (it|the show|the work);
  ~get on with (it|things|your (work|job|task|thing)); ~go again; all clear; false alarm; back in
  action; unstop; ~resume (work|working|operations|your (work|tasks|task|duties)); ~go (about|on
  with) your business; ~go back to (work|working); ~continue (working|as before|what you were
  doing|with what you were doing|your (work|tasks|task)); ~complete what you (were doing|started);
  the coast is clear; ~take it from (there|where you left off|the top); ~pick (it|things|this) up
  again; ~wake up; ~keep (moving|working); ~come back to it; ~get back into it; ~get back in action;
  ~carry on where you left off; ~continue where you left off; ~continue from where you left off;
  resume please; ~snap out of it; ~proceed; ~roll on; ~go ahead; you are
  (free|released|good|clear|allowed) to (go|move|continue|carry on|go on|resume); danger (is
  over|over|has passed); crisis (over|averted); ~get (rolling|cracking) again; ~roll again;
  [the] (break|pause|break time|timeout|time out|rest|nap|nap time|siesta|tea break|lunch
  break|holiday|rest time)('s | is | )over; unhold; ~work again; at ease; action stations; and
  action; action
FINISH: ~finish; ~finish (up|off); ~complete; ~wrap up; ~be done with; ~get through; ~conclude;
  ~polish off; ~knock out; ~get done
DROP: ~do away with; ~say goodbye to; ~wave goodbye to; ~steer clear of; ~spare
  (ourselves|itself|yourself|myself) [the (trip|walk|bother|trouble|effort|work|hassle)]
  [for|of|to get|with]; ~save (yourself|itself|ourselves|us|himself|herself|myself|yourselves) [the
  (trip|walk|bother|trouble|effort|work|hassle)] [for|of|to get|with]; hard pass on; ~decide
  against; ~vote against; ~spare (me|us); ~pass over; ~rule out;
  ~renounce; ~forgo; ~leave off; ~go easy without; ~hold; ~skip; ~forget [about|all about]; ~leave
  out; ~omit; ~drop; ~scrap; ~cancel; ~ditch; ~scratch; ~strike; ~do without; ~go without; ~live
  without; ~manage without; ~cope without; ~cook without; ~get by without; ~survive without; ~cut
  out; ~leave off; ~cross (off|out); ~lose; ~nix; ~axe; ~eliminate; ~exclude; ~pass on; never mind
  [about|with]; not bother [with|about]; do not bother [with|about]; do not worry about; ~get rid
  of; ~call off; ~take (off|out); ~abandon; ~dispense with; ~kill; ~give up on; ~shelve; ~delete;
  ~scrub; ~miss out; ~keep out; ~avoid; ~remove; ~chuck out; ~strike (off|out|from); ~cut; ~bin;
  ~make it without; ~make do without; ~ignore; ~keep off; ~throw out; ~discard; ~leave alone; ~blow
  off; ~dump
HOLDOFF: ~hold (fire|the horses|your horses) (on|with); ~go (slow|slowly) (on|with); ~hold the
  horses on; ~go without for now; ~wait with; ~hold off (on|with); ~wait (on|for); ~hold [back]
  (on|with); ~hang on with; ~hold on with; ~hang fire (on|with); ~hold back; ~delay; ~postpone;
  ~put off; ~put on hold; ~leave; ~leave for (now|later); ~go easy on; ~save; ~defer; ~keep for
  later; ~leave until later; ~wait before; ~hold; ~park; ~table; ~draw the line at;
  ~say no to; ~turn down;
  ~shy away from; ~steer clear of; ~keep (clear of|away from); ~bow out of; ~back out of; ~opt out
  of; ~have nothing to do with; ~stay (clear of|out of); ~take a rain check on; ~balk at
DO: ~keep an eye on; ~watch over; in charge of; responsible for; on duty for; ~get
  (going|busy|started|cracking|stuck in) (on|with); ~get stuck into; ~make a start with; ~work
  away (on|with|at); ~fire away with; ~work away; ~do; ~handle; ~take care of; ~deal with; ~look
  after; ~see to; ~tackle; ~sort; ~sort out; ~attend to; ~work on; ~get on with; ~be in charge of;
  ~take on; ~take over; ~cover; ~start on; ~start with; ~start; ~get started on; ~get started
  with; ~begin with; ~begin; ~perform; ~execute; ~carry out; ~get to work on; ~have a go at; ~be
  responsible for; ~go ahead with; ~go ahead and do; ~proceed with; ~go with; ~get to; ~manage;
  ~take; ~have; ~field; ~own; ~be on; ~get cracking on; ~crack on with; ~make a start on; ~knock
  out; ~get onto; ~get on; ~lead with; ~take charge of; ~try
WANT: (am|are) after; (am|are|was|were) [really] (hoping|looking|longing) for; was thinking
  (about|of); ~put (me|us) down for; ~want; ~would like; ~like; ~fancy; ~prefer; ~love; ~crave;
  ~desire; ~wish for; ~feel like; ~be in the mood for; ~be craving; ~be up for; ~have a taste for;
  ~have a (hankering|craving|yen) for; ~vote for; ~choose; ~pick; ~select; ~go for; ~opt for;
  ~settle (for|on); ~could (use|do with|go for|murder|eat); could (use|do with|go for|murder|eat);
  ~would kill for; ~hanker after; ~be hungry for; ~long for; ~dream of; ~would love; ~decide on;
  ~lean (towards|toward); ~be (tempted by|leaning towards|keen on|thinking of|thinking)
NEED: have to have; have got to have; must have; need to have; want to have; ~have need of; would
  have need of; missing; short of; low on; lacking; all out of; running
  out of; running low on; ~need; ~require; ~be missing; ~be lacking; ~lack; ~be short of; ~be out
  of; ~be after
COOK: ~turn (it|this|that) into; ~throw on; ~stick on; ~make; ~cook; ~have; ~eat; ~whip up;
  ~rustle up; ~knock up; ~throw together; ~fix; ~prepare; ~do; ~try; ~go with; ~start with;
  ~start; ~begin; ~switch to; ~change to; ~swap to; ~bake; ~cook up; ~put together; ~get started
  (on|with); ~begin with; ~order; ~serve; ~create; ~dine on; ~stick with; ~stick to; ~get going
  (on|with); ~go back to; ~move [on|over] to; ~load; ~produce; ~assemble; ~build; ~knock together;
  ~dish up; ~learn to make; ~get; ~brew; ~give a go; ~attempt; ~change
  [it|this|that|things|plans|our plan|the (plan|recipe|menu)] to; ~switch
  [it|this|that|things|plans|our plan|the (plan|recipe|menu)|over] to
"""


@cache
def classes() -> dict[Way, frozenset[tuple[str, str]]]:
    """Each wording of a verb about work: its classes, each with its form."""
    found: dict[Way, set[tuple[str, str]]] = {}
    for kind, entry in table_entries(_CLASSES):
        text = entry.strip()
        for way in expand(text.removeprefix("~")):
            found.setdefault(way, set()).add((kind, "base"))
            if text.startswith("~"):
                for form, name in inflections(way[0]).items():
                    found.setdefault((form, *way[1:]), set()).add((kind, name))
    return {way: frozenset(kinds) for way, kinds in found.items()}


@cache
def synonyms() -> dict[str, tuple[Way, ...]]:
    """The synonyms of each task's own verb."""
    return {own: _split(line) for own, line in TASKS.items()}


def _split(line: str) -> tuple[Way, ...]:
    parts = line.split("'")
    found: list[Way] = []
    for index, piece in enumerate(parts):
        found += [tuple(piece.split())] if index % 2 else [(word,) for word in piece.split()]
    return tuple(way for way in found if way)
