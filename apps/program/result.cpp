#include "apps/program/result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/program/command_line.hpp"
#include "tsubu/remote/pe.hpp"

namespace program {
namespace {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

// JSON has no infinity: a rate over no time at all, as a simulated job's may be, is null.
std::string json_number(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, digits) : "null";
}

std::string_view verdict(std::optional<bool> verified) {
  if (!verified) return "VERIFICATION NOT PERFORMED";
  return *verified ? "VERIFICATION SUCCESSFUL" : "VERIFICATION FAILED";
}

void print_json(const result& of) {
  std::string line = fmt::format("{{\"program\":{},{}:{},\"pes\":{},\"transport\":{}", json_string(of.program),
                                 json_string(of.input_key), json_string(of.input), tsubu::pe_count(),
                                 json_string(tsubu::transport_name()));
  if (!of.exchange.empty()) line += fmt::format(",\"exchange\":{}", json_string(of.exchange));
  line += fmt::format(",\"verified\":{}", of.verified ? (*of.verified ? "true" : "false") : "null");
  for (const auto& [name, count] : of.counts) line += fmt::format(",{}:{}", json_string(name), count);
  line += fmt::format(",\"seconds\":{}", json_number(of.seconds, 6));
  if (of.mops) line += fmt::format(",\"mops\":{}", json_number(*of.mops, 6));
  for (const auto& [name, value] : of.fields) line += fmt::format(",{}:{}", json_string(name), value);
  for (const auto& [name, value] : of.figures) line += fmt::format(",{}:{}", json_string(name), json_number(value, 9));
  fmt::print("{}}}\n", line);
}

void print_text(const result& of) {
  std::size_t width = 12;
  for (const auto& figure : of.figures) width = std::max(width, figure.first.size());
  const auto row = [&](std::string_view name, std::string_view value) {
    fmt::print("  {:<{}} {}\n", name, width, value);
  };
  fmt::print("{}\n{}\n", of.about, verdict(of.verified));
  for (const auto& [name, count] : of.counts) row(name, std::to_string(count));
  for (const auto& [name, value] : of.details) row(name, value);
  row("seconds", fmt::format("{:.4f}", of.seconds));
  if (of.mops) row("Mop/s", fmt::format("{:.1f}", *of.mops));
  for (const auto& [name, value] : of.figures) row(name, fmt::format("{:.9g}", value));
  row("PEs", fmt::format("{}, on {}", tsubu::pe_count(), tsubu::transport_name()));
  if (!of.exchange.empty()) row("exchange", of.exchange);
}

}  // namespace

void print(const result& of, bool json) {
  if (tsubu::this_pe() != 0) return;
  json ? print_json(of) : print_text(of);
}

int exit_code(const result& of) { return of.verified.value_or(true) ? 0 : wrong_answer; }

}  // namespace program
