#include "apps/channel/input.hpp"

#include <fmt/core.h>

#include <utility>

#include "apps/text/line_reader.hpp"

namespace channel {

using namespace tsubu;

void input::add_options(program::command_line& to) {
  to.add_option("--input", file_,
                "two lines: by column, the net that has a pin on the upper and on the lower edge, or 0; "
                "default: Deutsch's difficult example")
      .type_name("FILE");
  to.add_option_function(
        "--random",
        [this](std::uint64_t seed) {
          is_random_ = true;
          seed_ = seed;
        },
        "a random channel, the same for the same seed")
      .excludes(to.named("--input"))
      .type_name("SEED");
  to.add_option("--nets", nets_, "of a random channel; default 72")
      .range(1, most_nets)
      .needs(to.named("--random"))
      .type_name("N");
  to.add_option("--columns", columns_, "of a random channel, twice the nets at least; default 174")
      .range(1, most_columns)
      .needs(to.named("--random"))
      .type_name("N");
}

std::string input::trouble() const {
  if (!is_random_ || columns_ >= 2 * nets_) return {};
  return fmt::format("--columns: expected {} at least, twice the nets, got {}", 2 * nets_, columns_);
}

std::string input::name() const {
  if (!file_.empty()) return file_;
  if (is_random_) return fmt::format("random {}", seed_);
  return "Deutsch's difficult example";
}

task<input::loaded> input::load() const {
  loaded read;
  if (file_.empty()) {
    read.channel = is_random_ ? random_pins(nets_, columns_, seed_) : deutsch();
    co_return read;
  }
  if (this_pe() == 0) {
    try {
      std::ifstream stream = text::open_file(file_);
      read.channel = read_pins(stream, file_);
    } catch (const text::file_error& error) {
      read.trouble = error.what();
    }
  }
  read.trouble = co_await broadcast(std::move(read.trouble));
  read.channel.top = co_await broadcast(std::move(read.channel.top));
  read.channel.bottom = co_await broadcast(std::move(read.channel.bottom));
  co_return read;
}

}  // namespace channel
