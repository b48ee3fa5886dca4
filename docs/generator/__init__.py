"""Makes docs/reference (docs/generate.py)."""
