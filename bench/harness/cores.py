"""How far the two cores of a row are from each other.

A virtual machine's cores are at times two of one die, and at times of two, as those of a processor of many dies always
are. What a message between them takes differs by a factor of four, so rows of the two modes are not to be compared. The
round trip of a bare ring between two threads tells which it is: it is measured before each turn, and stands beside the
row.
"""
import time

from harness.build import Failed
from harness.measure import Program, line_of

FAR_NS = 400  # from there on; 200 to 250 and 600 to 1,000 have been seen
PATIENCE_S = 1800
LOOK_EACH_S = 5


class NotCome(Exception):
    """The mode that was asked for."""


def ring_ns(build):
    return line_of(Program("peer_spsc_ring", "--blocks", 20).words(build))["round_trip_ns"]


def mode_of(nanoseconds):
    return "far" if nanoseconds >= FAR_NS else "near"


def between_cores(row):
    return row.pes > 1 and row.transport not in ("-", "sim")


class Cores:
    """`wanted`: near or far, which each turn waits for; None: any. A build without the ring measures nothing of it."""

    def __init__(self, build, wanted=None, measure=ring_ns, wait=time.sleep, patience_s=PATIENCE_S):
        self.build, self.wanted, self.measure, self.wait = build, wanted, measure, wait
        self.looks_left = patience_s // LOOK_EACH_S
        self.seen = []

    def before_turn(self, row, say):
        if not between_cores(row) or not self.build.has("peer_spsc_ring"):
            return
        found = self.measure(self.build)
        while self.wanted and mode_of(found) != self.wanted:
            if self.looks_left == 0:
                raise NotCome(f"the cores have not been {self.wanted} for so long")
            say(f"{row.title}: the cores are {mode_of(found)}, a ring takes {found:.0f} ns; waits")
            self.looks_left -= 1
            self.wait(LOOK_EACH_S)
            found = self.measure(self.build)
        self.seen.append(found)

    def take_facts(self):
        """The least and the most that the turns of a row have seen, which have ended."""
        seen, self.seen = self.seen, []
        return {"ring_ns": [round(min(seen)), round(max(seen))]} if seen else {}


class Anywhere:
    """Nobody asks how far they are."""

    def before_turn(self, row, say):
        pass

    def take_facts(self):
        return {}


def in_words(row):
    """near; far; both: of a row whose turns were."""
    if "ring_ns" not in row:
        return ""
    least, most = map(mode_of, row["ring_ns"])
    return f", {least}" if least == most else ", near and far"
