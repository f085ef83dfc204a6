"""What a package may add to treec, one example of each: labels for crates, a node that beeps."""
