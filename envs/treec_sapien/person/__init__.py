"""A person in a kitchen with physics: a body moved by recorded motion, and what is known of it."""
