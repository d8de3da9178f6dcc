// What accesses to memory take on a machine whose PEs share a memory over a bus.
//
// Each PE has a cache of the shared memory: a line has one place in it (its number modulo the cache's lines). A read of
// what is not there brings the line, over the bus. A write goes to the shared memory, over the bus; the writer's copy
// of the line is changed with it, and the others', who watch the bus, are dropped. The synchronizer's words are read in
// the PE's own copy, as is a zero that would be decremented; what changes them takes the bus.
//
// The bus serves one access at a time. A PE runs ahead of others by its turn, so what comes here later may be earlier:
// it has the bus where that is free for long enough, be it before what has been served already.
//
// A PE that runs under a kernel has virtual addresses: where the machine's file has a translation buffer for it, each
// access to local or shared memory begins with a look there, and a page that is missing is searched for first. The
// synchronizer is none of that memory.
//
// The program may have data in the shared memory, by name: they lie one behind the other, in the order in which they
// are placed, and are not moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "tsubu/base/memory_access.hpp"
#include "tsubu/base/types.hpp"
#include "tsubu/sim/machine.hpp"
#include "tsubu/sim/translation_buffer.hpp"

namespace tsubu::sim {

// Times at which something is taken, and the first at which it is free.
class calendar {
 public:
  // The first time from `ps` on at which it is free for so long; it is taken then.
  std::int64_t take(std::int64_t ps, std::int64_t duration);
  // Nobody will ask for a time before this.
  void forget_before(std::int64_t ps);
  std::size_t size() const { return taken_.size(); }

 private:
  std::map<std::int64_t, std::int64_t> taken_;  // from -> to, apart from each other
};

class memory {
 public:
  memory(const machine& of, int pes);

  // Whether the machine has such memories at all.
  static bool is_described(const machine& m);

  // How long an access takes that the PE begins at `ps`. No later call has a time before `none_before_ps`.
  std::int64_t access(pe_id pe, std::int64_t ps, const memory_access& a, std::int64_t none_before_ps);

  // Null if there is none of that name.
  const addressed_datum* find(std::uint64_t name) const;
  void place(std::uint64_t name, void* value, std::size_t bytes);
  void remove(std::uint64_t name) { data_.erase(name); }

  // Null if the PE does not run under a kernel.
  const translation_buffer* translations(pe_id pe) const;

 private:
  static constexpr std::uint64_t no_line = ~std::uint64_t{0};
  std::int64_t translate(pe_id pe, const memory_access& a);
  std::int64_t access_translated(pe_id pe, std::int64_t ps, const memory_access& a);
  std::int64_t over_bus(std::int64_t ps, std::int64_t bytes, std::int64_t duration);
  std::uint64_t& place_of(pe_id pe, std::uint64_t line);
  bool has(pe_id pe, std::uint64_t line);

  const machine& machine_;
  const int pes_;
  const std::size_t lines_;            // of a cache
  std::vector<std::uint64_t> cached_;  // which line is in each place, by PE
  calendar bus_;
  std::vector<std::unique_ptr<translation_buffer>> translations_;  // by PE; null: no kernel has begun there
  std::unordered_map<std::uint64_t, addressed_datum> data_;
  std::uint64_t next_address_ = 0;
};

}  // namespace tsubu::sim
