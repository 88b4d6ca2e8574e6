"""Advice for HPC centres: start forecasts, checkpoints, queues, weights, and sites from logs."""
