"""The tables of README.md and docs/, made from the files of bench/results, so that a page says what was measured.

A table stands between <!-- bench:begin --> and <!-- bench:end -->. Under it stands where and when it was measured.
"""
import json

from harness import tables
from harness.build import ROOT, Failed

RESULTS = ROOT / "bench/results"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
PAGES = {"core": "docs/performance.md", "grain": "docs/message.md", "objects": "docs/object.md",
         "abcl": "docs/abcl/compiler.md", "data": "docs/data.md", "simulator": "docs/simulator.md", "users": "docs/compiling.md",
         "mpc": "docs/mpc.md", "prediction": "docs/expecting.md",
         "plans": "docs/plans.md", "collectives": "docs/remote.md", "eulash": "docs/eulash.md",
         "containers": "docs/containers.md", "sharing": "docs/sharing.md", "python": "docs/python.md"}

# The rows of README.md: suite, name, transport, and what it is in words.
README = (
    ("core", "switch", "-", "a switch from a task to the next of 1,000 on its PE"),
    ("core", "past_crowd_threads", "threads", "a past message to another thread, one of many: sent and executed"),
    ("core", "histogram_mpi", "openmpi", "bale's histogram, a message per update, 2 ranks"),
    ("core", "roundtrip_mpi", "openmpi", "a lone question and its answer, 2 ranks"),
    ("objects", "fib_vs_tbb", "threads", "a tree of concurrent objects: each created, asked and ended, one PE"),
    ("core", "cg_A_2_mpi", "openmpi", "NPB CG class A, 2 ranks"),
)


def file_of(suite):
    return RESULTS / f"{suite}.json"


def read(suite):
    return json.loads(file_of(suite).read_text())


def keep(suite, rows):
    file_of(suite).write_text(json.dumps(rows, indent=1) + "\n")


def measured(rows):
    """When and where, in a sentence for each combination that occurs."""
    said = []
    for r in rows:
        when = ", ".join(text for text in (r["date"], f"commit {r['commit']}" if r["commit"] else "") if text)
        sentence = f"Measured on a {r['machine']}, with {r['software']}{f' ({when})' if when else ''}."
        if sentence not in said:
            said.append(sentence)
    return " ".join(said)


def suite_table(suite):
    rows = read(suite)
    shown = [tables.of_suite(r for r in rows if "cell" not in r), *tables.grids(rows)]
    return "\n\n".join((*map(tables.markdown, shown), measured(rows)))


def readme_table():
    described = [(words, find(suite, name, transport)) for suite, name, transport, words in README]
    return tables.markdown(tables.of_readme(described)) + "\n\n" + measured([row for _, row in described])


def find(suite, name, transport):
    for row in read(suite):
        if (row["name"], row["transport"], row["compiler"]) == (name, transport, "g++"):
            return row
    raise Failed(f"{file_of(suite).relative_to(ROOT)} has no row {name} on {transport}; README.md needs it")


def wanted():
    """Each page with the text that it should have."""
    yield from ((page, filled(page, suite_table(suite))) for suite, page in PAGES.items())
    yield "README.md", filled("README.md", readme_table())


def filled(page, table):
    text = (ROOT / page).read_text()
    if BEGIN not in text or END not in text:
        raise Failed(f"{page} has no {BEGIN} and {END}")
    before, rest = text.split(BEGIN, 1)
    return before + BEGIN + "\n" + table + "\n" + END + rest.split(END, 1)[1]


def write():
    for page, text in wanted():
        (ROOT / page).write_text(text)


def stale():
    """The pages whose tables are not what bench/results says."""
    return [page for page, text in wanted() if (ROOT / page).read_text() != text]
