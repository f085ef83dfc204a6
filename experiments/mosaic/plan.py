"""Draw the interactions of a run from the seed; repetitions of a recipe share them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from experiments.mosaic.kitchen import Kitchen, RecipeSubtask
from experiments.mosaic.phrases import DISHES

MODES = ("A", "B", "C", "D")
DIFFICULTIES: Mapping[str, int] = {"easy": 1, "hard": 6}
"""Number of non-nominal interactions (MOSAIC, appendix H)."""


@dataclass(frozen=True)
class Interaction:
    """A non-nominal interaction (MOSAIC, appendix H, modes A to D; E: section 3.2).

    A: ``how`` (kind, ingredient, nothing), ``thing``, ``fitting`` recipes. B: ``thing``, a dish.
    C: ``subtask`` that the user wants ``agent`` to do when it is proposed for another. D: ``task``
    with ``args`` and ``words``, for ``agent`` or anybody, once ``after`` subtasks are done. E:
    ``agent`` is stopped at work once ``after`` subtasks are done, and goes on later.
    """

    id: str
    mode: str
    how: str = ""
    thing: str = ""
    fitting: Sequence[str] = ()
    subtask: str = ""
    agent: str | None = None
    task: str | None = None
    args: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    after: int = 0

    def json(self) -> Mapping[str, object]:
        """Return the fields that are set, for ``intents.jsonl``."""
        return {name: value for name, value in asdict(self).items() if value not in ("", (), {})}


@dataclass(frozen=True)
class TrialPlan:
    """A run's recipe and interactions."""

    difficulty: str
    recipe: str
    interactions: Sequence[Interaction]


def draw_recipes(kitchen: Kitchen, seed: int, number: int) -> list[str]:
    """Shuffle the recipes and return ``number`` of them, repeating if there are too few."""
    names = sorted(kitchen.recipes)
    random.Random(f"recipes {seed}").shuffle(names)
    return [names[i % len(names)] for i in range(number)] if names else []


def draw_plans(kitchen: Kitchen, seed: int, number: int, difficulty: str) -> list[TrialPlan]:
    """Draw a plan for each recipe of one difficulty.

    An Easy run has one mode, drawn without replacement until all four have been used, so that
    even a few runs cover every mode.
    """
    deck: list[str] = []
    plans = []
    rng = random.Random(f"modes {seed} {difficulty}")
    for index, recipe in enumerate(draw_recipes(kitchen, seed, number)):
        if DIFFICULTIES[difficulty] == 1:
            if not deck:
                deck = rng.sample(MODES, len(MODES))
            modes = [deck.pop()]
        else:
            modes = _many(rng, DIFFICULTIES[difficulty], len(kitchen.recipes[recipe]))
        own = random.Random(f"interactions {seed} {difficulty} {index} {recipe}")
        plans.append(TrialPlan(difficulty, recipe, fill_in(kitchen, recipe, modes, own)))
    return plans


def _many(rng: random.Random, number: int, subtasks: int) -> list[str]:
    """Draw the modes of a Hard run: at most one A and one B, because a recipe is chosen once; at
    most one C for every two subtasks."""
    modes: list[str] = []
    while len(modes) < number:
        mode = rng.choice(MODES)
        most = {"A": 1, "B": 1, "C": max(1, subtasks // 2), "D": number}[mode]
        if modes.count(mode) < most:
            modes.append(mode)
    return modes


def fill_in(
    kitchen: Kitchen, recipe: str, modes: Sequence[str], rng: random.Random
) -> list[Interaction]:
    """Draw the details of an interaction of each mode."""
    found: list[Interaction] = []
    counts: dict[str, int] = {}
    for mode in modes:
        counts[mode] = counts.get(mode, 0) + 1
        id = f"{mode}{counts[mode]}"
        match mode:
            case "A":
                found.append(_vague(id, kitchen, recipe, rng))
            case "B":
                found.append(Interaction(id, "B", thing=rng.choice(unknown_dishes(kitchen))))
            case "C":
                taken = {i.subtask for i in found}
                found.append(_other_agent(id, kitchen, recipe, taken, rng))
            case "D":
                words = {i.words for i in found}
                found.append(_extra(id, kitchen, recipe, words, rng))
            case "E":
                robots = [name for name, member in kitchen.team.items() if not member.person]
                after = rng.randint(0, max(0, len(kitchen.recipes[recipe]) // 2))
                found.append(Interaction(id, "E", agent=rng.choice(sorted(robots)), after=after))
    return found


def unknown_dishes(kitchen: Kitchen) -> list[str]:
    """Return the dishes that share no word with the name of any recipe."""
    known = {word for name in kitchen.recipes for word in name.lower().split()}
    return [dish for dish in DISHES if not known & set(dish.lower().split())]


def _vague(id: str, kitchen: Kitchen, recipe: str, rng: random.Random) -> Interaction:
    how = rng.choice(("kind", "ingredient", "nothing"))
    kind = recipe.lower().split()[-1]
    if how == "kind" and kind in {name.lower() for name in kitchen.recipes}:
        how = "nothing"  # 'some biryani' is not vague where there is a Biryani
    if how == "ingredient":
        roots = [w for w in kitchen.recipes[recipe] if not w.after and len(w.args) == 1]
        things = sorted({thing for work in roots for thing in work.args.values()})
        if things:
            thing = rng.choice(things)
            fitting = [name for name, works in kitchen.recipes.items() if _uses(works, thing)]
            return Interaction(id, "A", how=how, thing=thing, fitting=fitting)
        how = "nothing"
    if how == "kind":
        fitting = [name for name in kitchen.recipes if kind in name.lower().split()]
        return Interaction(id, "A", how=how, thing=kind, fitting=fitting)
    return Interaction(id, "A", how=how, fitting=sorted(kitchen.recipes))


def _uses(works: Sequence[RecipeSubtask], thing: str) -> bool:
    return any(thing in work.args.values() for work in works)


def _other_agent(
    id: str, kitchen: Kitchen, recipe: str, taken: set[str], rng: random.Random
) -> Interaction:
    """Draw an agent other than the one that the planner will propose; able in 2 of 3 cases."""
    works = [w for w in kitchen.recipes[recipe] if w.id not in taken]
    rng.shuffle(works)
    wants_able = rng.random() < 2 / 3
    for strict in (True, False):
        for work in works:
            able = kitchen.able(work.task)
            # The planner proposes the first able agent; the user wants another.
            others = able[1:] if wants_able or not strict else _unable(kitchen, able)
            if others:
                return Interaction(id, "C", subtask=work.id, agent=rng.choice(others))
    return Interaction(id, "C", subtask=works[0].id, agent=_unable(kitchen, [])[0])


def _unable(kitchen: Kitchen, able: Sequence[str]) -> list[str]:
    return [name for name in sorted(kitchen.team) if name not in able]


def _extra(
    id: str, kitchen: Kitchen, recipe: str, taken: set[str], rng: random.Random
) -> Interaction:
    """Draw work of another recipe that has no predecessors and that a robot can do."""
    own = {work.same for work in kitchen.recipes[recipe]}
    things = {thing for work in kitchen.recipes[recipe] for thing in work.args.values()}
    candidates = {
        work.same: work
        for name in sorted(kitchen.recipes)
        for work in kitchen.recipes[name]
        if work.task is not None
        and work.same not in own
        and work.words not in taken
        and not work.after
        and not things & set(work.args.values())
        and not kitchen.team[kitchen.able(work.task)[0]].person
    }
    after = rng.randint(0, max(0, len(kitchen.recipes[recipe]) // 2))
    if not candidates:
        return Interaction(id, "D", after=after)
    work = rng.choice(list(candidates.values()))
    robots = [name for name in kitchen.able(work.task) if not kitchen.team[name].person]
    agent = rng.choice([None, rng.choice(robots)])
    return Interaction(
        id, "D", agent=agent, task=work.task, args=work.args, words=work.words, after=after
    )
