#include "tsubu/containers/files/lines.hpp"

namespace tsubu {

void text_lines::end_with(found last) {
  if (last == found::longer_line)
    throw data_file_error(place() + ": the line is longer than " + std::to_string(lines_.longest()) + " bytes");
  ended_ = true;
}

task<text_lines> lines(std::vector<std::string> patterns, std::size_t longest_line) {
  const containers::text_reader by{.name = "lines()", .reads = "lines"};
  co_return text_lines(co_await containers::pieces_of_this_pe(std::move(patterns), by), longest_line);
}

}  // namespace tsubu
