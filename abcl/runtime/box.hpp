// Boxes: where replies arrive that were not asked for by a plain now(): of sync, of futures.
//
//   abcl::box<abcl::integer> r;                          // (sync r [b <= [1 (@ r)]])
//   b.past<&B::on_message>(1, r.destination());
//   const abcl::integer v = co_await r;
//
// A box has a slot in its PE's table, with a generation. A reply names both, and the type of its value is checked. One
// of sync takes one value: a second, also when the asker has gone on, ends the job and names who sent it. One of a
// future takes many; those that come after it has gone are dropped.
#pragma once

#include <cstdint>
#include <exception>
#include <source_location>
#include <utility>
#include <vector>

#include "abcl/runtime/name.hpp"
#include "abcl/runtime/not_resumed.hpp"
#include "abcl/runtime/site.hpp"
#include "abcl/runtime/values.hpp"
#include "abcl/runtime/wait.hpp"
#include "tsubu/base/pool.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/pe_local.hpp"
#include "tsubu/task/oneshot.hpp"
#include "tsubu/task/sync.hpp"

namespace abcl {

// Its address stands for the type of a value.
template <class V>
inline constexpr char value_type = 0;

class box_table {
 public:
  name open(void* place, const char* type, bool many) {
    const std::uint32_t slot = free_ != no_slot ? free_ : add_slot();
    entry& e = entries_[slot];
    free_ = e.next_free;
    e.place = place;
    e.type = type;
    ++e.generation;
    return name::box(tsubu::this_pe(), slot, e.generation, many);
  }
  void close(const name& n) {
    entry& e = entries_[n.slot()];
    ++e.generation;
    e.next_free = free_;
    free_ = n.slot();
  }
  // Nobody waits any more for the one value that is to come: it will be dropped.
  void abandon(const name& n) { entries_[n.slot()].place = nullptr; }

  // Where a value of that type goes: null if the box has gone.
  struct found {
    void* place;
    bool abandoned;
  };
  found find(const name& n, const char* type, std::uint32_t by) const {
    if (n.slot() >= entries_.size()) [[unlikely]]
      no_such_box(n, by);
    const entry& e = entries_[n.slot()];
    if (e.generation != n.generation()) return {nullptr, false};
    if (e.type != type) [[unlikely]]
      no_such_box(n, by);
    return {e.place, e.place == nullptr};
  }

 private:
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  struct entry {
    void* place = nullptr;
    const char* type = nullptr;
    std::uint32_t generation = 0;  // odd while open
    std::uint32_t next_free = no_slot;
  };
  std::uint32_t add_slot() {
    tsubu::require(entries_.size() <= name::most_slot, "too many reply destinations are open on a PE");
    entries_.emplace_back();
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  [[noreturn, gnu::cold]] static void no_such_box(const name& n, std::uint32_t by) {
    tsubu::end_job(tsubu::exit_code::failed,
                   text_of(by) + ": a reply of another type, or to a destination that " + "never was: " + n.text());
  }

  std::vector<entry> entries_;
  std::uint32_t free_ = no_slot;  // a chain of closed ones
};
inline tsubu::pe_local<box_table> boxes;

[[noreturn, gnu::cold, gnu::noinline]] inline void replied_twice(std::uint32_t by) {
  tsubu::end_job(tsubu::exit_code::failed, text_of(by) + ": a second reply to a question that has been answered");
}

// A value comes to a box of this PE.
template <class V>
void put_in_box(name to, std::uint32_t by, V value) {
  const box_table::found at = boxes->find(to, &value_type<V>, by);
  if (to.many()) {
    if (at.place != nullptr) static_cast<tsubu::sync<V>*>(at.place)->write(std::move(value));
    return;
  }
  if (at.abandoned) return boxes->close(to);
  auto* const once = static_cast<tsubu::oneshot<V>*>(at.place);
  if (once == nullptr || once->ready()) [[unlikely]]
    replied_twice(by);
  once->set_value(std::move(value));
}

// As it travels: the home is where the packet goes.
template <class V>
void reply_has_come(std::uint32_t slot_and_kind, std::uint32_t generation, std::uint32_t by, V value) {
  put_in_box(name::box(tsubu::this_pe(), slot_and_kind >> 1, generation, (slot_and_kind & 1) != 0), by,
             std::move(value));
}

template <class V>
[[gnu::noinline]] void send_to_box(const name& to, std::uint32_t by, V value) {
  tsubu::at(to.home()).past<reply_has_come<V>>(to.slot() << 1 | (to.many() ? 1U : 0U), to.generation(), by,
                                               std::move(value));
}

// [to <= value], to a destination that can be a box only, since no class of the program accepts such a message.
template <class V>
void reply(const name& to, const site& by, V value) {
  if (to.is_nil()) return;
  if (!to.is_box()) [[unlikely]]
    fail(by, to.text() + " does not accept this message");
  if (to.home() == tsubu::this_pe()) {
    put_in_box<V>(to, number_of(by), std::move(value));
  } else {
    send_to_box<V>(to, number_of(by), std::move(value));
  }
}

// ---- no value will come: the clause that had to reply is left by (non-resume)

template <class V>
void left_box(std::uint32_t slot, std::uint32_t generation) {
  const name to = name::box(tsubu::this_pe(), slot, generation, false);
  const box_table::found at = boxes->find(to, &value_type<V>, 0);
  if (at.abandoned) return boxes->close(to);
  auto* const once = static_cast<tsubu::oneshot<V>*>(at.place);
  // Else it has replied before it was left.
  if (once != nullptr && !once->ready()) once->set_exception(std::make_exception_ptr(not_resumed()));
}

// Who waits at `to` is left, too, like who has asked by now(). An object, or a future, which takes many, is told
// nothing.
template <class V>
void leave(const name& to) {
  if (to.is_nil() || !to.is_box() || to.many()) return;
  if (to.home() == tsubu::this_pe()) {
    left_box<V>(to.slot(), to.generation());
  } else {
    tsubu::at(to.home()).past<left_box<V>>(to.slot(), to.generation());
  }
}

// The same, where classes of the program accept such a message, by the method M of their interface. V is made of the
// message's elements.
template <auto M, class V, class... E>
void reply_or_send(const name& to, const site& by, E... elements) {
  if (to.is_nil() || to.is_box()) return reply<V>(to, by, V(std::move(elements)...));
  using interface = typename tsubu::objects::method_of<decltype(M)>::owner;
  to.as<interface>().template past<M>(std::move(elements)...);
}

// ---- for one value

template <class V>
class box {
 public:
  box() = default;
  // Its value is waited for there; `asked`: who owes it.
  explicit box(const site& at, const name& asked = {}) : place_{&at, asked.id()} {}
  box(const box&) = delete;
  box& operator=(const box&) = delete;
  ~box() {
    if (name_.is_nil()) return;
    if (value_.ready()) {
      boxes->close(name_);
    } else {
      boxes->abandon(name_);  // its clause is unwound
    }
  }

  // (@ r)
  name destination() {
    if (name_.is_nil()) name_ = boxes->open(&value_, &value_type<V>, false);
    return name_;
  }

  bool await_ready() const { return value_.ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    value_.await_suspend(task, where);
  }
  void suspend(tsubu::ready_item who, std::source_location where) { value_.suspend(who, where); }
  V await_resume() { return value_.await_resume(); }

 private:
  const place_of_wait place_;
  tsubu::oneshot<V> value_{waits_at_place, &place_};
  name name_;
};

// ---- for many values

// (future T): shared by reference, and stays on its PE. nil if it was not made.
template <class V>
class future {
  struct state {
    tsubu::sync<V> values;
    name destination;
    int references = 1;
  };

 public:
  future() = default;
  static future make() {
    future f;
    f.state_ = tsubu::new_pooled<state>();
    return f;
  }
  future(const future& other) : state_(other.state_) {
    if (state_ != nullptr) ++state_->references;
  }
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~future() {
    if (state_ == nullptr || --state_->references != 0 || !tsubu::remote::job_goes_on()) return;
    if (!state_->destination.is_nil()) boxes->close(state_->destination);
    tsubu::delete_pooled(state_);
  }

  // What [T <= M $ f] gives as the reply destination.
  name destination(const site& at) const {
    state& s = checked(at);
    if (s.destination.is_nil()) s.destination = boxes->open(&s.values, &value_type<V>, true);
    return s.destination;
  }
  // (ready? f)
  bool ready(const site& at) const { return !checked(at).values.empty(); }

  // (touch f) and (next-value f), awaited.
  class wait {
   public:
    wait(future of, bool keep, const site& at)
        : of_(std::move(of)), place_{&at}, read_(of_.state_->values, keep, waits_at_place, &place_) {}
    wait(const wait&) = delete;
    wait& operator=(const wait&) = delete;
    bool await_ready() { return read_.await_ready(); }
    void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
      read_.await_suspend(task, where);
    }
    void suspend(tsubu::ready_item who, std::source_location where) { read_.suspend(who, where); }
    V await_resume() { return read_.await_resume(); }

   private:
    future of_;
    const place_of_wait place_;
    typename tsubu::sync<V>::awaiter read_;
  };
  wait touch(const site& at) const {
    checked(at);
    return wait(*this, true, at);
  }
  wait next_value(const site& at) const {
    checked(at);
    return wait(*this, false, at);
  }

 private:
  state& checked(const site& at) const {
    if (state_ == nullptr) [[unlikely]]
      fail(at, "the future is nil");
    return *state_;
  }
  state* state_ = nullptr;
};

}  // namespace abcl
