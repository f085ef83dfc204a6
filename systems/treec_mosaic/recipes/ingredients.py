"""Lines of ingredients: what each takes, how much of it, and what else its line says."""

from __future__ import annotations

import re

from treec.frozen import frozen
from treec_mosaic.recipes.amounts import AMOUNT, ASIDE, COUNT, MEASURE, PARTS, PIECES
from treec_mosaic.recipes.numbers import in_digits

OPTIONAL = re.compile(
    r"[\s,]*\(optional\)|[\s,]+optional\b|^\(?optional(?:ly)?\)?[,:]? |"
    r"\boptionally,? |(?<=\()optional[,;:] ?",
    re.IGNORECASE,
)
_AMOUNT = re.compile(rf"{AMOUNT}(?=[\s,)]|$)", re.IGNORECASE)
_BULLET = re.compile(rf"^(?:[^\w\s(~≈\"'{PARTS}-]|[-*]\s)+\s*")
_UNSEEN = re.compile(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
NO_INCH = (
    r"(?! (?:the|an?|all|half|total)\b)(?! (?:Scheib|Ring|Streif|Würfel|Stück|Stift|Spalt|Hälft"
    r"|Viertel|Röllchen|Öl\b|Wasser|Essig|Lake))(?! [A-ZÄÖÜ].*\b\w*(?:ge\w+[nt]|iert)e?[nrsm]?\b)"
)
"""What stands behind no "in" that is an inch: 2 in all, 2 in Milch eingeweichte Brötchen."""
_INCH = re.compile(
    rf"(?i:^((?:[\d{PARTS}/.,–-]+ (?:to |or )?)+)in){NO_INCH}"
    r"(?= [^\W\d_])(?!.*\bge\w+[nt]e?[nrs]?\b)"
)
"""A length: 1 in ginger, 1 in Ginger; but 2 in Scheiben, 2 in Scheiben geschnittene Zwiebeln."""
_GLUED = re.compile(r"^(\d+)(?=(?:count|large|small|medium|big|whole)\b)", re.IGNORECASE)
_PART_OF = re.compile(
    rf"^(?P<amount>[^\W\d][^\d,:()]{{2,30}}? (?:of|from|von|av|van|z|de|di|d['’]) ?"
    rf"(?:{MEASURE}|{COUNT}))"
    r"(?![\w%°])\s?(?:of )?(?:an? )?(?P<rest>.+)",
    re.IGNORECASE,
)
"""Juice of 1 lemon, the zest from 4 large lemons."""
_BEHIND = re.compile(
    rf"^(?P<name>[^\d,]*?[^\d\s,:：.…۔·-])"
    rf"(?:\s*(?P<sign>[:：]|\s[-–]|,(?=\s)|[.…۔·]{{2,}})\s*|\s)"
    rf"(?P<amount>{MEASURE}(?:\s?{ASIDE})?|(?!an?\b){COUNT}(?:\s?(?:[^\W\d]{{1,4}}\b\.?|[^\W\d]+(?:\.|\(s\))))?"
    r"|(?:大さじ|小さじ)\d\S*)(?P<rest>,.*|\s.*)?$",
    re.IGNORECASE,
)
"""Water: 320 ml; Beurre - 25 grammes; Ground beef, 300 g; Zucchero 105 g; savoiardi 12."""
_INSIDE = re.compile(rf"^(?P<name>[^\d()]+) \((?P<amount>{MEASURE}|{COUNT})\)$", re.IGNORECASE)
_LABEL = re.compile(r"^(?P<label>[^\d,:()]{2,40}): ?(?P<rest>\S.*)")
_SUITS = (
    r"to taste|as (?:needed|required|desired)|if (?:needed|desired)|for (?:serving|garnish|topping|"
    r"[a-z]+ing)\b.*|q\.? ?b\.?|a gosto|al gusto|au goût|nach (?:Geschmack|Belieben|Bedarf)|"
    r"naar smaak|efter smag|適量|少々"
)
_TASTE = re.compile(rf"[,:]?\s+\(?(?P<note>{_SUITS})\)?$", re.IGNORECASE)
_TASTE_FIRST = re.compile(rf"^(?P<note>{_SUITS})\s+(?=\w)", re.IGNORECASE)
_ASIDE_FIRST = re.compile(r"^\((?P<note>[^()]*)\)\s+(?P<rest>\S.*)")
_OF = re.compile(r"^(?:of (?:an? |the )?|d['’]|(?:de|di|du|des|da) (?=\S))")
PLAIN = re.compile(
    r"^(?:(?:fresh(?:ly)?|unsalted|salted|large|small|medium|ripe|chopped|diced|sliced|minced|"
    r"cooked|grated|plain|whole|ground|dried|frozen|cold|hot|warm|softened|melted|organic|raw|good|fine|"
    r"finely|roughly|coarsely|thinly|peeled|washed|baby|extra|virgin|boneless|skinless|bone-in|skin-on|"
    r"shredded|crushed|crumbled|roasted|toasted|sifted|packed|lean|firm|tender|unsweetened|sweetened|"
    r"low-fat|full-fat|reduced-fat|of)[\s,-]+)+",
    re.IGNORECASE,
)
"""Words before the name of a thing that do not make it another one."""

_LONGEST_PLAIN = 80
"""Characters of such words before a comma."""


@frozen
class IngredientLine:
    """An ingredient with its amount, and what else its line says."""

    name: str
    amount: str = ""
    note: str = ""
    group: str = ""
    optional: bool = False


def read_ingredients(text: str) -> tuple[IngredientLine, ...]:
    """Read the section ``# Ingredients`` of a text, with its groups (``## For the frosting``)."""
    found: list[IngredientLine] = []
    group, inside = "", False
    for line in text.split("\n"):
        if heading := re.match(r"(#{1,6})\s+(.*)", line):
            if len(heading[1]) == 1:
                inside = re.match(r"ingredients\W*$", heading[2], re.IGNORECASE) is not None
            group = heading[2].strip(" :") if inside and len(heading[1]) > 1 else ""
        elif inside and (item := re.match(r"\s*[-*+•]\s+(.+)", line)):
            found.append(read_ingredient(item[1], group))
    return tuple(found)


def read_ingredient(line: str, group: str = "") -> IngredientLine:
    """Read a line such as ``1½ cups (200 g) plain flour, sifted``; all of its words are kept."""
    text = re.sub(rf"({ASIDE})(?=\w)", r"\1 ", _UNSEEN.sub("", line).replace("⁄", "/"))
    text = _INCH.sub(r"\1inch", _GLUED.sub(r"\1 ", in_digits(_BULLET.sub("", text))))
    optional = OPTIONAL.search(text)
    text = OPTIONAL.sub("", text, count=1).strip(" ,") if optional else text
    amount, rest, more = _amount_and_rest(text)
    if not rest and (piece := PIECES.search(amount)):
        amount, rest = amount[: piece.start()], piece[1]
    if amount and (aside := _ASIDE_FIRST.match(rest)):
        rest, more = aside["rest"], _joined(aside["note"], more)
    name, note = _name_and_note(_OF.sub("", rest) if amount else rest)
    if not note and (taste := _TASTE.search(name) or _TASTE_FIRST.match(name)):
        name, note = name[: taste.start()] or name[taste.end() :], taste["note"]
    name, note = name.rstrip(" :,*"), _joined(note, more)
    if not name:
        return IngredientLine(text, "", "", group, optional is not None)
    return IngredientLine(name, amount, note, group, optional is not None)


def _amount_and_rest(text: str) -> tuple[str, str, str]:
    """Split a line into its amount, its other words, and what stands before or behind both."""
    if found := _AMOUNT.match(text):
        rest = text[found.end() :].lstrip(" ,:+–-)|")
        if not rest and (inner := re.fullmatch(r"(.*?) ?\((.+)\)", found[0])):
            _, rest, _ = _amount_and_rest(inner[2])  # 1 packet (2 tsp instant yeast)
        return found[0], rest, ""
    if part := _PART_OF.match(text):
        return part["amount"], part["rest"], ""
    if inside := _INSIDE.match(text):
        return inside["amount"], inside["name"], ""
    behind = _BEHIND.match(text)
    if behind is not None and _is_amount_behind(behind):
        return behind["amount"], behind["name"] + (behind["rest"] or ""), ""
    if label := _LABEL.match(text):
        if found := _AMOUNT.match(label["rest"]):
            return found[0], label["rest"][found.end() :].strip(), label["label"]
        if re.match(r"(?:to|for) ", label["label"], re.IGNORECASE):
            return "", label["rest"], label["label"]
    return "", text, ""


def _is_amount_behind(found: re.Match[str]) -> bool:
    """Whether what stands behind a name is its amount: no part of the name, as in `flour 405`."""
    rest = (found["rest"] or "").strip()
    is_measure = re.fullmatch(rf"{MEASURE}(?:\s?{ASIDE})?", found["amount"], re.IGNORECASE)
    if rest and rest[0] not in ",(":
        return bool(is_measure) and (found["sign"] or ":") not in ":："
    is_small = re.match(r"\D*\d{1,2}(?!\d)|\D+$", found["amount"]) is not None
    is_named = re.search(r"\b(?:for|type|no\.?)$", found["name"], re.IGNORECASE) is not None
    return is_measure is not None or (is_small and not is_named)


def _joined(*notes: str) -> str:
    return ", ".join(filter(None, notes))


def _name_and_note(text: str) -> tuple[str, str]:
    """The name of an ingredient, and what stands behind a comma of its own or in a last bracket."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth > 0 or not text.startswith(", ", at):
            continue
        if at > _LONGEST_PLAIN or not PLAIN.fullmatch(f"{text[:at]} "):  # large, ripe tomatoes
            return text[:at], _without_brackets(text[at + 2 :])
    if depth == 0 and (aside := re.search(r"\s\((.*)\)$", text)):
        return text[: aside.start()], _without_brackets(aside[1].strip(" ,"))
    return text, ""


def _without_brackets(text: str) -> str:
    """A note without the brackets around all of it."""
    inner = re.fullmatch(r"\((.*)\)", text)
    return inner[1].strip(" ,") if inner and ")" not in inner[1].partition("(")[0] else text
