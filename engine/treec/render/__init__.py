"""Pictures of trees and graphs: plain data in; text, Graphviz and SVG out.

Independent of YAML, py_trees and runs: callers describe a picture as a `DrawnGraph`.
"""
