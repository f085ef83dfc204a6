"""Rules of task graphs and plans in a world: commands, holds, edges, the goal."""

from __future__ import annotations

from treec.source.rules import register

COMMAND = register(
    "TC721",
    "a sub-task that is no command",
    """A sub-task is one of the commands that the arms' skills name, with as many objects as it
    takes.

    Wrong:

        name: fetch "apple"

    Right:

        name: grasp "apple"
    """,
)
THING = register(
    "TC722",
    "an object that the task does not have, or that the command is not for",
    """The objects of sub-tasks are those of the task, by their names. What can be done to one is
    said by its type and by what it is made for.

    Wrong, in a task with an apple and a plate:

        name: put "aple" into "plate"

    Right:

        name: put "apple" onto "plate"
    """,
)
ARMS = register(
    "TC723",
    "a sub-task with the wrong number of arms",
    """What is heavy or wide takes both arms, everything else one.

    Wrong:

        name: grasp "pot"
        arm_num: 1

    Right:

        name: grasp "pot"
        arm_num: 2
    """,
)
TYPE = register(
    "TC724",
    "a node whose type is not its command's",
    """What a command does to the hand says of which type its nodes are.

    Wrong:

        name: grasp "apple"
        type: operate

    Right:

        name: grasp "apple"
        type: occupy
    """,
)
COMPLETE = register(
    "TC725",
    "not one node of type complete, at the end",
    """A graph has one node of type complete. It waits, directly or through others, for all the
    rest, and nothing waits for it.

    Wrong: a graph that ends with its last sub-task.

    Right:

        node_5:
          name: task complete
          arm_num: 0
          edge: [2, 4]
          type: complete
    """,
)
LOOSE = register(
    "TC726",
    "a node that nothing waits for",
    """The node of type complete does not wait for it, directly or through others: the task would
    be complete without it. It may also have no edge to the rest of the graph at all.

    Wrong:

        node_2: {name: put "apple" onto "plate", arm_num: 1, edge: [1], type: release}
        node_3: {name: task complete, arm_num: 0, edge: [1], type: complete}

    Right:

        node_2: {name: put "apple" onto "plate", arm_num: 1, edge: [1], type: release}
        node_3: {name: task complete, arm_num: 0, edge: [2], type: complete}
    """,
)
HOLD = register(
    "TC727",
    "something taken that is never put down, or used or put down without being held",
    """Every occupy node has a release node that waits for it. A tool is used between the two.

    Wrong:

        node_1: {name: grasp "knife", arm_num: 1, edge: [], type: occupy}
        node_2: {name: cut "carrot" with "knife", arm_num: 1, edge: [], type: tool use}

    Right:

        node_1: {name: grasp "knife", arm_num: 1, edge: [], type: occupy}
        node_2: {name: cut "carrot" with "knife", arm_num: 1, edge: [1], type: tool use}
        node_3: {name: put "knife" onto "table", arm_num: 1, edge: [2], type: release}
    """,
)
TOO_MANY = register(
    "TC728",
    "more held at once than there are arms, on every order",
    """Whatever is done first, all arms end up holding something, and what is left needs one more.

    Wrong: three things that are all taken before the first of them may be put down.

    Right: let no `put` wait for more than two `grasp`.
    """,
)
STOPS = register(
    "TC729",
    "an order that the edges allow and that cannot be done",
    """What a sub-task needs is brought about by another for which it does not wait.

    Wrong, where the bowl is behind the door:

        node_1: {name: open "door", arm_num: 1, edge: [], type: operate}
        node_2: {name: grasp "bowl", arm_num: 1, edge: [], type: occupy}

    Right:

        node_1: {name: open "door", arm_num: 1, edge: [], type: operate}
        node_2: {name: grasp "bowl", arm_num: 1, edge: [1], type: occupy}
    """,
)
MISSES = register(
    "TC730",
    "an order that the edges allow and that misses the goal",
    """All sub-tasks can be done in this order, and in the end the goal does not hold.

    Wrong, for toasted bread:

        node_2: {name: put "bread" into "toaster", arm_num: 1, edge: [1], type: release}
        node_3: {name: switch_on "toaster", arm_num: 1, edge: [], type: operate}

    Right:

        node_2: {name: put "bread" into "toaster", arm_num: 1, edge: [1], type: release}
        node_3: {name: switch_on "toaster", arm_num: 1, edge: [2], type: operate}
    """,
)
NOT_NEEDED = register(
    "TC731",
    "a sub-task that the goal does not need",
    """Without it, everything else can still be done and the goal is reached.

    Wrong: a graph for an apple on a plate that opens the microwave, too.

    Right: the same graph without that node.
    """,
    "warning",
)

PLAN = register(
    "TC732",
    "a plan that cannot be read",
    """A plan is a list of stages, with a sub-task or nothing for each arm: ours in JSON or YAML,
    with the ids of a graph's nodes, or that of DAG-Plan's baselines (appendix E.2, E.3).

    Wrong:

        stages:
          stage_1: {name: 'cut "carrot" with "knife"'}

    Right:

        stages:
          stage_1: {name: 'cut "carrot" with "knife" (right)'}

    or, with a graph:

        {"stages": [{"left": null, "right": "node_5"}]}
    """,
)
CANNOT = register(
    "TC733",
    "a stage that cannot be done",
    """A plan is done in the task's world, stage after stage. What is told is the first sub-task
    that cannot be done: its arm, and the condition that does not hold. What is done in one stage
    must be possible when the stage begins, in either order.

    Wrong, where the microwave's door is open:

        stages:
          stage_1: {name: 'switch_on "microwave" (left)'}

    Right:

        stages:
          stage_1: {name: 'close "microwave_door" (left)'}
          stage_2: {name: 'switch_on "microwave" (left)'}
    """,
)
MISSED = register(
    "TC734",
    "a plan that misses the goal",
    """All of its stages can be done, and at their end the task's goal does not hold.

    Wrong, for an apple on a plate:

        stages:
          stage_1: {name: 'grasp "apple" (left)'}

    Right:

        stages:
          stage_1: {name: 'grasp "apple" (left)'}
          stage_2: {name: 'put "apple" onto "plate" (left)'}
    """,
)
