"""Authored data and how it is found."""
