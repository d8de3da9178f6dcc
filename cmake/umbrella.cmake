# tsubu::tsubu, what a program links: all floors, and the headers tsubu/*.hpp.
get_property(floors GLOBAL PROPERTY TSUBU_FLOORS)
add_library(tsubu_all INTERFACE)
add_library(tsubu::tsubu ALIAS tsubu_all)
set_target_properties(tsubu_all PROPERTIES EXPORT_NAME tsubu)
target_link_libraries(tsubu_all INTERFACE ${floors})
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tsubu/*.hpp)
target_sources(tsubu_all INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
tsubu_verify_headers(tsubu_all HEADERS ${headers})
