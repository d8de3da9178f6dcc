// How the runtime's calls and replies are sent: as they are, or, by code that belongs to an epoch, with the epoch's
// name in front, so that what they cause belongs to it too.
#pragma once

#include "tsubu/base/send_bound.hpp"
#include "tsubu/message/handler.hpp"
#include "tsubu/remote/pe.hpp"
#include "tsubu/remote/sent.hpp"

namespace tsubu::remote {

// While it lives, a handler runs that was called for a message of an epoch.
class epoch_execution {
 public:
  epoch_execution(epoch_id id, pe_id from) : from_(from) {
    epoch_part* part = current_pe->epochs.find(id);
    joins_ = part == nullptr;
    if (joins_) [[unlikely]]
      part = &current_pe->epochs.join(id, from);
    set_task_group(part);
    part_ = part;
  }
  epoch_execution(const epoch_execution&) = delete;
  epoch_execution& operator=(const epoch_execution&) = delete;
  ~epoch_execution() {
    set_task_group(nullptr);
    // The acknowledgement of the message that made this PE join is kept back until it leaves.
    if (!joins_) part_->executed_one(from_);
    part_->touch();
  }

 private:
  epoch_part* part_;
  pe_id from_;
  bool joins_;
};

// H in an epoch: its packets have the epoch's name in front, 8 bytes.
template <class H, class Layout = typename H::layout>
struct in_epoch;
template <class H, class... T>
struct in_epoch<H, wire::layout<T...>> {
  using layout = wire::layout<epoch_id, T...>;
  static constexpr bool counted = message::is_counted<H>();
  static constexpr bool seldom = message::seldom<H>;
  static void call(const message::delivery& d, epoch_id id, T... values) {
    const epoch_execution here(id, d.from);
    H::call(d, std::move(values)...);
  }
};
template <class H, class... T>
  requires message::places_bulks<H>
struct in_epoch<H, wire::layout<T...>> {
  using layout = wire::layout<epoch_id, T...>;
  static constexpr bool counted = message::is_counted<H>();
  static constexpr bool seldom = message::seldom<H>;
  static std::byte* place(const message::delivery& d, epoch_id, T... values) {
    return H::place(d, std::move(values)...);
  }
  static void call(const message::delivery& d, epoch_id id, T... values) {
    const epoch_execution here(id, d.from);
    H::call(d, std::move(values)...);
  }
};

// Values travel to send_thoughtfully() in registers where they fit: a reference would make the other sender store its
// values, too.
template <class V>
using passed = std::conditional_t<std::is_trivially_copyable_v<V> && sizeof(V) <= 2 * sizeof(void*), V, const V&>;

// In an epoch, over a grid, packets that tell their own length, behind what is kept back, and to PEs that do not exist.
template <class H, class... V>
[[gnu::noinline]] void send_thoughtfully(pe_id to, V... values) {
  send_the_first();
  if (message::this_endpoint == nullptr) outside_a_job(message::registered<H>::entry);
  if (this_task_group == nullptr) return message::this_endpoint->send<H>(to, values...);
  auto& epoch = static_cast<epoch_part&>(*this_task_group);
  message::this_endpoint->send<in_epoch<H>>(to, epoch.id(), values...);
  epoch.sent_one();
}

// As endpoint::send(), in the epoch of the running code, if it is in one.
template <class H, class... V>
[[gnu::always_inline]] inline void send(pe_id to, const V&... values) {
  if constexpr (message::goes_straight<H>) {
    if (static_cast<std::uint32_t>(to) < this_send_bound.now) [[likely]]
      return message::send_straight<H>(to, values...);
  }
  send_thoughtfully<H, passed<V>...>(to, values...);
}

// As endpoint::send_bulk(), likewise.
template <class H, class... V>
void send_bulk(pe_id to, transport::bulk_source source, const V&... values) {
  send_the_first();
  if (message::this_endpoint == nullptr) outside_a_job(message::registered<H>::entry);
  if (this_task_group == nullptr) [[likely]]
    return message::this_endpoint->send_bulk<H>(to, source, values...);
  auto& epoch = static_cast<epoch_part&>(*this_task_group);
  message::this_endpoint->send_bulk<in_epoch<H>>(to, source, epoch.id(), values...);
  epoch.sent_one();
}

inline bool sent::await_ready() const { return message::this_endpoint->has_credit(to_); }

}  // namespace tsubu::remote

namespace tsubu {

inline bool room_everywhere::await_ready() const { return message::this_endpoint->has_credit_everywhere(); }

}  // namespace tsubu
