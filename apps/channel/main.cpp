// A channel router on Tsubu: a neural network looks for the places of nets in a channel of four layers.
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <string>

#include "apps/channel/checker.hpp"
#include "apps/channel/input.hpp"
#include "apps/channel/picture.hpp"
#include "apps/channel/router.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/protocol_option.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/base/files.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

struct options {
  channel::input from;
  int tracks = 0;  // 0: as few as are found
  channel::rules by;
  std::string exchange = "shared";
  protocol type = protocol::update;  // of the shared data
  std::string picture;
  bool compare = true;
  bool json = false;
};

// What is wrong with what was found; empty: nothing.
std::string check(const channel::outcome& found, const channel::wiring& laid, const channel::pins& given,
                  const std::optional<channel::outcome>& expected) {
  if (!found.found)
    return fmt::format("no legal places with {} tracks, in {} iterations", found.tracks, found.iterations_in_all);
  std::string trouble = channel::trouble_of(laid, given);
  if (trouble.empty() && expected && !(found == *expected)) {
    trouble =
        fmt::format("not what one PE finds: {} tracks in {} iterations", expected->tracks, expected->iterations_in_all);
  }
  return trouble;
}

program::result describe(const options& asked, const channel::pins& given, const std::vector<channel::net>& nets,
                         const channel::outcome& found, const channel::wiring& laid, double seconds) {
  program::result r;
  r.program = "channel";
  r.input_key = "channel";
  r.input = asked.from.name();
  r.exchange = asked.exchange;
  if (asked.exchange == "shared") r.exchange += fmt::format(", {}", name_of(asked.type));
  r.seconds = seconds;
  r.about = fmt::format("Channel router: {}, {} columns, {} pairs of layers", r.input, given.columns(), channel::pairs);
  r.counts = {{"nets", static_cast<std::int64_t>(nets.size())},
              {"columns", static_cast<std::int64_t>(given.columns())},
              {"pins", static_cast<std::int64_t>(given.count())},
              {"density", channel::density(nets)},
              {"least_tracks", channel::least_tracks(nets)},
              {"tracks", found.found ? channel::tracks_used(laid) : found.tracks},
              {"seed", static_cast<std::int64_t>(found.seed)},
              {"iterations", found.iterations},
              {"iterations_in_all", found.iterations_in_all}};
  r.figures = {{"iterations_per_second", static_cast<double>(found.iterations_in_all) / seconds}};
  return r;
}

channel::rules rules_of(const options& asked, const std::vector<channel::net>& nets) {
  channel::rules by = asked.by;
  by.fewest_tracks = asked.tracks != 0 ? asked.tracks : channel::least_tracks(nets);
  // Each net may have a track of its own, at most.
  by.most_tracks = asked.tracks != 0 ? asked.tracks : std::max(by.fewest_tracks, static_cast<int>(nets.size()));
  return by;
}

// PE 0 writes. What went wrong, or nothing. Collective.
task<std::string> write_picture(std::string file, std::string picture) {
  std::string trouble;
  if (this_pe() == 0) {
    trouble = write_file({.file = file, .mark = "<svg"}, picture);
    if (!trouble.empty()) trouble = fmt::format("--svg: cannot write {}: {}", file, trouble);
  }
  co_return co_await broadcast(std::move(trouble));
}

// Runs on every PE.
task<int> route(options asked) {
  program::progress shown("channel");
  const channel::input::loaded given = co_await asked.from.load();
  if (!given.trouble.empty()) co_return program::complain("channel", given.trouble);
  const std::vector<channel::net> nets = channel::nets_of(given.channel);
  std::unique_ptr<channel::firing_exchange> exchange;
  if (asked.exchange == "shared") {
    exchange = co_await channel::make_shared_exchange(&nets, asked.type);
  } else {
    exchange = channel::make_message_exchange(nets);
  }
  const channel::rules by = rules_of(asked, nets);

  co_await barrier();
  program::stopwatch watch;
  const channel::outcome found = co_await channel::route(&nets, by, exchange.get(), &shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  channel::wiring laid;
  if (found.found) laid = channel::lay_wires(given.channel, nets, found.places, found.tracks);
  program::result result = describe(asked, given.channel, nets, found, laid, seconds);
  if (this_pe() == 0) {
    shown.begin("verifying");
    std::optional<channel::outcome> expected;
    if (asked.compare) expected = channel::route_alone(nets, by);
    const std::string trouble = check(found, laid, given.channel, expected);
    result.verified = trouble.empty();
    if (!trouble.empty()) result.details.emplace_back("trouble", trouble);
  }
  if (!asked.picture.empty() && found.found) {
    const std::string trouble = co_await write_picture(asked.picture, channel::draw(laid, given.channel));
    if (!trouble.empty()) co_return program::complain("channel", trouble);
  }
  program::print(result, asked.json);
  co_return co_await broadcast(program::exit_code(result));
}

// Runs on every PE.
task<int> read_and_route(arguments words) {
  options asked;
  program::command_line app("Routes a channel of four layers by a neural network: a program of the EULASH paper",
                            "channel");
  asked.from.add_options(app);
  app.add_option("--tracks", asked.tracks, "so many, and no others; default: as few as are found")
      .range(1, channel::most_nets)
      .type_name("N");
  app.add_option("--tries", asked.by.tries, "with a number of tracks, each with the next seed; default 8")
      .range(1, 1'000'000)
      .type_name("N");
  app.add_option("--iterations", asked.by.iterations, "of a try, at most; default 500")
      .range(std::int64_t{1}, std::int64_t{1'000'000'000})
      .type_name("N");
  app.add_option("--seed", asked.by.seed, "of the first try; default 1")
      .range(std::uint64_t{0}, std::uint64_t{1} << 62)
      .type_name("S");
  app.add_option("--exchange", asked.exchange,
                 "which neurons fire is shared (the default), or told by messages (messages)")
      .one_of({"shared", "messages"})
      .type_name("HOW");
  std::string type = "update";
  const program::option given = program::add_protocol_option(app, type, "the shared data");
  app.add_option("--svg", asked.picture, "write a picture of the wires to this file").type_name("FILE");
  app.add_flag("!--no-comparison", asked.compare, "do not run the network on one PE, too, to compare with it");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  if (const std::string trouble = asked.from.trouble(); !trouble.empty())
    co_return program::complain("channel", trouble);
  if (asked.exchange != "shared" && given.given())
    co_return program::complain("channel", fmt::format("--type: only with --exchange shared, got {}", asked.exchange));
  asked.type = *protocol_named(type);
  co_return co_await route(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_route); }
