"""Motion: where arms can reach, paths that touch nothing, and following them in time."""
