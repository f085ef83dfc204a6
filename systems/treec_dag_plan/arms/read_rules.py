"""Rules of task graph files that need no task."""

from __future__ import annotations

from treec.source.rules import register

TOO_LARGE = register(
    "TC701",
    "Task graph too large",
    """A task graph has at most 2,500 nodes and a million characters.

    Wrong: a generated file with 100,000 nodes.

    Right: several tasks, each with a graph of its own.
    """,
)
NO_GRAPH = register(
    "TC702",
    "File that is not a task graph",
    """A task graph is a mapping `nodes:` with an entry for each sub-task: its name, the number of
    arms it needs, the nodes it waits for, and its type.

    Wrong:

        - grasp "apple"
        - put "apple" onto "plate"

    Right:

        nodes:
          node_1:
            name: grasp "apple"
            arm_num: 1
            edge: []
            type: occupy
            description: Take the apple from the table.
    """,
)
NODE_KEY = register(
    "TC703",
    "Missing, unknown or malformed key of a node",
    """A node has `name` (text), `arm_num` (an integer), `edge` (a list), `type` and, for readers,
    `description`. Only the node of type complete has 0 arms.

    Wrong:

        node_1: {name: grasp "apple", arm_num: one, edges: [], type: occupy}

    Right:

        node_1: {name: grasp "apple", arm_num: 1, edge: [], type: occupy}
    """,
)
NODE_TYPE = register(
    "TC704",
    "Unknown node type",
    """The types are occupy (the hand holds something afterwards), tool use (what it holds is
    used), release (the hand is empty afterwards), operate (a door, a switch) and complete.

    Wrong:

        type: grasping

    Right:

        type: occupy
    """,
)
NODE_NAME = register(
    "TC705",
    "Node name without a command or an object",
    """A name is a command with its objects in quotes, of any style and in any language.

    Wrong:

        name: grasp apple

    Right:

        name: grasp "apple"
    """,
)
EDGE = register(
    "TC706",
    "Edge to an unknown node or to the node itself",
    """`edge` lists the nodes that must be done before, by number, by id, or by name if it is
    unique.

    Wrong, in `node_2` of three nodes:

        edge: [2, 7]

    Right:

        edge: [1]
    """,
)
NODE_TWICE = register(
    "TC707",
    "Duplicate node number",
    """Nodes are identified by number: `node_1`, `Node 1` and `1` are the same node.

    Wrong:

        nodes:
          node_1: …
          node_01: …

    Right:

        nodes:
          node_1: …
          node_2: …
    """,
)
CYCLE = register(
    "TC708",
    "Cycle of nodes",
    """No node of a cycle can ever begin. One edge of the cycle is reported.

    Wrong:

        node_1: {name: open "drawer", arm_num: 1, edge: [2], type: operate}
        node_2: {name: grasp "apple", arm_num: 1, edge: [1], type: occupy}

    Right:

        node_1: {name: open "drawer", arm_num: 1, edge: [], type: operate}
        node_2: {name: grasp "apple", arm_num: 1, edge: [1], type: occupy}
    """,
)
EDGE_TWICE = register(
    "TC709",
    "Duplicate edge",
    """An edge has to be listed only once.

    Wrong:

        edge: [1, 1]

    Right:

        edge: [1]
    """,
    "warning",
)
