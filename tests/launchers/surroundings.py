"""What a program finds around it in these tests: the environment without traces of other launchers, and a PATH with one MPI."""
import os
import re
import shutil
from pathlib import Path

OF_LAUNCHERS = re.compile(r"(TSUBU|OMPI|OPAL|PMI|PMIX|PRTE|MPI|MPIR|I_MPI|HYDRA|SLURM)_")
OF_MPI = re.compile(r"mpi|prte|prun|orte|ompi|opal|hydra|shmem|osh")


def clean_environment(**more):
    """What is set here already may be another launcher's, or a setting."""
    kept = {name: value for name, value in os.environ.items() if not OF_LAUNCHERS.match(name)}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", **more}


def path_of_one(launchers, below):
    """A PATH that has the launchers of this folder and no other, but all that a system has otherwise."""
    tools = Path(below) / "tools"
    shutil.rmtree(tools, ignore_errors=True)
    tools.mkdir(parents=True)
    for place in ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for file in Path(place).glob("*"):
            if not OF_MPI.match(file.name) and not (tools / file.name).exists():
                (tools / file.name).symlink_to(file)
    return f"{launchers}:{tools}"
