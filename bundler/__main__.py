"""`python -m bundler` is `aicr`."""

from __future__ import annotations

import sys

from bundler.cli import main

if __name__ == "__main__":
    sys.exit(main())
