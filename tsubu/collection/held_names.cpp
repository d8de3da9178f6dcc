#include "tsubu/collection/held_names.hpp"

#include "tsubu/object/space.hpp"

namespace tsubu::collection {

held_names::~held_names() {
  // A strong_ref that outlives the job, in a static variable, finds its stub.
  for (stub* s = first_; s != nullptr;) {
    stub* const next = s->next;
    s->of = nullptr;
    if (s->count == 0) delete s;
    s = next;
  }
}

stub& held_names::of(const objects::identity& id) {
  const auto [at, is_new] = by_name_.try_emplace(id, nullptr);
  if (!is_new) return *at->second;
  stub* const s = new stub(this, id);
  at->second = s;
  s->next = first_;
  if (first_ != nullptr) first_->before = s;
  first_ = s;
  return *s;
}

void held_names::forget(stub& s) {
  (s.before != nullptr ? s.before->next : first_) = s.next;
  if (s.next != nullptr) s.next->before = s.before;
  by_name_.erase(s.id);
  delete &s;
}

void hold::dropped_last(stub& s) {
  if (s.of == nullptr) {
    delete &s;
  } else if (!s.of->marking()) {
    s.of->forget(s);
  }
}

void held_names::end_cycle() {
  marking_ = false;
  grey_.clear();
  for (stub* s = first_; s != nullptr;) {
    stub* const next = s->next;
    if (s->count == 0) forget(*s);
    s = next;
  }
}

void held_names::add_grey(const objects::identity& id) {
  const objects::object_base* const o = objects::this_space().object_named(id);
  if (o != nullptr && !is_white(*o)) return;
  grey_.push_back(id);
}

}  // namespace tsubu::collection
