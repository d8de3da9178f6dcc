# One target per floor: tsubu_<name>, with alias tsubu::<name>.
#
#   tsubu_floor(task SOURCES a.cpp b.cpp TESTS a_test.cpp DEPENDS base LIBRARIES Boost::context)
#
# TESTS are unit tests beside the code, linked into one program tsubu_<name>_test, registered as unit.<name> (precompiled.cmake).
# DEPENDS names floors, LIBRARIES anything else a program that uses the floor must link.
# The headers (*.hpp of the folder, and of its subfolders that have no CMakeLists.txt of their own) are installed,
# and each compiles alone (headers.cmake). What is built of a floor becomes part of tsubu::tsubu (umbrella.cmake).
function(tsubu_floor name)
  cmake_parse_arguments(FLOOR "" "" "SOURCES;TESTS;DEPENDS;LIBRARIES" ${ARGN})
  if(FLOOR_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tsubu_floor(${name}): what is '${FLOOR_UNPARSED_ARGUMENTS}'?")
  endif()
  if(FLOOR_SOURCES)
    add_library(tsubu_${name} STATIC ${FLOOR_SOURCES})
    tsubu_precompile_standard(tsubu_precompiled_floor TARGETS tsubu_${name})
    tsubu_compile_together(tsubu_${name})
    set(scope PUBLIC)
  else()
    add_library(tsubu_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tsubu::${name} ALIAS tsubu_${name})
  target_include_directories(tsubu_${name} ${scope} ${PROJECT_SOURCE_DIR})
  target_compile_features(tsubu_${name} ${scope} cxx_std_20)
  list(TRANSFORM FLOOR_DEPENDS PREPEND tsubu::)
  target_link_libraries(tsubu_${name} ${scope} ${FLOOR_DEPENDS} ${FLOOR_LIBRARIES})
  tsubu_floor_headers(headers)
  tsubu_verify_headers(tsubu_${name} HEADERS ${headers} SOURCES ${FLOOR_SOURCES})
  set_property(GLOBAL APPEND PROPERTY TSUBU_FLOORS tsubu_${name})
  set_property(GLOBAL APPEND PROPERTY TSUBU_FLOOR_HEADERS ${headers})
  set_property(GLOBAL APPEND PROPERTY TSUBU_FLOOR_LIBRARIES ${FLOOR_LIBRARIES})

  if(FLOOR_TESTS)
    tsubu_unit_test(tsubu_${name}_test TEST ${name} SOURCES ${FLOOR_TESTS} LIBRARIES tsubu::${name} TIMEOUT 300)
  endif()
endfunction()

# The headers of the floor in the current folder.
function(tsubu_floor_headers result)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  file(GLOB_RECURSE others ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(file IN LISTS others)
    cmake_path(GET file PARENT_PATH folder)
    if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      list(FILTER headers EXCLUDE REGEX "^${folder}/")
    endif()
  endforeach()
  set(${result} ${headers} PARENT_SCOPE)
endfunction()

# Adds the folders that are there.
function(tsubu_add_subdirectories)
  foreach(folder IN LISTS ARGN)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()
