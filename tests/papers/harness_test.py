#!/usr/bin/env python3
"""The harness judges as it says. Method: registers of made-up claims, and the real list against the real files."""
import sys
import unittest

sys.dont_write_bytecode = True

import harness
import page
from harness import Failed, NotHere, Register, Shape, Without, changed, edited, is_near, judge, judge_without, once

LISTED = {"claims": {"A1": "a text", "A2": "another"}, "no_row": {"A2": "no program"}, "known_misses": {}}


def judged(obtain, known=(), **how):
    register = Register({**LISTED, "known_misses": {row: "a reason" for row in known}})
    obtain.__doc__ = "a figure"
    register.claim("A1", **{"paper": 100, "kind": "input", **how})(obtain)
    return judge(register.claims["A1"], register)


class Judging(unittest.TestCase):
    def test_a_claim_within_its_tolerance_holds(self):
        self.assertEqual(judged(lambda: 102, within=2)["verdict"], "holds")
        self.assertEqual(judged(lambda: 98, within="2 %")["verdict"], "holds")

    def test_a_claim_out_of_its_tolerance_misses(self):
        self.assertEqual(judged(lambda: 102.1, within=2)["verdict"], "MISS")
        self.assertEqual(judged(lambda: 97.9, within="2 %")["verdict"], "MISS")
        self.assertEqual(judged(lambda: 100.001)["verdict"], "MISS")

    def test_a_known_miss_is_known_and_one_that_holds_is_reported(self):
        self.assertEqual(judged(lambda: 0, known=["A1"])["verdict"], "known")
        self.assertEqual(judged(lambda: 100, known=["A1"])["verdict"], "UNEXPECTED")

    def test_a_shape_is_judged_by_its_function(self):
        self.assertEqual(judged(lambda: Shape([3, 2], False))["verdict"], "MISS")
        row = judged(lambda: Shape([2, 3], True))
        self.assertEqual((row["verdict"], row["simulated"]), ("holds", [2, 3]))

    def test_a_program_that_fails_is_no_miss_even_of_a_known_one(self):
        def fails():
            raise Failed("exit code 70")
        row = judged(fails, known=["A1"])
        self.assertEqual(row["verdict"], "FAILED")
        self.assertIn("exit code 70", row["why"])

    def test_a_claim_that_needs_what_is_not_here_is_left_out(self):
        def lacks():
            raise NotHere("no MPI is here")
        row = judged(lacks)
        self.assertEqual((row["verdict"], row["why"]), ("left out", "no MPI is here"))

    def test_lists_and_dicts_are_compared_figure_by_figure(self):
        self.assertTrue(is_near([1, 2], [1, 3], 1))
        self.assertFalse(is_near([1, 2], [1, 3, 3], 1))
        self.assertTrue(is_near({"a": 1, "b": [5, 5]}, {"a": 1, "b": [5, 6]}, {"b": 1}))
        self.assertFalse(is_near({"a": 1, "b": 5}, {"a": 2, "b": 5}, {"b": 1}))
        self.assertFalse(is_near({"a": 1}, {"b": 1}, None))
        self.assertFalse(is_near("1", "2", None))


class Registering(unittest.TestCase):
    def refused(self, row, reason, says="a figure", **how):
        register = Register(LISTED)

        def obtain():
            return 0
        obtain.__doc__ = says
        with self.assertRaisesRegex(ValueError, reason):
            for _ in range(2):
                register.claim(row, **{"paper": 0, "kind": "input", **how})(obtain)

    def test_what_is_refused(self):
        self.refused("A3", "not among the claims")
        self.refused("A1", "claimed twice")
        self.refused("A1", "kind is 'lucky'", kind="lucky")
        self.refused("A1", "no docstring", says="")
        self.refused("A1", "names what it rests on", kind="emergent")
        self.refused("A1", "names what it rests on", kind="fitted", rests_on="chance")

    def test_each_claim_has_a_row_or_a_reason(self):
        register = Register({**LISTED, "known_misses": {"A9": "a reason"}})
        troubles = "\n".join(register.troubles_of_list())
        self.assertIn("A1 needs either a row or a reason", troubles)
        self.assertNotIn("A2", troubles)
        self.assertIn("[known_misses] has A9", troubles)

    def test_what_goes_by_the_clock_is_in_no_test_and_all_else_in_one(self):
        claims = harness.load().claims
        timed = [one for one in claims.values() if one.timed]
        self.assertIn(claims["M22"], timed)
        for one in claims.values():
            self.assertEqual([one.is_tested(slow=False), one.is_tested(slow=True)].count(True), 0 if one in timed else 1)

    def test_the_list_fits_the_files(self):
        harness.load()
        self.assertEqual(list(harness.register.troubles_of_list()), [])


class Removing(unittest.TestCase):
    LINK = Without("em4", r'^link = "1 clock"$', 'link = "7 clocks"')

    def verdict(self, read):
        register = Register(LISTED)

        def obtain():
            return read(harness._changed.get("em4"))
        obtain.__doc__ = "a figure"
        register.claim("A1", paper=1, kind="emergent", rests_on="links", removed=self.LINK)(obtain)
        ((_, trouble),) = judge_without(self.LINK, [register.claims["A1"]])
        return trouble

    def test_a_claim_that_fails_without_its_mechanism_rests_on_it(self):
        self.assertIsNone(self.verdict(lambda file: 7 if 'link = "7 clocks"' in file.read_text() else 1))

    def test_one_that_holds_without_it_is_reported(self):
        self.assertIn("does not rest on links", self.verdict(lambda file: 1))

    def test_a_pattern_must_be_found_as_often_as_said(self):
        with self.assertRaisesRegex(Failed, "0 times, expected 1"):
            edited(Without("em4", "^no such line$"))
        with self.assertRaisesRegex(Failed, "expected 1"):
            edited(Without("em4", "clocks"))

    def test_edits_come_on_top_of_what_is_removed(self):
        with changed(self.LINK):
            text = edited(Without("em4", "^pes = .*$", "pes = 7")).read_text()
        self.assertIn('link = "7 clocks"', text)
        self.assertIn("pes = 7", text)

    def test_what_was_kept_is_forgotten_while_a_file_is_changed(self):
        seen = once(lambda: "em4" in harness._changed)
        self.assertFalse(seen())
        with changed(self.LINK):
            self.assertTrue(seen())
        self.assertFalse(seen())


class Page(unittest.TestCase):
    def test_kinds_are_counted_apart_and_rows_without_programs_named(self):
        register = Register({**LISTED, "known_misses": {"A1": "a reason"}})

        def obtain():
            """a | b"""
            return 3
        register.claim("A1", paper=4, kind="fitted", added="one", differs="in all")(obtain)
        text = "\n".join(page.lines_of([judge(one, register) for one in register.claims.values()], register))
        self.assertIn("2 claims are kept; 1 of them have rows", text)
        self.assertRegex(text, r"\| fitted \| .* \| 1 \| 0 \|")
        self.assertRegex(text, r"\| emergent \| .* \| 0 \| 0 \|")
        for line in ("| A1 | a / b | fitted | 4 | 3 | exact | **no** |", "- **A1**: a reason.", "- **A1**: one.",
                     "- **A1**: in all.", "- **A2**, another: no program."):
            self.assertIn(line, text)


if __name__ == "__main__":
    unittest.main()
