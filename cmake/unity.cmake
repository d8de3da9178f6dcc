# Sources of a library are compiled eight at a time: what they include is then read once for all eight, and the library is
# there in half the time.
#
# No two sources of such a target give one name in an unnamed namespace to two things. What this hides is an #include that a
# source has forgotten, as precompiled headers do: the presets clang (which lint uses) and debug do without (TSUBU_UNITY).
option(TSUBU_UNITY "Sources of a library are compiled several at a time" ON)
set(TSUBU_UNITY_BATCH 8 CACHE STRING "How many; 0 is all of a library")
mark_as_advanced(TSUBU_UNITY_BATCH)

# tsubu_compile_together(TARGET...): their sources are compiled so.
function(tsubu_compile_together)
  if(NOT TSUBU_UNITY)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${TSUBU_UNITY_BATCH})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # For g++ an unnamed namespace in an included source is one in a header.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endif()
  endforeach()
endfunction()

# tsubu_compile_alone(SOURCE): it has words that others of its library mean otherwise; or a program replaces it by an object
# of its own (tests/mutants), and so it must be an object of its own in its library, too. SOURCE is relative to the project.
function(tsubu_compile_alone source)
  cmake_path(GET source PARENT_PATH folder)
  while(NOT EXISTS ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/${source} DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
