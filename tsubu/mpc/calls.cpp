#include "tsubu/mpc/calls.hpp"

#include <cstring>

#include "tsubu/mpc/state.hpp"
#include "tsubu/remote/messages/answer.hpp"

namespace tsubu::mpc::calls {

void answer_exception(reply_address to) {
  if (to.pe != myNode) ++my_state().counted.asend;
  remote::answer_error(to);
}

any_function member_address(const void* pointer, std::size_t bytes) {
  std::array<std::uintptr_t, 2> words{};
  require(bytes == sizeof words, "a member pointer of {} bytes", bytes);
  std::memcpy(words.data(), pointer, sizeof words);
  // The Itanium ABI marks a virtual function by the low bit of one word or the other.
  require((words[0] & 1) == 0 && words[1] == 0,
          "a virtual member, or one of a base class that is not at the object's begin, is invoked remotely: invoke a "
          "plain member that calls it");
  return reinterpret_cast<any_function>(words[0]);
}

void wait_for_room(int node) {
  if (!message::this_endpoint->has_credit(node) && in_fiber()) wait(remote::sent(node));
}

}  // namespace tsubu::mpc::calls
