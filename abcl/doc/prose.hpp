// Comments as prose: paragraphs, items of lists, examples, and code within a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abcl/doc/doc.hpp"

namespace abcl {

struct prose_block {
  enum class kind {
    paragraph,  // lines up to an empty one
    item,       // from a line that begins with "- "
    example,    // lines that are indented by two spaces or more, with their line ends
  };
  kind what = kind::paragraph;
  std::string text;
};

std::vector<prose_block> blocks_of(const comment_lines& lines);

// A line in parts: what stands between two backquotes is code.
struct prose_piece {
  bool code = false;
  std::string_view text;
};

std::vector<prose_piece> pieces_of(std::string_view text);

}  // namespace abcl
