"""Rows as tables: columns for a terminal, Markdown for a page."""
from harness.cores import in_words

HEAD = ("what", "Tsubu", "peer", "of the peer", "ratio", "target", "reached", "spread", "on")
README_HEAD = ("what", "Tsubu", "peer", "ratio", "target", "reached")
AGAINST_HEAD = ("what", "old", "new", "new / old", "least to most", "worse in", "spread, old and new", "new / peer", "on")


def show(value, unit):
    """A figure with its unit: 16.2 ticks, 344 M updates/s, 16 MiB."""
    if value is None:
        return "-"
    if unit == "bytes":
        return f"{value / (1 << 20):.4g} MiB" if value >= 1 << 20 else f"{value:.5g} bytes"
    return f"{short(value)} {unit}"


def short(value):
    for scale, letter in ((1e9, " G"), (1e6, " M")):
        if abs(value) >= scale:
            return f"{value / scale:.3g}{letter}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def target(row):
    sign = "<=" if row["better"] == "lower" else ">="
    if row["limit"] is not None:
        return f"{sign} {show(row['limit'], row['unit'])}"
    return f"{sign} {row['ratio_limit']:g} x peer" if row["ratio_limit"] is not None else "-"


def place(row):
    if row["transport"] == "-":
        return row["compiler"] if row["pes"] == 1 else f"{row['pes']} PEs"
    return f"{row['transport']}, {row['pes']} PE{'s' if row['pes'] > 1 else ''}{in_words(row)}"


def ours(row):
    cycles = f" ({row['core_cycles']:.1f} core cycles)" if "core_cycles" in row else ""
    return show(row["ours"], row["unit"]) + cycles


def ratio(row):
    return f"{row['ratio']:.2f}" if row["ratio"] is not None else "-"


def reached(row):
    return {True: "yes", False: "no", None: "-"}[row["reached"]]


def of_suite(rows):
    yield HEAD
    for r in rows:
        if "left_out" in r:
            yield (r["name"], "not measured", "-", "-", "-", target(r), "-", "-", place(r))
            continue
        yield (r["name"], ours(r), r["peer"] or "-", show(r["peer_value"], r["unit"]), ratio(r), target(r), reached(r),
               f"{r['spread']:.2f}", place(r))


def grids(rows):
    """A table for each that cells name: a line and a column for each name, with the ratio, or the figure without its
    unit where there is no peer."""
    for table in dict.fromkeys(r["cell"][0] for r in rows if "cell" in r):
        cells = {tuple(r["cell"][1:]): r for r in rows if "cell" in r and r["cell"][0] == table}
        columns = list(dict.fromkeys(column for _, column in cells))
        lines = [(table, *columns)]
        for line in dict.fromkeys(line for line, _ in cells):
            found = (cells.get((line, column)) for column in columns)
            lines.append((line, *("-" if r is None else ratio(r) if r["peer"] else short(r["ours"]) for r in found)))
        yield lines


def of_readme(described):
    """A table of rows with what they are in words."""
    yield README_HEAD
    for words, r in described:
        peer = f"{r['peer']}: {show(r['peer_value'], r['unit'])}" if r["peer"] else "-"
        yield (words, show(r["ours"], r["unit"]), peer, ratio(r), target(r), reached(r))


def of_comparison(rows):
    yield AGAINST_HEAD
    for r in rows:
        if "left_out" in r:
            yield (r["name"], "left out", "-", "-", "-", "-", "-", "-", place(r))
            continue
        yield (r["name"], show(r["old"], r["unit"]), show(r["new"], r["unit"]), f"{r['ratio']:.3f}",
               f"{r['least']:.2f} to {r['most']:.2f}", f"{r['worse']} of {r['turns']}",
               f"{r['old_spread']:.2f}, {r['new_spread']:.2f}",
               f"{r['peer_ratio']:.2f} ({r['peer']})" if "peer_ratio" in r else "-", place(r))


def markdown(lines):
    head, *body = ("| " + " | ".join(line) + " |" for line in lines)
    return "\n".join((head, "|" + "---|" * (head.count(" | ") + 1), *body))


def plain(lines):
    lines = list(lines)
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in lines)
