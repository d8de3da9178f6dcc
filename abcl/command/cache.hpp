// The folder in which `abcl` keeps what it has made, and what that is found by.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace abcl {

// A variable of the environment; "" if it is not set.
std::string variable(const char* name);

// It may not be there yet: XDG_CACHE_HOME/abcl, or ~/.cache/abcl, or one among the temporary files.
std::filesystem::path cache_folder();

// FNV-1a, 64 bits, as 16 hex digits.
std::string hash_of(std::string_view text);

}  // namespace abcl
