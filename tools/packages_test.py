"""Promise: what packaging/ says of Tsubu is what CMake's files say: its version, its options, and what it is built from.

Spack and a container's builder are not needed: a recipe is read as Python's syntax tree.
"""
import ast
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGING = ROOT / "packaging"
RECIPE = PACKAGING / "spack/spack_repo/tsubu/packages/tsubu/package.py"

# What CMake looks for: Debian's package, and Spack's. Threads is the C library's.
NEEDS = {
    "fmt": ("libfmt-dev", "fmt"), "cereal": ("libcereal-dev", "cereal"), "Boost": ("libboost-context-dev", "boost"),
    "hwloc": ("libhwloc-dev", "hwloc"), "tsl-robin-map": ("robin-map-dev", "robin-map"), "ZLIB": ("zlib1g-dev", "zlib-api"),
    "zstd": ("libzstd-dev", "zstd"), "simdjson": ("libsimdjson-dev", "simdjson"), "CLI11": ("libcli11-dev", "cli11"), "nlohmann_json": ("nlohmann-json3-dev", "nlohmann-json"),
    "asio.hpp": ("libasio-dev", "asio"), "xxhash.h": ("libxxhash-dev", "xxhash"), "toml11": ("libtoml11-dev", "toml11"),
}
TOOLS = {"cmake", "ninja-build"}
MPIS = {"openmpi": {"libopenmpi-dev", "openmpi-bin"}, "mpich": {"libmpich-dev", "mpich"}}


def text(path):
    return (ROOT / path).read_text()


def project_version():
    return re.search(r"^project\(tsubu VERSION ([0-9.]+)", text("CMakeLists.txt"), re.MULTILINE)[1]


def looked_for(*files):
    """What find_package() and find_path() ask for, but for tests and benchmarks."""
    found = set()
    for file in files:
        without = re.sub(r"^if\(TSUBU_BUILD_(?:TESTS|BENCH)\)\n.*?^endif\(\)", "", text(file), flags=re.MULTILINE | re.DOTALL)
        found |= set(re.findall(r"find_(?:package|dependency)\(([\w-]+)", without))
        found |= set(re.findall(r"find_path\(TSUBU_\w+ ([\w.]+)", without))
    return found - {"Threads"}


def needed():
    return looked_for("cmake/dependencies.cmake", *(path.relative_to(ROOT) for path in (ROOT / "tsubu").rglob("CMakeLists.txt")),
                      "abcl/CMakeLists.txt")


def needed_by_programs():
    return looked_for("cmake/tsubu-config.cmake.in")


def field(stanza, name):
    """The packages of a field of debian/control, without versions and variables."""
    found = re.search(rf"^{name}:((?:.*\n)(?: .*\n)*)", stanza, re.MULTILINE)
    words = re.sub(r"\([^)]*\)|\$\{[^}]*\}", "", found[1])
    return {word for word in re.split(r"[,\s|]+", words) if word}


def stanzas():
    return {re.match(r"\w+: (\S+)", one)[1] + ("" if i else " (source)"): one
            for i, one in enumerate(text("packaging/debian/control").split("\n\n"))}


class Recipe:
    """The directives of a recipe of Spack's: each call of a name, with what of it is a constant."""

    def __init__(self, path):
        self.calls = []
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call):
                name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
                constants = [one.value if isinstance(one, ast.Constant) else None for one in call.args]
                keywords = {one.arg: one.value for one in call.keywords}
                self.calls.append((name, constants, keywords))

    def of(self, name):
        return [(constants, keywords) for called, constants, keywords in self.calls if called == name]


class Packages(unittest.TestCase):
    def test_versions(self):
        version = project_version()
        self.assertRegex(text("packaging/debian/changelog"), rf"\Atsubu \({re.escape(version)}-\d+\) ")
        self.assertIn([version], [constants for constants, _ in Recipe(RECIPE).of("version")])
        self.assertRegex(text("CITATION.cff"), rf"(?m)^version: {re.escape(version)}$")

    def test_what_is_looked_for_is_known(self):
        self.assertEqual(needed(), set(NEEDS))

    def test_debian(self):
        control = stanzas()
        wanted = {NEEDS[name][0] for name in needed()} | TOOLS | set.union(*MPIS.values())
        self.assertEqual(field(control["tsubu (source)"], "Build-Depends") - {"debhelper-compat", "help2man", "pkg-config"}, wanted)
        self.assertEqual(field(control["libtsubu-dev"], "Depends") - {"tsubu-common"},
                         {NEEDS[name][0] for name in needed_by_programs()})
        for mpi in MPIS:
            self.assertIn(f"tsubu-transport-{mpi}", control)
        # What is built from is what ./dev installs.
        installed = re.search(r"^build_packages=\(([^)]*)\)", text("dev"), re.MULTILINE)[1].split()
        self.assertLessEqual(wanted, set(installed))

    def test_debian_files(self):
        for name in stanzas():
            if not name.endswith("(source)"):
                self.assertTrue((PACKAGING / f"debian/{name}.install").read_text().strip(), name)
        for block in text("packaging/debian/tests/control").split("\n\n"):
            for test in field(block, "Tests"):
                self.assertTrue((PACKAGING / "debian/tests" / test).stat().st_mode & 0o100, test)

    def test_spack(self):
        recipe = Recipe(RECIPE)
        depends = {re.match(r"[\w-]+", constants[0])[0]: keywords for constants, keywords in recipe.of("depends_on")}
        self.assertEqual(set(depends) - {"c", "cxx", "cmake", "ninja"} - set(MPIS), {NEEDS[name][1] for name in needed()})
        linked = {name for name, keywords in depends.items() if "type" not in keywords and "when" not in keywords}
        self.assertEqual(linked, {NEEDS[name][1] for name in needed_by_programs()})
        minimum = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", text("CMakeLists.txt"))[1]
        self.assertIn([f"cmake@{minimum}:"], [constants for constants, _ in recipe.of("depends_on")])
        variants = {constants[0]: keywords for constants, keywords in recipe.of("variant")}
        self.assertEqual(ast.literal_eval(variants["mpi"]["values"]), ("none", *MPIS))
        for mpi in MPIS:
            self.assertEqual(ast.literal_eval(depends[mpi]["when"]), f"mpi={mpi}")

    def test_spack_defines_options_that_there_are(self):
        options = set(re.findall(r"^option\((TSUBU_\w+)", text("CMakeLists.txt"), re.MULTILINE))
        options |= {name + "{}" for name in re.findall(r"find_program\((TSUBU_\w+_)\$\{name\}", text("cmake/dependencies.cmake"))}
        defined = set()
        for constants, _ in Recipe(RECIPE).of("define") + Recipe(RECIPE).of("define_from_variant"):
            defined.add(constants[0])
        for joined in ast.walk(ast.parse(RECIPE.read_text())):
            if isinstance(joined, ast.JoinedStr) and isinstance(joined.values[0], ast.Constant) \
                    and joined.values[0].value.startswith("TSUBU_"):
                defined.add(joined.values[0].value + "{}")
        defined.discard(None)
        self.assertGreater(len(defined), 5)
        self.assertLessEqual(defined, options)
        for variant in (constants[1] for constants, _ in Recipe(RECIPE).of("define_from_variant")):
            self.assertIn(variant, [constants[0] for constants, _ in Recipe(RECIPE).of("variant")])

    def test_spack_classes(self):
        for path in (PACKAGING / "spack/spack_repo/tsubu/packages").iterdir():
            wanted = "".join(word.capitalize() for word in path.name.split("_"))
            tree = ast.parse((path / "package.py").read_text())
            self.assertEqual([one.name for one in tree.body if isinstance(one, ast.ClassDef)], [wanted])

    def test_container(self):
        stages = re.findall(r"^FROM debian:(\d+)", text("packaging/Containerfile"), re.MULTILINE)
        self.assertEqual(set(stages), {"12"})
        for copied in re.findall(r"^COPY (?!--from)(\S+)", text("packaging/Containerfile"), re.MULTILINE):
            self.assertTrue((ROOT / copied).exists(), copied)


if __name__ == "__main__":
    unittest.main()
