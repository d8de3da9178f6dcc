"""What is promised of each end of a job: its exit code, and what it prints. Rules, in the order of docs/run.md.

A cell is one launch of the program `ends`: an end, at a moment, on a transport with so many PEs, of some of them.
"""
import itertools
import re
import signal
from dataclasses import dataclass

RETURNS = ("return_0", "return_7", "return_own")
# Each with the code that the process itself asks for.
EXITS = {"exit_0": 0, "exit_7": 7, "quick_exit": 0, "_exit_0": 0, "_exit_7": 7, "thread_exit": 0}
SIGNALS = {"abort": signal.SIGABRT, "segv": signal.SIGSEGV, "fpe": signal.SIGFPE, "ill": signal.SIGILL,
           "bus": signal.SIGBUS, "overflow": signal.SIGSEGV, "term": signal.SIGTERM, "int": signal.SIGINT,
           "hup": signal.SIGHUP, "kill": signal.SIGKILL}
REQUESTS = ("term", "int", "hup")
ENDS = (*RETURNS, "throw", "fail", *EXITS, *SIGNALS, "deadlock", "memory", "file_size", "option")
MOMENTS = ("before", "start", "handler", "method", "barrier", "flood", "fiber", "epoch", "late", "after")
OUTSIDE = ("before", "after")  # of the job
WHO = ("first", "last", "all")
LAYOUTS = {"threads": ("1", "3"), "sim": ("1", "3"), "openmpi": ("1", "3", "2x2", "2@off", "4"),
           "mpich": ("1", "3", "2x2", "2@off", "4")}


@dataclass(frozen=True)
class Cell:
    end: str
    moment: str
    transport: str
    layout: str
    who: str

    @property
    def mpi(self) -> bool:
        return self.transport in ("openmpi", "mpich")

    @property
    def processes(self) -> int:
        return int(re.match(r"\d+", self.layout)[0]) if self.mpi else 1

    @property
    def pes(self) -> int:
        ranks, _, of_each = self.layout.partition("@")[0].partition("x")
        return int(ranks) * int(of_each or 1)

    @property
    def enders(self) -> list:
        count = self.processes if self.moment in OUTSIDE else self.pes
        return {"first": [0], "last": [count - 1], "all": list(range(count))}[self.who]

    def __str__(self):
        return f"{self.end}.{self.moment}.{self.transport}.{self.layout}.{self.who}"


@dataclass(frozen=True)
class Promise:
    code: object  # a number, one of several numbers, "not 0", or "any"
    said: str = ""  # a regular expression that a line of the output matches
    whose: str = "ours"  # who decides about the code


def makes_no_sense(cell):
    """Why there is no such cell, or None."""
    many = cell.processes if cell.moment in OUTSIDE else cell.pes
    if many == 1 and cell.who != "all":
        return "the only one is all"
    if cell.end in RETURNS and cell.moment not in ("before", "start", "barrier", "flood", "after"):
        return "only a program and main() return what is an exit code"
    if cell.end == "deadlock" and cell.moment in ("before", "late", "after"):
        return "only a task waits"
    if cell.end == "option" and cell.moment != "before":
        return "options are read as run() begins"
    if cell.moment == "barrier" and cell.who == "all":
        return "nobody would be in the barrier"
    return None


def leaves_others_in_mpi_init(cell):
    """The launcher does not ask whether a rank that ends has been there: only the ranks that wait can know."""
    if not cell.mpi or cell.moment != "before" or cell.who == "all" or cell.processes == 1:
        return False
    return own_code(cell) == 0 or (cell.transport == "mpich" and cell.end == "_exit_7")


def own_code(cell):
    """What the process itself asks for where it is not part of a job; None: it does not."""
    if cell.end == "return_own":
        return max(cell.enders) + 1
    return {"return_0": 0, "return_7": 7, "fail": 1, **EXITS}.get(cell.end)


def by_signal(cell, number, said=""):
    if cell.mpi:
        return Promise("not 0", said, "the launcher's")
    return Promise(-int(number), said)


def promised(cell) -> Promise:
    # std::terminate() prints in pieces, and a line of another thread may come in their midst: no ^ where it may run.
    if cell.moment in OUTSIDE:
        return outside(cell)
    pe = f"PE ({'|'.join(map(str, cell.enders))})"
    if cell.end == "memory":
        pe = r"PE \d+"  # another one of the process may be the next to need some
    if cell.end in RETURNS:
        if cell.moment == "barrier":
            code = own_code(cell)
            why = rf"{pe}'s program has returned {code}, and others wait" if code else "deadlock: .* not ended on \d+ of \d+ PEs"
            return Promise(code or 70, rf"^tsubu: {why}[\s\S]*PE \d+: a task waits for barrier, at .*ends\.cpp:\d+")
        return Promise(own_code(cell))
    if cell.end == "deadlock" and cell.moment == "handler":  # it is no program that waits
        return Promise(1, f"^tsubu: {pe}: a sync is destroyed while tasks wait for it")
    if cell.end == "deadlock":
        return Promise(70, rf"{pe}: .*waits for sync, at .*ends\.cpp:\d+")
    if cell.end in ("_exit_0", "_exit_7"):
        if not cell.mpi:
            return Promise(EXITS[cell.end], whose="the program's: it cannot be seen from inside")
        return Promise("any" if cell.end == "_exit_0" and cell.transport == "mpich" else "not 0", whose="the launcher's")
    if cell.end in EXITS:
        how = {"quick_exit": r"quick_exit\(\)"}.get(cell.end, rf"exit\({EXITS[cell.end]}\)")
        who = "a thread that is no PE" if cell.end == "thread_exit" else pe
        return Promise(EXITS[cell.end] or 1, rf"^tsubu: {who} leaves by {how} before the job has ended$")
    if cell.end in SIGNALS:
        return by_signal(cell, SIGNALS[cell.end], said_of_signal(cell, pe))
    if cell.moment == "late" and cell.end in ("throw", "memory"):  # a destructor may not throw: std::terminate()
        return by_signal(cell, signal.SIGABRT, f"tsubu: {pe}: SIGABRT: abort")
    if cell.end == "memory":  # the runtime itself may be the next to need some, where nothing can be thrown
        return Promise("not 0" if cell.mpi else (1, -signal.SIGABRT), f"tsubu: {pe}: .*(std::bad_alloc|SIGABRT: abort)")
    text = {"throw": "mesh 4", "fail": "arithmetic is broken",
            "file_size": "a file cannot be written: File too large"}[cell.end]
    return Promise(1, f"^tsubu: {pe}: .*{text}")


def said_of_signal(cell, who) -> str:
    if cell.end == "kill":
        return ""
    name = SIGNALS[cell.end].name
    if cell.end in REQUESTS:
        return f"^tsubu: {name} ends the job, [0-9]+ s after it began$"
    return f"^tsubu: {who}: " + ("stack overflow" if cell.end == "overflow" else name)


def outside(cell) -> Promise:
    """A process that has no part in a job yet, or none any more."""
    after = cell.moment == "after"
    if cell.end == "option":
        return Promise(2, "^tsubu: .*--tsubu-bacth.*--tsubu-batch")
    if cell.end == "file_size":
        return Promise(1, "a file cannot be written: File too large") if after else by_signal(cell, signal.SIGXFSZ)
    if cell.end in ("throw", "memory"):
        return by_signal(cell, signal.SIGABRT, "terminate called")
    if cell.end in SIGNALS:
        if not after or cell.end == "overflow":
            return by_signal(cell, SIGNALS[cell.end])  # there is no handler yet, or no stack for it any more
        return by_signal(cell, SIGNALS[cell.end], said_of_signal(cell, "a thread that is no PE"))
    if cell.mpi and after and cell.end in ("_exit_0", "_exit_7"):
        return Promise("any", whose="the launcher's")  # MPI ends as a process exits, and here it does not
    said = "^tsubu: arithmetic is broken" if cell.end == "fail" else ""
    if leaves_others_in_mpi_init(cell):
        return Promise("not 0", "^tsubu: rank [0-9]+ has waited in MPI_Init for [0-9]+ s: ", "the launcher's")
    if cell.mpi and cell.end == "return_own" and len(cell.enders) > 1:
        return Promise("not 0", said, "the launcher's")  # Open MPI's takes the first of them, MPICH's all bits
    return Promise(own_code(cell), said)


def every_cell():
    """All cells, and of those that are not: how many for each reason.

    On threads and in the simulator each end meets each moment with all numbers of PEs and all who may end; under an MPI,
    where a launch costs much, with some of them, in turns.
    """
    cells, left_out = [], {}
    for (e, end), (m, moment) in itertools.product(enumerate(ENDS), enumerate(MOMENTS)):
        for transport, layouts in LAYOUTS.items():
            able = []
            for layout, who in itertools.product(layouts, WHO):
                cell = Cell(end, moment, transport, layout, who)
                reason = makes_no_sense(cell)
                if reason:
                    left_out[reason] = left_out.get(reason, 0) + 1
                else:
                    able.append(cell)
            if transport in ("openmpi", "mpich") and able:
                first = 5 * e + 3 * m + (transport == "mpich")
                some = {able[(first + turn * 4) % len(able)] for turn in range(2)}
                able = [cell for cell in able if cell in some]
            cells += able
    return cells, left_out
