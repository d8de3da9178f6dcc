#include "tsubu/command/calibration_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tsubu/base/check.hpp"
#include "tsubu/base/clock.hpp"
#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/memory/global_ptr.hpp"
#include "tsubu/remote/memory/shared_object.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/remote/termination/quiescence.hpp"
#include "tsubu/run/run.hpp"
#include "tsubu/task/when_all.hpp"
#include "tsubu/task/yield.hpp"

namespace tsubu::command {
namespace {

// What this PE has seen of the messages to it.
struct sight {
  std::uint64_t sum = 0;
  std::int64_t first_ns = 0;
  std::int64_t last_ns = 0;
};
pe_local<sight> here;

// What a thing takes when nothing disturbs it: others on this computer make it longer, never shorter. Of many trials
// the fourth best of twenty.
double undisturbed(std::vector<double> of) {
  const auto place = of.begin() + static_cast<std::ptrdiff_t>(of.size() * 3 / 20);
  std::nth_element(of.begin(), place, of.end());
  return *place;
}

pe_id other() { return pe_count() - 1 - this_pe(); }

std::uint64_t echo(std::uint64_t x) { return x; }

void take(std::uint64_t x) { here->sum += x; }

// The first and the last of a row of messages look at the clock.
void take_in_a_row(std::uint32_t nth, std::uint32_t of) {
  sight& s = *here;
  if (nth == 0) s.first_ns = now_ns();
  if (nth + 1 == of) s.last_ns = now_ns();
}
double row_ns() { return static_cast<double>(here->last_ns - here->first_ns); }

// Keeps its PE from looking for messages for some ten microseconds, whatever the clock does.
void be_busy(std::uint32_t pauses) {
  for (std::uint32_t i = 0; i < pauses; ++i) spin_pause();
}

void send_some(pe_id to, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) at(to).past<take>(i);
}

task<void> send_crowd(std::int64_t messages) {
  constexpr std::int64_t block = 1024;
  for (std::int64_t sent = 0; sent < messages; sent += block) {
    send_some(other(), block);
    co_await room_everywhere();
  }
}

// Both send, both execute: nanoseconds for a message's sending and executing together.
task<double> crowd(std::int64_t times) {
  constexpr std::int64_t messages = 128 * 1024;
  std::vector<double> each;
  for (std::int64_t i = 0; i < times; ++i) {
    const std::int64_t from = now_ns();
    at(other()).past<send_crowd>(messages);
    co_await send_crowd(messages);
    co_await quiescence();
    each.push_back(static_cast<double>(now_ns() - from) / static_cast<double>(messages));
  }
  co_return undisturbed(std::move(each));
}

// One way, and the receiver does nothing else: the share of sending in a message's time.
task<double> sending_share(std::int64_t times) {
  // Few enough for one batch: the receiver has all of them when it begins.
  constexpr std::uint32_t row = 256;
  std::vector<double> sending, executing;
  for (std::int64_t i = 0; i < times; ++i) {
    const std::int64_t from = now_ns();
    for (std::uint32_t k = 0; k < row; ++k) at(other()).past<take_in_a_row>(k, row);
    sending.push_back(static_cast<double>(now_ns() - from) / row);
    executing.push_back(co_await at(other()).now<row_ns>() / (row - 1));
  }
  const double sent = undisturbed(std::move(sending)), executed = undisturbed(std::move(executing));
  co_return sent + executed <= 0 ? 0.5 : sent / (sent + executed);
}

task<void> yield_often(std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) co_await yield();
}

// Nanoseconds for a switch to another one of many tasks that take turns.
task<double> task_switch(std::int64_t times) {
  constexpr int tasks = 64;
  constexpr std::int64_t block = 50;
  std::vector<double> each;
  for (std::int64_t done = 0; done < times; done += block) {
    std::vector<task<void>> all;
    for (int i = 0; i < tasks; ++i) all.push_back(yield_often(block));
    const std::int64_t from = now_ns();
    co_await when_all(std::move(all));
    each.push_back(static_cast<double>(now_ns() - from) / static_cast<double>(block * tasks));
  }
  co_return undisturbed(std::move(each));
}

// A lone task that yields looks for messages each time.
task<double> lone_yield(std::int64_t times) {
  constexpr std::int64_t block = 100;
  std::vector<double> each;
  for (std::int64_t done = 0; done < times; done += block) {
    const std::int64_t from = now_ns();
    co_await yield_often(block);
    each.push_back(static_cast<double>(now_ns() - from) / static_cast<double>(block));
  }
  co_return undisturbed(std::move(each));
}

task<double> round_trip(std::int64_t trips) {
  constexpr std::int64_t block = 50;
  std::vector<double> blocks;
  for (std::int64_t done = 0; done < trips; done += block) {
    const std::int64_t from = now_ns();
    for (std::int64_t i = 0; i < block; ++i) {
      const std::uint64_t x = static_cast<std::uint64_t>(i);
      const std::uint64_t back = co_await at(other()).now<echo>(x);
      require(back == x, "an echo of another number came");
    }
    blocks.push_back(static_cast<double>(now_ns() - from) / block);
  }
  co_return undisturbed(std::move(blocks));
}

struct lone_times {
  double send_ns;     // from one send to the next, each in a batch of its own
  double receive_ns;  // from one execution to the next, when all have arrived
};

// A few messages one after the other, each leaving at once, to a PE that is busy until all have come.
task<lone_times> lone(std::int64_t times) {
  constexpr std::uint32_t row = 5;  // so few batches that no PE holds the sender back
  constexpr std::uint32_t pauses = 400;
  std::vector<double> sends, receives;
  for (std::int64_t i = 0; i < times; ++i) {
    at(other()).past<be_busy>(pauses);
    flush();
    const std::int64_t from = now_ns();
    for (std::uint32_t k = 0; k < row; ++k) {
      at(other()).past<take_in_a_row>(k, row);
      flush();
    }
    sends.push_back(static_cast<double>(now_ns() - from) / row);
    receives.push_back(co_await at(other()).now<row_ns>() / (row - 1));
  }
  co_return lone_times{undisturbed(std::move(sends)), undisturbed(std::move(receives))};
}

// A write of new bytes, which is waited for.
task<double> write_ns(global_ptr<char> to, std::size_t size, std::int64_t times) {
  std::vector<char> from(size);
  std::vector<double> each;
  for (std::int64_t i = 0; i < times; ++i) {
    // The time includes writing what is sent: the other PE has had these cache lines since the last time.
    const std::int64_t begin = now_ns();
    std::fill(from.begin(), from.end(), static_cast<char>(i));
    co_await to.write(std::span<const char>(from));
    each.push_back(static_cast<double>(now_ns() - begin));
  }
  co_return undisturbed(std::move(each));
}

using figures = std::vector<std::pair<const char*, std::vector<double>>>;

void note(figures& all, const char* name, double ns) {
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const auto& f) { return std::string_view(f.first) == name; });
  if (place == all.end()) {
    all.emplace_back(name, std::vector<double>{ns});
  } else {
    place->second.push_back(ns);
  }
}

struct sizes {
  std::int64_t repetitions;
  std::int64_t scale;  // 1: a test's; 10: the usual
};

task<void> measure_all(figures& all, sizes of, global_ptr<char> target, bool counts) {
  figures scratch;
  figures& into = counts ? all : scratch;
  note(into, "task_switch", co_await task_switch(500 * of.scale));
  note(into, "lone_yield", co_await lone_yield(1000 * of.scale));
  note(into, "sending_share", co_await sending_share(20 * of.scale));
  note(into, "crowd", co_await crowd(2 * of.scale));
  note(into, "round_trip", co_await round_trip(500 * of.scale));
  const lone_times l = co_await lone(30 * of.scale);
  note(into, "lone_send", l.send_ns);
  note(into, "lone_receive", l.receive_ns);
  constexpr std::size_t small = std::size_t{128} << 10, large = std::size_t{512} << 10;
  const double short_ns = co_await write_ns(target, small, 5 * of.scale);
  const double long_ns = co_await write_ns(target, large, 5 * of.scale);
  note(into, "bulk_byte", (long_ns - short_ns) / static_cast<double>(large - small));
}

// words: [1] repetitions, [2] the scale of each.
task<int> measure(arguments words) {
  const auto number = [&](std::size_t i) {
    std::int64_t n = 0;
    const std::string& word = words[i];
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    require(error == std::errc{} && end == word.data() + word.size() && n > 0, "a number is expected, not {}", word);
    return n;
  };
  const sizes of{number(1), number(2)};
  require(pe_count() >= 2, "messages are measured between two PEs");
  const global_ptr<char> target = co_await allocate<char>(other(), std::size_t{512} << 10);
  figures all;
  for (std::int64_t r = 0; r <= of.repetitions; ++r)
    co_await measure_all(all, of, target, r > 0);  // the first warms up
  std::string line = fmt::format("{{\"transport\":\"{}\",\"pes\":{},\"ticks_per_ns\":{:.6f}", transport_name(),
                                 pe_count(), ticks_per_ns());
  for (const auto& [name, values] : all) line += fmt::format(",\"{}\":[{:.6g}]", name, fmt::join(values, ","));
  fmt::print("{}}}\n", line);
  co_return 0;
}

}  // namespace

int calibration_job(int argc, char** argv) { return run(argc, argv, measure); }

}  // namespace tsubu::command
