# Sources of a library are compiled eight at a time: what they include is then read once for all eight, and the library is
# there in half the time.
#
# No two sources of such a target give one name in an unnamed namespace to two things. What this hides is an #include that a
# source has forgotten, as precompiled headers do: the presets clang (which lint uses) and debug do without (TSUBU_UNITY).
#
# CMake's own UNITY_BUILD names sources by their absolute paths, so that what one clone has compiled, another would not find in
# the cache.
option(TSUBU_UNITY "Sources of a library are compiled several at a time" ON)
set(TSUBU_UNITY_BATCH 8 CACHE STRING "How many; 0 is all of a library")
mark_as_advanced(TSUBU_UNITY_BATCH)

# tsubu_compile_together(TARGET...): their sources are compiled so.
function(tsubu_compile_together)
  if(NOT TSUBU_UNITY)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY TSUBU_TOGETHER ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    foreach(target IN LISTS ARGN)
      # For g++ an unnamed namespace in an included source is one in a header.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endforeach()
  endif()
endfunction()

# tsubu_compile_alone(SOURCE): it has words that others of its library mean otherwise; or a program replaces it by an object
# of its own (tests/mutants), and so it must be an object of its own in its library, too. SOURCE is relative to the project.
function(tsubu_compile_alone source)
  set_property(GLOBAL APPEND PROPERTY TSUBU_ALONE ${source})
endfunction()

# Called when all targets and their sources are there.
function(tsubu_make_units)
  get_property(targets GLOBAL PROPERTY TSUBU_TOGETHER)
  get_property(alone GLOBAL PROPERTY TSUBU_ALONE)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(binary_folder ${target} BINARY_DIR)
    set(compiled "")
    set(text "")
    set(in_unit 0)
    set(units 0)
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      get_source_file_property(options ${source} DIRECTORY ${folder} COMPILE_OPTIONS)
      get_source_file_property(definitions ${source} DIRECTORY ${folder} COMPILE_DEFINITIONS)
      if(NOT name MATCHES "[.]cpp$" OR name MATCHES "^[.][.]" OR name IN_LIST alone OR options OR definitions)
        list(APPEND compiled ${source})
        continue()
      endif()
      if(in_unit EQUAL TSUBU_UNITY_BATCH AND in_unit GREATER 0)
        tsubu_write_unit(compiled ${binary_folder}/together/${target}_${units}.cpp "${text}")
        math(EXPR units "${units} + 1")
        set(in_unit 0)
        set(text "")
      endif()
      math(EXPR in_unit "${in_unit} + 1")
      string(APPEND text "#include \"${name}\"\n")
    endforeach()
    if(in_unit GREATER 0)
      tsubu_write_unit(compiled ${binary_folder}/together/${target}_${units}.cpp "${text}")
    endif()
    set_property(TARGET ${target} PROPERTY SOURCES ${compiled})
  endforeach()
endfunction()

# Written only if it is another text: or all would be compiled again.
function(tsubu_write_unit list file text)
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
  set(${list} ${${list}} ${file} PARENT_SCOPE)
endfunction()
