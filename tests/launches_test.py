#!/usr/bin/env python3
"""Promise: tests/launches makes of a table the tests that it says, chooses of them by what an entry says alone, leaves out nothing
that is promised, and refuses a wrong table with its file, the entry, what was expected there and what came."""
import importlib.machinery
import importlib.util
import itertools
import tempfile
import unittest
from pathlib import Path

LOADER = importlib.machinery.SourceFileLoader("launches", str(Path(__file__).resolve().parent / "launches"))
launches = importlib.util.module_from_spec(importlib.util.spec_from_loader("launches", LOADER))
LOADER.exec_module(launches)

LAUNCHERS = {"threads": [], "sim": [], "openmpi": ["mpirun.openmpi", "--oversubscribe"], "mpich": ["mpirun.mpich"]}


class Launches(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.table = self.folder / "tests/launches.toml"
        self.table.parent.mkdir()
        (self.table.parent / "ring.cpp").write_text('one\nat "there"\nat "here"\n')

    def entries(self, text, transports="threads sim openmpi mpich", sanitized=False):
        self.table.write_text(text)
        launchers = {name: LAUNCHERS[name] for name in transports.split()}
        build = launches.Build(self.folder, self.folder / "build", launchers, sanitized)
        return launches.chosen([self.table], build)[self.table], build

    def lines(self, text, **of):
        entries, build = self.entries(text, **of)
        return [line for entry in entries for line in entry.tests(build)]

    def chosen(self, text, **of):
        """The names of the tests that are always run, and of all."""
        lines = [line for line in self.lines(text, **of) if line.startswith("add_test")]
        return ({line.split()[1] for line in lines if not line.endswith(" CONFIGURATIONS full)")}, {line.split()[1] for line in lines})

    def refuses(self, text, said, judged=False):
        with self.assertRaises(launches.Wrong) as caught:
            entries, build = self.entries(text)
            [*itertools.chain.from_iterable(entry.tests(build) for entry in entries)]
            if judged:
                launches.judge(entries)
        self.assertEqual(str(caught.exception).replace(str(self.table), "TABLE"), said)

    # What the tests are.

    def test_commands(self):
        lines = self.lines('[[ring]]\nring = {args = "--size 3", pes = "3", every = true}')
        self.assertEqual(lines, [
            "add_test(NAME ring.threads.3 COMMAND $<TARGET_FILE:ring> --size 3 --tsubu-pes=3)",
            "tsubu_test_properties(ring.threads.3 TIMEOUT 60 LABELS threads PROCESSORS 1)",
            "add_test(NAME ring.openmpi.3 COMMAND mpirun.openmpi --oversubscribe -n 3 $<TARGET_FILE:ring> --size 3)",
            "tsubu_test_properties(ring.openmpi.3 TIMEOUT 60 LABELS mpi PROCESSORS 2 NO_LEAK_CHECK)",
            "add_test(NAME ring.mpich.3 COMMAND mpirun.mpich -n 3 $<TARGET_FILE:ring> --size 3)",
            "tsubu_test_properties(ring.mpich.3 TIMEOUT 60 LABELS mpi PROCESSORS 2 NO_LEAK_CHECK)",
            "add_test(NAME ring.sim.3 COMMAND $<TARGET_FILE:ring> --size 3 --tsubu-pes=3 --tsubu-transport=sim)",
            "tsubu_test_properties(ring.sim.3 TIMEOUT 60 LABELS sim PROCESSORS 1)"])

    def test_ranks_and_nodes(self):
        lines = self.lines('[[ring]]\nring = {pes = {mpich = "2x3 4@2 4@off"}}')[::2]
        self.assertEqual(lines, [
            "add_test(NAME ring.mpich.2x3 COMMAND mpirun.mpich -n 2 $<TARGET_FILE:ring> --tsubu-pes-per-rank=3 --tsubu-bind=off)",
            "add_test(NAME ring.mpich.4@2 COMMAND mpirun.mpich -n 4 $<TARGET_FILE:ring> --tsubu-pretended-nodes=2)",
            "add_test(NAME ring.mpich.4@off COMMAND mpirun.mpich -n 4 $<TARGET_FILE:ring> --tsubu-shared=off)"])

    def test_what_is_expected(self):
        lines = self.lines('''[[ring]]
default = {pes = {sim = "2"}}
ring = {exit = 3, timeout = 7, labels = "slow", leaks = true, properties = {FIXTURES_SETUP = "made"}}
"ring.told" = {output = '^a "b" \\(c\\)$', input = '1\\n'}
"ring.judged" = {by = "judge ${pes} 'two words'"}''')
        self.assertEqual(lines, [
            "add_test(NAME ring.sim.2 COMMAND expect --exit 3 -- $<TARGET_FILE:ring> --tsubu-pes=2 --tsubu-transport=sim)",
            "tsubu_test_properties(ring.sim.2 TIMEOUT 7 LABELS sim slow PROCESSORS 1 NO_LEAK_CHECK)",
            "set_tests_properties(ring.sim.2 PROPERTIES FIXTURES_SETUP made)",
            'add_test(NAME ring.told.sim.2 COMMAND expect --exit 0 --input [=[1\\n]=] --output [=[^a "b" \\(c\\)$]=] -- '
            "$<TARGET_FILE:ring> --tsubu-pes=2 --tsubu-transport=sim)",
            "tsubu_test_properties(ring.told.sim.2 TIMEOUT 60 LABELS sim PROCESSORS 1)",
            f"add_test(NAME ring.judged.sim.2 COMMAND ${{Python3_EXECUTABLE}} {self.table.parent}/judge 2 [=[two words]=] "
            "$<TARGET_FILE:ring> --tsubu-pes=2 --tsubu-transport=sim)",
            "tsubu_test_properties(ring.judged.sim.2 TIMEOUT 60 LABELS sim PROCESSORS 1)"])

    def test_words(self):
        lines = self.lines('''[words]
size = "--size 3"
[[ring]]
lines = {"ring.cpp" = 'at "(.*)"'}
default = {pes = {sim = "1"}, args = "${case}", output = "${line:${where}}"}
each = {where = "here there"}
"ring.${where}" = {}
"ring.${n}.${where}" = {each = [{n = "1", s = "x y"}], args = "${size} ${n} '${s}' ${build}/${name}"}''')[::2]
        run = "$<TARGET_FILE:ring>"
        self.assertEqual([line.removesuffix(" --tsubu-pes=1 --tsubu-transport=sim)") for line in lines], [
            f"add_test(NAME ring.here.sim.1 COMMAND expect --exit 0 --output 3 -- {run} here",
            f"add_test(NAME ring.1.here.sim.1 COMMAND expect --exit 0 --output 3 -- {run} --size 3 1 [=[x y]=] "
            f"{self.folder}/build/tests/ring.1.here",
            f"add_test(NAME ring.there.sim.1 COMMAND expect --exit 0 --output 2 -- {run} there",
            f"add_test(NAME ring.1.there.sim.1 COMMAND expect --exit 0 --output 2 -- {run} --size 3 1 [=[x y]=] "
            f"{self.folder}/build/tests/ring.1.there"])

    def test_a_folder_with_a_space(self):
        self.table = self.folder / "a b/launches.toml"
        self.table.parent.mkdir()
        self.assertEqual(self.lines('[[ring]]\nring = {pes = {threads = "1"}, args = "${here}/x y", simulated = false}')[0],
                         f"add_test(NAME ring.threads.1 COMMAND $<TARGET_FILE:ring> [=[{self.folder}/a b/x]=] y --tsubu-pes=1)")

    def test_words_of_cmake(self):
        self.assertEqual([launches.quoted(word) for word in ["--a=b", "a b", "a;b", "$x", "a]=]b", "\nx", "a]", "a]="]],
                         ["--a=b", "[=[a b]=]", "[=[a;b]=]", "[=[$x]=]", "[==[a]=]b]==]", "[=[\n\nx]=]", "[=[a]]=]", "[==[a]=]==]"])

    def test_program_of_the_same_name(self):
        lines = self.lines('[["${name}"]]\ndefault = {pes = {threads = "1"}, simulated = false}\nring = {}\nsieve = {when = "TARGET sieve"}')
        self.assertEqual(lines[0], "add_test(NAME ring.threads.1 COMMAND $<TARGET_FILE:ring> --tsubu-pes=1)")
        self.assertEqual(lines[2], "add_test(NAME sieve.threads.1 COMMAND $<TARGET_FILE:sieve> --tsubu-pes=1)")

    def test_condition(self):
        entries, build = self.entries('[[ring]]\nring = {when = "TARGET ring", pes = {mpich = "2"}}')
        launches.write(build, self.table, entries)
        written = (self.folder / "build/tests/launches.cmake").read_text().splitlines()
        self.assertEqual((written[1], written[-1], len(written)), ("if(TARGET ring)", "endif()", 5))

    def test_sampled(self):
        lines = self.lines('[[ring]]\nring = {pes = "1 2 1x2"}\n"ring.fails" = {exit = 1, pes = "2"}')
        sampled = {line.split("(")[1].split()[0] for line in lines if line.endswith(" SAMPLED)")}
        self.assertEqual(sampled, {f"ring.{mpi}" for mpi in ["openmpi.1", "mpich.1", "openmpi.1x2", "mpich.1x2", "fails.openmpi.2",
                                                             "fails.mpich.2"]})

    # What is always tested.

    def test_each_number_and_each_transport(self):
        for pes, least, of_mpi in [("1 2 4", 4, 2), ("2", 4, 2), ("1 2 3 5 8 16", 6, 2), ("1 2 2x2", 4, 2), ("1 3 2x2 3x2 4@2", 5, 3),
                                   ("2x2", 2, 2)]:
            for name in "abcdefgh":
                always, every = self.chosen(f'[[ring]]\n{name} = {{pes = "{pes}"}}')
                for part in 1, 2:
                    self.assertEqual({test.split(".")[part] for test in always}, {test.split(".")[part] for test in every})
                self.assertEqual((len(always), sum("mpi" in test for test in always)), (least, of_mpi), always)

    def test_no_choice_depends_on_other_entries(self):
        alone, _ = self.chosen('[[ring]]\nring = {pes = "1 2 3 2x2"}')
        among, _ = self.chosen('[[sieve]]\nsieve = {}\n[[ring]]\na = {pes = "1 2"}\nring = {pes = "1 2 3 2x2"}\nb = {}')
        self.assertEqual({test for test in among if test.startswith("ring.")}, alone)

    def test_choices_differ(self):
        names = [f"a{number}" for number in range(50)]
        always, every = self.chosen("[[ring]]\n" + "\n".join(f"{name} = {{}}" for name in names))
        met = {test.partition(".")[2] for test in always}
        self.assertEqual(met, {test.partition(".")[2] for test in every})

    def test_lists_are_chosen_of_one_by_one(self):
        always, _ = self.chosen('[[ring]]\nring = {pes = {threads = "1 2", mpich = "1 2"}}')
        self.assertEqual(len(always), 4)

    def test_what_is_asked_for(self):
        self.assertEqual(*self.chosen('[[ring]]\nring = {every = true}'))
        self.assertEqual(self.chosen('[[ring]]\nring = {full = true}')[0], set())
        always, _ = self.chosen('[[ring]]\nring = {pes = "1 2 3"}')
        for pair in ["openmpi/3", "openmpi/1"]:
            more, _ = self.chosen(f'[[ring]]\nring = {{pes = "1 2 3", also = "{pair}"}}')
            self.assertEqual(more, always | {"ring." + pair.replace("/", ".")})

    def test_refused_options(self):
        always, every = self.chosen('[[ring]]\nring = {pes = "2", exit = 2}')
        self.assertEqual(every - always, {"ring.sim.2"})
        self.assertIn("tsubu_test_properties(ring.sim.2 TIMEOUT 60 LABELS sim full PROCESSORS 1)",
                      self.lines('[[ring]]\nring = {pes = "2", exit = 2}'))

    def test_sanitizer(self):
        text = '[[ring]]\nring = {pes = "1 2 2x2"}\na = {}\nb = {sanitized = false}\n[[sieve]]\nsieve = {every = true}'
        always, every = self.chosen(text, sanitized=True)
        self.assertFalse({test for test in every if "openmpi" in test or test.startswith("b.")})
        for first in "ring", "sieve":
            self.assertEqual(sorted(test.split(".")[1] for test in always if test.startswith(first)), ["mpich", "sim", "threads"])
        self.assertEqual(sum(test.startswith("a.") for test in always), 1)
        after = self.chosen(text.replace("a = {}", "a = {}\nc = {}"), sanitized=True)[0]
        self.assertEqual(always, {test for test in after if not test.startswith("c.")})

    def test_builds_with_less(self):
        _, every = self.chosen('[[ring]]\nring = {pes = "1 2x2"}', transports="threads sim")
        self.assertEqual(every, {"ring.threads.1", "ring.sim.1"})
        self.assertEqual(self.chosen('[[ring]]\nring = {pes = {mpi = "1"}}', transports="threads"), (set(), set()))

    # What is refused.

    def test_a_pair_that_nobody_tests(self):
        ring = '[[ring]]\nring = {pes = {mpi = "2 3"}}'
        always, _ = self.chosen(ring)
        left_out = sorted({f"{mpi}/{pes}" for mpi in ["openmpi", "mpich"] for pes in "23"} -
                          {"/".join(test.split(".")[1:]) for test in always})
        self.assertEqual(len(left_out), 2)
        with self.assertRaises(launches.Wrong) as caught:
            launches.judge(self.entries(ring)[0])
        for pair in left_out:
            self.assertIn(f'none with {pair}: say also = "{pair}" in one of\n    {self.table}: "ring"', str(caught.exception))
        launches.judge(self.entries(f'[[ring]]\nring = {{pes = {{mpi = "2 3"}}, also = "{" ".join(left_out)}"}}')[0])

    def test_a_program_that_some_commits_never_launch(self):
        self.refuses('[[ring]]\nring = {pes = {mpi = "1"}, every = true}',
                     'TABLE: "ring": expected a launch that each commit runs, got only such as a third of them run: one rank, or a '
                     "failure", judged=True)

    def test_tests_of_one_name(self):
        self.refuses('[[ring]]\nring = [{pes = {sim = "1"}}, {pes = {sim = "2 1"}}]',
                     'TABLE: "ring": expected a test of its own, got ring.sim.1 once more', judged=True)

    def test_wrong_tables(self):
        keys = ", ".join(launches.KEYS)
        own = ", ".join(launches.OWN)
        for text, said in [
                ("[[ring]\n", "TABLE: expected TOML, got Expected ']]' at the end of an array declaration (at line 1, column 7)"),
                ("ring = 3", "TABLE: ring: expected groups of launches, [[ring]], got a whole number"),
                ("[ring]\nring = {}", "TABLE: ring: expected groups of launches, [[ring]], got a table"),
                ("words = 3", "TABLE: words: expected a table of texts, got 3"),
                ("[words]\nname = 'x'", f"TABLE: words: name: expected a text, of another word than {own}, got 'x'"),
                ("[default]\npse = '1'", f"TABLE: default: expected one of {keys}, got 'pse'"),
                ("[[ring]]\ndefault = {exit = true}", "TABLE: [[ring]]: default: exit: expected a whole number or a text, got True"),
                ("[[ring]]\nring = 3", 'TABLE: "ring": expected a table, got 3'),
                ("[[ring]]\nring = {arg = '1'}", f'TABLE: "ring": expected one of {keys}, got \'arg\''),
                ("[[ring]]\nring = {timeout = '60'}", 'TABLE: "ring": timeout: expected a whole number, got \'60\''),
                ("[[ring]]\nring = {pes = 3}", 'TABLE: "ring": pes: expected a text or a table, got 3'),
                ("[[ring]]\nring = {pes = '3 x2'}", 'TABLE: "ring": pes: expected numbers such as 3, 2x3, 4@2 and 4@off, got \'x2\''),
                ("[[ring]]\nring = {pes = {tcp = '3'}}",
                 'TABLE: "ring": pes: expected transports of threads, sim, openmpi, mpich, or mpi for both, got \'tcp\''),
                ("[[ring]]\nring = {pes = {mpi = 3}}", 'TABLE: "ring": pes: expected a text of numbers, got 3'),
                ("[[ring]]\nring = {exit = 'never'}", 'TABLE: "ring": exit: expected a code or "failure", got \'never\''),
                ("[[ring]]\nring = {also = 'sim/3'}", 'TABLE: "ring": also: expected a transport and a number of PEs that it has, got \'sim/3\''),
                ("[[ring]]\nring = {args = \"'a\"}", 'TABLE: "ring": expected words, got "\'a": No closing quotation'),
                ("[[ring]]\n'a b' = {}", 'TABLE: "a b": expected a name of letters, digits and _.@,+-, got \'a b\''),
                ("[[ring]]\nring = {each = [3]}", 'TABLE: "ring": each: expected a table of texts, got 3'),
                ("[[ring]]\nring = {lines = {'no.cpp' = 'x'}}", 'TABLE: "ring": lines: expected a file beside the table, got \'no.cpp\''),
                ("[[ring]]\nring = {lines = {'ring.cpp' = '('}}",
                 'TABLE: "ring": lines: expected a regular expression, got \'(\': missing ), unterminated subpattern at position 0')]:
            with self.subTest(text):
                self.refuses(text, said)

    def test_a_word_that_nobody_said(self):
        self.refuses("[[ring]]\nring = {args = '${siez}'}", 'TABLE: "ring": expected one of the words source, here, build, name, case, pes, '
                     "transport, got ${siez}")

    def test_a_table_elsewhere(self):
        (self.folder / "launches.toml").write_text("")
        with self.assertRaisesRegex(launches.Wrong, "expected a table in .*/tests, got one elsewhere"):
            [*launches.read(self.folder / "launches.toml", launches.Build(self.table.parent, self.folder, {}, False))]


if __name__ == "__main__":
    unittest.main()
