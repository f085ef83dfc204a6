"""Wordings of answers: yes, no, later, wait; other adverbials are in `asides`.

Each line is a kind of chunk and its wordings, separated by ";", in the syntax of `lexicon`.
"""

TABLE = """
YES: i (will|shall) (of course|indeed|gladly|certainly|surely|happily|for sure|then|so); (of
  course|sure|certainly|gladly) i (will|shall|can); i (would|will|shall) be
  (happy|glad|delighted|honoured|pleased|more than happy|only too happy|only too glad|very
  happy|very glad) to [do (so|that|it)|help|oblige] [for (you|us|everyone)]; [i am] [more
  than|only too|quite|very|always|so] (happy|glad|delighted|pleased|willing|honoured) to [do
  (so|that|it|the honours|my (bit|part|share))|help|oblige|be of (help|service|use)]; (it|that)
  (would|will) be [my|a|an] [great|real|absolute] (pleasure|honour|privilege) [to do
  (so|it|that)|to help]; i would (love|like) to [do (that|it|so)]; i would love nothing
  (more|better); do not mind if i do; i do not mind [doing (it|that)|at all|if i do]; i [do|just]
  (suppose|guess|reckon|think|believe|imagine|expect|daresay) i
  (can|could|might|may|will|should|must|had better|have to) [manage|do|handle] [(that|it|this)]
  [much|all right|too|as well]; i [think i|am sure i] can (manage|do|handle|cope with|see to|take
  care of|deal with|take on) (that|it|this) [much|one|all right|easily|just fine|myself|alone]; i
  can [just about|certainly|surely|easily] (manage|cope|handle|do) (that|it|this) [much];
  (consider|count|call) (it|that) [as good as] done; (it|that) is as good as done; thumbs up [from
  (me|us|here|this end|my side)]; [a] [big] thumbs up (from|for|to) (me|us|that|it|this);
  (that|it) gets (a|my) thumbs up; mhm; uhuh; uh uh huh; (they|you) (both|all) (can|may|should)
  [do that|go ahead]; let (everybody|everyone|each|them all) do their
  (own|bit|part|thing|job|share|own thing|own part); (each|everyone|everybody) [to|do] (his|their)
  own [job|part|bit|thing]; [go] (the (two|pair|lot|three) of (you|ye)|you (two|three|lot)) go;
  (on|off) you go (the [pair|two|lot|three] of you|both|both of you|you two|all of
  you|lads|boys|then lads); go on (the (pair|two|lot|three) of you|both of you|you two|all of
  you|then both of you)
NO: i (may|must|should|shall|had better|dare) not; i [am afraid i|regret i|really] (must|have
  to|will have to|shall have to|would have to|need to|want to|would like to) (decline|refuse|pass
  [on (that|it|this one|this)]|say no|bow out|beg off|opt out|sit (this|that|it) [one] out); i do
  not [really] (want|wish|care) to [do (it|that|this)]; i [really] would not (like|want) to; i
  would rather (be excused|pass|not do (it|that)|leave (it|that)); excuse me from (that|this|it)
  [one]; must i
YES: (we|i|you) (will|can|shall|should|could) do (it|that) [exactly|just] (like that|that way|this
  way|so|like this); (that|this|it) is [exactly|just] what i (wanted|was going|meant|hoped) to
  (say|suggest|propose|hear|do); why would (you|we|they|i|it) not; (it) would be
  (rude|silly|foolish|a crime|a shame|a pity|daft) not to; if you (are|were)
  (recommending|suggesting|offering) [it|that]; if you (recommend|suggest) (it|that); if that is
  what you (recommend|suggest); you (read|are reading|have read) my mind; you took the words
  [right] out of my mouth; that is the spirit; now you are talking; that is more like it; that is
  the ticket; i like (your|the way you) (think|thinking|style); [it] (might|may) as well be me;
  (great|lovely|good) thinking; let (it|him|her|them); do the honours; let it happen; what are you
  waiting for; what are we waiting for; about time [too]; high time; i thought you would never
  ask; thought you would never ask; (that|this) is how (we|i|you) (will|would|should|can|could) do
  it; that is the way [to do it]; work away; sold; you [have] (convinced|persuaded) me; (you
  have|go on) twisted my arm; you twisted my arm; why (yes|of course|certainly|sure|indeed) [of
  course|dear]; (that|it|this) will do [rightly|just fine|me|for me|for us|perfectly|very well];
  (that|it|this) is [exactly|just] what i would have (said|done|suggested); we are (good|ready|all
  set) to go; let it rip; if you (must|say so|think so|insist|like) [then]; well if you must; i am
  game [if you are]; music to my ears; (that|it) will do [nicely]; it is all yours; i am happy
  either way; [you] (have|got) my vote; do your worst; lead on; lead the way; after you; i
  (meant|mean|said) yes; that suits me [down to the ground|to a t|fine|nicely|just
  fine|perfectly|well]; it is a (go|yes) from (me|us); you have [got] my (go ahead|word); let's
  roll with (it|that); i am (with you|down) [on that|for that|with that]; (that|it) would help
  [me] [a lot|out]; ja [bitte|gut|gern|gerne|klar|genau]; genau; jawohl; oui [merci|bien sur]; si
  [si|claro|por favor]; claro; vale; dale; tak; da; gerne; prima; na gut; alles klar; bien sur;
  perfekt; yes and yes; you (both|two) go ahead; away you go; go [ahead] and do (it|that); in
  (it|they) (goes|go); in with it; (that|it) would be (grand|lovely|ace|brilliant|super|great
  thanks|a help); [it] makes sense [to me]; [that|it] makes [perfect|good|total] sense; why ever
  not; suits me down to the ground; music to my ears; let it be so; please and thank you; fill
  your boots; that is (exactly|just) (right|it|what we need); i (can|could) live with that;
  (that|this) is [exactly|just|precisely] what i (was thinking|think|thought|had in
  mind|wanted|want|would do|would have done|would have said); [exactly|just|precisely] what i (was
  thinking|had in mind|wanted); [that|it] sounds like a [good|great|fine|solid] (plan|idea) [to
  me|to us]; [i] (can not|cannot) see why not; [i] (can not|cannot) think of a reason not to;
  (that|this) (plan|idea|proposal) (works|is good|is great|is fine|suits me) [for me];
  [that|it|this|which|both|all of it|all of that] (sounds|sound|seems)
  [very|absolutely|really|quite|pretty|just|all]
  (good|great|ok|fine|perfect|right|lovely|nice|excellent|wonderful|brilliant|fair|reasonable|sensible|fantastic|super|like
  a plan|about right|ideal|cool|awesome) [to me|to us]; (that|this|which) (is|would be|will be)
  [very|absolutely|really|quite|just|all]
  (good|great|ok|fine|perfect|right|lovely|excellent|wonderful|brilliant|all
  right|super|ideal|kind|cool|helpful|a great help) [by me|with me|for me|for us|by us|to me]; all
  (agreed|approved|accepted); that is (agreed|settled|approved|ok); i have (no objection|no
  objections|nothing against (it|that)|no problem with (that|it)) [whatsoever|at all|to that]; no
  objection[s] whatsoever; yes [yes] [yes]; yes sir; yes indeed; yes of course; yes absolutely;
  sure; sure thing; for sure; of course; certainly; definitely
YES: [exactly|just|precisely] what i was (going|about) to (say|suggest|propose); i am agree; i agree
  [with (you|you guys|you all|that|this|it|everything|them|both)]; (your|the|that)
  (plan|idea|proposal|suggestion) (is|sounds|looks) (good|great|fine|perfect|ok|lovely|sensible);
  (that|it) is a (good|great|fine|fair|sensible|lovely)
  (split|plan|idea|arrangement|suggestion|proposal|offer|deal); (that|it) would be a
  [big|great|huge|real] help; you have my vote; no arguments [from me|here]; if you insist; i
  suppose so; [you|we|they] (may|might) as well; (works|good|fine|ok|all good) (on my end|for my
  part); now (is|would be) (good|fine|perfect|ideal) [for me]; i see no reason why not; i am in
  [full|complete|total] agreement [with (that|this|it|you)]; absolutely; affirmative; agreed; deal;
  indeed; you bet; you betcha; uh huh; mm hmm; mm hm; mmhmm; by all means; most certainly; roger
  [that]; roger wilco
YES: copy that; ten four; 10 4; very well; righto; right you are; right ho; okey doke; okie dokie;
  okey dokey; si; ja; oui; bet; say no more; totally; exactly; precisely
YES: naturally; gladly; with pleasure; my pleasure; be my guest; fair enough; fair; all for it; i
  am all for it; aye aye; bring it on; no objection[s] [here] [from me]
YES: no objection[s] at all; no complaints [here]; make it so; so be it; (why|and why) not; hell
  yes; hell yeah; heck yes; oh yes; good to go; you may; you (can|could)
YES: (they|he|she) (may|can) ; green light; you have [got] [a|the|my] green light; give it the
  green light; thumbs up; two thumbs up; permission granted; granted; approved; confirmed;
  accepted; confirm; approve; accept
YES: i (approve|agree|accept|consent|concur|second that|give my blessing|confirm); we agree; you
  have my (blessing|permission|ok|approval); it is a yes [from me|from us]; that is a yes [from
  me]; a yes from me; i say yes; i vote yes; i am in favour
YES: my answer is yes; yes please; yes thanks; yes do; i do; i would; i am [all] (for it|in|on
  board|game|happy with that|fine with that|good with that|ok with that|cool with that|okay with
  it|fine with it|happy with it|good with it)
YES: count me in; fine (by|with) (me|us); ok (by|with|for) (me|us); good (by|with|for) (me|us);
  cool (by|with) me; all good (by|with) me; (works|suits|does it|work) for (me|us);
  (that|it|this|which) (works|suits|will work|will do nicely|should work|would work) [for me|for
  us|me|us|fine]; suits me [fine|well]
YES: it (works|suits) me; what a good idea; what a great idea; (i|we) would (like|love|appreciate)
  (that|it); (i|we) would (really) (like|love|appreciate) (that|it); (i|we) like (that|it|the
  (plan|idea|sound of that|sound of it)); i am happy (with that|for that to happen)
YES: you do that; you both do that; do that; do so; do it; do this; do (that|it|so|this) then; do
  just that; do exactly that; please do [so|it|that]; just do it; let us do (that|it|this); let's
  do (that|it|this); let's do so; let's; let us; let it be so; get it done; make that happen
YES: make it happen; go [on] (ahead|for it|right ahead); go ahead [and do] [it|that|so]; go ahead
  with (it|that|this); go right ahead; off you go; off you pop; off we go; fire away; feel free;
  knock yourself out; knock yourselves out; have at it; be my guest; you (are|have)
  (good|free|clear) to go
YES: get (to it|cracking|going|started|moving|busy|stuck in|weaving|rolling|on with it|at it|on
  it); let's (go|roll|start|begin|get (started|going|cracking|to it|rolling|on with it|moving)|go
  (ahead|for it|with (that|it|this))|proceed|rock|crack on|hit it|run with (it|that)); hop to it;
  chop chop; go go [go]; go
YES: sounds like a plan; (that|it) sounds like a plan; it is a plan; that is the plan; that is a
  deal; we have a (deal|plan); you got it; you have got it; (that|it|this) is (what i
  (would|want|wanted|had in mind|was thinking|need|would have said)|how i would do it); as
  (you|they) (say|said|suggest|suggested|propose|proposed|wish|planned); i was (going|about) to
  (say|suggest) (that|the same)
YES: just what i (was thinking|need|needed|wanted|had in mind); my thoughts exactly; great minds
  [think alike]; could not agree more; i could not agree more; i (have|see) no objection[s] [to
  that]; no objections; i do not mind [at all] [if you do|if they do]; i would not mind; do not
  mind if i do; i do not see why not; see no reason not to; no reason not to; cannot hurt; could
  not hurt
YES: proceed; start; begin; (please|you (can|may|should)|you may both|they (can|may|should))
  (start|begin|proceed|go ahead|do (that|it|so)|get (started|going|on with it)); ready when you
  are; whenever you are ready; the sooner the better; not a problem; it is a go; all systems go;
  full steam ahead; happy to; i am happy to; will do; wilco; on it; i am on it; right away [sir];
  i will get [right] (on it|to it|to work|started|going|cracking|at it); i am in; shall do; can
  do; consider it done; leave (it|that) (to|with) me; i have got (this|it|that|this one|that one)
  [covered]; i will (do|take|handle|see to|take care of) (it|this|that|mine|my
  (part|bit|share|job|one)); i can (do|handle|take|manage) (it|this|that|mine|my
  (part|bit|share|job|one))
OK: ok; ok then; fine; fine then; all right; all right then; right; right then; very good; good;
  so so; ok ok
GOOD: jolly good; capital; top notch; spot on; lovely jubbly; good man; good lad; good stuff; not
  bad [at all]; great; perfect; excellent; wonderful; brilliant; splendid; super; fantastic;
  awesome; cool; sweet; ideal; marvellous; marvelous; terrific; amazing; grand; ace; fab;
  fabulous; superb; smashing; nice; neat; wicked; dandy; peachy; lovely; nice one; good one; great
  stuff; good stuff; (good|great|excellent|nice|brilliant|lovely|fine|smart|clever|wonderful|wise)
  (idea|plan|call|thinking|suggestion|thought|choice|proposal|point|move|shout); love it; i love
  it; (love|i love) (the|that) (idea|plan); even better; all good; magnificent; tremendous;
  beautiful; delightful; perfecto; bravo; top; outstanding
NO: not so much; not that much; not as keen; nothing doing yet; i am out [this time|of this one]; [i
  would|let us|let's|just] leave it (as it is|as is|at that|how it is|the way it is);
  (that|it|this|none of (that|it|this)) (is not|will not be|would not be|should not be) [really]
  (necessary|needed|required|called for) [now|thanks|at all|today]; [you] (must|have to|have got
  to|can not) be (joking|kidding|serious); you are (joking|kidding) [me|right]; dream on; you wish;
  no fear; not if i can help it; not for all the tea in china; no siree; (that|it) is not going to
  be (necessary|needed);  count (us|everyone|them) out; i (do not|can not|cannot) agree [with
  (that|this|it|you)]; never [ever]; not ever; we (do not|can not) agree; i am not having (it|that);
  nein [danke]; non merci; no gracias; no merci; nee [bedankt|dank je]; nej; niet; nyet; better not
  [yet]; best not; (i|we) (had|would) (better|best|sooner|much rather|prefer) not; i would sooner
  not; skip me; leave me out [of (it|that|this)]; i (meant|mean|said) no; not for me thanks; not
  this one thanks; no i (said|mean) no; i would (sooner|rather) (you|they|we) did not; [i am] not
  feeling (that|it|this); nobody (do|does|touch|touches) anything; no [no] [no]; no sir; no way; no
  thanks; no thank you; no ta; hard no; no chance; nope nope; nuh uh; negative; absolutely not;
  certainly not; definitely not; of course not; please (no|not|do not); not at all; no need [for
  (that|it|this)]; there is no need [for (that|it|this|any of that|it)]; not necessary; (that|it) is
  not (necessary|needed|required|on); not needed; no can do; no dice; no go; pass; i (will|think i
  will) pass; hard pass; i am (good|fine|ok) thanks; veto; vetoed; denied; refused; rejected;
  declined; i (refuse|decline|disagree|object|veto that|say no|vote no|am against (it|that|this))
NO: not (that|this|it|like that|this time|this one|that one); not for me; not on my watch;
  neither; neither of (them|those|you|these|the two); none; none of
  (that|them|those|it|these|you|the above); not either [of them|of those]; nothing (of the
  sort|like that|doing); rather not; i (would|had) (rather|prefer) (not|no|you did not|they did
  not|we did not|you do not); i (would|should) prefer not [to]; i (do|would) not (think|say) so; i
  think not; i (do|would) not (want|like|need|fancy) (that|it|this|any of
  (that|this|it)|either|them to|you to|either of (them|those)); we do not (want|need)
  (that|this|it)
NO: let us not do that yet; do not start [yet|anything]; not until (i|we) say so; no wait; wait
  no; no sorry; sorry no; oh wait no; oh no wait; no no wait; wait no wait; er no; actually no; no
  actually; hang on no; no hang on; hold on no; no hold on; not on your life; not likely; fat
  chance; not in this life; as if; can not; cannot; sorry can not; no i can not; i can not do
  (it|that|this); i can not; i can not right now; do not; do not do (that|it|this|so|anything);
  (you|they) (should|must) not; please do not; do not bother; don't you dare; do not even think
  about it; (bad|terrible|awful|horrible|poor|silly|stupid|dreadful)
  (idea|plan|call|timing|suggestion|thought); not [a] (good|great|the best|such a good|very good)
  (idea|plan); that is not (right|a good idea|a good plan|what i want|what i wanted|what i
  meant|happening|ok|what i would do|going to work|how i would do it); (that|it|this) (does
  not|will not|would not|is not going to) (work|do|suit me) [for me|for us]; not what i
  (want|wanted|meant|had in mind|asked for); (let's|let us) not [do (that|it|this)]; over my dead
  body; not happening; not going to happen; not in a million years; leave it [be|alone|out]; leave
  that [be|alone]; i cannot; i will not [do (it|that)]; i will not be doing that; i cannot do
  (it|that|this|mine|my part); not me; count me out; include me out; it is a no [from me]; that is
  a no [from me]; the answer is no; my answer is no; i am not (happy with (that|it|this)|keen [on
  (that|it)]|convinced|sold [on (that|it)]|up for (that|it)|doing (that|it)|a fan [of that]|on
  board); thumbs down; over ruled; neither one; forget that; forget it; scrap that; cancel that;
  strike that; scratch that; drop that; leave it out; no deal; heavens no; god no; hell no; ask me
  (later|again later|again in a (bit|minute|moment)); i (have|want) to think about (it|that); do
  nothing; do not start; do not begin; do not do anything [yet]; nobody move yet
PUTOFF: (nothing|nobody|no one) [just] (yet|now|for now|for the moment|right now|at the moment); i
  am on (the (phone|telephone|loo|line)|a call); [ask|try|come back to] (me|us) again [later|in a
  bit|then]; ask (me|us) again; give (me|us) a (shout|nudge) later; (remind|ask) (me|us)
  (later|again later); none of (that|it|this) (yet|now|for now); you are rushing me; (do not|stop)
  rush me; do not rush [me]; what is the (rush|hurry); we should not rush [it|this|things]; no need
  to (rush|hurry); let us take our time; let's take our time; not [just] the now; not
  (before|until|till) (then|later); let's wait and see; not today thanks; some time later; maybe in
  a (bit|minute|while); when i am (done|finished|back); let's not (start|begin|go) [just] yet; let's
  not yet; hold off; not so quick; give it a (minute|moment|bit|while|rest); give it (time|some
  time); give it (five|ten|a few|a couple of|another|two) [more] (minutes|seconds|moments); ask [me]
  again in (five|ten|a bit|a minute|a while); let's not rush [things|it|this]; still not; still not
  yet; (give|gimme) (me|us) (five|ten|two|three|a few|a couple of|another|another five|5|10|2)
  (minutes|seconds|mins|minute|moments); i need (five|ten|two|a few|a couple of|another five)
  minutes; not just this minute; not for the moment; let me finish this first; ask me later; we will
  see; we shall see; not before; when i say so; not until later; not (till|until) later; not yet
  please; not quite; not [right] away; not at present; not until i say so; in good time; all in good
  time; not (while|when) i am busy; not yet; not just yet; not (right now|now|right away|at the
  moment|for now|at this (point|time|moment)|this minute|quite yet|so fast|so
  soon|today|immediately|straight away|until later|for the time being|this second|just now|right
  this minute); later; maybe later; perhaps later; a (bit|little) later [on]; (bit|little) later;
  later on; later maybe; later please; sometime later; some other time; another time; in a
  (bit|minute|moment|second|sec|while|little while|mo|jiffy|little bit|few minutes|few|couple of
  minutes|little|tick); in (five|ten|two|three|5|10|2|3|20|15|twenty|fifteen|a few|a couple of)
  (minutes|mins|seconds|secs|min); after a (while|bit); not before later; too (soon|early); (it
  is|that is) [still] [a bit|a little|much|far] too (soon|early); [it is] a (bit|little) [too] early
  [for that]; it is not time [yet]; (it|that|this|they|those|both|that one) (can|could|will have
  to|has to|must|should|may) wait [a (bit|while|moment|minute|little)|for now|until later]; (i|we)
  (will|can) (do|get to|come to|come back to|see about|decide|sort|deal with|think about)
  (it|that|this|those|them) (later|another time|in a bit|in a minute|in a moment|in a while|after);
  (i|we) (are|am) not (ready|there) [yet] [for (that|it)]; not (ready|there) [yet]; one thing at a
  time; there is no (rush|hurry); no (rush|hurry); there is [plenty of] time; maybe (another time|in
  a bit|in a minute|in a moment|in a while|not|tomorrow); tomorrow; when i am ready; i will
  (say|tell you|let you know|shout) when; hold that thought; put (it|that|a pin in (it|that)) off;
  postpone (it|that|this); delay (it|that|this); let's (postpone|delay|leave|hold off on)
  (it|that|this); let's wait [a (bit|moment|minute|second|while)|with that|for now]; let us wait;
  leave (it|that|them|those|this) (for (now|later|a bit|a while|a moment|the moment|the time
  being)|until later); for now no; no hurry; i need (a|one|another)
  (moment|minute|second|sec|break|breather|little time|bit of time|bit longer|little longer)
  [first|please|more|to think]; i need (some|more) time [first|please|to think]; need a
  (moment|minute|sec|second); wait with (that|it|those|them); (i|we) would (rather|prefer to|sooner)
  wait [a bit|with that|for now]; (i|we) (want|need) to wait [a bit|with that]; i (have not|do not
  have) [got] (time|a free hand|the time) [now|right now|for that]; i am (busy|not free) [right
  now|at the moment|just now|now]; my hands are full [right now|at the moment]; (i have|i have got)
  my hands full; i am in the middle of something
WAIT: slow down [a (bit|little)] [there]; steady now; easy does it; leave it [for] (a|one)
  (second|sec|minute|moment|tick) [there]; leave it there [a (second|sec|moment)]; wait; wait
  wait; wait (a|one) (moment|minute|second|sec|bit|mo|tick); wait up; wait a little; wait there;
  wait for (me|it|a moment|a minute|a second|a sec); hold on [a|one]
  [moment|minute|second|sec|tick]; hang on [a|one] [moment|minute|second|sec|tick|bit]; hold up;
  hold off [for now|a bit|a moment]; hold fire; hold your fire; hold your horses; (one|just a|just
  one|half a|give me a|give me one|give us a|give it a|bear with me a|a|just give me a)
  (moment|minute|second|sec|mo|tick|jiffy|min|momento|mo|bit) [please]; bear with me; not so fast;
  whoa [there]; woah; whoah; steady [on]; easy [now]; hold it a (moment|minute|second|sec); let me
  (think|see) [about (it|that)] [for a (moment|minute|second|sec|bit)] [first]
NEVERMIND: never mind [that]; never mind about that; doesn't matter; it does not matter; no
  matter; no worries; it is ok; no problem; no probs; no biggie; do not worry [about (it|that)];
  not to worry
"""
"""Kinds of answers and the wordings of each."""
