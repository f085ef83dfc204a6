"""A symbolic household: what is in it, what the robot sees of it, and what its actions do."""
