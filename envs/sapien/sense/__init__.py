"""What is so in a kitchen with physics: a module for each kind of question.

A sensor is a function of the kitchen, the `engine.Sensor` it answers for, and the things that the
fact is about. It returns the fact's value, None for none, or `UNSENSED` where it cannot know.
"""
