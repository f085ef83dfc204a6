"""Pictures of trees and graphs: plain data in; text, Graphviz and SVG out.

Knows nothing of YAML, of py_trees or of runs. Whoever wants a picture makes a `Graph` of it.
"""
