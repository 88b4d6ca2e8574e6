"""The package version, which is defined only here."""

__version__ = "1.0.0rc1"
