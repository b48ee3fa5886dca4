"""Criteria, layers, merge, patch and trace."""
