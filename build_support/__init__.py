"""Parts of setup.py: grouping and compilation of the source files."""
