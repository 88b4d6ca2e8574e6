"""Readers of delimited text files, and of job logs in that form."""
