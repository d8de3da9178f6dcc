#include "bench/report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>

namespace bench {

std::optional<int> read_options(int argc, char** argv, const std::string& what, const std::vector<option>& options,
                                bool speak) {
  CLI::App app(what);
  for (const option& o : options)
    std::visit([&](auto* value) { app.add_option(o.name, *value, o.help)->capture_default_str(); }, o.value);
  try {
    // PEs on threads may all be here: CLI11 is no library for several threads at a time.
    static std::mutex one_at_a_time;
    const std::lock_guard held(one_at_a_time);
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    std::ostringstream unheard;
    return app.exit(error, speak ? std::cout : unheard, speak ? std::cerr : unheard) == 0 ? 0 : 2;
  }
}

void parse_options(int argc, char** argv, const std::string& what, const std::vector<option>& options) {
  if (const auto code = read_options(argc, argv, what, options)) std::exit(*code);
}

summary summarize(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {(values[(n - 1) / 2] + values[n / 2]) / 2, values.front(), values.back(), n};
}

result_line& result_line::raw(std::string_view key, std::string_view value) {
  fields_ += fmt::format("{}\"{}\":{}", fields_.empty() ? "" : ",", key, value);
  return *this;
}

result_line& result_line::add(std::string_view key, std::string_view value) {
  return raw(key, fmt::format("\"{}\"", value));
}
result_line& result_line::add(std::string_view key, double value) { return raw(key, fmt::format("{:.6g}", value)); }
result_line& result_line::add(std::string_view key, std::int64_t value) { return raw(key, fmt::format("{}", value)); }
result_line& result_line::add(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }

result_line& result_line::add(const summary& measured) {
  return add("min", measured.min)
      .add("max", measured.max)
      .add("spread", measured.spread())
      .add("repetitions", static_cast<std::int64_t>(measured.repetitions));
}

void result_line::print() const {
  fmt::print("{{{}}}\n", fields_);
  std::fflush(stdout);
}

}  // namespace bench
