"""The API of which Certifications and Workflows are kinds."""

from __future__ import annotations

__all__ = ["API_VERSION"]

API_VERSION = "nvcre.nvidia.com/v1alpha1"
