"""Weights of a priority formula, searched and compared."""
