// `abcl repl`: reads, evaluates, prints, and begins again; as a job of Tsubu whose PE 0 has the prompt.
#pragma once

#include <string>
#include <vector>

namespace abcl::repl {

// Loads the files, then takes inputs until they end. Returns the exit code.
int run(const std::vector<std::string>& files, int nodes);

}  // namespace abcl::repl
