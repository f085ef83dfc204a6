"""Subtask of a recipe that matches no task.

The words of a subtask are its `do`, or its key. They must match a pattern under some task's
`says`, and each argument must be the name of a thing of the argument's type.

Wrong, where `get` says `get <item>`:

    recipe: Morning Order
    subtasks:
      gett crate: {}

Right:

    recipe: Morning Order
    subtasks:
      get crate: {}

An agent that `can: [anything]` also does subtasks that match no task. If there is one, words that
do not look like a typo are only a warning: such a subtask can be given to that agent alone. What
the recipe's `parts` name, or words of another `language`, are no typos.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.task_words import spared_words, task_words
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.team.knowledge import knowledge_of

CODE = "TC503"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks whose words match no pattern of a task."""
    if not view.all("recipe"):
        return
    words = task_words(view)
    if words is None:
        return
    for entry in entries(view, "recipe"):
        said = knowledge_of(view).recipe_words(entry.model.subtasks)
        names = [part.name for part in entry.model.parts]
        spared = spared_words(view, entry.model.language, names)
        for id, spec in entry.model.subtasks.items():
            found = words.wrong(said[id], spared)
            if found is None:
                continue
            loc = ("subtasks", id) if spec.do is None else ("subtasks", id, "do")
            span = entry.span(*loc, key=spec.do is None)
            yield Diagnostic(CODE, found.severity, span, found.message, found.help)
