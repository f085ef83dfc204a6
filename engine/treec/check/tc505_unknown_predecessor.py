"""Unknown predecessor of a subtask.

`after` and `after_any` name subtasks of the same recipe by their keys. A subtask that waits for
one that does not exist never begins.

Wrong:

    recipe: Tea
    subtasks:
      fill kettle: {}
      boil water: {after: [fill the kettle]}

Right:

    recipe: Tea
    subtasks:
      fill kettle: {}
      boil water: {after: [fill kettle]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.tasks import RecipeFile
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC505"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names in `after` and `after_any` that are not keys of the recipe."""
    for entry in entries(view, "recipe"):
        recipe: RecipeFile = entry.model
        by_words = {spec.do: id for id, spec in recipe.subtasks.items() if spec.do is not None}
        for id, spec in recipe.subtasks.items():
            for key, names in (("after", spec.after), ("after_any", spec.after_any)):
                for index, name in enumerate(names):
                    if name in recipe.subtasks:
                        continue
                    if name in by_words:
                        help = f"this is the 'do' of '{by_words[name]}': use its key"
                    else:
                        help = suggestion(name, recipe.subtasks, "its subtasks")
                    yield Diagnostic(
                        CODE,
                        "error",
                        entry.span("subtasks", id, key, index),
                        f"unknown subtask '{name}' of this recipe",
                        help,
                    )
