"""Delimited text as columns, and job logs of centres made of them."""
