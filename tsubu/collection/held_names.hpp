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
#include <unordered_map>
#include <vector>

#include "tsubu/object/object_base.hpp"
#include "tsubu/remote/pe_local.hpp"

namespace tsubu::collection {

class held_names;

struct stub {
  stub(held_names* table, const objects::identity& name) : of(table), id(name) {}

  held_names* of;  // null when the job has ended before the strong_refs
  objects::identity id;
  std::uint32_t count = 0;      // strong_refs on this PE
  std::uint32_t shown = 0;      // of them, by dormant objects in the cycle shown_in
  std::uint32_t shown_in = 0;   // these are numbers of cycles
  std::uint32_t shaded_in = 0;  // its target has been marked, or is among the grey
  stub* next = nullptr;
  stub* before = nullptr;
};

class held_names {
 public:
  held_names() = default;
  held_names(const held_names&) = delete;
  held_names& operator=(const held_names&) = delete;
  ~held_names();

  // ---- cycles

  std::uint32_t cycle() const { return cycle_; }
  bool marking() const { return marking_; }
  void begin_cycle(std::uint32_t number) {
    cycle_ = number;
    marking_ = true;
  }
  // Stubs without a strong_ref are forgotten.
  void end_cycle();
  bool is_white(const objects::object_base& o) const {
    return o.tsubu_header.is(objects::object_base::header::colour) != ((cycle_ & 1) != 0);
  }
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
  // Not marking: the last strong_ref has been dropped.
  void forget(stub& s);
  stub* first() const { return first_; }
  std::size_t size() const { return by_name_.size(); }

  // ---- marking

  void shade(stub& s) {
    if (s.shaded_in == cycle_) return;
    s.shaded_in = cycle_;
    add_grey(s.id);
  }
  // Somebody else sees to it that it is marked.
  void count_as_shaded(stub& s) const { s.shaded_in = cycle_; }
  // Names of objects that are to be marked.
  std::vector<objects::identity>& grey() { return grey_; }
  void add_grey(const objects::identity& id);

 private:
  std::uint32_t cycle_ = 0;
  bool marking_ = false;
  std::vector<objects::identity> grey_;
  std::unordered_map<objects::identity, stub*, objects::identity_hash> by_name_;
  stub* first_ = nullptr;  // of those in by_name_; new ones come in front
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
