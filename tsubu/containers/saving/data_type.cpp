#include "tsubu/containers/saving/data_type.hpp"

namespace tsubu::containers {

std::string_view suffix_of(std::string_view type) {
  if (type == "lines") return ".txt";
  if (type == "csv") return ".csv";
  if (is_of_records(type)) return ".bin";
  return {};
}

std::string type_of_records(std::size_t bytes) { return "records of " + std::to_string(bytes) + " bytes"; }
bool is_of_records(std::string_view type) { return type.starts_with("records of "); }

std::string described(std::string_view type) {
  if (type.empty()) return "nothing saved";
  return (suffix_of(type).empty() ? "a saved " : "files of ") + std::string(type);
}

}  // namespace tsubu::containers
