#include "tsubu/mpc/invoke.hpp"

#include <cstring>

namespace tsubu::mpc {

void check_node(int node) {
  TSUBU_CHECK(
      node >= 0 && node < pe_count(),
      "node " + std::to_string(node) + " is named, but the job's nodes are 0 to " + std::to_string(pe_count() - 1));
}

void fail_unpack(pe_id from, const char* what) {
  fail("a bad message came from PE " + std::to_string(from) + ": " + what);
}

namespace calls {

void answer_exception(reply_address to) {
  if (to.pe != myNode) ++my_state().counted.asend;
  remote::answer_error(to);
}

any_function member_address(const void* pointer, std::size_t bytes) {
  std::array<std::uintptr_t, 2> words{};
  TSUBU_CHECK(bytes == sizeof words, "a member pointer of " + std::to_string(bytes) + " bytes");
  std::memcpy(words.data(), pointer, sizeof words);
  // The Itanium ABI marks a virtual function by the low bit of one word or the other.
  TSUBU_CHECK(
      (words[0] & 1) == 0 && words[1] == 0,
      "a virtual member, or one of a base class that is not at the object's begin, is invoked remotely: invoke a "
      "plain member that calls it");
  return reinterpret_cast<any_function>(words[0]);
}

void wait_for_room(int node) {
  if (!message::this_endpoint->has_room(node) && in_fiber()) wait(remote::sent(node));
}

}  // namespace calls
}  // namespace tsubu::mpc
