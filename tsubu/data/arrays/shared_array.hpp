// Arrays of shared variables, spread over the PEs.
//
//   auto heat = co_await create_shared_array<double>(1000, by_block(), protocol::update, 20.0);   // by every PE
//   double h = co_await heat[i].read();                      // an element is a variable as any other (shared.hpp)
//   heat[i].add<reduce::plus>(1.0);
//   co_await heat.read(first, std::span(row));               // many at once
//
// Each element is managed by itself, so neighbours never disturb each other; to manage many together, make a tile the
// element: shared_array<std::array<double, 64>>. An element that only its home uses costs one bit beside its value. The
// distribution (tsubu/object/distribution.hpp) tells the home of each.
#pragma once

#include <concepts>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "tsubu/data/arrays/element_place.hpp"
#include "tsubu/data/arrays/past_element.hpp"
#include "tsubu/data/variables/shared.hpp"
#include "tsubu/object/distribution.hpp"
#include "tsubu/remote/collectives/collectives.hpp"

namespace tsubu {

template <class T, class D>
class shared_array;

namespace data {

[[noreturn, gnu::cold]] inline void refuse_elements(std::size_t first, std::size_t count, std::uint32_t array,
                                                    std::size_t size) {
  fail((count == 1 ? "element " + std::to_string(first)
                   : std::to_string(count) + " elements from " + std::to_string(first) + " on") +
       " of shared array " + std::to_string(array) + ", which has " + std::to_string(size));
}
// Asks for many elements, and then waits for those that are not here.
template <class T, class D>
task<void> read_span(shared_array<T, D> array, std::size_t first, std::span<T> to);
template <class T, class D>
task<void> write_span(shared_array<T, D> array, std::size_t first, std::span<const T> from);
inline constexpr std::size_t span_piece = 1024;  // elements under way at a time

}  // namespace data

// An element, used as a variable is.
// Local; blocks as a variable does; as its base says.
template <class T, class D>
class shared_element : public data::shared_access<T, data::element_place<T, D>> {
 public:
  explicit shared_element(const data::element_place<T, D>& place)
      : data::shared_access<T, data::element_place<T, D>>(place) {}
};

// The name of an array. It travels, as its bytes.
// Local; read() and write() block until all elements are there or written, set_protocol() and end() are collective
// and block until every PE has called them; an index that is too large ends the job.
template <class T, class D = by_block>
class shared_array {
  static_assert(wire::sendable<T>, "the elements of a shared array hold values that can travel");

 public:
  shared_array() = default;
  shared_array(std::uint32_t number, std::size_t size) : size_(size), number_(number) {}

  // How many elements it has.
  std::size_t size() const { return size_; }
  // Element i < size().
  [[gnu::always_inline]] shared_element<T, D> operator[](std::size_t i) const {
    if (i >= size_) [[unlikely]]
      data::refuse_elements(i, 1, number_, size_);
    return shared_element<T, D>({i, number_});
  }

  // Awaited: elements first, first + 1, .., each as its read() gives it. `to` stays until then.
  task<void> read(std::size_t first, std::span<T> to) const {
    check_span(first, to.size());
    return data::read_span(*this, first, to);
  }
  // Awaited: each as by its write().
  task<void> write(std::size_t first, std::span<const T> from) const {
    check_span(first, from.size());
    return data::write_span(*this, first, from);
  }

  // Collective, and awaited: from then on all elements have that protocol.
  task<void> set_protocol(protocol how, std::source_location where = std::source_location::current()) const {
    data::data_space& s = data::this_space();
    data::array_part& mine = s.array_here(number_);
    s.adds.send_all();
    mine.set_protocol(how);
    for (const std::uint64_t i : mine.recorded()) co_await (*this)[i].set_protocol(how);
    co_await barrier(where);
  }

  // f(i) for the elements whose home is this PE, in their order.
  template <class F>
  void for_each_here(F f) const {
    D().for_each_on(this_pe(), size_, pe_count(), f);
  }

  // Collective, and awaited. Nobody uses the array meanwhile, or afterwards.
  task<void> end(std::source_location where = std::source_location::current()) const {
    data::this_space().array_here(number_);
    co_await barrier(where);
    if (data::this_space().recorded != nullptr) {
      co_await data::tell_reads_of_array(number_);
      co_await barrier(where);
    }
    data::this_space().end_array(number_);
    co_await barrier(where);
  }

  // The number of the array in the job.
  std::uint32_t number() const { return number_; }

 private:
  void check_span(std::size_t first, std::size_t count) const {
    if (first > size_ || count > size_ - first) [[unlikely]]
      data::refuse_elements(first, count, number_, size_);
  }

  std::size_t size_ = 0;
  std::uint32_t number_ = data::data_space::no_array;
};

// An array of n elements. Collective: every PE calls it with the same arguments; returns when all have it.
// Collective; blocks until every PE has called it; too many elements, or a distribution that is not even, end the
// job.
template <class T, class D = by_block>
task<shared_array<T, D>> create_shared_array(std::size_t n, D, protocol how, T initial = T(),
                                             std::source_location where = std::source_location::current()) {
  data::data_space& s = data::this_space();
  require(n < data::key::most_elements && D().numbers(n, pe_count()) <= ~std::uint32_t{0},
          "a shared array of {} elements: too many", n);
  data::numbering numbers;
  std::uint64_t seen = 0;
  D().for_each_on(s.me, n, pe_count(), [&](std::size_t i) {
    const std::uint64_t number = D().number(i, n, pe_count());
    if (seen++ == 0) {
      numbers.first = i - number;
    } else if (seen == 2 && number != 0) {
      numbers.stride = (i - numbers.first) / number;
    }
    require(numbers.index(number) == i && number >= numbers.count,
            "a shared array needs a distribution whose numbers rise evenly with the indices: element {} has number {} "
            "on PE {}",
            i, number, s.me);
    numbers.count = number + 1;
  });
  const auto number = static_cast<std::uint32_t>(s.arrays.size());
  require(number < data::key::most_arrays, "a job has {} shared arrays, and more cannot be named", number);
  const data::declared as = s.declare_array(data::value_type_of<T>, how, where, seen);
  s.arrays.push_back(std::make_unique<data::values_part<T>>(s.memory, number, data::value_type_of<T>, as, numbers,
                                                            data::locator(n, pe_count()), std::move(initial)));
  s.arrays.back()->home_of = [](const data::array_part& here, std::uint64_t index) {
    return here.where.template find<D>(index).home;
  };
  co_await barrier(where);
  co_return shared_array<T, D>(number, n);
}

namespace data {

template <class T, class D>
task<void> read_span(shared_array<T, D> array, std::size_t first, std::span<T> to) {
  using reader = slow_access<T, element_place<T, D>, reading>;
  for (std::size_t begin = 0; begin < to.size(); begin += span_piece) {
    std::deque<reader> asked;
    std::vector<T*> places;
    for (std::size_t i = begin; i < std::min(begin + span_piece, to.size()); ++i) {
      const element_place<T, D> place{first + i, array.number()};
      if (const T* here = value_at_once<T, reading>(this_space(), place)) {
        to[i] = *here;
        continue;
      }
      asked.emplace_back(place, std::tuple<>()).begin();
      places.push_back(&to[i]);
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      oneshot<T>& answer = asked[k].answer();
      *places[k] = co_await answer;
    }
  }
}

template <class T, class D>
task<void> write_span(shared_array<T, D> array, std::size_t first, std::span<const T> from) {
  using writer = slow_access<T, element_place<T, D>, writing, T>;
  for (std::size_t begin = 0; begin < from.size(); begin += span_piece) {
    std::deque<writer> asked;
    for (std::size_t i = begin; i < std::min(begin + span_piece, from.size()); ++i) {
      const element_place<T, D> place{first + i, array.number()};
      if (T* here = value_at_once<T, writing>(this_space(), place)) {
        *here = from[i];
      } else {
        asked.emplace_back(place, std::tuple<T>(from[i])).begin();
      }
    }
    for (writer& each : asked) {
      oneshot<void>& answer = each.answer();
      co_await answer;
    }
  }
}

}  // namespace data
}  // namespace tsubu
