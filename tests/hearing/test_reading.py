"""The ear of a reading: its templates, its shared file, and that file's network if it can run."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.hearing.phrases import load_phrases
from tests.hearing.fitted import few_examples, fitted
from tests.hearing.floor import PHRASES, floor, reading_view
from tests.support.extensions import using
from treec.cli.basics import Stop
from treec.files.library import load_library
from treec_hearing.hear import ear_of_reading
from treec_hearing.network_error import NetworkError
from treec_hearing.reading import ear_of, hears, network_of, weights_of
from treec_hearing.templates import TemplateError


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return floor(tmp_path / "floor")


def with_weights(root: Path) -> Path:
    """The weights, which lie beside the hearing file."""
    path = root / "prompts" / "floor.npz"
    fitted(few_examples("warehouse"), epochs=1)[0].write(path, {})
    return path


def test_a_network_lies_beside_its_hearing_file(root: Path) -> None:
    library = load_library(root)
    shared = library.find("hearing", "Floor_English")
    assert shared is not None
    assert weights_of(library, shared) == root / "prompts" / "floor.npz"
    with_weights(root)
    network = network_of(library, shared)
    assert network is not None
    assert "accept" in network.kinds


def test_a_hearing_file_without_a_network_has_none(tmp_path: Path) -> None:
    library = load_library(floor(tmp_path / "floor", network=False))
    shared = library.find("hearing", "Floor_English")
    assert shared is not None
    assert weights_of(library, shared) is None
    assert network_of(library, shared) is None


def test_an_ear_has_the_network_of_its_reading_s_shared_file(root: Path) -> None:
    with_weights(root)
    view, entry = reading_view(root)
    assert hears(entry)
    assert ear_of(view, entry).network is not None
    assert ear_of(view, entry, with_network=False).network is None


def test_without_the_package_that_reads_networks_templates_alone_hear(root: Path) -> None:
    with using(without=("hearing",)):
        view, entry = reading_view(root)  # no such file: of weights
        ear = ear_of(view, entry)
    assert ear.network is None
    (phrases,) = [load_phrases(root / "said.yaml")]
    assert [act["kind"] for act in ear("yes please", phrases[0].moment)] == ["accept"]


def test_weights_that_are_absent_are_told(root: Path) -> None:
    view, entry = reading_view(root)
    with pytest.raises(NetworkError, match=r"floor\.npz"):
        ear_of(view, entry)
    with pytest.raises(Stop, match=r"floor\.npz"):
        ear_of_reading(view, entry)


def test_a_hearing_file_that_is_absent_is_told(root: Path) -> None:
    reading = root / "prompts" / "operator_talk.reading.yaml"
    text = reading.read_text("utf-8")
    reading.write_text(text.replace("Floor_English", "Floor_French"), "utf-8")
    view, entry = reading_view(root)
    with pytest.raises(TemplateError, match="unknown hearing 'Floor_French'"):
        ear_of(view, entry)
    with pytest.raises(Stop, match="unknown hearing 'Floor_French'"):
        ear_of_reading(view, entry)


def test_the_floor_s_phrases_can_be_read(root: Path) -> None:
    assert len(load_phrases(root / "said.yaml")) == len(PHRASES)
