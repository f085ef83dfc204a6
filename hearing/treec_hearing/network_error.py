"""What is wrong with a network or the encoder under it."""


class NetworkError(ValueError):
    """Weights that cannot be used; the message says why."""
