"""The packages that are developed beside the core, what each brings, and how it is installed.

Where a file, or a command line, names something that only one of them brings and it is not
installed, messages name the package and the command that installs it. A package that is not
installed costs nothing: nothing here is imported, and what is asked is only whether a module is
there. ``tests/extensions/test_companions.py`` compares this table with what the packages declare.

Names that have moved to one of them since treec was a single package are here, too: `treec check`
reports the old ones, and `treec check --fix` corrects them.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from treec.frozen import frozen


@frozen
class Companion:
    """A package that is developed beside the core."""

    distribution: str
    extra: str
    """The extra of treec that installs it with all that it needs; empty: treec itself does."""
    modules: tuple[str, ...]
    packs: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    """What `needs:` of skills may call."""
    models: tuple[str, ...] = ()
    """The providers of models that it asks."""
    scorers: tuple[str, ...] = ()
    """Endings of networks of hearing files that it reads, and other scorers."""
    rules: tuple[str, ...] = ()
    """The codes of its rules."""
    commands: tuple[str, ...] = ()
    """The first words of its commands."""
    monitors: tuple[str, ...] = ()
    """What `--monitor` may name."""
    recordings: tuple[str, ...] = ()
    """Endings of the files of runs that it reads."""
    nodes: tuple[str, ...] = ()
    """Keys of its node types."""
    asks: tuple[str, ...] = ()
    """Kinds of files whose nodes are its own."""
    memories: tuple[str, ...] = ()
    """What its memories hold."""
    pictures: tuple[str, ...] = ()
    """Endings of the pictures that it writes."""
    tools: tuple[str, ...] = ()
    """What commands and the Python API of the core call by it."""
    templates: tuple[str, ...] = ()
    """Templates of `treec init`."""
    systems: tuple[str, ...] = ()
    """Systems of its packs."""
    is_guarded: bool = False
    """Whether its code is called as that of others is, in time: it talks to robots."""

    @property
    def is_installed(self) -> bool:
        """Whether its modules can be found."""
        return _is_found(self.modules[0])

    @property
    def install(self) -> str:
        """The command that installs it."""
        return f"pip install 'treec[{self.extra}]'" if self.extra else "pip install treec"

    @property
    def missing(self) -> str:
        """The help of messages about what it would bring."""
        return f"it is in the package {self.distribution}, which is not installed: {self.install}"


COMPANIONS = (
    Companion(
        "treec-kitchen",
        "kitchen",
        modules=(
            *("treec_kitchen", "treec_mosaic", "treec_dag_plan"),
            *("treec_helper", "treec_household", "treec_thor"),
        ),
        packs=("treec-kitchen",),
        kinds=("problem",),
        rules=("TC515", "TC516", "TC517", "TC528", "TC608", "TC609", "TC610", "TC613"),
        nodes=("plan",),
        environments=("household", "household_partial", "household_embodied", "thor"),
        commands=("plan", "program", "recipe", "thor"),
        templates=("dag_plan", "mosaic", "watched_arm"),
        systems=(
            *("dag_plan", "dag_plan_tp_d", "dag_plan_tp_s", "helper", "helper_household"),
            *("mosaic", "mosaic_lean", "mosaic_one_prompt"),
        ),
        tools=("recipe_plan", "recipe_words"),
    ),
    Companion(
        "treec-interchange",
        "interchange",
        modules=("treec_interchange",),
        nodes=("pipeline", "recovery", "round_robin"),
        monitors=("groot2", "otel"),
        recordings=("mcap",),
        commands=("export", "import"),
    ),
    Companion(
        "treec-fake-model", "models", modules=("treec_fake_model",), commands=("fake-model",)
    ),
    Companion(
        "treec-asking",
        "",
        modules=("treec_asking",),
        kinds=("action", "decision", "plan", "program", "reading"),
        rules=(
            *("TC206", "TC207", "TC401", "TC402", "TC403", "TC405"),
            *("TC408", "TC409", "TC410", "TC411", "TC412"),
        ),
        tools=("asker", "model", "rest"),
    ),
    Companion(
        "treec-hearing",
        "hear",
        modules=("treec_hearing",),
        asks=("reading",),
        rules=("TC419", "TC421"),
        scorers=("npz",),
        commands=("hear",),
    ),
    Companion(
        "treec-memory",
        "memory",
        modules=("treec_memory",),
        nodes=("remember",),
        memories=("pairs",),
        commands=("memory",),
    ),
    Companion(
        "treec-program",
        "programs",
        modules=("treec_program",),
        asks=("program",),
        rules=("TC417", "TC422"),
    ),
    Companion(
        "treec-models",
        "models",
        modules=("treec_models",),
        kinds=("judge",),
        rules=(
            *("TC406", "TC407", "TC413", "TC414", "TC415", "TC416", "TC418", "TC420"),
            *("TC881", "TC882", "TC883", "TC884"),
        ),
        nodes=("judge",),
        models=("any",),
        scorers=("distilled",),
        commands=("cost",),
    ),
    Companion(
        "treec-testing",
        "testing",
        modules=("treec_testing",),
        commands=(
            "ask",
            "case",
            "compare",
            "coverage",
            "distil",
            "skill",
            "snapshot",
            "trace",
        ),
        kinds=("case",),
        rules=("TC614",),
        tools=("ask", "talk_moment", "trials"),
    ),
    Companion(
        "treec-drawing",
        "drawing",
        modules=("treec_drawing",),
        pictures=("svg", "dot", "mmd", "html"),
    ),
    Companion(
        "treec-live",
        "live",
        modules=("treec_live",),
        tools=("chat", "debugger", "film", "reload", "screen", "stepper"),
    ),
    Companion(
        "treec-prove", "prove", modules=("treec_prove",), commands=("prove",), tools=("script",)
    ),
    Companion("treec-voice", "voice", modules=("treec_voice",), tools=("voice", "words_said")),
    Companion("treec-serve", "serve", modules=("treec_serve",), commands=("serve",)),
    Companion(
        "treec-editor",
        "lsp",
        modules=("treec_editor",),
        commands=("lsp", "mcp", "new", "rename", "watch"),
        tools=("reference",),
    ),
    Companion(
        "treec-sapien",
        "sapien",
        modules=("treec_sapien",),
        environments=("sapien",),
        kinds=("robot",),
        rules=("TC533", "TC801", "TC802", "TC803", "TC804", "TC805", "TC806"),
        commands=("env",),
    ),
    Companion(
        "treec-perception",
        "see",
        modules=("treec_perception",),
        kinds=("camera", "localizer", "descriptions", "pose_estimator"),
        providers=("localize", "describe"),
        rules=("TC851", "TC852", "TC853", "TC854"),
        commands=("camera", "perception", "pose", "see"),
    ),
    Companion(
        "treec-forecasting",
        "forecast",
        modules=("treec_forecasting",),
        kinds=("forecast", "forecaster"),
        providers=("forecast",),
        rules=("TC871", "TC872"),
        commands=("forecast",),
    ),
    Companion(
        "treec-learning",
        "learn",
        modules=("treec_learning",),
        kinds=("reward", "learning"),
        rules=("TC861", "TC862"),
        commands=("learn",),
    ),
    Companion(
        "treec-ros",
        "ros",
        modules=("treec_ros",),
        packs=("treec-ros",),
        kinds=("interfaces",),
        rules=("TC891", "TC892", "TC893"),
        environments=("ros", "remote"),
        monitors=("py_trees_ros",),
        commands=("ros",),
        is_guarded=True,
    ),
)

MOVED_MODULES = {
    "treec.envs.sapien": "treec_sapien",
    "treec.envs.bodies": "treec_sapien.bodies",
    "treec.envs.people": "treec_sapien.people",
    "treec.envs.dual_kitchen.physical": "treec_sapien.dual_kitchen",
    "treec.envs.household": "treec_household",
    "treec.envs.thor": "treec_thor",
    "treec.skills": "treec_sapien.skills",
    "treec.systems.mosaic": "treec_mosaic",
    "treec.systems.dag_plan": "treec_dag_plan",
    "treec.systems.helper": "treec_helper",
    "treec.perception": "treec_perception",
    "treec.forecasting": "treec_forecasting",
    "treec.learning": "treec_learning",
    "treec.memory": "treec_memory",
    **{f"treec.render.{name}": f"treec_drawing.{name}" for name in ("svg", "dot", "mermaid")},
    "treec.testing": "treec_testing",
    **{
        f"treec.program.{name}": f"treec_program.{name}"
        for name in ("api", "checker", "statements")
    },
    "treec.ask.recordings": "treec_testing.recordings.recording",
    "treec.ask.recordings_yaml": "treec_testing.recordings.yaml_text",
    "treec.ask.recording_folder": "treec_testing.recordings.folder",
    "treec.ask.recordings_transport": "treec_testing.recordings.transport",
    "treec.ask.fingerprint_difference": "treec_testing.recordings.difference",
    **{f"treec.ask.{name}": f"treec_models.{name}" for name in ("fingerprint", "redaction")},
    **{f"treec.plan.{name}": f"treec_mosaic.recipes.{name}" for name in ("findings", "link")},
    **{
        f"treec.ask.{name}": f"treec_asking.{name}"
        for name in ("answer_schema", "deadlines", "driver", "extract", "open_model")
    },
    **{
        f"treec.nodes.{name}": f"treec_asking.{name}"
        for name in (
            *("act", "ahead", "answer_names", "answerers", "asking", "commit", "decide"),
            *("override_policy", "program", "prompt", "recall"),
        )
    },
    **{
        f"treec.team.{name}": f"treec_asking.{name}"
        for name in (
            *("bind", "examples", "new_subtasks", "placement"),
            *("statements", "understood", "warrants"),
        )
    },
    "treec.files.distilled": "treec_asking.distilled",
    "treec.program.interpreter": "treec_asking.interpreter",
    **{f"treec.run.{name}": f"treec_asking.{name}" for name in ("model_choice", "rest")},
    "treec.source.marks": "treec_asking.marks",
    "treec.hearing.words": "treec.team.spoken_words",
    "treec.hearing": "treec_hearing",
    "treec.nodes.read": "treec_hearing.node",
    **{
        f"treec.team.{name}": f"treec_hearing.{name}"
        for name in ("answers", "statement_checks", "taken_back", "talk_context")
    },
    "treec.team.mentions": "treec_hearing.spoken_names",
    "treec.nodes.typed_acts": "treec_hearing.typed_acts",
    "treec.nodes.draft": "treec_kitchen.draft",
    "treec.run.coverage": "treec_testing.coverage",
    "treec.run.skill_trial": "treec_testing.skill_trial",
    "treec.decisions": "treec_testing.decisions",
}
"""Modules by the names that they had in the single package."""

MOVED_PARTS = {
    "treec/kitchen": "treec-kitchen/team_kitchen",
    "treec/kitchen/recipes": "treec-kitchen/recipes",
    **{
        f"treec/{part}": f"treec-kitchen/{part}"
        for part in (
            *("mosaic", "mosaic/one_prompt", "contracts", "dual_kitchen", "dag_plan"),
            *("dag_plan/stages", "household", "helper", "recipes/reader", "demos"),
        )
    },
}
"""Parts of packs by the names that they had in the single package."""


@cache
def _is_found(module: str) -> bool:
    return find_spec(module) is not None


def missing(table: str, name: str) -> Companion | None:
    """Return the package, not installed, that brings a name of a table, such as ``kinds``."""
    for one in COMPANIONS:
        if name in getattr(one, table) and not one.is_installed:
            return one
    return None


def missing_help(table: str, name: str) -> str | None:
    """Return the help of a message about a name that a package brings that is not installed."""
    one = missing(table, name)
    return None if one is None else one.missing


def moved_module(name: str) -> str | None:
    """Return a module's new name, if it was part of the single package."""
    for old, new in MOVED_MODULES.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None
