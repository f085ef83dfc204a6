"""What treec brings itself, declared as any package declares what it adds."""

from __future__ import annotations

from treec.extensions import Extension, Kind, NodeType, Slot


def _control(key: str, model: str, refers: str = "") -> NodeType:
    build = f"treec.compile.control:build_{key}"
    return NodeType(key, f"treec.files.nodes:{model}", build, refers=refers, waits=False)


def _leaf(key: str, model: str, refers: str = "", *, waits: bool = True) -> NodeType:
    build = f"treec.compile.leaves:build_{key}"
    return NodeType(key, f"treec.files.nodes:{model}", build, refers=refers, waits=waits)


NODES = (
    _control("sequence", "SequenceNode"),
    _control("selector", "SelectorNode"),
    _control("reactive_sequence", "ReactiveSequenceNode"),
    _control("reactive_selector", "ReactiveSelectorNode"),
    _control("sequence_with_memory", "SequenceWithMemoryNode"),
    _control("parallel", "ParallelNode"),
    _control("switch", "SwitchNode"),
    _control("if", "IfNode"),
    _control("for_each", "ForEachNode"),
    _control("tree", "TreeNode", "tree"),
    _leaf("ask", "AskNode", "decision"),
    _leaf("read", "ReadNode", "reading"),
    _leaf("do", "DoNode", "action"),
    _leaf("skill", "SkillNode", "skill"),
    _leaf("program", "ProgramNode", "program"),
    _leaf("recipe", "RecipeNode", "recipe"),
    _leaf("check", "CheckNode", waits=False),
    _leaf("set", "SetNode", waits=False),
    _leaf("wait", "WaitNode"),
    _leaf("take", "TakeNode"),
    _leaf("report", "ReportNode", waits=False),
    _leaf("on_change", "OnChangeNode"),
    _leaf("log", "LogNode", waits=False),
    _leaf("probe", "ProbeNode"),
)
"""Nodes of tree files, in the order in which pages list them."""

CORE = Extension(
    name="treec",
    kinds=(
        Kind("system", "treec.files.systems:SystemFile", order=10),
        Kind("tree", "treec.files.tree:TreeFile", behaviour=3, order=20),
        Kind(
            "decision",
            "treec.files.prompts:DecisionFile",
            behaviour=1,
            order=30,
            asks="treec.nodes.decide:Decision",
        ),
        Kind(
            "action",
            "treec.files.prompts:ActionFile",
            behaviour=2,
            order=40,
            asks="treec.nodes.act:Action",
        ),
        Kind(
            "reading",
            "treec.files.prompts:ReadingFile",
            behaviour=6,
            order=50,
            asks="treec.nodes.read:Reading",
        ),
        Kind(
            "program",
            "treec.files.prompts:ProgramFile",
            behaviour=4,
            order=60,
            asks="treec.nodes.program:Program",
        ),
        Kind(
            "recipe",
            "treec.files.tasks:RecipeFile",
            order=80,
            graph="treec.plan.digraph:entry_digraph",
        ),
        Kind("task", "treec.files.tasks:TaskFile", order=90),
        Kind("skill", "treec.files.tasks:SkillFile", order=100),
        Kind("domain", "treec.files.places:DomainFile", order=110),
        Kind("scene", "treec.files.places:SceneFile", order=120),
        Kind("agent", "treec.files.places:AgentFile", order=130),
        Kind("contract", "treec.files.systems:ContractFile", order=150),
        Kind("scenario", "treec.files.systems:ScenarioFile", order=160),
        Kind("case", "treec.files.cases:CaseFile", order=170),
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
        Slot("agents", "treec.team.stored:AgentState"),
        Slot("subtasks", "treec.team.stored:SubtaskState"),
        Slot("proposals", "treec.team.stored:ProposalState"),
        Slot("utterances", "treec.team.stored:UtteranceState"),
        Slot("acts", "treec.team.stored:ActState", empty=()),
        Slot("recipe", empty=""),
        Slot("recipe_t", empty=0.0),
        Slot("counts"),
    ),
    tests={"ready": "treec.team.names:is_ready", "finished": "treec.team.names:is_finished"},
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
            "interrupt",
            "resume",
            "no_op",
        )
    },
    commands={
        "check": "treec.cli.check:command",
        "explain": "treec.cli.explain:command",
        "run": "treec.cli.run_system:command",
        "trace": "treec.cli.trace:command",
        "render": "treec.cli.render:command",
        "report": "treec.cli.report:command",
        "replay": "treec.cli.replay:command",
        "snapshot": "treec.cli.snapshot:command",
        "case": "treec.cli.case:app",
        "ask": "treec.cli.ask:command",
        "compare": "treec.cli.compare:command",
        "recipe show": "treec.cli.recipe:show",
        "recipe check": "treec.cli.recipe:check",
        "recipe graph": "treec.cli.recipe:graph",
        "env": "treec.cli.env:app",
        "skill": "treec.cli.skill:app",
        "schema": "treec.cli.schema:command",
        "new": "treec.cli.new:command",
        "init": "treec.cli.init:command",
        "packs": "treec.cli.packs:command",
        "evaluate skills": "treec.cli.evaluate_skills:command",
        "fake-model": "treec.cli.fake_model:command",
    },
)
