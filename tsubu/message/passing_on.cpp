// Packets on a grid: what goes to a PE that is no neighbour, and what this PE passes on between two others.
//
// A packet that does not reach its PE over one link has a tag in front, of four or eight bytes: the PE it is for, the
// PE it is from, or both, whichever the next PE cannot see from the batch. Whole packets are copied from the arrived
// batch into those being filled; their handlers see nothing of it. What is passed on is neither sent nor executed here.
#include <cstring>
#include <utility>

#include "tsubu/message/endpoint.hpp"
#include "tsubu/message/passage.hpp"

namespace tsubu::message {
namespace {

void write_pe(std::byte* to, pe_id pe) { std::memcpy(to, &pe, sizeof pe); }

const std::byte* after_tag(endpoint& e, const wire::run& r, const std::byte* at) {
  if (r.end - at < std::ptrdiff_t{r.tag_bytes}) [[unlikely]]
    e.bad_run(r, at, "it ends inside the number of a PE");
  return at + r.tag_bytes;
}

}  // namespace

std::byte* endpoint::append_towards(pe_id to, const wire::handler_entry& handler, std::size_t bytes) {
  require(static_cast<std::uint32_t>(to) < static_cast<std::uint32_t>(pe_count_),
          "a message for PE {}, but the job's PEs are 0 to {}", to, pe_count_ - 1);
  const pe_id hop = grid_.next(to);
  const int link = grid_.link_of(hop);
  if (hop == to) return append_on(link, out(link), handler, bytes);
  std::byte* const tag = append_tagged(link, handler, outward, tag_bytes(outward) + bytes);
  write_pe(tag, to);
  count_sent_to(to, handler, 1);
  return tag + tag_bytes(outward);
}

inline std::byte* endpoint::append_tagged(int link, const wire::handler_entry& handler, tag_kind kind,
                                          std::size_t bytes) {
  outgoing& o = out(link);
  bool same_run = o.open == &handler && o.kind == kind;
  if (!same_run || static_cast<std::size_t>(o.limit - o.cursor) < bytes) [[unlikely]] {
    make_room(link, o, bytes + (same_run ? 0 : sizeof(run_header)));
    same_run = same_run && o.open != nullptr;
    if (!same_run) {
      begin_run(link, o, handler);
      o.kind = kind;
    }
  }
  std::byte* const place = o.cursor;
  o.cursor += bytes;
  return place;
}

pe_id endpoint::read_pe(const wire::run& r, const std::byte* at) {
  pe_id pe = no_pe;
  std::memcpy(&pe, at, sizeof pe);
  if (static_cast<std::uint32_t>(pe) >= static_cast<std::uint32_t>(pe_count_)) [[unlikely]]
    bad_run(r, at, "a packet from or for PE " + std::to_string(pe) + ", of " + std::to_string(pe_count_));
  return pe;
}

const std::byte* endpoint::packet_end(const wire::handler_entry& handler, const wire::run& r, const std::byte* at) {
  if (handler.packet_bytes != 0) return at + handler.packet_bytes;
  std::uint32_t bytes = 0;
  const std::ptrdiff_t left = r.end - at;
  if (left >= std::ptrdiff_t{sizeof bytes}) std::memcpy(&bytes, at, sizeof bytes);
  if (left < std::ptrdiff_t{sizeof bytes} || static_cast<std::size_t>(left) - sizeof bytes < bytes) {
    bad_run(r, at, "a packet's length goes past its run");
  }
  return at + sizeof bytes + bytes;
}

const std::byte* endpoint::execute_tagged(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin) {
  const parsed_run parsed = first_run(from, left, batch_begin);
  const wire::handler_entry& handler = *parsed.handler;
  wire::run r = parsed.packets;
  r.from = from;
  if (parsed.in_bulk || handler.place != nullptr) bad_run(r, r.begin, "the bulk of a packet is missing");
  if (parsed.to != no_pe) {
    switch (handler.packet_bytes) {
      case 4:
        pass_on<4>(handler, r, from);
        break;
      case 8:
        pass_on<8>(handler, r, from);
        break;
      case 12:
        pass_on<12>(handler, r, from);
        break;
      case 16:
        pass_on<16>(handler, r, from);
        break;
      case 20:
        pass_on<20>(handler, r, from);
        break;
      case 24:
        pass_on<24>(handler, r, from);
        break;
      default:
        pass_on<0>(handler, r, from);
    }
    return r.end;
  }
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::byte* const packet = after_tag(*this, r, at);
    count_executed_from(read_pe(r, at), handler, 1);
    at = packet_end(handler, r, packet);
  }
  count_executed(handler, handler.execute(r));
  return r.end;
}

// packet_bytes: 0 if not known to the compiler.
template <std::size_t packet_bytes>
void endpoint::pass_on(const wire::handler_entry& handler, const wire::run& r, pe_id from) {
  passing_on_ = true;
  std::uint64_t packets = 0;
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::byte* const packet = after_tag(*this, r, at);
    const pe_id origin = r.tag_bytes == most_tag_bytes ? read_pe(r, at) : from;
    at = packet;
    const pe_id to = read_pe(r, at - sizeof to);
    const std::byte* const end = packet_bytes != 0 ? at + packet_bytes : packet_end(handler, r, at);
    const auto bytes = packet_bytes != 0 ? packet_bytes : static_cast<std::size_t>(end - at);
    if (packet_bytes == 0 && bytes > packet_limit_) [[unlikely]]
      bad_run(r, at,
              "a packet of " + std::to_string(bytes) + " bytes for " + wire::readable_name(handler) +
                  ", but what is passed on has " + std::to_string(packet_limit_) + " at most");
    const pe_id hop = grid_.next(to);
    if (hop == pe_) [[unlikely]]
      bad_run(r, at, "a packet for this PE is to be passed on");
    const int link = grid_.link_of(hop);
    const tag_kind kind = hop == to ? arriving : passing;
    std::byte* place = append_tagged(link, handler, kind, tag_bytes(kind) + bytes);
    write_pe(place, origin);
    if (kind == passing) write_pe(place + sizeof(pe_id), to);
    std::memcpy(place + tag_bytes(kind), at, bytes);
    if (packet_bytes == 0 && handler.packet_bytes == 0) ++out(link).variable_packets;
    at = end;
    ++packets;
  }
  counters_.packets_passed_on += packets;
  passing_on_ = false;
}

// From PE to PE as a whole: that keeps its place among the packets of its pair.
void endpoint::pass_on_bulk(transport::batch* arrived, const parsed_run& parsed) {
  const wire::run& r = parsed.packets;
  std::unique_ptr<std::byte[]> data(std::exchange(arrived->bulk_data, nullptr));
  const pe_id hop = grid_.next(parsed.to);
  if (hop == pe_) bad_run(r, r.begin, "a bulk for this PE is to be passed on");
  const tag_kind kind = hop == parsed.to ? arriving : passing;
  const std::byte* const packet = r.begin + r.tag_bytes;
  const auto bytes = static_cast<std::size_t>(r.end - packet);
  const bulk_head head =
      start_bulk(grid_.link_of(hop), kind, parsed.handler->number | (parsed.in_bulk ? in_bulk : 0), bytes);
  write_pe(head.packet - tag_bytes(kind), r.from);
  if (kind == passing) write_pe(head.packet - sizeof(pe_id), parsed.to);
  std::memcpy(head.packet, packet, bytes);
  ++by_handler_[parsed.handler->number].passed_on;
  ++counters_.packets_passed_on;
  const std::size_t bulk_bytes = arrived->bulk_bytes;
  post_bulk(head, passage_->keep(std::move(data), bulk_bytes));
}

}  // namespace tsubu::message
