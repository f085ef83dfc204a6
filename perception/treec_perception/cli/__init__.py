"""Commands of perception: see, camera, perception, and evaluations."""
