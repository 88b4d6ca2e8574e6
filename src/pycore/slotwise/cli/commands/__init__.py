"""The implementation of each verb."""
