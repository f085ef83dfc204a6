"""treec's own kinds, nodes, names, functions, filters and commands, declared as an extension."""

from __future__ import annotations

from pathlib import Path

from treec.extensions import (
    Command,
    Extension,
    Filter,
    Function,
    Kind,
    Name,
    StateSlot,
)


def _modules(package: str) -> tuple[str, ...]:
    """The modules of a package of node types; none is imported."""
    folder = Path(__file__).parent.joinpath(*package.split(".")[1:])
    names = sorted(path.stem for path in folder.glob("*.py"))
    return tuple(f"{package}.{name}" for name in names if name != "__init__")


def _name(name: str, type_: str, about: str) -> Name:
    return Name(name, f"treec.team.functions:{name}", type_, about)


def _function(name: str, args: str, returns: str, about: str, optional: int = 0) -> Function:
    target = f"treec.team.functions:{name}"
    return Function(name, target, tuple(args.split()), returns, about, optional)


def _filters(module: str, returns: str, names: str) -> tuple[Filter, ...]:
    return tuple(Filter(name, f"{module}:{name}_filter", returns) for name in names.split())


def _kind(name: str, model: str, order: int, *, behaviour: int = 0, graph: str = "") -> Kind:
    return Kind(name, f"treec.files.{model}", behaviour=behaviour, order=order, graph=graph)


NODES = {
    module.rpartition(".")[2].rstrip("_"): f"{module}:NODE"
    for package in ("treec.nodes.control", "treec.nodes.leaves")
    for module in _modules(package)
}
"""Nodes of tree files: each is a module that is called what its key is called."""

MODIFIER_MODULES = _modules("treec.nodes.modifiers")
"""Modifiers of nodes: each is a module."""

NAMES = (
    _name("agents", "list of Agent", "Everybody in the team."),
    _name("robots", "list of Robot", "The team's robots; known when compiling."),
    _name("people", "list of Person", "The team's people; known when compiling."),
    _name("subtasks", "list of Subtask", "All work, of the recipe and beside it."),
    _name("proposals", "list of Proposal", "What the user was asked and has not answered."),
    _name("acts", "any", "What the user did with their words and no commit has settled, by kind."),
    _name("user_input", "text", "What the user said that is not answered yet."),
    _name("chat", "list of Utterance", "The conversation."),
    _name("recipes", "list of Recipe", "The recipes of the library."),
    _name("tasks", "list of Task", "The tasks of the library."),
    _name("capabilities", "list of text", "Who can do what, a line for each agent."),
    _name("things", "list of text", "The scene's things by name, a line for each of their types."),
    _name(
        "work", "list of Subtask", "The work of now: the recipe's, and what was asked for beside."
    ),
    _name("completed", "list of Subtask", "Work that is done, of this recipe and beside it."),
    _name("all_done", "bool", "There is work, and all of it is done."),
    _name("all_dropped", "bool", "There is work, and all of it is done or dropped."),
    _name("blocked", "list of Subtask", "Subtasks that wait for one that was dropped."),
    _name("now", "number", "Seconds since the run began."),
    _name("recipe_since", "number", "When the recipe was set, in seconds since the run began."),
    _name("last_refusal", "number", "When the user last said no to a proposal; 0 for never."),
)
"""Names of expressions, which every domain has."""

FUNCTIONS = (
    _function("queue", "agent", "list of Subtask", "What an agent has still to do, in order."),
    _function("status", "who", "text", "The status of an agent or of a subtask."),
    _function("current", "agent", "Subtask or none", "What an agent is at."),
    _function("can", "agent task", "bool", "Whether an agent can do a task or a subtask."),
    _function(
        "suggest",
        "available agents since ahead",
        "list of Suggestion",
        "Whom to propose what: (agent, subtask), one each; what was refused up to then again; "
        "robots at work with fewer than `ahead` (default 0) in their queues are asked about, too.",
        optional=2,
    ),
    _function(
        "proposed", "agent subtask", "bool", "Whether this is proposed and not yet answered."
    ),
    _function("answered", "utterance", "bool", "Whether what was said is settled."),
    _function(
        "said",
        "text since",
        "bool",
        "Whether the assistant has said something with these words, from a time on.",
        optional=1,
    ),
    _function("heard", "text", "bool", "Whether a person has said something with these words."),
    _function("done", "subtask", "bool", "Whether a subtask is done."),
    _function("doing", "task", "Agent or none", "Which robot is at this very task now."),
    _function("steps", "subtask", "any", "The steps of a subtask's task, bound to its things."),
    _function("place_of", "thing", "text or none", "Where a thing is: the fact `at`."),
    _function("subtask", "words", "Subtask or none", "A subtask by its id or words, or of a task."),
    _function("agent", "name", "Agent or none", "An agent by name."),
    _function(
        "needs", "subtask", "list of Subtask", "What comes before a subtask and was not dropped."
    ),
    _function("refused", "subtask", "bool", "Whether it was refused and nothing finished since."),
    _function("holds", "task", "bool", "Whether a task's goal holds already."),
    _function(
        "explain", "reason", "text", "Why something failed, in words and without a full stop."
    ),
    Function(
        "is_a",
        "treec.team.functions:is_a",
        ("thing", "kind"),
        "bool",
        "Whether a thing or an agent is of a type: is_a(place, 'Ward').",
        classes=("kind",),
    ),
)
"""Functions of expressions."""

FILTERS = (
    *_filters("treec.source.builtins", "any", "default"),
    *_filters("treec.source.builtins", "integer", "int"),
    *_filters("treec.source.builtins", "number", "float round abs"),
    *_filters("treec.source.filters_lists", "any", "list first last reverse sort unique batch"),
    *_filters("treec.source.filters_lists", "any", "groupby min max map select reject selectattr"),
    *_filters("treec.source.filters_lists", "any", "rejectattr items dictsort"),
    *_filters("treec.source.filters_lists", "integer", "length"),
    *_filters("treec.source.filters_lists", "number", "sum"),
    *_filters("treec.source.filters_lists", "text", "join listed"),
    *_filters("treec.source.filters_text", "text", "string upper lower capitalize title gerund"),
    *_filters("treec.source.filters_text", "text", "trim replace indent wordwrap tojson"),
    Filter("d", "treec.source.builtins:default_filter"),
    Filter("count", "treec.source.filters_lists:length_filter", "integer"),
)
"""Filters of expressions and templates. What those give that are ``any`` depends on their value."""

_TESTS = (
    "defined undefined none true false boolean number text mapping sequence even odd divisibleby "
    "in eq ne lt le gt ge"
)
_ALIASES = {
    "string": "text",
    "list": "sequence",
    "equalto": "eq",
    "lessthan": "lt",
    "greaterthan": "gt",
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
}
TESTS = {name: f"treec.source.builtins:{name}_test" for name in _TESTS.split()}
TESTS |= {alias: TESTS[name] for alias, name in _ALIASES.items()}
TESTS |= {name: f"treec.team.functions:is_{name}" for name in ("ready", "finished")}
"""Tests of expressions, by Jinja's names, and those of subtasks."""


CORE = Extension(
    name="treec",
    kinds=(
        _kind("system", "systems:SystemFile", 10),
        _kind("tree", "tree:TreeFile", 20, behaviour=3),
        _kind("hearing", "hearing:HearingFile", 55),
        _kind("recipe", "tasks:RecipeFile", 80, graph="treec.files.recipe_graph:entry_digraph"),
        _kind("task", "tasks:TaskFile", 90),
        _kind("skill", "tasks:SkillFile", 100),
        _kind("domain", "places:DomainFile", 110),
        _kind("scene", "places:SceneFile", 120),
        _kind("agent", "places:AgentFile", 130),
        _kind("contract", "systems:ContractFile", 150),
        _kind("scenario", "systems:ScenarioFile", 160),
    ),
    nodes=NODES,
    rules=("treec.check",),
    events=(
        "treec.world.events",
        "treec.team.events",
        "treec.nodes.events",
        "treec.run.events",
    ),
    slots=(
        StateSlot("agents", "treec.team.state:AgentState"),
        StateSlot("subtasks", "treec.team.state:SubtaskState"),
        StateSlot("proposals", "treec.team.state:ProposalState"),
        StateSlot("utterances", "treec.team.state:UtteranceState"),
        StateSlot("acts", "treec.team.state:ActState", empty=()),
        StateSlot("recipe", empty=""),
        StateSlot("recipe_t", empty=0.0),
        StateSlot("counts"),
    ),
    names=NAMES,
    functions=FUNCTIONS,
    filters=FILTERS,
    records={"Suggestion": {"agent": "Agent", "subtask": "Subtask"}},
    tests=TESTS,
    actions={"set_recipe": "treec.team.actions:set_recipe"},
    commands={
        "check": Command("treec.cli.check:command", "Check all files of a library.", "Core"),
        "explain": Command(
            "treec.cli.explain:command",
            "Explain a rule, a trial, or a word of the files.",
            "Core",
        ),
        "run": Command("treec.cli.run_system:command", "Run a system or a tree.", "Core"),
        "stop": Command(
            "treec.cli.stop:command", "Stop the runs of a library, from another terminal.", "Core"
        ),
        "render": Command(
            "treec.cli.render:command",
            "Draw a tree, a system's decisions, a recipe or a task graph.",
            "Core",
        ),
        "report": Command("treec.cli.report:command", "Write an HTML report of a run.", "Core"),
        "replay": Command("treec.cli.replay:command", "Replay a run from its journal.", "Core"),
        "journal": Command("", "List runs; verify and salvage their journals.", "Core"),
        "journal list": "treec.cli.journal:list_runs",
        "journal verify": "treec.cli.journal:verify",
        "journal salvage": "treec.cli.journal:salvage",
        "schema": Command(
            "treec.cli.schema:command", "Write JSON Schemas for editors, or print one.", "Core"
        ),
        "init": Command("treec.cli.init:command", "Create a new library from a template.", "Core"),
        "packs": Command(
            "treec.cli.packs:command", "List installed packs and what they contain.", "Core"
        ),
    },
)
