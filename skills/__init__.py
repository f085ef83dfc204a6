"""What the robots can do, one folder a skill; `kitchen` holds the talk in a kitchen."""
