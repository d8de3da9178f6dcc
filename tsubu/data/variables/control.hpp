// Changing the protocol of a variable, and ending it: requests that need the value at home, and no copy elsewhere.
#pragma once

#include "tsubu/data/variables/home.hpp"
#include "tsubu/data/variables/packets.hpp"
#include "tsubu/remote/messages/answer.hpp"

namespace tsubu::data {

struct change_protocol_message {
  using layout = wire::layout<remote::reply_address, key, protocol>;
  static void call(const message::delivery& d, remote::reply_address to, key name, protocol how);
};
struct end_variable_message {
  using layout = wire::layout<remote::reply_address, key>;
  static void call(const message::delivery& d, remote::reply_address to, key name);
};

// It changes when its turn comes; the home of the variable is this PE.
void change_protocol_here(directory_entry& entry, protocol how);

// Awaited.
template <class Place>
auto change_protocol(const Place& place, protocol how) {
  check_named(place.name());
  return remote::now_reply<void>(place.home(), message::registered<change_protocol_message>::entry,
                                 [&](remote::reply_address slot) {
                                   remote::send<change_protocol_message>(place.home(), slot, place.name(), how);
                                 });
}
template <class Place>
auto end_variable(const Place& place) {
  check_named(place.name());
  return remote::now_reply<void>(
      place.home(), message::registered<end_variable_message>::entry,
      [&](remote::reply_address slot) { remote::send<end_variable_message>(place.home(), slot, place.name()); });
}

}  // namespace tsubu::data
