"""Two builds in turns: what a change of the code costs or gains.

Figures of two runs say nothing about the code between them, since the computer changes its pace meanwhile. So each row
is asked of the old and of the new build in the same minutes, who begins changing from turn to turn, and what is
reported is the ratio within the turns.
"""
import statistics

from harness.build import Failed
from harness.row import spread


def compare(row, old, new, say):
    """The row's figures of both builds. Where the old one cannot answer, a row that says so."""
    figures = {old: [], new: []}
    for turn in range(row.turns):
        say(f"{row.title}: turn {turn + 1} of {row.turns}")
        for build in (old, new) if turn % 2 == 0 else (new, old):
            try:
                figures[build].append(row.between(build))
            except Failed as trouble:
                if build is new:
                    raise
                return {**row.facts(), "left_out": str(trouble).splitlines()[0]}
    return {**row.facts(), **ratios(figures[old], figures[new], row.better)}


def ratios(old, new, better):
    """new / old: the median of the turns and how far these lie apart, and in how many of them the new one was worse."""
    each = [n / o if o else (1.0 if n == o else float("inf")) for o, n in zip(old, new)]
    worse = sum(ratio > 1 if better == "lower" else ratio < 1 for ratio in each)
    return {"old": statistics.median(old), "new": statistics.median(new), "ratio": statistics.median(each),
            "least": min(each), "most": max(each), "old_spread": spread(old), "new_spread": spread(new),
            "worse": worse, "turns": len(each)}
