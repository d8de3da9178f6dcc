// Pointers that mean the same on every PE.
//
//   global_ptr<double> a = co_await allocate<double>(3, 1000);   // an array of 1,000 on PE 3
//   co_await a[7].write(1.5);
//   double x = co_await a[7].read();
//   a[8].read_to(&y); ... co_await reads_landed();                 // many reads at a time: split in two
//   co_await a.write(std::span<const double>(block));             // many at once, without a copy on the way
//   long old = co_await counter.fetch_add(1);
//   co_await at(object).now<&particle::move>(dt);                 // a method, where the object is
//
// T is trivially copyable, but for allocate(), local() and method calls, where any type will do. Every
// access names a segment and an offset, which are checked on the PE where they land; what is not there
// ends the job. An awaited write is in place when the await returns.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "tsubu/base/large_pages.hpp"
#include "tsubu/remote/at.hpp"
#include "tsubu/remote/in_line.hpp"
#include "tsubu/remote/landing.hpp"

namespace tsubu {

template <class T>
class global_ptr;

namespace remote {

// Spans from this size on travel as bulks: straight from and to the memory they name.
inline constexpr std::size_t bulk_from_bytes = 4096;

inline std::byte* segment_at(segment_id id, std::uint64_t offset, std::uint64_t bytes, pe_id who) {
  return current_pe->segments.at(id, offset, bytes, who);
}

// What the messages below will touch.
struct fetched {
  static constexpr int stages = 1;
  template <class... V>
  static const void* address(int, reply_address, segment_id id, std::uint64_t offset, const V&...) {
    return current_pe->segments.hint(id, offset);
  }
  template <class... V>
  static const void* address(int, segment_id id, std::uint64_t offset, const V&...) {
    return current_pe->segments.hint(id, offset);
  }
};

struct write_packet {
  using layout = wire::layout<reply_address, segment_id, std::uint64_t, std::vector<std::byte>>;
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset,
                   std::vector<std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(segment_at(id, offset, bytes.size(), d.from), bytes.data(), bytes.size());
    answer_done(to);
  }
};

struct write_bulk {
  using layout = wire::layout<reply_address, segment_id, std::uint64_t>;
  static std::byte* place(const message::delivery& d, reply_address, segment_id id, std::uint64_t offset) {
    return segment_at(id, offset, d.bulk_bytes, d.from);
  }
  static void call(const message::delivery&, reply_address to, segment_id, std::uint64_t) { answer_done(to); }
};

// Where a bulk that was asked for lands.
class bulk_read final : public value_sink<void> {
 public:
  bulk_read(std::span<std::byte> to, pe_id asked, const wire::handler_entry& of);
  reply_address slot() const { return slot_; }
  std::span<std::byte> to() const { return to_; }
  void finish() { cell_.set_value(); }
  cell<void>& arrival() { return cell_; }

 private:
  void value(done) override { cell_.set_value(); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }
  std::span<std::byte> to_;
  cell<void> cell_;
  reply_address slot_;
};

struct read_answer {
  using layout = wire::layout<std::uint32_t, std::uint32_t>;
  static std::byte* place(const message::delivery& d, std::uint32_t slot, std::uint32_t generation);
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation);
};

struct read_bulk {
  using layout = wire::layout<reply_address, segment_id, std::uint64_t, std::uint64_t>;
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset,
                   std::uint64_t bytes) {
    remote::send_bulk<read_answer>(to.pe, {{segment_at(id, offset, bytes, d.from), bytes}}, to.slot, to.generation);
  }
};

task<void> write_bytes(pe_id pe, segment_id id, std::uint64_t offset, std::span<const std::byte> bytes);
task<void> read_bytes(pe_id pe, segment_id id, std::uint64_t offset, std::span<std::byte> bytes);

// ---- one value

template <class T>
struct read_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t>;
  static constexpr message_kind kind = message_kind::read;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset) {
    answer_next<T>(d.from, wire::load<T>(segment_at(id, offset, sizeof(T), d.from)));
  }
};

template <class T>
struct write_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t, T>;
  static constexpr message_kind kind = message_kind::write;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, T value) {
    wire::store(segment_at(id, offset, sizeof(T), d.from), value);
    answer_next<void>(d.from, done{});
  }
};

template <class T>
struct put_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t, T>;
  static constexpr message_kind kind = message_kind::write;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, T value) {
    wire::store(segment_at(id, offset, sizeof(T), d.from), value);
  }
};

template <class T>
struct fetch_add_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t, T>;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, T by) {
    std::byte* at = segment_at(id, offset, sizeof(T), d.from);
    const T old = wire::load<T>(at);
    wire::store(at, sum(old, by));
    answer_next<T>(d.from, old);
  }
  // Integers wrap around, as std::atomic's do.
  static T sum(T a, T b) {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return static_cast<T>(a + b);
    }
  }
};

template <class T>
struct compare_exchange_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t, T, T>;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, T expected, T desired) {
    std::byte* at = segment_at(id, offset, sizeof(T), d.from);
    const T old = wire::load<T>(at);
    if (std::memcmp(&old, &expected, sizeof(T)) == 0) wire::store(at, desired);
    answer_next<T>(d.from, old);
  }
};

// ---- segments of another PE

template <class T>
segment_id make_segment(std::uint64_t count) {
  const auto give_back = [count](T* memory) { large_pages<T>().deallocate(memory, count); };
  std::unique_ptr<T, decltype(give_back)> memory(large_pages<T>().allocate(count), give_back);
  std::uninitialized_value_construct_n(memory.get(), count);
  return current_pe->segments.add(memory.release(), count * sizeof(T), [](void* p, std::size_t bytes) {
    std::destroy_n(static_cast<T*>(p), bytes / sizeof(T));
    free_large_pages(p, bytes);
  });
}
inline void drop_segment(segment_id id, pe_id who) { current_pe->segments.drop(id, who); }

// The address of an object whose method is called.
template <class T>
T* object_at(segment_id id, std::uint64_t offset, pe_id who) {
  std::byte* at = segment_at(id, offset, sizeof(T), who);
  require(reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0,
          "PE {} names an object at byte {} of a segment: not aligned", who, offset);
  return reinterpret_cast<T*>(at);
}

template <auto M, class T>
struct past_method : fetched {
  using layout = typename signature_of<decltype(M)>::template apply<wire::layout, segment_id, std::uint64_t>;
  template <class... V>
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, V&&... values) {
    T* object = object_at<T>(id, offset, d.from);
    run_past([object](auto&&... v) { return (object->*M)(std::move(v)...); }, std::forward<V>(values)...);
  }
};

template <auto M, class T>
struct ask_method : fetched {
  using layout =
      typename signature_of<decltype(M)>::template apply<wire::layout, reply_address, segment_id, std::uint64_t>;
  template <class... V>
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset, V&&... values) {
    T* object = object_at<T>(id, offset, d.from);
    answer(to, [object](auto&&... v) { return (object->*M)(std::move(v)...); }, std::forward<V>(values)...);
  }
};

}  // namespace remote

// 16 bytes, trivially copyable, so it may be sent, stored in shared memory, and pointed to in turn.
// Arithmetic is in elements and is not checked; accesses are.
template <class T>
class global_ptr {
 public:
  using element = T;

  global_ptr() = default;
  global_ptr(pe_id pe, remote::segment_id segment, std::uint64_t offset)
      : offset_(offset), pe_(pe), segment_(segment) {}

  // The PE where the memory is.
  pe_id pe() const { return pe_; }
  remote::segment_id segment() const { return segment_; }
  // In bytes, from the segment's begin.
  std::uint64_t offset() const { return offset_; }
  explicit operator bool() const { return pe_ != no_pe; }
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
  task<void> write(std::span<const T> values) const {
    check_plain();
    return remote::write_bytes(pe_, segment_, offset_, std::as_bytes(values));
  }
  task<void> read(std::span<T> values) const {
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

// `co_await allocate<T>(pe, n)`: an array of n value-initialised T on that PE.
template <class T>
task<global_ptr<T>> allocate(pe_id pe, std::uint64_t count = 1) {
  const remote::segment_id id = co_await at(pe).template now<&remote::make_segment<T>>(count);
  co_return global_ptr<T>(pe, id, 0);
}

// `co_await deallocate(p)`: p is what allocate() gave.
template <class T>
auto deallocate(global_ptr<T> p) {
  return at(p.pe()).template now<&remote::drop_segment>(p.segment(), this_pe());
}

// Lets other PEs reach memory of this one, until unshare(). The memory stays the program's.
template <class T>
global_ptr<T> share(std::span<T> memory) {
  return global_ptr<T>(
      this_pe(),
      remote::current_pe->segments.add(const_cast<std::remove_const_t<T>*>(memory.data()), memory.size_bytes()), 0);
}
template <class T>
global_ptr<T> share(T& object) {
  return share(std::span<T>(&object, 1));
}
template <class T>
void unshare(global_ptr<T> p) {
  remote::current_pe->segments.drop(p.segment(), this_pe());
}

// An object in shared memory: its methods run on the PE where it is, one after the other.
template <class T>
class [[nodiscard]] object_destination {
 public:
  explicit object_destination(global_ptr<T> object) : object_(object) {}

  template <auto M, class... A>
  remote::sent past(A&&... arguments) const {
    remote::send_as<remote::past_method<M, T>, remote::signature_of<decltype(M)>>(
        object_.pe(), std::tuple(object_.segment(), object_.offset()), std::forward<A>(arguments)...);
    return remote::sent(object_.pe());
  }

  template <auto M, class... A>
  auto now(A&&... arguments) const {
    using s = remote::signature_of<decltype(M)>;
    using handler = remote::ask_method<M, T>;
    return remote::now_reply<typename s::result>(
        object_.pe(), message::registered<handler>::entry, [&](remote::reply_address slot) {
          remote::send_as<handler, s>(object_.pe(), std::tuple(slot, object_.segment(), object_.offset()),
                                      std::forward<A>(arguments)...);
        });
  }

  template <auto M, class... A>
  auto future(A&&... arguments) const {
    using s = remote::signature_of<decltype(M)>;
    using handler = remote::ask_method<M, T>;
    promise<typename s::result> result;
    auto later = result.get_future();
    const auto slot = remote::future_reply<typename s::result>::open(std::move(result), object_.pe(),
                                                                     message::registered<handler>::entry);
    remote::send_as<handler, s>(object_.pe(), std::tuple(slot, object_.segment(), object_.offset()),
                                std::forward<A>(arguments)...);
    return later;
  }

 private:
  global_ptr<T> object_;
};

template <class T>
object_destination<T> at(global_ptr<T> object) {
  return object_destination<T>(object);
}

}  // namespace tsubu
