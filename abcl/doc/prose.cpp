#include "abcl/doc/prose.hpp"

namespace abcl {

std::vector<prose_block> blocks_of(const comment_lines& lines) {
  using kind = prose_block::kind;
  std::vector<prose_block> all;
  bool goes_on = false;  // the last block does
  for (const std::string& line : lines) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos) {
      goes_on = false;
      continue;
    }
    const std::string text = line.substr(begin);
    const bool within_item = goes_on && all.back().what == kind::item;
    if (begin >= 2 && !within_item) {
      if (goes_on && all.back().what == kind::example) {
        all.back().text += '\n' + line.substr(2);
      } else {
        all.push_back({kind::example, line.substr(2)});
      }
    } else if (text.starts_with("- ")) {
      all.push_back({kind::item, text.substr(2)});
    } else if (goes_on && all.back().what != kind::example) {
      all.back().text += ' ' + text;
    } else {
      all.push_back({kind::paragraph, text});
    }
    goes_on = true;
  }
  return all;
}

std::vector<prose_piece> pieces_of(std::string_view text) {
  std::vector<prose_piece> all;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos || close == open + 1) {
      all.push_back({false, text});
      break;
    }
    if (open > 0) all.push_back({false, text.substr(0, open)});
    all.push_back({true, text.substr(open + 1, close - open - 1)});
    text.remove_prefix(close + 1);
  }
  return all;
}

}  // namespace abcl
