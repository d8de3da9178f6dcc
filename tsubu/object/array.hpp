// Arrays of concurrent objects.
//
//   auto cells = create_array<cell>(1000, by_block(), 20.0);     // or cell(array_index, 20.0)
//   cells[i].past<&cell::heat>(1.0);                             // an element is an object as any other
//   cells.past<&cell::step>();                                   // to all; a packet for each PE
//   std::vector<double> t = co_await cells.now<&cell::temperature>();          // one reply each, by index
//   double hottest = co_await cells.now<&cell::temperature>(reduce::max);      // combined on each PE first
//   cells.section(0, 10).past<&cell::heat>(5.0);                 // elements 0 .. 9
//
// An array is a name: it travels, and its elements' names follow from it with no message. Elements are made on their
// PEs at once; what is sent to them comes after that. (The multicast with a reply from each is ABCL's.)
#pragma once

#include "tsubu/object/create.hpp"
#include "tsubu/object/distribution.hpp"
#include "tsubu/object/now_all.hpp"
#include "tsubu/object/section.hpp"

namespace tsubu {

// Which of an array's elements one is: for its constructor.
struct array_index {
  std::size_t value;
};

namespace objects {

template <class T, class D, class... V>
struct create_elements {
  using layout = wire::layout<object_array<T, D>, V...>;
  static void call(const message::delivery&, object_array<T, D> array, const V&... values) { make(array, values...); }
  static void make(const object_array<T, D>& array, const V&... values) {
    static_assert(!collected_class<T>, "the elements of an array are not collected: their names follow from its own");
    object_space& s = this_space();
    s.names.extend(array.creator(), array.end_number());
    array.for_each_here([&](std::size_t i) {
      const identity id = array[i].id();
      const wire::handler_entry& as = message::registered<create_elements>::entry;
      if constexpr (std::is_constructible_v<T, array_index, V...>) {
        construction::make<T, false>(s, id, type_number<T>, as, array_index{i}, values...);
      } else {
        construction::make<T, false>(s, id, type_number<T>, as, values...);
      }
    });
  }
};

}  // namespace objects

// The name of an array.
// Local; now() blocks until all have answered, past() only at a co_await and while the network is full; an index
// that is too large ends the job, and now() throws what a method threw, as remote_error, or object_gone.
template <class T, class D>
class object_array {
 public:
  object_array() = default;
  // Element 0 of by_block has that name.
  object_array(const objects::identity& first, std::size_t size)
      : named_(static_cast<std::uint32_t>(first.word() >> 32)), first_number_(first.number()), size_(size) {}

  // How many elements it has.
  std::size_t size() const { return size_; }
  // Element i < size().
  ref<T> operator[](std::size_t i) const {
    if (i >= size_) [[unlikely]]
      fail("element " + std::to_string(i) + " of an array of " + std::to_string(size_) + " objects");
    const auto number = first_number_ + static_cast<std::uint32_t>(D().number(i, size_, pe_count()));
    return ref<T>({D().home(i, size_, pe_count()), std::uint64_t{named_} << 32 | number});
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
  room_everywhere end() const { return past<&objects::object_base::tsubu_end>(); }

  // The runtime's.
  pe_id creator() const { return objects::identity(no_pe, std::uint64_t{named_} << 32).creator(); }
  // The runtime's.
  std::uint64_t end_number() const { return first_number_ + std::uint64_t{D().numbers(size_, pe_count())}; }

 private:
  object_section<T, D> all() const { return {*this, {0, size_, 1}}; }

  std::uint32_t named_ = ~std::uint32_t{0};  // the creator and the generation, as all its elements' names have them
  std::uint32_t first_number_ = 0;
  std::size_t size_ = 0;
};

// n objects, 0 or more; returns at once.
// Local; does not block; a negative n, or more elements than can be numbered, ends the job.
template <class T, class D = by_block, class... A>
object_array<T, D> create_array(std::int64_t n, D, A&&... a) {
  objects::check_class<T>();
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
  objects::name_table& names = objects::this_space().names;
  const std::uint32_t first = names.names_everywhere(static_cast<std::uint32_t>(numbers));
  const object_array<T, D> array({no_pe, this_pe(), first, names.first_generation()}, size);
  using handler = objects::create_elements<T, D, objects::creation_value<A>...>;
  for (pe_id pe = 0; pe < pe_count(); ++pe) {
    if (pe != this_pe()) remote::send<handler>(pe, array, static_cast<objects::creation_value<A>>(a)...);
  }
  handler::make(array, static_cast<objects::creation_value<A>>(a)...);
  return array;
}

}  // namespace tsubu
