# Programs that are launched as tests. Which of them how, tables say, launches.toml, beside the CMakeLists.txt that build the
# programs; tests/launches reads them, and writes a launches.cmake for each. docs/how_to_test.md tells how to add a launch.

# The transports the tests of this build use.
set(TSUBU_TEST_TRANSPORTS threads)
if(NOT TSUBU_SANITIZE STREQUAL "thread")  # simulated PEs take turns in one thread, the MPI libraries are not built for it
  list(APPEND TSUBU_TEST_TRANSPORTS sim ${TSUBU_MPIS})
endif()

if(TSUBU_BUILD_TESTS)
  set(reader ${PROJECT_SOURCE_DIR}/tests/launches)
  list(TRANSFORM TSUBU_TEST_TRANSPORTS REPLACE ".+" "--transport=\\0" OUTPUT_VARIABLE transports)
  foreach(name IN LISTS TSUBU_MPIS)
    list(JOIN TSUBU_LAUNCH_${name} " " launch)
    list(TRANSFORM transports REPLACE "=${name}$" "=${name}=${launch}")
  endforeach()
  set(sanitized "")
  if(TSUBU_SANITIZE)
    set(sanitized --sanitized)
  endif()
  file(GLOB_RECURSE tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/launches.toml
       ${PROJECT_SOURCE_DIR}/examples/launches.toml ${PROJECT_SOURCE_DIR}/tests/launches.toml)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${reader} --source ${PROJECT_SOURCE_DIR} --build ${PROJECT_BINARY_DIR}
                          ${transports} ${sanitized} ${tables} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${reader} ${tables})
endif()

# The launches of this folder's table are tests from here on.
macro(tsubu_launches)
  if(TSUBU_BUILD_TESTS)
    include(${CMAKE_CURRENT_BINARY_DIR}/launches.cmake)
  endif()
endmacro()

# A program that is built to be launched: tsubu_test_program(ring ring.cpp [LIBRARIES tsubu::npb])
function(tsubu_test_program name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES" ${ARGN})
  if(TSUBU_BUILD_TESTS)
    add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
    target_link_libraries(${name} PRIVATE tsubu::tsubu ${ARG_LIBRARIES})
  endif()
endfunction()
