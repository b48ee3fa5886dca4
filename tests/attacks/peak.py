"""How much memory this process has taken at its largest."""

import re
import resource
import sys
from pathlib import Path

__all__ = ["peak"]


def peak():
    """The bytes that were resident at most since this program began.

    Linux hands `ru_maxrss` on from the process that forked, so a child of a large test run would be told its parent's size.
    """
    status = Path("/proc/self/status")
    if status.exists() and (found := re.search(r"^VmHWM:\s+(\d+) kB$", status.read_text(), re.MULTILINE)):
        return int(found[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
