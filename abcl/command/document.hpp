// `abcl doc`: documentation of programs, to the standard output, into a file, or a page each into a folder.
#pragma once

#include <string>
#include <vector>

namespace abcl {

// Each of `paths` with what it uses, each file once. `to` is a file, a folder (one that is there, or a name that ends
// with `/`), or "": the standard output. The exit code: 1 if a program has errors, which have been shown, and then
// nothing is written. Throws std::runtime_error.
int document_files(const std::vector<std::string>& paths, const std::string& to, bool html);

}  // namespace abcl
