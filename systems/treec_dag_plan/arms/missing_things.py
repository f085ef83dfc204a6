"""What a task in free words speaks of and the scene does not have, told without a model.

``Make toast and pour juice`` in a kitchen with neither: the first word of each clause says what to
do; what is neither a word of the scene nor one that every sentence has is a thing that is missing.
"""

from __future__ import annotations

import re

from treec.files.library import Library
from treec.files.view import View, in_scene
from treec_hearing.question_words import clause_ends, singulars
from treec_hearing.spoken_names import find_nearest_name

_POLITE = re.compile(
    r"^(?:(?:please|now|first|next|just|could|can|would|will|you|we|i|want|to|"
    r"let|us|let's|need|like|have)\s+)+"
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a about above after again all an another any around as at away back be before behind "
        "below beside both bottom breakfast by clean closed cold cup dinner down each empty every "
        "everything finally for from front full fresh glass half here hers his hot i if in inside "
        "into is it its left little lunch me middle more my near new next no not of off on one "
        "ones onto open other our out over own piece place please portion right second serve side "
        "small so some something that the their them there these thing things this those three "
        "through time to today together too top two under until up us using warm we well when "
        "where while with without yet you your",
    )
)
_NEAREST = "; the nearest: "
_MOST_NAMED = 12
"""How many of the scene's things are listed."""


def find_missing(view: View, words: str) -> list[str]:
    """The things that words speak of and the scene does not have."""
    known = _known_words(view)
    missing: list[str] = []
    for clause in clause_ends(view).split(words.lower()):
        text = _POLITE.sub("", " ".join(clause.split()))
        run: list[str] = []
        for word in [*_WORD.findall(text)[1:], ""]:
            if word and not word.endswith("ly") and not singulars(view, word) & known:
                run.append(word)
            elif run:
                missing.append(" ".join(run))
                run = []
    return list(dict.fromkeys(missing))


def describe_missing(view: View, words: str) -> str | None:
    """Say that a task cannot be done and what is missing for it; None if nothing is."""
    missing = find_missing(view, words)
    if not missing:
        return None
    names = sorted(name.replace("_", " ") for name in view.objects)
    parts = {part: name for name in reversed(names) for part in (name, *name.split())}
    near = {thing: parts.get(find_nearest_name(thing, parts) or "") for thing in missing}
    nearest = [f"'{name}' for '{thing}'" for thing, name in near.items() if name is not None]
    hint = f"{_NEAREST}{', '.join(nearest)}" if nearest else ""
    if not nearest:
        more = f" and {len(names) - _MOST_NAMED} more" if names[_MOST_NAMED:] else ""
        hint = f"; there are {', '.join(names[:_MOST_NAMED])}{more}"
    return f"cannot be done: there is no {', no '.join(missing)}{hint}"


def describe_missing_everywhere(library: Library, words: str) -> str | None:
    """The same for a library of several scenes: what is missing in the one that has most of it."""
    scenes = sorted({entry.model.scene for entry in library.of_kind("problem")})
    views = [
        View(library, in_scene(system, scene))
        for system in library.of_kind("system")
        if View(library, system).all("problem")
        for scene in scenes
    ]
    told = [describe_missing(view, words) or "" for view in views]
    return min(told, key=lambda text: (text.count(" no "), _NEAREST not in text), default=None)


def _known_words(view: View) -> frozenset[str]:
    """The words that the scene's things and tasks are described by."""
    texts = [
        text for skill in view.all("skill").values() for text in (skill.name, skill.model.about)
    ]
    for name, spec in view.objects.items():
        texts += [name, spec.about or "", *spec.also]
    for entry in view.all("problem").values():
        texts += [entry.model.task, *entry.model.constraints, *entry.model.words.values()]
    words = {word for text in texts for word in _WORD.findall(text.lower().replace("_", " "))}
    return frozenset({stem for word in words for stem in singulars(view, word)} | _COMMON)
