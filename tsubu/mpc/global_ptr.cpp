#include "tsubu/mpc/global_ptr.hpp"

#include <cstring>

#include "tsubu/mpc/global_ptr_messages.hpp"
#include "tsubu/mpc/state.hpp"
#include "tsubu/remote/memory/segment_access.hpp"

namespace tsubu::mpc {
namespace {

void copy(std::byte* to, std::span<const std::byte> from) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

struct write_message {
  using control = write_control;
  static std::byte* place(pe_id from, const control& c, std::size_t bytes) {
    return remote::segment_at(c.segment, c.offset, bytes, from);
  }
  static void landed(pe_id from, const control& c) { my_state().writes.count_executed(from, c.epoch); }
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    copy(place(from, c, data.size()), data);
    landed(from, c);
  }
};

struct read_answer {
  struct control {
    std::uint32_t slot;
    std::uint32_t generation;
  };
  static std::byte* place(pe_id from, const control& c, std::size_t bytes) {
    return remote::read_answer::place({from, nullptr, bytes}, c.slot, c.generation);
  }
  static void landed(pe_id from, const control& c) {
    remote::read_answer::call({from, nullptr, 0}, c.slot, c.generation);
  }
  static void arrived(pe_id from, const control& c, std::span<const std::byte> data) {
    copy(place(from, c, data.size()), data);
    landed(from, c);
  }
};

struct read_message {
  using control = read_control;
  static void arrived(pe_id from, const control& c, std::span<const std::byte>) {
    const std::byte* at = remote::segment_at(c.segment, c.offset, c.bytes, from);
    post<read_answer>(from, {c.to.slot, c.to.generation}, {at, c.bytes}, nullptr, nullptr);
  }
};

}  // namespace

namespace memory {

remote::segment_id share(void* at, std::size_t bytes) {
  auto& registered = my_state().registered;
  const auto known = registered.find({at, bytes});
  if (known != registered.end()) return known->second;
  const remote::segment_id made = remote::current_pe->segments.add(at, bytes);
  registered.emplace(std::pair(at, bytes), made);
  return made;
}

void withdraw(remote::segment_id segment) {
  std::erase_if(my_state().registered, [segment](const auto& entry) { return entry.second == segment; });
  remote::current_pe->segments.drop(segment, myNode);
}

std::byte* at(remote::segment_id segment, std::uint64_t offset, std::size_t bytes, pe_id from) {
  return remote::segment_at(segment, offset, bytes, from);
}

void write(int node, remote::segment_id segment, std::uint64_t offset, std::span<const std::byte> from,
           std::source_location where) {
  if (node == myNode) return copy(remote::segment_at(segment, offset, from.size(), node), from);
  check_node(node);
  write_epochs& writes = my_state().writes;
  const write_control control{segment, writes.entered, offset};
  ++writes.sent[static_cast<std::size_t>(node)];
  oneshot<void> sent("the data of a remote write to leave");
  auto done = [](void* c) { static_cast<oneshot<void>*>(c)->set_value(); };
  if (post<write_message>(node, control, from, done, &sent))
    wait(sent, where);
  else if (!message::this_endpoint->has_credit(node))
    wait(remote::sent(node), where);
}

void read(int node, remote::segment_id segment, std::uint64_t offset, std::span<std::byte> to,
          std::source_location where) {
  if (node == myNode) {
    const std::byte* at = remote::segment_at(segment, offset, to.size(), node);
    if (!to.empty()) std::memmove(to.data(), at, to.size());
    return;
  }
  check_node(node);
  if (to.empty()) return;
  remote::bulk_read answer(to, node, message::registered<whole_message<read_message>>::entry);
  post<read_message>(node, {answer.slot(), segment, offset, to.size()}, {}, nullptr, nullptr);
  wait(answer.arrival(), where);
}

}  // namespace memory
}  // namespace tsubu::mpc
