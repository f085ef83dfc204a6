"""The kinds of findings about a task graph: their rule, their words, what would be right.

``node`` is the node that a finding is about, ``edge`` a wrong edge as (first, then), ``missing`` an
edge that should be there; the other names are arguments.
"""

from __future__ import annotations

from treec.source.rules import Rule
from treec_dag_plan.arms import check_rules, read_rules
from treec_dag_plan.arms.model import NODE_TYPES
from treec_kitchen.graph_findings import FindingKind

KEYS = ("name", "arm_num", "edge", "type", "description")
"""The keys of a node."""


def _kind(name: str, rule: Rule | None, message: str, *helps: str) -> FindingKind:
    return FindingKind(name, rule, message, helps)


# A node's keys

NODE_TWICE = _kind(
    "node_twice",
    read_rules.NODE_TWICE,
    "'{key}' is {node}, which stands on line {line} already",
    "give each node a number of its own",
)
NO_MAPPING = _kind(
    "no_mapping",
    read_rules.NODE_KEY,
    f"{{node}} is a mapping of {', '.join(KEYS)}",
    "write each on a line of its own",
)
UNKNOWN_KEY = _kind(
    "unknown_key",
    read_rules.NODE_KEY,
    "unknown key '{key}' of a node",
    "did you mean '{near}'?",
    f"known here: {', '.join(KEYS)}",
)
MISSING_KEY = _kind("missing_key", read_rules.NODE_KEY, "{node} has no '{key}'", "add '{key}: …'")
NAME_NO_TEXT = _kind(
    "name_no_text",
    read_rules.NODE_KEY,
    "the 'name' of {node} is not text",
    "write a command with its objects in quotes",
)
TYPE_NO_TEXT = _kind("type_no_text", read_rules.NODE_KEY, "the 'type' of {node} is not text")
UNKNOWN_TYPE = _kind(
    "unknown_type",
    read_rules.NODE_TYPE,
    "unknown type of node '{type}'",
    "did you mean '{near}'?",
    f"one of: {', '.join(NODE_TYPES)}",
)
NO_ARM_COUNT = _kind(
    "no_arm_count",
    read_rules.NODE_KEY,
    "the 'arm_num' of {node} is not a number of arms",
    "write 1, or 2 for both arms",
)
END_WITH_ARMS = _kind(
    "end_with_arms",
    read_rules.NODE_KEY,
    "{node} is of type complete and needs no arm",
    "write arm_num: 0",
)
WITHOUT_ARMS = _kind(
    "without_arms",
    read_rules.NODE_KEY,
    "{node} is of type {type} and needs an arm",
    "write arm_num: 1; only the node of type complete has 0",
)
NAMES_NO_OBJECT = _kind(
    "names_no_object",
    read_rules.NODE_NAME,
    "{node} has no object in quotes",
    "write {right}",
    'write {command} "{object}"',
    "write it in quotes",
)
NAMES_NO_COMMAND = _kind(
    "names_no_command",
    read_rules.NODE_NAME,
    "{node} has no command",
    'put a command before it: grasp "{object}"',
)

# Edges

EDGE_TO_NOTHING = _kind(
    "edge_to_nothing",
    read_rules.EDGE,
    "unknown node '{target}', which {node} waits for",
    "did you mean {near}?",
    "an edge names a node of this graph",
)
EDGE_TO_ITSELF = _kind(
    "edge_to_itself", read_rules.EDGE, "{node} waits for itself", "remove this edge"
)
EDGE_TWICE = _kind(
    "edge_twice", read_rules.EDGE_TWICE, "{node} waits for {edge[0]} twice", "write it once"
)
EDGE_NO_NUMBER = _kind(
    "edge_no_number",
    read_rules.EDGE,
    "an edge of {node} is not the number of a node",
    "write edge: [1, 2]",
)
EDGES_NO_LIST = _kind(
    "edges_no_list", read_rules.NODE_KEY, "the 'edge' of {node} is not a list", "write edge: [1, 2]"
)
CYCLE = _kind(
    "cycle",
    read_rules.CYCLE,
    "nodes wait for each other in a circle: {cycle:8|, then }",
    "remove the edge that does not have to be",
)

# The node of type complete

NO_END = _kind(
    "no_end",
    check_rules.COMPLETE,
    "there is no node of type complete",
    "add one after this, with arm_num: 0 and the last sub-tasks as its edges",
)
SECOND_END = _kind(
    "second_end",
    check_rules.COMPLETE,
    "{node} is a second node of type complete",
    "{first} is one already: give that all the edges",
)
AFTER_END = _kind(
    "after_end",
    check_rules.COMPLETE,
    "{node} waits for {edge[0]}, with which the task is complete",
    "remove this edge",
)
_AWAIT = "write {missing[0]} among the edges of {missing[1]}, or of what needs it, or remove it"
UNCONNECTED = _kind(
    "unconnected",
    check_rules.LOOSE,
    "{node} is not connected with the rest of the graph",
    _AWAIT,
)
NOT_AWAITED = _kind("not_awaited", check_rules.LOOSE, "nothing waits for {node}", _AWAIT)

# Names in a world

UNKNOWN_COMMAND = _kind(
    "unknown_command",
    check_rules.COMMAND,
    "unknown command '{command}'",
    "did you mean {near}?",
    "commands: {commands:24|, }",
)
SEVERAL_COMMANDS = _kind(
    "several_commands",
    check_rules.COMMAND,
    "'{command}' is more than one command",
    "write a node for each, and let the later one wait for the earlier",
)
WRONG_OBJECT_COUNT = _kind(
    "wrong_object_count",
    check_rules.COMMAND,
    "'{command}' takes {count:an object|# objects}",
    "write {syntax}",
)
NO_OBJECT = _kind(
    "no_object",
    check_rules.COMMAND,
    "'{name}' has no object in quotes",
    "commands: {commands:24|, }",
)
UNKNOWN_THING = _kind(
    "unknown_thing",
    check_rules.THING,
    'unknown object "{name}" in this task',
    'did you mean "{near}"?',
    "known: {names:24|, }",
)
WRONG_THING_TYPE = _kind(
    "wrong_thing_type",
    check_rules.THING,
    "\"{name}\" is of type {type}: '{command}' takes {wanted:0| or }",
    "did you mean {right}?",
    "of that type: {fitting:12|, }",
)
IMPOSSIBLE = _kind(
    "impossible", check_rules.THING, "{words} can never be done: {why}", "did you mean {right}?"
)
WRONG_ARMS = _kind(
    "wrong_arms",
    check_rules.ARMS,
    "{words} takes {needs:one arm|# arms}, not {arms}",
    "write arm_num: {needs}",
)
WRONG_TYPE = _kind(
    "wrong_type",
    check_rules.TYPE,
    "{node} is of type {type}, and {command} is of type {wanted}",
    "write type: {wanted}",
)
NO_ARM = _kind(
    "no_arm",
    check_rules.UNABLE,
    "no arm can do {node}, {name}: {reasons:6|; }",
    "write a sub-task that one of them can do, or let another arm take and release the object",
)
NO_ARM_FOR_HOLD = _kind(
    "no_arm_for_hold",
    check_rules.UNABLE,
    'no arm can hold "{thing}" all the way from {node} to {release}',
    "put it down where another arm can take it",
)
STUCK_ARMS = _kind(
    "stuck_arms", check_rules.UNABLE, "no order can be done by these arms: {node} {why}"
)
TOO_FEW_ARMS = _kind(
    "too_few_arms", check_rules.ARMS, "{node} needs {needs} arms, and there are {arms}"
)

# Holds

UNCLEAR_HOLD = _kind(
    "unclear_hold",
    check_rules.HOLD,
    "{name} may end either of two holds: {holds[0]} or {holds[1]}",
    "let one of {holds:0| and } wait for the other's release",
)
RELEASED_TWICE = _kind(
    "released_twice",
    check_rules.HOLD,
    "{name}: {first} has let go of it already",
    "take one of {first} and {node} away, or add a node that takes it again in between",
)
NEVER_RELEASED = _kind(
    "never_released",
    check_rules.HOLD,
    "{name}, and no release node lets go of it",
    "write {node} among the edges of {missing[1]}",
    "if the hand is empty afterwards, write type: operate; else add a release node that "
    'lets go of "{thing}", with {node} as an edge',
)
NEVER_TAKEN = _kind(
    "never_taken",
    check_rules.HOLD,
    "{name}, which no occupy node has taken before",
    "write {missing[0]} among the edges of {node}",
    "if the hand is empty before, write type: operate; else add an occupy node that "
    'takes "{thing}", as an edge of {node}',
)
RELEASED_EARLY = _kind(
    "released_early",
    check_rules.HOLD,
    '{name}: "{tool}" may be let go of before',
    "write {node} among the edges of {missing[1]}, which lets go of it",
)
NOT_HELD = _kind(
    "not_held",
    check_rules.HOLD,
    '{name} uses "{tool}", which nothing holds then',
    "write {missing[0]} among its edges",
    'add a node that takes "{tool}" before, and one that lets go of it after',
)
TOO_MANY_HOLDS = _kind(
    "too_many_holds",
    check_rules.TOO_MANY,
    "no order can be done with {arms} arms: {node} needs {needs:an arm|# arms} more while they "
    "hold {held:16|, }",
    "let something be put down before: take away an edge that makes it wait",
)
HELD_BEFORE = _kind(
    "held_before",
    None,
    "{held:0| and }: the graph must have the node that has taken it, and one that puts it down",
)

# Orders and the goal

_WRITE = "write {edges:8| and }"
_BRING = (
    "let it wait for {does:4| or }",
    "add a node that brings that about, and let it wait for it: {ways:4| or }",
    "let it wait for the node that brings that about, or add one",
)
STOPS = _kind(
    "stops",
    check_rules.STOPS,
    "the edges allow {node} after {order:16|, }, and it cannot be done then: {why}",
    _WRITE,
    *_BRING,
)
STOPS_AT_START = _kind(
    "stops_at_start",
    check_rules.STOPS,
    "the edges allow {node} at the very start, and it cannot be done then: {why}",
    _WRITE,
    *_BRING,
)
NO_ORDER = _kind(
    "no_order",
    check_rules.MISSES,
    "no order reaches the goal, such as {order:6|, }: {goals:4|; }",
    "add nodes that bring it about: {ways:4|, }",
    "a sub-task is missing, or one does something else than the task asks for",
)
MISSES_GOAL = _kind(
    "misses_goal",
    check_rules.MISSES,
    "an order that the edges allow misses the goal: {order:16|, }: {goals:4|; }",
    _WRITE,
    "let a sub-task wait for what the goal needs before it",
)
NOT_NEEDED = _kind(
    "not_needed",
    check_rules.NOT_NEEDED,
    "the goal is reached without {node}: {name}",
    "remove it, and let what waits for it wait for what it waits for",
)

# Plans whose task is not known in full

NOT_A_COMMAND = _kind("not_a_command", None, "unknown command '{name}'")
NEARLY_A_COMMAND = _kind(
    "nearly_a_command", None, "unknown command '{name}'; did you mean '{near}'?"
)

# Plans of stages

CROWDED_STAGE = _kind(
    "crowded_stage",
    None,
    "{label}: only {most:one sub-task|# sub-tasks} may be done in a stage",
)
