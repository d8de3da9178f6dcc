#include "tsubu/containers/files/write_lines.hpp"

namespace tsubu::containers {

void line_format::put(part_writer& to, std::string_view line) {
  const auto refuse = [&](const char* why) { to.refuse("line " + std::to_string(to.elements() + 1) + ' ' + why); };
  if (line.find('\n') != std::string_view::npos) refuse("has a line feed in it, which would make two lines of it");
  if (line.ends_with('\r')) refuse("ends with a carriage return, which would be part of its line's end");
  if (to.elements() == 0) {
    put_first_text(to, line);
  } else {
    to.put_bytes(line.data(), line.size());
  }
  to.put_bytes("\n", 1);
  to.end_element();
}

}  // namespace tsubu::containers
