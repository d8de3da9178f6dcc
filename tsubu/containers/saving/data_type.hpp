// What the list of a folder says of part files that are data, which others may read, too: "lines", "csv", "records of
// 24 bytes". Any other type is that of a saved container.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tsubu::containers {

// How the names of part files end whose list says that they are of this type. Empty: it is a saved container.
std::string_view suffix_of(std::string_view type);

// The type of records of so many bytes, as they are in memory; and whether a type is such a one.
std::string type_of_records(std::size_t bytes);
bool is_of_records(std::string_view type);

// For errors: "files of csv", "a saved map of text to i64".
std::string described(std::string_view type);

}  // namespace tsubu::containers
