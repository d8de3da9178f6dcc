# What holds for every target: language, folders, warnings, sanitizer, compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# What is installed finds an MPI outside the system's folders too.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Plug-ins are looked for in ../lib/tsubu from the programs, in a build tree as in an installed one.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/tsubu)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(NOT PROJECT_IS_TOP_LEVEL)
    message(WARNING "CMAKE_BUILD_TYPE is not set: Tsubu is built as Release, but what sends its messages is compiled with the "
                    "programs of ${CMAKE_PROJECT_NAME}, without optimisation, and a message costs 20 times as much there. "
                    "Configure with -DCMAKE_BUILD_TYPE=Release.")
  endif()
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wundef -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # g++ 12 warns of "text" + std::string (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Else an inline variable is one for all copies of a program in a process (tests/smpi).
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
endif()
if(TSUBU_WERROR)
  add_compile_options(-Werror)
endif()

if(TSUBU_FUZZ)
  # What libFuzzer sees of the program; only the fuzzers link its main().
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(TSUBU_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(TSUBU_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(TSUBU_SANITIZE)
  message(FATAL_ERROR "TSUBU_SANITIZE is '${TSUBU_SANITIZE}'; it can be address or thread")
endif()

find_program(TSUBU_CCACHE ccache)
mark_as_advanced(TSUBU_CCACHE)
if(TSUBU_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # What one clone has compiled, another finds; what is compiled with precompiled headers can be cached; and what is not there
  # is compiled at once, not preprocessed first. Whether warnings are errors makes no other object.
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_DEPEND=1 CCACHE_IGNOREOPTIONS=-Werror ${TSUBU_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
