#include "tsubu/collection/held_names.hpp"

#include <algorithm>

#include "tsubu/object/space.hpp"
#include "tsubu/remote/pe.hpp"

namespace tsubu::collection {

void held_names::resize(std::size_t places) {
  by_name_ = std::make_unique<stub*[]>(places);
  places_ = places;
  std::size_t at = 0;
  while (stubs_.for_some(at, ~std::size_t{0}, [this](stub& s) { by_name_[search(s.id)] = &s; })) continue;
}

stub& held_names::of(const objects::identity& id) {
  const std::size_t at = search(id);
  if (by_name_[at] != nullptr) return *by_name_[at];
  stub& s = stubs_.make(*this, id);
  by_name_[at] = &s;
  if (++size_ > places_ / 2) resize(2 * places_);
  return s;
}

void held_names::forget(stub& s) {
  std::size_t gap = search(s.id);
  // Whoever stands behind it, up to the next gap, and whose search would end here, moves up.
  for (std::size_t at = (gap + 1) & (places_ - 1); by_name_[at] != nullptr; at = (at + 1) & (places_ - 1)) {
    const std::size_t from = place_of(by_name_[at]->id);
    if (((at - from) & (places_ - 1)) < ((at - gap) & (places_ - 1))) continue;
    by_name_[gap] = by_name_[at];
    gap = at;
  }
  by_name_[gap] = nullptr;
  stubs_.free(s);
  --size_;
}

void held_names::dropped_last(stub& s) {
  if (s.is_dropped) return;
  if (!marking_ && !(s.only_here && pace.is_on())) return forget(s);
  s.is_dropped = true;
  dropped_.push_back(&s);
}

void hold::dropped_last(stub& s) {
  if (s.of == nullptr) {
    stub_slabs::free_orphan(s);
  } else {
    s.of->dropped_last(s);
  }
}

void held_names::end_marking() {
  marking_ = false;
  grey_.clear();
  first_grey_ = 0;
}

void held_names::end_cycle() {
  std::size_t enough = places_;
  const std::size_t needed = std::max(size_, size_at_begin_);
  while (needed < enough / 32 && enough > least_places) enough /= 2;
  if (enough != places_) resize(enough);
}

void held_names::shade(const objects::identity& id) {
  stub* const s = by_name_[search(id)];
  if (s != nullptr) return shade(*s);
  add_grey(id);
}

bool held_names::is_marked(const objects::identity& id) const {
  const objects::object_base* const o = objects::this_space().object_named(id);
  return o != nullptr && !is_white(*o);
}

void held_names::begin_to_freeze() {
  freezes_ = true;
  std::erase_if(grey_, [this](const objects::identity& id) { return is_marked(id); });
}

void held_names::add_grey(const objects::identity& id) {
  if (freezes_ || keeps_causes_) [[unlikely]]
    return add_grey_slowly(id);
  grey_.push_back(id);
}

void held_names::add_grey_slowly(const objects::identity& id) {
  if (freezes_ && is_marked(id)) return;
  grey_.push_back(id);
  if (!keeps_causes_) return;
  cause c = now_;
  if (c.pe == no_pe) c.pe = this_pe();
  note(id, c);
}

objects::identity held_names::take_first_grey() {
  const objects::identity first = grey_[first_grey_++];
  if (!has_grey()) {
    grey_.clear();
    first_grey_ = 0;
  }
  return first;
}

void held_names::keep_causes(bool yes) {
  keeps_causes_ = yes;
  causes_.clear();
}

cause held_names::cause_of(const objects::identity& id) const {
  const auto at = causes_.find(id);
  return at != causes_.end() ? at->second : cause{.pe = this_pe()};
}

}  // namespace tsubu::collection
