"""Site files in TOML: read, checked and written."""
