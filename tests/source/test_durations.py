import pytest

from treec.source.durations import parse_duration


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("20s", 20.0),
        ("3m", 180.0),
        ("1h", 3600.0),
        ("500ms", 0.5),
        ("100ms", 0.1),
        ("1.5 s", 1.5),
        (".5s", 0.5),
        (" 20s ", 20.0),
        ("7", 7.0),
        (5, 5.0),
        (0, 0.0),
        (0.25, 0.25),
    ],
)
def test_seconds(written, seconds):
    assert parse_duration(written) == seconds


@pytest.mark.parametrize(
    "written",
    [
        "soon",
        "",
        "s",
        "-1s",
        "1d",
        "1m30s",
        "1,5s",
        "١s",
        "1e9s",
        "9" * 100_000 + "s",
        -1,
        10**5000,
        float("inf"),
        float("nan"),
        True,
        None,
        [],
    ],
    ids=lambda value: str(type(value).__name__),
)
def test_what_is_no_duration_is_refused_in_few_words(written):
    with pytest.raises(ValueError, match="is not a duration: write a number with ms") as caught:
        parse_duration(written)
    assert len(str(caught.value)) < 130
