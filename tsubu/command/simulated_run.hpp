// What one run on a simulated machine has told: its report, and its line of JSON, added up.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tsubu::command {

// Where the time of all PEs goes, in the order in which a picture stacks it.
inline constexpr std::string_view parts_of_time[] = {"work", "handlers", "sending", "receiving", "switching", "idle"};

// The sums of a report (the text of what --tsubu-report wrote): pes, time_ps, messages, batches, bytes, shares of the
// parts of time, bound, bound_share, busiest, host_seconds. `timed`: of the stretch that the program takes its own time
// of, where it has one. Nothing, if the report is damaged.
std::optional<nlohmann::ordered_json> summary_of(const std::string& report, bool timed);

// The seconds that a program tells under that name in its last line of JSON, as picoseconds. Nothing, if there are
// none. Other numbers of the line may be infinite, which JSON has no word for, where the time is 0.
std::optional<std::int64_t> told_ps(const std::string& output, const std::string& field);

}  // namespace tsubu::command
