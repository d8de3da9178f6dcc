// The objects that strong_refs on this PE name, and how many do: what the collector knows of code that it cannot see.
//
// Each object so named has a *stub* here, to which its strong_refs point. While the collector marks, whatever is done
// to a strong_ref (made, copied, moved, dropped, used, written, read) *shades* its target: it will be marked, in this
// cycle. So what is not shaded has the same strong_refs as when this PE began, whoever looks at it how slowly.
//
// Cycles are numbered. The colour of an object is one bit; it is white if that is not the lowest bit of the number of
// the cycle that its PE has begun last. So all that lives turns white with the next cycle, and a new object never is.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "tsubu/base/owned.hpp"
#include "tsubu/collection/causes.hpp"
#include "tsubu/collection/pacer.hpp"
#include "tsubu/collection/stubs.hpp"
#include "tsubu/object/object_base.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::collection {

class held_names {
 public:
  held_names() { resize(least_places); }
  held_names(const held_names&) = delete;
  held_names& operator=(const held_names&) = delete;

  pacer pace;

  // ---- cycles

  std::uint32_t cycle() const { return cycle_; }
  bool marking() const { return marking_; }
  void begin_cycle(std::uint32_t number) {
    cycle_ = number;
    marking_ = true;
    size_at_begin_ = size_;
    pace.cycle_begins();
  }
  // Marking ends. Stubs that have lost their last strong_ref meanwhile are still there.
  void end_marking();
  // Stubs have lost their last strong_ref; some may have got one again.
  bool has_dropped() const { return !dropped_.empty() || !too_early_.empty(); }
  // Those for which it was too early are looked at with the others, once more.
  void look_again() {
    dropped_.insert(dropped_.end(), too_early_.begin(), too_early_.end());
    too_early_.clear();
  }
  // f(stub) is told of the next of them that has none, and says whether it is too early. Else that is forgotten. False
  // when there are no more.
  template <class F>
  bool look_at_dropped(F f) {
    if (dropped_.empty()) return false;
    stub* const s = dropped_.back();
    dropped_.pop_back();
    if (s->count == 0 && f(*s) && !std::exchange(s->was_too_early, true)) {
      too_early_.push_back(s);
      return true;
    }
    s->is_dropped = s->was_too_early = false;
    if (s->count == 0) forget(*s);
    return true;
  }
  // There are no more. The table shrinks if it was far too large for what there was at the cycle's begin.
  void end_cycle();
  bool is_white(const objects::object_base& o) const {
    return o.tsubu_header.is(objects::object_base::header::colour) != ((cycle_ & 1) != 0);
  }
  // White objects are frozen from now on: what has been marked is not to be marked again. Before that marking tells.
  void begin_to_freeze();
  void freezes_no_more() { freezes_ = false; }
  // With the colour of what is marked, or new.
  void colour(objects::object_base& o) const {
    if ((cycle_ & 1) != 0) {
      o.tsubu_header.set(objects::object_base::header::colour);
    } else {
      o.tsubu_header.clear(objects::object_base::header::colour);
    }
  }

  // ---- stubs

  stub& of(const objects::identity& id);
  // Its last strong_ref has been dropped.
  void dropped_last(stub& s);
  std::size_t end_of_stubs() const { return stubs_.end(); }
  template <class F>
  bool for_some(std::size_t& at, std::size_t most, F f) {
    return stubs_.for_some(at, most, f);
  }
  std::size_t size() const { return size_; }

  // ---- marking

  void shade(stub& s) {
    if (s.shaded_in == cycle_) return;
    s.shaded_in = cycle_;
    add_grey(s.id);
  }
  // The same where only the name is known.
  void shade(const objects::identity& id);
  // Somebody else sees to it that it is marked.
  void count_as_shaded(stub& s) const { s.shaded_in = cycle_; }
  // Names of objects that are to be marked: the last first, but where causes are kept, so that paths are short.
  bool has_grey() const { return first_grey_ != grey_.size(); }
  objects::identity take_grey() {
    if (keeps_causes_) [[unlikely]]
      return take_first_grey();
    const objects::identity last = grey_.back();
    grey_.pop_back();
    return last;
  }
  void add_grey(const objects::identity& id);

  // ---- causes, for why_alive()

  bool keeps_causes() const { return keeps_causes_; }
  // From now on, until a cycle begins; those of the last one are forgotten.
  void keep_causes(bool yes);
  // What is added to the grey next is so because of that; without one, because of code.
  void led_by(const cause& c) { now_ = c; }
  void led_by_code() { now_ = cause(); }
  void note(const objects::identity& id, const cause& c) { causes_.try_emplace(id, c); }
  // Why it is; code, if nothing is known.
  cause cause_of(const objects::identity& id) const;

 private:
  static constexpr std::size_t least_places = 64;
  // Where the search for that name begins. Eight numbers in sequence share a line of the cache, of whatever generation.
  std::size_t place_of(const objects::identity& id) const {
    const objects::identity line(id.home, id.creator(), id.number() / 8, 0);
    return (objects::identity_hash()(line) * 8 + id.number() % 8) & (places_ - 1);
  }
  // The place of that name, or the one for it.
  std::size_t search(const objects::identity& id) const {
    std::size_t at = place_of(id);
    while (by_name_[at] != nullptr && by_name_[at]->id != id) at = (at + 1) & (places_ - 1);
    return at;
  }
  void resize(std::size_t places);
  bool is_marked(const objects::identity& id) const;
  objects::identity take_first_grey();
  [[gnu::noinline]] void add_grey_slowly(const objects::identity& id);
  void forget(stub& s);

  std::uint32_t cycle_ = 0;
  bool marking_ = false;
  bool freezes_ = false;
  std::deque<objects::identity> grey_;  // which grows without a pause
  std::size_t first_grey_ = 0;          // in front of it they have been taken
  bool keeps_causes_ = false;
  cause now_;
  cause_table causes_;

  // By name: open addressing, linear probing, at most half full; places_ is a power of two.
  detail::owned_array<stub*> by_name_;
  std::size_t places_ = 0;
  std::size_t size_ = 0;
  std::size_t size_at_begin_ = 0;  // of the cycle
  stub_slabs stubs_;
  std::vector<stub*> dropped_;    // all that are not yet forgotten, but ...
  std::vector<stub*> too_early_;  // these
};

inline constexpr pe_local<held_names> names_held(remote::reserved_local::collection);

// One strong_ref's place at its target: what a strong_ref<T> is, but for the name that it sends to.
class hold {
 public:
  hold() = default;
  explicit hold(stub& s) : stub_(&s) { ++s.count; }
  hold(const hold& other) : stub_(other.stub_) {
    if (stub_ == nullptr) return;
    ++stub_->count;
    touch();
  }
  hold(hold&& other) noexcept : stub_(std::exchange(other.stub_, nullptr)) { touch(); }
  hold& operator=(const hold& other) {
    if (this != &other) *this = hold(other);
    return *this;
  }
  hold& operator=(hold&& other) noexcept {
    if (this == &other) return *this;
    drop();
    stub_ = std::exchange(other.stub_, nullptr);
    touch();
    return *this;
  }
  ~hold() { drop(); }

  stub* at() const { return stub_; }
  void touch() const {
    if (stub_ != nullptr && stub_->of != nullptr && stub_->of->marking()) [[unlikely]]
      stub_->of->shade(*stub_);
  }
  // Whether it is shown for the first time in that cycle.
  bool show_in(std::uint32_t cycle) const { return std::exchange(shown_in_, cycle) != cycle; }

 private:
  void drop() {
    if (stub_ == nullptr) return;
    touch();
    if (--stub_->count == 0) dropped_last(*stub_);
  }
  static void dropped_last(stub& s);

  stub* stub_ = nullptr;
  mutable std::uint32_t shown_in_ = 0;
};

}  // namespace tsubu::collection
