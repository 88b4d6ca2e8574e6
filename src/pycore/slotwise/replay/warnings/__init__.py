"""Warnings about the site and the log of a replay."""
