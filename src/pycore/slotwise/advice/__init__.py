"""Tools that answer a centre's own questions."""
