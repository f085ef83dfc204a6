"""What an event that the state does not allow raises: nodes know it without the events."""


class EventRefused(Exception):
    """An event that is not possible in the present state; ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
