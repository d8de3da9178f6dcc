#include "tsubu/containers/account.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string_view>

#include "tsubu/base/check.hpp"
#include "tsubu/base/printable.hpp"
#include "tsubu/remote/added_accounts.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::containers {
namespace {

struct known_container {
  std::string type;
  std::uint16_t which;
  part_figures (*figures)(std::uint16_t);
  std::source_location made;
  std::optional<part_figures> at_its_end;
};
pe_local<std::vector<known_container>> known_containers;

// A line for each container; the key is what follows its length.
std::string give() {
  std::ostringstream text;
  for (const known_container& c : *known_containers) {
    const part_figures f = c.at_its_end.has_value() ? *c.at_its_end : c.figures(c.which);
    text << f.elements << ' ' << f.bytes << ' ' << f.keys << ' ' << f.of_all_keys << ' ' << f.of_one_key << ' '
         << f.that_key.size() << ' ' << f.that_key << '\n';
  }
  return text.str();
}

part_figures next_of(std::istream& text) {
  part_figures f;
  std::size_t length = 0;
  text >> f.elements >> f.bytes >> f.keys >> f.of_all_keys >> f.of_one_key >> length;
  require(text.good() && length < 256, "a PE's account of its containers is damaged");
  f.that_key.resize(length);
  text.ignore(1).read(f.that_key.data(), static_cast<std::streamsize>(length));
  return f;
}

// A key is told that alone makes half of what a PE would have of all, and that has ten times as much as the average.
std::string hot_key(const part_figures& all, std::size_t pes) {
  const std::uint64_t of_it = all.of_one_key;
  if (2 * pes * of_it <= all.of_all_keys || all.keys * of_it < 10 * all.of_all_keys) return {};
  char line[320];
  std::snprintf(line, sizeof(line), ", of which the key %s has %" PRIu64 ", %.0f %%", one_line(all.that_key).c_str(),
                of_it, 100.0 * static_cast<double>(of_it) / static_cast<double>(all.of_all_keys));
  return line;
}

std::string told(const known_container& c, const std::vector<part_figures>& of_pes) {
  part_figures all;
  for (const part_figures& f : of_pes) {
    all.elements += f.elements;
    all.bytes += f.bytes;
    all.keys += f.keys;
    all.of_all_keys += f.of_all_keys;
    if (f.of_one_key <= all.of_one_key) continue;
    all.of_one_key = f.of_one_key;
    all.that_key = f.that_key;
  }
  const auto largest = std::ranges::max_element(of_pes, std::ranges::less(), &part_figures::elements);
  const double part = static_cast<double>(all.elements) / static_cast<double>(of_pes.size());
  const std::string_view file = c.made.file_name();
  char line[400];
  std::snprintf(line, sizeof(line),
                "  %.80s of %.80s:%u: %" PRIu64 " elements, %.2f MiB; at most %" PRIu64
                " on a PE (%td), %.2f times its part",
                c.type.c_str(), file.substr(file.find_last_of('/') + 1).data(), static_cast<unsigned>(c.made.line()),
                all.elements, static_cast<double>(all.bytes) / 1048576, largest->elements, largest - of_pes.begin(),
                all.elements == 0 ? 1.0 : static_cast<double>(largest->elements) / part);
  return line + hot_key(all, of_pes.size()) + '\n';
}

void take(const std::vector<std::string>& texts) {
  std::vector<std::istringstream> left(texts.begin(), texts.end());
  for (const known_container& c : *known_containers) {
    std::vector<part_figures> of_pes;
    for (std::istringstream& text : left) of_pes.push_back(next_of(text));
    std::fputs(told(c, of_pes).c_str(), stderr);
  }
}

void settle() {}

constexpr remote::added_account account_of_containers{settle, give, take};

}  // namespace

void account_for(std::string type, std::uint16_t which, part_figures (*figures)(std::uint16_t),
                 std::source_location made) {
  if (known_containers->empty()) remote::add_account(account_of_containers);
  known_containers->push_back({std::move(type), which, figures, made, std::nullopt});
}

void account_for_end(std::uint16_t which, part_figures (*figures)(std::uint16_t)) {
  const auto its = std::ranges::find_if(
      *known_containers, [&](const known_container& c) { return c.which == which && c.figures == figures; });
  if (its != known_containers->end()) its->at_its_end = figures(which);
}

}  // namespace tsubu::containers
