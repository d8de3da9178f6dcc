# Everything Tsubu takes from the system, in one place. What an outside project needs too is in
# tsubu-config.cmake.in.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(cereal REQUIRED)
find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS context)  # CMake's own way to find it ends with CMake 3.30
find_package(hwloc REQUIRED)
find_package(tsl-robin-map REQUIRED)
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(TSUBU_ASIO_INCLUDE asio.hpp)  # standalone Asio, which has no package for CMake
mark_as_advanced(TSUBU_ASIO_INCLUDE)
if(NOT TSUBU_ASIO_INCLUDE)
  message(FATAL_ERROR "asio.hpp is not there: standalone Asio is needed (Debian: libasio-dev)")
endif()
if(TSUBU_BUILD_TESTS)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_package(GTest REQUIRED)
endif()
if(TSUBU_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

# For each MPI found, NAME of openmpi and mpich: target mpi::NAME, variable TSUBU_MPIRUN_NAME (its launcher),
# TSUBU_LAUNCH_NAME (what begins a test's launch), and an entry in TSUBU_MPIS. Both may be there; FindMPI knows one only.
# The standard ABI needs none to be installed: tsubu/transport/mpi/abi.
set(TSUBU_MPIS "")
if(TSUBU_WITH_MPI)
  foreach(name openmpi mpich)
    find_program(TSUBU_MPICC_${name} mpicc.${name})
    find_program(TSUBU_MPIRUN_${name} mpirun.${name})
    mark_as_advanced(TSUBU_MPICC_${name} TSUBU_MPIRUN_${name})
    if(NOT TSUBU_MPICC_${name} OR NOT TSUBU_MPIRUN_${name})
      continue()
    endif()
    execute_process(COMMAND ${TSUBU_MPICC_${name}} -show OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${words}")
    add_library(mpi::${name} INTERFACE IMPORTED)
    foreach(word IN LISTS words)
      if(word MATCHES "^-I(.+)")
        target_include_directories(mpi::${name} SYSTEM INTERFACE ${CMAKE_MATCH_1})
      elseif(word MATCHES "^-L(.+)")
        target_link_directories(mpi::${name} INTERFACE ${CMAKE_MATCH_1})
      elseif(word MATCHES "^-l(.+)")
        target_link_libraries(mpi::${name} INTERFACE ${CMAKE_MATCH_1})
      endif()
    endforeach()
    # The C interface only.
    target_compile_definitions(mpi::${name} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    set(TSUBU_LAUNCH_${name} ${TSUBU_MPIRUN_${name}})
    if(name STREQUAL "openmpi")
      # Several jobs run side by side in tests, so none may bind to cores.
      list(APPEND TSUBU_LAUNCH_openmpi --allow-run-as-root --oversubscribe --bind-to none)
    endif()
    list(APPEND TSUBU_MPIS ${name})
  endforeach()
  list(JOIN TSUBU_MPIS " " found)
  message(STATUS "MPI: ${found}")
endif()
