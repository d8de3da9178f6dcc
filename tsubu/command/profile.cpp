#include "tsubu/command/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/command/picture.hpp"
#include "tsubu/command/quantity.hpp"
#include "tsubu/data/profile/profile_file.hpp"

namespace tsubu::command {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& text) { end_job(exit_code::usage, one_line("tsubu profile: " + text)); }

constexpr std::array compared = {"global", "mobile", "update", "invalidate"};

std::string duration_of_ns(double ns) { return duration(ns * 1e3); }

// What a profile says goes to the terminal.
std::string text_of(const json& of, const char* key) { return one_line(of.at(key).get<std::string>()); }

std::string place_of(const json& site) {
  return fmt::format("{}:{}", text_of(site, "file"), site.at("line").get<int>());
}

// A type as people write it: without allocators, and not too long.
std::string short_type(const json& site) {
  std::string type = text_of(site, "type");
  constexpr std::string_view allocator = ", std::allocator<";
  for (std::size_t at = type.find(allocator); at != std::string::npos; at = type.find(allocator)) {
    std::size_t end = at + allocator.size();
    for (int open = 1; open > 0 && end < type.size(); ++end) open += type[end] == '<' ? 1 : (type[end] == '>' ? -1 : 0);
    while (end < type.size() && type[end] == ' ') ++end;
    type.erase(at, end - at);
  }
  constexpr std::size_t most = 40;
  if (type.size() > most) type = type.substr(0, most - 3) + "...";
  return text_of(site, "kind") == "array" ? "array of " + type : type;
}

// The time for which one PE waits, as the job reckons it from all of them.
std::string summary(const json& j) {
  const double elapsed = j.at("elapsed_ns").get<double>(), predicted = j.at("predicted_ns").get<double>();
  const double pes = j.at("pes").get<double>();
  const std::string doubtful =
      one_line(j.value("prediction_doubtful", ""));  // empty, too, in one written before it was
  const std::string reason = doubtful.empty()
                                 ? ""
                                 : fmt::format(", perhaps far off, but {} at least: {}",
                                               duration_of_ns(j.at("predicted_at_least_ns").get<double>()), doubtful);
  return fmt::format(
      "{} on {} PEs: {}, of which a PE waited {} for shared data\n"
      "with the best protocols (--tsubu-use-profile): {} predicted{}\n",
      text_of(j, "program"), pes, duration_of_ns(elapsed), duration_of_ns(j.at("waited_ns").get<double>() / pes),
      duration_of_ns(predicted), reason);
}

std::string table(const json& j) {
  std::size_t widest = 11;
  for (const json& site : j.at("sites")) widest = std::max(widest, place_of(site).size());
  std::string text = fmt::format("{:<{}} {:>9} {:>10} {:>10}  {:<10} {:<10} {:>9}", "declared at", widest, "how many",
                                 "reads", "writes", "declared", "best", "cost");
  for (const char* p : compared) text += fmt::format(" {:>10}", p);
  text += "  what\n";
  for (const json& site : j.at("sites")) {
    text += fmt::format("{:<{}} {:>9} {:>10} {:>10}  {:<10} {:<10} {:>9}", place_of(site), widest,
                        site.at("count").get<std::uint64_t>(), site.at("reads").get<std::uint64_t>(),
                        site.at("writes").get<std::uint64_t>(), text_of(site, "declared"), text_of(site, "best"),
                        duration_of_ns(site.at("spent").at("time_ns").get<double>()));
    for (const char* p : compared)
      text += fmt::format(" {:>10}", duration_of_ns(site.at("traffic").at(p).at("time_ns").get<double>()));
    text += "  " + short_type(site) + "\n";
  }
  const json& f = j.at("figures");
  text += fmt::format(
      "cost: of all messages for it, {:g} ns each, {:g} ns for each byte, and {:g} ns for each time that somebody "
      "waits: "
      "assumed figures\n",
      f.at("message_ns").get<double>(), f.at("byte_ns").get<double>(), f.at("round_trip_ns").get<double>());
  return text;
}

json read(const std::string& file) {
  std::string why;
  const auto text = read_file(file, why);
  if (!text) refuse(fmt::format("{}: {}", file, why));
  json j = json::parse(*text, nullptr, false);
  if (!j.is_object() || j.value("format", "") != data::profile_format)
    refuse(file + " is not a profile of shared data: run a program with --tsubu-profile=FILE");
  if (const int version = j.value("version", 0); version != data::profile_version)
    refuse(fmt::format("{} has format version {}, and this command reads version {}: record it again", file, version,
                       data::profile_version));
  return j;
}

void draw(const profile_view& what) {
  std::error_code error;
  fs::create_directories(what.folder, error);
  if (error) refuse(fmt::format("--out {}: {}", what.folder, error.message()));
  const workplace here;
  const std::string why = draw_by("plot_profile", what.file, what.folder, here);
  if (why.empty()) {
    fmt::print(stderr, "wrote {}/profile.png and .svg\n", one_line(what.folder));
  } else {
    fmt::print(stderr, "no picture: {}\n", why);
  }
}

}  // namespace

int show_profile(const profile_view& what) {
  const json j = read(what.file);
  try {
    write_output(summary(j) + table(j));
  } catch (const json::exception& e) {
    refuse(fmt::format("{} is not a profile of shared data: {}", what.file, e.what()));
  }
  if (!what.folder.empty()) draw(what);
  return 0;
}

}  // namespace tsubu::command
