"""Phrases that are no names, verbs or answers: politeness, time, people.

Each line is a kind of chunk and its wordings, separated by ";", in the syntax of `lexicon`.
"""

TABLE = """
THANKS: thanks; thank you; thanks a lot; thanks so much; thank you [very|so] much; thanks very
  much; many thanks; cheers; much appreciated; much obliged; ta; merci; gracias; danke; thanks
  (guys|everyone|team|all|both|a million|a bunch|robots|mate|buddy|dear); thank you
  (guys|everyone|all|both|team|robots|kindly|dear); good (job|work|boy|girl|robot|robots|bot);
  (nice|great|lovely|excellent|fine) (work|job); well done; nicely done; you are (the
  best|great|amazing|doing (great|well|fine)|a star|a lifesaver|wonderful); that is
    (kind|sweet|nice) of you; bless you; nice going; way to go; [that|it|this|everything|dinner]
  [just|really|already] (smells|tastes|smelled|tasted)
  [so|really|absolutely|very|just|quite]
  (good|great|lovely|delicious|amazing|nice|wonderful|divine|fantastic|heavenly|incredible) [in
  here|already]
HELLO: be like that; you can say that again; tell me about it; you do not say; what was that; come
  again; say again; what did you say; hello; hi; hey; heya; hiya; yo; hallo; howdy; hi there;
  hello there; hey there; ahoy; good (morning|afternoon|evening|day); oi; ahem; excuse me; sorry;
  i am sorry; pardon [me]; oops; whoops; oopsie; ouch; oh dear; oh no; oh my [god]; my bad; ugh;
  yikes; wow; gosh; oh well; good grief; dear me; listen [up]; attention; look; see; goodness
  [me]; blimey; my apologies; apologies; guess what; gotcha; got it; i see; understood; i
  understand; noted; right on; aha; i got it; hear hear; ok google
UM: yay; [i have] [got] no (idea|clue|notion); [i] do not know [yet]; [i am] not [so|quite]
  sure [yet]; (i|we) could not say; beats me;
  no (bother|hassle|drama|fuss|stress) [at all|whatsoever];
  [(that|it) (has|is)] [got] nothing to do with (me|us|it|that); yes right; no comment; yes
  and no; hooray; hurray; woohoo; yippee; yum; phew; um; uh; er; erm; hm; hmm; mm; mmm; ah; oh; ooh;
  eh; huh; well; so; like; you know; let me see; let's see; now then; anyway; anyways; tell you
  what; i tell you what; here is (the thing|the plan|what we do|my plan|what i want|a thought|an
  idea); you see; er no; man; well then; ok so; right so; come on; by the way; also; besides; in
  fact; as a matter of fact; actually; on second thought[s]; on reflection; change of
  (plan|plans|mind); changed my mind; i [have] changed my mind; new plan; correction; you know what;
  do you know what; guess what; rather; for heaven's sake; for god's sake; damn; god; alas; boy;
  boys; so then; basically; plus; say; yo yo; next [up|thing|step|one]; then; and then; after that;
  afterwards; finally; lastly; second; secondly; third; thirdly; moreover; after this; once that is
  done; in the meantime; meanwhile; in that case; if so; otherwise; either way; at last; the next
  (thing|step) is; first thing is
PLEASE: please; kindly; if you please; if you (do not|would not) mind; if you would [be so kind];
  if you (could|can|like|want|wish|will); if (possible|i may|that is (ok|all
  right|possible|alright|fine) [with you]|it is (ok|all right|possible|no trouble|not too much
  trouble|not too much bother|fine|no bother)); be so (kind|good) (as to|and); be a
  (dear|darling|love|sweetheart|star|good robot|pal|sport) and;
  there is a (dear|good robot|good bot|love); i beg [of] you; pretty please; for the love of god;
  thanks in advance; at your leisure; do me a favour [and]; do me a favor [and]; i beg you; do us
  a favour [and]; be a (dear|darling|love|star|sweetheart|pal|sport); [do you]
  (reckon|think|suppose) you (could|might); (when|whenever|once|as soon
  as) (you|he|she|they) (can|have (a|the) (moment|minute|second|sec|chance|time)|have time|get
  (a|the) (moment|minute|second|sec|chance)|are (free|ready|back|done [with
  that]|able|available|there|around|at it)|get (a chance|round to it|there|to it)|have a free
  (hand|moment)); in your own time; any time; if you get a (chance|moment|minute|sec); if you have
  (time|a moment|a minute|a second|a chance|a sec); if it is not too much (trouble|to ask|bother);
  mind you
FLOAT: for (once|a change); to save my life;
  (one-handed|left-handed|right-handed|single-handed|single-handedly); to be (on the safe
  side|safe|sure|certain|fair|precise|exact); just in case; for good measure; (all by|by)
  (itself|himself|herself|themselves|yours truly); at long last; in record time; as promised; as
  requested; without a hitch; bit by bit; one by one; by the look of it; with no
  (trouble|problem|problems|fuss); with (my|his|her|its|their|our) [own|bare|two|very own]
  [bare|two] hands; like a (pro|champ|boss|charm); at all; in (a|one|two|three|five|ten|a few|just
  a|half a|another) (minute|minutes|second|seconds|sec|secs|moment|tick|mo|bit|while); quite;
  dearly; gladly; happily; that you [have] [just] (said|mentioned|named|suggested|proposed); you
  [have] [just] (mentioned|named|suggested|proposed); this morning; earlier; earlier on;
  (a|an|one|two|five|ten|a few) (minute|hour|while|second|moment|minutes|hours|seconds) ago; since
  (one|an|two) (hour|hours|minutes); since ages; for ages; from yesterday; from before;
  beforehand; any longer; any more; anymore; (a|one|just a|half a|just one|another)
  (moment|second|sec|minute|tick|mo); for (one|just a|half a) (moment|second|sec|minute|tick|mo);
  just; really; simply; possibly; perhaps; maybe; probably; quickly; carefully; gently; slowly;
  nicely; properly; thoroughly; finely; thinly; together; myself; yourself; yourselves; himself;
  herself; itself; themselves; alone; by (yourself|myself|yourselves|itself); on
  (your|my|its|their) own; for (me|us|him|her|them|everyone|everybody); over (here|there|to me|to
  us|to the table); here; over; there; to (me|us); this time; today; tonight; anyway; at least;
  for now; for the (moment|time being); quick; real quick; really quick; as (quickly|fast|soon) as
  (you can|possible); as well; too; again; once (again|more); one more time; a (bit|little); some
  more; well; back here; (than|like|as|unlike) [the] (last|other) (time|week|year|night|day);
  (a|another|for a|for the) (second|third) time; straight;
  right; up; along; around; now; right now; immediately; right
  away; straight away; at once; this (minute|second|instant|moment); as we speak; soon; at some
  point; at the (moment|same time); then; next; afterwards; after that; after all; in the end;
  still; though; of you; already; meanwhile; in the meantime; in between;
  (right|straight|just|directly|soon|shortly) after [that|this|it|them]; later on; [every] now and
  (then|again); from time to time; [every] once in a while; by now; so far; if anything;
  obviously; clearly; personally; preferably; rather; instead; thing; stuff; even; ever; always;
  eventually; one day; after this; kind of; sort of; in one go; nice and
  (dry|clean|warm|cold|ready|ripe|hot|crisp|tidy|smooth|soft|shiny|slow|slowly|fine|fresh|gently|thick|thin|easy);
  a (couple of times|few times|bit more|little more); once; twice; per favore; by hand; next
  (trip|time|run|round); (on|in|with) (your|the) next (trip|run|round); for a
  (bit|while|moment|minute|second|sec); until (it is|they are)
  (smooth|ready|done|creamy|soft|even|nice and smooth); both times; from (now|here) on; also;
  likewise; yet again; a [little|good|short] while [longer]; more; some time; sometime; very much;
  indeed; extra; in a row; all the way;
  a lot; a good bit; thanks; ready for (me|us|you); while you are (at it|there|up|about it|over
  there); in your next trip; on your way [back|over]; this way; for a change; as planned; as
  usual; as agreed; as discussed; as you said; as proposed; as suggested; as you suggested; if you
  ask me; my turn; a touch; a tad
HEDGE: i was wondering whether; i was hoping [that]; i wondered (if|whether); i can see [that]; i
  notice [that]; i see that; apparently; turns out [that]; it turns out [that]; [it] looks like;
  [it] seems like; [it] looks as if; you will find; you can see; you will see; as you can see;
  looks to me like; i do (think|believe|hope|suppose|reckon); i
  (think|guess|suppose|believe|reckon|say|mean|figure|feel like|hope|imagine); i would say; i
  (really|do) think; i am (afraid|thinking|saying); i [just] (wanted|want) to say; to be honest;
  honestly; frankly; in my opinion; as far as i am concerned; the way i see it; seems to me; it
  seems [to me]; it seems to me that; for my part; from my side; i said; i told you; as i said;
  like i said; i repeat; i am sure; surely; we think; i was thinking; i was wondering if; i vote;
  i vote that; i propose; i suggest; i would suggest; i propose that; i suggest that; how about
  this; what i want is; all i want is [for]; what i need is [for]; what we need is; the plan is;
  my plan is; the idea is; i decided; i have decided; i want you to know; please note [that]; it
  is decided
FIRST: first things first; before you (do|start|start on|begin|begin with|get on with|get to)
  (anything|everything) [else]; before [doing] (anything|everything) else; before you
  (start|begin|go on|continue); ahead of (everything|anything) else; as (a|your|the) first
  (step|job|task|thing); first (up|job); top priority; first; first of all; firstly; first off;
  first thing; before (anything|everything) else; before all [else|that]; before that; before this;
  before you do that; before [doing] that; before we (do that|start|begin); as the first thing; to
  begin with; to start with; for (starters|a start); beforehand; before (that|this|then)
NEARLY: half (of the|the); almost; nearly; half; halfway; half way; partly; partially; mostly; not
  quite; just about; as good as; all but; not fully; not entirely; not completely; soon; shortly;
  close to; about to be; on its way to; on the way to; more or less; practically; virtually; one
  more; a few more; two more; any (minute|second|moment) now; in no time
ONLY: only; just; nothing but; only ever; nothing else than; solely; but
ALLBUT: all but; all except [for]; everything but; everything except [for]; all (of them|of it|of
  those) (but|except [for]); everyone (but|except [for]); both except; except [for]; anything but;
  apart from; other than; excluding; all of (them|it|those) apart from; everything apart from; all
  apart from; not counting; all bar; bar
DONE: finito; check; done; finished; complete; completed; ready; sorted [out]; all
  (set|sorted|done|finished|ready|complete); set; taken care of; dealt with; seen to; looked after;
  handled; in the bag; over and done with; done and dusted; in place; wrapped up; through; over
  with; out of the way; accomplished; good to go; ready to (go [in]|use|be used|rock|roll|serve);
  ticked off; checked off; mission accomplished; job done; task (done|complete|completed); that is
  (it|all|everything|me done|that); all yours; did it; over; a done deal; prepped and ready; ready
  and waiting; settled; at hand; fulfilled; and dusted; there we (go|are); there you (go|are);
  voila; behold; lo and behold; tada; ta da; et voila; bingo; nailed it; have it; good and ready;
  ready now; as ordered; no longer (needed|an issue)
OTHERS: (my|our|his|her|your|their)
  [late|old|dear|little|big|poor|elder|older|younger|youngest|eldest|oldest|first|ex|best|good|great]
  (mom|mum|mother|dad|father|wife|husband|son|daughter|sister|brother|friend|friends|boss|grandma|grandmother|gran|nan|grandpa|grandfather|aunt|uncle|cousin|neighbour|neighbor|neighbours|kid|kids|child|children|boyfriend|girlfriend|partner|doctor|teacher|phone|roommate|flatmate|mate|dog|cat|niece|nephew|colleague|ex|team|parents|family|guests|son's|teacher's|landlord|therapist|dentist|mother
  in law|bus|train|taxi|car); mom; mum; dad; mommy; mummy; daddy; grandma; grandpa; granny; nana;
  darling; honey; sweetheart; sweetie; dear; babe; love; kiddo; alexa; siri; google; cortana;
  (the|our)
  (dog|cat|kids|kid|baby|neighbours|neighbors|neighbour|radio|tv|telly|doorbell|phone|children|dishwasher|washing
  machine|bus|train|postman|mailman|chef|cook|waiter|doctor|news|weather
  forecast|landlord|guests|timer|oven|film|movie|song|book|game|match|music|police)
TALE: so far so good; long time no see; give me (a break|strength|a chance); give us a break; no
  rest for the wicked; not my circus; not my monkeys; pigs (can|might|will|may) fly; when pigs fly;
  in your dreams; [stir|stirring|stirs] up trouble; [trying] to stir things up; stop the press[es];
  get (out of here|over (it|yourself)|a (room|grip|life)); cut (me|him|her) some slack; cut to the
  chase; bring home the bacon; egg on (my|your|his|her) face; salt of the earth; cherry on top; go
  bananas; (went|going) bananas; cool as a cucumber; in a nutshell; couch potato; spice of life;
  piece of cake; easy peasy; (in|up|on|all over) my
  (eye|eyes|nose|hair|mouth|shoe|shoes|sleeve|shirt|teeth|lap|ear|ears|throat|beard|foot|feet|trousers|jeans|dress);
  easy come easy go; what a (day|week|night|life|world); speak of the devil; hold the front page;
  stop the world; small world; better late than never; all work and no play; that is life; such is
  life; c'est la vie; no pain no gain; break a leg; (take|took|taking|taken)
  (it|that|this|everything|things) with a (pinch|grain) of salt; (add|adds|adding|rub|rubbing|put)
  [some] salt (to|in|into) the wound[s]; smell the roses; hammer time; pull the other one; just you
  wait; worth (his|her|their|its) salt; the cat that got the cream; cream of the crop; in a pickle;
  (spill|spilled) the beans; (was|were) like; (he|she|they|i|we) was like; (he|she) were like;
  yesterday; last
  (night|week|year|month|time|summer|winter|christmas|sunday|monday|saturday|friday|tuesday|weekend);
  years ago; (days|weeks|months|a week|a year|a while|long) ago; used to; when i was
  [a|little|young|small]; back (then|in the day|home); once upon a time; as (they|people) say; as
  the (saying|proverb) goes; (we|they|people) [always|often] say; (he|she) (goes|went); i
  (told|asked|warned|said to) (him|her|them|my|the|mum|mom|dad|everyone); in the
  (movie|film|song|book|olden days|old days|army|navy); on (tv|the radio|the phone|the news); every
  (day|morning|evening|night|week|summer|sunday|time|year|christmas|weekend); i
  (dreamed|dreamt|remember|recall); reminds me; (he|she|they|who|everyone|people|mom|mum|dad)
  (said|says|told|asked|yelled|shouted|screamed|texted|goes|went|would|used|always|never|wrote|claims|swears|thinks|thought|wants|wanted|loves|hates|keeps);
  i (heard|read|saw|watched|learned) ; the other day; rumour has it; tomorrow we; next
  (week|year|time|month); at school; at work; in school; at home
"""
"""Kinds of chunks and the wordings of each."""
