#include "tsubu/message/forwarder.hpp"

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tsubu::message {

void forwarder::pass_on(const arrived_run& run) {
  const wire::run& r = run.packets;
  const wire::handler_entry& handler = *run.handler;
  held_.begin_forwarding();
  switch (run.together() ? 0 : handler.packet_bytes) {
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
      run.together() ? pass_on_together(run) : pass_on_each<0>(handler, r);
  }
  held_.end_forwarding();
}

inline pe_id forwarder::next_hop(pe_id to, const wire::run& r, const std::byte* at, const char* what) const {
  const pe_id hop = out_.links().next(to);
  if (hop == out_.links().pe()) [[unlikely]]
    bad_run(r, at, std::string(what) + " for this PE is to be passed on");
  if (hop != to && r.tag.bytes != sizeof(pe_id)) [[unlikely]]
    bad_run(r, at, std::string(what) + " for PE " + std::to_string(to) + " has not come round its corner here");
  return hop;
}

inline void forwarder::write_names(std::byte* tag, format::tag_kind kind, pe_id origin, pe_id to) const {
  const link_map& links = out_.links();
  const std::uint32_t bytes = links.name_bytes();
  wire::pe_tag::write(tag, links.name_behind(origin), bytes);
  if (kind == format::passing) wire::pe_tag::write(tag + bytes, static_cast<std::uint32_t>(to), bytes);
}

// packet_bytes: 0 if not known to the compiler.
template <std::size_t packet_bytes>
void forwarder::pass_on_each(const wire::handler_entry& handler, const wire::run& r) {
  std::uint64_t packets = 0;
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::byte* const packet = run_reader::after_tag(r, at);
    const pe_id origin = r.tag_bytes != r.tag.bytes ? reader_.read_pe(r, at) : r.from;
    at = packet;
    const pe_id to = reader_.read_pe(r, at - r.tag.bytes);
    const std::byte* const end = packet_bytes != 0 ? at + packet_bytes : run_reader::packet_end(handler, r, at);
    const auto bytes = packet_bytes != 0 ? packet_bytes : static_cast<std::size_t>(end - at);
    if (packet_bytes == 0 && !out_.fits(bytes)) [[unlikely]]
      too_long(handler, r, at, bytes);
    if (to == out_.links().pe() && !format::names_are_numbers(r.tag.bytes)) {
      execute_here(handler, {at, end, r.from, r.batch_begin});
      at = end;
      continue;
    }
    const pe_id hop = next_hop(to, r, at, "a packet");
    const int link = out_.links().link_of(hop);
    const format::tag_kind kind = hop == to ? format::arriving : format::passing;
    const std::size_t tag_bytes = format::tag_bytes(kind, r.tag.bytes);
    std::byte* const place = out_.append_tagged(link, handler, kind, tag_bytes + bytes);
    write_names(place, kind, origin, to);
    std::memcpy(place + tag_bytes, at, bytes);
    if (packet_bytes == 0 && handler.packet_bytes == 0) out_.last_was_variable(link);
    at = end;
    ++packets;
  }
  count_.passed_on(packets);
}

// What a handler sends holds no batch.
void forwarder::execute_here(const wire::handler_entry& handler, const wire::run& r) {
  held_.end_forwarding();
  const std::size_t packets = handler.execute(r);
  count_.executed(handler, packets);
  count_.executed_from(r.from, handler, packets);
  held_.begin_forwarding();
}

// All are from the neighbour that sent them, and go to one PE, which is a neighbour, too.
void forwarder::pass_on_together(const arrived_run& run) {
  const wire::run& r = run.packets;
  const int link = out_.links().link_of(next_hop(run.to, r, r.begin, "a packet"));
  const std::size_t each = run.handler->packet_bytes;
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::span<std::byte> place = out_.append_together(link, *run.handler, out_.links().name_behind(r.from),
                                                            static_cast<std::size_t>(r.end - at));
    std::memcpy(place.data(), at, place.size());
    at += place.size();
  }
  count_.passed_on(static_cast<std::uint64_t>(r.end - r.begin) / each);
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
  write_names(head.packet - format::tag_bytes(kind, r.tag.bytes), kind, r.from, run.to);
  std::memcpy(head.packet, packet, bytes);
  count_.passed_on(*run.handler, 1);
  count_.passed_on(1);
  out_.post_bulk(head, held_.keep(std::move(data), arrived->bulk_bytes));
}

}  // namespace tsubu::message
