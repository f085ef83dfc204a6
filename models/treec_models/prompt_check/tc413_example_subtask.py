"""Unknown subtask in an example.

Examples name subtasks by their words, or by an id from a recipe or from the example itself. Other
words teach a model to answer with work that does not exist.

Wrong, where `get` says `get <item>`:

    examples:
      - given: {available: [gett crate]}
        answer: {choose: Confirm_Subtask}

Right:

    examples:
      - given: {available: [get crate]}
        answer: {choose: Confirm_Subtask}

Words that do not look like a typo are reported as a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.task_words import task_words
from treec.check.unreadable import unreadable_kinds
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, Severity
from treec.team.knowledge import knowledge_of
from treec_models.prompt_check.example_work import example_work

CODE = "TC413"


def check(view: View) -> Iterator[Diagnostic]:
    """Report subtasks of examples that could not occur in a run."""
    words = task_words(view)
    if words is None or not view.all("task") or "recipe" in unreadable_kinds(view.library):
        return
    ids = {id for recipe in view.all("recipe").values() for id in recipe.model.subtasks}
    knowledge = knowledge_of(view)
    found = example_work(view)
    own = {(work.entry.path, work.example, work.id) for work in found if work.id is not None}
    for work in found:
        if work.words in ids or (work.entry.path, work.example, work.words) in own:
            continue
        bound = knowledge.words.match(work.words)
        thing = knowledge.repeated_thing(bound.task, bound.args) if bound else None
        wrong = words.wrong(work.words)
        severity: Severity = "error"
        if not work.words.strip():
            message, help = "a subtask without words", "leave it out, or write its words"
        elif thing is not None:
            message, help = f"'{work.words}' needs two things, but {thing} is only one", None
        elif wrong is not None:
            message, help = wrong.message, wrong.help
            severity = "error" if wrong.slip else "warning"
        else:
            continue
        yield Diagnostic(CODE, severity, work.entry.span(*work.loc), message, help)
