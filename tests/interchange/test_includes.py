"""Files that an XML file of BehaviorTree.CPP 4 includes."""

from __future__ import annotations

import pytest

from treec_interchange import includes
from treec_interchange.importer import Imported, import_trees


def file(tree: str, *paths: str, inside: str = "<AlwaysSuccess/>", more: str = "") -> str:
    included = "".join(f'<include path="{path}"{more}/>\n' for path in paths)
    own = f'<BehaviorTree ID="{tree}">{inside}</BehaviorTree>'
    return f'<root BTCPP_format="4">\n{included}{own}</root>'


def read(main: str, **files: str) -> Imported:
    """The trees of a file in the folder `there`; keys of the others have `__` for `/`."""

    def get(path: str) -> bytes:
        key = path.replace("/", "__").removesuffix(".xml")
        if key not in files:
            raise FileNotFoundError(2, "there is no such file")
        return files[key].encode()

    return import_trees(main.encode(), "there/main.xml", get)


def told(done: Imported) -> list[str]:
    return [f"{one.span}: {one.message}" for one in done.findings]


def severities(done: Imported) -> list[str]:
    return [one.severity for one in done.findings]


def names(done: Imported) -> list[str]:
    return sorted(tree["tree"] for tree in done.trees)


def test_included_files_are_read_from_where_they_stand() -> None:
    done = read(
        file("main", "./sub/a.xml", inside='<SubTree ID="a"/>'),
        sub__a=file("a", "b.xml", "../c.xml"),
        sub__b=file("b"),
        c=file("c"),
    )
    assert (names(done), told(done)) == (["a", "b", "c", "main"], [])
    assert done.trees[0]["tree"] == "main"
    assert done.trees[0]["root"] == {"tree": "a"}
    assert sorted(done.sources) == [
        "there/c.xml",
        "there/main.xml",
        "there/sub/a.xml",
        "there/sub/b.xml",
    ]


def test_a_file_that_two_include_is_read_once() -> None:
    done = read(file("main", "a.xml", "b.xml"), a=file("a", "b.xml"), b=file("b"))
    assert (names(done), told(done)) == (["a", "b", "main"], [])


def test_a_circle_is_told_once_and_ends() -> None:
    done = read(file("main", "a.xml"), a=file("a", "b.xml"), b=file("b", "./a.xml"))
    assert names(done) == ["a", "b", "main"]
    assert told(done) == [
        "there/b.xml:2:1: files include each other in a circle: a.xml → b.xml → a.xml"
    ]
    assert severities(done) == ["warning"]
    own = read(file("main", "main.xml"))
    assert [one.split(": ", 2)[2] for one in told(own)] == ["main.xml → main.xml"]


@pytest.mark.parametrize("path", ["../x.xml", "/etc/passwd", "sub/../../x.xml", "..\\x.xml", ".."])
def test_nothing_outside_the_folder_is_read(path: str) -> None:
    done = read(file("main", path))
    assert names(done) == ["main"]
    (one,) = told(done)
    assert one.startswith(f"there/main.xml:2:1: '{path}' lies outside the folder")
    assert severities(done) == ["warning"]


def test_packages_of_ros_are_not_looked_up() -> None:
    done = read(file("main", "a.xml", more=' ros_pkg="nav"'))
    assert told(done) == ["there/main.xml:2:1: 'a.xml' of the ROS package 'nav' is not read"]
    assert severities(done) == ["warning"]


@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        ({}, "there/main.xml:2:1", "'a.xml' cannot be read: there is no such file"),
        ({"a": "<root>"}, "there/a.xml:1:7", "this is not XML: no element found"),
        ({"a": file("main")}, "there/a.xml:2:1", "there is a tree 'main' already"),
    ],
)
def test_what_cannot_be_included_is_told_where_it_is(
    files: dict[str, str], place: str, message: str
) -> None:
    done = read(file("main", "a.xml"), **files)
    assert done.failed
    assert told(done) == [f"{place}: {message}"]


def test_a_finding_in_an_included_file_has_its_path() -> None:
    done = read(
        file("main", "a.xml", inside='<SubTree ID="a"/>'), a=file("a", inside="<Dig depth='1'/>")
    )
    assert told(done) == ["there/a.xml:2:22: unknown node 'Dig'"]


def test_ports_that_another_file_wires_are_ports() -> None:
    wires = '<SubTree ID="a" goal="{target}"/>'
    done = read(file("main", "a.xml", inside=wires), a=file("a", inside='<Go to="{goal}"/>'))
    (a,) = (tree for tree in done.trees if tree["tree"] == "a")
    assert a["ports"] == {"goal": "inout any"}


def test_files_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = {f"f{n}": file(f"f{n}", f"f{n + 1}.xml") for n in range(30)}
    monkeypatch.setattr(includes, "MAX_FILES", 10)
    done = read(file("main", "f0.xml"), **chain)
    assert [one.split(": ", 1)[1] for one in told(done)] == ["more than 10 files are not read"]
    monkeypatch.setattr(includes, "MAX_BYTES", 300)
    done = read(file("main", "f0.xml"), **chain)
    assert "larger than 0 MB together" in told(done)[0]
