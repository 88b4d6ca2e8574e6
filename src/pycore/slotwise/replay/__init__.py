"""One call of the engine: trace and site in, replay data out."""
