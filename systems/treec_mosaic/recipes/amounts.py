"""Regular expressions of amounts: numbers, ranges, units of several languages, sizes."""

from __future__ import annotations

import re

PARTS = "½¼¾⅓⅔⅛⅜⅝⅞⅙⅚⅕⅖⅗⅘"
ONE = (
    rf"(?:\d+ \d+\s?[/⁄]\s?\d+|\d+\s?[/⁄]\s?\d+|\d+-\d/\d+|"
    rf"\d+(?:[.,]\d+)?(?: ?[{PARTS}])?|[{PARTS}])"
)
WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty"
_WORD = rf"\b(?:{WORDS})\b"
NUMBER = rf"(?:{ONE}|\b(?:{WORDS}|half an?|an?)\b)"
RANGE = rf"(?:\b(?:a few|several)\b|{NUMBER})(?:\s?(?:-|–|to|or|x|×)\s?(?:{ONE}|{_WORD}))?"
_MEASURES = (
    r"fl\.? ?oz|fluid ounces?|ml|cl|dl|l|mg|g|gr|gms?|kg|oz|lbs?|"
    r"(?:milli|centi|deci)?lit(?:er|re|ro)s?|"
    r"(?:kilo)?gram(?:me|mi|o|a)?s?|ounces?|pounds?|pints?|quarts?|gallons?|cups?|c|cc|"
    r"table ?spoons?|tbsp?s?|tbs|tea ?spoons?|tsps?|spoonfuls?|"
    r"inch(?:es)?|in\.|(?<=\d)in|[\"”″]|cm|mm|count|dozens?|servings?|"
    # German, Dutch, the Nordic languages
    r"EL|TL|Essl(?:öffel)?|Teel(?:öffel)?|Tassen?|Becher|eetlepels?|theelepels?|msk|tsk|krm|ss|ts|spsk|rkl|"
    # French, Spanish, Portuguese, Italian
    r"c\.? ?à ?\.?[sc]\.?|c[àa][sc]|cuill[eè]res? à (?:soupe|café|thé)|"
    r"cucharad(?:it)?as?|cdas?|cdtas?|colher(?:es)?(?: \(?(?:de )?(?:sopa|chá)\)?)?|"
    r"x[ií]caras?(?: \(chá\))?|cucchiai(?:ni)?o?|"
    # Polish, Czech, Slovak, Hungarian, Russian, Chinese, Japanese
    r"łyż(?:ecz)?k[aię]|szklank[ai]|lžíce|lžičk[ay]|PL|ČL|kanál|ek|kk|tk|"
    r"ст\.? ?л\.?|ч\.? ?л\.?|г|кг|мл|克|毫升|公斤"
)
_LOOSE = (
    r"pinch(?:es)?|dash(?:es)?|handfuls?|splash(?:es)?|drops?|squeezes?|drizzles?|dollops?|glugs?|sprinkles?|"
    r"Prisen?|Handvoll|Bund|Spritzer|pincées?|pizzic(?:o|hi)|pizcas?|snufjes?|nip|nypa|szczypt[ay]|štipk[ay]"
)
"""Units that stand without a number, too."""
_PIECES = (
    r"knobs?|nubs?|hunks?|chunks?|sprigs?|bunch(?:es)?|cloves?|sticks?|slices?|pieces?|sheets?|stalks?|heads?|leaves|"
    r"ribs?(?!.?eye)|ears?|cubes?|blocks?|loaf|loaves|strips|squares|scoops?|rounds|wedges?|parts?|"
    r"glass(?:es)?|shots?|cans?|tins?|jars?|bottles?|packages?|packets?|packs?|pkgs?|bags?|box(?:es)?|envelopes?|"
    r"containers?|pots?|cartons?|tubs?|tubes?|"
    r"Stück|Stk|St|Pck|Pkg|Dosen?|Gläser|Zehen?|Scheiben?|Zweige?|Blatt|Blätter|teen(?:tjes)?|klyft(?:a|or)|"
    r"boks|gousses?|tranches?|feuilles?|dientes?|latas?|dentes?|unidades?|spicch[io]+|fogli[ea]?|fett[ea]|"
    r"sztuk[ai]|ks|plát(?:k[uy])?|csomag|шт|个|個|枚|缶|本|片|根"
)
UNIT = (
    r"(?:(?:heaped |heaping |level |scant |generous |large |small |big |"
    r"kl\.? |gr\.? |kleine[nrs]? |große[nrs]? )?"
    rf"(?:{_MEASURES}|{_LOOSE}|{_PIECES})(?![^\W\d_])\.?)"
)
ASIDE = rf"(?:\([^()]*[\d{PARTS}][^()]*\))"
"""A bracket with a number, as (400 g)."""
MEASURE = rf"(?:{RANGE}\s?[-–]?\s?(?:{UNIT}|[^\W\d]+\(s\)))"
_ABOUT = (
    r"(?:(?:about|approx(?:imately|\.)?|around|roughly|scant|heaping|generous|up to|at least|"
    r"another|ca\.?|circa|etwa|environ|plm\.?|je)\s|[~≈]\s?)"
)
_MORE = r"(?:\s?[/+]\s?| plus | and | )"
COUNT = rf"(?:{_ABOUT}?{RANGE})"
AMOUNT = (
    rf"{_ABOUT}?(?:{RANGE},? (?={RANGE}\s?[-–]?\s?{UNIT}))?"
    rf"(?:{MEASURE}|{RANGE}(?:\s?[x×](?= ))?|"
    rf"(?:(?:large|small|big|good) )?(?:{_LOOSE})(?![^\W\d_])\.?)"
    rf"(?:\s?{ASIDE})?(?:[- ]?{UNIT})?"
    rf"(?:{_MORE}{MEASURE})*(?:\s?{ASIDE})?(?:\s{UNIT})?(?!\s?%)"
)
"""1 can (400 g), 2 x 14-oz cans, 1/2 cup plus 1 tbsp, a few drops, a pinch."""
PIECES = re.compile(
    r" (cloves?|leaves|sticks?|stalks?|heads?|ribs?|slices?|sheets?|[^\W\d]+\(s\))$", re.IGNORECASE
)
"""Units that are things where nothing stands behind them: half a teaspoon of cloves."""
