// Messages to some elements of an array, and their replies: a packet goes to each PE, which tells its own elements.
//
// What was asked of all is answered in the order of the elements' indices, so each PE answers for its part in that
// order, and the asker merges the parts. With an operation each PE combines its part first, and one value travels,
// where the parts follow one another in the array, or the operation commutes.
#pragma once

#include <vector>

#include "tsubu/object/deliver.hpp"
#include "tsubu/object/ref.hpp"
#include "tsubu/remote/messages/at.hpp"

namespace tsubu {

template <class T, class D>
class object_array;

namespace objects {

// Whether the parts of the PEs, one behind the other, are the elements in the order of their indices.
template <class D>
inline constexpr bool parts_in_sequence = requires { requires D::in_sequence; };

// Elements first, first + stride, .. below last.
struct section_of {
  std::size_t first;
  std::size_t last;
  std::size_t stride;
  bool has(std::size_t i) const { return i >= first && i < last && (i - first) % stride == 0; }
};

template <class T, class D, auto M, class... V>
struct past_section {
  using layout = wire::layout<object_array<T, D>, section_of, V...>;
  static void call(const message::delivery&, object_array<T, D> array, section_of of, const V&... values) {
    tell(array, of, values...);
  }
  static void tell(const object_array<T, D>& array, const section_of& of, const V&... values) {
    object_space& s = this_space();
    array.for_each_here([&](std::size_t i) {
      if (of.has(i)) deliver<T, M>(s, array[i].id(), no_pe, destination(), false, V(values)...);
    });
  }
};

// One reply from each element of the section on this PE, in order.
template <class T, class D, auto M, class... V>
task<std::vector<result_of<M>>> ask_section(object_array<T, D> array, section_of of, V... values) {
  std::vector<future<result_of<M>>> replies;
  array.for_each_here([&](std::size_t i) {
    if (of.has(i)) replies.push_back(array[i].template future<M>(values...));
  });
  std::vector<result_of<M>> all;
  all.reserve(replies.size());
  for (auto& reply : replies) all.push_back(co_await std::move(reply));
  co_return all;
}
template <class T, class D, auto M, class... V>
task<void> tell_section(object_array<T, D> array, section_of of, V... values) {
  std::vector<future<void>> replies;
  array.for_each_here([&](std::size_t i) {
    if (of.has(i)) replies.push_back(array[i].template future<M>(values...));
  });
  for (auto& reply : replies) co_await std::move(reply);
}
// The same, combined: none or one.
template <class T, class D, auto M, class Op, class... V>
task<std::vector<result_of<M>>> reduce_section(object_array<T, D> array, section_of of, Op op, V... values) {
  auto asked = ask_section<T, D, M, V...>(array, of, std::move(values)...);
  std::vector<result_of<M>> all = co_await std::move(asked), one;
  if (!all.empty()) one.push_back(reduce::all_of(std::move(all), op));
  co_return one;
}

}  // namespace objects

// Some elements of an array, in the order of their indices.
// Local; now() blocks until all have answered, past() only at a co_await and while the network is full; throws as
// now_all() does; of no elements now(op) gives what op makes of none, or throws std::invalid_argument (reduce.hpp).
template <class T, class D>
class object_section {
 public:
  object_section(const object_array<T, D>& array, objects::section_of of) : array_(array), of_(of) {}

  // How many elements it has.
  std::size_t size() const { return of_.first >= of_.last ? 0 : (of_.last - of_.first - 1) / of_.stride + 1; }
  ref<T> operator[](std::size_t i) const { return array_[of_.first + i * of_.stride]; }

  // To each of them. The result is awaited to be held back by a full network.
  template <auto M, class... A>
  room_everywhere past(const A&... a) const {
    if constexpr (objects::fits<T, M, const A&...>()) {
      past_as<M>(static_cast<objects::values_of<M>*>(nullptr), a...);
    }
    return room_everywhere();
  }

  // One reply from each; where the method is void, returns when all have replied.
  template <auto M, class... A>
    requires(sizeof...(A) == std::tuple_size_v<objects::values_of<M>>)
  auto now(const A&... a) const {
    if constexpr (objects::fits<T, M, const A&...>()) {
      return now_as<M>(static_cast<objects::values_of<M>*>(nullptr), a...);
    }
  }
  // The replies combined by `op` in the order of their indices: on each PE first, where that is the same, or op
  // commutes.
  template <auto M, class Op, class... A>
    requires(reduce::is_op<Op> && sizeof...(A) == std::tuple_size_v<objects::values_of<M>>)
  auto now(Op op, const A&... a) const {
    if constexpr (objects::fits<T, M, const A&...>()) {
      return combined_as<M>(op, static_cast<objects::values_of<M>*>(nullptr), a...);
    }
  }

 private:
  template <auto M, class... V, class... A>
  void past_as(std::tuple<V...>*, const A&... a) const {
    using handler = objects::past_section<T, D, M, V...>;
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      if (pe != this_pe()) remote::send<handler>(pe, array_, of_, static_cast<V>(a)...);
    }
    handler::tell(array_, of_, static_cast<V>(a)...);
  }
  template <auto M, class... V, class... A>
  auto now_as(std::tuple<V...>*, const A&... a) const {
    if constexpr (std::is_void_v<objects::result_of<M>>) {
      return all_told(futures<void, &objects::tell_section<T, D, M, V...>>(static_cast<V>(a)...));
    } else {
      using R = objects::result_of<M>;
      return in_order<R>(array_, of_,
                         futures<std::vector<R>, &objects::ask_section<T, D, M, V...>>(static_cast<V>(a)...));
    }
  }
  template <auto M, class Op, class... V, class... A>
  auto combined_as(Op op, std::tuple<V...>*, const A&... a) const {
    using R = objects::result_of<M>;
    if constexpr (objects::parts_in_sequence<D> || reduce::commutes<Op, R>) {
      return of_parts<R>(
          op, futures<std::vector<R>, &objects::reduce_section<T, D, M, Op, V...>>(op, static_cast<V>(a)...));
    } else {
      return combined<R>(
          op, in_order<R>(array_, of_,
                          futures<std::vector<R>, &objects::ask_section<T, D, M, V...>>(static_cast<V>(a)...)));
    }
  }
  // F on each PE; the own part directly, in order with what is sent to single elements.
  template <class R, auto F, class... V>
  std::vector<future<R>> futures(const V&... values) const {
    std::vector<future<R>> all(static_cast<std::size_t>(pe_count()));
    for (pe_id pe = 0; pe < pe_count(); ++pe) {
      if (pe != this_pe()) all[static_cast<std::size_t>(pe)] = at(pe).template future<F>(array_, of_, values...);
    }
    all[static_cast<std::size_t>(this_pe())] = start(F(array_, of_, values...));
    return all;
  }
  static task<void> all_told(std::vector<future<void>> all) {
    for (auto& one : all) co_await std::move(one);
  }
  template <class R>
  static task<std::vector<R>> in_order(object_array<T, D> array, objects::section_of of,
                                       std::vector<future<std::vector<R>>> all) {
    std::vector<std::vector<R>> by_pe;
    for (auto& one : all) by_pe.push_back(co_await std::move(one));
    std::vector<std::size_t> taken(by_pe.size(), 0);
    std::vector<R> values;
    for (std::size_t i = of.first; i < of.last; i += of.stride) {
      const auto pe = static_cast<std::size_t>(array[i].pe());
      values.push_back(std::move(by_pe[pe][taken[pe]++]));
    }
    co_return values;
  }
  // What each PE has, by PE: nothing or the result of its part.
  template <class R>
  static task<std::vector<R>> all_parts(std::vector<future<std::vector<R>>> all) {
    std::vector<R> parts;
    for (auto& one : all) {
      std::vector<R> part = co_await std::move(one);
      for (R& r : part) parts.push_back(std::move(r));
    }
    co_return parts;
  }
  template <class R, class Op>
  static task<R> of_parts(Op op, std::vector<future<std::vector<R>>> all) {
    return combined<R>(op, all_parts<R>(std::move(all)));
  }
  template <class R, class Op>
  static task<R> combined(Op op, task<std::vector<R>> all) {
    std::vector<R> values = co_await std::move(all);
    co_return reduce::all_of(std::move(values), op);
  }

  object_array<T, D> array_;
  objects::section_of of_;
};

}  // namespace tsubu
