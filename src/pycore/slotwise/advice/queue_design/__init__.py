"""Queues and partitions designed from a log."""
