"""Ranks that mpirun has started: the first runs the program, and the others serve it from here on."""

import atexit
import os
import pathlib
import signal
import sys

from . import _native


def begin() -> None:
    """Do not return on ranks that are not the first: they end with it."""
    if _native.launched_ranks == 1:
        return
    plugins = pathlib.Path(__file__).parent / "transports"
    if "TSUBU_PLUGINS" not in os.environ and plugins.is_dir():
        _native.give_ranks([f"--tsubu-plugins={plugins}"])
    if _native.launched_rank == 0:
        # Behind whatever else the program does at its end, and behind the traceback of what has ended it.
        atexit.register(_native.end_ranks)
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nobody would look at what Python notes
    sys.stdout.flush()
    sys.stderr.flush()
    _native.serve_first_rank()
