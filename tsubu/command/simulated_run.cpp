#include "tsubu/command/simulated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "tsubu/command/child.hpp"

namespace tsubu::command {

using json = nlohmann::ordered_json;

namespace {

json sums_of(const json& report, bool timed) {
  const bool of_stretch = timed && report.contains("timed");
  const json& told = of_stretch ? report.at("timed") : report;
  std::map<std::string, double> sums;
  const auto& columns = told.at("columns");
  double busiest = 0;
  for (const auto& row : told.at("of_pes")) {
    double busy = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto name = columns[i].get<std::string>();
      const auto value = row.at(i).get<double>();
      sums[name] += value;
      if (name.ends_with("_ps") && name != "idle_ps") busy += value;
    }
    busiest = std::max(busiest, busy);
  }
  const int pes = report.at("pes").get<int>();
  const auto ps = told.at("time_ps").get<std::int64_t>();
  const double time = std::max(static_cast<double>(ps), 1.0);
  json run = {{"pes", pes}, {"time_ps", ps}};
  for (const char* name : {"messages", "batches", "bytes"}) run[name] = static_cast<std::int64_t>(sums[name]);
  for (const std::string_view part : parts_of_time) {
    run["shares"][part] = sums[fmt::format("{}_ps", part)] / (time * pes);
  }
  run["bound"] = told.at("bound");
  run["bound_share"] = told.at("bound_share");
  run["busiest"] = busiest / time;
  run["host_seconds"] = report.at("host_seconds");
  return run;
}

}  // namespace

std::optional<json> summary_of(const std::string& report, bool timed) {
  try {
    return sums_of(json::parse(report), timed);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> told_ps(const std::string& output, const std::string& field) {
  const std::string line = json_line_of(output), key = fmt::format("\"{}\":", field);
  const std::size_t at = line.find(key);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t number = line.find_first_not_of(' ', at + key.size());
  double seconds = -1;
  if (number != std::string::npos) std::from_chars(line.data() + number, line.data() + line.size(), seconds);
  if (!(seconds >= 0 && seconds < 1e6)) return std::nullopt;
  return static_cast<std::int64_t>(seconds * 1e12);
}

}  // namespace tsubu::command
