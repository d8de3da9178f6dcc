#include "tsubu/command/study_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/command/child.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::string_view format = "tsubu study";
constexpr std::string_view mark = "{\n \"format\": \"tsubu study\"";

// What a run in study.json lacks of what a study reads of it later, or "".
std::string trouble_of_run(const json& run) {
  if (!run.is_object()) return "a run is no table";
  for (const char* key :
       {"application", "scaling", "state", "command", "work", "note", "reason", "bound_by", "bound_how"}) {
    if (run.contains(key) && !run.at(key).is_string()) return fmt::format("\"{}\" of a run is no text", key);
  }
  for (const char* key : {"pes", "time_ps", "messages", "batches", "processor_seconds", "resident_bytes", "limit_s",
                          "wall_limit_s", "of_batches", "of_messages"}) {
    if (run.contains(key) && !run.at(key).is_number()) return fmt::format("\"{}\" of a run is no number", key);
  }
  for (const char* key : {"application", "scaling", "state", "pes"}) {
    if (!run.contains(key)) return fmt::format("a run has no \"{}\"", key);
  }
  for (const char* key : {"time_ps", "messages", "batches", "shares"}) {
    if (run.at("state") == "done" && !run.contains(key)) return fmt::format("a run has no \"{}\"", key);
  }
  return "";
}

}  // namespace

void refuse_study(const std::string& text) { end_job(exit_code::usage, one_line("tsubu predict: " + text)); }

// FNV-1a.
std::string digest_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string stamp_of(const std::string& program) {
  std::error_code none;
  const auto size = fs::file_size(program, none);
  if (none) return "";
  return fmt::format("{} bytes, {}", size, fs::last_write_time(program, none).time_since_epoch().count());
}

json runs_of_earlier_study(const fs::path& file) {
  std::error_code none;
  json all = json::array();
  if (!fs::exists(file, none)) return all;
  const auto damaged = [&](const std::string& why) {
    refuse_study(
        fmt::format("{} is damaged ({}): take it away, or name another folder with --out", file.string(), why));
  };
  const json before = json::parse(text_of(file.string()), nullptr, false);
  if (before.is_discarded()) damaged("it is no JSON");
  if (!before.is_object() || before.value("format", json()) != format) damaged("it is no study");
  for (const char* part : {"runs", "kept"}) {
    if (!before.contains(part) && part == std::string_view("kept")) continue;
    if (!before.contains(part) || !before.at(part).is_array()) damaged(fmt::format("its \"{}\" are no list", part));
    for (const json& run : before.at(part)) {
      if (const std::string trouble = trouble_of_run(run); !trouble.empty()) damaged(trouble);
      all.push_back(run);
    }
  }
  return all;
}

void write_study_file(const fs::path& file, const json& study) {
  json all = {{"format", format}, {"version", 1}};
  all.update(study);
  const std::string trouble = write_file({.file = file.string(), .mark = mark}, all.dump(1) + "\n");
  if (!trouble.empty())
    end_job(exit_code::failed,
            one_line(fmt::format("tsubu predict: {} cannot be written: {}", file.string(), trouble)));
}

}  // namespace tsubu::command
