"""Proverbs and catchphrases, which mean no work although they name things and verbs of a kitchen.

Each line is a kind of chunk and its wordings, separated by ";", in the syntax of `lexicon`. Only
phrases that are never said to a robot at work: "stop and smell the roses", but not "stop it".
"""

TABLE = """
HELLO: see you [later|soon|tomorrow|around|then] [everyone|guys|all|alligator]; bye [bye]
  [everyone|all]; good night [everyone|all|robots|you two]; (nice|pleased|good) to (meet|see) you
  [both|all|again]; how do you do; what is up [guys|robots|you two]; take care; welcome
  [back|everyone|all]; sleep well; have a (nice|good|lovely|great) (day|evening|weekend|time|one);
  sweet dreams; cheerio; farewell
TALE: never hurt (anyone|anybody); pause for thought; give it up for; none the wiser; so
  (gentle|careful|neat|precise|good|quick|clever|kind|tender|patient) with; round of applause; big
  hand for; (three|two) cheers; better than (perfect|nothing); ready or not; neither here nor
  there; not a robot; do not look now; neither fish nor fowl; feel so; good as new; safe and
  sound; sick and tired; here and there; now and then; more or less the same; give or take; by and
  large; hit or miss; if only; enough about (me|my|our|you|him|her|them|work); (my|our)
  (regards|best|love) [to]; that is [quite] enough about; introduce (myself|you|him|her|them|my);
  none of (my|your) business; let's (talk|chat|hope|face it); let's (be
  honest|dance|sing|party|celebrate|play|go out|go to); no news is good news; no pain; no guts no
  glory; no smoke without fire; no such luck; no wonder; no love lost; no use crying; no time like
  the present; no man is an island; no good deed; no (strings attached|offence|pun intended); no
  fool like an old fool; no accounting for taste; never say never; never a dull moment; never [in]
  (my|all my) life; never in [a month of] sundays; not rocket science; not
  (my|everyone's|everybody's) cup of tea; not the end of the world; not my (first
  rodeo|day|problem|monkeys|circus|forte); not the sharpest; not (a|one) cloud; not a soul; not
  for all the tea in china; not half bad; not [too] shabby; not too bad; not bad for; (can
  not|cannot|could not|no) complain; can not complain about; could be worse; it is what it is;
  nothing to (write home about|worry about|sneeze at|it|lose); nothing
  (ventured|beats|compares|lasts); nothing like [a|an|the|some|fresh|good|home]; let sleeping
  dogs; let bygones; let them eat cake; let [it] snow; let there be light; do not (count|put all)
  your (chickens|eggs); do not cry over; do not (bite the hand|judge a book|look a gift|get me
  started|ask me|quote me|tell (anyone|anybody)); do not mind (me|us|him|her|the
  (dog|cat|noise|mess)); do not be a stranger; do not get me wrong; pay no attention; take no
  notice; never you mind; stop and smell; stop the clocks; stop in the name; stop me if; stop
  (wishing|dreaming|whining|moaning|snoring|giggling|singing) ; stop sign; (bus|train|tram|tube)
  stop; can not stop (laughing|thinking|smiling|humming); (hold on|hang on) to your (hats|hat);
  hold your tongue; hold that against; hold my breath; (wait|just wait) (until|till)
  (you|i|we|they) (hear|see|tell|get|find); wait for no (man|one|body); worth the wait; wait in
  line; i (can not|cannot|could not) wait; hurry up and wait; good things come; come to those who
  wait; the show must go on; the show goes on; life goes on; go with the flow; easier said than
  done; said and done; well begun; over and out; done in a day; when all is said; all is well
  that; the early bird; time flies; time is money; time heals; third time lucky; second to none;
  first come first served; slow and steady; fingers crossed; knock on wood; touch wood; break the
  ice; spill the tea; storm in a teacup; recipe for disaster; too many cooks; watched pot; (pot
  calling|call|calls|calling) the kettle black; proof of the pudding; proof is in the pudding;
  icing on the cake; have your cake; sells like hot cakes; half baked; apple of (my|his|her) eye;
  bad apple; apple a day; an apple [never]; sour grapes; full of beans; bread and butter; best
  thing since sliced bread; butter (him|her|me|them) up; melt in your mouth; bring out the best;
  bring the house down; get (cold feet|the hang|wind of|rid of him); get a load of; let off steam;
  blow off steam; chop and change; cut corners; cut a long story; long story; cut the mustard;
  (add|adds|adding) insult; fuel to the fire; land in hot water; out of the frying pan; into the
  fire; frying pan into; jump in at the deep end; (pour|pours|pouring|poured)
  (his|her|my|your|their) heart; it never rains; raining cats; when it rains;
  (stir|stirs|stirred|stirring|stirring up|stirred up) [up] [a lot of]
  (trouble|memories|feelings|crazy); stir crazy; (put|puts) (his|her|my|your) foot (in|down); put
  (two and two|on weight|up with); take the biscuit; take the cake; takes the cake; take
  (it|things) as it comes; take my hat off; hats off; wash your mouth; wash (your|my) hands of;
  (hand|hands) down; live hand to mouth; many hands make light work; all thumbs; to save my life;
  for the life of me; two left (hands|feet); green fingers; butterfingers; heart skipped; back in
  the day; (yours|his|her) truly (likes|loves|is|was|wants); sleep on it; penny for; a penny
  saved; two peas; peas in a pod; like chalk and cheese; big cheese; small fry; hot potato; cool
  your boots; mad as a; fit as a; busy as a bee; good as gold; fresh as a daisy; sharp as; blind
  as; (works|work|working) like (clockwork|magic|a charm); like a (charm|dream); where there is a
  will; where there is smoke; when the cat is away; while the cat; once bitten; once in a blue
  moon; out of sight; home sweet home; there is no place like; east or west; silence is golden;
  patience is a virtue; practice makes perfect; laughter is; love is blind; money does not grow;
  all that glitters; every cloud; beggars can not; beauty is in; actions speak; honesty is;
  curiosity killed; rome was not; when in rome; great minds; the grass is; old habits; hunger is
  the best (sauce|cook); an army marches; the way to a man's heart; you are what you eat; you can
  not make an omelette; can not have everything; you win some; you live and learn; you never know;
  who knows; who cares; que sera; whatever will be; c'est la vie; bon appetit; (happy|merry)
  (birthday|christmas|easter|new year); many happy returns; to your health; bottoms up; cheese and
  crackers; holy (cow|moly|smoke); heavens above; speak of the; here comes the; oh what a; if you
  can not stand the heat; out of the kitchen; piece of my mind; that is showbiz; that is the
  spirit; that is the way the cookie; cookie crumbles; as luck would; decisions decisions; never
  mind (me|us|him|her); look who; long time; the last (time|thing) i; (people|folk|folks|families)
  (in|from|these days|eat|ate|love|like|drink|think|thought|used); i am listening; in the name of
  (love|god|the law); do not stop (believing|me now|the music); (that|it|this) must be
  (the|my|your|our|a|him|her|them|love|fate|magic|nice [to|being|having])
"""
"""Kinds of chunks and the wordings of each."""
