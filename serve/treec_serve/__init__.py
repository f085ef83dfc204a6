"""The local page on which runs are looked at."""
