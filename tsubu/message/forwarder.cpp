#include "tsubu/message/forwarder.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace tsubu::message {

void forwarder::pass_on(const wire::handler_entry& handler, const wire::run& r) {
  held_.begin_forwarding();
  switch (handler.packet_bytes) {
    case 4:
      pass_on_each<4>(handler, r);
      break;
    case 8:
      pass_on_each<8>(handler, r);
      break;
    case 12:
      pass_on_each<12>(handler, r);
      break;
    case 16:
      pass_on_each<16>(handler, r);
      break;
    case 20:
      pass_on_each<20>(handler, r);
      break;
    case 24:
      pass_on_each<24>(handler, r);
      break;
    default:
      pass_on_each<0>(handler, r);
  }
  held_.end_forwarding();
}

inline pe_id forwarder::next_hop(pe_id to, const wire::run& r, const std::byte* at, const char* what) const {
  const pe_id hop = out_.links().next(to);
  if (hop == out_.links().pe()) [[unlikely]]
    bad_run(r, at, std::string(what) + " for this PE is to be passed on");
  return hop;
}

// packet_bytes: 0 if not known to the compiler.
template <std::size_t packet_bytes>
void forwarder::pass_on_each(const wire::handler_entry& handler, const wire::run& r) {
  std::uint64_t packets = 0;
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::byte* const packet = run_reader::after_tag(r, at);
    const pe_id origin = r.tag_bytes == format::most_tag_bytes ? reader_.read_pe(r, at) : r.from;
    at = packet;
    const pe_id to = reader_.read_pe(r, at - sizeof to);
    const std::byte* const end = packet_bytes != 0 ? at + packet_bytes : run_reader::packet_end(handler, r, at);
    const auto bytes = packet_bytes != 0 ? packet_bytes : static_cast<std::size_t>(end - at);
    if (packet_bytes == 0 && !out_.fits(bytes)) [[unlikely]]
      too_long(handler, r, at, bytes);
    const pe_id hop = next_hop(to, r, at, "a packet");
    const int link = out_.links().link_of(hop);
    const format::tag_kind kind = hop == to ? format::arriving : format::passing;
    const std::size_t tag_bytes = format::tag_bytes(kind);
    std::byte* const place = out_.append_tagged(link, handler, kind, tag_bytes + bytes);
    format::write_pe(place, origin);
    if (kind == format::passing) format::write_pe(place + sizeof(pe_id), to);
    std::memcpy(place + tag_bytes, at, bytes);
    if (packet_bytes == 0 && handler.packet_bytes == 0) out_.last_was_variable(link);
    at = end;
    ++packets;
  }
  count_.passed_on(packets);
}

void forwarder::too_long(const wire::handler_entry& handler, const wire::run& r, const std::byte* at,
                         std::size_t bytes) const {
  bad_run(r, at,
          "a packet of " + std::to_string(bytes) + " bytes for " + wire::readable_name(handler) +
              ", but what is passed on has " + std::to_string(out_.packet_limit()) + " at most");
}

void forwarder::pass_on_bulk(transport::batch* arrived, const arrived_run& run) {
  const wire::run& r = run.packets;
  std::unique_ptr<std::byte[]> data(std::exchange(arrived->bulk_data, nullptr));
  const pe_id hop = next_hop(run.to, r, r.begin, "a bulk");
  const format::tag_kind kind = hop == run.to ? format::arriving : format::passing;
  const std::byte* const packet = r.begin + r.tag_bytes;
  const auto bytes = static_cast<std::size_t>(r.end - packet);
  const std::uint32_t code = run.handler->code | (run.in_bulk ? format::in_bulk : 0);
  const outbox::bulk_head head = out_.start_bulk(out_.links().link_of(hop), kind, code, bytes);
  format::write_pe(head.packet - format::tag_bytes(kind), r.from);
  if (kind == format::passing) format::write_pe(head.packet - sizeof(pe_id), run.to);
  std::memcpy(head.packet, packet, bytes);
  count_.passed_on(*run.handler, 1);
  count_.passed_on(1);
  out_.post_bulk(head, held_.keep(std::move(data), arrived->bulk_bytes));
}

}  // namespace tsubu::message
