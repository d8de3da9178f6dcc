"""Promise: dearest prints the ten of a run that took longest, dearest first, and nothing of earlier runs."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).parent / "dearest"


def said(what, *texts):
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / str(number) for number, _ in enumerate(texts)]
        for file, text in zip(files, texts):
            if text is not None:
                file.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, "-B", TOOL, what, *files], check=True, capture_output=True, text=True).stdout


def log(*entries):
    return "# ninja log v5\n" + "".join("\t".join(map(str, entry)) + "\n" for entry in entries)


class Dearest(unittest.TestCase):
    def test_tests(self):
        case = '\t<testcase name="{}" classname="{}" time="{}" status="run">\n\t\t<system-out>time="9"</system-out>\n\t</testcase>\n'
        cases = "".join(case.format(name, name, seconds) for name, seconds in
                        (("b", "0.5"), ("a&lt;2&gt;", "12.25"), ("c", "0.5"), ("none", "3e-05")))
        self.assertEqual(said("tests", f"<testsuite>\n{cases}</testsuite>\n"),
                         "\nseconds, of 4 tests the dearest:\n    12.25  a<2>\n     0.50  b\n     0.50  c\n     0.00  none\n")

    def test_built_in_this_run(self):
        earlier = log((0, 9000, 1, "old.o", "aa"), (0, 100, 1, "both.o", "bb"))
        now = log((0, 200, 2, "both.o", "bb"), (0, 9000, 1, "old.o", "aa"), (50, 1550, 2, "new.o", "cc"))
        self.assertEqual(said("built", now, earlier),
                         "\nseconds, of 2 files to build the dearest:\n     1.50  new.o\n     0.20  both.o\n")

    def test_built_first(self):
        self.assertIn("     1.50  new.o\n", said("built", log((50, 1550, 2, "new.o", "cc")), None))

    def test_nothing_built(self):
        same = log((0, 9000, 1, "old.o", "aa"))
        self.assertEqual(said("built", same, same), "")

    def test_several_files_of_a_command(self):
        now = log((0, 3000, 1, "page.html", "aa"), (0, 3000, 1, "page.css", "aa"))
        self.assertEqual(said("built", now, ""), "\nseconds, of 1 files to build the dearest:\n     3.00  page.html\n")

    def test_ten(self):
        now = log(*((0, 1000 * number, 1, f"{number}.o", number) for number in range(20)))
        printed = said("built", now, "").splitlines()
        self.assertEqual((len(printed), printed[2].split(), printed[-1].split()), (12, ["19.00", "19.o"], ["10.00", "10.o"]))


if __name__ == "__main__":
    unittest.main()
