"""Skeletons of the core's kinds of files: one function a kind, which `Kind.skeleton` names."""

from __future__ import annotations

from treec.companions import missing_help
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.skeletons import NoSkeleton
from treec.files.view import View
from treec.source.diagnostics import unknown


def system(view: View, name: str) -> str:
    """Another system of the same domain, scene and tree as the one there is, or of the first."""
    if view.system is not None:
        model = view.system.model
        names = {"root": model.root, "domain": model.domain, "scene": model.scene}
        uses, runs_on = model.uses, model.runs_on
    else:
        kinds = {"root": "tree", "domain": "domain", "scene": "scene"}
        names = {key: _first(view, kind, "a system") for key, kind in kinds.items()}
        uses = sorted({f"./{e.folder}" for e in view.entries if e.folder}) or ["."]
        runs_on = {"default": "symbolic"}
    lines = "".join(f"{key}: {value}\n" for key, value in names.items())
    return f"""system: {name}
about: Say in one sentence who does what.
uses: [{", ".join(uses)}]
{lines}runs_on: {{{", ".join(f"{agent}: {where}" for agent, where in runs_on.items())}}}
"""


def tree(view: View, name: str) -> str:
    """A tree of two nodes that succeeds at once."""
    del view
    return f"""tree: {name}
about: Say in one sentence what it does.
root:
  - check: now >= 0
  - log: This is {name}.
"""


def decision(view: View, name: str, to: str | None = None) -> str:
    """A choice between two actions, or between one and nothing, that is offered to a decision."""
    target = _target(view, to)
    actions = [it for it in view.all("action") if target is None or it in target.model.options]
    if not actions and target is None:
        why = "a decision chooses between actions, and the library has none"
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


def action(view: View, name: str, to: str | None = None) -> str:
    """An action that says a sentence, offered to a decision."""
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


def reading(view: View, name: str) -> str:
    """A reading of the usual acts, with the library's hearing or a few templates."""
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


def hearing(view: View, name: str) -> str:
    """The words of a language: spellings, articles, templates."""
    del view
    return f"""hearing: {name}
about: Say in one sentence in which language people say what.
spellings: {{i'd: i would, can't: can not}}
rules: {{would_like: (i would like|please)}}
articles: [a, an, the]
endings: [s, es]
synonyms: {{bring: [fetch, get]}}
hears:
  accept: ["yes [please]"]
  decline: ["no [thanks]"]
  stop: ["stop", "{{agent}} stop"]
"""


def program(view: View, name: str) -> str:
    """A subtask as skill calls, by the steps of its task."""
    del view
    return f"""program: {name}
about: Say in one sentence what is turned into skill calls.
args: [agent, subtask]
offline: steps(subtask)
max_steps: 20
"""


def plan(view: View, name: str) -> str:
    """A plan in the first form that an installed package declares for nodes of trees."""
    del view
    form = next((form for form in registry().plans.values() if not form.by_command), None)
    if form is None:
        help = missing_help("nodes", "plan") or "none is installed that does"
        raise NoSkeleton(f"a plan has a form that a package declares: {help}")
    return f"""plan: {name}
answers: {form.name}
about: Say in one sentence what is planned.
instructions: |
  Say how a plan is written, and what makes a good one.
reflection: |
  The plan was checked, with these findings:
  {{% for line in findings %}}- {{{{ line }}}}
  {{% endfor %}}Correct all of them.
"""


def recipe(view: View, name: str) -> str:
    """A recipe of one subtask that the library knows."""
    return f"""recipe: {name}
about: Say in one sentence what it is.
subtasks:
  {_a_subtask(view)}: {{}}
"""


def task(view: View, name: str) -> str:
    """A task without steps, which a person can do."""
    del view
    return f"""task: {name}
about: Say in one sentence what is done.
says: [{name.lower().replace("_", " ")}]
"""


def skill(view: View, name: str) -> str:
    """A skill of the symbolic environment that changes nothing."""
    del view
    return f"""skill: {name}
about: Say in one sentence what is done.
args: {{agent: Robot}}
takes: 2s
timeout: 10s
again: true
runs:
  symbolic: treec.envs.symbolic:Effects
"""


def domain(view: View, name: str) -> str:
    """Things at places."""
    del view
    return f"""domain: {name}
about: Say in one sentence which things there are and what is true of them.
types:
  Place: {{}}
  Item: {{}}
facts:
  at: {{args: [Item], value: Place or Agent, about: Where it lies or who holds it.}}
"""


def scene(view: View, name: str) -> str:
    """A thing of the domain's first type."""
    of = _first(view, "domain", "a scene")
    types = view.all("domain")[of].model.types
    if not types:
        raise NoSkeleton(f"the domain '{of}' declares no type of things")
    return f"""scene: {name}
about: Say in one sentence what is there.
domain: {of}
objects:
  {name.lower().replace("_", " ")} 1: {{type: {next(iter(types))}}}
"""


def agent(view: View, name: str) -> str:
    """Another robot like the last one of the system; a person where there is none."""
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


def contract(view: View, name: str) -> str:
    """A limit on what is said."""
    del view
    return f"""contract: {name}
about: Say in one sentence what is promised.
each: say(message)
require: message | length < 500
tell: "{{{{ action }}}} says too much at once: be brief."
"""


def scenario(view: View, name: str) -> str:
    """A user who says a word."""
    if view.system is None:
        raise NoSkeleton("a scenario needs a system, and the library has none")
    return f"""scenario: {name}
system: {view.system.name}
seed: 1
user:
  - says: Hello!
expect:
  finally: {_hello(view)}
"""


def case(view: View, name: str) -> str:
    """A case of the whole system, which its own rules play."""
    if view.system is None:
        raise NoSkeleton("a case needs a system, and the library has none")
    return f"""case: {name}
about: Say in one sentence what must happen.
system: {view.system.name}
says: ["Hello!"]
within: 5s
must: [{_hello(view)}]
"""


def _hello(view: View) -> str:
    """What holds once somebody has said hello; where nobody listens, what always does."""
    return "heard('hello')" if view.all("reading") else "now >= 0"


def _first(view: View, kind: str, whose: str) -> str:
    """The name of the first entry of a kind. Raises NoSkeleton."""
    for name in view.all(kind):
        return name
    raise NoSkeleton(f"{whose} needs a {kind}, and the library has none: 'treec new {kind} NAME'")


def _target(view: View, to: str | None) -> AnyEntry | None:
    """Return the decision to offer to: the one named, else the one with the most actions."""
    decisions = view.all("decision")
    if to is not None:
        if to not in decisions:
            raise NoSkeleton(unknown("decision", to, decisions))
        return decisions[to]

    def actions(entry: AnyEntry) -> int:
        return sum(1 for option in entry.model.options if option in view.all("action"))

    return max(decisions.values(), key=actions, default=None)


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


def _occasion(view: View, name: str) -> tuple[str, str]:
    """Return a first condition of the offer, and the name that it uses."""
    kinds = {k: f for entry in view.all("reading").values() for k, f in entry.model.acts.items()}
    word = name.lower().replace("_", " ")
    if "about" in kinds.get("ask", {}):
        return f"\"acts.ask and '{word}' in (acts.ask.about | join(' ') | lower)\"", "acts"
    if kinds:
        return f"\"acts.{min(kinds)} and '{word}' in (user_input | lower)\"", "acts, user_input"
    return f"subtasks | selectattr('words', 'eq', '{word}') | list", "subtasks"


def _a_subtask(view: View) -> str:
    for recipe in view.all("recipe").values():
        for id, spec in recipe.model.subtasks.items():
            return str(spec.do or id)
    for task in view.all("task").values():
        for says in task.model.says:
            if "<" not in says:
                return str(says)
    raise NoSkeleton("a recipe needs a task for its first subtask, and the library has none")


def _yaml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
