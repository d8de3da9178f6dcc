"""Fine-grained parallel programs from Python: data that is spread over processing elements (PEs), NumPy's way.

    import numpy as np, tsubu

    with tsubu.job(pes=4) as job:
        a = job.zeros(1_000_000)
        a[np.random.randint(0, len(a), 10_000_000)] += 1.0
        print(a.max())

A job's PEs are threads of this process, beside the interpreter. What Python asks for runs on all of them, and what one
has and another needs goes from PE to PE in messages that are gathered on their way.

Under mpirun a job's PEs are its ranks: the first one runs the program, and the others serve it from this import on.
"""

from . import _ranks

_ranks.begin()  # before what is registered for the program's end, which is then done before the ranks end

from ._array import Array, Selection
from ._counter import Counter
from ._job import ClosedJobError, Job, JobError, TooLargeError, job
from ._native import version as __version__

__all__ = ["Array", "ClosedJobError", "Counter", "Job", "JobError", "Selection", "TooLargeError", "job"]
