"""A row: one question, asked of Tsubu and of its peers in turns.

Taking turns is what makes the ratio worth something: a virtual machine changes its pace by the minute, and what is
measured within a turn has changed alike. So the ratio is the median of the turns' ratios, not the ratio of the medians.
"""
import statistics

from harness.cores import Anywhere
from harness.measure import micro

TURNS = 7
SAME = object()  # as ours


class Row:
    """`ours` and each of `peers` measure once when called with a build.

    limit: the target, of ours; ratio_limit: the target, of the ratio to the best peer.
    between: what is measured when two builds are compared; default: ours. None: the row has nothing to compare that
    another row does not.
    cell: the words of a table, a line and a column, where pages show many rows as one table (tables.grids()).
    """

    def __init__(self, suite, name, unit, ours, peers=None, *, better="lower", limit=None, ratio_limit=None,
                 transport="-", pes=1, compiler="g++", turns=TURNS, between=SAME, cell=None):
        self.suite, self.name, self.unit, self.ours, self.peers = suite, name, unit, ours, peers or {}
        self.better, self.limit, self.ratio_limit = better, limit, ratio_limit
        self.transport, self.pes, self.compiler, self.turns = transport, pes, compiler, turns
        self.between = ours if between is SAME else between
        self.cell = cell

    @property
    def title(self):
        return f"{self.name} ({self.transport}, {self.pes} PEs, {self.compiler})"

    def facts(self):
        """What is known of it before it is measured."""
        facts = {"suite": self.suite, "name": self.name, "unit": self.unit, "better": self.better, "limit": self.limit,
                 "ratio_limit": self.ratio_limit, "compiler": self.compiler, "transport": self.transport,
                 "pes": self.pes}
        return {**facts, "cell": self.cell} if self.cell else facts

    def reached(self, ours, ratio):
        """Whether the target is; None where there is none."""
        value, bound = (ours, self.limit) if self.limit is not None else (ratio, self.ratio_limit)
        if bound is None or value is None:
            return None
        return value <= bound if self.better == "lower" else value >= bound

    def run(self, build, say, cores=Anywhere()):
        mine, theirs = [], {name: [] for name in self.peers}
        for turn in range(self.turns):
            cores.before_turn(self, say)
            say(f"{self.title}: turn {turn + 1} of {self.turns}")
            mine.append(self.ours(build))
            for name, measure in self.peers.items():
                theirs[name].append(measure(build))
        ours = statistics.median(mine)
        medians = {name: statistics.median(values) for name, values in theirs.items()}
        peer = (max if self.better == "higher" else min)(medians, key=medians.get) if medians else None
        ratio = statistics.median(map(over, mine, theirs[peer])) if peer else None
        found = {"ours": ours, "peer": peer, "peer_value": medians.get(peer), "ratio": ratio,
                 "reached": self.reached(ours, ratio), "spread": spread(mine), "turns": self.turns}
        if len(medians) > 1:
            found["peers"] = medians
        if self.unit == "ticks":
            found["core_cycles"] = ours * core_cycles_per_tick(build)
        return {**self.facts(), **found, **cores.take_facts()}


def over(mine, theirs):
    """Their ratio. In simulated time what needs nothing takes none: as long as another that takes none."""
    return 1.0 if mine == theirs else mine / theirs


def spread(values):
    middle = statistics.median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


_cycles = []


def core_cycles_per_tick(build):
    """How many cycles of a core pass in a tick of the TSC; measured once."""
    if not _cycles:
        _cycles.append(statistics.median(micro("core_clock", "cycles_per_tick")(build) for _ in range(TURNS)))
    return _cycles[0]
