"""Certifying nodes: the catalogue of tests, its overrides by platform and GPU architecture, and the Workflows they render to."""
