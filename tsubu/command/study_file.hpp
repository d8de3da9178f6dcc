// study.json, where a study keeps what it has found: what an earlier one knows, and whether that is of the same.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tsubu::command {

// Ends the command: the study was asked what cannot be done, or finds what it cannot go on with.
[[noreturn]] void refuse_study(const std::string& text);

// Tells whether a text is another one than last time.
std::string digest_of(const std::string& text);
// The program as it is now: another after it was built again.
std::string stamp_of(const std::string& program);

// The runs that an earlier study of this folder knows, and those that it had kept; none if there is no such file. One
// that is damaged is told, before hours go by that could not be written down beside it.
nlohmann::ordered_json runs_of_earlier_study(const std::filesystem::path& file);
// Ends the command if it cannot be written.
void write_study_file(const std::filesystem::path& file, const nlohmann::ordered_json& study);

}  // namespace tsubu::command
