"""Rules of task graphs and plans in a world: commands, holds, edges, the goal."""

from __future__ import annotations

from treec.source.rules import register

COMMAND = register(
    "TC721",
    "Sub-task that is not a command",
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
    "Unknown object, or one that the command does not apply to",
    """Sub-tasks use the task's objects by name. An object's type and affordances determine which
    commands apply to it.

    Wrong, in a task with an apple and a plate:

        name: put "aple" into "plate"

    Right:

        name: put "apple" onto "plate"
    """,
)
ARMS = register(
    "TC723",
    "Wrong number of arms",
    """Heavy or wide objects need both arms, all others one.

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
    "Node type that does not fit the command",
    """A command's effect on the hand determines the type of its nodes.

    Wrong:

        name: grasp "apple"
        type: operate

    Right:

        name: grasp "apple"
        type: occupy
    """,
)
UNABLE = register(
    "TC735",
    "Sub-task that no arm can do",
    """Arms differ in their type, in the skills that their files list, and in conditions on them,
    such as what they reach. Each sub-task needs an arm that can do it, and so does everything from
    taking an object to releasing it.

    Wrong, where only the left arm reaches the shelf and only the right one the sink:

        node_1: {name: grasp "cup", arm_num: 1, edge: [], type: occupy}
        node_2: {name: put "cup" into "sink", arm_num: 1, edge: [1], type: release}

    Right:

        node_1: {name: grasp "cup", arm_num: 1, edge: [], type: occupy}
        node_2: {name: put "cup" onto "table", arm_num: 1, edge: [1], type: release}
        node_3: {name: grasp "cup", arm_num: 1, edge: [2], type: occupy}
        node_4: {name: put "cup" into "sink", arm_num: 1, edge: [3], type: release}
    """,
)
COMPLETE = register(
    "TC725",
    "Missing or misplaced node of type complete",
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
    "Node that nothing waits for",
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
    "Object never released, or used or released without being held",
    """Every occupy node needs a release node that waits for it; a tool is used between the two.

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
    "More objects held at once than there are arms, in every order",
    """In every order all arms end up holding something while the rest needs another arm.

    Wrong: three things that are all taken before the first of them may be put down.

    Right: let no `put` wait for more than two `grasp`.
    """,
)
STOPS = register(
    "TC729",
    "Allowed order that cannot be executed",
    """A sub-task's precondition is established by another for which it does not wait.

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
    "Allowed order that misses the goal",
    """All sub-tasks can be executed in this order, but the goal does not hold at the end.

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
    "Unnecessary sub-task",
    """Without it, everything else can still be executed and the goal is reached.

    Wrong: a graph that puts an apple on a plate and also opens the microwave.

    Right: the same graph without that node.
    """,
    "warning",
)

PLAN = register(
    "TC732",
    "Unreadable plan",
    """A plan is a list of stages, with a sub-task or nothing for each arm, in JSON or YAML: with
    the ids of a graph's nodes, or in the format of DAG-Plan's baselines (appendix E.2, E.3).

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
    "Stage that cannot be executed",
    """A plan is executed in the task's world, stage by stage. Reported is the first sub-task that
    cannot be executed, with its arm and the condition that does not hold. All sub-tasks of a stage
    must be possible when it begins, in either order.

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
    "Plan that misses the goal",
    """All of its stages can be executed, but the task's goal does not hold at the end.

    Wrong, for an apple on a plate:

        stages:
          stage_1: {name: 'grasp "apple" (left)'}

    Right:

        stages:
          stage_1: {name: 'grasp "apple" (left)'}
          stage_2: {name: 'put "apple" onto "plate" (left)'}
    """,
)
