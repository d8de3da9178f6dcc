# What all tests have, whether they launch a program or not.

# What a test runs with under the sanitizer of this build. leak_check: 0 for what links a library that leaks.
function(tsubu_test_environment result leak_check)
  find_program(TSUBU_SYMBOLIZER NAMES llvm-symbolizer-19 llvm-symbolizer)
  mark_as_advanced(TSUBU_SYMBOLIZER)
  set(symbolizer "")
  if(TSUBU_SYMBOLIZER)
    set(symbolizer "external_symbolizer_path=${TSUBU_SYMBOLIZER}:")
  endif()
  set(environment "")
  if(TSUBU_SANITIZE STREQUAL "address")
    set(environment "ASAN_OPTIONS=${symbolizer}detect_leaks=${leak_check}"
                    "UBSAN_OPTIONS=${symbolizer}print_stacktrace=1"
                    "UCX_MEM_EVENTS=no")  # UCX, under MPICH, patches functions that the sanitizer has replaced
  elseif(TSUBU_SANITIZE STREQUAL "thread")
    # The MPI libraries are not built for it: what they do among themselves is not looked into.
    set(environment "TSAN_OPTIONS=${symbolizer}halt_on_error=1:ignore_noninstrumented_modules=1" "UCX_MEM_EVENTS=no")
  endif()
  set(${result} ${environment} PARENT_SCOPE)
endfunction()

# What every test has:
#
#   tsubu_test_properties(TEST TIMEOUT SECONDS [LABELS L...] [PROCESSORS N] [ENVIRONMENT NAME=VALUE...] [NO_LEAK_CHECK]
#                         [REQUIRES TARGET...] [SAMPLED])
#
# REQUIRES names what the test needs and its command does not (tools/targets).
#
# Each commit runs a third of the SAMPLED tests, and --full all of them (docs/how_to_test.md). Under a sanitizer all tests of
# the apps, the examples and the papers' programs are: there a third of the programs, so that the others need not be built.
function(tsubu_test_properties test)
  cmake_parse_arguments(ARG "NO_LEAK_CHECK;SAMPLED" "TIMEOUT;PROCESSORS" "LABELS;ENVIRONMENT;REQUIRES" ${ARGN})
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  if(TSUBU_SANITIZE AND folder MATCHES "^(apps|examples|tests/acceptance)(/|$)")
    string(REGEX REPLACE "^(unit|acceptance)[.]" "" program ${test})
    string(REGEX MATCH "^[^.]+" program ${program})
    tsubu_third(third ${program})
    list(APPEND ARG_LABELS ${third})
  elseif(ARG_SAMPLED)
    tsubu_third(third ${test})
    list(APPEND ARG_LABELS ${third})
  endif()
  if(TSUBU_SANITIZE)
    math(EXPR ARG_TIMEOUT "4 * ${ARG_TIMEOUT}")
  endif()
  if(NOT ARG_PROCESSORS)
    set(ARG_PROCESSORS 1)
  endif()
  set(leak_check 1)
  if(ARG_NO_LEAK_CHECK)
    set(leak_check 0)
  endif()
  tsubu_test_environment(environment ${leak_check})
  list(APPEND environment ${ARG_ENVIRONMENT})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" PROCESSORS ${ARG_PROCESSORS}
                                          ENVIRONMENT "${environment}")
  if(ARG_REQUIRES)
    set_tests_properties(${test} PROPERTIES TSUBU_REQUIRES "${ARG_REQUIRES}")
  endif()
endfunction()

# The label of one of three parts of all names, the same for a name at any time. ./dev leaves out two of them.
function(tsubu_third result name)
  string(MD5 hash ${name})
  string(SUBSTRING ${hash} 0 6 digits)
  math(EXPR third "0x${digits} % 3")
  set(${result} third.${third} PARENT_SCOPE)
endfunction()
