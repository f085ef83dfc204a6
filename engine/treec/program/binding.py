"""Binds a call's arguments to a skill's parameters, for the check and for the run."""

from __future__ import annotations

from collections.abc import Sequence

from treec.frozen import frozen

DOER = "agent"
"""A skill's argument for the agent who executes it; in a program always its own agent."""


@frozen
class ArgumentMismatch:
    """Why arguments cannot be bound, and which positional or named one is at fault."""

    message: str
    index: int | None = None
    keyword: str | None = None


def signature(skill: str, parameters: Sequence[str]) -> str:
    """A skill's signature for help lines."""
    shown = f"{skill}({', '.join(parameters)})"
    if parameters and parameters[0] == DOER:
        return f"{shown}; the agent may be left out"
    return shown


def bind(
    skill: str, parameters: Sequence[str], positional: int, keywords: Sequence[str] = ()
) -> tuple[str, ...] | ArgumentMismatch:
    """The parameter of each positional argument, or why the call cannot be bound.

    A first parameter ``agent`` may be left out: then all the others are given.
    """
    names = list(parameters)
    given = positional + len(keywords)
    if names and names[0] == "agent" and "agent" not in keywords and given < len(names):
        names = names[1:]  # with fewer than that something else is missing too, and is said
    if positional > len(names):
        most = count(len(parameters), "argument")
        return ArgumentMismatch(f"'{skill}' takes {most}, not {given}", len(names))
    bound = tuple(names[:positional])
    for keyword in keywords:
        if keyword not in parameters:
            return ArgumentMismatch(f"unknown argument '{keyword}' of '{skill}'", keyword=keyword)
        if keyword in bound:
            return ArgumentMismatch(
                f"'{skill}' gets its argument '{keyword}' twice", keyword=keyword
            )
    missing = [name for name in names if name not in bound and name not in keywords]
    if missing:
        return ArgumentMismatch(f"'{skill}' needs the argument '{missing[0]}'")
    return bound


def count(number: int, noun: str) -> str:
    """1 argument, 2 arguments, no arguments."""
    return f"{number or 'no'} {noun}" + ("" if number == 1 else "s")
