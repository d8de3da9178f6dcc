"""What was measured, and where: the facts that every row of a run has in common."""
import datetime
import os
import platform
import re
import subprocess
from pathlib import Path

from harness.build import Failed
from harness.measure import Program, line_of


def facts(build):
    return {"machine": machine(build), "software": ", ".join(software(build)), "commit": build.commit,
            "date": datetime.date.today().isoformat()}


def machine(build):
    """2-core x86-64 VM, TSC of 2.6 GHz"""
    virtual = " VM" if "hypervisor" in Path("/proc/cpuinfo").read_text() else ""
    text = f"{os.cpu_count()}-core {platform.machine().replace('_', '-')}{virtual}"
    try:
        line = line_of(Program("peer_coroutine_queue", "--repetitions", 3).words(build))
        return f"{text}, TSC of {line['ticks_per_switch'] / line['ns_per_switch']:.2g} GHz"
    except Failed:
        return text


def software(build):
    """g++ 12.2.0, Open MPI 4.1.4, MPICH 4.0.2"""
    yield "g++" + version(["g++", "--version"], r"^g\+\+.* (\d[\d.]*)$")
    if "openmpi" in build.mpis:
        yield "Open MPI" + version(["mpirun.openmpi", "--version"], r"\((?:Open MPI|OpenRTE)\) (\S+)")
    if "mpich" in build.mpis:
        yield "MPICH" + version(["mpirun.mpich", "--version"], r"Version:\s*(\S+)")


def version(words, pattern):
    said = subprocess.run(words, capture_output=True, text=True, timeout=60).stdout
    found = re.search(pattern, said, re.MULTILINE)
    return f" {found.group(1)}" if found else ""
