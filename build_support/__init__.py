"""Parts of setup.py: the units that are compiled, and how they are compiled."""
