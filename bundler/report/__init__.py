"""Findings and changes to text and machine formats."""
