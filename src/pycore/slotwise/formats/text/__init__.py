"""Delimited text as columns, and the job logs of centres read from it."""
