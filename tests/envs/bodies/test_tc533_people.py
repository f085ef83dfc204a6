"""TC533 knows the recordings of a motion file by their names, and the people of CoMaD's."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.check.test_fixtures import check, write_files
from tests.support.extensions import using
from treec_sapien.check.tc533_people import MARKERS

np = pytest.importorskip("numpy")

SCENARIO = """# file: scenarios/tea_time.scenario.yaml
scenario: tea_time
system: demo
people:
  user: {motion: offering.npz, recording: RECORDING, reach: [0.5, 0.2, 1.0]}
"""


def found(root: Path, recording: str, names: object) -> str:
    write_files(SCENARIO.replace("RECORDING", recording), root)
    file = root / "scenarios" / "offering.npz"
    np.savez(file, joints=["neck"], lengths=[3, 3], positions=np.zeros((6, 1, 3)), names=names)
    with using(without=("mosaic", "dag_plan")):
        return check(root)


@pytest.mark.parametrize("recording", ["offer_0", "offer_1", "1"])
def test_a_recording_of_the_file_is_no_problem(tmp_path: Path, recording: str) -> None:
    printed = found(tmp_path / "library", recording, ["offer_0", "offer_1"])
    assert "TC533" not in printed


def test_a_name_with_that_of_the_file_is_no_problem(tmp_path: Path) -> None:
    assert "TC533" not in found(tmp_path / "library", "offering/nod/1", ["nod/1", "wave/1"])


def test_a_name_that_may_mean_several_recordings_is_reported(tmp_path: Path) -> None:
    printed = found(tmp_path / "library", "'1'", ["nod/1", "wave/1", "wave/2"])
    assert "4:43: error TC533: 'offering.npz' has several recordings '1'" in printed
    assert "= help: write one of nod/1, wave/1" in printed


def test_another_name_is_told_where_it_stands(tmp_path: Path) -> None:
    printed = found(tmp_path / "library", "offre_0", ["offer_0", "offer_1"])
    assert (
        "scenarios/tea_time.scenario.yaml:4:43: error TC533: unknown recording 'offre_0'" in printed
    )
    assert "did you mean 'offer_0'?" in printed


def test_names_that_are_no_texts_are_not_judged(tmp_path: Path) -> None:
    assert "TC533" not in found(tmp_path / "library", "offre_0", [b"offer_0", b"offer_1"])


def test_a_broken_file_of_names_is_not_judged(tmp_path: Path) -> None:
    root = tmp_path / "library"
    found(root, "offre_0", ["offer_0", "offer_1"])
    file = root / "scenarios" / "offering.npz"
    with zipfile.ZipFile(file) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    parts["names.npy"] = parts["names.npy"][:-5]
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as new:
        for name, data in parts.items():
            new.writestr(name, data)
    file.write_bytes(whole.getvalue())
    assert "no recording" not in check(root)


COMAD = """# file: scenarios/tea_time.scenario.yaml
scenario: tea_time
system: demo
people:
  user: {motion: handover.json, person: PERSON, recording: RECORDING, reach: [0.5, 0.2, 1.0]}
"""


def found_in_comad(root: Path, text: str, person: str = "Ann", recording: str = "0") -> str:
    write_files(COMAD.replace("PERSON", person).replace("RECORDING", recording), root)
    (root / "scenarios" / "handover.json").write_text(text, "utf-8")
    with using(without=("mosaic", "dag_plan")):
        return check(root)


def comad(markers: int = MARKERS) -> str:
    frames = [[[0.0, 1.0, 2.0]] * (markers - 1) + [None]] * 3
    return json.dumps({"Ann": frames, "Bob": frames})


@pytest.mark.parametrize("recording", ["0", "'0'"])
def test_a_person_of_comads_own_files_is_no_problem(tmp_path: Path, recording: str) -> None:
    assert "TC533" not in found_in_comad(tmp_path / "library", comad(), recording=recording)


def test_somebody_who_is_not_in_comads_file(tmp_path: Path) -> None:
    printed = found_in_comad(tmp_path / "library", comad(), "Bop", "ofer")
    at = "scenarios/tea_time.scenario.yaml:4"
    assert f"{at}:41: error TC533: unknown person 'Bop' in 'handover.json'" in printed
    assert "did you mean 'Bob'?" in printed
    assert f"{at}:57: error TC533: unknown recording 'ofer' in 'handover.json'" in printed


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{'Ann'", "it is not JSON (Expecting property name"),
        ("[1, 2]", "there must be people by name"),
        (comad(24), "'Ann' must have frames of 25 markers"),
        ('{"Ann": 3}', "'Ann' must have frames of 25 markers"),
    ],
)
def test_a_json_file_that_is_not_comads(tmp_path: Path, text: str, why: str) -> None:
    printed = found_in_comad(tmp_path / "library", text)
    at = "scenarios/tea_time.scenario.yaml:4:18"
    assert f"{at}: error TC533: 'handover.json' has no recordings of people: {why}" in printed


def test_the_check_and_the_reader_expect_as_many_markers() -> None:
    assert pytest.importorskip("treec_sapien.people.comad").MARKERS == MARKERS
