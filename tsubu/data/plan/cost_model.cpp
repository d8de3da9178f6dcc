#include "tsubu/data/plan/cost_model.hpp"

#include <algorithm>

#include "tsubu/data/plan/loop_clocks.hpp"

namespace tsubu::data {
namespace {

// Elements that are messages of their own: as fast as the PE's loop makes and takes them, or as the network does.
double by_words(double sent, double received, double loop_clocks, const machine_figures& on) {
  const double busy = sent * (loop_clocks * on.clock + on.send) + received * on.take;
  return std::max({busy, sent * on.gap, received * on.gap});
}

double by_writes(double sent, double received, double loop_clocks, const exchange_load& of, const machine_figures& on) {
  return sent * loop_clocks * on.clock + std::max(sent, received) * of.element_bytes * on.byte;
}

// To say to each partner that the round has begun, or to send it one write.
double partners(double to, double from, const machine_figures& on) {
  return to * on.write_send + from * on.write_take + (to + from > 0 ? on.latency : 0);
}

double by_reads(double reads, const exchange_load& of, const machine_figures& on, bool words_alone) {
  // What tasks ask for together shares its batches, if there are such.
  const double batches = words_alone ? 0 : 2 * (on.write_send + on.write_take);
  const double busy = on.read + on.serve + batches / of.tasks;
  const double round_trip = 2 * on.latency + on.read + on.serve + batches;
  return reads * std::max(busy, round_trip / of.tasks);
}

}  // namespace

exchange_load::exchange_load(const exchange_pattern& of, std::size_t bytes_of_element, int reading_tasks)
    : pes(static_cast<double>(of.counts().size())),
      own(static_cast<double>(of.own())),
      foreign(static_cast<double>(of.size() - of.own())),
      received(static_cast<double>(of.view_size() - of.own())),
      destinations(static_cast<double>(of.destinations().size())),
      sources(static_cast<double>(of.sources().size())),
      occurrences(static_cast<double>(of.remote_occurrences())),
      element_bytes(static_cast<double>(bytes_of_element)),
      tasks(reading_tasks) {
  for (const exchange_pattern::link& to : of.destinations()) sent += static_cast<double>(to.places.size());
}

double expected_seconds(plan_method method, const exchange_load& of, const machine_figures& on, bool words_alone) {
  const double others = of.pes - 1;
  const double few = partners(of.destinations, of.sources, on);
  switch (method) {
    case plan_method::block: {
      const double all = partners(others, others, on);
      return words_alone ? all + by_words(of.own * others, of.foreign, copied_word_clocks, on)
                         : all + by_writes(of.own * others, of.foreign, 0, of, on);
    }
    case plan_method::packed:
      if (!words_alone) return few + by_writes(of.sent, of.received, looked_up_word_clocks, of, on);
      [[fallthrough]];
    case plan_method::update:
      return few + by_words(of.sent, of.received, looked_up_word_clocks, on);
    case plan_method::read:
      return few + by_reads(of.occurrences, of, on, words_alone);
    case plan_method::cached:
      return few + by_reads(of.received, of, on, words_alone) + of.occurrences * presence_clocks * on.clock;
    case plan_method::automatic:
      break;
  }
  return 0;
}

}  // namespace tsubu::data
