# Every public header compiles alone, before any other. A source of a floor that includes a header first shows that for this
# one, by being compiled without precompiled headers, as ./dev lint does. The other headers are compiled here, each for
# itself: target headers_alone, which ./dev lint builds. Target headers_all, and test headers.self_contained of the
# configuration "full", compile all.
#
#   tsubu_verify_headers(TARGET HEADERS FILE... [SOURCES FILE...])
#
# HEADERS are found by a program that links TARGET; SOURCES are the floor's. Which ones they include first is read when
# CMake runs, as in a fresh clone.
function(tsubu_verify_headers target)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES" ${ARGN})
  if(NOT TSUBU_BUILD_TESTS OR TSUBU_SANITIZE)  # a sanitizer has nothing to say about it
    return()
  endif()
  set(shown "")
  foreach(source IN LISTS ARG_SOURCES)
    file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
    if(first MATCHES "\"(.*)\"")
      list(APPEND shown ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(alone "")
  set(others "")
  foreach(header IN LISTS ARG_HEADERS)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    set(source ${PROJECT_BINARY_DIR}/headers/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${name}\"\n")
    if(name IN_LIST shown)
      list(APPEND others ${source})
    else()
      list(APPEND alone ${source})
    endif()
  endforeach()
  foreach(which alone others)
    if(${which})
      set(library ${target}_headers_${which})
      add_library(${library} OBJECT EXCLUDE_FROM_ALL ${${which}})
      set_target_properties(${library} PROPERTIES EXPORT_COMPILE_COMMANDS OFF)
      target_compile_options(${library} PRIVATE -O0)
      target_link_libraries(${library} PRIVATE ${target})
      add_dependencies(headers_all ${library})
      if(which STREQUAL "alone")
        add_dependencies(headers_alone ${library})
      endif()
    endif()
  endforeach()
endfunction()
add_custom_target(headers_alone)
add_custom_target(headers_all)
