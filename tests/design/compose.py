"""The library of DESIGN's section 3: its snippets as they stand, and the little they leave out.

``formats.md`` is that section. Each document of its YAML blocks becomes the file that its kind
wants; what a snippet is an excerpt of (more objects, more facts) is put in behind one of its lines,
and the files it only names lie in ``library/``.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

HERE = Path(__file__).parent

FILES = {
    ("system: mosaic",): "trees/mosaic/mosaic.system.yaml",
    ("decision: Execution",): "prompts/mosaic/execution.decision.yaml",
    ("reading: Kitchen_Talk",): "prompts/mosaic/kitchen_talk.reading.yaml",
    ("action: Modify_Subtask",): "prompts/mosaic/modify_subtask.action.yaml",
    ("tree: robot_worker", "tree: mosaic_main"): "trees/mosaic/mosaic_main.tree.yaml",
    ("task: get",): "skills/tasks/get.task.yaml",
    ("recipe: Caesar Salad",): "trees/recipes/caesar_salad.recipe.yaml",
    ("skill: pick",): "skills/pick/pick.skill.yaml",
    ("domain: team_kitchen",): "envs/kitchen/team_kitchen.domain.yaml",
    ("scene: kitchen",): "envs/kitchen/kitchen.scene.yaml",
    ("agent: R2",): "envs/kitchen/R2.agent.yaml",
    ("contract: ask_first", "contract: answer_everyone"): "trees/contracts/all.contract.yaml",
    ("scenario: impatient_user",): "trees/scenarios/impatient_user.scenario.yaml",
}
"""The first lines of a file's documents, and where the file lies."""

FILLED = {
    "examples: …": """\
examples:
  - about: A plain yes.
    given:
      user_input: Yes please
      proposals: [{id: p1, agent: R2, subtask: get pepper}]
    answer: {acts: [{kind: accept, quote: Yes please, proposals: [p1]}]}
""",
}
"""An ellipsis, and what stands for it here."""

ADDED = {
    "  hot: {args: [Item]}": """\
  hand_empty: {args: [Robot]}
""",
    "  mixing bowl: {type: Item, at: table}": """\
  bowl: {type: Item, at: table}
  pot: {type: Item, at: table}
  lettuce: {type: Item, at: table}
  ranch sauce: {type: Item, at: pantry}
""",
    "    means: [decline, {request": """\
  - whenever: proposals
    says: Yes please
    means: [accept]
""",
}
"""The beginning of a line, and what a snippet leaves out behind it."""

REPLACED = {
    # `pick` needs an empty hand, brings it about with put_down, and R2 lists no such skill
    "starts: {near: table}": "starts: {near: table, hand_empty: true}",
}
"""A line that cannot stand as it is, since another snippet contradicts it."""


def snippets() -> dict[str, str]:
    """The documents of the section's YAML blocks by their first line."""
    text = (HERE / "formats.md").read_text("utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    documents = [document for block in blocks for document in block.split("---\n")]
    return {document.splitlines()[0]: document for document in documents}


def compose(root: Path) -> None:
    """Write the whole library into a folder that does not exist yet."""
    shutil.copytree(HERE / "library", root)
    shutil.copytree(
        HERE.parents[1] / "engine/treec/everyday_english",
        root / "prompts/mosaic",
        dirs_exist_ok=True,
    )
    found = snippets()
    for heads, path in FILES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("---\n".join(_completed(found[head]) for head in heads), "utf-8")


def _completed(snippet: str) -> str:
    lines = []
    for line in snippet.splitlines(keepends=True):
        text = line.rstrip("\n")
        lines.append(FILLED.get(text) or REPLACED.get(text, text) + "\n")
        lines.extend(text for start, text in ADDED.items() if line.startswith(start))
    return "".join(lines)
