"""Ranks that mpirun has started: the first runs the program, and the others serve it from here on."""

import atexit
import os
import pathlib
import signal
import sys

from . import _native


# A program that a rank starts has the launcher's variables, too, and is no rank.
_OF_PROCESS = "_TSUBU_RANK_OF_PROCESS"


def begin() -> None:
    """Do not return on ranks that are not the first: they end with it."""
    if _native.launched_ranks == 1 or os.environ.setdefault(_OF_PROCESS, str(os.getpid())) != str(os.getpid()):
        return
    plugins = pathlib.Path(__file__).parent / "transports"
    if "TSUBU_PLUGINS" not in os.environ and plugins.is_dir():
        _native.use_ranks([f"--tsubu-plugins={plugins}"])
    else:
        _native.use_ranks([])
    if _native.launched_rank == 0:
        # Behind whatever else the program does at its end, and behind the traceback of what has ended it.
        atexit.register(_native.end_ranks)
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nobody would look at what Python notes
    sys.stdout.flush()
    sys.stderr.flush()
    _native.serve_first_rank()
