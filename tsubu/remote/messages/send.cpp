#include "tsubu/remote/messages/send.hpp"

#include <cstring>
#include <utility>

namespace tsubu::remote {
namespace {

epoch_part* epoch_of_this_code() { return static_cast<epoch_part*>(this_task_group); }

[[gnu::noinline]] void send_the_first_in_job(const wire::handler_entry& of) {
  send_the_first();
  if (message::this_endpoint == nullptr) outside_a_job(of);
}

inline void check_in_job(const wire::handler_entry& of) {
  if (this_sent_first != nullptr || message::this_endpoint == nullptr) [[unlikely]]
    send_the_first_in_job(of);
}

}  // namespace

std::byte* begin_packet(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch) {
  check_in_job(plain);
  message::outbox& out = message::this_endpoint->out();
  epoch_part* const epoch = epoch_of_this_code();
  if (epoch == nullptr) return out.append(to, plain, plain.packet_bytes);
  epoch->sent_one();
  const epoch_id name = epoch->id();
  std::byte* const place = out.append(to, in_epoch, in_epoch.packet_bytes);
  wire::store(place, name);
  return place + sizeof name;
}

std::vector<std::byte>& begin_long_packet(const wire::handler_entry& plain) {
  check_in_job(plain);
  std::vector<std::byte>& packet = message::this_endpoint->out().scratch();
  if (epoch_part* const epoch = epoch_of_this_code()) {
    packet.resize(sizeof(epoch_id));
    wire::store(packet.data(), epoch->id());
  }
  return packet;
}

void end_long_packet(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch,
                     std::vector<std::byte>& packet) {
  message::outbox& out = message::this_endpoint->out();
  epoch_part* const epoch = epoch_of_this_code();
  const wire::handler_entry& of = epoch == nullptr ? plain : in_epoch;
  if (of.packet_bytes == 0) {
    out.send_scratch(to, of);
  } else if (out.fits(of.packet_bytes)) {
    std::memcpy(out.append(to, of, of.packet_bytes), packet.data(), packet.size());
  } else {
    out.send_in_bulk(to, of, std::exchange(packet, {}));
  }
  if (epoch != nullptr) epoch->sent_one();
}

begun_bulk begin_bulk(pe_id to, const wire::handler_entry& plain, const wire::handler_entry& in_epoch,
                      transport::bulk_source source) {
  check_in_job(plain);
  require(!source.bytes.empty(), "a bulk of no bytes is sent");
  epoch_part* const epoch = epoch_of_this_code();
  const wire::handler_entry& of = epoch == nullptr ? plain : in_epoch;
  const message::outbox::bulk_head head = message::this_endpoint->out().start_bulk(to, of.code, of.packet_bytes);
  if (epoch == nullptr) return {of, head, head.packet};
  wire::store(head.packet, epoch->id());
  epoch->sent_one();
  return {of, head, head.packet + sizeof(epoch_id)};
}

void end_bulk(pe_id to, const begun_bulk& begun, transport::bulk_source source) {
  message::this_endpoint->out().send_bulk(to, begun.of, begun.head, source);
}

}  // namespace tsubu::remote
