"""Rules of task graph files that need no task."""

from __future__ import annotations

from treec.source.rules import register

TOO_LARGE = register(
    "TC701",
    "a task graph that is too large",
    """A task graph has at most 2,500 nodes and a million characters.

    Wrong: a file in which a program has written 100,000 nodes.

    Right: several tasks, each with a graph of its own.
    """,
)
NO_GRAPH = register(
    "TC702",
    "a file that is no task graph",
    """A task graph is a mapping `nodes:` with an entry for each sub-task. Each has a name, the
    number of arms it needs, the nodes it waits for, and its type.

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
    "a node's key that is missing, unknown or of the wrong form",
    """A node has `name` (text), `arm_num` (a whole number), `edge` (a list), `type` and, for
    people, `description`. The number of arms is 0 for the node of type complete alone.

    Wrong:

        node_1: {name: grasp "apple", arm_num: one, edges: [], type: occupy}

    Right:

        node_1: {name: grasp "apple", arm_num: 1, edge: [], type: occupy}
    """,
)
NODE_TYPE = register(
    "TC704",
    "an unknown type of node",
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
    "a node's name that names no command or no object",
    """A name is a command with its objects in quotes. Any quotes do, and a name in any language.

    Wrong:

        name: grasp apple

    Right:

        name: grasp "apple"
    """,
)
EDGE = register(
    "TC706",
    "an edge to nothing, or to the node itself",
    """`edge` lists the nodes that must be done before: by number, by id, or by name where one node
    alone has it.

    Wrong, in `node_2` of three nodes:

        edge: [2, 7]

    Right:

        edge: [1]
    """,
)
NODE_TWICE = register(
    "TC707",
    "a number that two nodes have",
    """Nodes are told apart by number: `node_1`, `Node 1` and `1` are the same node.

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
    "nodes that wait for each other in a circle",
    """No node of a circle can ever begin. The finding stands at one edge of it.

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
    "an edge that stands twice",
    """Once is enough.

    Wrong:

        edge: [1, 1]

    Right:

        edge: [1]
    """,
    "warning",
)
