"""Replays a trace under a site, and derives metrics, tables and warnings from the result."""
