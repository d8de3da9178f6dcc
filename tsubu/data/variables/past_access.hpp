// Past accesses, which nobody awaits: done here, or sent home, or kept for a moment to meet others.
//
// A place (access.hpp) has two functions more: has_nothing_here(space) says of one of another PE that this is known
// without a look into the table of copies, and merges_adds(space) whether what is added may be kept. send_past<T,
// Operation>(space, place, argument) sends an access to the home of a place of which this PE has nothing.
#pragma once

#include <utility>

#include "tsubu/data/variables/access.hpp"

namespace tsubu::data {

// Where there is something of the variable on this PE, or at its home, that must be looked after. Places and arguments
// travel by value: references would make the loop that sends store them, too.
template <class T, class Operation, class Place, class A>
[[gnu::noinline]] void access_past_here(Place place, remote::passed<A> argument) {
  data_space& s = this_space();
  const remote::reply_address to{s.me, no_answer, 0};
  directory_entry* entry = place.entry_here(s);
  if (entry == nullptr) return answer_ended(to, place.name(), typeid(T));
  do_at_home<T, Operation, A>(*entry, to, A(argument));
  s.done_with(place.name());
}
template <class T, class Operation, class Place, class A>
[[gnu::noinline]] pe_id access_past_elsewhere(Place place, remote::passed<A> argument) {
  data_space& s = this_space();
  const key name = place.name();
  check_named(name);
  if (place.merges_adds(s)) s.adds.send_if_kept(name);
  copy* c = s.copies.find(name);
  if (c == nullptr) return send_past<T, Operation>(s, place, argument);
  const pe_id home = place.home();
  if (c->can_write()) {
    c->count_write();
    Operation::run(c->value<T>(), A(argument));
  } else {
    begin_sending(s, name, *c, home, true);
    remote::send<access_message<T, Operation, A>>(home, completion_only, 0U, name, argument);
  }
  return home;
}

// Its address stands for sums of T by an operation.
template <class T, auto Op>
inline constexpr char kind_of_sum = 0;

template <class T, auto Op, class Place>
class combined_sum final : public write_combining_buffer::sum {
 public:
  combined_sum(const Place& place, T&& by)
      : sum(place.name(), &kind_of_sum<T, Op>), place_(place), value_(std::move(by)) {}
  void add(T&& by) { value_ = Op(std::move(value_), std::move(by)); }
  void send() override { send_past<T, combining<Op>>(this_space(), place_, value_); }
  void discard() override { delete_pooled(this); }

 private:
  Place place_;
  T value_;
};

// The first that this PE adds to one of another PE, since it last sent what it had kept.
template <class T, auto Op, class Place>
[[gnu::noinline]] pe_id keep_add(Place place, remote::passed<T> by) {
  data_space& s = this_space();
  const key name = place.name();
  if (name == key() || s.copies.find(name) != nullptr) {
    return access_past_elsewhere<T, combining<Op>, Place, T>(place, by);
  }
  s.adds.send_if_kept(name);
  s.adds.keep(*new_pooled<combined_sum<T, Op, Place>>(place, T(by)));
  return place.home();
}

// What past_element.hpp can do for elements.
template <class T, class Operation, class Place, class A>
constexpr pe_id past_arithmetic(data_space&, const Place&, const A&) {
  return no_pe;
}

// Does it at once, or sends it home, or keeps what it adds for a moment, and forgets it. Returns the PE that it is sent
// to, or this one.
template <class T, class Operation, class Place, class A>
[[gnu::always_inline]] inline pe_id access_past(const Place& place, A argument) {
  data_space& s = this_space();
  if (const pe_id to = past_arithmetic<T, Operation>(s, place, argument); to != no_pe) [[likely]]
    return to;
  if (place.is_here(s)) {
    if (T* value = place.value_to_write(s)) [[likely]] {
      Operation::run(*value, std::move(argument));
    } else {
      access_past_here<T, Operation, Place, A>(place, argument);
    }
    return s.me;
  }
  if constexpr (requires { Operation::op; }) {
    constexpr auto op = Operation::op;
    if (place.merges_adds(s)) {
      if (write_combining_buffer::sum* kept = s.adds.find(place.name(), &kind_of_sum<T, op>)) {
        static_cast<combined_sum<T, op, Place>*>(kept)->add(std::move(argument));
        return s.me;
      }
      return keep_add<T, op, Place>(place, argument);
    }
  }
  if (place.has_nothing_here(s)) [[likely]]
    return send_past<T, Operation>(s, place, argument);
  return access_past_elsewhere<T, Operation, Place, A>(place, argument);
}

}  // namespace tsubu::data
