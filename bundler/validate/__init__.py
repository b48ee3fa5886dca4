"""Checks of a cluster against what a recipe or bundle ships: readiness, deployment, performance."""
