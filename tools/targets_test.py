"""Promise: targets names all that a test needs, and of what it does not need nothing."""
import tempfile
import unittest
from pathlib import Path

from bad_tree import load

targets = load("targets")
BUILD = Path("/tree/build")
FILES, LINKED = targets.built_files("""all: phony
bin: phony
bin/ring: CXX_EXECUTABLE_LINKER__ring_Release
bin/sieve: CXX_EXECUTABLE_LINKER__sieve_Release
lib/libring.a: CXX_STATIC_LIBRARY_LINKER__ring_Release
lib/tsubu/tsubu-transport-mpich.so: CXX_MODULE_LIBRARY_LINKER__tsubu-transport-mpich_Release
lib/tsubu/tsubu-transport-openmpi.so: CXX_MODULE_LIBRARY_LINKER__tsubu-transport-openmpi_Release
tests/ring.dir/ring.cpp.o: CXX_COMPILER__ring_unscanned_Release
share/table.txt: CUSTOM_COMMAND
""")


def needed(*command, required=()):
    return targets.needed(BUILD, list(command), list(required), FILES, LINKED)


class Targets(unittest.TestCase):
    def test_files_of_a_command(self):
        self.assertEqual(needed("/tree/build/bin/ring", "--tsubu-pes=2"), {"bin/ring"})
        self.assertEqual(needed("python3", "/tree/tests/expect", "--", "/tree/build/bin/ring", "/tree/build/bin/sieve"),
                         {"bin/ring", "bin/sieve"})
        self.assertEqual(needed("true", "--table=/tree/build/share/table.txt"), {"share/table.txt"})

    def test_nothing(self):
        self.assertEqual(needed("python3", "/tree/tools/floors", "bin/ring"), set())
        self.assertEqual(needed("true", "/tree/build/bin/gone", "/tree/build/docs"), set())
        self.assertEqual(needed("true", "/tree/builder/bin/ring"), set())

    def test_plugin_of_a_launcher(self):
        self.assertEqual(needed("/usr/bin/mpirun.mpich", "-n", "2", "/tree/build/bin/ring"),
                         {"bin/ring", "lib/tsubu/tsubu-transport-mpich.so"})
        self.assertEqual(needed("matrix", "--mpirun", "openmpi=/usr/bin/mpirun.openmpi"),
                         {"lib/tsubu/tsubu-transport-openmpi.so"})
        self.assertEqual(needed("/opt/bin/mpirun.another"), set())

    def test_folders(self):
        self.assertEqual(needed("run", "/tree/build/bin"), {"bin/ring", "bin/sieve"})
        self.assertEqual(needed("run", "/tree/build/lib/tsubu/"),
                         {"lib/tsubu/tsubu-transport-mpich.so", "lib/tsubu/tsubu-transport-openmpi.so"})
        self.assertEqual(needed("cmake", "--build", "/tree/build"), {"all"})

    def test_what_is_required_counts_in_the_place_of_folders(self):
        self.assertEqual(needed("run", "/tree/build/bin", "/tree/build/bin/sieve", required=["ring"]), {"ring", "bin/sieve"})
        self.assertEqual(needed("cmake", "--install", "/tree/build", required=["ring"]), {"ring"})

    def test_what_cmake_has_written(self):
        with tempfile.TemporaryDirectory() as folder:
            below = Path(folder) / "tests"
            below.mkdir()
            (below / "CTestTestfile.cmake").write_text(r'''# Written by CMake
add_test([=[ring]=] "/tree/build/bin/ring" "--name" "a \"ring\" (of\\s)
two lines")
set_tests_properties([=[ring]=] PROPERTIES  LABELS "unit" TIMEOUT "60")
if(CTEST_CONFIGURATION_TYPE MATCHES "^([Ff][Uu][Ll][Ll])$")
  add_test([==[ring=2]==] "/tree/build/bin/ring" "2")
  set_tests_properties([==[ring=2]==] PROPERTIES  LABELS "full" TSUBU_REQUIRES "ring;sieve" _BACKTRACE_TRIPLES "a;1;")
endif()
''')
            commands, required = targets.registered(Path(folder))
        self.assertEqual(commands, {"ring": ["/tree/build/bin/ring", "--name", 'a "ring" (of\\s)\ntwo lines'],
                                    "ring=2": ["/tree/build/bin/ring", "2"]})
        self.assertEqual(required, {"ring=2": ["ring", "sieve"]})


if __name__ == "__main__":
    unittest.main()
