// The random permutation of bale: 0 .. n - 1 in random order, by darts thrown at a table of 2 n slots.
//
// A dart that finds its slot taken flies on from there to another random slot, until one is free. The darts that stick,
// read in the order of the slots, are the permutation: each PE counts its own, a scan says where they begin, and each
// dart is sent to its position.
//
// Source: Maley, DeVinney, bale 3.0 (randperm), 2020, there with a message back to the thrower of a dart that missed.
#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/npb/blocks.hpp"
#include "apps/program/command_line.hpp"
#include "apps/program/progress.hpp"
#include "apps/program/random_stream.hpp"
#include "apps/program/result.hpp"
#include "apps/program/stopwatch.hpp"
#include "tsubu/tsubu.hpp"

namespace {

using namespace tsubu;

constexpr std::int64_t none = -1;
constexpr std::int64_t block = 1024;  // sends between two looks at the network

struct options {
  std::int64_t size = 4'000'000;
  std::uint64_t seed = 1;
  bool json = false;
};

// A table over all PEs, in blocks of nearly one size.
class distribution {
 public:
  explicit distribution(std::int64_t size = 1) : size_(size) {}

  std::int64_t size() const { return size_; }
  std::int64_t first() const { return npb::block_first(size_, pe_count(), this_pe()); }
  std::int64_t end() const { return npb::block_first(size_, pe_count(), this_pe() + 1); }
  pe_id owner(std::int64_t i) const { return static_cast<pe_id>(npb::block_owner(size_, pe_count(), i)); }

 private:
  std::int64_t size_;
};

// This PE's part of everything.
struct board {
  explicit board(const options& asked)
      : slots(2 * asked.size), positions(asked.size), random(program::random_stream(asked.seed, this_pe())) {
    stuck.resize(static_cast<std::size_t>(slots.end() - slots.first()), none);
    permutation.resize(static_cast<std::size_t>(positions.end() - positions.first()), none);
    seen.resize(permutation.size());
  }

  distribution slots;
  distribution positions;  // of the permutation; and its values, for the verification
  random_source random;
  std::vector<std::int64_t> stuck;        // the dart in each slot, or none
  std::vector<std::int64_t> permutation;  // the value at each position
  std::vector<std::uint32_t> seen;        // how often each value occurs
  std::int64_t thrown = 0;
  std::int64_t placed = 0;
};
pe_local<std::vector<board>> boards;  // one, made when the options are known
board& mine() { return boards->front(); }

std::size_t place_in(const distribution& table, std::int64_t i) { return static_cast<std::size_t>(i - table.first()); }

void throw_dart(std::int64_t dart);

void hit(std::int64_t slot, std::int64_t dart) {
  std::int64_t& held = mine().stuck[place_in(mine().slots, slot)];
  if (held == none) {
    held = dart;
  } else {
    throw_dart(dart);
  }
}
void throw_dart(std::int64_t dart) {
  board& b = mine();
  const auto slot = static_cast<std::int64_t>(b.random.below(static_cast<std::uint64_t>(b.slots.size())));
  ++b.thrown;
  at(b.slots.owner(slot)).past<hit>(slot, dart);
}

void set_position(std::int64_t position, std::int64_t dart) {
  board& b = mine();
  b.permutation[place_in(b.positions, position)] = dart;
  ++b.placed;
}

void count_value(std::int64_t value) { ++mine().seen[place_in(mine().positions, value)]; }

// Each PE throws as many darts as it has positions. Collective.
task<void> throw_all(program::progress& shown) {
  const distribution& darts = mine().positions;
  for (std::int64_t first = darts.first(); first < darts.end(); first += block) {
    const std::int64_t end = std::min(first + block, darts.end());
    for (std::int64_t dart = first; dart < end; ++dart) throw_dart(dart);
    co_await room_everywhere();
    shown.at("dart", first - darts.first(), darts.end() - darts.first());
  }
  co_await quiescence();
}

// Collective.
task<void> number_all(program::progress& shown) {
  const std::vector<std::int64_t>& stuck = mine().stuck;
  const auto here = static_cast<std::int64_t>(stuck.size()) - std::count(stuck.begin(), stuck.end(), none);
  std::int64_t position = co_await scan(here, reduce::plus) - here;
  std::int64_t sent = 0;
  for (const std::int64_t dart : stuck) {
    if (dart == none) continue;
    at(mine().positions.owner(position)).past<set_position>(position, dart);
    ++position;
    if (++sent % block != 0) continue;
    co_await room_everywhere();
    shown.at("position", sent, here);
  }
  co_await quiescence();
}

// Is every position filled once, and does every value occur once? Collective; the same on every PE.
task<bool> verify() {
  const std::vector<std::int64_t>& values = mine().permutation;
  bool right = mine().placed == static_cast<std::int64_t>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0 || values[i] >= mine().positions.size()) {
      right = false;
    } else {
      at(mine().positions.owner(values[i])).past<count_value>(values[i]);
    }
    if (i % block == block - 1) co_await room_everywhere();
  }
  co_await quiescence();
  const auto once = [](std::uint32_t times) { return times == 1; };
  right = right && std::all_of(mine().seen.begin(), mine().seen.end(), once);
  co_return co_await all_reduce(right, reduce::all);
}

// Collective. Returns the exit code.
task<int> permute(options asked) {
  program::progress shown("permutation");
  boards->emplace_back(asked);
  co_await barrier();

  program::stopwatch watch;
  co_await throw_all(shown);
  co_await number_all(shown);
  const double seconds = co_await all_reduce(watch.seconds(), reduce::max);

  shown.begin("verifying");
  const std::int64_t thrown = co_await all_reduce(mine().thrown, reduce::plus);
  program::result result;
  result.program = "permutation";
  result.input_key = "seed";
  result.input = std::to_string(asked.seed);
  result.verified = co_await verify();
  result.seconds = seconds;
  result.about = fmt::format("permutation: 0 .. {} in random order, seed {}", asked.size - 1, asked.seed);
  const double throws_each = static_cast<double>(thrown) / static_cast<double>(asked.size);
  const double rate = static_cast<double>(asked.size) / seconds;
  result.details.emplace_back("throws", fmt::format("{:.3f} of each dart", throws_each));
  result.details.emplace_back("rate", fmt::format("{:.2f} million values/s", rate * 1e-6));
  result.fields = {{"size", std::to_string(asked.size)},
                   {"throws_per_dart", fmt::format("{:.6g}", throws_each)},
                   {"values_per_second", fmt::format("{:.6g}", rate)}};
  program::print(result, asked.json);
  co_return program::exit_code(result);
}

// Runs on every PE.
task<int> read_and_run(arguments words) {
  options asked;
  program::command_line app("Random permutation: darts thrown at a table that is spread over all PEs", "permutation");
  app.add_option("--size", asked.size, "how many values, over all PEs; default 4000000")
      .range(std::int64_t{1}, std::int64_t{1} << 40)
      .type_name("N");
  app.add_option("--seed", asked.seed, "of the throws; default 1").type_name("N");
  app.add_flag("--json", asked.json, "print the result as one line of JSON");
  if (const auto code = app.read(words)) co_return *code;
  co_return co_await permute(asked);
}

}  // namespace

int main(int argc, char** argv) { return run_spmd(argc, argv, read_and_run); }
