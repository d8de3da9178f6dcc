#include "tsubu/remote/memory/segment_access.hpp"

#include <memory>

#include "tsubu/remote/memory/segment_memory.hpp"
#include "tsubu/task/task.hpp"

namespace tsubu::remote {

segment_id add_segment(void* base, std::size_t bytes, void (*destroy)(void* base, std::size_t bytes)) {
  return current_pe->segments.add(base, bytes, destroy);
}
void drop_segment(segment_id id, pe_id who) { current_pe->segments.drop(id, who); }

bulk_read::bulk_read(std::span<std::byte> to, pe_id asked, const wire::handler_entry& of)
    : to_(to),
      cell_("a bulk read", static_cast<value_sink<void>*>(this)),
      slot_(current_pe->replies.open(current_pe->number(), *this, &reply_type<bulk_read>, asked, &of)) {}

std::byte* read_answer::place(const message::delivery& d, std::uint32_t slot, std::uint32_t generation) {
  auto* sink = current_pe->replies.look(d.from, slot, generation, &reply_type<bulk_read>);
  require(sink != nullptr, "a bulk read was abandoned while its bytes were under way");
  const auto* read = static_cast<bulk_read*>(static_cast<value_sink<void>*>(sink));
  require(read->to().size() == d.bulk_bytes, "PE {} sends {} bytes for a read of {}", d.from, d.bulk_bytes,
          read->to().size());
  return read->to().data();
}

void write_packet::call(const message::delivery& d, const placed_bytes& bytes) {
  bytes.put(d.from);
  answer_next<void>(d.from, done{});
}

void read_bulk::call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset,
                     std::uint64_t bytes) {
  remote::send_bulk<read_answer>(to.pe, pinned(id, {segment_at(id, offset, bytes, d.from), bytes}), to.slot,
                                 to.generation);
}

void read_answer::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation) {
  auto* sink = current_pe->replies.take(d.from, slot, generation, &reply_type<bulk_read>);
  static_cast<bulk_read*>(static_cast<value_sink<void>*>(sink))->finish();
}

std::byte* write_bulk::place(const message::delivery& d, segment_id id, std::uint64_t offset, const pieces& to) {
  std::byte* const first = pieces_at(id, offset, to, d.from);
  require(first != nullptr && to.size() == d.bulk_bytes, "PE {} sends {} bytes for {} pieces of {}", d.from,
          d.bulk_bytes, to.count, to.bytes);
  current_pe->segments.pin(id);
  if (to.is_one()) return first;
  const auto address = reinterpret_cast<std::uintptr_t>(first);
  std::byte* const packed_bytes = new std::byte[sizeof address + d.bulk_bytes];
  wire::store(packed_bytes, address);
  return packed_bytes + sizeof address;
}

void write_bulk::call(const message::delivery& d, segment_id id, std::uint64_t, const pieces& to) {
  if (!to.is_one()) {
    const std::unique_ptr<const std::byte[]> packed_bytes(d.bulk - sizeof(std::uintptr_t));
    unpack(reinterpret_cast<std::byte*>(wire::load<std::uintptr_t>(packed_bytes.get())), to, d.bulk);
  }
  current_pe->segments.unpin(id);
  answer_next<void>(d.from, done{});
}

transport::bulk_source read_bulk::pinned(segment_id id, std::span<const std::byte> bytes) {
  current_pe->segments.pin(id);
  return {bytes,
          [](void* pinned_id) {
            current_pe->segments.unpin(static_cast<segment_id>(reinterpret_cast<std::uintptr_t>(pinned_id)));
          },
          reinterpret_cast<void*>(std::uintptr_t{id})};
}

void read_pieces::call(const message::delivery& d, reply_address to, segment_id id, std::uint64_t offset,
                       const pieces& from) {
  const std::byte* const first = pieces_at(id, offset, from, d.from);
  remote::send_bulk<read_answer>(to.pe, message::this_endpoint->keep(packed(first, from)), to.slot, to.generation);
}

task<void> read_bytes(pe_id pe, segment_id id, std::uint64_t offset, pieces from, std::byte* first, pieces to) {
  const std::size_t bytes = to.size();
  if (bytes == 0) co_return;
  std::vector<std::byte> together(to.is_one() ? 0 : bytes);
  const bool asks_for_one = from.is_one();
  bulk_read read({to.is_one() ? first : together.data(), bytes}, pe,
                 asks_for_one ? message::registered<read_bulk>::entry : message::registered<read_pieces>::entry);
  if (asks_for_one) {
    remote::send<read_bulk>(pe, read.slot(), id, offset, bytes);
  } else {
    remote::send<read_pieces>(pe, read.slot(), id, offset, from);
  }
  oneshot<void>& arrival = read.arrival();
  co_await arrival;
  if (!to.is_one()) unpack(first, to, together.data());
}

}  // namespace tsubu::remote
