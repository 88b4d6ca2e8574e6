"""One call to the engine: trace and site in, replay data out."""
