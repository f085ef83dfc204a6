"""Example that gives an agent work it cannot do.

What an agent does, has queued, is proposed or is assigned in an example must be listed under `can`
in its file: a model learns from examples who does what.

Wrong, where R2 `can: [get]`:

    examples:
      - given: {available: [scan crate]}
        answer:
          actions: [{propose: {agent: R2, subtask: scan crate}}]

Right:

    examples:
      - given: {available: [scan crate]}
        answer:
          actions: [{propose: {agent: R1, subtask: scan crate}}]
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.task_words import task_words
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, list_names
from treec.team.knowledge import knowledge_of
from treec_models.prompt_check.example_work import example_work

CODE = "TC414"


def check(view: View) -> Iterator[Diagnostic]:
    """Report work of agents in examples that their `can` does not list."""
    if task_words(view) is None:
        return
    knowledge = knowledge_of(view)
    recipes = view.all("recipe").values()
    texts = {id: spec.do or id for recipe in recipes for id, spec in recipe.model.subtasks.items()}
    for work in example_work(view):
        agent = view.agents.get(work.agent or "")
        bound = knowledge.words.match(texts.get(work.words, work.words))
        if agent is None or bound is None or knowledge.able(str(work.agent), bound.task):
            continue
        able = [name for name in view.agents if knowledge.able(name, bound.task)]
        can = ", ".join(agent.can) or "nothing"
        message = f"{work.agent} cannot do '{work.words}': its 'can' lists {can}"
        help = f"agents that can do '{bound.task}': {list_names(able, 'none')}"
        yield Diagnostic(CODE, "error", work.entry.span(*work.loc), message, help)
