"""Motion: reachability, collision-free paths, and following them in time."""
