"""aicr: fabric-wired Kubernetes training bundles from a small declarative recipe."""

__version__ = "0.1.0"
