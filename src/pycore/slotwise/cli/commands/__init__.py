"""The work of each verb."""
