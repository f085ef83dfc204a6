"""The groups of classes that TEACh's tasks name: "Put all Silverware in any Sink".

Which class is in which group follows TEACh (its custom object classes), for classes of this
household.
"""

from __future__ import annotations

from collections.abc import Mapping

_LISTS: Mapping[str, str] = {
    "Appliances": "CoffeeMachine Fridge Microwave StoveBurner StoveKnob Toaster VacuumCleaner",
    "Chairs": "ArmChair Chair Sofa Stool",
    "CleaningProducts": "Cloth DishSponge GarbageBag PaperTowelRoll Plunger ScrubBrush SoapBar "
    "SoapBottle SprayBottle TissueBox ToiletPaper VacuumCleaner",
    "Computers": "Desktop Laptop",
    "Condiments": "PepperShaker SaltShaker",
    "Cookware": "Kettle Knife Ladle Pan Pot Spatula",
    "Dishware": "Bowl Plate",
    "Drinkware": "Bottle Cup Mug",
    "Electronics": "AlarmClock CellPhone Desktop Laptop RemoteControl Television",
    "Food": "Apple AppleSliced Bread BreadSliced Egg EggCracked Lettuce LettuceSliced Potato "
    "PotatoSliced Tomato TomatoSliced",
    "Fruit": "Apple AppleSliced Tomato TomatoSliced",
    "Furniture": "ArmChair Bed Chair CoffeeTable Desk DiningTable Dresser Footstool Ottoman Shelf "
    "SideTable Sofa Stool TVStand",
    "HygieneProducts": "HandTowel SoapBar SoapBottle TissueBox Towel",
    "KitchenUtensils": "ButterKnife Fork Knife Ladle Spatula Spoon",
    "Knives": "ButterKnife Knife",
    "Lamps": "DeskLamp FloorLamp",
    "Lights": "DeskLamp FloorLamp LightSwitch",
    "MediaEntertainment": "Book CD CellPhone Desktop Laptop Newspaper RemoteControl Television",
    "RoomDecor": "AlarmClock Candle HousePlant RoomDecor Statue TableTopDecor TeddyBear Vase "
    "WineBottle",
    "Silverware": "ButterKnife Fork Spoon",
    "SmallHandheldObjects": "Book CD CellPhone CreditCard KeyChain Pen Pencil RemoteControl Watch",
    "Soap": "SoapBar SoapBottle",
    "SportsEquipment": "BaseballBat BasketBall Dumbbell TennisRacket",
    "Tables": "CoffeeTable Desk DiningTable Shelf SideTable",
    "Tableware": "Bottle Bowl Cup Mug PepperShaker Plate SaltShaker WineBottle",
    "Vegetables": "Lettuce LettuceSliced Potato PotatoSliced",
    "WallDecor": "Blinds Curtains Painting Poster ShowerCurtain Window",
    "WaterSources": "Faucet ShowerHead Toilet",
    "WritingUtensils": "Pen Pencil",
    # one thing in two parts: what it is and what holds things
    "Sink": "Sink SinkBasin",
    "Bathtub": "Bathtub BathtubBasin",
}
GROUPS: Mapping[str, tuple[str, ...]] = {n: tuple(c.split()) for n, c in _LISTS.items()}
"""The classes of each group."""


def classes_of(name: str) -> tuple[str, ...]:
    """The classes that a task means: those of a group, one in the plural, or the class itself."""
    for one in (name, name.removesuffix("s")):
        if one in GROUPS:
            return GROUPS[one]
    return (name, name[:-1]) if name.endswith("s") else (name,)
