// Arrays of concurrent objects, and messages to many.
//
//   auto cells = create_array<cell>(1000, by_block(), 20.0);     // cell(20.0), or cell(array_index, 20.0) if there is
//   that cells[i].past<&cell::heat>(1.0);                             // an element is an object as any other
//   cells.past<&cell::step>();                                   // to all; a packet for each PE
//   std::vector<double> t = co_await cells.now<&cell::temperature>();          // one reply each, by index
//   double hottest = co_await cells.now<&cell::temperature>(reduce::max);      // combined on each PE first
//   cells.section(0, 10).past<&cell::heat>(5.0);                 // elements 0 .. 9
//
// An array is a name: it travels, and its elements' names follow from it with no message. Elements are made on their
// PEs at once; what is sent to them comes after that. (The multicast with a reply from each is ABCL's.)
#pragma once

#include "tsubu/object/create.hpp"

namespace tsubu {

// Which of an array's elements one is: for its constructor.
struct array_index {
  std::size_t value;
};

// Element i of n on PE i / (n / P), about: parts in sequence, of equal size but for one.
struct by_block {
  pe_id home(std::size_t i, std::size_t n, pe_id pes) const {
    const std::size_t p = static_cast<std::size_t>(pes), q = n / p, r = n % p;
    return static_cast<pe_id>(i < r * (q + 1) ? i / (q + 1) : r + (i - r * (q + 1)) / q);
  }
  std::size_t number(std::size_t i, std::size_t n, pe_id pes) const { return i - first(home(i, n, pes), n, pes); }
  std::size_t numbers(std::size_t n, pe_id pes) const {
    return (n + static_cast<std::size_t>(pes) - 1) / static_cast<std::size_t>(pes);
  }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id pes, F f) const {
    for (std::size_t i = first(pe, n, pes); i < first(pe + 1, n, pes); ++i) f(i);
  }

 private:
  static std::size_t first(pe_id pe, std::size_t n, pe_id pes) {
    const std::size_t p = static_cast<std::size_t>(pes), at = static_cast<std::size_t>(pe);
    return at * (n / p) + std::min(at, n % p);
  }
};

// Element i on PE i mod P.
struct by_cycle {
  pe_id home(std::size_t i, std::size_t, pe_id pes) const {
    return static_cast<pe_id>(i % static_cast<std::size_t>(pes));
  }
  std::size_t number(std::size_t i, std::size_t, pe_id pes) const { return i / static_cast<std::size_t>(pes); }
  std::size_t numbers(std::size_t n, pe_id pes) const {
    return (n + static_cast<std::size_t>(pes) - 1) / static_cast<std::size_t>(pes);
  }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id pes, F f) const {
    for (std::size_t i = static_cast<std::size_t>(pe); i < n; i += static_cast<std::size_t>(pes)) f(i);
  }
};

// Element i on PE Map(i, n), a function of the program's own. Costs each PE 16 bytes for each element, wherever that
// is.
template <pe_id (*Map)(std::size_t i, std::size_t n)>
struct by_map {
  pe_id home(std::size_t i, std::size_t n, pe_id) const { return Map(i, n); }
  std::size_t number(std::size_t i, std::size_t, pe_id) const { return i; }
  std::size_t numbers(std::size_t n, pe_id) const { return n; }
  template <class F>
  void for_each_on(pe_id pe, std::size_t n, pe_id, F f) const {
    for (std::size_t i = 0; i < n; ++i) {
      if (Map(i, n) == pe) f(i);
    }
  }
};

template <class T, class D>
class object_array;

namespace objects {

// Elements first, first + stride, .. below last.
struct section_of {
  std::size_t first;
  std::size_t last;
  std::size_t stride;
  bool has(std::size_t i) const { return i >= first && i < last && (i - first) % stride == 0; }
};

template <class T, class D, class... V>
struct create_elements {
  using layout = wire::layout<object_array<T, D>, V...>;
  static void call(const message::delivery&, object_array<T, D> array, const V&... values) { make(array, values...); }
  static void make(const object_array<T, D>& array, const V&... values) {
    object_space& s = here();
    s.extend(array.creator(), array.end_number());
    array.for_each_here([&](std::size_t i) {
      const identity id = array[i].id();
      const wire::handler_entry& as = message::registered<create_elements>::entry;
      if constexpr (std::is_constructible_v<T, array_index, V...>) {
        s.make<T, false>(id, type_number<T>, as, array_index{i}, values...);
      } else {
        s.make<T, false>(id, type_number<T>, as, values...);
      }
    });
  }
};

template <class T, class D, auto M, class... V>
struct past_section {
  using layout = wire::layout<object_array<T, D>, section_of, V...>;
  static void call(const message::delivery&, object_array<T, D> array, section_of of, const V&... values) {
    tell(array, of, values...);
  }
  static void tell(const object_array<T, D>& array, const section_of& of, const V&... values) {
    object_space& s = here();
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
  std::vector<result_of<M>> all = co_await std::move(asked);
  if (all.size() > 1) {
    for (std::size_t i = 1; i < all.size(); ++i) all[0] = op(std::move(all[0]), std::move(all[i]));
    all.erase(all.begin() + 1, all.end());
  }
  co_return all;
}

}  // namespace objects

// Some elements of an array, in the order of their indices.
template <class T, class D>
class object_section {
 public:
  object_section(const object_array<T, D>& array, objects::section_of of) : array_(array), of_(of) {}

  std::size_t size() const { return of_.first >= of_.last ? 0 : (of_.last - of_.first - 1) / of_.stride + 1; }
  ref<T> operator[](std::size_t i) const { return array_[of_.first + i * of_.stride]; }

  // To each of them.
  template <auto M, class... A>
  room_everywhere past(const A&... a) const {
    if constexpr (objects::fits<T, M, const A&...>()) {
      past_as<M>(static_cast<objects::values_of<M>*>(nullptr), a...);
    }
    return room_everywhere();
  }

  // One reply from each. Of void methods: returns when all have replied.
  template <auto M, class... A>
    requires(sizeof...(A) == std::tuple_size_v<objects::values_of<M>>)
  auto now(const A&... a) const {
    if constexpr (objects::fits<T, M, const A&...>()) {
      return now_as<M>(static_cast<objects::values_of<M>*>(nullptr), a...);
    }
  }
  // The replies combined by `op`: on each PE in the order of their indices, then in the order of the PEs. The section
  // is not empty.
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
    return combined<R>(op,
                       futures<std::vector<R>, &objects::reduce_section<T, D, M, Op, V...>>(op, static_cast<V>(a)...));
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
  template <class R, class Op>
  static task<R> combined(Op op, std::vector<future<std::vector<R>>> all) {
    std::vector<R> parts;
    for (auto& one : all) {
      std::vector<R> part = co_await std::move(one);
      for (R& r : part) parts.push_back(std::move(r));
    }
    if (parts.empty()) fail("the replies of no objects are to be combined");
    R sum = std::move(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) sum = op(std::move(sum), std::move(parts[i]));
    co_return sum;
  }

  object_array<T, D> array_;
  objects::section_of of_;
};

// The name of an array.
template <class T, class D>
class object_array {
 public:
  object_array() = default;
  object_array(pe_id creator, std::uint32_t first_number, std::size_t size)
      : creator_(creator), first_number_(first_number), size_(size) {}

  std::size_t size() const { return size_; }
  // Element i < size().
  ref<T> operator[](std::size_t i) const {
    if (i >= size_) [[unlikely]]
      fail("element " + std::to_string(i) + " of an array of " + std::to_string(size_) + " objects");
    const auto number = first_number_ + static_cast<std::uint32_t>(D().number(i, size_, pe_count()));
    return ref<T>({D().home(i, size_, pe_count()), creator_, number, 0});
  }
  // Elements first, first + stride, .. below last.
  object_section<T, D> section(std::size_t first, std::size_t last, std::size_t stride = 1) const {
    if (first > last || last > size_ || stride == 0) {
      fail("elements " + std::to_string(first) + " to " + std::to_string(last) + " by " + std::to_string(stride) +
           " of an array of " + std::to_string(size_) + " objects");
    }
    return {*this, {first, last, stride}};
  }

  // To all, and from all: as of a section.
  template <auto M, class... A>
  room_everywhere past(const A&... a) const {
    return all().template past<M>(a...);
  }
  template <auto M, class... A>
  auto now(const A&... a) const {
    return all().template now<M>(a...);
  }

  // Calls f(i) for the elements that were made on this PE.
  template <class F>
  void for_each_here(F f) const {
    D().for_each_on(this_pe(), size_, pe_count(), f);
  }

  // Ends all elements, after the messages sent before.
  room_everywhere end() const { return past<&object<T>::tsubu_end>(); }

  pe_id creator() const { return creator_; }
  std::uint64_t end_number() const { return first_number_ + std::uint64_t{D().numbers(size_, pe_count())}; }

 private:
  object_section<T, D> all() const { return {*this, {0, size_, 1}}; }

  pe_id creator_ = no_pe;
  std::uint32_t first_number_ = 0;
  std::size_t size_ = 0;
};

// n objects, 0 or more; returns at once.
template <class T, class D = by_block, class... A>
object_array<T, D> create_array(std::int64_t n, D, A&&... a) {
  static_assert(std::derived_from<T, object<T>>, "a class of concurrent objects derives from object<T>");
  static_assert(std::is_constructible_v<T, objects::creation_value<A>...> ||
                    std::is_constructible_v<T, array_index, objects::creation_value<A>...>,
                "the class has no constructor for these arguments");
  static_assert((wire::sendable<objects::creation_value<A>> && ...), "an argument of a constructor cannot travel");
  if (n < 0) fail("an array of " + std::to_string(n) + " objects is to be made");
  const auto size = static_cast<std::size_t>(n);
  const std::size_t numbers = D().numbers(size, pe_count());
  if (numbers > objects::identity::most_number) {
    fail("an array of " + std::to_string(n) + " objects: " + std::to_string(objects::identity::most_number) +
         " on a PE can be numbered");
  }
  const std::uint32_t first = objects::here().names_everywhere(static_cast<std::uint32_t>(numbers));
  const object_array<T, D> array(this_pe(), first, size);
  using handler = objects::create_elements<T, D, objects::creation_value<A>...>;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe != this_pe()) remote::send<handler>(pe, array, static_cast<objects::creation_value<A>>(a)...);
  }
  handler::make(array, static_cast<objects::creation_value<A>>(a)...);
  return array;
}

// `auto v = co_await now_all<&cell::temperature>(refs);`: asks each of them; one reply each, in order. Of methods
// without a result: returns when all have ended.
template <auto M, class T, class... A>
  requires(!std::is_void_v<objects::result_of<M>>)
task<std::vector<objects::result_of<M>>> now_all(std::vector<ref<T>> of, A... a) {
  std::vector<future<objects::result_of<M>>> replies;
  replies.reserve(of.size());
  for (const ref<T>& r : of) replies.push_back(r.template future<M>(a...));
  std::vector<objects::result_of<M>> values;
  values.reserve(of.size());
  for (auto& reply : replies) values.push_back(co_await std::move(reply));
  co_return values;
}
template <auto M, class T, class... A>
  requires std::is_void_v<objects::result_of<M>>
task<void> now_all(std::vector<ref<T>> of, A... a) {
  std::vector<future<void>> replies;
  replies.reserve(of.size());
  for (const ref<T>& r : of) replies.push_back(r.template future<M>(a...));
  for (auto& reply : replies) co_await std::move(reply);
}

}  // namespace tsubu
