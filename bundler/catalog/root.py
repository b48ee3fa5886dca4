"""Where the packaged data lives: `bundler/data` in an installed wheel, the repository's own folders in a checkout."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FOLDERS", "packaged_root"]

FOLDERS = ("recipes", "overlays", "manifests", "schemas", "bom")


def packaged_root() -> Path:
    """The directory that holds `recipes/`, `overlays/`, `manifests/`, `schemas/` and `bom/`."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "data"
    return installed if installed.is_dir() else package.parent
