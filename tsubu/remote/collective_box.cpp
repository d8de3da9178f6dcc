#include "tsubu/remote/collective_box.hpp"

#include <string>
#include <utility>

namespace tsubu::remote {

collective_box::~collective_box() {
  while (packets_ != nullptr) delete std::exchange(packets_, packets_->next);
}

namespace {

[[noreturn]] void fail_mixed(collective_key key, pe_id from) {
  fail("PE " + std::to_string(from) +
       " and this one call different collectives, or with different types, as their number " +
       std::to_string(key >> 16));
}

// Takes the first of a list that `key` and `from` name.
template <class Node>
Node* take(Node*& first, collective_key key, pe_id from, const char* type) {
  for (Node** at = &first; *at != nullptr; at = &(*at)->next) {
    Node* found = *at;
    if (found->key != key || found->from != from) continue;
    if (found->type != type) fail_mixed(key, from);
    *at = found->next;
    return found;
  }
  return nullptr;
}

}  // namespace

collective_box::packet* collective_box::find_packet(collective_key key, pe_id from, const char* type) {
  return take(packets_, key, from, type);
}

void collective_box::add_packet(packet* arrived) {
  arrived->next = packets_;
  packets_ = arrived;
}

collective_box::waiter* collective_box::find_waiter(collective_key key, pe_id from, const char* type) {
  return take(waiters_, key, from, type);
}

void collective_box::add_waiter(waiter& w) {
  w.next = waiters_;
  waiters_ = &w;
}

void collective_box::remove_waiter(waiter& w) { take(waiters_, w.key, w.from, w.type); }

}  // namespace tsubu::remote
