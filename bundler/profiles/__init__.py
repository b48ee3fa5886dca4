"""Axes, selection, parameters and owned paths."""
