import pytest

from treec.world.facts import FactError, FactKind, FactStore

KINDS = (FactKind("at", ("Item",), "Place"), FactKind("hot", ("Item",)), FactKind("dark"))


@pytest.fixture
def store() -> FactStore:
    return FactStore(KINDS)


def test_setting_a_valued_fact_forgets_the_old_value(store: FactStore) -> None:
    store.set("at", ["pepper"], "pantry", source="scene", since=0.0, by="scene")
    store.set("at", ["pepper"], "table", source="expected", since=4.0, by="pick")
    found = store.get("at", ["pepper"])
    assert found is not None
    assert (found.value, found.source, found.since, found.by) == ("table", "expected", 4.0, "pick")
    assert len(store) == 1


def test_age_counts_from_when_it_was_last_set(store: FactStore) -> None:
    assert store.age(9.0, "hot", ["pan"]) is None
    store.set("hot", ["pan"], True, source="sensed", since=2.5, by="camera")
    assert store.age(9.0, "hot", ["pan"]) == 6.5
    assert store.age(2.4999999, "hot", ["pan"]) == 0.0
    assert store.source("hot", ["pan"]) == "sensed"


def test_unknown_and_forgotten_are_different(store: FactStore) -> None:
    store.set("at", ["pepper"], "table", source="told", since=1.0, by="user")
    assert store.is_known("at", ["pepper"])
    store.unknown("at", ["pepper"], since=2.0, by="resume")
    found = store.get("at", ["pepper"])
    assert found is not None
    assert (found.value, found.source, found.since) == (None, "unknown", 2.0)
    assert not store.is_known("at", ["pepper"])
    store.forget("at", ["pepper"])
    assert store.get("at", ["pepper"]) is None
    assert store.source("at", ["pepper"]) == "unknown"
    store.forget("at", ["pepper"])


def test_a_fact_without_arguments(store: FactStore) -> None:
    store.set("dark", [], True, source="sensed", since=0.0, by="camera")
    assert store.is_known("dark")


def test_iteration_is_sorted_whatever_the_order_of_setting(store: FactStore) -> None:
    for item in ("salt", "bowl", "pepper"):
        store.set("hot", [item], False, source="told", since=0.0, by="user")
    assert [args for (_, args), _ in store] == [("bowl",), ("pepper",), ("salt",)]


def test_stores_are_equal_when_they_hold_the_same() -> None:
    one, two = FactStore(KINDS), FactStore(KINDS)
    for store, order in ((one, ("a", "b")), (two, ("b", "a"))):
        for item in order:
            store.set("hot", [item], True, source="told", since=0.0, by="user")
    assert one == two
    two.set("hot", ["a"], True, source="sensed", since=0.0, by="user")
    assert one != two


@pytest.mark.parametrize(
    ("name", "args", "value", "source", "said"),
    [
        ("hat", ["pan"], True, "told", "unknown fact 'hat'"),
        ("at", [], "table", "told", r"at takes \(Item\), not \(\)"),
        ("at", ["a", "b"], "table", "told", r"not \(a, b\)"),
        ("at", "ab", "table", "told", r"not \(ab\)"),
        ("at", [3], "table", "told", "names, not 3"),
        ("at", ["a"], None, "told", "needs a Place"),
        ("hot", ["a"], "yes", "told", "true or false"),
        ("hot", ["a"], True, "guessed", "unknown source 'guessed'"),
        ("hot", ["a"], True, "unknown", "unknown source 'unknown'"),
    ],
)
def test_what_the_domain_does_not_declare_is_refused(
    store: FactStore, name: str, args: list[str], value: object, source: str, said: str
) -> None:
    with pytest.raises(FactError, match=said):
        store.set(name, args, value, source=source, since=0.0, by="user")
    assert len(store) == 0
