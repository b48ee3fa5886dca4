"""Checks authored data as a whole, before anyone composes from it."""
