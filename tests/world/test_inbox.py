import threading

from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox


def test_messages_come_in_order_of_time_then_sequence() -> None:
    inbox = Inbox(VirtualClock(start=2.0))
    inbox.post("late", 1)
    inbox.post("late", 2)
    inbox.post("early", 3, at=1.0)
    drained = inbox.drain()
    assert [(m.time, m.source, m.payload) for m in drained] == [
        (1.0, "early", 3),
        (2.0, "late", 1),
        (2.0, "late", 2),
    ]
    assert inbox.drain() == []


def test_payloads_are_never_compared() -> None:
    inbox = Inbox(VirtualClock())
    inbox.post("a", {})
    inbox.post("a", {})
    assert len(inbox.drain()) == 2


def test_waiting_ends_when_another_thread_posts() -> None:
    inbox = Inbox(VirtualClock())
    poster = threading.Thread(target=lambda: inbox.post("thread", "hello"))
    poster.start()
    assert inbox.wait(timeout=30.0)
    poster.join()
    assert [m.payload for m in inbox.drain()] == ["hello"]


def test_a_wake_is_kept_until_drained() -> None:
    inbox = Inbox(VirtualClock())
    inbox.wake()
    assert inbox.wait(timeout=None)
    assert inbox.ready()
    assert inbox.drain() == []
    assert not inbox.ready()
    assert not inbox.wait(timeout=0.0)


def test_no_message_is_lost_or_doubled_when_many_threads_post() -> None:
    inbox = Inbox(VirtualClock())
    threads = [
        threading.Thread(target=lambda k=k: [inbox.post(str(k), i) for i in range(200)])
        for k in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    drained = inbox.drain()
    assert [m.sequence for m in drained] == list(range(1, 801))
    assert [m.payload for m in drained if m.source == "2"] == list(range(200))
