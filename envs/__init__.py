"""What a skill acts on: environments, and the domains, scenes and agents that live in them."""
