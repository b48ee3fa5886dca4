"""Kubernetes vocabulary: resources, quantities, names, images."""
