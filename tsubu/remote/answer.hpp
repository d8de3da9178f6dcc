// How an answer travels: as one packet, to the slot that its caller has opened.
//
// The slot, its generation and the type of the value are checked where it arrives (reply.hpp) before the caller gets
// it.
#pragma once

#include <string>
#include <utility>

#include "tsubu/remote/reply.hpp"
#include "tsubu/remote/send.hpp"

namespace tsubu::remote {

template <class R>
struct reply_value {
  using layout = wire::layout<std::uint32_t, std::uint32_t, carried<R>>;
  static constexpr message_kind kind = message_kind::reply;
  static constexpr std::size_t words = 1;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, carried<R> value) {
    auto* sink = static_cast<value_sink<R>*>(current_pe->replies.take(d.from, slot, generation, &reply_type<R>));
    if (sink != nullptr) sink->value(std::move(value));
  }
};

struct reply_error {
  using layout = wire::layout<std::uint32_t, std::uint32_t, pe_id, std::string, std::string>;
  static void call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation, pe_id pe, std::string type,
                   std::string message);
};

// Sends the exception that is being handled.
void answer_error(reply_address to);

// A slot of this PE, on which `asked` will answer with a value of R.
template <class R>
inline reply_address open_slot(reply_sink& sink, pe_id asked, const wire::handler_entry& of) {
  return current_pe->replies.open(current_pe->number(), sink, &reply_type<R>, asked, &of);
}

template <class R>
void answer_value(reply_address to, const R& value) {
  remote::send<reply_value<R>>(to.pe, to.slot, to.generation, value);
}
inline void answer_done(reply_address to) { remote::send<reply_value<void>>(to.pe, to.slot, to.generation, done{}); }

}  // namespace tsubu::remote
