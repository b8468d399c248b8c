"""End this process when the one that started it dies, however it died.

The parent keeps the write end of our standard input open and never writes. A `kill -9` closes it
too, so the next `make up` finds its ports free. Works on Linux and macOS alike.
"""

import os
import sys
import threading


def hold() -> None:
    """Watch standard input from now on; the process ends at its end of file."""
    threading.Thread(target=_wait, daemon=True, name="lifeline").start()


def _wait() -> None:
    sys.stdin.buffer.read()
    os._exit(0)
