"""Fixture against runtime: what is measured is what ships."""
