"""Sensors of a kitchen with physics: one module for each kind of question.

A sensor is a function of the kitchen, the `engine.Sensor` it answers for and the fact's arguments.
It returns the fact's value, None for none, or `UNSENSED` if it cannot know.
"""
