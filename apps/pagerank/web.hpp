// The graph whose pages are ranked: random, with or without hubs, or from a file.
#pragma once

#include <string>

#include "apps/graph/load.hpp"

namespace pagerank {

struct web {
  graph::input from{.rows = 200'000, .degree = 16, .file = {}};
  int scale = 0;  // if not 0, a Kronecker graph of 2^scale pages, and `degree` links to each

  // --vertices, --degree, --seed, --file, --scale
  void add_options(program::command_line& to);
  // What is wrong with the options as a whole; if nothing is, empty.
  std::string trouble() const;

  std::string name() const;

  // The links from the pages of this PE; each is there once, and only a file has any from a page to itself. `shown`
  // must live until the task has ended. Collective.
  tsubu::task<graph::loaded> load(program::progress* shown) const;
  // All of them, on the calling PE. Local.
  graph::sparse_rows whole() const;
};

}  // namespace pagerank
