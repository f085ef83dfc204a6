"""One run: the loop, who speaks, what is kept."""
