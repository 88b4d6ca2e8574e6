"""Readers and writers of traces and job logs."""
