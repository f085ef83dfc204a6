"""Phrasings of the simulated user; one is drawn at random for each line.

Written without reference to any parser. ``wording.py`` fills the placeholders: do = 'get the
salt', doing = 'getting the salt', did = 'got the salt', once = simple past ('I ran the blender'),
agent, other, recipe, dish, thing, ordinal.
"""

from __future__ import annotations

CHOOSE = (
    "Let's make {recipe}.",
    "I'd like to cook {recipe} today.",
    "Hi! Can we make {recipe}?",
    "{recipe}, please.",
    "I feel like having {recipe} tonight.",
    "Hello, I want to make {recipe}.",
    "How about we cook {recipe}?",
    "Today it's {recipe}. Shall we start?",
)
DESCRIBE_KIND = (
    "I'm in the mood for some kind of {thing}.",
    "Let's make a {thing}.",
    "I'd like a {thing}, what do you have?",
    "Can we do some {thing} for dinner?",
    "A {thing} would be nice.",
    "I was thinking of a {thing}, but I'm not sure which.",
)
DESCRIBE_INGREDIENT = (
    "I'd like something with {thing}.",
    "I have some {thing} to use up. What could we make?",
    "I just bought {thing}.",
    "Is there anything with {thing} in it?",
    "What can I cook with {thing}?",
    "Something with {thing} would be great.",
)
DESCRIBE_NOTHING = (
    "I'm hungry, but I don't know what I want.",
    "What should we cook today?",
    "I'd like something quick.",
    "Any ideas for dinner?",
    "I want to cook something nice tonight.",
    "Let's make something easy.",
    "Hmm, what do you suggest?",
)
UNKNOWN_DISH = (
    "Let's make {dish}!",
    "I'd love some {dish}.",
    "Can we cook {dish}?",
    "I want to make {dish} tonight.",
    "How about {dish}?",
    "Hey, I'm craving {dish}. Let's do that.",
    "Do you know how to make {dish}? I'd like that.",
)
DISHES = (
    "lasagne",
    "beef wellington",
    "paella",
    "pad thai",
    "sushi",
    "moussaka",
    "duck à l'orange",
    "pierogi",
    "bouillabaisse",
    "croissants",
    "borscht",
    "couscous",
    "fish and chips",
    "baklava",
    "cheese fondue",
    "enchiladas",
    "schnitzel",
    "dim sum",
    "goulash",
    "crème brûlée",
    "ratatouille",
    "tiramisu",
    "peking duck",
    "gnocchi",
)
TAKE_ONLY = (
    "Sounds good.",
    "Yes, let's do that.",
    "OK, {recipe} then.",
    "{recipe} sounds good.",
    "Sure, why not.",
    "Perfect, that one.",
)
TAKE_ONE_OF = (
    "{recipe}, please.",
    "Then let's take the {recipe}.",
    "The {recipe} sounds good.",
    "I'll go for the {recipe}.",
    "Let's do {recipe}.",
    "OK, {recipe} it is.",
)
TAKE_ORDINAL = ("The {ordinal} one, please.", "Let's take the {ordinal} one.")
TAKE_OTHER = (
    "No, I'd rather have {recipe}.",
    "Hmm, not that. Can we do {recipe} instead?",
    "Actually, let's make {recipe}.",
    "What about {recipe}?",
)
WRONG_RECIPE = ("No, I meant {recipe}.", "That's not what I wanted. I want {recipe}.")

ACCEPT = (
    "Yes please.",
    "Sure.",
    "Yes, go ahead.",
    "OK.",
    "Sounds good.",
    "Yeah, do that.",
    "Fine with me.",
    "Yep.",
    "That works.",
    "Please do.",
    "Alright.",
    "Yes, thank you.",
)
ACCEPT_ROBOT = (
    "Yes, {agent} can {do}.",
    "Sure, let {agent} do that.",
    "OK, {agent} should {do}.",
    "Yes, {agent}, go ahead.",
)
ACCEPT_SELF = (
    "Sure, I'll {do}.",
    "Yes, I can do that.",
    "OK, I'll do it.",
    "Yes, I'll take care of that.",
    "No problem, I'll {do}.",
)
ACCEPT_DROP = ("Yes, leave it out.", "Yes.", "Sure, drop it.", "Right, we don't need that then.")
ACCEPT_ALL = (
    "Yes to all of that.",
    "Sounds good.",
    "Sure, go ahead.",
    "Yes, all fine.",
    "Yes please.",
    "OK, let's do that.",
)
ACCEPT_BOTH = ("Yes to both.", "Both are fine.", "Sure, both.", "Yes please, both of them.")
ACCEPT_EACH_ROBOT = "{agent} can {do}"
ACCEPT_EACH_SELF = "I'll {do}"

DONE = (
    "I've {did}.",
    "I'm done {doing}.",
    "OK, I {once}.",
    "Finished {doing}.",
    "I have {did} now.",
)
DONE_THING = (
    "The {thing} {be} {past}.",
    "The {thing} {be} ready.",
    "{Thing}: done.",
    "Done with the {thing}.",
)
DONE_BARE = ("Done.", "I'm done.", "OK, finished.", "That's done.")

REFUSE_SELF = (
    "No, I'll {do} myself.",
    "I'd rather {do} myself.",
    "Let me {do}, I like doing that.",
    "No thanks, I will {do}.",
    "Not {other}. I'm going to {do}.",
    "Actually, I want to {do}.",
)
REFUSE_SELF_BARE = (
    "No, I'll do that myself.",
    "I'd rather do that myself.",
    "No, let me do it.",
    "I can do that one.",
    "I'll handle that.",
)
REFUSE_ROBOT = (
    "No, {agent} should {do}.",
    "I'd prefer that {agent} does that. {agent}, please {do}.",
    "Can {agent} {do} instead?",
    "No, let {agent} {do}.",
    "I want {agent} to {do}.",
    "Not {other}, please. {agent} can {do}.",
)
REFUSE_ROBOT_BARE = (
    "No, {agent} should do that.",
    "Can {agent} do it instead?",
    "Let {agent} do that, please.",
    "I'd rather have {agent} do it.",
)
SETTLE = ("OK, then {agent} should {do}.", "Alright, let {agent} {do}.", "Then {agent} can {do}.")
SETTLE_APART = ("Then {agent} should {do}.", "In that case let {agent} {do}.")
"""While another proposal is open, a leading 'OK' would be taken as its answer."""
SETTLE_SELF = ("OK, then I'll {do}.", "Alright, I'll {do} myself.")
SETTLE_SELF_APART = ("Then I'll {do}.", "In that case I'll {do} myself.")

EXTRA = (
    "Could somebody {do} as well?",
    "Please also {do}.",
    "Oh, and {do}, please.",
    "I also need somebody to {do}.",
    "Can one of you {do} too?",
    "By the way, we should also {do}.",
)
EXTRA_NAMED = (
    "{agent}, could you also {do}?",
    "Please have {agent} {do} as well.",
    "{agent} should {do} too.",
    "Can {agent} also {do}?",
    "I'd like {agent} to {do} afterwards.",
    "Oh, and tell {agent} to {do}.",
)
INTERRUPT = (
    "{agent}, stop!",
    "Stop, {agent}.",
    "Wait, {agent}!",
    "Hold on, {agent}.",
    "{agent}, please stop for a moment.",
)
INTERRUPT_BARE = ("Stop!", "Stop, please.", "Wait, stop!")
GO_ON = (
    "OK, {agent}, go on.",
    "{agent}, please continue.",
    "You can go on now, {agent}.",
    "Alright, {agent} can continue.",
)
GO_ON_ALL = ("OK, go on.", "Go on, please.", "You can go on now.", "Alright, please continue.")
NUDGE = (
    "What's next?",
    "What is left to do?",
    "And now?",
    "What do we still have to do?",
    "What should we do next?",
)

SYNONYMS = {
    "get": ("get", "get", "bring", "fetch", "grab"),
    "stir": ("stir",),
    "mix": ("mix", "stir"),
    "chop": ("chop", "cut"),
    "pour": ("pour",),
}
"""Synonyms of verbs, used for the extra work of mode D and for refusals."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
