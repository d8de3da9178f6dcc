#!/usr/bin/env python3
"""Promise: expect ends with 0 if a command ends and prints as was expected, with 1 and what was wrong if not, and with 2
and why if it cannot judge; and passes on all that the command prints.

    expect_test.py EXPECT
"""
import os
import subprocess
import sys
import tempfile
import unittest

EXPECT = sys.argv.pop()


class Expect(unittest.TestCase):
    def ends(self, code, said, *arguments):
        run = subprocess.run([EXPECT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30)
        self.assertEqual((run.returncode, run.stdout.decode(errors="replace")), (code, said))

    def test_exit_code(self):
        self.ends(0, "", "--", "true")
        self.ends(0, "", "--exit", "3", "--", "sh", "-c", "exit 3")
        self.ends(1, "expect: exit code 0, expected 3\n", "--exit", "3", "--", "true")
        self.ends(1, "expect: exit code 1, expected 0\n", "--", "false")

    def test_any_failure(self):
        self.ends(0, "", "--exit", "failure", "--", "false")
        self.ends(0, "", "--exit", "failure", "--", "sh", "-c", "kill -9 $$")
        self.ends(1, "expect: exit code 0, expected failure\n", "--exit", "failure", "--", "true")

    def test_signal(self):
        self.ends(0, "", "--exit", "-9", "--", "sh", "-c", "kill -9 $$")
        self.ends(1, "expect: exit code -9, expected 0\n", "--", "sh", "-c", "kill -9 $$")

    def test_output(self):
        self.ends(0, "a\nb\n", "--output", "^b$", "--", "printf", r"a\nb\n")
        self.ends(0, "a\nb", "--output", "b$", "--", "printf", r"a\nb")
        self.ends(0, "a\nb\n", "--output", "^b$", "--", "sh", "-c", "echo a; echo b >&2")
        self.ends(1, "b\nexpect: no line of the output matches 'a'\n", "--output", "a", "--", "echo", "b")

    def test_output_that_must_not_be(self):
        self.ends(0, "a\n", "--never", "b", "--", "echo", "a")
        self.ends(1, "a\nexpect: a line of the output matches '^a$'\n", "--never", "^a$", "--", "echo", "a")

    def test_lines(self):
        self.ends(0, "a\nb\nc\n", "--output", "^a\n(.*\n)*c$", "--", "printf", r"a\nb\nc\n")
        self.ends(0, "a\nb\nc\n", "--output", "a(.|\n)*c", "--", "printf", r"a\nb\nc\n")
        self.ends(1, "a\nb\nexpect: no line of the output matches 'a.*b'\n", "--output", "a.*b", "--", "printf", r"a\nb\n")

    def test_bytes_that_are_no_text(self):
        self.ends(0, "a\0\ufffd\nb\n", "--output", "^b$", "--", "printf", r"a\000\377\nb\n")

    def test_long_output(self):
        text = "".join(f"{number}\n" for number in range(1, 300001))
        self.ends(0, text, "--output", "^1\n(.*\n)*300000$", "--", "seq", "300000")
        self.ends(0, "1" * 300000, "--output", "^1+$", "--", "sh", "-c", "printf '%0300000d' 0 | tr 0 1")

    def test_input(self):
        self.ends(0, "1\n2\n", "--input", r"1\n2\n", "--output", "^2$", "--", "cat")
        self.ends(0, "", "--", "cat")
        self.ends(0, "", "--input", r"nobody reads it\n", "--", "true")

    def test_all_that_is_wrong(self):
        self.ends(1, "b\nexpect: exit code 0, expected 7\nexpect: no line of the output matches 'a'\n",
                  "--exit", "7", "--output", "a", "--", "echo", "b")

    def test_launcher_that_loses_the_output(self):
        with tempfile.TemporaryDirectory() as folder:
            launcher = os.path.join(folder, "mpirun")
            with open(launcher, "w", encoding="utf-8") as script:
                script.write(f"#!/bin/sh\ntouch {folder}/turn_$(ls {folder} | wc -l)\n"
                             f"[ $(ls {folder} | wc -l) -lt 3 ] || echo at last\nexit 1\n")
            os.chmod(launcher, 0o755)
            self.ends(0, "expect: the launcher passed on no output, turn 1\nat last\n",
                      "--exit", "1", "--output", "at last", "--", launcher)

    def test_what_cannot_be_judged(self):
        self.ends(2, "expect: ./nothing_there: No such file or directory\n", "--", "./nothing_there")
        self.ends(2, "expect: there is no option --outptu\n", "--outptu", "a", "--", "true")
        self.ends(2, "expect: no command follows --\n", "--exit", "3", "--")
        self.ends(2, "expect: no command follows --\n", "--exit", "3")
        self.ends(2, "expect: --exit has no value\n", "--exit")
        self.ends(2, "expect: 'a(b': Unmatched ( or \\(\n", "--output", "a(b", "--", "true")
        for expression in (r"\d", r"a\S", r"[\s\S]"):
            self.ends(2, f"expect: '{expression}' has a backslash before a letter or digit, which is no POSIX\n",
                      "--output", expression, "--", "true")


unittest.main()
