"""The files of a small kitchen: two robots, a person, three skills, one task, and talk."""

from __future__ import annotations

KITCHEN = {
    "treec.toml": "[library]\n",
    "test.system.yaml": """\
system: test
about: For tests.
uses: [pack]
root: main
domain: kitchen
scene: kitchen
""",
    "pack/kitchen.domain.yaml": """\
domain: kitchen
types:
  Item: {}
  Place: {}
facts:
  at: {args: [Item], value: Place or Agent}
  near: {args: [Agent], value: Place}
  holding: {args: [Agent], value: Item}
state:
  mood: {type: text, default: calm}
  level: {type: number, default: 0}
  recipe_name: {type: text, default: ""}
derived:
  available: subtasks | select('ready') | list
""",
    "pack/kitchen.scene.yaml": """\
scene: kitchen
domain: kitchen
objects:
  pepper: {type: Item, at: pantry}
  salt: {type: Item, at: pantry}
  lettuce: {type: Item, at: table}
  pantry: {type: Place}
  table: {type: Place}
""",
    "pack/R1.agent.yaml": """\
agent: R1
is: Robot
about: A robot.
can: [get]
skills: {go_to: {}, pick: {}, place: {}}
starts: {near: table}
""",
    "pack/R2.agent.yaml": """\
agent: R2
is: Robot
about: Another robot.
can: [get]
skills: {go_to: {takes: 5s}, pick: {}, place: {}}
starts: {near: table}
""",
    "pack/user.agent.yaml": """\
agent: user
is: Person
about: The person.
can: [anything]
starts: {near: table}
""",
    "pack/go_to.skill.yaml": """\
skill: go_to
about: Go somewhere.
args: {agent: Robot, place: Place}
at_start:
  - near(agent) == none
after:
  - near(agent) == place
takes: 4s
timeout: 30s
runs: {symbolic: treec.envs.symbolic:Effects}
""",
    "pack/pick.skill.yaml": """\
skill: pick
about: Pick something up.
args: {agent: Robot, item: Item}
before:
  - not holding(agent)
  - near(agent) == at(item): go_to(agent, at(item))
after:
  - at(item) == agent
  - holding(agent) == item
takes: 2s
runs: {symbolic: treec.envs.symbolic:Effects}
""",
    "pack/place.skill.yaml": """\
skill: place
about: Set something down.
args: {agent: Robot, item: Item, place: Place}
before:
  - at(item) == agent: pick(agent, item)
  - near(agent) == place: go_to(agent, place)
after:
  - at(item) == place
  - holding(agent) == none
takes: 1s
runs: {symbolic: treec.envs.symbolic:Effects}
""",
    "pack/get.task.yaml": """\
task: get
about: Fetch something.
args: {item: Item}
says: [get <item>]
steps: |
  pick(item)
  go_to(table)
  place(item, table)
""",
    "pack/Salad.recipe.yaml": """\
recipe: Salad
subtasks:
  get pepper: {}
  get salt: {after: [get pepper]}
""",
    "pack/Steps.program.yaml": """\
program: Steps
about: The steps of a subtask.
args: {agent: Robot, subtask: Subtask}
offline: steps(subtask)
""",
    "pack/Talk.reading.yaml": """\
reading: Talk
about: What the user did with their words.
sees: [user_input]
acts:
  accept: {proposals: list of Proposal}
  decline: {proposals: list of Proposal}
  request: {agent: Agent or none, task: Task, args: {}, first: bool}
  stop: {agent: Agent or none}
  remark: {}
parser: tests.support.talk:read
veto: [stop, decline]
""",
}

WORKER = """\
tree: worker
ports: {agent: in Robot}
vars: {subtask: Subtask}
root:
  - wait: {until: queue(agent) and status(agent) != 'Interrupted'}
  - take: {queue: $agent, into: subtask}
    while: status(agent) != 'Interrupted'
  - program: Steps
    with: {agent: $agent, subtask: $subtask}
    while: status(agent) == 'Running'
    timeout: 3m
    on_failure: [{report: {subtask: $subtask, failed: $reason}}]
  - report: {subtask: $subtask, done: true}
then: repeat
"""
"""A robot's worker, as the systems have it."""


def tree(root: str, head: str = "") -> dict[str, str]:
    """The file of the tree `main` with this root, as YAML behind `root:`."""
    return {"pack/main.tree.yaml": f"tree: main\n{head}root:\n{_indented(root)}"}


def _indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.strip("\n").splitlines())
