#include "apps/program/command_line.hpp"

#include <fmt/core.h>

#include "tsubu/base/printable.hpp"
#include "tsubu/remote/pe.hpp"

namespace program {

std::optional<int> read_options(CLI::App& options, const tsubu::arguments& words) {
  options.get_formatter()->column_width(34);
  options.footer("How many PEs, and over what: --tsubu-help.");
  try {
    std::vector<std::string> last_first(words.begin() + 1, words.end());
    std::reverse(last_first.begin(), last_first.end());
    options.parse(std::move(last_first));
    return std::nullopt;
  } catch (const CLI::Success&) {
    if (tsubu::this_pe() == 0) fmt::print("{}", options.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(options.get_name(), fmt::format("{} (see {} --help)", error.what(), options.get_name()));
  }
}

int complain(std::string_view name, std::string_view what) {
  if (tsubu::this_pe() == 0) fmt::print(stderr, "{}: {}\n", name, tsubu::one_line(what));
  return bad_input;
}

}  // namespace program
