// Past accesses to elements: their message, and a way to send one that is nothing but arithmetic.
//
// A program puts or adds to random elements, of which some are its PE's own, so nobody can guess whether the next one
// is: a branch on that costs more than all else. While nothing of an array is shared, as far as a PE knows, an access
// is done without: it writes a packet and changes a value, and one of the two is thrown away.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tsubu/data/arrays/element_place.hpp"
#include "tsubu/data/variables/access_request.hpp"
#include "tsubu/remote/collectives/reduce.hpp"

namespace tsubu::data {

template <auto A, auto B>
inline constexpr bool is_same_operation =
    std::is_same_v<std::remove_const_t<decltype(A)>, std::remove_const_t<decltype(B)>>;

// Whether the operation can be done to any value of T, once more, and nobody notices.
template <class T, class Operation>
inline constexpr bool is_arithmetic = false;
template <class T>
inline constexpr bool is_arithmetic<T, writing> = std::is_arithmetic_v<T>;
template <class T, auto Op>
  requires(is_same_operation<Op, reduce::plus> || is_same_operation<Op, reduce::times> ||
           is_same_operation<Op, reduce::min> || is_same_operation<Op, reduce::max>)
inline constexpr bool is_arithmetic<T, combining<Op>> = std::is_arithmetic_v<T>;

// The values of an array whose elements are accessed by the packets of a run, if accesses to them are arithmetic and
// all are plain. What is not arithmetic may change that.
template <class T>
class values_of_run : public message::nothing_around {
 public:
  // That of the element that a packet names by `word`; null: look at the array.
  [[gnu::always_inline]] T* find(std::uint64_t word) const {
    const std::uint64_t number = word - first_;
    return number < count_ ? values_ + number : nullptr;
  }
  void keep(std::uint64_t first, std::uint64_t count, T* values) const {
    first_ = first;
    count_ = count;
    values_ = values;
  }
  void forget() const { count_ = 0; }

 private:
  mutable std::uint64_t first_ = 0;  // the word of its first element
  mutable std::uint64_t count_ = 0;
  mutable T* values_ = nullptr;
};

// A past access of a PE that has nothing of the element: most find it unshared.
template <class T, class Operation, class A>
struct past_element_access {
  using layout = wire::layout<std::uint64_t, A>;
  using around_run = values_of_run<T>;
  static std::uint64_t word(std::uint32_t array, std::uint32_t number) { return std::uint64_t{array} << 32 | number; }

  static void call(const message::delivery& d, std::uint64_t element, A argument) {
    look_at_array(around_run(), d, element, argument);
  }
  [[gnu::always_inline]] static void call_in_run(const around_run& run, const message::delivery& d,
                                                 std::uint64_t element, A argument) {
    if constexpr (is_arithmetic<T, Operation>) {
      if (T* value = run.find(element)) [[likely]]
        return Operation::run(*value, std::move(argument));
    }
    look_at_array(run, d, element, argument);
  }

 private:
  [[gnu::noinline]] static void look_at_array(const around_run& run, const message::delivery& d, std::uint64_t element,
                                              remote::passed<A> argument) {
    const auto array = static_cast<std::uint32_t>(element >> 32), number = static_cast<std::uint32_t>(element);
    data_space& s = this_space();
    auto& part = s.array_of<T>(array, value_type_of<T>, d.from);
    const numbering& numbers = part.numbers();
    require(number < numbers.count, "PE {} accesses element number {} of the {} that shared array {} has on PE {}",
            d.from, number, numbers.count, array, s.me);
    run.forget();
    if (part.how == protocol::global || part.how == protocol::accumulate) {
      if (T* value = part.plain(number)) [[likely]] {
        if (part.all_plain() != nullptr) run.keep(word(array, 0), numbers.count, part.all_plain());
        return Operation::run(*value, A(argument));
      }
    }
    past_access<T, Operation, A>::call(d, key::of_element(array, numbers.index(number)), A(argument));
  }
};

template <class T, class Operation, class D, class A>
[[gnu::always_inline]] inline pe_id send_past(data_space& s, const element_place<T, D>& place, const A& argument) {
  const location at = place.where(s);
  using packet = past_element_access<T, Operation, A>;
  remote::send<packet>(at.home, packet::word(place.array, at.number), argument);
  return at.home;
}

// Where it was done or sent to; no_pe: it was not, and takes more than that.
template <class T, class Operation, class D>
[[gnu::always_inline]] inline pe_id past_arithmetic(data_space& s, const element_place<T, D>& place, T argument) {
  if constexpr (is_arithmetic<T, Operation>) {
    const values_part<T>& part = place.part(s);
    T* const values = part.all_simple();
    if (values == nullptr) [[unlikely]]
      return no_pe;
    const location at = part.where.template find<D>(place.index);
    if (static_cast<std::uint32_t>(at.home) >= this_send_bound.now) [[unlikely]]
      return no_pe;
    const std::uint64_t elsewhere = ones_if(at.home != s.me);
    using packet = past_element_access<T, Operation, T>;
    message::send_straight_if<packet>(elsewhere, at.home, packet::word(place.array, at.number), argument);
    T unused{};
    Operation::run(*choose(elsewhere, &unused, values + at.number), std::move(argument));
    return at.home;
  } else {
    return no_pe;
  }
}

}  // namespace tsubu::data
