"""Rules about the bodies of scenes and the people who move in them."""
