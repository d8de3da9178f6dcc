// Replies: which answer belongs to which caller.
//
// A caller opens a slot and sends its number and generation along. The answer names them again, and
// both are checked, with the type of the value, before anything is touched: an answer for a slot that
// is not open, or of another type, ends the job. A caller that no longer cares abandons its slot; the
// answer is then dropped when it comes.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/base/types.hpp"
#include "tsubu/wire/handler.hpp"

namespace tsubu {

namespace remote {

// An address to reply to. Travels as its bytes.
struct reply_address {
  pe_id pe;
  std::uint32_t slot;
  std::uint32_t generation;
};

// Takes the one answer of a slot.
class reply_sink {
 public:
  virtual void error(std::exception_ptr e) = 0;
  // For reports: who was asked, "counter 0.0 on PE 1, counter::get"; "" if that is not known here.
  virtual std::string asked() const { return ""; }

 protected:
  ~reply_sink() = default;
};

// What the answer of a void function carries.
struct done {};
template <class R>
using carried = std::conditional_t<std::is_void_v<R>, done, R>;

// Sets a oneshot, a promise or an outcome of R to what an answer carried.
template <class Place, class V>
void set(Place& place, V value) {
  if constexpr (std::is_same_v<V, done>) {
    place.set_value();
  } else {
    place.set_value(std::move(value));
  }
}

template <class R>
class value_sink : public reply_sink {
 public:
  virtual void value(carried<R> v) = 0;

 protected:
  ~value_sink() = default;
};

// Its address stands for the type of a reply.
template <class R>
inline constexpr char reply_type = 0;

class reply_table {
 public:
  // `asked` and `of` are shown in reports.
  reply_address open(pe_id me, reply_sink& sink, const char* type, pe_id asked, const wire::handler_entry* of) {
    const std::uint32_t slot = free_ != none ? free_ : add_slot();
    entry& e = entries_[slot];
    free_ = e.next_free;
    e.sink = &sink;
    e.type = type;
    e.of = of;
    e.asked = asked;
    ++e.generation;
    awaited_unsent_ = true;
    return {me, slot, e.generation};
  }

  // Whether something that somebody waits for, a question or an answer, may be among what this PE has not sent.
  bool awaited_unsent() const { return awaited_unsent_; }
  void set_awaited_unsent(bool is) { awaited_unsent_ = is; }

  // The answer is no longer wanted.
  void abandon(reply_address slot) {
    entry& e = entries_[slot.slot];
    if (e.generation == slot.generation) e.sink = nullptr;
  }

  // The sink of an answered slot, which is closed by that; null if it was abandoned. Ends the job if
  // the slot is not open, or not for this type. A null type fits all.
  reply_sink* take(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) {
    check(from, slot, generation, type);
    entry& e = entries_[slot];
    ++e.generation;
    e.next_free = free_;
    free_ = slot;
    return e.sink;
  }

  // As take(), but leaves the slot open.
  reply_sink* look(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) const {
    check(from, slot, generation, type);
    return entries_[slot].sink;
  }

  // Whom a sink waits for: "PE 3 (relax)", or "" if it has no open slot.
  std::string describe(const void* sink) const;
  // The handler that is asked, of an open slot; or null.
  const wire::handler_entry* asked_of(std::uint32_t slot) const { return slot < slots_ ? entries_[slot].of : nullptr; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct entry {
    reply_sink* sink = nullptr;  // null: abandoned
    const char* type = nullptr;
    const wire::handler_entry* of = nullptr;
    std::uint32_t generation = 0;  // odd while open
    std::uint32_t next_free = none;
    pe_id asked = no_pe;
  };

  void check(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) const {
    if (slot < slots_ && entries_[slot].generation == generation && (generation & 1) != 0 &&
        (type == nullptr || entries_[slot].type == type)) [[likely]] {
      return;
    }
    refuse(from, slot, generation);
  }
  [[noreturn]] void refuse(pe_id from, std::uint32_t slot, std::uint32_t generation) const;
  std::uint32_t add_slot();

  std::vector<entry> entries_;
  std::uint32_t slots_ = 0;  // size of entries_, which a handler asks for often
  std::uint32_t free_ = none;
  bool awaited_unsent_ = false;
};

}  // namespace remote
}  // namespace tsubu
