# Headers that are parsed once for many sources: without them a test takes up to twice as long to compile, and a source of
# a floor half as long again.
#
# What they hide is an #include that a source has forgotten. So the presets clang (which lint uses) and debug do without
# (TSUBU_PRECOMPILED).
option(TSUBU_PRECOMPILED "Sources share precompiled headers" ON)

# What of the standard library is much used. No header of a floor: or a source could use one that is above its own without
# an #include.
set(TSUBU_STANDARD_HEADERS <algorithm> <array> <atomic> <chrono> <coroutine> <cstdint> <cstring> <deque> <functional> <map>
    <memory> <numeric> <optional> <random> <source_location> <span> <sstream> <string> <string_view> <thread> <tuple>
    <unordered_map> <utility> <variant> <vector>)

# A library NAME that has nothing but precompiled headers, compiled like an executable, or with PIC like a library.
function(tsubu_precompiled_library name)
  cmake_parse_arguments(ARG "PIC" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  set(source ${PROJECT_BINARY_DIR}/${name}.cpp)
  if(NOT EXISTS ${source})
    file(WRITE ${source} "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  set_target_properties(${name} PROPERTIES EXPORT_COMPILE_COMMANDS OFF POSITION_INDEPENDENT_CODE ${ARG_PIC})
  target_compile_options(${name} PRIVATE $<$<NOT:$<BOOL:${ARG_PIC}>>:-fPIE> ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
  tsubu_cacheable_precompiled(${name})
endfunction()

# tsubu_use_precompiled(NAME TARGET...): the targets are compiled as NAME is.
function(tsubu_use_precompiled name)
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    get_target_property(pic ${name} POSITION_INDEPENDENT_CODE)
    if(type STREQUAL "STATIC_LIBRARY" AND NOT pic)
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIE)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
    tsubu_cacheable_precompiled(${target})
  endforeach()
endfunction()

# What ccache needs to know which headers went into them.
function(tsubu_cacheable_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # The same bug as in settings.cmake, which then warns of what it says of the library's own headers.
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# Gives the targets, which are compiled like a library and with these options, the standard headers, precompiled as NAME:
#
#   tsubu_precompile_standard(NAME TARGETS TARGET... [OPTIONS O...])
function(tsubu_precompile_standard name)
  cmake_parse_arguments(ARG "" "" "TARGETS;OPTIONS" ${ARGN})
  if(NOT TSUBU_PRECOMPILED)
    return()
  endif()
  if(NOT TARGET ${name})
    tsubu_precompiled_library(${name} PIC HEADERS ${TSUBU_STANDARD_HEADERS} OPTIONS ${ARG_OPTIONS})
  endif()
  tsubu_use_precompiled(${name} ${ARG_TARGETS})
endfunction()

# Programs of tests/ that are measured, too: compiled as users do, and not with the little optimisation of tests.
function(tsubu_optimise_as_ever)
  foreach(target IN LISTS ARGN)
    get_target_property(options ${target} COMPILE_OPTIONS)
    list(REMOVE_ITEM options -O1)
    set_target_properties(${target} PROPERTIES COMPILE_OPTIONS "${options}")
  endforeach()
endfunction()

# Registers the executable NAME of unit tests as the test unit.TEST:
#
#   tsubu_unit_test(tsubu_npb_test TEST npb SOURCES a_test.cpp LIBRARIES tsubu::npb [TIMEOUT SECONDS])
#
# Its own code is optimised little in a release build, since it takes long to compile and runs for a moment. What it links
# is optimised as ever; what becomes of the floors' templates with full optimisation, whole programs test.
#
# Precompiled are GoogleTest and the standard headers.
function(tsubu_unit_test name)
  cmake_parse_arguments(ARG "" "TEST;TIMEOUT" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT TSUBU_BUILD_TESTS)
    return()
  endif()
  set(little "")
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(little -O1)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE ${little})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gtest_main)
  if(TSUBU_PRECOMPILED)
    if(NOT TARGET tsubu_precompiled_unit_test)
      tsubu_precompiled_library(tsubu_precompiled_unit_test HEADERS <gtest/gtest.h> ${TSUBU_STANDARD_HEADERS}
                                LIBRARIES GTest::gtest OPTIONS ${little})
    endif()
    tsubu_use_precompiled(tsubu_precompiled_unit_test ${name})
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  add_test(NAME unit.${ARG_TEST} COMMAND ${name})
  tsubu_test_properties(unit.${ARG_TEST} TIMEOUT ${ARG_TIMEOUT} LABELS unit)
endfunction()

# Gives the programs of those of these folders that are built, and the libraries of their parts, all headers of Tsubu
# precompiled. Called when all targets are there.
function(tsubu_precompile_programs)
  if(NOT TSUBU_PRECOMPILED)
    return()
  endif()
  get_property(built DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS ARGN)
    if(NOT "${PROJECT_SOURCE_DIR}/${folder}" IN_LIST built)
      continue()
    endif()
    tsubu_targets_of_folder(targets ${folder})
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(reused ${target} PRECOMPILE_HEADERS_REUSE_FROM)
      get_target_property(libraries ${target} LINK_LIBRARIES)
      # tsubu_program is part of what is no executable, too (tests/smpi); how many instructions a message costs is counted
      # in what is compiled as users do.
      if(type MATCHES "EXECUTABLE|STATIC_LIBRARY" AND NOT reused AND NOT target MATCHES "^(tsubu_program|instructions_.*)$"
         AND libraries MATCHES "(^|;)(tsubu::tsubu|tsubu::run|tsubu::graph|tsubu_bfs|tsubu_mp3d|tsubu_nbody)(;|$)")
        # One for each degree of optimisation. What tsubu::tsubu asks of a compiler, tsubu::run does; and who waits for
        # tsubu::tsubu waits for the objects of all floors.
        get_target_property(options ${target} COMPILE_OPTIONS)
        list(FILTER options INCLUDE REGEX "^-O")
        string(MAKE_C_IDENTIFIER "tsubu_precompiled_program${options}" shared)
        if(NOT TARGET ${shared})
          tsubu_precompiled_library(${shared} HEADERS <tsubu/tsubu.hpp> LIBRARIES tsubu::run OPTIONS ${options})
        endif()
        tsubu_use_precompiled(${shared} ${target})
      endif()
    endforeach()
  endforeach()
endfunction()

function(tsubu_targets_of_folder result folder)
  set(targets "")
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    get_property(folders DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY SUBDIRECTORIES)
    get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(below IN LISTS folders)
      cmake_path(RELATIVE_PATH below BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      tsubu_targets_of_folder(more ${below})
      list(APPEND targets ${more})
    endforeach()
  endif()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()
