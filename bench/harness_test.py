"""Promises of bench/run: who is the best peer, what a ratio is, how two builds take turns, what counts as an answer."""
import contextlib
import json
import re
import unittest
import unittest.mock
from pathlib import Path

from harness import against, pages, tables
from harness.build import Failed
from harness.cores import Cores, NotCome, in_words
from harness.measure import Program, line_of, named, of_one_run
from harness.row import Row
from suites import SUITES

FACTS = {"machine": "2-core VM", "software": "g++ 12", "commit": "", "date": ""}


def say(_):
    pass


def in_turn(*values):
    """A measurement that gives these figures one after the other."""
    left = list(values)
    return lambda build: left.pop(0)


class Here:
    """A build that has every program."""

    mpis = ("openmpi", "mpich")
    by_clang = None
    python_package = Path("/nowhere/package")
    python = Path("/nowhere/python")

    def has(self, _):
        return True


class Rows(unittest.TestCase):
    def test_the_ratio_is_the_median_of_the_turns(self):
        row = Row("core", "x", "ns", in_turn(10, 40, 30), {"slow": in_turn(90, 90, 90), "fast": in_turn(10, 20, 60)},
                  ratio_limit=1.0, turns=3)
        found = row.run(None, say)
        self.assertEqual((found["ours"], found["peer"], found["peer_value"]), (30, "fast", 20))
        self.assertEqual(found["ratio"], 1.0, "of 1, 2 and 0.5")
        self.assertTrue(found["reached"])

    def test_the_best_peer_of_a_rate_is_the_highest(self):
        row = Row("core", "x", "reads/s", in_turn(50), {"a": in_turn(40), "b": in_turn(100)}, better="higher",
                  ratio_limit=0.8, turns=1)
        found = row.run(None, say)
        self.assertEqual((found["peer"], found["ratio"], found["reached"]), ("b", 0.5, False))

    def test_without_a_target_nothing_is_reached(self):
        self.assertIsNone(Row("core", "x", "ns", in_turn(1), turns=1).run(None, say)["reached"])

    def test_each_row_of_a_suite_has_a_name_of_its_own(self):
        for suite, rows_of in SUITES.items():
            keys = [(row.name, row.transport, row.pes, row.compiler) for row in rows_of(Here())]
            self.assertEqual(len(keys), len(set(keys)), suite)


class HowFarTheCoresAre(unittest.TestCase):
    row = Row("core", "x", "ns", lambda _: 1.0, transport="threads", pes=2, turns=3)

    def test_stands_beside_the_row(self):
        found = self.row.run(None, say, Cores(Here(), measure=in_turn(240, 210.4, 220)))
        self.assertEqual(found["ring_ns"], [210, 240])
        self.assertIn("2 PEs, near", tables.plain(tables.of_suite([found])))
        self.assertEqual(in_words({"ring_ns": [210, 900]}), ", near and far")

    def test_is_nothing_to_one_pe_or_a_simulated_one(self):
        for transport, pes in (("threads", 1), ("sim", 8), ("-", 2)):
            row = Row("core", "x", "ns", lambda _: 1.0, transport=transport, pes=pes, turns=1)
            self.assertNotIn("ring_ns", row.run(None, say, Cores(Here(), "far", measure=in_turn())))

    def test_a_turn_waits_for_the_mode(self):
        waited = []
        cores = Cores(Here(), "far", measure=in_turn(200, 210, 900, 800, 220, 700), wait=waited.append)
        self.assertEqual(self.row.run(None, say, cores)["ring_ns"], [700, 900])
        self.assertEqual(len(waited), 3)

    def test_a_mode_that_does_not_come_is_not_waited_for_without_end(self):
        cores = Cores(Here(), "far", measure=lambda _: 200, wait=say, patience_s=10)
        with self.assertRaises(NotCome):
            self.row.run(None, say, cores)
        left_out = {**self.row.facts(), "left_out": "why"}
        self.assertIn("not measured", tables.plain(tables.of_suite([left_out])))


class TwoBuilds(unittest.TestCase):
    def test_peers_take_part_where_they_are_asked_for(self):
        row = Row("core", "x", "ns", lambda build: {"old": 4.0, "new": 3.0}[build],
                  {"slow": in_turn(9.0, 9.0), "fast": in_turn(1.5, 1.0)}, turns=2)
        found = against.compare(row, "old", "new", say, peers=True)
        self.assertEqual((found["peer"], found["peer_ratio"], found["ratio"]), ("fast", 2.5, 0.75))
        self.assertIn("2.50 (fast)", tables.plain(tables.of_comparison([found])))

    def test_take_turns_and_change_who_begins(self):
        asked = []
        row = Row("core", "x", "ns", lambda build: asked.append(build) or 1.0, turns=3)
        against.compare(row, "old", "new", say)
        self.assertEqual(asked, ["old", "new", "new", "old", "old", "new"])

    def test_ratio_is_new_to_old(self):
        figures = {"old": [10.0, 20.0, 10.0], "new": [11.0, 10.0, 12.0]}
        row = Row("core", "x", "ns", lambda build: figures[build].pop(0), turns=3)
        found = against.compare(row, "old", "new", say)
        self.assertAlmostEqual(found["ratio"], 1.1)
        self.assertEqual((found["old"], found["new"], found["worse"], found["least"]), (10, 11, 2, 0.5))

    def test_less_is_worse_of_a_rate(self):
        self.assertEqual(against.ratios([10, 10], [9, 12], "higher")["worse"], 1)

    def test_what_the_old_one_cannot_do_is_left_out(self):
        def measure(build):
            if build == "old":
                raise Failed("bench_x: no such program\nmore")
            return 1.0

        found = against.compare(Row("core", "x", "ns", measure), "old", "new", say)
        self.assertEqual(found["left_out"], "bench_x: no such program")
        self.assertIn("left out", tables.plain(tables.of_comparison([found])))

    def test_what_the_new_one_cannot_do_fails(self):
        def measure(build):
            if build == "new":
                raise Failed("broken")
            return 1.0

        with self.assertRaises(Failed):
            against.compare(Row("core", "x", "ns", measure), "old", "new", say)


class Answers(unittest.TestCase):
    def said(self, text):
        return line_of(["printf", "%s\\n", text])

    def test_the_last_line_of_json_counts(self):
        self.assertEqual(self.said('{"a":1}\n{"a":2}\nend')["a"], 2)

    def test_an_answer_must_verify_where_it_says_so(self):
        self.assertEqual(self.said('{"a":1,"verified":true}')["a"], 1)
        for verdict in ("false", "null"):
            with self.assertRaises(Failed):
                self.said(f'{{"a":1,"verified":{verdict}}}')

    def test_no_line_is_a_failure(self):
        with self.assertRaises(Failed):
            self.said("seconds 3")
        with self.assertRaises(Failed):
            line_of(["/nowhere/bench_x"])

    def test_a_figure_may_have_had_another_name(self):
        self.assertEqual(named({"seconds": 3}, ("seconds_of_pe_0", "seconds")), 3)
        self.assertEqual(named({"seconds": 3, "seconds_of_pe_0": 2}, ("seconds_of_pe_0", "seconds")), 2)
        with self.assertRaises(Failed):
            named({"name": "x"}, "seconds")

    def test_two_figures_of_one_run_are_of_the_same_run(self):
        class Clock:
            """A program that says another figure each time."""

            runs = 0

            def words(self, _):
                self.runs += 1
                return ["printf", "%s\\n", f'{{"mine":{self.runs},"theirs":{10 * self.runs}}}']

        mine, theirs = of_one_run(Clock(), "mine", "theirs")
        found = Row("core", "x", "ns", mine, {"peer": theirs}, ratio_limit=1.0, turns=3).run("build", say)
        self.assertEqual((found["ours"], found["peer_value"], found["ratio"]), (2, 20, 0.1))

    def test_a_program_is_started_in_the_build_that_is_asked(self):
        class Tree:
            def program(self, name):
                return f"/tree/bin/{name}"

        self.assertEqual(Program("a", "-n", 2, lambda of: of.program("b")).words(Tree()),
                         ["/tree/bin/a", "-n", "2", "/tree/bin/b"])


class Asked(Here):
    """A build that is only asked for programs: it writes down which, and has none."""

    source = Path("/nowhere")

    def __init__(self):
        self.names = set()

    def program(self, name):
        self.names.add(name)
        raise Failed(f"{name} is not here")


class Suites(unittest.TestCase):
    def test_dev_builds_the_programs_that_rows_start(self):
        """Where only some of a tree was built, a suite stops in its midst. What bench/ has is built whole."""
        dev = (Path(__file__).parent.parent / "dev").read_text()
        built = set(re.search(r"build release bench/all ((\\\n|.)*)", dev).group(1).replace("\\", "").split())
        of_targets = {"cg", "is", "tsubu", "abcl", "hello"}  # tsubu_demo, tsubu_command, bench/all
        of_targets |= {f"acceptance.nwrite{mpi}" for mpi in ("", "_openmpi", "_mpich")}  # nwrite_programs
        of_targets |= {"eulash"}  # bench_eulash
        build = Asked()
        # Neither processes beside nor servers.
        with unittest.mock.patch("os.cpu_count", return_value=0), unittest.mock.patch("shutil.which", return_value=None):
            for suite in SUITES.values():
                try:
                    for row in suite(build):
                        for measure in (row.ours, *row.peers.values()):
                            # KeyError: a figure of a run of ours, which there was none of.
                            with contextlib.suppress(Failed, KeyError):
                                measure(build)
                except Failed:
                    continue  # it asks for a program before its first row
        names = {str(name) for name in build.names if not str(name).startswith(("bench_", "peer_"))}
        self.assertIn("histogram", names)
        self.assertEqual(names - built - of_targets, set())


class Tables(unittest.TestCase):
    def test_figures_have_units(self):
        for value, unit, text in ((16.23, "ticks", "16.2 ticks"), (3.4428e8, "updates/s/PE", "344 M updates/s/PE"),
                                  (1 << 24, "bytes", "16 MiB"), (160.236, "bytes", "160.24 bytes"), (None, "ns", "-")):
            self.assertEqual(tables.show(value, unit), text)

    def test_rows_with_cells_become_a_table(self):
        rows = [Row("core", f"{line}_{column}", "%", lambda build, v=value: v, peers, turns=1,
                    cell=("hits", line, column)).run("build", say)
                for line, column, value, peers in (("fib", "last", 46.72, {}), ("fib", "trace", 3.0, {"off": lambda _: 4.0}),
                                                   ("cg", "trace", 99.0, {}))]
        rows.append(Row("core", "plain", "%", lambda build: 1.0, turns=1).run("build", say))
        self.assertEqual(list(tables.grids(json.loads(json.dumps(rows)))),
                         [[("hits", "last", "trace"), ("fib", "46.7", "0.75"), ("cg", "-", "99")]])

    def test_where_it_was_measured_is_said_once(self):
        self.assertEqual(pages.measured([FACTS, FACTS]), "Measured on a 2-core VM, with g++ 12.")
        other = {**FACTS, "commit": "abc", "date": "2026-11-22"}
        self.assertEqual(pages.measured([FACTS, other]).count("Measured"), 2)
        self.assertIn("(2026-11-22, commit abc)", pages.measured([other]))


if __name__ == "__main__":
    unittest.main()
