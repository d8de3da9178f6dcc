#include "tsubu/mpc/sync.hpp"

#include "tsubu/remote/pe.hpp"

namespace tsubu::mpc {

remote::reply_address open_reply(remote::reply_sink& sink, const char* type, pe_id asked,
                                 const wire::handler_entry& of) {
  return remote::current_pe->replies.open(remote::current_pe->number(), sink, type, asked, &of);
}

void abandon_reply(remote::reply_address slot) {
  if (remote::current_pe != nullptr) remote::current_pe->replies.abandon(slot);
}

remote::reply_sink* take_reply(pe_id from, std::uint32_t slot, std::uint32_t generation, const char* type) {
  return remote::current_pe->replies.take(from, slot, generation, type);
}

}  // namespace tsubu::mpc
