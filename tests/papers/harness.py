"""A claim of a paper stands beside the function that obtains it, and is judged here.

    @claim("A1", paper=164, within=2, kind="input")
    def created_and_asked():
        "clocks of a level: created and asked"
        return counter()["create_and_now_ticks"]

The files beside this one hold the claims, one file for each machine; claims.toml lists all claims that we keep, those
that have no row yet, and the misses that are known. `run` runs them, page.py writes the page.
"""
import contextlib
import dataclasses
import functools
import importlib
import json
import re
import resource
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

KINDS = {
    "input": "its figures are the machine file's or the program's declared ones; the row shows that they add up",
    "recomputed": "arithmetic on the paper's own figures; nothing is run",
    "fitted": "a free figure was chosen so that it holds; the row shows that the choice is still met",
    "emergent": "it comes out of running; the row names the mechanism without which it fails",
}


class Failed(Exception):
    """A claim could not be obtained: a program failed, or said what nobody expected."""


class NotHere(Exception):
    """A claim needs what is not installed here: it is left out, and neither holds nor misses."""


# ---- registration --------------------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Without:
    """A machine's file with a mechanism removed: the pattern, which is there so many times, is replaced."""
    machine: str
    pattern: str
    replacement: str = ""
    times: int = 1


@dataclasses.dataclass(frozen=True)
class Shape:
    """What a function returns where the paper has no figure to be near: what was seen, and whether it has the shape."""
    seen: object
    holds: bool


@dataclasses.dataclass(frozen=True)
class Claim:
    row: str            # "A17", or "A17.curve" where an id has several rows
    machine: str        # the file that has it
    says: str           # the function's docstring
    paper: object
    kind: str
    within: object      # None: equal. A number, "5 %", or a dict of them by the figure's name
    allowed: str        # what `within` cannot say
    rests_on: str       # of an emergent claim: the mechanism
    removed: object     # with this Without, or a tuple of them, the claim must fail; None: not tested
    added: str          # what of the row is not observed, but added by its function
    differs: str        # where it is judged otherwise than the list of claims says
    slow: bool          # left out of a quick run
    timed: bool         # by this computer's clock: what else it does can change the verdict, so that no test judges it
    obtain: object

    @property
    def id(self):
        return self.row.split(".")[0]

    def is_tested(self, slow):
        """Whether a test runs it: the usual ones those that are quick, the whole product those that are slow."""
        return self.slow == slow and not self.timed


def pairs_of(paper, within):
    return within if isinstance(within, dict) else {key: within for key in paper}


def tolerance_text(within):
    if within is None:
        return "exact"
    if isinstance(within, dict):
        return ", ".join(f"{key} {value}" for key, value in within.items()) + "; else exact"
    return str(within)


class Register:
    """The claims of some files, and what claims.toml says of them."""

    def __init__(self, listed):
        self.texts = listed.get("claims", {})
        self.no_row = listed.get("no_row", {})
        self.known = listed.get("known_misses", {})
        self.claims = {}

    def claim(self, row, *, paper, kind, within=None, allowed="", rests_on="", removed=None, added="", differs="",
              slow=False, timed=False):
        """Registers the decorated function as that which obtains the row's figures."""
        def register(function):
            one = Claim(row, function.__module__, (function.__doc__ or "").strip(), paper, kind, within,
                        allowed or tolerance_text(within), rests_on, removed, added, differs, slow, timed,
                        function)
            trouble = self.trouble_of(one)
            if trouble:
                raise ValueError(f"{row}: {trouble}")
            self.claims[row] = one
            return function
        return register

    def trouble_of(self, one):
        if one.id not in self.texts:
            return "is not among the claims of claims.toml"
        if one.row in self.claims:
            return "is claimed twice"
        if one.kind not in KINDS:
            return f"kind is {one.kind!r}, expected one of {', '.join(KINDS)}"
        if not one.says:
            return "has no docstring that says what it shows"
        if (one.kind == "emergent") != bool(one.rests_on):
            return "an emergent claim names what it rests on, and no other does"
        if one.removed and one.kind != "emergent":
            return "only an emergent claim has a mechanism to remove"
        return None

    def troubles_of_list(self):
        """What claims.toml says that the files do not, and the other way round."""
        with_row = {one.id for one in self.claims.values()}
        for name in self.texts:
            if (name in with_row) == (name in self.no_row):
                yield f"{name} needs either a row or a reason in [no_row], not both"
        yield from (f"[no_row] has {name}, which is no claim" for name in self.no_row if name not in self.texts)
        yield from (f"[known_misses] has {name}, which is no row" for name in self.known if name not in self.claims)


MACHINES = ["em4", "em4_compiled", "anet", "attempt0", "emx", "mpc", "presto"]  # the files with claims

register = Register(tomllib.loads((Path(__file__).parent / "claims.toml").read_text()))
claim = register.claim


def load():
    """Registers the claims of all machines."""
    for machine in MACHINES:
        importlib.import_module(machine)
    return register


# ---- judging -------------------------------------------------------------------------------------------------------

def is_near(paper, seen, within):
    if isinstance(paper, dict):
        limits = pairs_of(paper, within)
        return list(paper) == list(seen) and all(is_near(paper[key], seen[key], limits.get(key)) for key in paper)
    if isinstance(paper, (list, tuple)):
        return len(paper) == len(seen) and all(is_near(a, b, within) for a, b in zip(paper, seen))
    if within is None or isinstance(paper, str):
        return paper == seen
    if isinstance(within, str):
        return abs(seen - paper) <= float(within.removesuffix("%")) / 100 * abs(paper)
    return abs(seen - paper) <= within


def judge(one, register=register):
    """The claim's row. verdict: holds, known (a miss that is listed), MISS, UNEXPECTED (a listed one holds), FAILED,
    left out (it needs what is not here)."""
    row = {"row": one.row, "machine": one.machine, "claim": one.says, "kind": one.kind, "paper": one.paper,
           "allowed": one.allowed}
    try:
        seen = one.obtain()
        if isinstance(seen, Shape):
            seen, holds = seen.seen, bool(seen.holds)
        else:
            holds = is_near(one.paper, seen, one.within)
    except NotHere as error:
        return {**row, "simulated": None, "verdict": "left out", "why": str(error)}
    except (Failed, IndexError, KeyError, TypeError, ValueError, StopIteration) as error:
        return {**row, "simulated": None, "verdict": "FAILED", "why": f"{type(error).__name__}: {error}"}
    verdict = {(True, False): "holds", (False, False): "MISS", (False, True): "known",
               (True, True): "UNEXPECTED"}[holds, one.row in register.known]
    return {**row, "simulated": seen, "verdict": verdict}


def judge_without(removed, claims):
    """Runs the claims that have this removed. Each must fail; yields it and None, or what happened instead."""
    with changed(*removed if isinstance(removed, tuple) else [removed]):
        for one in claims:
            row = judge(one)
            failed = row["verdict"] in ("MISS", "known", "left out")
            yield one, None if failed else (f"{one.row} does not rest on {one.rests_on}: without it the row says "
                                            f"{row['simulated']} ({row['verdict']}) {row.get('why', '')}")


# ---- running programs ----------------------------------------------------------------------------------------------

bin_folder = ROOT / "build/release/bin"
_scratch = tempfile.TemporaryDirectory()
_changed = {}  # by a machine's name: the file in its place
_caches = []


def once(function):
    """A function whose result is kept until a machine's file is changed."""
    cached = functools.cache(function)
    _caches.append(cached)
    return cached


def edited(*edits):
    """The path of a copy of the machine's file, or of what is in its place, with these edits."""
    machine = edits[0].machine
    text = _changed.get(machine, ROOT / "machines" / f"{machine}.toml").read_text()
    for edit in edits:
        text, found = re.subn(edit.pattern, edit.replacement, text, flags=re.MULTILINE)
        if found != edit.times:
            raise Failed(f"machines/{machine}.toml has {edit.pattern!r} {found} times, expected {edit.times}")
    file = Path(tempfile.mkdtemp(dir=_scratch.name)) / f"{machine}.toml"
    file.write_text(text)
    return file


@contextlib.contextmanager
def changed(*edits):
    """Runs what follows on the machine's file, or on what is in its place, with these edits."""
    def forget():
        for cached in _caches:
            cached.cache_clear()

    machine = edits[0].machine
    before = dict(_changed)
    forget()
    _changed[machine] = edited(*edits)
    try:
        yield
    finally:
        _changed.clear()
        _changed.update(before)
        forget()


def output_of(*command):
    """What a command prints that must end well."""
    return ended_well(*command).stdout


def ended_well(*command):
    command = [str(word) for word in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failed(f"{error}; is it built?") from None
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done


def run(machine, pes, program, *words, launcher=(), **files):
    """What the program prints on so many PEs of that machine; None: on this computer. files: trace=, report=."""
    return output_of(*words_of(machine, pes, program, *words, launcher=launcher, **files))


def accounts_of(machine, pes, program, *words):
    """What --tsubu-stats says at the end of a run."""
    return ended_well(*words_of(machine, pes, program, *words, "--tsubu-stats")).stderr


def words_of(machine, pes, program, *words, launcher=(), **files):
    command = [*launcher, bin_folder / program, *words]
    if machine is not None:
        command += ["--tsubu-transport=sim", f"--tsubu-machine={_changed.get(machine, machine)}"]
    if not launcher:
        command.append(f"--tsubu-pes={pes}")
    return [*command, *(f"--tsubu-{name}={file}" for name, file in files.items())]


run_once = once(run)


def preprocessor():
    command = bin_folder / "eulash"
    if not command.exists():
        raise NotHere("the command eulash is not built: it needs Clang as a library")
    return command


def explained(program):
    """What the preprocessor says of that threads program of the project's."""
    return ended_well(preprocessor(), "explain", ROOT / program).stdout


def generated(program, folder, *words):
    """The folder gets the program as `placed`. The source that was made for it, and the words that compile that."""
    said = ended_well(preprocessor(), "cc", "-O2", ROOT / program, "-o", folder / "placed", "--keep", folder, "--verbose", *words)
    return next(Path(folder).glob("*.eulash.c")), shlex.split((said.stdout + said.stderr).strip().splitlines()[-1])


def processor_seconds():
    """What the programs have taken so far of this computer's processors."""
    of = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of.ru_utime + of.ru_stime


def launchers(ranks=2):
    """How to start so many ranks on each MPI that is here and was built for, by name."""
    mpis = {"openmpi": f"mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -n {ranks}",
            "mpich": f"mpirun.mpich -n {ranks}"}
    plugins = bin_folder.parent / "lib/tsubu"
    return {name: command.split() for name, command in mpis.items()
            if (plugins / f"tsubu-transport-{name}.so").exists() and shutil.which(command.split()[0])}


def on_each_mpi(obtain):
    """What obtain(launcher) gives on each MPI that is here, by name, for 2 ranks."""
    found = {name: obtain(launcher) for name, launcher in launchers().items()}
    if not found:
        raise NotHere("no MPI is here")
    return found


def run_with(kind, machine, pes, program, *words):
    """What the program prints, and the JSON of its trace or report."""
    with tempfile.TemporaryDirectory(dir=_scratch.name) as folder:
        file = Path(folder) / f"{kind}.json"
        text = run(machine, pes, program, *words, **{kind: file})
        return text, json.loads(file.read_text())


def of_each_pe(report, column):
    return [pe[report["columns"].index(column)] for pe in report["of_pes"]]


def json_line(text):
    """The program's --json line; its answer must verify."""
    for line in reversed(text.splitlines()):
        if line.startswith("{"):
            result = json.loads(line)
            if result.get("verified") is False:
                raise Failed(f"{result.get('program')}: its answer does not verify")
            return result
    raise Failed("no JSON line")


ROW = re.compile(r"^ROW (\S+) \| (.*?) \| (.*?) \| (.*?) \| (.*)$")


def printed(row, runs):
    """What programs print of a row, "ROW id | what | paper | ours | verdict", by what it is, over these runs.

    A program that finds its own row not reproduced ends with another exit code, so that run() fails."""
    found = {}
    for machine, pes, program, *words in runs:
        for match in map(ROW.match, run_once(machine, pes, program, *words).splitlines()):
            if match and match[1] == row:
                what = re.sub(r"^table \d: |, \d+ (nodes|PEs)\b.*$|, each node$", "", match[2].strip())
                found.setdefault(what, []).append(number_if_one(match[4].strip()))
    if not found:
        raise Failed(f"{row}: no program printed it")
    return found


def number_if_one(text):
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    return text
