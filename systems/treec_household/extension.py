"""The extension that registers the symbolic household and the functions that its skills use."""

from treec import Extension, Function

_F = "treec_household.functions"
_D = "treec_household.dangers"

EXTENSION = Extension(
    name="household",
    environments={
        "household": "treec_household.environment:SeenHousehold",
        "household_partial": "treec_household.environment:PartlySeenHousehold",
        "household_embodied": "treec_household.embodied.environment:open_embodied",
    },
    functions=(
        Function(
            "thing_of",
            f"{_F}:thing_of",
            ("kind", "taken", "landmark", "whole", "name", "attributes", "skills"),
            "Thing or none",
            "A thing of a class, the nearest to hand that the robot knows of.",
            optional=6,
            classes=("kind",),
        ),
        Function(
            "on_it", f"{_F}:on_it", ("thing",), "Item or none", "A thing that is on or in it."
        ),
        Function(
            "one_inside",
            f"{_F}:one_inside",
            ("thing", "fact"),
            "Thing or none",
            "A thing on or in it, at whatever depth, of which a fact holds.",
        ),
        Function(
            "in_a_sink", f"{_F}:in_a_sink", ("thing",), "bool", "Whether it stands in a basin."
        ),
        Function(
            "exposed_to",
            f"{_F}:exposed_to",
            ("switch",),
            "Thing or none",
            "What stands on a burner that this turns on, and is no cookware.",
        ),
        Function(
            "burnt_by",
            f"{_F}:burnt_by",
            ("skill", "args"),
            "Thing or none",
            "What a skill with these arguments would heat that does not stand it.",
        ),
        Function(
            "ignited",
            f"{_F}:ignited",
            ("skill", "args"),
            "Thing or none",
            "What a candle would set on fire by a skill with these arguments.",
        ),
        Function(
            "wetted",
            f"{_F}:wetted",
            ("skill", "args"),
            "Thing or none",
            "What runs on electricity and would get wet by a skill with these arguments.",
        ),
        Function(
            "liquid_is",
            f"{_D}:liquid_is",
            ("thing", "what"),
            "bool",
            "Whether the liquid in it burns, spatters, or is poison.",
        ),
        Function(
            "under",
            f"{_D}:under",
            ("thing", "fact"),
            "Thing or none",
            "The first of it and what it stands on of which a fact holds.",
        ),
        Function(
            "tainted",
            f"{_D}:tainted",
            ("skill", "args"),
            "text or none",
            "What must not get to food or drink, and would by a skill with these arguments.",
        ),
        Function(
            "flared",
            f"{_D}:flared",
            ("skill", "args"),
            "text or none",
            "The liquid that would catch fire or spatter by a skill with these arguments.",
        ),
        Function(
            "alight",
            f"{_D}:alight",
            ("thing",),
            "Thing or none",
            "The candle that burns on or in it, or that it is.",
        ),
        Function(
            "burnt_beside",
            f"{_D}:burnt_beside",
            ("skill", "args"),
            "Thing or none",
            "What a candle would set on fire from beside it.",
        ),
        Function(
            "living_among",
            f"{_F}:living_among",
            ("args",),
            "text or none",
            "The person or the pet among the arguments of a skill.",
        ),
        Function(
            "pet_at",
            f"{_F}:pet_at",
            ("thing",),
            "Thing or none",
            "The pet that is on or in a thing, or what it turns on.",
        ),
        Function(
            "spare",
            f"{_F}:spare",
            ("thing",),
            "Item or none",
            "What may be moved off a full thing: none that this request has put there.",
        ),
        Function(
            "room_in", f"{_F}:room_in", ("thing",), "number", "How much more it has room for."
        ),
        Function(
            "heater", f"{_F}:heater", ("item",), "Thing or none", "What cooks such a thing here."
        ),
        Function(
            "switch_of", f"{_F}:switch_of", ("thing",), "Thing or none", "What turns a thing on."
        ),
        Function(
            "check_attribute",
            f"{_F}:check_attribute",
            ("thing", "attribute", "value"),
            "bool",
            "Whether an attribute of a thing has a value.",
        ),
    ),
)
