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
    StatementKind,
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


def _kind(
    name: str,
    model: str,
    order: int,
    *,
    behaviour: int = 0,
    asks: str = "",
    graph: str = "",
    was: str = "",
) -> Kind:
    return Kind(
        name,
        f"treec.files.{model}",
        behaviour=behaviour,
        order=order,
        was=was,
        asks=asks and f"treec.nodes.{asks}",
        graph=graph,
    )


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
    _function("mentioned", "words", "list of text", "The agents and things named in words."),
    _function("tasks_named", "words", "list of Task", "The tasks whose name or verb is in words."),
    _function(
        "answer",
        "words",
        "text",
        "What the state answers to a question about the work, or to a greeting; '' if nothing.",
    ),
    _function(
        "not_understood",
        "words",
        "text",
        "What of words is not known, as a sentence: 'There is no kettle here.'",
    ),
    _function(
        "unknown_agents",
        "words",
        "list of text",
        "Names in words such as an agent may have, and none has: 'stop R3'.",
    ),
    _function(
        "unknown_things",
        "words",
        "list of text",
        "Objects of the words' requests that are not names of things: 'get the juice'.",
    ),
    _function(
        "unnamed_things",
        "words",
        "list of text",
        "Words for things where none is named that something is to be done with: 'get the items'.",
    ),
    _function(
        "nearest_thing", "name", "text", "The thing with the nearest name; '' if none is near."
    ),
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

_IS = "{{ 'You are' if agent.person else agent ~ ' is' }}"
_HAS = "{{ 'You have' if agent.person else agent ~ ' has' }}"
_YOU = "{{ 'You' if agent.person else agent }}"
_FOR = "{{ 'For you' if agent.person else 'For ' ~ agent }}"
_WORDS = ": {{ subtask.words }}."
_NOW = "{{ items }}."
_WHY_NOT = (
    "{% if before %}first {{ before }}{% elif not able %}nobody here can do that"
    "{% elif failed %}it did not work{{ ': ' ~ subtask.told if subtask.told }}"
    "{% elif stopped %}{{ stopped }} was stopped{% else %}somebody must be told to{% endif %}."
)


def _claim(form: str, says: str, about: str = "", *, possible: bool = False) -> StatementKind:
    """A kind of statement, by its form: ``done(subtask, agent?)``."""
    name, _, rest = form.removesuffix(")").partition("(")
    fields = rest.split()
    needs = tuple(field for field in fields if not field.endswith("?"))
    may = tuple(field.removesuffix("?") for field in fields if field.endswith("?"))
    holds = f"treec.team.statement_checks:{name}"
    return StatementKind(name, holds, says, needs, may, about, possible)


STATEMENTS = (
    # one subtask
    _claim(
        "done(subtask agent?)",
        "Done{{ ' by ' ~ ('you' if agent.person else agent) if agent }}" + _WORDS,
    ),
    _claim("doing(agent subtask)", _IS + " {{ subtask.words | gerund }}."),
    _claim(
        "will(agent subtask)",
        _YOU + " will {{ subtask.words }}.",
        "the agent has it, now or before",
    ),
    _claim(
        "left(subtask agent?)",
        "{% if agent %}" + _FOR + " still{% else %}Still{% endif %} to do" + _WORDS,
    ),
    _claim(
        "after(subtask after)",
        "First {{ after.words }}, then {{ subtask.words }}.",
        "`after` comes first",
    ),
    _claim("ready(subtask)", "This can begin now" + _WORDS),
    _claim("nobody_at(subtask)", "Nobody is at this yet" + _WORDS),
    _claim("failed(subtask)", "This did not work" + _WORDS),
    _claim("dropped(subtask)", "This is dropped" + _WORDS),
    _claim(
        "proposed(agent subtask)",
        "My question is whether {{ 'you' if agent.person else agent }} should {{ subtask.words }}.",
    ),
    _claim("status(subtask)", _NOW, "how it stands"),
    _claim(
        "waits_for(subtask)",
        "First {{ before }}, then {{ subtask.words }}.",
        "says what comes before it",
    ),
    _claim(
        "why_not(subtask)",
        "{{ subtask.words }}: not now, " + _WHY_NOT,
        "says why it is not begun",
        possible=True,
    ),
    _claim("can(agent subtask)", _YOU + " can {{ subtask.words }}.", possible=True),
    _claim("cannot(agent subtask)", _YOU + " cannot {{ subtask.words }}.", possible=True),
    _claim(
        "who_can(subtask)",
        "{{ able or 'Nobody here' }} can {{ subtask.words }}.",
        "says who can do it",
        possible=True,
    ),
    # one agent
    _claim("idle(agent)", _HAS + " nothing to do."),
    _claim("stopped(agent)", "{{ agent }} was stopped, and waits for your word to go on."),
    _claim("not_stopped(agent)", "{{ agent }} was not stopped."),
    _claim("abilities(agent)", _NOW, "what it can do"),
    _claim("queue(agent)", _NOW, "what it does, and then in which order"),
    _claim(
        "did(agent)",
        "Done by {{ 'you' if agent.person else agent }}: {{ items }}.",
        "says what it has done",
    ),
    # all the work
    _claim("progress()", _NOW, "how much is done, and what is left"),
    _claim("everybody()", _NOW, "who is at what"),
    _claim("could_begin()", "This could begin: {{ items }}.", "says what nobody has yet"),
    _claim("waiting_for_yes()", "I am waiting for your answer: {{ items }}?", "says what it is"),
    _claim("all_done()", "Everything is done."),
    _claim("number_done(number)", "{{ number }} of {{ total }} are done."),
    _claim("number_left(number)", "{{ number }} of {{ total }} are still to be done."),
    _claim("nothing_chosen()", "Nothing is chosen yet."),
    # recipes
    _claim("recipe(name)", "The recipe is {{ name }}.", "it is the chosen one"),
    _claim("has_recipe(name)", "There is a recipe for {{ name }}."),
    _claim(
        "no_recipe(words)",
        'There is no recipe called "{{ words }}".',
        "`words`: the person's own for what they want",
    ),
    _claim("recipes()", "I know {{ count }} recipes: {{ items }}."),
    _claim("steps(name)", "{{ name }}: {{ items }}.", "says what there is to do for a recipe"),
    _claim("how_about(names)", "How about {{ choices }}?", "offers one to five recipes"),
    # facts
    _claim("where(thing)", _NOW, "where a thing or a robot is"),
    _claim("work_with(thing)", _NOW, "how the work with it stands"),
    _claim(
        "fact(fact names? value?)",
        "{{ told or fact_words }}.",
        "a fact of the things in `names`, or a name of the domain; `value`: if it is that",
    ),
    # questions and small talk, which claim nothing
    _claim("which(names)", "Which do you mean: {{ choices }}?", "two to five names"),
    _claim("who_should(subtask)", "Who should {{ subtask.words }}?", possible=True),
    _claim("go_on(agent)", "Shall {{ agent }} go on?"),
    _claim("tell_me(subtask)", "Tell me when this is done" + _WORDS, "a person has it"),
    _claim("what_next()", "What would you like to do?"),
    _claim("unclear()", "Sorry, I did not get that."),
    _claim("unknown()", "I do not know that."),
    _claim("unable()", "Sorry, I cannot do that."),
    _claim("hello()", "Hello!"),
    _claim("all_right()", "All right."),
    _claim("glad()", "Glad to hear it."),
    _claim("pity()", "That is a pity."),
    _claim("thanks()", "Thank you."),
    _claim("welcome()", "You are welcome."),
)
"""What models may say: what each needs and may have, how it is said, and what it is for."""

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
        _kind("decision", "prompts:DecisionFile", 30, behaviour=1, asks="decide:Decision"),
        _kind("action", "prompts:ActionFile", 40, behaviour=2, asks="act:Action"),
        _kind("reading", "prompts:ReadingFile", 50, behaviour=6, asks="read:Reading"),
        _kind("hearing", "hearing:HearingFile", 55),
        _kind("program", "prompts:ProgramFile", 60, behaviour=4, asks="program:Program"),
        _kind("plan", "prompts:PlanFile", 70, behaviour=5, asks="asking:AskingLeaf"),
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
    statements=STATEMENTS,
    functions=FUNCTIONS,
    filters=FILTERS,
    records={"Suggestion": {"agent": "Agent", "subtask": "Subtask"}},
    tests=TESTS,
    actions={
        name: f"treec.team.actions:{name}"
        for name in (
            "say",
            "set_recipe",
            "propose",
            "propose_drop",
            "assign",
            "mark_complete",
            "drop",
            "take_back",
            "interrupt",
            "resume",
            "no_op",
        )
    },
    commands={
        "check": Command("treec.cli.check:command", "Check all files of a library.", "Core"),
        "explain": Command(
            "treec.cli.explain:command", "Explain a rule or a trial of `treec check`.", "Core"
        ),
        "watch": Command(
            "treec.cli.watch:command",
            "Check a library now and after every save, until Ctrl-C.",
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
        "hear": Command(
            "treec.cli.hear:command", "Show what words are heard as, without a model.", "Models"
        ),
        "schema": Command(
            "treec.cli.schema:command", "Write JSON Schemas for editors, or print one.", "Core"
        ),
        "init": Command("treec.cli.init:command", "Create a new library from a template.", "Core"),
        "packs": Command(
            "treec.cli.packs:command", "List installed packs and what they contain.", "Core"
        ),
    },
)
