from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class RobinMap(CMakePackage):
    """Hash maps and sets with robin hood hashing, headers only; Spack's own repository has none."""

    homepage = "https://github.com/Tessil/robin-map"
    url = "https://github.com/Tessil/robin-map/archive/refs/tags/v1.2.1.tar.gz"

    license("MIT")

    version("1.2.1", sha256="2b54d2c1de2f73bea5c51d5dcbd64813a08caf1bfddcfdeee40ab74e9599e8e3")

    depends_on("cxx", type="build")
