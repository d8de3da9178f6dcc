#include "tsubu/data/plan/pattern.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tsubu/remote/collectives/collectives.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/sync.hpp"

namespace tsubu::data {
namespace {

constexpr std::int32_t not_needed = -1, needed_once = -2;

}  // namespace

// What others need of this PE.
static pe_local<tsubu::sync<exchange_pattern::link>> needs_in;

void take_needs(pe_id by, std::uint32_t first_slot, std::vector<std::uint32_t> places) {
  needs_in->write({by, first_slot, std::move(places)});
}

exchange_pattern::exchange_pattern(const vector_spread& spread, std::span<const std::int32_t> needed)
    : size_(spread.size()), own_(spread.counts()[static_cast<std::size_t>(this_pe())]), counts_(spread.counts()) {
  inspect(spread, needed);
}

exchange_pattern::exchange_pattern(const vector_spread& spread, std::span<const std::int64_t> needed)
    : size_(spread.size()), own_(spread.counts()[static_cast<std::size_t>(this_pe())]), counts_(spread.counts()) {
  inspect(spread, needed);
}

template <class I>
void exchange_pattern::inspect(const vector_spread& spread, std::span<const I> needed) {
  std::vector<std::int32_t> slot_of(size_, not_needed);  // by index
  for (const I index : needed) {
    require(index >= 0 && static_cast<std::size_t>(index) < size_,
            "element {} is needed of a spread vector, which has {}", index, size_);
    slot_of[static_cast<std::size_t>(index)] = needed_once;
  }

  std::vector<link> from(counts_.size());
  for (std::size_t i = 0; i < size_; ++i) {
    if (slot_of[i] == not_needed || spread.home(i) == this_pe()) continue;
    from[static_cast<std::size_t>(spread.home(i))].places.push_back(spread.place(i));
  }
  for (std::size_t pe = 0; pe < from.size(); ++pe) {
    if (from[pe].places.empty()) continue;
    from[pe].pe = static_cast<pe_id>(pe);
    from[pe].first_slot = static_cast<std::uint32_t>(own_ + others_);
    others_ += from[pe].places.size();
    sources_.push_back(from[pe]);
  }
  require(view_size() <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "{} elements of a spread vector are too many for one PE", view_size());

  std::vector<std::uint32_t> next(counts_.size());  // by PE: the slot of its next element
  for (std::size_t pe = 0; pe < from.size(); ++pe) next[pe] = from[pe].first_slot;
  for (std::size_t i = 0; i < size_; ++i) {
    if (slot_of[i] == not_needed) continue;
    const bool is_own = spread.home(i) == this_pe();
    slot_of[i] = static_cast<std::int32_t>(is_own ? spread.place(i) : next[static_cast<std::size_t>(spread.home(i))]++);
  }
  slots_.reserve(needed.size());
  for (const I index : needed) {
    const std::int32_t slot = slot_of[static_cast<std::size_t>(index)];
    slots_.push_back(slot);
    remote_occurrences_ += static_cast<std::size_t>(slot) >= own_ ? 1 : 0;
  }
}

// The runs are in the order of their PEs.
task<void> exchange_pattern::hear_of_destinations(std::size_t how_many) {
  for (std::size_t i = 0; i < how_many; ++i) destinations_.push_back(co_await needs_in->read());
  const auto distance = [](const link& to) { return (to.pe - this_pe() + pe_count()) % pe_count(); };
  std::ranges::sort(destinations_, {}, distance);
  for (const link& to : destinations_) {
    require(to.places.back() < own_, "PE {} needs place {} of {} elements: the PEs have spread a vector differently",
            to.pe, to.places.back(), own_);
  }
}

task<std::shared_ptr<const exchange_pattern>> exchange_pattern::agreed(exchange_pattern mine, bool with_destinations) {
  // By PE: how many need something of it; then the size.
  std::vector<std::uint64_t> counts(with_destinations ? mine.counts_.size() : 0);
  if (with_destinations) {
    for (const link& source : mine.sources_) counts[static_cast<std::size_t>(source.pe)] = 1;
  }
  counts.push_back(mine.size_);
  counts = co_await all_reduce(std::move(counts), reduce::plus);
  const std::uint64_t expected = mine.size_ * mine.counts_.size();
  require(counts.back() == expected,
          "a plan for a vector of {} elements, but the PEs together say {} where {} were right", mine.size_,
          counts.back(), expected);
  if (with_destinations) {
    for (const link& source : mine.sources_)
      co_await at(source.pe).past<take_needs>(this_pe(), source.first_slot, source.places);
    co_await mine.hear_of_destinations(static_cast<std::size_t>(counts[static_cast<std::size_t>(this_pe())]));
    co_await barrier();  // so that nobody's needs for the next plan come among these
  }
  co_return std::make_shared<const exchange_pattern>(std::move(mine));
}

std::vector<pe_id> pes_of(const std::vector<exchange_pattern::link>& links) {
  std::vector<pe_id> pes;
  pes.reserve(links.size());
  for (const exchange_pattern::link& one : links) pes.push_back(one.pe);
  return pes;
}

}  // namespace tsubu::data
