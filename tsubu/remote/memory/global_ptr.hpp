// Pointers that mean the same on every PE.
//
//   global_ptr<double> a = co_await allocate<double>(3, 1000);   // an array of 1,000 on PE 3; in shared_object.hpp
//   co_await a[7].write(1.5);
//   double x = co_await a[7].read();
//   a[8].read_to(&y); ... co_await reads_landed();                 // many reads at a time: split in two
//   co_await a.write(std::span<const double>(block));             // many at once, without a copy on the way
//   co_await a.write(block).notify<arrived>(me);                  // and arrived(me) runs there when they are in place
//   co_await a.strided(rows, 1, width).read(column);              // a column of a matrix; in strided_ptr.hpp
//   long old = co_await counter.fetch_add(1);
//
// T is trivially copyable, but for allocate(), local() and method calls (remote/memory/shared_object.hpp), where any
// type will do. Every access names a segment and an offset, which are checked on the PE where they land; what is not
// there ends the job. An awaited write is in place when the await returns.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>

#include "tsubu/base/check.hpp"
#include "tsubu/remote/collectives/reduce.hpp"
#include "tsubu/remote/memory/landing.hpp"
#include "tsubu/remote/memory/segment_access.hpp"
#include "tsubu/remote/memory/span_write.hpp"
#include "tsubu/remote/memory/strided_ptr.hpp"
#include "tsubu/remote/messages/signature.hpp"

namespace tsubu {

namespace remote {

// What fetch_apply<F>(v) sends of a V: as the parameter of a function is declared, as a T if a function object takes
// two of these, else as it was given.
template <auto F, class T, class V>
struct applied {
  using value = std::conditional_t<std::is_invocable_v<decltype(F), const T&, const T&>, T, std::decay_t<V>>;
};
template <auto F, class T, class V>
  requires(std::is_pointer_v<decltype(F)> && signature_of<decltype(F)>::arity == 2)
struct applied<F, T, V> {
  using value = std::tuple_element_t<1, typename signature_of<decltype(F)>::template apply<std::tuple>>;
};

}  // namespace remote

// 16 bytes, trivially copyable, so it may be sent, stored in shared memory, and pointed to in turn.
// Arithmetic is in elements and is not checked; accesses are.
// Local; what is awaited blocks until the answer is there, put() and read_to() only while the network is full; an
// access to what is not there ends the job, on the PE where it lands.
template <class T>
class global_ptr {
 public:
  using element = T;

  global_ptr() = default;
  global_ptr(pe_id pe, remote::segment_id segment, std::uint64_t offset)
      : offset_(offset), pe_(pe), segment_(segment) {}

  // The PE where the memory is.
  pe_id pe() const { return pe_; }
  // The number of its memory on its PE.
  remote::segment_id segment() const { return segment_; }
  // In bytes, from the segment's begin.
  std::uint64_t offset() const { return offset_; }
  explicit operator bool() const { return pe_ != no_pe; }
  // Whether that is this PE.
  bool is_local() const { return pe_ == this_pe(); }

  // The address; only on the PE where the memory is.
  T* local() const {
    require(is_local(), "local() of memory on PE {}", pe_);
    return remote::object_at<T>(segment_, offset_, pe_);
  }

  // A number of elements may be of any integral type.
  template <std::integral I>
  global_ptr operator+(I n) const {
    return global_ptr(pe_, segment_, offset_ + static_cast<std::uint64_t>(n) * sizeof(T));
  }
  template <std::integral I>
  global_ptr operator-(I n) const {
    return global_ptr(pe_, segment_, offset_ - static_cast<std::uint64_t>(n) * sizeof(T));
  }
  std::ptrdiff_t operator-(const global_ptr& other) const {
    return static_cast<std::ptrdiff_t>(offset_ - other.offset_) / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  global_ptr& operator++() { return *this = *this + 1; }
  template <std::integral I>
  global_ptr& operator+=(I n) {
    return *this = *this + n;
  }
  template <std::integral I>
  global_ptr operator[](I n) const {
    return *this + n;
  }
  bool operator==(const global_ptr&) const = default;

  // What it points to is asked by at(p).now<&T::m>().
  template <auto...>
  auto past(const auto&...) const {
    static_assert(!sizeof(T), "a pointer is no destination: at(p).past<&T::method>(...)");
  }
  template <auto...>
  auto now(const auto&...) const {
    static_assert(!sizeof(T), "a pointer is no destination: at(p).now<&T::method>(...)");
  }

  // `co_await p.read()`: the value.
  auto read() const {
    check_plain();
    return ask<T, remote::read_one<T>>();
  }
  // Asks for the value and goes on: it will be at `place`, which must stay until then, when a later reads_landed()
  // returns, or a quiescence() or the end of the epoch. For many reads at a time, with no task for each: a read costs
  // 8 bytes and its value. Awaiting it holds the sender back while there is no room, as it does for put().
  remote::sent read_to(T* place) const {
    check_plain();
    static_assert(sizeof(T) <= 240, "a value of more than 240 bytes is read as a span");
    remote::ask_to_land<sizeof(T)>(pe_, segment_, offset_, place);
    return remote::sent(pe_);
  }
  // `co_await p.write(v)`: returns when the value is in place.
  auto write(const T& value) const {
    check_plain();
    return ask<void, remote::write_one<T>>(value);
  }
  // Writes without an answer, in order with this PE's other messages to that PE.
  remote::sent put(const T& value) const {
    check_plain();
    remote::send<remote::put_one<T>>(pe_, segment_, offset_, value);
    return remote::sent(pe_);
  }

  // `co_await p.write(span)`, `co_await p.read(span)`: elements from here on. The span must stay until then.
  // `co_await p.write(span).notify<f>(x)`: f(x) runs on p's PE, as past<f>(x) would, when they are in place, and the
  // span must stay until the await returns (remote/memory/span_write.hpp). A strided_span's elements are taken, or put,
  // where it says; they lie here one behind the other.
  remote::span_write write(std::span<const T> values) const { return whole(values.size()).write(values); }
  remote::span_write write(strided_span<const T> values) const { return whole(values.size()).write(values); }
  task<void> read(std::span<T> values) const { return whole(values.size()).read(values); }
  task<void> read(strided_span<T> values) const { return whole(values.size()).read(values); }

  // The elements from here on in `count` pieces of `length`, which begin `stride` elements apart; of a matrix whose
  // rows have w elements, (n, 1, w) is n elements of a column, and (n, k, w) a block of it. Pieces must not overlap.
  strided_ptr<T> strided(std::size_t count, std::size_t length, std::size_t stride) const {
    return strided_ptr<T>(pe_, segment_, offset_, remote::pieces::of(count, length, stride, sizeof(T)));
  }

  // Each changes the value where it is, with no other access between, and gives the value before: `co_await
  // p.fetch_add(n)` adds. Integers wrap around; min and max compare by <.
  auto fetch_add(T by) const {
    static_assert(std::is_arithmetic_v<T>, "fetch_add needs a number");
    return ask<T, remote::fetch_one<T, remote::wrapping_sum<T>>>(by);
  }
  auto fetch_min(T other) const {
    static_assert(std::is_arithmetic_v<T>, "fetch_min needs a number; for other types there is fetch_apply<f>");
    return ask<T, remote::fetch_one<T, reduce::min_op>>(other);
  }
  auto fetch_max(T other) const {
    static_assert(std::is_arithmetic_v<T>, "fetch_max needs a number; for other types there is fetch_apply<f>");
    return ask<T, remote::fetch_one<T, reduce::max_op>>(other);
  }
  auto fetch_and(T bits) const { return ask_bits<std::bit_and<T>>(bits); }
  auto fetch_or(T bits) const { return ask_bits<std::bit_or<T>>(bits); }
  auto fetch_xor(T bits) const { return ask_bits<std::bit_xor<T>>(bits); }
  // `co_await p.fetch_apply<f>(v)`: the value becomes f(value, v), and what comes is the value before. f is a function,
  // a function object or a lambda without captures, and waits for nothing. If it throws, the value stays what it was,
  // and the await throws remote_error.
  template <auto F, class V>
  auto fetch_apply(const V& v) const {
    check_plain();
    using value = typename remote::applied<F, T, V>::value;
    static_assert(wire::sendable<value>, "what fetch_apply sends cannot travel: pointers and views mean nothing there");
    static_assert(!remote::loses_fraction<value, V>,
                  "an argument is a floating-point number and its parameter an integer: convert it, and say how");
    static_assert(
        std::is_invocable_r_v<T, decltype(F), const T&, const value&>,
        "fetch_apply<f>(v) makes the value f(value, v), at once: f is called with both, and returns the new value");
    using handler = remote::fetch_applied<F, T, value>;
    return remote::now_reply<T>(pe_, message::registered<handler>::entry, [&](remote::reply_address slot) {
      remote::send<handler>(pe_, slot, segment_, offset_, static_cast<value>(v));
    });
  }
  // `co_await p.compare_exchange(a, b)`: gives the value before; it is b afterwards if that was a, byte by byte.
  auto compare_exchange(const T& expected, const T& desired) const {
    check_plain();
    return ask<T, remote::compare_exchange_one<T>>(expected, desired);
  }

 private:
  static constexpr void check_plain() {
    static_assert(wire::plain<T>,
                  "only trivially copyable values are read and written as bytes; call a method instead");
  }
  strided_ptr<T> whole(std::size_t count) const {
    check_plain();
    return strided_ptr<T>(pe_, segment_, offset_, remote::pieces::one(count * sizeof(T)));
  }
  template <class Op>
  auto ask_bits(T bits) const {
    static_assert(std::is_integral_v<T>, "fetch_and, fetch_or and fetch_xor need an integer");
    return ask<T, remote::fetch_one<T, Op>>(bits);
  }
  template <class R, class H, class... V>
  auto ask(const V&... values) const {
    return remote::reply_in_line<R>(pe_, [&] { remote::send<H>(pe_, segment_, offset_, values...); });
  }

  std::uint64_t offset_ = 0;
  pe_id pe_ = no_pe;
  remote::segment_id segment_ = 0;
};

// Lets other PEs reach memory of this one, until unshare(). The memory stays the program's.
// Local; does not block; outside a job it is undefined.
template <class T>
global_ptr<T> share(std::span<T> memory) {
  return global_ptr<T>(
      this_pe(),
      remote::current_pe->segments.add(const_cast<std::remove_const_t<T>*>(memory.data()), memory.size_bytes()), 0);
}
// The same for one object.
template <class T>
global_ptr<T> share(T& object) {
  return share(std::span<T>(&object, 1));
}
// Ends the sharing: p is what share() gave. Later accesses end the job.
// Local; does not block; a pointer to another PE, or not to the beginning, ends the job.
template <class T>
void unshare(global_ptr<T> p) {
  require(p.pe() == this_pe(), "unshare() of a pointer to PE {}: the PE that shares memory ends that", p.pe());
  require(p.offset() == 0, "unshare() of a pointer {} bytes into what share() gave", p.offset());
  remote::current_pe->segments.drop(p.segment(), this_pe());
}

}  // namespace tsubu
