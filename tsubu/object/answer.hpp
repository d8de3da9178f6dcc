// How the answer to a message leaves: to somebody who waits on this PE, or as a packet to a slot of another one.
//
// Whoever only keeps a destination, or hands it on, needs none of this: message.hpp says what one is.
#pragma once

#include <utility>

#include "tsubu/object/message.hpp"
#include "tsubu/remote/messages/answer.hpp"

namespace tsubu::objects {

template <class R>
inline void destination::value(remote::carried<R> v) const {
  if (pe_ == waits_here) {
    static_cast<remote::value_sink<R>*>(sink_)->value(std::move(v));
  } else {
    remote::send<remote::reply_value<R>>(pe_, slot_, generation_, v);
  }
}

template <class R>
inline remote::reply_address destination::address(const wire::handler_entry* of, pe_id asked) {
  if (pe_ == waits_here) {
    remote::pe& pe = *remote::current_pe;
    return pe.replies.open(pe.number(), *sink_, &remote::reply_type<R>, asked, of);
  }
  return {pe_, slot_, generation_};
}

template <class R>
inline remote::reply_address destination::address() {
  return address<R>(nullptr, remote::current_pe->number());
}

}  // namespace tsubu::objects
