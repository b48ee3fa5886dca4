"""Growth, counted in function calls, which no busy machine can change."""

import gc
import sys


def calls(action):
    """How many functions an action calls, its own and the library's. What a collection of garbage would call is not its doing."""
    count = 0

    def profiler(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    gc.collect()
    gc.disable()
    sys.setprofile(profiler)
    try:
        action()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
