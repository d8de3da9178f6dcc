// How an all_to_all or all_gather goes about it where values do not ride together: each member sends each other one's
// straight. A vector that fits no batch is read where it lies in its sender's memory, so that it is copied once.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tsubu/remote/collectives/collective_steps.hpp"
#include "tsubu/remote/collectives/zero_copy_send.hpp"

namespace tsubu::remote {

// What the members send each other.
enum class sent_values {
  one_each,      // another value to each
  same_to_each,  // its own value to all
};

// `values` has one for each rank. This member's own stays; what the others have sent takes their places.
template <class T>
task<std::vector<T>> exchange_pairwise(const collective_call& call, sent_values which, std::vector<T> values) {
  const pe_id p = call.size(), me = call.rank();
  const auto all = std::make_shared<std::vector<T>>(std::move(values));
  std::shared_ptr<zero_copy_send> sending;
  if constexpr (as_bulk<T>::known) sending = std::make_shared<zero_copy_send>(all);
  const auto lend = [&sending](std::span<const std::byte> bytes) { return zero_copy_send::source(sending, bytes); };
  // Each PE starts with the next one, so that they do not all send to the same.
  for (pe_id i = 1; i < p; ++i) {
    const pe_id to = (me + i) % p;
    collective_send<T>(call, 0, to, (*all)[to_index(which == sent_values::same_to_each ? me : to)], lend);
  }
  if constexpr (as_bulk<T>::known) {
    send_completion all_sent(sending, call.name(), call.where());
    co_await all_sent;
  }
  for (pe_id i = 1; i < p; ++i) {
    const pe_id from = (me + p - i) % p;
    collective_receive<T> arriving(call, 0, from);
    (*all)[to_index(from)] = co_await arriving;
  }
  co_return std::move(*all);
}

}  // namespace tsubu::remote
