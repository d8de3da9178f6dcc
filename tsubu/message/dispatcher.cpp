#include "tsubu/message/dispatcher.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "tsubu/base/check.hpp"
#include "tsubu/message/forwarder.hpp"

namespace tsubu::message {

void dispatcher::execute(transport::batch* b, pe_id from) {
  if (b->is_bulk()) [[unlikely]]
    return execute_with_bulk(b, from);
  const std::span<wire::handler_entry* const> handlers = reader_.handlers();
  ledger& count = count_;
  const std::byte* const begin = b->data();
  const std::byte* const end = begin + b->size;
  const std::byte* at = begin;
  do {  // no PE sends an empty batch
    if (end - at < std::ptrdiff_t{sizeof(format::run_header)}) [[unlikely]]
      refuse_run(from, {at, end}, begin);
    const format::run_header header = format::read(at);
    at += sizeof header;
    const std::uint32_t number = wire::number_in(header.handler);
    const wire::handler_entry* const handler = number < handlers.size() ? handlers[number] : nullptr;
    const std::uint32_t bytes = format::bytes_if_right(header, static_cast<std::size_t>(end - at));
    if (handler == nullptr || handler->code != header.handler || bytes == 0) [[unlikely]] {
      if (reader_.tagged() && (header.handler & format::tag_bits) != 0) {
        at = execute_tagged(from, {at - sizeof header, end}, begin);
        continue;
      }
      refuse_run(from, {at - sizeof header, end}, begin);
    }
    if (handler->place != nullptr || (bytes != handler->packet_bytes && handler->packet_bytes != 0 &&
                                      bytes % handler->packet_bytes != 0)) [[unlikely]] {
      refuse_run(from, {at - sizeof header, end}, begin);
    }
    const wire::run r{at, at + bytes, from, begin};
    at += bytes;
    const std::size_t packets = handler->execute(r);
    count.executed(*handler, packets);
    count.executed_from(from, *handler, packets);
  } while (at != end);
}

// Something is wrong with the run at the start of `left`, which came in a batch without a bulk.
void dispatcher::refuse_run(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin) {
  const arrived_run run = reader_.first_of(left, from, batch_begin);
  bad_run(
      run.packets, run.packets.begin,
      run.in_bulk ? "a packet's bulk is missing" : "the bulk for " + wire::readable_name(*run.handler) + " is missing");
}

const std::byte* dispatcher::execute_tagged(pe_id from, std::span<const std::byte> left, const std::byte* batch_begin) {
  arrived_run run = reader_.first_of(left, from, batch_begin);
  wire::run& r = run.packets;
  if (r.tag_bytes != 0) r.from = from;
  const wire::handler_entry& handler = *run.handler;
  if (run.in_bulk || handler.place != nullptr) bad_run(r, r.begin, "the bulk of a packet is missing");
  if (run.to != no_pe) {
    onward_->pass_on(run);
    return r.end;
  }
  if (r.tag_bytes == 0) {
    const std::size_t packets = handler.execute(r);
    count_.executed(handler, packets);
    count_.executed_from(r.from, handler, packets);
    return r.end;
  }
  for (const std::byte* at = r.begin; at != r.end;) {
    const std::byte* const packet = run_reader::after_tag(r, at);
    count_.executed_from(reader_.read_pe(r, at), handler, 1);
    at = run_reader::packet_end(handler, r, packet);
  }
  count_.executed(handler, handler.execute(r));
  return r.end;
}

// The head of a bulk: one run, of one packet.
void dispatcher::execute_with_bulk(transport::batch* b, pe_id from) {
  const arrived_run run = reader_.first_of({b->data(), b->size}, from, b->data());
  if (run.to != no_pe) return onward_->pass_on_bulk(b, run);
  const wire::handler_entry& handler = *run.handler;
  wire::run r = run.packets;
  r.begin += r.tag_bytes;
  r.tag_bytes = 0;
  std::unique_ptr<std::byte[]> payload;
  if (run.in_bulk) {
    payload.reset(std::exchange(b->bulk_data, nullptr));
    if (handler.packet_bytes != 0 && handler.packet_bytes != b->bulk_bytes) {
      bad_run(r, r.begin,
              "a bulk of " + std::to_string(b->bulk_bytes) + " bytes for " + wire::readable_name(handler) +
                  ", whose packets have " + std::to_string(handler.packet_bytes));
    }
    r.begin = payload.get();
    r.end = r.begin + b->bulk_bytes;
    r.batch_begin = nullptr;
    r.bare = true;
  } else {
    r.bulk = b->bulk_data;
    r.bulk_bytes = b->bulk_bytes;
  }
  handler.execute(r);
  count_.executed(handler, 1);
  count_.executed_from(r.from, handler, 1);
}

std::byte* dispatcher::place(pe_id from, std::span<const std::byte> head, std::size_t bytes) {
  const arrived_run run = reader_.first_of(head, from, head.data());
  const wire::handler_entry& handler = *run.handler;
  wire::run r = run.packets;
  if (r.end != head.data() + head.size()) bad_run(r, r.end, "the head of a bulk goes on behind its run");
  if ((handler.place != nullptr) == run.in_bulk) {
    bad_run(r, r.begin, std::string("a bulk for ") + wire::readable_name(handler) + ", which takes none");
  }
  r.begin += r.tag_bytes;
  r.tag_bytes = 0;
  if (run.in_bulk && r.begin != r.end) bad_run(r, r.begin, "a packet stands before its bulk");
  if (!run.in_bulk && r.end - r.begin != static_cast<std::ptrdiff_t>(handler.packet_bytes)) {
    bad_run(r, r.begin, "a bulk comes with more than one packet");
  }
  // Freed by execute(), or when it has been passed on.
  if (run.in_bulk || run.to != no_pe) return new std::byte[bytes];
  r.bulk_bytes = bytes;
  std::byte* landing = handler.place(r);
  if (landing == nullptr) bad_run(r, r.begin, "a bulk with no place to land");
  return landing;
}

message_facts dispatcher::facts_of(transport::batch& posted, std::size_t bulk_bytes) const {
  const format::run_header header = format::read(posted.data());
  const std::uint32_t number = wire::number_in(header.handler);
  if (number == wire::handshake_number) return {.kind = message_kind::control};
  const wire::handler_entry& handler = *reader_.handlers()[number];
  // The values of its layout; of what has no fixed length, and of a bulk, each 8 bytes.
  std::size_t words = handler.words + bulk_bytes / 8;
  if (handler.packet_bytes == 0) {
    words = std::max<std::size_t>(handler.words, (posted.size - sizeof header + bulk_bytes) / 8);
  }
  return {handler.kind, words, number};
}

}  // namespace tsubu::message
