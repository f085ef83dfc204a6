"""Commands that write and read trees of other programs."""
