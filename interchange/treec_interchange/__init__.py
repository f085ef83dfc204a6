"""Trees of other programs: the XML of BehaviorTree.CPP 4 and of py_trees.

Trees are plain data here, as a tree file has them: ``{"tree": name, "root": node}``.
"""
