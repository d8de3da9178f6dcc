from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Tsubu(CMakePackage):
    """A runtime for programs of many small messages: C++20 coroutines and concurrent objects on threads, on the ranks of an MPI,
    and on simulated machines, and a compiler for the language ABCL/ST."""

    license("Apache-2.0")

    # There is nothing to fetch it from yet: `spack develop --path CLONE tsubu@0.1.0` says where the sources are.
    version("0.1.0")

    variant("mpi", default="openmpi", values=("none", "openmpi", "mpich"), multi=False,
            description="The MPI that there is a plug-in for")
    variant("abcl", default=True, description="The compiler of ABCL/ST")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("asio", type="build")
    depends_on("cli11", type="build")
    depends_on("nlohmann-json", type="build")
    depends_on("toml11@3.7:", type="build")
    depends_on("xxhash", type="build")

    # Programs are compiled with the headers of these, too.
    depends_on("boost@1.74: +context")
    depends_on("cereal")
    depends_on("fmt")
    depends_on("hwloc")
    depends_on("robin-map")
    depends_on("simdjson@3:")
    depends_on("zlib-api")
    depends_on("zstd")

    depends_on("openmpi", when="mpi=openmpi")
    depends_on("mpich", when="mpi=mpich")

    generator("ninja")
    conflicts("%gcc@:11", msg="Tsubu needs C++20 with coroutines: g++ 12 or later")

    def cmake_args(self):
        args = [
            self.define("TSUBU_BUILD_TESTS", False),
            self.define("TSUBU_BUILD_APPS", False),
            self.define("TSUBU_BUILD_EULASH", False),
            self.define_from_variant("TSUBU_BUILD_ABCL", "abcl"),
            self.define("TSUBU_WITH_MPI", not self.spec.satisfies("mpi=none")),
        ]
        # Spack's compilers are not called as Debian's are; and a system's MPI is not looked for.
        for name in ("openmpi", "mpich"):
            used = self.spec.satisfies(f"mpi={name}")
            folder = self.spec[name].prefix.bin if used else None
            args.append(self.define(f"TSUBU_MPICC_{name}", folder.mpicc if used else False))
            args.append(self.define(f"TSUBU_MPIRUN_{name}", folder.mpirun if used else False))
        return args

    def test_hello(self):
        """a greeting from each of three PEs"""
        tsubu = Executable(self.prefix.bin.tsubu)
        said = tsubu("run", "-n", "3", self.prefix.bin.tsubu, "hello", output=str)
        assert "hello from 3 PEs on threads" in said
