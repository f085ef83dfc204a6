"""The Python of this library: workers for its robot."""
