#include "apps/program/result.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "apps/program/command_line.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/remote/pe.hpp"

namespace program {
namespace {

// Control characters are spelled, those of C1 too (two bytes of UTF-8, the first of which is 0xc2).
std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
      out += fmt::format("\\u{:04x}", next);
      ++i;
    } else {
      if (text[i] == '"' || text[i] == '\\') out += '\\';
      out += text[i];
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
  tsubu::write_output(line + "}\n");
}

void print_text(const result& of) {
  std::size_t width = 12;
  for (const auto& figure : of.figures) width = std::max(width, figure.first.size());
  const auto row = [&](std::string_view name, std::string_view value) {
    tsubu::write_output(fmt::format("  {:<{}} {}\n", name, width, tsubu::one_line(value)));
  };
  tsubu::write_output(fmt::format("{}\n{}\n", tsubu::one_line(of.about), verdict(of.verified)));
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
