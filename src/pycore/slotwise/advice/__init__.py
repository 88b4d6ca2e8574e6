"""Advice for a centre: start forecasts, checkpoints, queues, weights, and sites read from logs."""
