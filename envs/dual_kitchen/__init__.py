"""Three kitchens for a robot with two arms: scenes, agents, skills and their workers."""
