#include "tsubu/remote/segment_access.hpp"

#include "tsubu/remote/segment_memory.hpp"
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

void read_answer::call(const message::delivery& d, std::uint32_t slot, std::uint32_t generation) {
  auto* sink = current_pe->replies.take(d.from, slot, generation, &reply_type<bulk_read>);
  static_cast<bulk_read*>(static_cast<value_sink<void>*>(sink))->finish();
}

task<void> write_bytes(pe_id pe, segment_id id, std::uint64_t offset, std::span<const std::byte> bytes) {
  auto send_bulk = [&](reply_address slot) { remote::send_bulk<write_bulk>(pe, {bytes}, slot, id, offset); };
  auto send_packet = [&](reply_address slot) {
    remote::send<write_packet>(pe, slot, id, offset, std::vector<std::byte>(bytes.begin(), bytes.end()));
  };
  if (bytes.size() >= bulk_from_bytes) {
    now_reply<void> written(pe, message::registered<write_bulk>::entry, send_bulk);
    co_await written;
  } else {
    now_reply<void> written(pe, message::registered<write_packet>::entry, send_packet);
    co_await written;
  }
}

task<void> read_bytes(pe_id pe, segment_id id, std::uint64_t offset, std::span<std::byte> bytes) {
  if (bytes.empty()) co_return;
  bulk_read read(bytes, pe, message::registered<read_bulk>::entry);
  remote::send<read_bulk>(pe, read.slot(), id, offset, bytes.size());
  oneshot<void>& arrival = read.arrival();
  co_await arrival;
}

}  // namespace tsubu::remote
