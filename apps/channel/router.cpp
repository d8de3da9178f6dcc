#include "apps/channel/router.hpp"

#include <fmt/core.h>

#include <numeric>
#include <string>

#include "apps/channel/network.hpp"

namespace channel {

using namespace tsubu;

namespace {

place place_of(const firing& fires) {
  const std::uint16_t neuron = fires.front();
  return {static_cast<std::uint16_t>(neuron / pairs), static_cast<std::uint16_t>(neuron % pairs)};
}

// What a try begins with.
struct start {
  int tracks;
  std::uint64_t seed;
  outcome nothing() const { return {.found = false, .tracks = tracks, .seed = seed, .places = {}}; }
};

// The tries, in their order, are 0 .. number_of_tries() - 1.
std::int64_t number_of_tries(const rules& by) {
  return static_cast<std::int64_t>(by.most_tracks - by.fewest_tracks + 1) * by.tries;
}
start start_of(const rules& by, std::int64_t number) {
  return {by.fewest_tracks + static_cast<int>(number / by.tries),
          by.seed + static_cast<std::uint64_t>(number % by.tries)};
}

task<outcome> attempt(const std::vector<net>* nets, start from, rules by, firing_exchange* exchange,
                      program::progress* shown) {
  const std::vector<std::uint32_t> mine = nets_here(nets->size());
  network here(nets, mine, from.tracks, by.by, from.seed);
  std::vector<firing> fire(nets->size());
  std::vector<std::uint32_t> changed = mine;
  const std::string label = fmt::format("{} tracks: iteration", from.tracks);
  outcome of = from.nothing();
  while (true) {
    co_await exchange->exchange(&changed, &fire);
    const std::int64_t unsettled = co_await all_reduce(here.hear(fire), reduce::plus);
    of.found = unsettled == 0;
    if (of.found || of.iterations == by.iterations) break;
    changed = here.update(fire);
    ++of.iterations;
    shown->step(label, of.iterations, by.iterations);
  }
  if (!of.found) co_return of;
  std::vector<place> places_here;
  places_here.reserve(mine.size());
  for (const std::uint32_t i : mine) places_here.push_back(place_of(fire[i]));
  const std::vector<std::vector<place>> parts = co_await all_gather(std::move(places_here));
  for (const std::vector<place>& part : parts) of.places.insert(of.places.end(), part.begin(), part.end());
  co_return of;
}

outcome attempt_alone(const std::vector<net>& nets, start from, const rules& by) {
  std::vector<std::uint32_t> all(nets.size());
  std::iota(all.begin(), all.end(), 0U);
  network whole(&nets, all, from.tracks, by.by, from.seed);
  std::vector<firing> fire(nets.size());
  outcome of = from.nothing();
  while (true) {
    of.found = whole.hear(fire) == 0;
    if (of.found || of.iterations == by.iterations) break;
    whole.update(fire);
    ++of.iterations;
  }
  if (!of.found) return of;
  of.places.reserve(nets.size());
  for (const firing& fires : fire) of.places.push_back(place_of(fires));
  return of;
}

}  // namespace

int least_tracks(const std::vector<net>& nets) { return (density(nets) + pairs - 1) / pairs; }

task<outcome> route(const std::vector<net>* nets, rules by, firing_exchange* exchange, program::progress* shown) {
  outcome of;
  std::int64_t iterations = 0;
  for (std::int64_t k = 0; k < number_of_tries(by) && !of.found; ++k) {
    of = co_await attempt(nets, start_of(by, k), by, exchange, shown);
    iterations += of.iterations;
  }
  of.iterations_in_all = iterations;
  co_return of;
}

outcome route_alone(const std::vector<net>& nets, const rules& by) {
  outcome of;
  std::int64_t iterations = 0;
  for (std::int64_t k = 0; k < number_of_tries(by) && !of.found; ++k) {
    of = attempt_alone(nets, start_of(by, k), by);
    iterations += of.iterations;
  }
  of.iterations_in_all = iterations;
  return of;
}

}  // namespace channel
