// By what a file with a job's profile is known.
#pragma once

namespace tsubu::data {

inline constexpr const char* profile_format = "tsubu-profile";
inline constexpr int profile_version = 1;
inline constexpr const char* profile_begins = "{\n \"format\": \"tsubu-profile\"";

}  // namespace tsubu::data
