# tsubu::tsubu, what a program links: all floors as one library, and their headers with those of tsubu/*.hpp.
get_property(floors GLOBAL PROPERTY TSUBU_FLOORS)
get_property(floor_headers GLOBAL PROPERTY TSUBU_FLOOR_HEADERS)
get_property(libraries GLOBAL PROPERTY TSUBU_FLOOR_LIBRARIES)
list(REMOVE_DUPLICATES libraries)
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tsubu/*.hpp ${PROJECT_SOURCE_DIR}/tsubu/mpi.h)
# They include the mpi.h of the program, and compile in tests/inside_mpi for each MPI.
set(headers_for_any_mpi ${PROJECT_SOURCE_DIR}/tsubu/mpi.hpp ${PROJECT_SOURCE_DIR}/tsubu/mpi.h)

add_library(tsubu_all STATIC)
add_library(tsubu::tsubu ALIAS tsubu_all)
set_target_properties(tsubu_all PROPERTIES EXPORT_NAME tsubu OUTPUT_NAME tsubu LINKER_LANGUAGE CXX)
foreach(floor IN LISTS floors)
  get_target_property(type ${floor} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    target_sources(tsubu_all PRIVATE $<TARGET_OBJECTS:${floor}>)
  endif()
endforeach()
target_include_directories(tsubu_all PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_compile_features(tsubu_all PUBLIC cxx_std_20)
target_link_libraries(tsubu_all PUBLIC ${libraries})
target_sources(tsubu_all PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers} ${floor_headers})
list(REMOVE_ITEM headers ${headers_for_any_mpi})
tsubu_verify_headers(tsubu_all HEADERS ${headers})

# Plug-ins and machines are looked for beside a program, or beside its Tsubu, wherever that lies when the program is linked.
# Programs of this project lie where theirs are.
target_link_options(tsubu_all INTERFACE "$<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/lib/tsubu>")
if(NOT PROJECT_IS_TOP_LEVEL)
  target_link_options(tsubu_all INTERFACE "$<BUILD_INTERFACE:LINKER:-rpath,${CMAKE_LIBRARY_OUTPUT_DIRECTORY}>")
endif()
