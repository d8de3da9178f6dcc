"""Two builds in turns: what a change of the code costs or gains.

Figures of two runs say nothing about the code between them, since the computer changes its pace meanwhile. So each row
is asked of the old and of the new build in the same minutes, who begins changing from turn to turn, and what is
reported is the ratio within the turns.
"""
import statistics

from harness.build import Failed
from harness.cores import Anywhere
from harness.row import over, spread


def compare(row, old, new, say, cores=Anywhere(), peers=False):
    """The row's figures of both builds; with `peers`, of the new one beside the best peer, too. Where the old one cannot
    answer, a row that says so."""
    figures = {old: [], new: []}
    theirs = {name: [] for name in row.peers} if peers else {}
    for turn in range(row.turns):
        cores.before_turn(row, say)
        say(f"{row.title}: turn {turn + 1} of {row.turns}")
        for build in (old, new) if turn % 2 == 0 else (new, old):
            try:
                figures[build].append(row.between(build))
            except Failed as trouble:
                if build is new:
                    raise
                return {**row.facts(), "left_out": str(trouble).splitlines()[0]}
        for name in theirs:
            theirs[name].append(row.peers[name](new))
    found = ratios(figures[old], figures[new], row.better)
    return {**row.facts(), **found, **beside(figures[new], theirs, row.better), **cores.take_facts()}


def beside(mine, theirs, better):
    """The best peer and the median of the turns' ratios to it."""
    if not theirs:
        return {}
    medians = {name: statistics.median(values) for name, values in theirs.items()}
    peer = (max if better == "higher" else min)(medians, key=medians.get)
    return {"peer": peer, "peer_ratio": statistics.median(map(over, mine, theirs[peer]))}


def ratios(old, new, better):
    """new / old: the median of the turns and how far these lie apart, and in how many of them the new one was worse."""
    each = [n / o if o else (1.0 if n == o else float("inf")) for o, n in zip(old, new)]
    worse = sum(ratio > 1 if better == "lower" else ratio < 1 for ratio in each)
    return {"old": statistics.median(old), "new": statistics.median(new), "ratio": statistics.median(each),
            "least": min(each), "most": max(each), "old_spread": spread(old), "new_spread": spread(new),
            "worse": worse, "turns": len(each)}
