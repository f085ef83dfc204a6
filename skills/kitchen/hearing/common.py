"""Common English words that are similar to kitchen things and must not be corrected as typos."""

from __future__ import annotations

from treec.skills.kitchen.hearing.words import pasts, plurals, word_set

_VERBS = word_set(
    "check choose carry turn stick space paste boil broad plan place chop chose change charge "
    "cheer cheat chase chat chew catch clear clean climb close cover crash cream create cross cry "
    "dance deal decide drink drive drop dry earn enter escape expect fail fall feel fight fill "
    "finish fix float flow fold follow force forget gather grow guess handle happen hear heat help "
    "hide hope hurt imagine join jump keep kick knock know laugh learn leave lend let lie light "
    "like listen live look lose love make manage mark match matter mean measure meet melt mess "
    "mind miss move need notice offer open order pack paint park part pass pause pay peel pick "
    "plant play point polish press prefer pretend print promise pull push quit race rain raise "
    "reach read remember rest return ride ring rise roast roll rush sail save scare score scream "
    "search season seem sell send serve settle shake shape share shine shoot shop short shout show "
    "sing sip sit sleep slip smell smile smoke snow solve sort sound speak spell spend spill spoil "
    "spot stack stain stand stare start state stay steal steam step stew stink stop store strain "
    "stretch strike study suffer suit surprise swear sweep swell swim talk taste teach tell thank "
    "think throw tidy touch trade train travel treat trip trust try twist wait wake walk want warm "
    "waste watch wave wear weigh whisk win wipe wish wonder work worry write "
)
_NOUNS = word_set(
    "man men woman women chicken kitchen plate pan stock spice bread pasta bowl evening morning "
    "minute second moment "
    "house horse mouse cause course nurse purse person people child baby friend mother father "
    "brother sister dinner winner summer winter water paper number letter ladder lesson lemon "
    "button bottom bottle battle cattle kettle table cable fable label level lever river cover "
    "corner corn cart card chart chair cheek cheese cherry chest chief choice church circle city "
    "class clock cloud coach coast coffee color colour corner cotton couch country couple cousin "
    "crowd crown curtain curry custom danger daughter dish doctor dollar door dozen dream dress "
    "engine event fact face farm field finger fire flavor flavour floor flour flower fruit future "
    "garden ghost girl glass glove grade grain grape grass grave group guest guitar hand heart "
    "hello honey hotel hour idea inch island jacket judge juice knife lake lamp language leader "
    "leaf league leather limit liver machine magic meal meat metal middle milk mirror model money "
    "monkey month mood moon mouth movie music name nature neck news night noise north nose number "
    "ocean office oil onion orange oven owner page pair palace panel pantry paste patient peace "
    "pearl pencil penny peach pepper perch photo phone piece pilot pipe pitch pizza planet plane "
    "plain pocket poem poet police pond pool porch potato powder power price pride prince prize "
    "problem radio range rice ring road robot rock roof room rope rose route salad salt sand sauce "
    "sausage scale school science season seat secret sense shadow shade sheep sheet shelf shell "
    "ship shirt shoe shore shoulder shower side sign silver singer skill skin sky smile snake soap "
    "sock sofa soil soldier song soul soup source south speech speed spirit spoon sport spring "
    "square squad staff stage stair star station steak stem stick stone storm story stove stranger "
    "straw stream street string student style sugar sum sun sundae sunday table tail tale talent "
    "taste tea team tear term test text theme thief thing thumb ticket tiger title toast toilet "
    "tomato tone tongue tool tooth top towel tower town toy track traffic train tree trick trouble "
    "truck truth tube turkey turn uncle union valley value vegetable view village visit voice wall "
    "war wave weather week weight west wheat wheel wife wind window wine wing wire wood wool word "
    "world worm wound year youth monday tuesday wednesday thursday friday saturday "
)
_OTHERS = word_set(
    "basta stopp genug emergency danger alert alarm warning caution disaster panic trouble error "
    "mistake accident about above across after again against ahead almost alone along already "
    "also always among angry another anyone anything apart around aside asleep available aware "
    "away awful bad batter before behind being below best better between beyond big bitter black "
    "bland blue bold both brave brief bright broad broken brown busy calm careful central certain "
    "cheap chilly clever clumsy coarse cold common cool correct could crazy creamy crisp crispy "
    "cruel crunchy curious cute daily damp dark dear deep different difficult dirty doing double "
    "doubt down during each eager early eight eighty either eleven else empty enough entire equal "
    "even ever every exact extra fair false famous fancy fast fat few final fine first five flat "
    "foreign former forty forward found four free french frequent fresh fried front frozen full "
    "funny further gentle gently giant given glad going golden good great greek green grey half "
    "happy hard hardly heavy here high hollow honest hot huge human hungry hurry icy inside "
    "instead italian large last late later latter lazy least left less light likely little local "
    "lone lonely long loose loud lovely low lower lucky mad main major many maybe mental might "
    "mild minor modern more most much muddy must narrow near nearly neat never new nice nine "
    "nobody none noon normal north nothing now obvious odd often okay old once only other ought "
    "outer outside over own pale past patient perfect perhaps plenty poor popular possible potent "
    "pretty private proper public pure quick quickly quiet quite rare rather ready real really "
    "recent red rich right ripe rotten rough round rude sad safe salty same several shall sharp "
    "should shy sick silent silly simple since sixty slight slim slow slowly small smart smooth "
    "soft solid some soon sore sorry sour special spicy stale steady steep stiff still strange "
    "strict strong stuck stuff stupid such sudden sure sweet swift tall tender terrible thanks "
    "their them then there these they thick thin third thirsty this those though three through "
    "tight tiny tired together tonight tough toward true twelve twenty twice ugly under unless "
    "until upon upper upset upside usual vague various very warm weak wealthy weird well were "
    "west wet what when where which while white whole whose wide wild wise with within without "
    "wonderful would wrong yellow yesterday yet young your yours stoop stoops stopped stole "
    "stolen spoke spoken broke chosen woke worn torn written ridden hidden bitten eaten beaten "
    "given taken shaken woven frozen drunk sung"
)
COMMON = frozenset(
    _NOUNS
    | _VERBS
    | _OTHERS
    | {plural for noun in _NOUNS | _VERBS for plural in plurals(noun)}
    | {past for verb in _VERBS for past in pasts(verb)}
    | {verb.removesuffix("e") + "ing" for verb in _VERBS}
    | {verb + verb[-1] + "ing" for verb in _VERBS}
)
"""The words in all their usual forms."""
