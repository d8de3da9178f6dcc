# cmake --install: the library and its headers, plug-ins, the command, and a package for find_package(tsubu).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS tsubu_all tsubu_mpc_main tsubu_eulash_main EXPORT tsubu-targets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Programs look for plug-ins in ../lib/tsubu, whatever the folder of libraries is.
foreach(target tsubu-transport-openmpi tsubu-transport-mpich tsubu-transport-mpi_abi)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION lib/tsubu)
  endif()
endforeach()
if(TARGET tsubu_command)
  install(TARGETS tsubu_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/plot_prediction ${PROJECT_SOURCE_DIR}/tools/plot_profile
                   ${PROJECT_SOURCE_DIR}/tools/plot_study DESTINATION share/tsubu)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/suites DESTINATION share/tsubu FILES_MATCHING PATTERN "*.toml")
endif()
if(TARGET abcl_command)
  install(TARGETS abcl_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/abcl/runtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/abcl FILES_MATCHING PATTERN "*.hpp")
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/abcl/editors DESTINATION share/tsubu/abcl)
endif()
if(TARGET eulash_command)
  install(TARGETS eulash_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# Looked for in ../share/tsubu/machines from the programs.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/machines DESTINATION share/tsubu FILES_MATCHING PATTERN "*.toml")

# The pages beside README and the examples, as here: their links to each other hold.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
              ${PROJECT_SOURCE_DIR}/SECURITY.md ${PROJECT_SOURCE_DIR}/SUPPORT.md ${PROJECT_SOURCE_DIR}/CITATION.cff
              ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tsubu)
install(EXPORT tsubu-targets NAMESPACE tsubu:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tsubu-config.cmake.in ${PROJECT_BINARY_DIR}/tsubu-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tsubu-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tsubu-config.cmake ${PROJECT_BINARY_DIR}/tsubu-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/Findhwloc.cmake ${PROJECT_SOURCE_DIR}/cmake/Findzstd.cmake DESTINATION ${package_dir})

# For programs that are not built by CMake: pkg-config --cflags --libs tsubu. The prefix is found from where the file lies.
file(RELATIVE_PATH TSUBU_PREFIX_FROM_PC /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tsubu.pc.in ${PROJECT_BINARY_DIR}/tsubu.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tsubu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
