"""Promise: floors accepts what stands, and names file and line of each include that does not."""
import tempfile
import unittest
from pathlib import Path

from bad_tree import load, run


class Floors(unittest.TestCase):
    def objects(self, files, *words):
        code, output = run("floors", files)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)

    def test_accepts_downward_includes(self):
        code, output = run("floors", {
            "tsubu/base/check.hpp": "#pragma once\n",
            "tsubu/base/internal/pages.hpp": "#pragma once\n",
            "tsubu/base/pool.hpp": '#include "tsubu/base/internal/pages.hpp"\n#include "tsubu/base/check.hpp"\n',
            "tsubu/remote/pe.hpp": '#include <vector>\n#include "tsubu/base/check.hpp"\n',
            "tsubu/tsubu.hpp": '#include "tsubu/remote/pe.hpp"\n',
            "apps/cg.cpp": "#include <tsubu/tsubu.hpp>\n",
            "tsubu/CMakeLists.txt": "add_subdirectory(base)\nadd_subdirectory(remote)\n"})
        self.assertEqual((code, output), (0, ""))

    def test_upward_include(self):
        self.objects({"tsubu/base/a.hpp": '\n#include "tsubu/task/b.hpp"\n', "tsubu/task/b.hpp": ""},
                     "tsubu/base/a.hpp:2:", "above")

    def test_include_of_the_umbrella(self):
        self.objects({"tsubu/task/a.cpp": "#include <tsubu/tsubu.hpp>\n", "tsubu/tsubu.hpp": ""}, "tsubu/task/a.cpp:1:")

    def test_strangers(self):
        self.objects({"tsubu/task/a.hpp": '#include "tsubu/message/b.hpp"\n', "tsubu/message/b.hpp": ""},
                     "tsubu/task/a.hpp:1:", "do not know each other")

    def test_private_header_of_another_floor(self):
        for folder in ("internal", "detail"):
            self.objects({"tests/a.cpp": f'#include "tsubu/wire/{folder}/b.hpp"\n', f"tsubu/wire/{folder}/b.hpp": ""},
                         "tests/a.cpp:1:", "private")

    def test_relative_include_does_not_hide(self):
        self.objects({"tsubu/base/a.hpp": '#include "../task/b.hpp"\n', "tsubu/task/b.hpp": ""}, "tsubu/base/a.hpp:1:")

    def test_outside_of_tsubu(self):
        self.objects({"tsubu/run/a.cpp": '#include "apps/b.hpp"\n', "apps/b.hpp": ""}, "outside tsubu/")

    def test_compiler_stands_on_the_runtime(self):
        stands = {"abcl/text/a.hpp": "#include <tsubu/tsubu.hpp>\n", "abcl/check/b.hpp": '#include "abcl/text/a.hpp"\n',
                  "tsubu/tsubu.hpp": ""}
        self.assertEqual(run("floors", stands), (0, ""))
        self.objects({**stands, "tsubu/run/c.cpp": '#include "abcl/text/a.hpp"\n'}, "tsubu/run/c.cpp:1:", "outside tsubu/")
        self.objects({**stands, "abcl/text/c.cpp": '\n#include "abcl/check/b.hpp"\n'}, "abcl/text/c.cpp:2:", "above")
        self.objects({**stands, "abcl/text/c.cpp": '#include "apps/d.hpp"\n', "apps/d.hpp": ""}, "outside abcl/")
        self.objects({"abcl/attic/a.hpp": ""}, "abcl/attic is not in the list")

    def test_back_ends_do_not_know_each_other(self):
        self.objects({"abcl/cpp/a.hpp": "", "abcl/messages/b.cpp": '#include "abcl/cpp/a.hpp"\n'},
                     "abcl/messages/b.cpp:1:", "do not know each other")

    def test_what_unit_tests_share(self):
        shared = {"tests/nodes.hpp": '#include "abcl/machine/a.hpp"\n', "abcl/machine/a.hpp": ""}
        self.assertEqual(run("floors", {**shared, "abcl/registers/b_test.cpp": '#include "tests/nodes.hpp"\n'}), (0, ""))
        self.objects({**shared, "abcl/registers/b.cpp": '#include "tests/nodes.hpp"\n'}, "outside abcl/")

    def test_cycle(self):
        self.objects({"tsubu/base/a.hpp": '#include "tsubu/base/b.hpp"\n',
                      "tsubu/base/b.hpp": '#include "tsubu/base/a.hpp"\n'},
                     "tsubu/base/b.hpp:1:", "circle: tsubu/base/a.hpp -> tsubu/base/b.hpp -> tsubu/base/a.hpp")

    def test_missing_file_and_unknown_floor(self):
        self.objects({"tsubu/base/a.hpp": '#include "tsubu/base/gone.hpp"\n'}, "does not exist")
        self.objects({"tsubu/cellar/a.hpp": ""}, "tsubu/cellar is not in the list")

    def test_list_of_floors(self):
        page = "# Title\n\n<!-- floors: written by tools/floors --write -->\n| old |\n<!-- end of floors -->\n\nMore.\n"
        floors = load("floors")
        tree = {f"tsubu/{floor}/CMakeLists.txt": "" for floor in floors.RUNTIME}
        self.objects({**tree, "CONTRIBUTING.md": page}, "CONTRIBUTING.md:3:", "--write")
        self.objects({**tree, "CONTRIBUTING.md": "# Title\n"}, "CONTRIBUTING.md:1:", "no list")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "CONTRIBUTING.md").write_text(page)
            self.assertEqual(floors.write_lists(root), 0)
            written = (root / "CONTRIBUTING.md").read_text()
        self.assertIn("| base |", written)
        self.assertTrue(written.startswith("# Title\n") and written.endswith("\nMore.\n"))
        self.assertNotIn("old", written)
        self.assertEqual(run("floors", {**tree, "CONTRIBUTING.md": written}), (0, ""))
        del tree["tsubu/sim/CMakeLists.txt"]
        self.objects({**tree, "CONTRIBUTING.md": written}, "tsubu/sim")

    def test_list_of_the_compiler(self):
        floors = load("floors")
        tree = {f"abcl/{floor}/a.cpp": "" for floor in floors.COMPILER}
        page = "# Passes\n\n" + floors.BEGIN + "\n" + "\n".join(floors.list_of_floors(floors.HOUSES["abcl"]))
        self.assertEqual(run("floors", {**tree, "docs/abcl/compiler.md": page + "\n" + floors.END + "\n"}), (0, ""))
        self.objects({**tree, "docs/abcl/compiler.md": page + "\n| attic | |\n" + floors.END + "\n"},
                     "docs/abcl/compiler.md:3:", "--write")

    def test_build_order(self):
        self.objects({"tsubu/CMakeLists.txt": "add_subdirectory(task)\nadd_subdirectory(base)\n"},
                     "tsubu/CMakeLists.txt:2:")


if __name__ == "__main__":
    unittest.main()
