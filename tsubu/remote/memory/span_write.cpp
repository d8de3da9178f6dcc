#include "tsubu/remote/memory/span_write.hpp"

namespace tsubu::remote {

// It is answered in line.
void span_write::send() const {
  if (from_.size() < bulk_from_bytes) return remote::send<write_packet>(pe_, bytes());
  remote::send_bulk<write_bulk>(pe_, source_of_bulk(), segment_, offset_, to_);
}

reply_in_line<void> span_write::operator co_await() const {
  return reply_in_line<void>(pe_, [this] { send(); });
}

transport::bulk_source span_write::source_of_bulk() const {
  if (message::this_endpoint == nullptr) outside_a_job("a send");
  if (from_.is_one()) return {{first_, from_.size()}};
  return message::this_endpoint->keep(packed(first_, from_));
}

task<void> span_write::awaited_here(span_write write) { co_await write; }

}  // namespace tsubu::remote
