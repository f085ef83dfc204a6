"""A system replaces keys of a pack's prompts, and treec's own sentences, without copying a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import KITCHEN, tree
from tests.support.packs import write
from treec.check import check_library
from treec.files.library import load_library
from treec.files.view import View
from treec.team.reasons import explain_failure
from treec.world.failures import TimedOut
from treec_asking.bind import bind
from treec_asking.commit import acknowledgement

SYSTEM = """system: mine
about: The kitchen team, with other words.
uses: [treec-kitchen/mosaic, treec-kitchen/team_kitchen, treec-kitchen/recipes]
root: mosaic_main
domain: team_kitchen
scene: kitchen
"""
OVERRIDES = """overrides:
  Confirm_Subtask:
    acknowledge: {propose: "{{ agent }}: {{ subtask.words }}?"}
    examples: []
"""


def problems(root: Path, more: str) -> list[str]:
    write(root, {"treec.toml": "", "mine.system.yaml": SYSTEM + more})
    return [f"{p.span}: {p.code}: {p.message}" for p in check_library(load_library(root))]


@pytest.mark.needs_system("mosaic")
def test_a_prompt_of_a_pack_has_the_keys_of_the_system(tmp_path: Path) -> None:
    assert problems(tmp_path, OVERRIDES) == []
    library = load_library(tmp_path)
    view = View(library, library.find("system", "mine"))
    prompt = view.all("action")["Confirm_Subtask"]
    (file,) = view.overridden
    assert prompt.model.acknowledge == {"propose": "{{ agent }}: {{ subtask.words }}?"}
    assert prompt.model.examples == [] != file.model.examples
    assert prompt.model.instructions == file.model.instructions
    assert prompt.folder == file.folder == "treec-kitchen/prompts/mosaic"


@pytest.mark.needs_system("mosaic")
def test_an_agent_of_a_pack_has_another_body(tmp_path: Path) -> None:
    more = "overrides: {R1: {body: {robot: pandda, pose: [-0.6, 0, 0.75]}}}"
    (wrong,) = problems(tmp_path, more)
    assert wrong == "mine.system.yaml:7:32: TC801: unknown robot 'pandda'"
    library = load_library(tmp_path)
    agent = View(library, library.find("system", "mine")).all("agent")["R1"].model
    assert agent.body["pose"] == [-0.6, 0, 0.75]
    assert "stir" in agent.can


@pytest.mark.needs_system("mosaic")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("overrides: {Confirm_Subtsk: {examples: []}}", "7:13: TC604: unknown prompt"),
        ("overrides: {Confirm_Subtask: {exampels: []}}", "7:31: TC101: unknown key 'exampels'"),
        ("overrides: {Confirm_Subtask: {examples: 3}}", "7:41: TC103: "),
        (
            "overrides: {Confirm_Subtask: {observation: '{{ avaliable }}'}}",
            "7:48: TC203: ",
        ),
        ("sentences: {asign: Good.}", "7:13: TC604: unknown sentence 'asign'"),
        ("sentences: {assign: '{{ robot }}'}", "7:25: TC203: "),
        ("sentences: {too_late: '{{ subtask }}'}", "7:27: TC203: "),
    ],
)
@pytest.mark.few(2)
def test_what_is_wrong_is_told_where_the_system_says_it(
    tmp_path: Path, text: str, told: str
) -> None:
    (problem,) = problems(tmp_path, text + "\n")
    assert problem.startswith(f"mine.system.yaml:{told}")


def test_a_system_says_treecs_sentences_in_its_own_words(tmp_path: Path) -> None:
    sentences = "sentences: {too_late: 'es dauerte zu lange', interrupt: '{{ agent }} steht.'}\n"
    system = KITCHEN["test.system.yaml"] + sentences
    bench = Bench(tmp_path, {**tree("check: true"), "test.system.yaml": system})
    team = bench.team
    assert explain_failure(team.knowledge, "R1", str(TimedOut(2.0))) == "es dauerte zu lange"
    assert explain_failure(team.knowledge, "R1", "") == "something went wrong with it"
    calls = [bind(team, name, {"agent": "R1"}) for name in ("interrupt", "resume")]
    said = acknowledgement(bench.run.view, {}, calls, bench.run.scope)
    assert said == "R1 steht. R1 goes on."
