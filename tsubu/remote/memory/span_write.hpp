// Writing many elements into another PE's memory, and telling that PE:
//
//   co_await p.write(row);                               // the row is in place
//   co_await p.write(row).notify<row_came>(step);        // row_came(step) runs on p's PE when the row is in place
//
// A write below 4 KiB is one packet, of the bytes, and the function and its arguments; a longer one is a bulk, in whose
// head these are, or in a packet behind it if they tell their own length. All keep their order with what else this PE
// sends to that one.
//
// What `notify` returns waits until the elements may be changed again: they have been copied if the write is short, and
// are in place if it is long. It does not wait for the function.
#pragma once

#include <coroutine>
#include <cstdint>
#include <optional>
#include <source_location>
#include <tuple>
#include <utility>

#include "tsubu/remote/memory/segment_access.hpp"
#include "tsubu/remote/memory/strided.hpp"
#include "tsubu/remote/messages/at.hpp"
#include "tsubu/remote/messages/in_line.hpp"
#include "tsubu/task/future.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu {

namespace remote {

// F(values...) when the bytes are in place.
template <auto F>
struct write_then {
  using around_run = typename past_call<F>::around_run;
  using layout = typename signature_of<decltype(F)>::template apply<wire::layout, placed_bytes>;
  template <class... V>
  static void call(const message::delivery& d, const placed_bytes& bytes, V&&... values) {
    bytes.put(d.from);
    run_past(F, std::forward<V>(values)...);
  }
};

// The same for a bulk, where the values are of fixed size and few.
template <auto F, class Layout = typename signature_of<decltype(F)>::template apply<wire::layout, segment_id,
                                                                                    std::uint64_t, pieces>>
struct write_bulk_then;
template <auto F, class... V>
struct write_bulk_then<F, wire::layout<segment_id, std::uint64_t, pieces, V...>> {
  using layout = wire::layout<segment_id, std::uint64_t, pieces, V...>;
  static constexpr bool fits = layout::fixed && layout::packet_bytes + sizeof(epoch_id) <= message::outbox::sure_to_fit;
  static std::byte* place(const message::delivery& d, segment_id id, std::uint64_t offset, const pieces& to,
                          const V&...) {
    return write_bulk::place(d, id, offset, to);
  }
  static void call(const message::delivery& d, segment_id id, std::uint64_t offset, const pieces& to, V... values) {
    write_bulk::call(d, id, offset, to);
    run_past(F, std::move(values)...);
  }
};

// A write that has been sent, with its notification. Ready when the elements may be changed again, and there is room on
// the way to that PE. One that goes away before is sent all the same; then a long one still reads the elements.
class [[nodiscard("await it before its elements change or go away")]] notified_write {
 public:
  explicit notified_write(pe_id to) : room_(to) {}
  // Sends with send(); the other PE answers once.
  template <class Send>
  notified_write(pe_id to, Send send) : room_(to) {
    placed_.emplace(to, send);
  }
  notified_write(const notified_write&) = delete;
  notified_write& operator=(const notified_write&) = delete;

  bool await_ready() const { return placed_ ? placed_->await_ready() : room_.await_ready(); }
  void await_suspend(std::coroutine_handle<> task, std::source_location where = std::source_location::current()) {
    suspend(task, where);
  }
  void suspend(ready_item who, std::source_location where) {
    if (placed_) {
      placed_->suspend(who, where);
    } else {
      room_.suspend(who, where);
    }
  }
  void await_resume() {
    if (placed_) placed_->await_resume();
  }

 private:
  sent room_;
  std::optional<reply_in_line<void>> placed_;  // of a bulk
};

// A write that is sent when it is awaited, or has a notification. The elements must stay until then.
class [[nodiscard("it is sent when it is awaited, or has a notification")]] span_write {
 public:
  // Both shapes have as many bytes.
  span_write(pe_id pe, segment_id segment, std::uint64_t offset, const pieces& to, const void* first,
             const pieces& from)
      : offset_(offset),
        first_(static_cast<const std::byte*>(first)),
        to_(to),
        from_(from),
        pe_(pe),
        segment_(segment) {}

  // The elements are in place.
  reply_in_line<void> operator co_await() const;
  operator task<void>() const { return awaited_here(*this); }

  // Sends it, and past<F>(arguments...) with it, which runs when the elements are in place.
  template <auto F, class... A>
  notified_write notify(A&&... arguments) const {
    using s = function_call<decltype(F), A...>;
    if (from_.size() >= bulk_from_bytes) {
      return notified_write(pe_, [&] {
        if constexpr (write_bulk_then<F>::fits) {
          send_bulk_then<F>(typename s::template apply<std::tuple>(static_cast<A&&>(arguments)...));
        } else {
          send();
          send_as<past_call<F>, s>(pe_, std::tuple<>(), std::forward<A>(arguments)...);
        }
      });
    }
    send_as<write_then<F>, s>(pe_, std::tuple(bytes()), std::forward<A>(arguments)...);
    return notified_write(pe_);
  }

 private:
  placed_bytes bytes() const { return placed_bytes(segment_, offset_, to_, first_, from_); }
  template <auto F, class... V>
  void send_bulk_then(const std::tuple<V...>& values) const {
    std::apply(
        [this](const V&... v) {
          remote::send_bulk<write_bulk_then<F>>(pe_, source_of_bulk(), segment_, offset_, to_, v...);
        },
        values);
  }
  void send() const;
  transport::bulk_source source_of_bulk() const;
  static task<void> awaited_here(span_write write);

  std::uint64_t offset_;
  const std::byte* first_;
  pieces to_, from_;
  pe_id pe_;
  segment_id segment_;
};

// As start() of a task.
inline future<void> start(const span_write& write) { return tsubu::start(task<void>(write)); }

}  // namespace remote

}  // namespace tsubu
