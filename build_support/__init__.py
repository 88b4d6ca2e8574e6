"""Parts of setup.py: choice and compilation of the units."""
