# Tests that run a whole program, on one or more transports.

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

# The transports the tests of this build use.
set(TSUBU_TEST_TRANSPORTS threads)
if(NOT TSUBU_SANITIZE STREQUAL "thread")  # simulated PEs take turns in one thread, the MPI libraries are not built for it
  list(APPEND TSUBU_TEST_TRANSPORTS sim ${TSUBU_MPIS})
endif()

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

# Which of the pairs (transport, number of PEs) that a program could run on are always tested: so few that each of the
# program's transports and each of its numbers of PEs occurs, and that no pair is left out by all programs. The other
# pairs are tests too, of the configuration "full": `ctest -C full` runs them. Under a sanitizer each transport has one
# pair, that which fewest programs have had before; of several tests of one program only the first has all transports.
#
#   tsubu_choose_pairs(RESULT TRANSPORTS T... PES N...)      gives "threads/1;sim/2;..."
function(tsubu_choose_pairs result)
  cmake_parse_arguments(ARG "" "" "TRANSPORTS;PES" ${ARGN})
  set(chosen "")
  set(waiting ${ARG_TRANSPORTS})  # transports that have no pair yet
  # Ranks of several PEs come first, since few transports can have them.
  set(of_ranks ${ARG_PES})
  list(FILTER of_ranks INCLUDE REGEX "[x@]")
  set(plain ${ARG_PES})
  list(FILTER plain EXCLUDE REGEX "[x@]")
  if(TSUBU_SANITIZE)
    set(of_ranks "")
    set(plain "")
  endif()
  foreach(pes IN LISTS of_ranks plain)
    tsubu_transports_for(able ${pes} ${ARG_TRANSPORTS})
    set(best "")
    foreach(transport IN LISTS able)
      get_property(times GLOBAL PROPERTY TSUBU_TESTS_OF_${transport}_${pes})
      if(NOT times)  # the first program that could run so does
        list(APPEND chosen ${transport}/${pes})
        list(REMOVE_ITEM waiting ${transport})
      else()
        # Launching MPI costs most: what is tested already goes to threads or the simulator, unless MPI waits.
        if(transport IN_LIST waiting)
          set(price ${times})
        elseif(transport MATCHES "threads|sim")
          math(EXPR price "100000 + ${times}")
        else()
          math(EXPR price "200000 + ${times}")
        endif()
        if(NOT best OR price LESS best_price)
          set(best ${transport})
          set(best_price ${price})
        endif()
      endif()
    endforeach()
    if(best AND NOT "${chosen}" MATCHES "/${pes}(;|$)")
      list(APPEND chosen ${best}/${pes})
      list(REMOVE_ITEM waiting ${best})
    endif()
  endforeach()
  # More transports than numbers of PEs, or a sanitizer.
  foreach(transport IN LISTS waiting)
    set(best "")
    foreach(pes IN LISTS ARG_PES)
      tsubu_transports_for(able ${pes} ${transport})
      get_property(times GLOBAL PROPERTY TSUBU_TESTS_OF_${transport}_${pes})
      if(able AND (NOT best OR times LESS best_times))
        set(best ${pes})
        set(best_times ${times})
      endif()
    endforeach()
    if(best)
      list(APPEND chosen ${transport}/${best})
    endif()
  endforeach()

  foreach(pair IN LISTS chosen)
    string(REPLACE / _ property TSUBU_TESTS_OF_${pair})
    get_property(times GLOBAL PROPERTY ${property})
    if(NOT times)
      set(times 0)
    endif()
    math(EXPR times "${times} + 1")
    set_property(GLOBAL PROPERTY ${property} ${times})
  endforeach()
  set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Those of the transports that can have so many PEs: ranks of several PEs, such as 2x3, and nodes, such as 4@2, are for
# MPI.
function(tsubu_transports_for result pes)
  set(able ${ARGN})
  if(pes MATCHES "[x@]")
    list(REMOVE_ITEM able threads sim)
  endif()
  set(${result} ${able} PARENT_SCOPE)
endfunction()

# Registers one program as tests NAME.TRANSPORT.PES, for each transport of this build and each number of PEs. Some of
# these pairs are always tested, the others with `ctest -C full` (tsubu_choose_pairs):
#
#   tsubu_program_test(ring SOURCES ring.cpp)                          ring.threads.1, ring.sim.2, ... ring.mpich.4
#   tsubu_program_test(ring SOURCES ring.cpp PES 2 5 TRANSPORTS threads LABELS slow TIMEOUT 300)
#   tsubu_program_test(cg.S TARGET cg ARGS --class S PES 1 2 3 OUTPUT "VERIFICATION SUCCESSFUL")
#   tsubu_program_test(cg.unknown_class TARGET cg ARGS --class Z PES 1 EXIT 2 OUTPUT "no class Z")
#
# SOURCES      builds the program NAME from them, in the folder bin, linked with tsubu::tsubu (and LIBRARIES)
# TARGET       instead: an executable that is there already
# ARGS         what it is called with; the number of PEs is added
# PES          default 1 2 4. For the MPI transports, 2x3 is 2 ranks of 3 PEs each, 4@2 is 4 ranks that are dealt to 2
#              pretended nodes, 4@off is 4 ranks that share no memory
# TRANSPORTS   of threads openmpi mpich; default all. Those that this build does not have are left out
# NOT_SIMULATED  what runs on threads runs in the simulator, too, unless this is given: for what measures this computer
# EVERY        all pairs are chosen, but under a sanitizer: for what is cheap for what it shows
# FULL         all of these tests are of the configuration "full", and have that label: what costs much and shows little
#              that others do not
# NO_LEAK_CHECK  tasks may wait when the job ends, and their frames stay
# EXIT, OUTPUT default: exit code 0, any output. An option that is refused, with 2, is simulated only with "full".
#              OUTPUT is a regular expression (POSIX extended), found in a line of what it prints (tests/expect.cpp)
# LABELS       beside threads, sim or mpi
# TIMEOUT      seconds, default 60; four times that under a sanitizer
function(tsubu_program_test name)
  cmake_parse_arguments(ARG "NOT_SIMULATED;EVERY;FULL;NO_LEAK_CHECK" "TARGET;TIMEOUT;EXIT;OUTPUT"
                        "SOURCES;LIBRARIES;ARGS;PES;TRANSPORTS;LABELS;ENVIRONMENT" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsubu_program_test(${name}): what is '${ARG_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT TSUBU_BUILD_TESTS)
    return()
  endif()
  if(ARG_SOURCES)
    set(ARG_TARGET ${name})
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE tsubu::tsubu ${ARG_LIBRARIES})
  endif()
  foreach(default "PES 1 2 4" "TRANSPORTS threads openmpi mpich" "TIMEOUT 60" "EXIT 0")
    string(REPLACE " " ";" default "${default}")
    list(POP_FRONT default key)
    if(NOT DEFINED ARG_${key})
      set(ARG_${key} ${default})
    endif()
  endforeach()

  set(expect "")
  if(ARG_EXIT OR ARG_OUTPUT)
    set(expect expect --exit ${ARG_EXIT})
    if(ARG_OUTPUT)
      list(APPEND expect --output ${ARG_OUTPUT})
    endif()
    list(APPEND expect --)
  endif()

  # What runs on threads runs in the simulator.
  if("threads" IN_LIST ARG_TRANSPORTS AND NOT ARG_NOT_SIMULATED)
    list(APPEND ARG_TRANSPORTS sim)
    list(REMOVE_DUPLICATES ARG_TRANSPORTS)
  endif()
  set(transports "")
  foreach(transport IN LISTS ARG_TRANSPORTS)
    if(transport IN_LIST TSUBU_TEST_TRANSPORTS)
      list(APPEND transports ${transport})
    endif()
  endforeach()
  # Under a sanitizer one MPI is enough: the two transports are one source, and the suite of conformance looks at both.
  # And of the tests of one program the first has each transport, the others have one each, in turns.
  if(TSUBU_SANITIZE AND "mpich" IN_LIST transports)
    list(REMOVE_ITEM transports openmpi)
  endif()
  set(always ${transports})
  set(refused_too "")
  if(ARG_EXIT STREQUAL "2" AND "threads" IN_LIST transports)
    # Whatever is refused is refused before it matters what the PEs run on.
    set(refused_too sim)
    list(REMOVE_ITEM always sim)
  endif()
  if(TSUBU_SANITIZE AND always AND NOT ARG_FULL)
    set(earlier_tests TSUBU_TESTS_OF_PROGRAM_${ARG_TARGET})
    get_property(earlier GLOBAL PROPERTY ${earlier_tests})
    if(earlier)
      list(LENGTH always count)
      math(EXPR turn "${earlier} % ${count}")
      list(GET always ${turn} always)
    else()
      set(earlier 0)
    endif()
    math(EXPR earlier "${earlier} + 1")
    set_property(GLOBAL PROPERTY ${earlier_tests} ${earlier})
  endif()

  set(chosen "")
  if(ARG_FULL)
    list(APPEND ARG_LABELS full)
  elseif(ARG_EVERY AND NOT TSUBU_SANITIZE)
    foreach(pes IN LISTS ARG_PES)
      tsubu_choose_pairs(pairs TRANSPORTS ${always} PES ${pes})
      list(APPEND chosen ${pairs})
    endforeach()
  else()
    tsubu_choose_pairs(chosen TRANSPORTS ${always} PES ${ARG_PES})
  endif()
  foreach(pes IN LISTS ARG_PES)
    tsubu_transports_for(able ${pes} ${transports})
    foreach(transport IN LISTS able)
      set(configuration CONFIGURATIONS full)
      if("${transport}/${pes}" IN_LIST chosen)
        set(configuration "")
      endif()
      set(program $<TARGET_FILE:${ARG_TARGET}> ${ARG_ARGS})
      tsubu_program_command(command processors ${transport} ${pes} ${program})
      set(leaks "")
      if(ARG_NO_LEAK_CHECK)
        set(leaks NO_LEAK_CHECK)
      endif()
      set(label ${transport})
      set(sampled "")
      if(NOT transport MATCHES "threads|sim")
        set(label mpi)
        set(leaks NO_LEAK_CHECK)  # the MPI libraries leak
        # One rank has nobody to send to. And what must fail does so on threads, too.
        if(pes MATCHES "^1([x@]|$)" OR (ARG_EXIT AND "threads" IN_LIST transports))
          set(sampled SAMPLED)
        endif()
      elseif(transport STREQUAL refused_too)
        list(APPEND label full)
      endif()
      set(test ${name}.${transport}.${pes})
      add_test(NAME ${test} COMMAND ${expect} ${command} ${configuration})
      tsubu_test_properties(${test} TIMEOUT ${ARG_TIMEOUT} LABELS ${label} ${ARG_LABELS} PROCESSORS ${processors}
                            ENVIRONMENT ${ARG_ENVIRONMENT} ${leaks} ${sampled})
    endforeach()
  endforeach()
endfunction()

# How PROGRAM is started with so many PEs, and how many cores it keeps busy: PEs with nothing to do sleep, and those of
# a test have little; but MPICH's ranks poll while they start and end.
function(tsubu_program_command result processors_result transport pes)
  set(program ${ARGN})
  if(pes MATCHES "^(.+)@off$")
    set(pes ${CMAKE_MATCH_1})
    list(APPEND program --tsubu-shared=off)
  elseif(pes MATCHES "^(.+)@([0-9]+)$")
    set(pes ${CMAKE_MATCH_1})
    list(APPEND program --tsubu-pretended-nodes=${CMAKE_MATCH_2})
  endif()
  set(ranks ${pes})
  if(pes MATCHES "^([0-9]+)x([0-9]+)$")
    set(ranks ${CMAKE_MATCH_1})
    list(APPEND program --tsubu-pes-per-rank=${CMAKE_MATCH_2} --tsubu-bind=off)
  endif()
  set(processors 1)
  if(transport STREQUAL "threads")
    set(command ${program} --tsubu-pes=${pes})
  elseif(transport STREQUAL "sim")
    set(command ${program} --tsubu-pes=${pes} --tsubu-transport=sim)
  else()
    set(command ${TSUBU_MPIRUN_${transport}})
    if(transport STREQUAL "openmpi")
      # Several jobs run side by side here, so none may bind to cores.
      list(APPEND command --allow-run-as-root --oversubscribe --bind-to none)
    endif()
    list(APPEND command -n ${ranks} ${program})
    if(ranks GREATER 2)
      set(processors 2)
    endif()
  endif()
  set(${result} ${command} PARENT_SCOPE)
  set(${processors_result} ${processors} PARENT_SCOPE)
endfunction()
