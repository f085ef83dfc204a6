"""Skeletons for `treec new`: new files that pass the check in the library at hand.

A skeleton uses names of the library: the decision that a behaviour offers itself to, a task that an
agent can do, the domain of its system.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.view import View


class NoSkeleton(Exception):
    """The library lacks something that a skeleton of this kind must name."""


@dataclass(frozen=True)
class Skeleton:
    """A new file: its path, and its text."""

    path: str
    text: str
    note: str = ""
    """What to do besides filling it in."""


def skeleton(view: View, kind: str, name: str, to: str | None = None) -> Skeleton:
    """Return a new file of a kind. Raises NoSkeleton and ValueError."""
    if not re.fullmatch(r"[A-Za-z][\w ]*", name):
        raise ValueError(f"'{name}' is not a name: letters, digits, _ and spaces, a letter first")
    make = _maker(kind)
    if make is None:
        raise ValueError(f"there is no skeleton for '{kind}': {', '.join(kinds())}")
    if view.find(kind, name) is not None:
        raise ValueError(f"there is a {kind} '{name}' already, in {view.all(kind)[name].path}")
    text = make(view, name, to)
    stem = name.lower().replace(" ", "_")
    folder = _folder(view, kind, stem)
    note = ""
    if kind in ("action", "decision") and not view.all("decision"):
        note = f"no decision offers it: run it from a tree (- {_NODES[kind]}: {name})"
        note += ", or write one with 'treec new decision NAME'" if kind == "action" else ""
    if kind == "reading":
        note = f"run it from a tree (- read: {name}); 'treec hear WORDS' shows what it hears"
        if not view.all("hearing"):
            note += (
                "\n  treec/everyday_english in the system's `uses` and `hearing: Everyday_English` "
            )
            note += "give it what people say everywhere"
    return Skeleton(f"{folder}/{stem}.{kind}.yaml", text, note)


def kinds() -> tuple[str, ...]:
    """Return the kinds that have skeletons."""
    added = (kind.name for kind in registry().kinds.values() if kind.skeleton)
    return (*_MAKERS, *added)


def _maker(kind: str) -> Callable[[View, str, str | None], str] | None:
    added = registry().kinds.get(kind)
    if added is None or not added.skeleton:
        return _MAKERS.get(kind)
    make = cast("Callable[[View, str], str]", registry().load(added.skeleton))
    return lambda view, name, to: make(view, name)


_NODES = {"action": "do", "decision": "ask"}
"""The node of a tree that runs one."""

_HOMES = {"decision": "prompts", "action": "prompts", "reading": "prompts", "tree": "trees"}
"""Where files of a kind usually lie."""


def _folder(view: View, kind: str, stem: str) -> str:
    if kind == "skill":
        return f"skills/{stem}"
    folders = view.own_folders(kind)
    if folders:
        return max(sorted(set(folders)), key=folders.count)
    if view.system is None:
        return "."
    beside = {"action": "decision", "decision": "action", "program": "action"}.get(kind, "")
    near = view.own_folders(beside)
    if near:
        return near[0]
    used = view.library.folders(view.system)
    own = [folder for folder in used if view.library.pack_of(f"{folder}/") is None]
    likely = [folder for folder in own if folder.split("/")[0] == _HOMES.get(kind)]
    return (likely or own or ["."])[0]


def _offer(view: View, to: str | None, when: str) -> str:
    """Return an offer to a decision; empty if there is no decision yet."""
    target = _target(view, to)
    if target is None:
        return ""
    return f"""offer:
  to: {target.name}
  when: {when}
  because: Say when it is the right one to choose.
"""


def _target(view: View, to: str | None) -> AnyEntry | None:
    """Return the decision to offer to: the one named, else the one with the most actions."""
    decisions = view.all("decision")
    if to is not None:
        if to not in decisions:
            raise NoSkeleton(f"there is no decision '{to}': {', '.join(decisions)}")
        return decisions[to]

    def actions(entry: AnyEntry) -> int:
        return sum(1 for option in entry.model.options if option in view.all("action"))

    return max(decisions.values(), key=actions, default=None)


def _occasion(view: View, name: str) -> tuple[str, str]:
    """Return a first condition of the offer, and the name that it uses."""
    kinds = {k: f for entry in view.all("reading").values() for k, f in entry.model.acts.items()}
    word = name.lower().replace("_", " ")
    if "about" in kinds.get("ask", {}):
        return f"\"acts.ask and '{word}' in (acts.ask.about | join(' ') | lower)\"", "acts"
    if kinds:
        return f"\"acts.{min(kinds)} and '{word}' in (user_input | lower)\"", "acts, user_input"
    return f"subtasks | selectattr('words', 'eq', '{word}') | list", "subtasks"


def _action(view: View, name: str, to: str | None) -> str:
    when, occasion = _occasion(view, name)
    answers = "answers: [ask]\n" if occasion == "acts" else ""
    return f"""action: {name}
about: Say in one sentence what it does.
sees: [{occasion}]
may: [say]
{answers}{_offer(view, to, when)}offline:
  - do:
      - say: This is {name}.
"""


def _decision(view: View, name: str, to: str | None) -> str:
    target = _target(view, to)
    actions = [it for it in view.all("action") if target is None or it in target.model.options]
    if not actions and target is None:
        why = "a decision chooses between actions, and there is none"
        raise NoSkeleton(f"{why}: begin with 'treec new action NAME'")
    if not actions and target is not None:
        raise NoSkeleton(f"'{target.name}' has no action that a new decision could choose")
    when, occasion = _occasion(view, name)
    return f"""decision: {name}
about: Say in one sentence what it decides.
sees: [{occasion}]
options:
  {actions[0]}: Say when it is the right one to choose.
offline:
  - {{when: true, choose: {actions[0]}}}
{_offer(view, to, when)}"""


def _task(view: View, name: str, to: str | None) -> str:
    del view, to
    return f"""task: {name}
about: Say in one sentence what is done.
says: [{name.lower().replace("_", " ")}]
"""


def _a_subtask(view: View) -> str:
    for recipe in view.all("recipe").values():
        for id, spec in recipe.model.subtasks.items():
            return str(spec.do or id)
    for task in view.all("task").values():
        for says in task.model.says:
            if "<" not in says:
                return str(says)
    raise NoSkeleton("a recipe needs a task for its first subtask, and there is none")


def _recipe(view: View, name: str, to: str | None) -> str:
    del to
    words = _a_subtask(view)
    return f"""recipe: {name}
about: Say in one sentence what it is.
subtasks:
  {words}: {{}}
"""


def _contract(view: View, name: str, to: str | None) -> str:
    del view, to
    return f"""contract: {name}
about: Say in one sentence what is promised.
each: say(message)
require: message | length < 500
tell: "{{{{ action }}}} says too much at once: be brief."
"""


def _agent(view: View, name: str, to: str | None) -> str:
    del to
    robots = [view.all("agent")[robot] for robot in view.robots]
    if not robots:
        return f"""agent: {name}
is: Person
about: Say in one sentence who it is.
can: [anything]
"""
    model = robots[-1].model
    skills = "".join(f"\n  {skill}: {{}}" for skill in model.skills)
    starts = "".join(f"\n  {fact}: {_yaml(value)}" for fact, value in model.starts.items())
    return (
        f"agent: {name}\nis: {model.is_}\nabout: Say in one sentence who it is.\n"
        f"can: [{', '.join(model.can)}]\n"
        + (f"skills:{skills}\n" if skills else "")
        + (f"starts:{starts}\n" if starts else "")
    )


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _scenario(view: View, name: str, to: str | None) -> str:
    del to
    if view.system is None:
        raise NoSkeleton("a scenario needs a system, and there is none")
    return f"""scenario: {name}
system: {view.system.name}
seed: 1
user:
  - says: Hello!
expect:
  finally: heard('hello')
"""


def _skill(view: View, name: str, to: str | None) -> str:
    del view, to
    return f"""skill: {name}
about: Say in one sentence what is done.
args: {{agent: Robot}}
takes: 2s
timeout: 10s
again: true
runs:
  symbolic: treec.envs.symbolic:Effects
"""


def _reading(view: View, name: str, to: str | None) -> str:
    del to
    shared = next(iter(view.all("hearing")), None)
    own = 'hears:\n  request: ["[please] {task}"]\n  stop: [stop]\n  ask: ["what {text}"]\n'
    return f"""reading: {name}
about: The acts in what the person says; each quotes the words it rests on.
sees: [user_input, proposals, subtasks]
acts:
  accept: {{proposals: list of Proposal}}
  decline: {{proposals: list of Proposal}}
  request: {{agent: Agent or none, task: Task, args: {{}}, first: bool}}
  done: {{subtasks: list of Subtask}}
  stop: {{agent: Agent or none}}
  resume: {{agent: Agent or none}}
  ask: {{about: text}}
  remark: {{}}
""" + (f"hearing: {shared}\n" if shared else own)


_MAKERS: dict[str, Callable[[View, str, str | None], str]] = {
    "action": _action,
    "decision": _decision,
    "task": _task,
    "reading": _reading,
    "recipe": _recipe,
    "contract": _contract,
    "agent": _agent,
    "scenario": _scenario,
    "skill": _skill,
}
