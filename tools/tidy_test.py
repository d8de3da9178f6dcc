"""Promise: tidy accepts a clean tree, and names file and line of each thing left behind."""
import subprocess
import tempfile
import unittest
from pathlib import Path

from bad_tree import load, run

CLEAN = {
    "tsubu/base/CMakeLists.txt": "# Example:\n#   tsubu_floor(x)\ntsubu_floor(base SOURCES pool.cpp TESTS pool_test.cpp)\n",
    "tsubu/base/pool.hpp": "// Gives back what it took: p = take() is undone by give(p).\n"
                           "//   auto p = take_block(3);\n#pragma once\nvoid take_block(int); // see f();\n",
    "tsubu/base/pool.cpp": '#include "tsubu/base/pool.hpp"\n// 0 = idle, 1 = running; otherwise a task.\n'
                           'auto now = std::chrono::steady_clock::now();\nconst char* option = "--tsubu-pes";\n',
    "tsubu/base/pool_test.cpp": '#include "tsubu/base/pool.hpp"\n',
    "tsubu/tsubu.hpp": '#include "tsubu/base/pool.hpp"\n',
    "dev": "verb_demo() {\n  true\n}\n",
    "README.md": "`tsubu/base/pool.hpp`, `take_block(3)`, `--tsubu-pes`, `TSUBU_PES=4`, `./dev demo`, `std::max()`,\n"
                 "[the pool](tsubu/base/pool.hpp), a `word`, `a = b`\n",
}


class Tidy(unittest.TestCase):
    def objects(self, name, text, where, reason):
        code, output = run("tidy", {**CLEAN, name: text})
        self.assertEqual(code, 1, output)
        self.assertRegex(output, where + r".*" + reason)
        self.assertEqual(len(output.splitlines()), 1, output)

    def test_accepts_a_clean_tree(self):
        self.assertEqual(run("tidy", CLEAN), (0, ""))

    def test_dead_header(self):
        self.objects("tsubu/base/ring.hpp", "#pragma once\n", "tsubu/base/ring.hpp:1:", "no file includes")

    def test_commented_out_code(self):
        for code in ("int i = 3;", "f(a, b);", "return x;", "if (x > 3) {", "}", "#include <map>", "a.b->c += 2;",
                     "break;", "co_await gone();", "std::vector<int> v = make();"):
            self.objects("tsubu/tsubu.hpp", f'#include "tsubu/base/pool.hpp"\n// {code}\n', "tsubu/tsubu.hpp:2:",
                         "commented-out")

    def test_accepts_prose_in_comments(self):
        for prose in ("the batch is full; the sender waits.", "if it is full, wait;", "for each PE (all of them):",
                      "x = 3 means idle", "return codes are below", "see f() and g()."):
            text = f'#include "tsubu/base/pool.hpp"\n// {prose}\n'
            self.assertEqual(run("tidy", {**CLEAN, "tsubu/tsubu.hpp": text}), (0, ""), prose)

    def test_block_switched_off(self):
        self.objects("tsubu/tsubu.hpp", "#if 0\n#endif\n", "tsubu/tsubu.hpp:1:", "switched off")

    def test_commented_out_test(self):
        self.objects("tests/CMakeLists.txt", "# add_test(NAME x COMMAND y)\n", "tests/CMakeLists.txt:1:", "command")

    def test_marker(self):
        for marker in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"):
            self.objects("docs/page.md", f"Later. {marker}: more\n", "docs/page.md:1:", "leftover " + marker)

    def test_trailing_space(self):
        self.objects("docs/page.md", "line \n", "docs/page.md:1:", "space")

    def test_unregistered_test(self):
        self.objects("tsubu/base/ring_test.cpp", "", "tsubu/base/ring_test.cpp:1:", "never built")

    def test_composed_names_are_registered(self):
        build = "foreach(name ring)\n  tsubu_test_program(${name} ${name}_run.cpp)\nendforeach()\n"
        self.assertEqual(run("tidy", {**CLEAN, "tests/CMakeLists.txt": build, "tests/ring_run.cpp": ""}), (0, ""))
        code, output = run("tidy", {**CLEAN, "tests/CMakeLists.txt": build, "tests/tree_run.cpp": ""})
        self.assertEqual(code, 1, output)

    def test_page_that_is_not_there(self):
        self.objects("tsubu/tsubu.hpp", '#include "tsubu/base/pool.hpp"\n// As docs/gone.md says.\n', "tsubu/tsubu.hpp:2:",
                     "no docs/gone.md")
        page = {"tsubu/tsubu.hpp": '#include "tsubu/base/pool.hpp"\n// See docs/page.md.\n', "docs/page.md": "Here.\n"}
        self.assertEqual(run("tidy", {**CLEAN, **page}), (0, ""))

    def test_page_without_a_question(self):
        page = {**CLEAN, "docs/page.md": "Here.\n", "docs/abcl/other.md": "There.\n"}
        index = "| What? | [a page](page.md) |\n| Where? | [another](abcl/other.md) |\n"
        self.assertEqual(run("tidy", {**page, "docs/README.md": index}), (0, ""))
        code, output = run("tidy", {**page, "docs/README.md": index.splitlines()[0] + "\n"})
        self.assertEqual((code, output), (1, "docs/abcl/other.md:1: docs/README.md does not name this page\n"))
        code, output = run("tidy", {**page, "docs/README.md": index + "[it](page.md)\n"})
        self.assertEqual((code, output), (1, "docs/README.md:3: docs/page.md stands in line 1 already\n"))

    def test_script_that_does_not_start(self):
        self.objects("dev", "#!/bin/sh\n" + CLEAN["dev"], "dev:1:", "executed")

    def test_time_outside_base(self):
        for call in ("std::chrono::system_clock::now()", "rand()", "std::random_device{}()"):
            self.objects("tsubu/tsubu.hpp", f"inline auto t = {call};\n", "tsubu/tsubu.hpp:1:", "time and chance")

    def test_class_in_two_files(self):
        build = CLEAN["tsubu/base/CMakeLists.txt"] + "# pools.cpp\nset(more pools.cpp)\n"
        header = CLEAN["tsubu/base/pool.hpp"] + "class pool {\n};\n"
        method = "int pool::{}(int bytes) {{\n}}\n"
        tree = {"tsubu/base/CMakeLists.txt": build, "tsubu/base/pool.hpp": header,
                "tsubu/base/pool.cpp": CLEAN["tsubu/base/pool.cpp"] + method.format("take")}
        both = {**CLEAN, **tree, "tsubu/base/pools.cpp": "\n" + method.format("give")}
        code, output = run("tidy", both)
        self.assertEqual((code, output.split(" are")[0]), (1, "tsubu/base/pools.cpp:2: methods of pool"), output)
        self.assertEqual(run("tidy", {**both, "tsubu/base/pools.cpp": method.format("give").replace("pool::", "other::")}),
                         (0, ""))

    def test_class_in_two_files_of_another_house(self):
        files = {"apps/cg/CMakeLists.txt": "add_executable(cg grid.cpp rows.cpp)\n", "apps/cg/grid.hpp": "class grid {\n};\n",
                 "apps/cg/grid.cpp": '#include "apps/cg/grid.hpp"\nint grid::take() {\n}\n',
                 "apps/cg/rows.cpp": "int grid::give() {\n}\n"}
        code, output = run("tidy", {**CLEAN, **files})
        self.assertEqual((code, output.split(" are")[0]), (1, "apps/cg/rows.cpp:1: methods of grid"), output)

    def test_long_header(self):
        lines = "int x;\n" * 300
        self.assertEqual(run("tidy", {**CLEAN, "tsubu/tsubu.hpp": CLEAN["tsubu/tsubu.hpp"] + "int x;\n" * 299}), (0, ""))
        self.objects("tsubu/tsubu.hpp", CLEAN["tsubu/tsubu.hpp"] + lines, "tsubu/tsubu.hpp:301:", "301 lines")

    def test_headers_of_all_houses(self):
        for name, text, reason in (("tests/long.hpp", "int x;\n" * 301, "301 lines"),
                                   ("bench/macro.hpp", "#define TWICE(x) x x\n", "TWICE")):
            user = name.replace(".hpp", "_user.cpp")
            files = {**CLEAN, name: text, user: f'#include "{name}"\n',
                     f"{Path(name).parent}/CMakeLists.txt": f"add_executable(a {Path(user).name})\n"}
            code, output = run("tidy", files)
            self.assertEqual(code, 1, output)
            self.assertRegex(output, f"{name}:.*{reason}")

    def test_umbrella_may_be_long(self):
        umbrella = "// All.\n#pragma once\n" + CLEAN["tsubu/tsubu.hpp"] * 300
        self.assertEqual(run("tidy", {**CLEAN, "tsubu/tsubu.hpp": umbrella}), (0, ""))

    def test_function_macro(self):
        self.objects("tsubu/tsubu.hpp", CLEAN["tsubu/tsubu.hpp"] + "#  define TWICE(x) x x\n", "tsubu/tsubu.hpp:2:", "TWICE")
        self.assertEqual(run("tidy", {**CLEAN, "tsubu/tsubu.hpp": CLEAN["tsubu/tsubu.hpp"] + "#define TWO 2\n"}), (0, ""))

    def test_old_words(self):
        for old in ("int greeting_size;", "// Greets its neighbour.", "bool is_detained;", "auto w = way::taken;"):
            self.objects("tsubu/tsubu.hpp", CLEAN["tsubu/tsubu.hpp"] + old + "\n", "tsubu/tsubu.hpp:2:", "the field says")
        self.objects("tsubu/tsubu.hpp", CLEAN["tsubu/tsubu.hpp"] + "class asked_place;\n", "tsubu/tsubu.hpp:2:", "pending")

    def test_old_words_where_they_are_good(self):
        for good in ("// Both are sent together, in part.", "int egreet;", "// A member function of the screw.", "struct part {};"):
            self.assertEqual(run("tidy", {**CLEAN, "tsubu/tsubu.hpp": CLEAN["tsubu/tsubu.hpp"] + good + "\n"}), (0, ""), good)
        self.assertEqual(run("tidy", {**CLEAN, "examples/hello.hpp": "// A greeting.\n", "tsubu/tsubu.hpp":
                                      CLEAN["tsubu/tsubu.hpp"] + '#include "examples/hello.hpp"\n'}), (0, ""))

    def test_comment_that_is_no_sentence(self):
        self.objects("tsubu/tsubu.hpp", CLEAN["tsubu/tsubu.hpp"] + "// Of both.\n", "tsubu/tsubu.hpp:2:", "begins 'Of'")
        self.objects("dev", CLEAN["dev"] + "  # Of all.\n", "dev:4:", "begins 'Of'")

    def test_commits(self):
        tidy = load("tidy")
        self.assertEqual(list(tidy.commit_troubles("base, task: cut it", "Since it was long.\n")), [])
        for subject, body, reason in (("base: cut it", "\n", "empty body"), ("Cut it", "Long.", "without"),
                                      ("base: " + "x" * 67, "Long.", "73 characters")):
            found = list(tidy.commit_troubles(subject, body))
            self.assertEqual(len(found), 1)
            self.assertIn(reason, found[0])

    def test_history_that_does_not_go_back_far_enough(self):
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"]
            subprocess.run([*git, "init", "-q"], check=True)
            (Path(folder) / "README.md").write_text("A tree.\n")
            subprocess.run([*git, "add", "README.md"], check=True)
            subprocess.run([*git, "commit", "-qm", "No body"], check=True)
            tidy = load("tidy")
            self.assertEqual(list(tidy.commits(tidy.Tree(Path(folder)))), [])
            tidy.CHECKED_SINCE = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Second"], check=True)
            self.assertEqual(len(list(tidy.commits(tidy.Tree(Path(folder))))), 2)  # no prefix, no body

    def test_stale_docs(self):
        for word, reason in (("`tsubu/base/gone.hpp`", "no file"), ("`take_blocks(3)`", "no symbol"),
                             ("`tsubu::gone`", "no symbol"), ("`--tsubu-gone`", "no option"),
                             ("`TSUBU_GONE`", "no setting"), ("`./dev gone`", "no verb"),
                             ("[page](gone.md)", "link to")):
            self.objects("docs/page.md", word + "\n", "docs/page.md:1:", reason)

    def test_words_of_other_systems(self):
        page = "| theirs | ours |\n|---|---|\n| `their_call(x)` | text |\n"
        self.assertEqual(run("tidy", {**CLEAN, "docs/from_others.md": page}), (0, ""))
        self.objects("docs/from_others.md", page + "| a | `our_call(x)` |\n", "docs/from_others.md:4:", "no symbol")


if __name__ == "__main__":
    unittest.main()
