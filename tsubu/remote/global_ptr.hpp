// Pointers that mean the same on every PE.
//
//   global_ptr<double> a = co_await allocate<double>(3, 1000);   // an array of 1,000 on PE 3; in shared_object.hpp
//   co_await a[7].write(1.5);
//   double x = co_await a[7].read();
//   a[8].read_to(&y); ... co_await reads_landed();                 // many reads at a time: split in two
//   co_await a.write(std::span<const double>(block));             // many at once, without a copy on the way
//   long old = co_await counter.fetch_add(1);
//
// T is trivially copyable, but for allocate(), local() and method calls (remote/shared_object.hpp), where any type will
// do. Every access names a segment and an offset, which are checked on the PE where they land; what is not there ends
// the job. An awaited write is in place when the await returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "tsubu/remote/landing.hpp"
#include "tsubu/remote/segment_access.hpp"

namespace tsubu {

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

  global_ptr operator+(std::ptrdiff_t n) const {
    return global_ptr(pe_, segment_, offset_ + static_cast<std::uint64_t>(n) * sizeof(T));
  }
  global_ptr operator-(std::ptrdiff_t n) const { return *this + -n; }
  std::ptrdiff_t operator-(const global_ptr& other) const {
    return static_cast<std::ptrdiff_t>(offset_ - other.offset_) / static_cast<std::ptrdiff_t>(sizeof(T));
  }
  global_ptr& operator++() { return *this = *this + 1; }
  global_ptr& operator+=(std::ptrdiff_t n) { return *this = *this + n; }
  global_ptr operator[](std::ptrdiff_t n) const { return *this + n; }
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
  auto write(std::span<const T> values) const {
    check_plain();
    return remote::write_bytes(pe_, segment_, offset_, std::as_bytes(values));
  }
  auto read(std::span<T> values) const {
    check_plain();
    return remote::read_bytes(pe_, segment_, offset_, std::as_writable_bytes(values));
  }

  // `co_await p.fetch_add(n)`: adds, and gives the value before.
  auto fetch_add(T by) const {
    static_assert(std::is_arithmetic_v<T>, "fetch_add needs a number");
    return ask<T, remote::fetch_add_one<T>>(by);
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
// Local; does not block; p is of this PE, and one that names no segment of it ends the job.
template <class T>
void unshare(global_ptr<T> p) {
  remote::current_pe->segments.drop(p.segment(), this_pe());
}

}  // namespace tsubu
