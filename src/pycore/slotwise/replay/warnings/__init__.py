"""Warnings of a replay about its site and its log."""
