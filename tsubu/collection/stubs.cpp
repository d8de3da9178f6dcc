#include "tsubu/collection/stubs.hpp"

namespace tsubu::collection {

stub_slabs::~stub_slabs() {
  for (std::unique_ptr<slab>& in : slabs_) {
    for (stub& s : in->stubs) {
      if (s.id.home == no_pe || s.count == 0) continue;
      s.of = nullptr;
      ++in->orphans;
    }
    if (in->orphans != 0) static_cast<void>(in.release());
  }
}

void stub_slabs::free_orphan(stub& s) {
  // A slab begins where its size says.
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(&s) & ~(std::uintptr_t{slab_bytes} - 1);
  slab* const in = reinterpret_cast<slab*>(at);
  if (--in->orphans == 0) delete in;
}

stub& stub_slabs::make(held_names& of, const objects::identity& id) {
  if (free_ == nullptr) {
    slabs_.push_back(std::make_unique<slab>());
    for (std::size_t i = in_a_slab; i-- > 0;) {
      slabs_.back()->stubs[i].next_free = free_;
      free_ = &slabs_.back()->stubs[i];
    }
  }
  stub& s = *free_;
  free_ = s.next_free;
  // Those that a collection has freed lie anywhere.
  __builtin_prefetch(free_, 1);
  s = stub();
  s.of = &of;
  s.id = id;
  return s;
}

void stub_slabs::free(stub& s) {
  s.id = objects::identity();
  s.next_free = free_;
  free_ = &s;
}

}  // namespace tsubu::collection
