"""Pronouns, numerals, quantifiers, and function words of noun phrases."""

from __future__ import annotations

from functools import cache

from treec.skills.kitchen.hearing.lexicon import Way, expand, table_entries

_POINTERS = """
I: i; me
YOU: you
WE: we; us
THEY: he; she; they; him; her; them both
IT: the (honours|honors); it; that; this; these; those; them; that one; this one; that thing; the
  same; the same thing; so; the (task|job|proposal|suggestion|plan|idea|rest of it|one|thing);
  that (bit|part|job|task|stuff|lot|proposal|plan|idea); this (bit|part|job|task|stuff|proposal);
  those (two|things|ones|tasks|jobs); these (two|things|ones|tasks)
SOMEONE: someone [else]; anyone [else]; one of (you|them|the robots|you two); either of (you|the
  robots|you two); (whoever|whichever|who ever|anyone who|someone who|the one who) (is|can|has)
  [the] (free|available|nearest|closest|time|able|idle|spare|there); whoever; (a|the|that|our|my)
  robot; any robot; some robot; another robot; either robot; somebody else; a helper; a volunteer;
  some one
ALL: chaps; [you] (boys|fellas|crew|people|troops|friends|folk); robot; (both|both the|the|the
  two|all|all the|you|you two|my|our|dear|you lovely) robots; robots; you
  (two|both|guys|lot|all|three|lads|folks|people|people all); both of you; all of you; the
  (two|pair|lot|both|three) of you; everyone; every one of you; everybody; guys; folks; team;
  gang; the (whole|entire) team; lads; all hands; all agents; all units; both machines; machines;
  bots; both bots; you bots; gentlemen; ladies and gentlemen; (both|the|both the|two) arms; each
  of you
ORD firsttwo: [the] first (two|2|couple); the (former|top) two
ORD lasttwo: [the] (last|latter|second|final) (two|2|couple)
ORD all: (everything|all|all that) you [just] (said|suggested|proposed|mentioned|have in mind); what
  you (said|suggested|proposed|just said|have in mind|had in
  mind|mentioned|recommend|recommended|suggest|propose|think best); all [of] [the|your|these|those]
  [two|three|four] (proposals|suggestions|tasks|ideas|things|ones|plans|jobs)
ORD second: second
ORD third: third
ORD last: last
ORD first: numero uno; number uno; first one; [the|that|your|this] first
  (one|thing|option|bit|part|proposal|suggestion|task|job|idea|dish|recipe|choice); the first;
  number one; option (one|1|a); proposal (one|1); number 1; the (former|1st|1st one|top one);
  (former|1st) one; the one you (said|mentioned|named) first; the earlier one; no 1; nr 1; first
  on the list; one and only
ORD second: numero dos; [the|that|your] second
  (one|thing|option|bit|part|proposal|suggestion|task|job|idea|dish|recipe|choice); the second;
  number two; option (two|2|b); proposal (two|2); number 2; the (2nd|2nd one|middle one|middle|one
  in the middle); second one; middle one; no 2
ORD third: numero tres; [the|that|your] third
  (one|thing|option|bit|part|proposal|suggestion|task|job|idea|dish|recipe|choice); the third;
  number three; option (three|3|c); proposal (three|3); number 3; the (3rd|3rd one); no 3
ORD last: [the|that|your] (last|final)
  (one|thing|option|bit|part|proposal|suggestion|task|job|idea|dish|recipe|choice|bit); the
  (last|final|latter|latter one|bottom one); latter one; the one you (said|mentioned|named) last;
  last named
ORD both: (both|all) counts; both fronts; both; both (of them|of those|of these|of
  it|things|tasks|ideas|proposals|suggestions|options|jobs|ones); the two [of them|things]; the
  pair [of them]; both the (two|tasks|proposals|suggestions); two of them; them both; 'em both;
  those both
ORD all: all; all (three|four|of them|of those|of these|of it|of that|of this|of the
  above|that|this|proposals|suggestions|tasks|of your suggestions|of your proposals|of what you
  (said|proposed|suggested)); everything; the (lot|whole lot|whole thing|whole plan|whole bunch);
  every one [of them]; every single one [of them]; each [one|of them]; anything; whatever; the
  three [of them]; them all; all the (tasks|proposals|suggestions|things|rest); each and every
  one; every (task|proposal|suggestion|bit of it|part|thing)
ORD neither: neither; neither (of them|of those|one|of these|of the two|of it); none; none (of
  them|of those|of it|of these|of that); nothing; not any; either of (them|those|these); either;
  nothing at all; any; any of (them|those|it|these|that)
ORD other: the other; the other (one|thing|two|bit|part|proposal|suggestion|task|job|option);
  other one
ORD rest: the (rest|others|remaining|remaining (one|ones|two|tasks|proposals)|remainder|other
  ones|other two|others though|other (tasks|proposals|things|jobs|suggestions)); rest; others;
  everything else; all else; anything else; all others; all the others; rest of (it|them); the
  rest of (them|it|that|this|those|these|the (tasks|plan|proposals|suggestions)|your
  (ideas|plan)); the ones that are left
ORD mine: mine; my
  (part|bit|job|task|one|share|turn|thing|business|department|domain|territory|line|affair|responsibility|baby|own|own
  part|proposal|stuff|work|half|duty|end|assignment|side); the one for me; what i (should|am
  supposed to) do; my part of it; (a|the|one|just the|just a|something|a thing)
  [job|task|one|thing|bit of work] for me; my part of the (deal|work|job)
ORD yours: yours; your (part|bit|job|task|one|share|thing|stuff|work|own); theirs; their
  (part|bit|job|task|one|share|thing|stuff|jobs|tasks|parts|ones|work|suggestions); the robots
  (one|ones|jobs|tasks|part|parts|bit|things); the robot (one|ones|jobs|tasks|part|parts|bit); his
  (business|department|domain|responsibility|part|bit|job|task|one|share|thing); her
  (part|bit|job|task|one|share|thing)
OTHERONE: the other (robot|arm|guy|machine|bot|fellow|agent); other robot
ALSO: also; too; as well; in addition; additionally; on top [of that]; besides
when: as soon as; the moment; by the time; the minute; whenever; now that; the instant; each time;
  in case; provided; as long as; assuming
HEAD: things; run; trip; side; end; one; ones; part; bit; job; task; thing; proposal; suggestion;
  step; business; item; work; duty; thingy; idea; bits; jobs; tasks; parts; stuff; plan; chore;
  option; tasking; action
DET: (a|some|another|two|three|one|half a|an extra|just a|the|a good|a big|a small|a
  few)
  (twist|twists|grind|glug|dollop|dollops|squeeze|squirt|teaspoon|tablespoon|sprinkling|layer|slice|
  slices|dusting|clove|cloves|stick|sticks|bunch|packet|tin|can|jar|bottle|carton|bag|pinch|dash|
  splash|drizzle|knob|spoonful|spoonfuls|handful|lump|pat|cup|cups|bowl|mug|glass|fillet|loaf|tub)
  of [the|that|your|my]; [way|far|much] too much [of the]; not so much;
  (a|some|another|the|an extra|just a) [little|bit|tiny|small|good|wee|nice]
  (drop|pinch|dash|touch|bit|splash|handful|sprinkle|knob|spoonful|drizzle|tad|pile|pieces)
  [more|extra] [of] [the|that|your]; some more of the; a little more; a bit more; a lot more; much
  more; a few more; slightly more; the; a; an; some; my; our; your; his; her; their; any; all the;
  all of the; all; every; each; another; both; both the; some of the; the rest of the; some more;
  more; a little; a bit of; a bit more; a bit of the; a pinch of; a dash of; a splash of; a drop
  of; a jar of; a bottle of; a bag of; a bunch of; a cup of; a glass of; a mug of; a jug of; a
  pinch more; a couple more; a couple of; a few; a handful of; a
  spoonful of; a spoon of; a drizzle of; a head of; a piece of; pieces of; the remaining; the
  whole; the entire; two; three; four; five; those; these; the other; the next; the two; the
  three; the jar of; the bottle of; the bag of; the head of; the bowl of; a bowl of; a pot of; a
  plate of; a big; a big bowl of; a lot of; lots of; plenty of; enough; one more; a tin of; a can
  of; the tin of; the can of; the carton of; a carton of; a tub of; the tub of; the last of the;
  the rest of; the bit of; the box of; a box of; this; that; a portion of; the packet of; a packet
  of; one; bits of; slices of; the bunch of; the pile of; a pile of; the bits of; the pieces of;
  the remains of the; a hint of; what is left of the;
  a (hot|nice|warm|good|large|small|little|steaming|lovely|fresh)
  (bowl|plate|pot|cup|mug|portion) of
ADJ: bigger; smaller; larger; sharper; sharp; longer; cleaner; spare; wooden; deep; flat; fresh;
  little; big; small; nice; lovely; good; old; new; hot; cold; warm; large; huge; tiny;
  clean; dirty; raw; ripe; extra; whole; other; remaining; entire; damn; bloody; poor; beautiful;
  aforementioned; blooming; wretched; famous; precious; final; nearest; delicious; tasty;
  homemade; yummy; quick; simple; easy; proper; classic; fancy
"""


@cache
def pointers() -> dict[Way, str]:
    """Each wording, as words, and the kind of chunk that it makes."""
    found: dict[Way, str] = {}
    for kind, entry in table_entries(_POINTERS):
        for way in expand(entry):
            found.setdefault(way, kind)
    return found
