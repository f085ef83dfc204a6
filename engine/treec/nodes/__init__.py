"""What runs inside py_trees: a module for each node."""
