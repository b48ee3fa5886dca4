"""Frozen values that travel between stages."""
