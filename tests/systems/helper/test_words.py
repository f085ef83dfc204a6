"""The rules that stand in for a model: things that words name, and programs changed by words.

`words.txt` has what each request is read as, beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.support import golden
from treec_helper.adapt import MOST, adapt
from treec_helper.locate import hints
from treec_helper.mentions import ThingMention, mentions
from treec_helper.program_lines import ProgramLines
from treec_helper.put_right import put_right
from treec_helper.wanted import unmet_wants

KINDS = (
    *("Plate", "Mug", "Cup", "Bread", "BreadSliced", "Tomato", "TomatoSliced", "Egg", "EggCracked"),
    *("Lettuce", "LettuceSliced", "Potato", "Fork", "Knife", "ButterKnife", "Pot", "StoveBurner"),
    *("StoveKnob", "SinkBasin", "CoffeeMachine", "CounterTop", "DiningTable", "HousePlant"),
    *("Fridge", "Toaster", "Shelf", "SaltShaker", "GlassBottle", "Box"),
)
MOVABLE = tuple(kind for kind in KINDS if kind not in ("CounterTop", "DiningTable", "Fridge"))
BREAKFAST = """\
bread = InteractionObject("Bread")
bread.slice()  # with the knife
toast1 = InteractionObject("BreadSliced", parent_object = bread)
toast1.toast()
plate = InteractionObject("Plate")
plate.clean()
toast1.pickup_and_place(plate)

tomato = InteractionObject("Tomato")
tomato.slice()
tomato1 = InteractionObject("TomatoSliced", parent_object = tomato)
tomato1.pickup_and_place(plate)
tomato2 = InteractionObject(object_class = 'TomatoSliced', parent_object = tomato)
tomato2.pickup_and_place(plate)
mug = InteractionObject("Mug")
mug.clean()
machine = InteractionObject("CoffeeMachine")
mug.place(machine)
machine.toggle_on()
machine.toggle_off()
glass = InteractionObject("Cup")
glass.fill_up()
glass.put_down()
"""
FORKS = """\
fork = InteractionObject("Fork")
table = InteractionObject("DiningTable")
fork.pickup_and_place(table)
"""
BOILED = """\
potato = InteractionObject("Potato")
knife = InteractionObject("Knife")
knife.pickup()
potato.slice()
knife.put_down()
pot = InteractionObject("Pot")
burner = InteractionObject("StoveBurner")
knob = InteractionObject("StoveKnob")
pot.place(burner)
egg = InteractionObject("Egg")
egg.slice()
cracked = InteractionObject("EggCracked", parent_object = egg)
cracked.place(pot)
knob.toggle_on()
cracked.pour(pot)
"""
MARY = "Make the Mary breakfast"
CHANGES = (
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast, but with no coffee"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast with two slices of toast and a fork"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast with one more slice of tomato"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast, with extra tomato slices, on the box"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast with 99 tomato slices"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast, but only the toast"),
    ("Breakfast", BREAKFAST, MARY, "Make the Mary breakfast without tomato, bread or water"),
    (
        "Breakfast",
        BREAKFAST,
        MARY,
        "the Mary breakfast with a cooked lettuce leaf and an egg slice",
    ),
    ("Breakfast", BREAKFAST, MARY, "the Mary breakfast with two mugs of coffee and cups of water"),
    ("Breakfast", BREAKFAST, MARY, "the Mary breakfast with a fork instead of toast"),
    ("Breakfast", BREAKFAST, MARY, "the Mary breakfast with a table"),
    ("Breakfast", BREAKFAST, "Make breakfast", "Make one slice of tomato"),
    ("Breakfast", BREAKFAST, "Make breakfast", "<Commander> Make toast. <Commander> Thanks."),
    ("Breakfast", BREAKFAST, None, "<Commander> You forgot <Commander> the fork and the coffee"),
    ("Forks", FORKS, "Put a fork on the table", "Put two mugs on the shelf"),
    ("Forks", FORKS, "Put a fork on the table", "Put three forks on the table"),
    ("Forks", FORKS, "Put a fork on the table", "Put the fridge on the table"),
    ("Boiled", BOILED, None, "no egg"),
    ("Boiled", BOILED, None, "without the potato"),
    ("Boiled", BOILED, None, "two eggs, and another potato"),
    ("Loop", "for x in y:\n    x.clean()\n", None, "no egg"),
)
WRONG = (
    "The potato needs to be sliced.",
    "The toast is not toasted! The egg slice is raw; the mug is still dirty",
    "The potato needs to be boiled.",
    "The mug has no coffee. The plant needs to be watered",
    "The bread slice needs to be on the plate. The fork is not on the table",
    "The bread needs to be cut. The bread slice has not been toasted. The plate is dirty.",
    "The unicorn is dirty.",
    "All is well.",
)
SAID = (
    "Bring two clean mugs of coffee and a cup filled with water",
    "a boiled potato, three cooked eggs, 4 slices of a tomato and one toasted bread slice",
    "knives, boxes and the salt, but no fork, only plates, extra toast, rather than bread",
    "put it on the clean counter, then into my fridge",
    "do not bring the mug. another cup",
)
WANTED = (
    "two slices of toast, a clean plate and three cooked eggs",
    "<Commander> toast <Commander> no",
    "no toast on a clean table",
    "a boiled potato",
)
WHERE = (
    "The knife is in the fridge. The mug is under the table, the cup too.",
    "<Commander> Where is the fork? <Driver> Look. <Commander> On the shelf, or next to the box.",
    "Put the mug in the sink basin. The tomato is on the tomato.",
    "It is in the fridge.",
)


def _texts() -> Iterator[str]:
    yield f"at most {MOST} of a class"
    for name, program, key, request in CHANGES:
        yield f"\n{name}, {key!r}: {request}"
        yield adapt(request, key, program, KINDS, MOVABLE).replace("\n", "\n  ").join(["  ", ""])
    for said in WRONG:
        yield f"\nwrong: {said}"
        yield f"  {put_right(said, KINDS)}".replace("\n", "\n  ")
    for said in SAID:
        yield f"\nsaid: {said}"
        yield from (f"  {_text(one)}" for one in mentions(said, KINDS))
    for said in WHERE:
        yield f"\nwhere: {said}\n  {hints(said, KINDS)}"
    things = {"toast 1": "BreadSliced", "plate 1": "Plate", "egg 1": "Egg", "egg 2": "Egg"}
    known = {("cooked", "toast 1"): True, ("dirty", "plate 1"): None, ("cooked", "egg 1"): True}
    for said in WANTED:
        wants = unmet_wants(said, things, lambda fact, thing: known.get((fact, thing), False))
        yield f"\nwanted: {said}\n  {wants}"
    lines = ProgramLines.of(BREAKFAST)
    yield f"\nitems of Breakfast on {lines.target}: {lines.items()}"


def _text(one: ThingMention) -> str:
    states = [name for name in ("cooked", "toasted", "clean") if getattr(one, name)]
    return " ".join([one.how, str(one.count), one.kind, *states])


def test_words() -> None:
    text = "\n".join(_texts()).replace("  \n", "\n")
    golden.check(Path(__file__).with_name("words.txt"), text + "\n")
