// What other PEs may do to the segments of this one: the messages that read, write and change memory by its address.
//
// Each names a segment and an offset, which are checked here, where they land. A single value is answered without a
// name (remote/messages/in_line.hpp), and so is a write; spans of some size travel as bulks, without a copy on the way.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tsubu/remote/memory/segments.hpp"
#include "tsubu/remote/memory/strided.hpp"
#include "tsubu/remote/messages/call.hpp"
#include "tsubu/remote/messages/in_line.hpp"

namespace tsubu::remote {

// Spans from this size on travel as bulks: straight from and to the memory they name.
inline constexpr std::size_t bulk_from_bytes = 4096;

inline std::byte* segment_at(segment_id id, std::uint64_t offset, std::uint64_t bytes, pe_id who) {
  return current_pe->segments.at(id, offset, bytes, who);
}

// The address of an object of which another PE has named the place.
template <class T>
T* object_at(segment_id id, std::uint64_t offset, pe_id who) {
  std::byte* at = segment_at(id, offset, sizeof(T), who);
  require(reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0,
          "PE {} names an object at byte {} of a segment: not aligned", who, offset);
  return reinterpret_cast<T*>(at);
}

// What the messages below will touch.
struct fetched {
  static constexpr int stages = 1;
  template <class... V>
  static const void* address(int, reply_address, segment_id id, std::uint64_t offset, const V&...) {
    return current_pe->segments.prefetch_address(id, offset);
  }
  template <class... V>
  static const void* address(int, segment_id id, std::uint64_t offset, const V&...) {
    return current_pe->segments.prefetch_address(id, offset);
  }
};

struct write_packet {
  using layout = wire::layout<placed_bytes>;
  static void call(const message::delivery& d, const placed_bytes& bytes);
};

// Pieces land packed, in memory of their own, behind the address where they belong. The segment is pinned until then.
struct write_bulk {
  using layout = wire::layout<segment_id, std::uint64_t, pieces>;
  static std::byte* place(const message::delivery& d, segment_id id, std::uint64_t offset, const pieces& to);
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, const pieces& to);
};

// Where a bulk that was asked for lands.
class bulk_read final : public value_sink<void> {
 public:
  bulk_read(std::span<std::byte> to, pe_id asked, const wire::handler_entry& of);
  reply_address slot() const { return slot_; }
  std::span<std::byte> to() const { return to_; }
  void finish() { cell_.set_value(); }
  oneshot<void>& arrival() { return cell_; }

 private:
  void value(done) override { cell_.set_value(); }
  void error(std::exception_ptr e) override { cell_.set_exception(std::move(e)); }
  std::span<std::byte> to_;
  oneshot<void> cell_;
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
                   std::uint64_t bytes);
  // Bytes of that segment, for the time that it takes to send them.
  static transport::bulk_source pinned(segment_id id, std::span<const std::byte> bytes);
};

struct read_pieces {
  using layout = wire::layout<reply_address, segment_id, std::uint64_t, pieces>;
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset,
                   const pieces& from);
};

// The bytes of `from`, which are as many as those of `to`, where `first` is the first byte.
task<void> read_bytes(pe_id pe, segment_id id, std::uint64_t offset, pieces from, std::byte* first, pieces to);

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

// Changes the value to Op(value, v), and answers with what it was.
template <class T, class Op>
struct fetch_one : fetched {
  using layout = wire::layout<segment_id, std::uint64_t, T>;
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, T v) {
    std::byte* at = segment_at(id, offset, sizeof(T), d.from);
    const T old = wire::load<T>(at);
    wire::store(at, static_cast<T>(Op()(old, v)));
    answer_next<T>(d.from, old);
  }
};

// Integers wrap around, as std::atomic's do.
template <class T>
struct wrapping_sum {
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return static_cast<T>(a + b);
    }
  }
};

// The same by a function of the program, which may throw: its answer names who asked.
template <auto Op, class T, class V>
struct fetch_applied : fetched {
  using layout = wire::layout<reply_address, segment_id, std::uint64_t, V>;
  static void call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset, const V& v) {
    std::byte* at = segment_at(id, offset, sizeof(T), d.from);
    answer(to, [at, &v] {
      const T old = wire::load<T>(at);
      wire::store(at, static_cast<T>(Op(old, v)));
      return old;
    });
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

}  // namespace tsubu::remote
