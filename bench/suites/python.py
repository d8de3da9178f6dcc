"""The Python package beside what its users have: 10^7 random indices or rows of 10^6 elements or keys, on two PEs."""
from functools import partial

from harness.measure import figure, of_one_run
from harness.row import Row

row = partial(Row, "python", transport="threads", pes=2, turns=5)


class Script:
    """bench/ours/python_arrays.py, in the environment that has the peers, with the package of a build."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def words(self, build):
        return ["env", "POLARS_MAX_THREADS=2", f"PYTHONPATH={build.python_package}", str(build.python),
                str(build.source / "bench/ours/python_arrays.py"), *self.arguments]


def python_rows(build):
    """None where the package was not built, as where PyPI was not reached."""
    if build.python_package is None:
        return
    for question, title, target in (("add", "np.add.at(a, i, v)", 1 / 1.5),
                                    ("add_float", "np.add.at(a, i, v)", 1 / 1.5), ("assign", "a[i] = v", None),
                                    ("take", "a[i]", 1 / 1.5), ("call", "1,000 calls of a[k]", None)):
        ours, numpy = of_one_run(Script(question), "ours", "numpy")
        limit = 0.005 if question == "call" else None
        yield row(f"python_{question}", "seconds", ours, {f"NumPy, {title}": numpy}, ratio_limit=target, limit=limit)
    ours, numpy, polars = of_one_run(Script("counter"), "ours", "numpy", "polars")
    yield row("python_counter", "seconds", ours, {"NumPy, unique": numpy, "Polars, 2 threads": polars}, ratio_limit=1.0)
    ours, *others = of_one_run(Script("groupby_sum"), "ours", "numpy", "pandas", "polars", "duckdb")
    names = ("NumPy, unique and add.at", "pandas", "Polars, 2 threads", "DuckDB, 2 threads")
    yield row("python_groupby_sum", "seconds", ours, dict(zip(names, others)), ratio_limit=1.0)
    for what, limit in (("import", 0.15), ("first_job", 0.1)):
        yield row(f"python_{what}", "seconds", figure(Script("start"), what), limit=limit)
