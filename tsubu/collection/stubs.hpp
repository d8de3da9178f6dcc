// What a PE knows of each object that strong_refs here name: they point to it, and it counts them.
//
// Stubs lie side by side in slabs: the collector looks at all of them in sequence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tsubu/object/identity.hpp"

namespace tsubu::collection {

class held_names;

struct stub {
  union {
    held_names* of = nullptr;  // null when the job has ended before the strong_refs
    stub* next_free;           // of a free one, which names nobody
  };
  objects::identity id;
  std::uint32_t count = 0;      // strong_refs on this PE
  std::uint32_t shown = 0;      // of them, by dormant objects in the cycle shown_in
  std::uint32_t shown_in = 0;   // these are numbers of cycles
  std::uint32_t shaded_in = 0;  // its target has been marked, or is among the grey
  bool is_dropped = false;      // it has lost its last strong_ref: among held_names::dropped_
  bool was_too_early = false;   // when it was looked at
  bool only_here = false;       // no strong_ref has ever been elsewhere: the object was made here, by this PE
};

class stub_slabs {
 public:
  stub_slabs() = default;
  stub_slabs(const stub_slabs&) = delete;
  stub_slabs& operator=(const stub_slabs&) = delete;
  // A strong_ref that outlives the job, in a static variable, finds its stub.
  ~stub_slabs();

  stub& make(held_names& of, const objects::identity& id);
  void free(stub& s);
  // The job has ended, and its last strong_ref has gone.
  static void free_orphan(stub& s);

  // Calls f(stub) for those among the next `most` places from `at` on; false at the end. What is made meanwhile may be
  // left out.
  template <class F>
  bool for_some(std::size_t& at, std::size_t most, F f) {
    while (most != 0 && at < end()) {
      stub* s = slabs_[at / in_a_slab]->stubs + at % in_a_slab;
      const std::size_t some = std::min(most, in_a_slab - at % in_a_slab);
      for (stub* const last = s + some; s != last; ++s) {
        if (s->id.home != no_pe) f(*s);
      }
      at += some;
      most -= some;
    }
    return at < end();
  }
  std::size_t end() const { return slabs_.size() * in_a_slab; }

 private:
  static constexpr std::size_t slab_bytes = 64 * 1024;  // and where one begins, so that its stubs find it
  static constexpr std::size_t in_a_slab = 1'600;
  struct alignas(slab_bytes) slab {
    stub stubs[in_a_slab];
    std::size_t orphans = 0;  // stubs that have outlived the job
  };
  static_assert(sizeof(slab) == slab_bytes);

  std::vector<std::unique_ptr<slab>> slabs_;
  stub* free_ = nullptr;
};

}  // namespace tsubu::collection
