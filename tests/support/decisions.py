"""A small library with prompts, for tests of cases, recordings and snapshots."""

from __future__ import annotations

from pathlib import Path

from tests.support.files import KITCHEN, WORKER

CHOOSE = """\
decision: Choose
about: What to do now.
sees: [mood, available, acts]
recalls: [chat]
knows: [capabilities]
options:
  Wave: The person is merry.
  Rest: Nothing is to be done.
always:
  - {when: mood == 'alarmed', choose: Rest}
offline:
  - {when: mood == 'merry', choose: Wave}
  - {when: available, choose: Wave}
fallback: Rest
system: You help in a kitchen.
observation: |
  mood: {{ mood }}
  available: {{ available | join(', ') or 'nothing' }}
instructions: |
  Choose exactly one of {{ options | join(', ') }}.
  {% for line in capabilities %}
  {{ line }}
  {% endfor %}
examples:
  - about: Somebody is merry.
    given: {mood: merry}
    answer: {reasoning: So am I., choose: Wave}
  - about: Nothing is to be done.
    given: {mood: calm}
    answer: {choose: Rest}
"""

FILES = {
    **KITCHEN,
    "pack/main.tree.yaml": """\
tree: main
root:
  parallel:
    until: never
    children:
      - reactive_sequence: [{read: Talk}, {ask: Choose}]
      - {tree: worker, for: agent in robots, with: {agent: $agent}}
""",
    "pack/worker.tree.yaml": WORKER,
    "pack/Choose.decision.yaml": CHOOSE,
    "pack/Wave.action.yaml": """\
action: Wave
about: Greet.
sees: [mood]
may: [say, propose]
offline:
  - do: [{say: "Hello, I am {{ mood }}."}]
""",
    "pack/Rest.action.yaml": """\
action: Rest
about: Do nothing.
sees: [mood]
may: [no_op]
offline:
  - do: [no_op]
""",
    "pack/Share_Out.action.yaml": """\
action: Share_Out
about: Give out what was agreed to.
sees: [acts, proposals]
may: [assign, say]
offline:
  - for: p in acts.accept.proposals
    do:
      - assign: {agent: $p.agent, subtasks: [$p.subtask], because: $p}
offer: {to: Choose, when: acts.accept, because: Somebody agreed.}
instructions: Answer with the actions to take.
examples:
  - about: A yes.
    given:
      proposals: [{id: p1, agent: R2, subtask: get pepper}]
      acts: [{id: u3.1, kind: accept, proposals: [p1]}]
    answer:
      actions: [{assign: {agent: R2, subtasks: [get pepper], because: p1}}]
""",
}

MERRY = "Choose/somebody-is-merry"
CALM = "Choose/nothing-is-to-be-done"
YES = "Share_Out/a-yes"


def write_library(root: Path, **changes: str) -> Path:
    """The library in a folder."""
    for name, text in {**FILES, **changes}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def edit(root: Path, name: str, old: str, new: str) -> None:
    """Put a text in the place of another, once, in a file of the library."""
    path = root / name
    text = path.read_text("utf-8")
    assert old in text, f"{name} has no {old!r}"
    path.write_text(text.replace(old, new, 1), "utf-8")
