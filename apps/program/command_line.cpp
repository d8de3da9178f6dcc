#include "apps/program/command_line.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "tsubu/base/printable.hpp"
#include "tsubu/base/standard_output.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace program {

// ---- options

namespace {

std::optional<double> finite(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

option option::range(int first, int last) const { return option(which_->check(CLI::Range(first, last))); }
option option::range(std::int64_t first, std::int64_t last) const {
  return option(which_->check(CLI::Range(first, last)));
}
option option::range(std::uint64_t first, std::uint64_t last) const {
  return option(which_->check(CLI::Range(first, last)));
}
option option::range(double first, double last) const { return option(which_->check(CLI::Range(first, last))); }
option option::positive() const {
  return check([](const std::string& text) {
    const std::optional<double> value = finite(text);
    return value && *value > 0 ? std::string() : fmt::format("expected a number above 0, got {}", text);
  });
}
option option::not_negative() const {
  return check([](const std::string& text) {
    const std::optional<double> value = finite(text);
    return value && *value >= 0 ? std::string() : fmt::format("expected a number of at least 0, got {}", text);
  });
}
option option::one_of(const std::vector<std::string>& names) const {
  return option(which_->check(CLI::IsMember(names)));
}
option option::check(std::function<std::string(const std::string&)> trouble) const {
  return option(which_->check(std::move(trouble)));
}

option option::required() const { return option(which_->required()); }
option option::excludes(const option& other) const { return option(which_->excludes(other.which_)); }
option option::needs(const option& other) const { return option(which_->needs(other.which_)); }
option option::type_name(const std::string& name) const { return option(which_->type_name(name)); }

bool option::given() const { return which_->count() > 0; }

// ---- the command line

command_line::command_line(const std::string& what, const std::string& name)
    : app_(std::make_unique<CLI::App>(what, name)) {
  app_->get_formatter()->column_width(34);
  app_->footer("How many PEs, and over what: --tsubu-help.");
}
command_line::~command_line() = default;

option command_line::add_option(const std::string& name, int& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option(const std::string& name, std::int64_t& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option(const std::string& name, std::uint64_t& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option(const std::string& name, std::uint32_t& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option(const std::string& name, double& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option(const std::string& name, std::string& into, const std::string& text) {
  return option(app_->add_option(name, into, text));
}
option command_line::add_option_function(const std::string& name, std::function<void(std::uint64_t)> take,
                                         const std::string& text) {
  return option(app_->add_option_function<std::uint64_t>(name, take, text));
}
option command_line::add_option_function(const std::string& name, std::function<void(const std::string&)> take,
                                         const std::string& text) {
  return option(app_->add_option_function<std::string>(name, take, text));
}
option command_line::add_flag(const std::string& name, bool& into, const std::string& text) {
  return option(app_->add_flag(name, into, text));
}

option command_line::named(const std::string& name) const { return option(app_->get_option(name)); }

// PEs of a process parse one after the other. CLI11 is no library for several threads at a time: from 2.4 on it takes
// an errno that is left over for a value that cannot be converted, and a thread that waits while another one makes a
// static string of its comes back with EAGAIN.
void command_line::parse(const tsubu::arguments& words) {
  static std::mutex one_at_a_time;
  const std::lock_guard held(one_at_a_time);
  std::vector<std::string> last_first(words.begin() + 1, words.end());
  std::reverse(last_first.begin(), last_first.end());
  app_->parse(std::move(last_first));
}

std::optional<int> command_line::read(const tsubu::arguments& words) {
  try {
    parse(words);
    return std::nullopt;
  } catch (const CLI::Success&) {
    if (tsubu::this_pe() == 0) tsubu::write_output(app_->help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(app_->get_name(), fmt::format("{} (see {} --help)", error.what(), app_->get_name()));
  }
}

// ---- complaints

namespace {

// PE 0's: what it has printed. Mostly all PEs say the same, and where each has words of its own a few are enough.
constexpr std::size_t most_complaints = 8;
tsubu::pe_local<std::vector<std::string>> printed;

void print_once(std::string text) {
  if (printed->size() == most_complaints || std::ranges::find(*printed, text) != printed->end()) return;
  fmt::print(stderr, "{}\n", text);
  printed->push_back(std::move(text));
}

}  // namespace

int complain(std::string_view name, std::string_view what) {
  std::string text = fmt::format("{}: {}", name, tsubu::one_line(what));
  if (tsubu::this_pe() == 0)
    print_once(std::move(text));
  else
    tsubu::at(0).past<print_once>(std::move(text));
  return bad_input;
}

}  // namespace program
