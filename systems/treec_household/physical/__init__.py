"""The household's skills on a robot in SAPIEN: each is one of the dual kitchen's motions.

What one arm cannot do here (cutting, for want of pieces with bodies) has no worker.
"""
