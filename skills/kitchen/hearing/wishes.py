"""Wishes for a dish: the recipe that words name, in full or in part, or none.

A dish is named by any word that no other recipe has ("the fruit one", "Caesar"). An unlisted dish,
a mood or an ingredient chooses none, so that the assistant may ask. The words around the dish must
express a wish; while a dish is being cooked, explicitly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from treec.skills.kitchen.hearing import ingredients, unlisted_dishes
from treec.skills.kitchen.hearing.acts import HeardAct, act
from treec.skills.kitchen.hearing.appraisal import BAD, GOOD
from treec.skills.kitchen.hearing.clauses import Clause
from treec.skills.kitchen.hearing.cravings import (
    DULL,
    anything_goes,
    fed_up,
    is_craving,
    is_praise,
    without_eaters,
)
from treec.skills.kitchen.hearing.dishes import (
    DISHES,
    MEALS,
    MOODS,
    Dishes,
    dishes_as_nouns,
    keep_preferred,
)
from treec.skills.kitchen.hearing.menu import lone_count, place_on_menu
from treec.skills.kitchen.hearing.references import Refs
from treec.skills.kitchen.hearing.words import word_set

_PLAIN = word_set(
    "i we you me us my our it that this these those is are am be was would will can could may "
    "might shall should must do does did have has had to for with from of in on and or the a an "
    "some as at by so no then please instead today tonight now dinner lunch breakfast supper here "
    "there one ones yes ok like good great fine nice lovely perfect best better idea sounds sound "
    "wonderful brilliant all let's let how about what why not if maybe rather really just more "
    "want's say think up going go get give gets got vote vote's choice pick option recipe dish "
    "menu plan switch change swap back over instead again set start begin turn family kids guests "
    "friends everyone us two four three six people serve serving something anything else time "
    "it's late early quick mood hungry starving feeling feel up down game keen tempted delighted "
    "happy glad pleased case suit suits work works do'll hit spot nothing beats than but too also "
    "kind sort bowl plate cup pot portion piece course meal food dishes recipes main bit little "
    "lot big small proper right first next thing things stuff help teach show love'd treat fancy "
    "craving stomach heart tummy belly wonder winner wins ingredients out using use ask ordering "
    "order night day evening morning afternoon says demands screams shouts calls definitely "
    "certainly "
    "absolutely tempting inviting obviously surely 's clearly simply honestly"
)
_WISHING = word_set(
    "want wants would_like would_love fancy crave need prefer could_use could_do_with like love "
    "take give get bring let's make better sooner inclined chance cook have do try "
    "how_about go_with go_for choose pick select instead rather mood "
    "craving switch change swap feel hungry vote please start begin prepare whip_up making cooking "
    "having wish eat recipe kill go treat would decide settle murder opt delighted"
)
_PRAISE = word_set(
    "love loves loved like likes liked hate hates hated enjoy enjoyed enjoys "
    "favourite favorite miss missed remember"
)
_HABIT = word_set("always usually often never")
_CHANGING = word_set("instead rather switch change swap else different start_over prefer")
_ASKS_TO = (
    "how about", "what about", "why not", "can we", "could we", "shall we", "should we", "may we",
    "can i", "could i", "may i", "can you make", "could you make", "can you cook", "why do not we",
    "why do we not", "what if we", "how would", "do you fancy", "anyone fancy", "could you prepare",
    "will you make", "would you make", "can you do", "can you prepare", "could you do", "who fancy",
    "might we", "might i", "would someone make", "would someone cook", "could someone make",
    "could someone cook", "can someone make", "can someone cook", "will someone make",
    "what say", "any chance of", "any chance",
)  # fmt: skip
_OFFER_WORDS = word_set(
    "go with take make do have let's i we want would will like choose pick is it "
    "that the sounds to for of one please then cook try say and good great fine "
    "best you said that's of those these them all am happy up be works suits me us "
    "nice lovely perfect wonderful can could should rather my vote shall which "
    "think settled settle option sound prefer a decision decided choice mentioned "
    "winner wins favourite pick named yes ok right as there thanks look looks really quite deal "
    "we'll named "
    "last mentioned has sure definitely absolutely totally certainly surely ooh mmm oh delicious "
    "yummy tasty scrumptious divine amazing awesome fantastic brilliant super cool "
    "more latter former"
)

_DENYING = ("not", "no", "never", "without", "nothing")
_DID = word_set("had made cooked ate was were did")
_SEEMING = word_set("sounds sound looks look seems is 's")
_SETTLING = word_set("go_with opt_for settle_on settle_for decide_on vote_for go_for settled_on")


@dataclass(frozen=True, slots=True)
class _Wish:
    """The recipe wished for, and how certain it is."""

    recipe: str | None
    named: bool
    fitting: tuple[str, ...] = ()


class Wishes:
    """The wishes of one context."""

    def __init__(self, refs: Refs) -> None:
        context = refs.context
        self._current = context.recipe_name
        self._offered = context.offered
        self._recipes = context.recipes
        self._dishes = Dishes(context)

    def read(self, clause: Clause) -> HeardAct | None:
        """The wish that a clause is; None if it is none."""
        if clause.has("DONE") or clause.has("TALE") or not clause.core:
            return None
        if _HABIT & set(clause.words.split()) or "hands" in clause.words.split():
            return None  # "I've got my hands full with this one"
        found = (
            self._exclusion(clause) or self._offered_by_position(clause) or self._by_number(clause)
        )
        found = found or self._explicit_wish(clause) or self._craving(clause)
        found = found or self._thing_of_offer(clause)
        dish_of_clause = self._dishes.find(clause.core)
        if (
            found is None
            and (dish_of_clause is None or not dish_of_clause.named)
            and unlisted_dishes.is_dish_wish(clause)
        ):
            open_ = not self._current or bool(_CHANGING & set(clause.words.split()))
            found = _Wish(None, False) if open_ else None
        if found is None:
            return None
        wish = act("choose", clause, recipe=found.recipe)
        # "a soup" names a dish only while nobody asks which there are
        vague = any(c.key in ("a", "an", "some", "any") for c in clause.chunks if c.kind == "DET")
        by_name = any(c.recipe for c in clause.core) or (self._offered and not vague)
        wish.weak = found.recipe is not None and not by_name
        wish.dishes = found.fitting or ((found.recipe,) if found.recipe else ())
        return wish

    def spoken_of(self, clause: Clause) -> str | None:
        """The only recipe that a clause names."""
        dish = self._dishes.find(clause.core) if not self._current else None
        return dish.recipe if dish is not None and dish.named else None

    def of_these(self, words: Sequence[str], recipes: Sequence[str]) -> str | None:
        """The only one of these recipes with any of these words in its name."""
        return self._dishes.with_word(words, recipes)

    def _exclusion(self, clause: Clause) -> _Wish | None:
        """ "Anything but soup", "not a salad", "no mushrooms": the remaining dishes."""
        if self._current or clause.asks:
            return None
        chunks = clause.chunks
        bar = next(
            (
                i
                for i, c in enumerate(chunks)
                if c.kind in ("ALLBUT", "not", "no") or c.key in ("without", "nothing", "neither")
            ),
            None,
        )
        only_pronouns = all(
            c.kind in ("IT", "is", "HEAD", "DET", "which", "what") for c in chunks[:bar]
        )
        if (
            bar is None
            or bar > 2 + 3 * only_pronouns
            or any(c.kind in ("V", "A", "TALE") for c in chunks[bar:])
        ):
            return None
        words_behind = [c for c in chunks[bar + 1 :] if c.kind in ("W", "R", "O")]
        words = [w for c in words_behind for w in c.key.split()]
        remaining = self._dishes.without(words, self._offered)
        if remaining is None and any(c.key in ("anything", "something") for c in chunks[:bar]):
            return _Wish(None, False)  # "anything without lettuce"
        if remaining is None:
            return None
        return _Wish(remaining[0] if len(remaining) == 1 else None, True, tuple(remaining))

    def _offered_by_position(self, clause: Clause) -> _Wish | None:
        """ "The first one", "go with that": one of the offered dishes."""
        if not self._offered or clause.asks or self._current:
            return None
        core = clause.core
        if (place := lone_count(clause, len(self._offered))) is not None:
            return _Wish(self._offered[place], True)
        if any(c.kind in ("O", "R", "A") for c in core) or len(core) > 10:
            return None
        if any(c.kind == "THEY" or c.key == "nothing" for c in core):
            return None
        odd = [c for c in core if c.kind in ("W", "V") and not set(c.key.split()) <= _OFFER_WORDS]
        is_blamed = any(c.key in BAD or c.key in DULL for c in core)
        is_rating = core[:1] and core[0].kind == "ORD" and any(c.key in _SEEMING for c in core[1:2])
        if len(odd) > ("will" in [c.kind for c in core]) + bool(is_rating):
            return None
        if is_blamed:
            return _Wish(None, True)  # "the first one sounds boring"
        is_negated = any(c.kind in ("not", "no", "never", "neither") for c in core)
        counts = [c.ref for c in core if c.kind == "ORD"] + (
            ["first"] if len(core) == 0 or (clause.has("FIRST") and len(core) <= 1) else []
        )
        if counts:
            count = counts[-1]
            if is_negated or count in ("neither", "rest", "both", "all", "mine", "yours"):
                return _Wish(None, True)
            if count == "other":
                return _Wish(self._offered[-1] if len(self._offered) == 2 else None, True)
            place = {"first": 0, "second": 1, "third": 2, "last": -1}[count]
            within = -len(self._offered) <= place < len(self._offered)
            return _Wish(self._offered[place], True) if within else None
        only_pronouns = any(c.kind == "IT" and not c.key.startswith("the") for c in core)
        is_agreement = any(
            c.of("COOK") or c.of("WANT") or c.of("DO") or c.kind in ("is", "would", "let's")
            or c.key in ("sounds", "works", "suits", "good", "fine")
            for c in core
        )  # fmt: skip
        tasty = core[0].key in ("sounds", "looks") and len(self._offered) == 1 if core else False
        bare = all(c.kind in ("IT", "DET") or c.key in _OFFER_WORDS for c in core)
        if (only_pronouns and (is_agreement or is_negated or bare)) or (tasty and bare):
            one = self._offered[0] if len(self._offered) == 1 and not is_negated else None
            return _Wish(one, True)
        return None

    def _by_number(self, clause: Clause) -> _Wish | None:
        """ "Number three", "the last one on the list": a position in the menu, before a choice."""
        if self._current or self._offered or clause.asks:
            return None
        place = place_on_menu(clause, len(self._recipes), _OFFER_WORDS | _PLAIN)
        return _Wish(self._recipes[place], True) if place is not None else None

    def _thing_of_offer(self, clause: Clause) -> _Wish | None:
        """ "Ice cream!", if exactly one of the offered dishes contains it."""
        core = [c for c in clause.core if c.kind != "DET"]
        if self._current or clause.asks or clause.addressees or [c.kind for c in core] != ["O"]:
            return None
        dish = self._dishes.of(core[0], self._offered)
        return _Wish(dish, True) if dish is not None else None

    def _explicit_wish(self, clause: Clause) -> _Wish | None:
        clause = keep_preferred(clause)
        clause = clause.but(dishes_as_nouns(clause.chunks))
        core = clause.core
        words = clause.words.replace("do not", "not").split()
        lead = " ".join(c.key for c in core)
        is_musing = clause.words.startswith(("maybe", "perhaps", "shall we say"))
        if clause.asks and not lead.startswith(_ASKS_TO) and not is_musing:
            return None
        if any(c.kind == "A" for c in core[1:]) and not clause.asks:
            return None
        from_ = 3 * lead.startswith("why")
        negations = [i for i, c in enumerate(core) if i >= from_ and c.kind in _DENYING]
        bar = negations[0] if negations else None
        if bar is not None and self._dishes.find(core[:bar]) is None:
            return None
        core = core[:bar]
        if fed_up(clause):
            return _Wish(None, True) if self._offered and self._dishes.find(core) else None
        only_pronouns = any(c.kind == "IT" and c.key in ("them", "it") for c in core[1:])
        if only_pronouns and not any(c.recipe for c in core) and any(c.key == "eat" for c in core):
            return None  # "I'd rather eat them whole"
        has = core and core[0].key not in ("whatever", "anything", "something")
        if any(c.key in _DID or (c.key == "has" and has) or c.kind == "THEY" for c in core):
            return None
        core = without_eaters(core)
        found = self._dishes.find(core)
        keys = {c.key.replace(" ", "_") for c in clause.chunks}
        if found is None and not self._current and keys & _SETTLING:
            found = self._dishes.find([replace(c, kind="W") if c.kind == "O" else c for c in core])
        wishes_aloud = (
            keys & _WISHING
            or lead.endswith(" it is")
            or any(c.of("WANT") or c.of("COOK") for c in core if c.kind in ("V", "do", "have"))
        )
        if found is None:
            return self._anything(clause, keys) if not self._current or keys & _CHANGING else None
        if (
            keys & _PRAISE
            and not keys
            & {
                "would",
                "would_like",
                "would_love",
                "should",
                "could",
                "let's",
            }
            and not (keys & {"like"} and "feel" in keys)
        ):
            return None
        if any(
            c.kind == "V"
            and c.verb
            and not (c.of("COOK") or c.of("WANT") or c.of("NEED") or c.of("DO"))
            and not (c.key in ("give", "bring", "serve") and not found.thing)
            for c in core
        ):
            return None
        loose = [
            w for w in found.rest
            if not w.isdigit() and w not in _PLAIN | _WISHING | MOODS | MEALS
            and not (found.named and w in ("looks", "look", "seems", "seem"))
            and not (w == "drink" and not self._current)
            and not (found.named and w not in ingredients.FOODS | DISHES and is_praise(clause, w))
        ]  # fmt: skip
        whole = len(core) == 2 and any(c.recipe and len(c.key.split()) > 1 for c in core)
        if len(loose) > (2 if wishes_aloud else int(whole)):
            return None
        if self._current:
            return self._other(clause, found.recipe, found.named, bool(wishes_aloud), keys)
        if not wishes_aloud and not found.named and len(words) > 8:
            return None
        mere = not (found.named or wishes_aloud or found.rest or clause.has("PLEASE"))
        if mere and not keys & (DISHES | MEALS | MOODS | {"one", "ones"}):
            return None  # "eggs": a thing alone
        alone = len(core) == 1 and not clause.addressees and bool(core[0].recipe)
        if (
            found.thing
            and not (keys & _CHANGING or any(c.of("COOK") for c in core))
            and not (alone and clause.has("PLEASE"))
            and not (core[0].recipe and {"would"} & keys and GOOD & keys)
        ):
            return None
        if {"kind of", "sort of"} & {c.key for c in clause.chunks} and not any(
            c.recipe for c in core
        ):
            return _Wish(None, False)
        return _Wish(found.recipe, found.named, found.fitting)

    def _other(
        self, clause: Clause, recipe: str | None, by_name: bool, wishes_aloud: bool, keys: set[str]
    ) -> _Wish | None:
        """A wish for another dish than the current one, which must be explicit."""
        cooking = any(c.of("COOK") for c in clause.core if c.kind in ("V", "do", "have"))
        if recipe == self._current:
            return _Wish(recipe, True) if cooking and by_name and len(clause.core) <= 4 else None
        if by_name and recipe is not None:
            if wishes_aloud or clause.has("PLEASE") or keys & _CHANGING or len(clause.core) <= 2:
                return _Wish(recipe, True)
            return None
        wants = any(c.of("WANT") for c in clause.core) and not by_name
        if (
            cooking
            or wants
            or keys & _CHANGING
            or clause.words.startswith(("how about", "what about"))
        ):
            return _Wish(recipe, by_name)
        return None

    def _craving(self, clause: Clause) -> _Wish | None:
        """ "Reckon I could demolish some tacos", "it's porridge weather"."""
        if self._current:
            return None
        spoken = [c for c in clause.core if c.recipe or c.key in DISHES or c.kind == "O"]
        dish = self._dishes.find([replace(c, kind="W") if c.kind == "O" else c for c in spoken])
        if dish is None or not spoken:
            return None
        line = "".join("DISH " if c in spoken else f"{c.code} " for c in clause.core)
        line = re.sub(r"(?:DISH )+", "DISH ", line)
        return _Wish(dish.recipe, True, dish.fitting) if is_craving(clause, line) else None

    def _anything(self, clause: Clause, keys: set[str]) -> _Wish | None:
        """ "Let's cook", "surprise me", "you choose": no particular dish."""
        core = clause.core
        said = {c.key for c in core}
        if clause.asks and not clause.words.startswith(
            ("can we", "could we", "shall we", "should we")
        ):
            return None
        if "use" in said and "up" in clause.words.split() and core[0].kind in ("let's", "I", "WE"):
            dish = self._dishes.find([replace(c, kind="W") for c in core if c.kind == "O"])
            return _Wish(dish.recipe if dish else None, False)  # "let's use up those tomatoes"
        loose = [
            c
            for c in core
            if c.kind == "W"
            and c.key not in _PLAIN | _WISHING | MOODS | MEALS | {"surprise", "decide"}
        ]
        if loose or any(c.kind in ("O", "A", "R") for c in core):
            return None
        if (
            anything_goes(said, clause)
            or said & {"surprise"}
            or (
                "you" in said
                and any(c.of("WANT") or c.key in ("decide", "choose", "pick") for c in core)
                and len(core) <= 4
            )
        ):
            return _Wish(None, False)
        cook = [
            c
            for c in core
            if c.kind == "V"
            and c.of("COOK")
            and c.key.split()[0]
            in ("cook", "cooking", "make", "prepare", "eat", "start", "begin", "try")
        ]
        begins = core[0].kind in ("let's", "I", "WE", "V", "can", "could", "shall", "should")
        if (
            cook
            and begins
            and (
                cook[0].key.startswith(("cook", "eat"))
                or said & {"something", "anything"}
                or keys & _CHANGING
            )
        ):
            return _Wish(None, False)
        return None
