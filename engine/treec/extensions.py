"""Extensions: what a package adds to treec, and the registry of all that are installed.

A package declares one :class:`Extension` and names it in its ``pyproject.toml``::

    [project.entry-points."treec.extensions"]
    warehouse = "warehouse.extension:EXTENSION"

treec's own parts are declared in the same way, in ``treec.core``. Code is named by strings
``package.module:name``, imported on first use: loading an extension imports only the module that
declares it, which should import nothing but this one.

An extension that cannot be used (its import fails, it is no Extension, one of its names is taken)
is left out as a whole, and :attr:`Registry.problems` names the package. docs/extending.md has an
example of each field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from treec.foreign import BadReport, ForeignError, guard, import_foreign, is_foreign, kind_of
from treec.frozen import frozen
from treec.installed import EntryPoint, entry_points
from treec.requirements import EXTENSIONS, missing_package

if TYPE_CHECKING:
    from importlib.metadata import Distribution as StandardDistribution

    from treec.installed import Distribution

_TARGET = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
_NAME = re.compile(r"[^\W\d]\w*")
_FORMS = {
    "commands": re.compile(r"[a-z][\w-]*( [a-z][\w-]*)?"),
    "tests": re.compile(r"[^\W\d]\w*|[=!<>]=|[<>]"),
}
"""Forms of names that are not plain ones: commands may have two words, tests be operators."""


@frozen
class Kind:
    """A kind of file: ``NAME.KIND.yaml``, whose first key is the kind.

    ``model`` is a subclass of ``treec.files.fields.Model`` with a field of the kind's name.
    """

    name: str
    model: str
    behaviour: int = 0
    """If above 0, options of decisions may name it. All behaviours share one namespace; of two with
    the same name, the one with the lower number is meant."""
    scene: bool = False
    """It belongs to systems with the scene that its key ``scene`` names."""
    single: bool = False
    """Runs use one file of it (`View.used`): the one that their system chooses, else the first. A
    library's own comes before those of packs."""
    done: str = ""
    """For kinds that describe tasks for ``--task``, with the keys ``task`` (the instruction) and
    ``starts`` (facts): an expression that is true when the task is done, which ends the run."""
    failed: str = ""
    """An expression that is true when the task has failed."""
    order: int = 1000
    """Its position in pages and schemas."""
    was: str = ""
    """A former kind whose files are of this kind now; `treec check --fix` converts those."""
    asks: str = ""
    """The class of its nodes, if they ask: a subclass of ``treec_asking.asking.AskingNode``."""
    graph: str = ""
    """``function(library, entry)`` that gives its task graph as a ``networkx.DiGraph``."""
    skeleton: str = ""
    """``function(view, name)`` that gives the text of a new file for ``treec new``; it raises
    ``treec.files.skeletons.NoSkeleton`` if the library lacks something that the text must name."""


@frozen
class PlanForm:
    """What files of the kind `plan` may ask a model for: the value of their key `answers`.

    ``model`` is a subclass of ``treec.files.prompts.PlanFile`` whose `answers` has this value.
    """

    name: str
    model: str
    asks: str
    """The class of its nodes: a subclass of ``treec_asking.asking.AskingLeaf``."""
    order: int = 1000
    """Its position in pages and schemas."""
    was: str = ""
    """The kind of file that it was before `plan` had forms; `treec check --fix` converts those."""
    by_command: bool = False
    """Whether a command asks for it, and no node of a tree."""


class FormerKind(NamedTuple):
    """What files of a former kind are now: a kind, and the form of a plan."""

    kind: str
    form: str = ""


@frozen
class Filter:
    """A filter of expressions and templates: ``call(value, *args)``, written ``value | name``.

    It bounds its own work; one whose first parameter is called ``frame`` is given the
    ``treec.source.frame.ClosureFrame``, whose budget it charges.
    """

    name: str
    call: str
    returns: str = "any"


@frozen
class Function:
    """A function of expressions, called as ``call(team, *args)``."""

    name: str
    call: str
    args: tuple[str, ...]
    returns: str
    about: str
    optional: int = 0
    classes: tuple[str, ...] = ()
    """Arguments that are names of types of the domain: a text that is none is reported."""


@frozen
class Name:
    """A name of expressions with the value ``get(team)``.

    ``values`` are all texts that a name of type text can have: no other one is ever equal to it.
    """

    name: str
    get: str
    type: str
    about: str
    values: Sequence[str] = ()


@frozen
class NeedProvider:
    """What a skill's `needs:` may call: ``needs: {pose: localize(item)}``.

    ``open`` names ``function(setup: treec.nodes.needs.NeedSetup) -> treec.nodes.needs.Needs``. It
    is called once in a run that uses the provider.

    It is asked in runs with `--see`. With ``offered_by``, the name of an attribute of environments,
    it is asked in every run, where that attribute has the call's first argument.
    """

    name: str
    open: str
    args: tuple[str, ...]
    about: str
    offered_by: str = ""
    key: str = ""
    """The key under which skills' workers usually read it; `treec check` tells slips of it."""


@frozen
class Rules:
    """A module with one rule, or a package whose modules ``tcNNN_…`` are rules."""

    module: str
    kinds: tuple[str, ...] = ()
    """The kinds of files, nodes of trees, and keys of domains, scenes, scenarios, agents and skills
    that they judge: without one in a library, they are not imported. Empty: all."""


@frozen
class Command:
    """A command and how ``treec --help`` lists it, which imports none of the commands' code.

    Declared by its code alone, a command is listed under its extension's name, with the first
    sentence of the code's docstring: its code is then imported for the list.
    """

    call: str = ""
    """Its code; empty for a group, whose commands are declared as ``group command``."""
    summary: str = ""
    """The first sentence of its code's docstring, or what a group is for."""
    heading: str = ""
    """Under which it is listed: ``Core``, ``Models``, ``Robots``, ``Experiments`` or another."""


@frozen
class StateSlot:
    """A slot of a run's state, which events change: ``state[name]``.

    ``empty`` is its initial value, by default an empty table. ``items`` is a frozen dataclass: the
    slot is a table of them (name → item) or, if ``empty`` is a tuple, a sequence; cases and
    snapshots store and load it. A slot without ``items`` is a text, a number or a mapping.
    """

    name: str
    items: str = ""
    empty: Mapping[str, object] | tuple[object, ...] | str | float = field(
        default_factory=lambda: MappingProxyType({})
    )


@frozen
class StatementKind:
    """Something that a model may say: it gives the fields as data, and treec says it in words.

    ``holds`` is a function of the :class:`treec_asking.statements.Statement` and the
    :class:`treec_asking.statements.Outlook`: whether it is so, or a mapping of further values for
    the words; none is no. ``says`` is a template of the fields, these values and `total`; a
    system's sentence ``claim_NAME`` replaces it. ``about`` tells a model what it is for.
    """

    name: str
    holds: str
    says: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    """Further fields, of ``treec_asking.statements.FIELDS``."""
    about: str = ""
    possible: bool = False
    """Its subtask may be one that could be added."""
    of: str = ""
    """A type that a library must have: without it a model is not told of this kind."""

    @property
    def signature(self) -> str:
        """The name with its fields, for prompts: ``done(subtask, agent?)``."""
        return f"{self.name}({', '.join((*self.needs, *(f'{name}?' for name in self.may)))})"


@frozen(eq=False)
class Extension:
    """Everything that a package adds to treec."""

    name: str
    kinds: Sequence[Kind] = ()
    plans: Sequence[PlanForm] = ()
    rules: Sequence[str | Rules] = ()
    """Modules with one rule each, or packages whose modules ``tcNNN_…`` are the rules."""
    pages: Sequence[str] = ()
    """Modules with rules about texts other than library files, for ``treec explain``."""
    events: Sequence[str] = ()
    """Modules that declare journal events; see ``treec.world.events``."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """Classes of nodes that ask, by the kind of file, in place of those that the kinds name."""
    nodes: Mapping[str, str] = field(default_factory=dict)
    """Node types of tree files: key → a ``treec.files.node_spec.NodeSpec``."""
    node_classes: Mapping[str, str] = field(default_factory=dict)
    """The same, with a py_trees class whose attribute ``ports`` is read without importing it."""
    slots: Sequence[StateSlot] = ()
    functions: Sequence[Function] = ()
    names: Sequence[Name] = ()
    filters: Sequence[Filter] = ()
    providers: Sequence[NeedProvider] = ()
    """What `needs:` of skills may call."""
    records: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Types of mappings that functions and names give: the types of their keys."""
    tests: Mapping[str, str] = field(default_factory=dict)
    """``function(value, *args) -> bool``, written ``value is name``; ``frame`` as in a filter."""
    actions: Mapping[str, str] = field(default_factory=dict)
    """High-level actions: typed functions ``function(team, …)`` that return events."""
    statements: Sequence[StatementKind] = ()
    """What models may say beside what every domain has."""
    sensors: Mapping[str, str] = field(default_factory=dict)
    """Names for ``sensed:`` of facts, in place of ``package.module:name``."""
    answerers: Mapping[str, str] = field(default_factory=dict)
    """Names for ``parser:`` of readings, in place of ``package.module:name``."""
    commands: Mapping[str, str | Command] = field(default_factory=dict)
    """Commands; ``group command`` adds one to a group such as ``evaluate``."""
    environments: Mapping[str, str] = field(default_factory=dict)
    """Factories of environments for ``runs_on`` of systems."""
    bindings: Mapping[str, str] = field(default_factory=dict)
    """Environments whose skills and facts files may describe by mappings: each a
    ``treec.files.bindings.Bindings``."""
    workers: Mapping[str, str] = field(default_factory=dict)
    """What makes the worker of any skill in an environment, beside those that `runs:` names."""
    models: Mapping[str, str] = field(default_factory=dict)
    """What opens the models of a provider, or of ``any``: ``function(choice, others)`` of a
    ``treec_asking.open_model.ModelChoice`` returns a ``treec.Transport``, or raises CannotAsk."""
    scorers: Mapping[str, str] = field(default_factory=dict)
    """What reads the network that a hearing file names, by the ending of its file:
    ``function(path)`` returns a ``treec_hearing.heard.ActScorer``. ``distilled`` reads those of
    `treec distil`: ``answer(state, questions)`` of what it returns is the typed answers."""
    films: Mapping[str, str] = field(default_factory=dict)
    """Functions that find the film that an environment recorded of a run."""
    monitors: Mapping[str, str] = field(default_factory=dict)
    """What shows a run to other programs: ``function(run, address)`` returns a context manager that
    does while it is entered, and whose text says where. It raises OSError and ValueError."""
    recordings: Mapping[str, str] = field(default_factory=dict)
    """What reads runs of other formats, by the ending of the file: ``function(path, on_torn)``
    yields its records, as `treec.world.journal.read_journal` does."""
    memories: Mapping[str, str] = field(default_factory=dict)
    """What opens the memories that files name: ``function(runtime)`` returns
    ``treec.nodes.pairs.Memories``."""
    tools: Mapping[str, str] = field(default_factory=dict)
    """What commands and the Python API call by name where a package brings it: `trials`, a
    ``treec.cli.trials.Trials``; `ask`, a ``treec.api.node_asker.NodeAsker``; `talk_moment`, a
    function of a view, a reading and an example's `given`; `screen`, `chat` and `voice`, displays
    of `treec run`; `stepper` and `debugger`, which hold it; `reload`,
    which follows edits of its files; `film`, a
    ``treec.cli.report.FilmReader``."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """Formats of `treec render -o FILE`, by the ending of the file: ``function(graph)`` gives the
    text of a ``treec.render.graph.DrawnGraph``."""
    drawings: Mapping[str, str] = field(default_factory=dict)
    """Drawings of other YAML files for `treec render FILE`: ``function(path) -> DrawnGraph``, which
    raises ``treec.render.graph.CannotDraw`` for files that it does not know."""
    reports: Mapping[str, str] = field(default_factory=dict)
    """Parts of a run's report: ``function(timeline)`` yields ``treec.render.page.PagePart``."""

    def __post_init__(self) -> None:
        """Validate all values. Raises TypeError or ValueError."""
        _must(self.name, _NAME, "an extension's name")
        for one, table in (
            (Kind, self.kinds),
            (PlanForm, self.plans),
            (Function, self.functions),
            (Name, self.names),
            (StateSlot, self.slots),
            (Filter, self.filters),
            (NeedProvider, self.providers),
            (StatementKind, self.statements),
        ):
            for item in table:
                if not isinstance(item, one):
                    raise TypeError(f"a {one.__name__} is expected, not {item!r}")
                _must(item.name, _NAME, f"the name of a {one.__name__}")
        for kind in self.kinds:
            _must(kind.model, _TARGET, f"the model of the kind '{kind.name}'")
            if kind.asks:
                _must(kind.asks, _TARGET, f"the nodes of the kind '{kind.name}'")
            if kind.graph:
                _must(kind.graph, _TARGET, f"the graph of the kind '{kind.name}'")
            if kind.skeleton:
                _must(kind.skeleton, _TARGET, f"the skeleton of the kind '{kind.name}'")
        for module in self.modules():
            _must(module, _MODULE, "a module")
        for record, keys in self.records.items():
            for name in (record, *keys):
                _must(name, _NAME, f"a name in the record '{record}'")
            if not all(isinstance(text, str) for text in keys.values()):
                raise TypeError(f"the types in the record '{record}' are texts")
        for name in MAPPINGS:
            for key, target in getattr(self, name).items():
                _must(key, _FORMS.get(name, _NAME), f"a name in '{name}'")
                if isinstance(target, Command) and not (target.call or target.summary):
                    raise ValueError(f"'{key}' in '{name}' has neither code nor a summary")
            for key, target in self._code(name):
                _must(target, _TARGET, f"'{key}' in '{name}'")
        for target in self.targets():
            _must(target, _TARGET, "code")

    def modules(self) -> Iterator[str]:
        """All modules and packages in it."""
        yield from (one.module if isinstance(one, Rules) else one for one in self.rules)
        yield from (*self.pages, *self.events)

    def targets(self) -> Iterator[str]:
        """All ``package.module:name`` in it."""
        for kind in self.kinds:
            yield from filter(None, (kind.model, kind.asks, kind.graph, kind.skeleton))
        for form in self.plans:
            yield from (form.model, form.asks)
        for function in self.functions:
            yield function.call
        for name in self.names:
            yield name.get
        for one in self.filters:
            yield one.call
        for provider in self.providers:
            yield provider.open
        for statement in self.statements:
            yield statement.holds
        for slot in self.slots:
            if slot.items:
                yield slot.items
        for table in MAPPINGS:
            yield from (target for _, target in self._code(table))

    def _code(self, table: str) -> Iterator[tuple[str, str]]:
        """The names of a table and their code; groups of commands have none."""
        for name, item in getattr(self, table).items():
            if not isinstance(item, Command):
                yield name, item
            elif item.call:
                yield name, item.call


MAPPINGS = (
    "asks",
    "nodes",
    "node_classes",
    "tests",
    "actions",
    "sensors",
    "answerers",
    "commands",
    "environments",
    "bindings",
    "workers",
    "models",
    "scorers",
    "films",
    "monitors",
    "recordings",
    "memories",
    "tools",
    "pictures",
    "drawings",
    "reports",
)
"""The fields that map names to code."""

_SPACES = {
    "kinds": "kind of file",
    "plans": "form of plan",
    "slots": "state slot",
    "functions": "function",
    "names": "name",
    "filters": "filter",
    "providers": "provider",
    "statements": "kind of statement",
}
"""The fields that are lists of named items, and the word for an item in messages."""

_CLAIMS = {"node_classes": "node", "memories": "memory"}
"""The same of mappings, where it is not their name without its s."""


def _must(value: object, pattern: re.Pattern[str], what: str) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{what} is text, not {value!r}")
    if not pattern.fullmatch(value):
        form = "package.module:name" if pattern is _TARGET else "a plain name"
        raise ValueError(f"{what} must be {form}, not '{value}'")


SYNTAX = ("range", "age", "source", "sensor", "uncertainty", "doubted")
"""Functions that belong to the language of expressions; no extension can declare them."""


class ExtensionError(Exception):
    """An extension that cannot be used; the message names the package.

    ``target`` is the code that cannot be used.
    """

    def __init__(self, message: str, target: str = "") -> None:
        super().__init__(message)
        self.target = target


@frozen(slots=False)
class Source:
    """Origin of an extension: the entry point's name, and the package that is installed with it.

    What the package says of itself is read on first use: that takes longer than loading it.
    """

    name: str
    distribution: Distribution | StandardDistribution | None = None

    @cached_property
    def package(self) -> str:
        """The package's name; empty without one."""
        return "" if self.distribution is None else self.distribution.name

    @cached_property
    def version(self) -> str:
        """The package's version; empty without one."""
        return "" if self.distribution is None else self.distribution.version

    def __str__(self) -> str:
        if self.name == "treec":
            return "treec itself"
        where = f" of the package '{self.package} {self.version}'" if self.package else ""
        return f"the extension '{self.name}'{where}"


T = TypeVar("T")
Declared = TypeVar(
    "Declared", Kind, PlanForm, Function, Name, StateSlot, Filter, NeedProvider, StatementKind
)


class _Merged(cached_property[dict[str, str]]):
    """The mappings that all extensions have in the field of this name, as one."""

    def __init__(self) -> None:
        super().__init__(lambda registry: registry.merge(str(self.attrname)))


class Registry:
    """Everything that the extensions declare; names are unique in each table.

    What the tables mean is said where :class:`Extension` declares them.
    """

    nodes = _Merged()
    node_classes = _Merged()
    tests = _Merged()
    actions = _Merged()
    sensors = _Merged()
    answerers = _Merged()
    environments = _Merged()
    bindings = _Merged()
    workers = _Merged()
    models = _Merged()
    scorers = _Merged()
    films = _Merged()
    monitors = _Merged()
    recordings = _Merged()
    memories = _Merged()
    tools = _Merged()
    pictures = _Merged()
    drawings = _Merged()
    reports = _Merged()

    def __init__(self, extensions: Iterable[tuple[Source, Extension]]) -> None:
        self.problems: list[ExtensionError] = []
        """Extensions and code that could not be used, as found so far."""
        self.extensions: list[tuple[Source, Extension]] = []
        self._owners: dict[str, Source] = {}
        taken = {("function", name): Source("treec") for name in SYNTAX}
        for source, extension in extensions:
            names = [(space, name) for space, name in _claims(extension)]
            clash = next((claim for claim in names if claim in taken), None)
            if clash is None:
                clash = next((claim for claim in names if names.count(claim) > 1), None)
            if clash is not None:
                other = taken.get(clash, source)
                what = f"the {clash[0]} '{clash[1]}' is already declared by {other}"
                code = next(iter((*extension.targets(), *extension.modules())), "")
                self.problem(ExtensionError(f"{source}: {what}", code))
                continue
            taken.update(dict.fromkeys(names, source))
            self.extensions.append((source, extension))
            for target in (*extension.targets(), *extension.modules()):
                self._owners.setdefault(target, source)

    def problem(self, error: ExtensionError) -> None:
        """Add a problem, unless it is known."""
        if str(error) not in map(str, self.problems):
            self.problems.append(error)

    def _by_name(self, field_name: str) -> dict[str, Declared]:
        return {
            item.name: item
            for _, extension in self.extensions
            for item in getattr(extension, field_name)
        }

    def merge(self, field_name: str) -> dict[str, str]:
        """The mappings that all extensions have in a field, as one."""
        found: dict[str, str] = {}
        for _, extension in self.extensions:
            found.update(getattr(extension, field_name))
        return found

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """Kinds of files, in the order of pages and schemas."""
        found: dict[str, Kind] = self._by_name("kinds")
        for name, target in self.merge("asks").items():
            if name in found:  # its package may be missing
                found[name] = replace(found[name], asks=target)
        return dict(sorted(found.items(), key=lambda item: item[1].order))

    @cached_property
    def records(self) -> dict[str, dict[str, str]]:
        """The keys of mappings that functions and names give, and their types."""
        return {
            name: dict(keys)
            for _, extension in self.extensions
            for name, keys in extension.records.items()
        }

    @cached_property
    def plans(self) -> dict[str, PlanForm]:
        """What files `plan` may ask for, in the order of pages and schemas."""
        found: dict[str, PlanForm] = self._by_name("plans")
        return dict(sorted(found.items(), key=lambda item: item[1].order))

    @cached_property
    def former_kinds(self) -> dict[str, FormerKind]:
        """Kinds of files that are of another kind now, or a form of `plan`."""
        kinds = {kind.was: FormerKind(kind.name) for kind in self.kinds.values() if kind.was}
        forms = self.plans.values()
        return kinds | {form.was: FormerKind("plan", form.name) for form in forms if form.was}

    @cached_property
    def functions(self) -> dict[str, Function]:
        """Functions of expressions."""
        return self._by_name("functions")

    @cached_property
    def slots(self) -> dict[str, StateSlot]:
        """Slots of a run's state."""
        return self._by_name("slots")

    @cached_property
    def names(self) -> dict[str, Name]:
        """Names in expressions."""
        return self._by_name("names")

    @cached_property
    def filters(self) -> dict[str, Filter]:
        """Filters by name."""
        return self._by_name("filters")

    @cached_property
    def providers(self) -> dict[str, NeedProvider]:
        """What `needs:` of skills may call."""
        return self._by_name("providers")

    @cached_property
    def statements(self) -> dict[str, StatementKind]:
        """What models may say, by kind."""
        return self._by_name("statements")

    @cached_property
    def commands(self) -> dict[str, Command]:
        """Commands by their words: ``check``, ``evaluate skills``."""
        found = {}
        for _, extension in self.extensions:
            for words, one in extension.commands.items():
                command = one if isinstance(one, Command) else Command(one)
                heading = command.heading or extension.name
                found[words] = replace(command, heading=heading)
        return found

    @cached_property
    def rules(self) -> tuple[Rules, ...]:
        """Modules and packages of rules."""
        listed = [rules for _, extension in self.extensions for rules in extension.rules]
        return tuple(one if isinstance(one, Rules) else Rules(one) for one in listed)

    @cached_property
    def events(self) -> tuple[str, ...]:
        """Modules that declare events."""
        return tuple(module for _, extension in self.extensions for module in extension.events)

    @cached_property
    def pages(self) -> tuple[str, ...]:
        """Modules of rules about other texts than a library's files."""
        return tuple(page for _, extension in self.extensions for page in extension.pages)

    def target(self, table: Literal["sensors", "answerers"], value: str) -> str:
        """The code that a file names, directly or by a name of an extension."""
        found = self.sensors if table == "sensors" else self.answerers
        return value if ":" in value else found.get(value, value)

    def owner(self, target: str) -> Source:
        """The extension that declares this code."""
        return self._owners.get(target) or Source(target)

    def load(self, target: str, within: str = "") -> object:
        """Import a module or the object at ``package.module:name``.

        ``within`` is the declared package that a module is part of. Raises ExtensionError from
        whatever the import raised.
        """
        owner = self.owner(within or target)
        try:
            return import_foreign(target)
        except ForeignError as error:
            what = _why(error, target.partition(":")[0])
            raise ExtensionError(f"{owner}: {target}: {what}", target) from error.__cause__

    def call(self, target: str, function: Callable[[], T], *passing: type[Exception]) -> T:
        """Call what an extension declares as ``target``, or a module of it.

        Raises ExtensionError from whatever it raises but ``passing``.
        """
        module = target.partition(":")[0]
        if not is_foreign(module):
            return function()
        try:
            with guard(module, *passing):
                return function()
        except ForeignError as error:
            raise ExtensionError(f"{self.owner(target)}: {target}: {error}", target) from error


def _claims(extension: Extension) -> Iterator[tuple[str, str]]:
    for table in _SPACES:
        for item in getattr(extension, table):
            yield _SPACES[table], item.name
    yield from (("record", name) for name in extension.records)
    for table in MAPPINGS:
        for name in getattr(extension, table):
            yield _CLAIMS.get(table, table.removesuffix("s")), name


_registry: Registry | None = None
_caches: list[Callable[[], None]] = []


def depends_on_extensions(cache_clear: Callable[[], None]) -> None:
    """Register a cache to clear when :func:`using` replaces the registry."""
    _caches.append(cache_clear)


def registry() -> Registry:
    """The registry of all installed extensions, loaded once."""
    global _registry
    if _registry is None:
        found = [(Source("treec"), _core())]
        problems = []
        for point in entry_points(EXTENSIONS):
            try:
                found.append(_extension(point))
            except ExtensionError as error:
                problems.append(error)
        _registry = Registry(found)
        for problem in problems:
            _registry.problem(problem)
    return _registry


def _core() -> Extension:
    """treec's own extension, imported late because it imports this module."""
    found = import_module("treec.core").CORE
    assert isinstance(found, Extension)
    return found


def _extension(point: EntryPoint) -> tuple[Source, Extension]:
    """The extension that an entry point names. Raises ExtensionError."""
    source = Source(point.name, point.dist)
    try:
        found = import_foreign(f"{point.module}:{point.attr}" if point.attr else point.module)
        with guard(point.module):
            if not isinstance(found, Extension):
                raise BadReport(f"not an Extension but {kind_of(found)}")
            return source, _copy(found)
    except BadReport as error:
        raise ExtensionError(f"{source}: {point.value} is {error}", point.module) from None
    except ForeignError as error:
        what = _why(error, point.module)
        raise ExtensionError(f"{source}: {point.value}: {what}", point.module) from error.__cause__


def _copy(found: Extension) -> Extension:
    """An extension with plain tables in place of what may be anybody's."""
    copy = object.__new__(Extension)
    for field_name in (one.name for one in fields(Extension)):
        value = getattr(found, field_name)
        if isinstance(value, Mapping):
            value = dict(value)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            value = tuple(value)
        object.__setattr__(copy, field_name, value)
    if type(found) is not Extension:
        Extension.__post_init__(copy)
    return copy


def _why(error: ForeignError, module: str) -> str:
    """Why foreign code cannot be used: a missing package by its name, else what was raised."""
    cause = error.__cause__
    if isinstance(cause, SyntaxError) and cause.text is not None:
        line, column = cause.lineno or 1, cause.offset or 1
        margin = " " * len(str(line))
        caret = f"{margin} | {' ' * (column - 1)}^"
        excerpt = f"{margin} |\n{line} | {cause.text.rstrip()}\n{caret}"
        return f"it is not Python: {cause.msg} ({cause.filename}:{line}:{column})\n{excerpt}"
    return (missing_package(cause, module) if cause is not None else None) or str(error)
