"""Search for the best weights of a priority formula, and comparison of sets of weights."""
