// Who needs which elements of whom: what an inspection finds out, and every execution follows.
//
// A PE sees the vector through a view: its own elements, then those of others that it needs, each once, PE by PE and in
// the order of their places there. A slot is a number in that view. So what one PE sends to another is one run of the
// other's view, whose elements the sender has listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tsubu/data/plan/spread.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::data {

class exchange_pattern {
 public:
  // What goes from one PE to this one, or from this one to it.
  struct link {
    pe_id pe = no_pe;                   // the other
    std::uint32_t first_slot = 0;       // in the receiver's view
    std::vector<std::uint32_t> places;  // of the elements at their owner, ascending
  };

  // What this PE needs: an index for each occurrence. Ends the job if there is no such element.
  exchange_pattern(const vector_spread& spread, std::span<const std::int32_t> needed);
  exchange_pattern(const vector_spread& spread, std::span<const std::int64_t> needed);

  // Who takes part knows with whom: the same with the destinations. Only who needs something of another PE sends it a
  // message, so that PEs with few partners in a large job stay so. Without destinations, only sizes are compared.
  // Collective.
  static task<std::shared_ptr<const exchange_pattern>> agreed(exchange_pattern mine, bool with_destinations);

  // How many elements the vector has, and this PE of them.
  std::size_t size() const { return size_; }
  std::size_t own() const { return own_; }
  // How many the view has.
  std::size_t view_size() const { return own_ + others_; }
  // Where each occurrence is in the view.
  const std::vector<std::int32_t>& slots() const { return slots_; }
  // Occurrences of others' elements.
  std::size_t remote_occurrences() const { return remote_occurrences_; }
  // By PE: how many elements it has.
  const std::vector<std::uint32_t>& counts() const { return counts_; }

  // Whose elements this PE needs; ascending PEs, and so ascending slots.
  const std::vector<link>& sources() const { return sources_; }
  // Who needs elements of this PE: the next PE first, so that not all send to the same.
  const std::vector<link>& destinations() const { return destinations_; }

 private:
  task<void> hear_of_destinations(std::size_t how_many);
  template <class I>
  void inspect(const vector_spread& spread, std::span<const I> needed);

  std::size_t size_;
  std::size_t own_;
  std::size_t others_ = 0;
  std::size_t remote_occurrences_ = 0;
  std::vector<std::uint32_t> counts_;
  std::vector<std::int32_t> slots_;
  std::vector<link> sources_, destinations_;
};

// The PEs of links.
std::vector<pe_id> pes_of(const std::vector<exchange_pattern::link>& links);

}  // namespace tsubu::data
