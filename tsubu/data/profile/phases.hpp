// What a PE's time went to between the meetings of all PEs: barriers and the like, and quiescence.
//
// Where PEs meet, only who comes last holds up the others, so how much a job would gain depends on who waited where.
// A sample of the phases of a long job is kept, the same on all PEs without a message: whether a phase is in it hangs
// on its number only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tsubu::data {

// What a wait for shared data is for.
enum class wait_kind : std::uint8_t { read, write };
inline constexpr std::size_t wait_kinds = 2;
using waited = std::array<std::int64_t, wait_kinds>;  // nanoseconds

// From when a PE goes on from a meeting until it arrives at the next one.
struct phase {
  std::uint64_t number;
  std::int64_t span_ns;
  waited waited_ns;      // for shared data, and no task has run
  std::int64_t idle_ns;  // the rest: no task has run, for whatever other reason
};

class phases {
 public:
  static constexpr std::size_t most_kept = 512;

  // The next phase; all PEs have the same number of them if they meet at the same places. `ended_by`: the kind of
  // meeting.
  void add(std::int64_t span_ns, const waited& waited_ns, std::int64_t idle_ns, std::uint32_t ended_by);

  // What is kept is every phase, until they are too many; then about half of those before.
  const std::vector<phase>& kept() const { return kept_; }
  std::uint64_t count() const { return count_; }
  // In all of them.
  const waited& waited_ns() const { return waited_ns_; }
  // The same on PEs that have met in the same order.
  std::uint64_t order() const { return order_; }

 private:
  bool keeps(std::uint64_t number) const;

  std::vector<phase> kept_;
  std::uint64_t count_ = 0;
  waited waited_ns_{};
  std::uint64_t order_ = 0;
  int halvings_ = 0;
};

}  // namespace tsubu::data
