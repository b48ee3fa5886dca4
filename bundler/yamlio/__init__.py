"""Strict reading and canonical writing of YAML."""
