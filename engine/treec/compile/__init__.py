"""From files to py_trees."""
