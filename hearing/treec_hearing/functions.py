"""Functions of expressions about words; the extension declares them and says what each is.

What looks words up is imported when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.team.entities import Task

if TYPE_CHECKING:
    from treec.team.team import Team


def mentioned(team: Team, words: object) -> tuple[str, ...]:
    from treec_hearing.spoken_names import find_mentioned

    return find_mentioned(team.knowledge, str(words))


def tasks_named(team: Team, words: object) -> tuple[Task, ...]:
    from treec_hearing.spoken_names import find_tasks

    return find_tasks(team.knowledge, str(words))


def answer(team: Team, words: object) -> str:
    from treec_hearing import answers

    return answers.answer(team, str(words))


def not_understood(team: Team, words: object) -> str:
    from treec_hearing import answers

    return answers.not_understood(team, str(words))


def unknown_things(team: Team, words: object) -> tuple[str, ...]:
    from treec_hearing.spoken_names import find_unknown_things

    return find_unknown_things(team.knowledge, str(words))


def unnamed_things(team: Team, words: object) -> tuple[str, ...]:
    from treec_hearing.spoken_names import find_unnamed_things

    return find_unnamed_things(team.knowledge, str(words))


def unknown_agents(team: Team, words: object) -> tuple[str, ...]:
    from treec_hearing.spoken_names import find_unknown_agents

    return find_unknown_agents(team.knowledge, str(words))


def nearest_thing(team: Team, name: object) -> str:
    from treec_hearing.spoken_names import find_nearest_thing

    return find_nearest_thing(team.knowledge, str(name))
