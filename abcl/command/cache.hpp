// The folder in which `abcl` keeps what it has made, and what that is found by.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace abcl {

// A variable of the environment; "" if it is not set.
std::string variable(const char* name);

// XDG_CACHE_HOME/abcl, or ~/.cache/abcl, or one among the temporary files; made if it is not there. What is in it is
// executed and included: so nothing if another than this user may write it, which is told once, nor if it cannot be
// made. It may be one that can only be read.
std::optional<std::filesystem::path> cache_folder();

// Whether a file of the cache is there, and this user's: a folder that once was open to others may have theirs.
bool is_own(const std::filesystem::path& file);

// FNV-1a, 64 bits, as 16 hex digits.
std::string hash_of(std::string_view text);

}  // namespace abcl
