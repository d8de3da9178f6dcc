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
        tree = {f"tsubu/{floor}/CMakeLists.txt": "" for floor in floors.FLOORS}
        self.objects({**tree, "CONTRIBUTING.md": page}, "CONTRIBUTING.md:3:", "--write")
        self.objects({**tree, "CONTRIBUTING.md": "# Title\n"}, "CONTRIBUTING.md:1:", "no list")
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "CONTRIBUTING.md").write_text(page)
            self.assertEqual(floors.write_list(root), 0)
            written = (root / "CONTRIBUTING.md").read_text()
        self.assertIn("| base |", written)
        self.assertTrue(written.startswith("# Title\n") and written.endswith("\nMore.\n"))
        self.assertNotIn("old", written)
        self.assertEqual(run("floors", {**tree, "CONTRIBUTING.md": written}), (0, ""))
        del tree["tsubu/sim/CMakeLists.txt"]
        self.objects({**tree, "CONTRIBUTING.md": written}, "tsubu/sim")

    def test_build_order(self):
        self.objects({"tsubu/CMakeLists.txt": "add_subdirectory(task)\nadd_subdirectory(base)\n"},
                     "tsubu/CMakeLists.txt:2:")


if __name__ == "__main__":
    unittest.main()
