"""Arguments and options of each verb."""
