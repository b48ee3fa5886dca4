"""Sandboxed Jinja to Kubernetes resources."""
